"""Loops over nodes and their edges come into the form of sweeps: before, all edges, behind.

What it does: the inner ForAll comes to the top of its loop, as for a GPU (guard_loops), and a loop over a set becomes
one over all nodes that asks for each. Such a loop takes the edges of many nodes together, in the order in which a form
(irgl/forms/) keeps them: generated code runs what stands before the inner ForAll for all nodes of a part, then all of
the part's edges, then what stands behind it. What the edges use of an iteration's variables, or combine into them, is
kept for each node of the part meanwhile.

    ForAll (n In front.items) {              ForAll (n In g.nodes) {
        if (n.p < INF) {                         bool in_1 = front.contains(n);
            int here = n.p;             =>       bool in_2 = in_1 && n.p < INF;
            ForAll (e In n.edges) {              int here = in_2 ? n.p : 0;
                e.dst.p min= here + 1;           ForAll (e In n.edges.when(in_2)) {
            }                                        e.dst.p min= here + 1;
        }                                        }
    }                                        }

When it applies: to nested ForAlls for which the plan says a form of kind `sweep`, where analysis/loops/sweeps.py finds
it legal.
What it needs and keeps: a checked program; meaning, paths and labels.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.check import check
from irgl.analysis.loops.copies import bytes_of, copied, touched
from irgl.analysis.loops.row_lanes import row_lanes
from irgl.analysis.loops.rows import row_of
from irgl.analysis.loops.sweeps import Sweep, asks_number, weight_of
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import rebuild
from irgl.forms.find import form
from irgl.options import OPTIONS as PLANNED
from irgl.passes import guard_loops, turn_continues
from irgl.passes.parts.laid import ROWS, Laid, form_at, swept_by, type_of
from irgl.plan import Plan

#: What a plan says of forms of edges: the form, and what some leave open.
OPTIONS = tuple(o.name for o in PLANNED["cpu"] if o.name == "format" or (
    o.only_with is not None and o.only_with[0] == "format" and ROWS not in o.only_with[1]))


@dataclass(frozen=True, slots=True)
class Use(Laid):
    """A nested ForAll that is swept with the loop around it."""

    sweep: Sweep


def why_not(checked: Checked, kernel: A.Kernel, inner: A.ForAll, name: str) -> str | None:
    """Why a nested ForAll can't run over a form; None: it can."""
    if form(name).kind != "rows":
        return why_not_swept(checked, kernel, inner, name)
    found = _why_no_edges(checked, inner) or row_of(checked, kernel, inner)
    return found if isinstance(found, str) else None


def why_not_swept(checked: Checked, kernel: A.Kernel, inner: A.ForAll, name: str = "") -> str | None:
    """Why a nested ForAll can't run part by part, in that form or any, with the loop around it; None: it can."""
    found = _why_no_edges(checked, inner) or swept_by(checked, kernel, inner, form(name) if name else None)
    return found if isinstance(found, str) else None


def why_no_lanes(checked: Checked, kernel: A.Kernel, inner: A.ForAll) -> str | None:
    """Why a nested ForAll can't take the rows of several nodes at once; None: it can."""
    found = _why_no_edges(checked, inner) or row_lanes(checked, kernel, inner)
    return found if isinstance(found, str) else None


def _why_no_edges(checked: Checked, inner: A.ForAll) -> str | None:
    t = checked.types[inner.iterator]
    if isinstance(t, T.Range) and isinstance(t.item, T.EdgeT):
        return None
    return f"it runs over {T.bare(t)}, not over a node's edges"


def run(checked: Checked, plan: Plan) -> Checked:
    """The program, checked, with the loops that the plan sweeps in that form; the same one where there are none."""
    swept = {k.name for k in checked.kernels.values() if _wanted(checked, k, plan)}
    if not swept:
        return checked
    lowered = checked.lowered

    def again(program: A.Program) -> Checked:
        made = check(program, lowered=lowered)
        made.buffer, made.dedup = checked.buffer, checked.dedup
        return made

    def turned(d: A.Node) -> A.Node:
        return turn_continues.turned(checked.program, d) if isinstance(d, A.Kernel) and d.name in swept else d

    checked = again(rebuild(checked.program, turned))
    checked = again(over_all(checked, plan))
    loops = [u.sweep.inner for k in checked.kernels.values() for u in _wanted(checked, k, plan).values()]
    return again(guard_loops.run(checked, loops))


def over_all(checked: Checked, plan: Plan) -> A.Program:
    """The program with swept loops over sets as loops over all nodes."""
    return rebuild(checked.program, lambda d: _over_all(checked, d, plan) if isinstance(d, A.Kernel) else d)


def uses(checked: Checked, plan: Plan) -> dict[A.ForAll, Use]:
    """Of a program that `run` has been over: the loops (the outer ones) that run over forms."""
    return {u.sweep.loop: u for k in checked.kernels.values() for u in _wanted(checked, k, plan).values()}


def copies(checked: Checked, use: Use) -> dict[str, list[A.Member]]:
    """By property, where the loop reads it of a far end and finds a copy at the edge's place."""
    return copied(checked, use.sweep) if use.copied else {}


def places(checked: Checked, plan: Plan) -> set[str]:
    """The paths of the loops that the plan sweeps, and of those around them."""
    inner = [place for k in checked.kernels.values() for place in _wanted(checked, k, plan)]
    return {*inner, *(place.rpartition(".")[0] for place in inner)}


def _wanted(checked: Checked, kernel: A.Kernel, plan: Plan) -> dict[str, Use]:
    """The sweeps of a kernel that the plan wants and that are legal, by the inner loop's path."""
    found: dict[str, Use] = {}
    for inner, place in nested_loops(kernel).items():
        name, options, s = form_at(checked, kernel, inner, plan, place)
        if s is not None:
            of = form(name) if name != ROWS else None
            found[place] = Use(name, options, s.incoming, s.graph, type_of(kernel, s.graph),
                               weight_of(checked, inner) if of is not None else None, asks_number(checked, inner),
                               bytes_of(checked, s) if of is not None and of.copies else 0,
                               touched(checked, inner) if of is not None and of.segmented else 0,
                               "" if of is not None else options[0][1], s)
    return found


def _over_all(checked: Checked, kernel: A.Kernel, plan: Plan) -> A.Kernel:
    """The kernel with swept loops over sets as loops over all nodes."""
    wanted = [u.sweep for u in _wanted(checked, kernel, plan).values()]
    sets = {s.loop: s for s in wanted if s.members is not None}

    def visit(n: A.Node) -> A.Node:
        s = sets.get(n) if isinstance(n, A.ForAll) else None
        if s is None or s.members is None:
            return rebuild(n, visit)
        loop, at = s.loop, s.loop.span
        nodes = A.Member(A.Name(s.graph, span=at), "nodes", span=at)
        member = A.MethodCall(s.members, "contains", (A.Name(loop.var, span=at),), span=at)
        return A.ForAll(loop.var, nodes, (A.If(member, loop.body, (), span=at),), span=at)

    return rebuild(kernel, visit) if sets else kernel
