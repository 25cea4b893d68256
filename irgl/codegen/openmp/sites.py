"""What a profile tells of: the Program's loops, kernels, and the loops in these, each with a number."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.names.paths import outer_loops, paths_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.codegen.cxx.rounds import Noted, Slot, places_of


@dataclass(frozen=True, slots=True)
class Site:
    """A place with what is noted of it. kind: `rounds`, a loop of the Program; `kernel`, one that is more than a loop;
    `loop`, that threads run together; `inner`, in such a one. over: nodes, edges or items.

    of: the number of the loop that threads run together, of an inner one that around it. slot: which of its counts are
    this one's; -1: nothing is counted.
    """

    kind: str
    place: str
    file: str
    line: int
    over: str = ""
    of: int = -1
    slot: int = -1


@dataclass(frozen=True, slots=True)
class Sites:
    """All of them, by number; kernels: the numbers of those that have one; loops: what is noted of which loop."""

    all: tuple[Site, ...]
    kernels: Mapping[str, int]
    loops: Mapping[A.Node, Slot]


def sites_of(checked: Checked, rounds: Mapping[A.Stmt, Noted], swept: Collection[A.ForAll] = ()) -> Sites:
    """The places of a program; the Program's loops have the numbers that they have among `rounds`. swept: loops over
    forms part by part, whose iterations nobody counts."""
    found: list[Site] = []
    by_number = dict(sorted((n.number, (s, n.place)) for s, n in rounds.items() if not n.again))
    for s, place in by_number.values():
        found.append(_site("rounds", place, s))
    kernels: dict[str, int] = {}
    loops: dict[A.Node, Slot] = {}
    for k in checked.kernels.values():
        places = paths_of(k)
        if only_loop(k) is None:
            kernels[k.name] = len(found)
            found.append(_site("kernel", k.name, k))
        for _, loop in outer_loops(k):
            at, inside = len(found), [] if loop in swept else [*_inside(loop)]
            for slot, n in enumerate([loop, *inside]):
                of = -1 if loop in swept else slot
                loops[n] = Slot(at, 1 + len(inside), of)
                found.append(_site("inner" if slot else "loop", places[n], n, _over(checked, n), at, of))
    return Sites(tuple(found), kernels, loops)


def invocations(entry: A.Entry, rounds: Mapping[A.Stmt, Noted], sites: Sites) -> dict[A.Node, Noted]:
    """The invocations of kernels, noted as rounds in those around; their numbers go on behind those of `rounds`."""
    first = len({n.number for n in rounds.values()})
    places = _of_kernels(sites)
    found: dict[A.Node, Noted] = {}

    def visit(node: A.Node, depth: int) -> None:
        if isinstance(node, A.Stmt) and node in rounds:
            depth = rounds[node].depth + 1
        if isinstance(node, A.Invoke | A.Iterate | A.InvokeResult):
            found[node] = Noted(first + [*places].index(node.kernel), places[node.kernel], depth)
        for child in children(node):
            visit(child, depth)

    visit(entry, 0)
    return found


def noted_places(rounds: Mapping[A.Stmt, Noted], sites: Sites) -> tuple[str, ...]:
    """The places of rounds and of invocations, in the order of their numbers."""
    return (*places_of(rounds), *_of_kernels(sites).values())


def _of_kernels(sites: Sites) -> dict[str, str]:
    """By kernel, what stands for it: a loop that is all of it, or itself."""
    found: dict[str, str] = {}
    for s in sites.all:
        if s.kind in ("kernel", "loop"):
            found.setdefault(s.place.split(".")[0], s.place)
    return found


def _inside(loop: A.ForAll) -> Iterator[A.For | A.ForAll]:
    return (n for n in walk(loop) if isinstance(n, A.For | A.ForAll) and n is not loop and n.body)


def _over(checked: Checked, loop: A.For | A.ForAll) -> str:
    t = checked.symbols[loop].type
    t = t.list.item if isinstance(t, T.Position) else t
    return "nodes" if isinstance(t, T.NodeT) else "edges" if isinstance(t, T.EdgeT) else "items"


def _site(kind: str, place: str, node: A.Node, over: str = "", of: int = -1, slot: int = -1) -> Site:
    file, line = ("", 0) if node.span is None else (node.span.source.path, node.span.line)
    return Site(kind, place, file, line, over, of, slot)
