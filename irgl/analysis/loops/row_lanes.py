"""Whether a nested ForAll may take the edges of several nodes at once, by vector instructions, over rows.

    ForAll (n In g.nodes) {
        double sum = 0;
        ForAll (e In n.edges) { sum += e.dst.p; }      a lane has a node: its row, and its sum
        n.q = sum;
    }

Lanes whose rows have ended go on with the others of their nodes. What they compute is thrown away, and of some edge or
other: so an edge may do arithmetic alone, which can't stop the program, and change only variables of its node's
iteration that edges combine into.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.effects.effects import effects_of
from irgl.analysis.flow.kernels import helpers_of
from irgl.analysis.loops.edge_bodies import PURE
from irgl.analysis.loops.lanes import PLAIN
from irgl.analysis.loops.sweeps import Sweep, sweep_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def row_lanes(checked: Checked, kernel: A.Kernel, inner: A.ForAll) -> Sweep | str:
    """How a nested ForAll takes the rows of several nodes at once with the loop around it, or why it may not."""
    found = sweep_of(checked, kernel, inner)
    if isinstance(found, str):
        return found
    return _why_not(checked, found) or found


def shares_nothing(checked: Checked, sweep: Sweep) -> bool:
    """May edges of different nodes be taken at once: is there nothing that two of them change?"""
    inner = sweep.inner
    return (not effects_of(checked, inner.body).writes
            and all(v in sweep.inside for v, _ in checked.combined[inner])
            and not any(isinstance(n, A.ReduceAndReturn | A.MethodCall) for s in inner.body for n in walk(s)))


def _why_not(checked: Checked, sweep: Sweep) -> str | None:
    inner = sweep.inner
    if not checked.combined[inner]:
        return "its edges combine nothing into a variable of their node's iteration"
    if any(isinstance(n, A.MethodCall) for s in inner.body for n in walk(s)):
        return "its edges ask a list, a set or an object"
    if not shares_nothing(checked, sweep):
        return "its edges change more than variables of their node's iteration"
    held = _of_another(checked, sweep)
    if held is not None:
        return f"its edges use '{held}', a node or an edge that its node's iteration has found, and that may be NONE"
    for n in _run(checked, inner):
        reason = _why_not_lane(checked, n)
        if reason is not None:
            return reason
    return None


def _of_another(checked: Checked, sweep: Sweep) -> str | None:
    """A variable of the node's iteration that is a node or an edge itself, of which an edge asks something. That it is
    not NONE may hang on a condition around the edges, of which lanes that are off know nothing."""
    kept = {v: v.name for v in sweep.inside if isinstance(v.type, T.NodeT | T.EdgeT)}
    return next((kept[v] for s in sweep.inner.body for n in walk(s) if isinstance(n, A.Member | A.Call)
                 for of in ((n.object,) if isinstance(n, A.Member) else n.args)
                 if isinstance(of, A.Name) and (v := checked.symbols.get(of)) in kept and v is not None), None)


def _why_not_lane(checked: Checked, n: A.Node) -> str | None:
    """Why a part of what an edge runs can't be computed for nothing."""
    if isinstance(n, A.Index):
        return "its edges ask for what may lie out of range"
    if not isinstance(n, (*PLAIN, A.Return)):
        return "its edges do more than arithmetic"
    if isinstance(n, A.Call) and n.function not in PURE and n.function not in checked.functions:
        return f"nobody can see what '{n.function}' does, which its edges call"
    if isinstance(n, A.Binary) and n.op in ("/", "%") and not isinstance(checked.types[n], T.Float):
        return "its edges divide whole numbers, perhaps by 0"
    if n in checked.none:
        return "its edges use a node or an edge that may be NONE"
    if n in checked.concurrent:
        return "its edges read what others change at the same time"
    return None


def _run(checked: Checked, inner: A.ForAll) -> Iterator[A.Node]:
    """All that an edge runs."""
    for s in (*inner.body, *(s for f in helpers_of(checked, [inner]) for s in f.body)):
        yield from walk(s)
