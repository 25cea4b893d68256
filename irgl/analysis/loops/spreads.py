"""Whether a program hands on values from node to node as they are, and keeps the least or the largest.

So label propagation does: `e.dst.label min= n.label`. A loop that does it may pull, and a node that pulls takes what
its neighbours have got in the same round: where neighbours have ids near each other, a value crosses the graph in few
rounds, as it would in a sweep.
"""

from __future__ import annotations

from irgl.analysis.loops.direction import Turn, turn_of
from irgl.analysis.loops.edge_bodies import EdgeBody
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.fresh import Fresh
from irgl.ast.visit import walk


def spreads(checked: Checked) -> tuple[str, ...]:
    """The places of the loops that do, where all that may be turned round do: of loops that rounds of many nodes turn,
    so that a hybrid plan makes a half `PLACE_pull` of each. Those that run a queue don't turn by themselves.
    O(size of the program)."""
    turns = {path: (k, turn) for k in checked.kernels.values() if checked.facts[k.name].worklist.by is None
             for path, loop in outer_loops(k) if isinstance(turn := turn_of(checked, k, loop), Turn)}
    return tuple(turns) if all(_has_half(checked, k, path, turn) and _hands_on(checked, turn)
                               for path, (k, turn) in turns.items()) else ()


def _has_half(checked: Checked, k: A.Kernel, path: str, turn: Turn) -> bool:
    """Has a hybrid plan a loop that pulls beside the one that pushes, by a name that is its own?"""
    return not turn.everybody and f"{path.rpartition('.')[2]}_pull" not in Fresh(checked.program, k).taken


def _hands_on(checked: Checked, turn: Turn) -> bool:
    """Is the one thing that an edge's far end gets, beside a place in a list, a value of the near end's?"""
    body = EdgeBody(checked, turn.loop, turn.inner)
    changes = [n for s in turn.inner.body for n in walk(s) if isinstance(n, A.Assign | A.Reduce)]
    match changes:
        case [A.Reduce(op="min" | "max", target=A.Member(object=to, name=kept), value=A.Member(object=of, name=given))]:
            return kept == given and body.is_target(to) and body.is_base(of)
        case _:
            return False
