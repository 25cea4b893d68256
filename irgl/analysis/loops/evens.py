"""Whether the edges of a loop over nodes may be shared out to all blocks of a grid, wherever that cuts a node's edges.

Blocks that have edges of one node each run what its iteration does ahead of them, and none can wait for the others: so
that has to be quiet - variables of its own, computed from what the loop leaves alone - and nothing may stand behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.effects.effects import by_kind, changed_variables, effects_of
from irgl.analysis.flow.kernels import moves_its_range
from irgl.analysis.loops.edge_bodies import runs_along
from irgl.analysis.loops.sweeps import ALONG, of_whole_iterations
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.fresh import written
from irgl.ast.visit import walk


def why_not_cut(checked: Checked, around: tuple[A.ForAll, ...], inner: A.ForAll) -> str | None:
    """Why several blocks can't have a part each of a node's edges; None: they can. `around`: the ForAlls around."""
    if len(around) != 1:
        return "it stands in a loop that is nested itself"
    loop = around[0]
    if not runs_along(checked, inner, loop, ALONG):
        return "it does not run over all edges of its loop's node"
    for n in (n for s in loop.body for n in walk(s)):
        reason = of_whole_iterations(n)
        if reason is not None:
            return reason
        if isinstance(n, A.ForAll) and n is not inner:
            return "another ForAll stands beside it"
    if moves_its_range(checked, loop):
        return "the loop around it changes what it runs over"
    return _why_not_quiet(checked, loop, inner) or _why_not_own(checked, inner)


def _why_not_quiet(checked: Checked, loop: A.ForAll, inner: A.ForAll) -> str | None:
    """Why what an iteration does besides can't be done by each block that has some of its edges."""
    ahead, behind = _beside(loop.body, inner)
    if behind:
        return "its iteration goes on behind its edges, which other blocks may still run"
    found = effects_of(checked, ahead)
    if found.writes or found.host or any(isinstance(n, A.ReduceAndReturn) for a in ahead for n in walk(a)):
        return "its iteration does more ahead of its edges than to compute variables"
    changed = by_kind(effects_of(checked, loop.body).writes)
    moved = next((place for place in found.reads if by_kind([place]) & changed), None)
    if moved is not None:
        return f"its iteration reads '{written(moved.name, loop.span)}' ahead of its edges, which the loop changes"
    return None


def _why_not_own(checked: Checked, inner: A.ForAll) -> str | None:
    """Why the edges need their iteration's variables in one place."""
    for symbol in changed_variables(checked, inner.body):
        if symbol.depth > 0 and symbol.kind != "global":
            return f"it combines '{written(symbol.name, symbol.span)}' for its iteration, and blocks share nothing"
    return None


def _beside(stmts: Sequence[A.Stmt], inner: A.ForAll) -> tuple[list[A.Node], bool]:
    """What stands ahead of the inner ForAll, conditions around it included, and whether anything stands behind."""
    at = next(i for i, s in enumerate(stmts) if any(n is inner for n in walk(s)))
    ahead: list[A.Node] = list(stmts[:at])
    behind = at + 1 < len(stmts)
    match stmts[at]:
        case A.If() as s:
            first = any(n is inner for x in s.body for n in walk(x))
            branch, other = (s.body, s.orelse) if first else (s.orelse, s.body)
            more, further = _beside(branch, inner)
            return [*ahead, s.test, *more], behind or further or bool(other)
        case A.Block() as s:
            more, further = _beside(s.body, inner)
            return [*ahead, *more], behind or further
        case _:
            return ahead, behind
