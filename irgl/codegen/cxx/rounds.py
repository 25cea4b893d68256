"""Rounds of the Program's loops, in units that note what is counted by round.

Such a unit says where a round begins, what its first kernel runs over, which way a loop goes that may pull, and where a
loop has ended, by the same words on every target (cpu_rt/rounds.hpp, cuda_rt/rounds.cuh).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irgl.analysis.effects.effects import effects_of
from irgl.analysis.effects.in_edges import are_in_edges
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import children, walk
from irgl.codegen.cxx.work import deciding, either, loop_range

_LOOPS = (A.Iterate, A.Pipe, A.While, A.DoWhile, A.For, A.CFor)
_INVOKE = (A.Invoke, A.Iterate, A.InvokeResult)


@dataclass(frozen=True, slots=True)
class Noted:
    """A loop whose rounds are noted: its number, its place, how many such loops are around it.

    again: it repeats the round of the loop around it (passes/unroll_pipes.py), and is meant by that one's place.
    """

    number: int
    place: str
    depth: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """What the text of a counted loop wants to know: the number of the loop that threads run together, how many loops
    are counted there, and which count is its own; -1: none."""

    site: int
    loops: int
    slot: int


def noted_loops(entry: A.Entry) -> dict[A.Stmt, Noted]:
    """The loops of a Program that invoke kernels."""
    places, found = paths_of(entry), dict[A.Stmt, Noted]()
    known: dict[int, Noted] = {}  # by the span, which a copy of an unrolled round has from the original

    def visit(node: A.Node, around: tuple[A.Stmt, ...]) -> None:
        if isinstance(node, _LOOPS) and _repeats(node) and any(isinstance(n, _INVOKE) for n in walk(node)):
            outer = found[around[-1]] if around else None
            same = known.get(id(node.span)) if node.span is not None else None
            if same is None:
                number = len({n.number for n in found.values()})
                same = Noted(number, places[node], 0 if outer is None else outer.depth + 1)
                known[id(node.span)] = same
            again = outer is not None and outer.number == same.number
            found[node] = Noted(same.number, same.place, same.depth, again)
            around = (*around, node)
        for child in children(node):
            visit(child, around)

    visit(entry, ())
    return found


def places_of(loops: Mapping[A.Stmt, Noted]) -> tuple[str, ...]:
    """The places of the loops, in the order of their numbers."""
    return tuple(dict(sorted((n.number, n.place) for n in loops.values())).values())


def _repeats(loop: A.Stmt) -> bool:
    return not (isinstance(loop, A.Pipe) and loop.once)


def run_over(checked: Checked, call: A.Invoke | A.Iterate | A.InvokeResult, given: dict[str, str], wl: str,
             on: str) -> str:
    """The statement before an invocation that says what the kernel's first loop runs over, if that is plain to see.

    given: what the kernel's parameters are for its caller; wl: how that asks the Pipe's list; on: by whom, a "t" being
    a thread of an outlined loop.
    """
    k = checked.kernels[call.kernel]
    other = either(checked, k)
    if other is not None and other.flag in given:
        ways = [_runs_over(checked, k, text, given, wl, on) for text in (other.otherwise, other.lists)]
        return f"if ({given[other.flag]}) {{ {ways[0]} }} else {{ {ways[1]} }}"
    return _runs_over(checked, k, k.body, given, wl, on)


def _runs_over(checked: Checked, k: A.Kernel, text: tuple[A.Stmt, ...], given: dict[str, str], wl: str, on: str) -> str:
    unknown, loops = "irgl::runs_over();", deciding(checked, text)
    if not loops:
        return unknown
    written = {place.name for place in effects_of(checked, text).writes if place.kind == "list"} - {"WL"}
    names = {n.id for n in walk(loops[0].iterator) if isinstance(n, A.Name)}
    if names & written or not names <= {*given, "WL"}:
        return unknown  # it fills what it runs over itself
    work = loop_range(checked, k, loops[0], given, wl, on)
    if work is None:
        return unknown
    alike = [loop for loop in loops if {n.id for n in walk(loop.iterator) if isinstance(n, A.Name)} == names]
    nested = [checked.types[n.iterator] for loop in alike for n in walk(loop)
              if isinstance(n, A.ForAll | A.For) and n is not loop]
    first = "t, " * (on == "t")
    what = work.by(any(map(are_in_edges, nested))) if nested else work.text
    return f"irgl::runs_over({first}[&] {{ return {what}; }});"


def ways(kernel: A.Kernel) -> Mapping[A.Stmt, str]:
    """Of loops that a kernel has both ways, which way each goes: the pushing and the pulling one, with their labels."""
    found: dict[A.Stmt, str] = {}
    for s in (n for n in walk(kernel) if isinstance(n, A.If)):
        match s.orelse:
            case (A.Labeled(label=label, body=A.ForAll()) as pushes,):
                pulls = [x for x in s.body if isinstance(x, A.Labeled) and x.label.startswith(f"{label}_pull")]
                if pulls:
                    found[pushes] = "pushing"
                    found.update((s, "pulling") for s in pulls)
            case _:
                pass
    return found
