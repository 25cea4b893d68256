"""Loops over nodes become three: for nodes of few edges, for those of as many as a warp has lanes, and of a block.

What it does: the nodes go to three lists by their degrees, each of which has a loop with a scheduler that suits it
(TWC: Merrill, Garland and Grimshaw, PPoPP 2012). `BLOCK` is the number of a block's threads.

    ForAll (n In WL.items) { BODY }   =>   list<node> small; list<node> middle; list<node> large;
                                           ForAll (n In WL.items) {
                                               if (n.degree < 32) { n joins small }
                                               else if (n.degree < BLOCK) { n joins middle } else { n joins large }
                                           }
                                           ForAll (n In small.items) { BODY }     np=serial
                                           ForAll (n In middle.items) { BODY }    np=wp
                                           ForAll (n In large.items) { BODY }     np=tb
                                           small.clear(); middle.clear(); large.clear();

When it applies: where a plan says np=bins at a nested ForAll over all edges of its loop's node that stands alone in it.
What it needs and keeps: a checked program, and a check as `lowered`; the meaning, since a ForAll's iterations come in
any order. Every outermost ForAll of a kernel that is changed gets its path's last word as a label, the three that come
of one with `_small`, `_middle` and `_large` behind it; what the plan says at the one holds at each of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from irgl.analysis.check import check
from irgl.analysis.effects.effects import home_graph
from irgl.analysis.flow.kernels import moves_its_range
from irgl.analysis.loops.edge_bodies import runs_along
from irgl.analysis.loops.sweeps import ALONG
from irgl.analysis.names.members import adder
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, walk
from irgl.passes.parts.replacing import fresh_in, replaced
from irgl.passes.parts.spread import loops, why_not_spread
from irgl.plan import Plan

#: The word of np=.
BINS = "bins"
#: The three lists, with the scheduler of each.
SIZES = (("small", "serial"), ("middle", "wp"), ("large", "tb"))
_WARP, _BLOCK, _ROWS = 32, 256, "serial"  # on a CPU, the last two


def why_not(checked: Checked, kernel: A.Kernel, inner: A.ForAll, around: tuple[A.ForAll, ...]) -> str | None:
    """Why the loop around a nested one can't be three; None: it can."""
    reason = why_not_spread(checked, inner, around)
    if reason is not None:
        return reason
    if len(around) != 1:
        return "it stands in a loop that is nested itself"
    loop = around[0]
    if not runs_along(checked, inner, loop, ALONG):
        return "it does not run over all edges of its loop's node"
    if any(isinstance(n, A.ForAll) and n not in (loop, inner) for n in walk(loop)):
        return "another ForAll stands beside it"
    if checked.facts[kernel.name].comes_back:
        return "items come back within the round, which would be sorted in each of theirs"
    if any(isinstance(n, A.Exclusive) for n in walk(kernel)):
        return "an Exclusive holds for what one loop runs over"
    if moves_its_range(checked, loop):
        return "the loop around it changes what it runs over"
    return None


@dataclass(frozen=True, slots=True)
class Binned:
    """A loop that becomes three, its place, that of the nested one, and whether that runs over in-edges."""
    place: str
    nested: str
    incoming: bool

    def nested_in(self, size: str) -> str:
        """The place of the nested one in one of the three."""
        return f"{self.place}_{size}{self.nested[len(self.place):]}"


def binned(checked: Checked, plan: Plan) -> dict[A.ForAll, Binned]:
    """The loops that become three."""
    return {around[0]: Binned(paths_of(k)[around[0]], place, runs_along(checked, inner, around[0], ("in_edges",)))
            for k in checked.kernels.values() for place, inner, around in loops(k)
            if around and plan.text_of("np", place) == BINS
            and (plan.target != "cpu" or plan.idle("np", place) is None)
            and why_not(checked, k, inner, around) is None}


def run(checked: Checked, plan: Plan) -> tuple[Checked, Plan]:
    """The program with the loops as the plan says, and a plan that says what holds at these; both as they are where
    there are none."""
    found = binned(checked, plan)
    if not found:
        return checked, plan
    decls = tuple(_sorted(checked, d, found, plan) if isinstance(d, A.Kernel) and any(n in found for n in walk(d))
                  else d for d in checked.program.decls)
    said: dict[str, str] = {}
    for b in found.values():
        for size, scheduler in SIZES:
            said |= {f"{b.place}_{size}{key[len(b.place):]}": value for key, value in plan.settings
                     if key.startswith(f"{b.place}.")}
            said[f"{b.nested_in(size)}.np"] = scheduler if plan.target != "cpu" else _ROWS
    made = check(A.Program(decls, span=checked.program.span), lowered=True)
    return made, Plan(tuple((said | dict(plan.settings)).items()), plan.target)


def _sorted(checked: Checked, kernel: A.Kernel, found: dict[A.ForAll, Binned], plan: Plan) -> A.Kernel:
    fresh = fresh_in(checked, kernel)

    def instead(loop: A.ForAll, label: str) -> Iterator[A.Stmt]:
        t = checked.types[loop.iterator]
        assert isinstance(t, T.Range | T.Worklist) and isinstance(t.item, T.NodeT)
        graph = t.item.graph or home_graph(checked, kernel.params)
        names = [fresh.bare(size) for size, _ in SIZES]
        kind = T.Worklist("list", T.NodeT(graph), _comes_once(checked, loop.iterator))
        block = plan.value("block") if plan.target != "cpu" else _BLOCK
        return _three(loop, label, names, kind, "in_degree" if found[loop].incoming else "degree", block)

    return replaced(kernel, {n: instead for n in walk(kernel) if isinstance(n, A.ForAll) and n in found})


def _comes_once(checked: Checked, items: A.Expr) -> bool:
    """Is no node among these items twice?"""
    t = checked.types[items.object if isinstance(items, A.Member) and items.name == "items" else items]
    return not isinstance(t, T.Worklist) or t.unique or t.kind != "list"


def _three(loop: A.ForAll, label: str, names: list[str], kind: T.Worklist, degree: str,
           block: int) -> Iterator[A.Stmt]:
    """The lists, the loop that fills them, and those that run over them."""
    at = loop.span

    def name(word: str) -> A.Name:
        return A.Name(word, span=at)

    def do(word: str, method: str, *args: A.Expr) -> A.Stmt:
        return A.ExprStmt(A.MethodCall(name(word), method, args, span=at), span=at)

    def fewer(than: int) -> A.Expr:
        return A.Binary("<", A.Member(name(loop.var), degree, span=at), A.IntLit(than, T.INT, span=at), span=at)

    small, middle, large = (do(word, adder(kind), name(loop.var)) for word in names)
    by_block = A.If(fewer(block), (middle,), (large,), span=at) if block > _WARP else large
    yield from (A.VarDecl(kind, word, None, span=at) for word in names)
    yield A.Labeled(f"{label}_bins", A.ForAll(loop.var, loop.iterator, (A.If(fewer(_WARP), (small,), (by_block,),
                                                                            span=at),), span=at), span=at)
    for word, (size, _) in zip(names, SIZES, strict=True):
        items = A.Member(name(word), "items", span=at)
        yield A.Labeled(f"{label}_{size}", replace(loop, iterator=items, body=tuple(map(copied, loop.body))), span=at)
    yield from (do(word, "clear") for word in names)
