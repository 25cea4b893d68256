"""Where loops stand in kernels, and which nested ones a scheduler may spread over the threads of its unit."""

from __future__ import annotations

from functools import lru_cache

from irgl.analysis.flow.guards import can_guard
from irgl.analysis.names.methods import of_object
from irgl.analysis.names.once import once
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

#: A ForAll's place, itself, and the ForAlls around it, from the outermost on.
Standing = tuple[str, A.ForAll, tuple[A.ForAll, ...]]


@lru_cache(maxsize=256)  # every decision of a plan asks, of the same trees
def loops(kernel: A.Kernel) -> tuple[Standing, ...]:
    """Every ForAll of a kernel."""
    found: list[Standing] = []
    names = paths_of(kernel)

    def visit(node: A.Node, around: tuple[A.ForAll, ...]) -> None:
        if isinstance(node, A.ForAll):
            found.append((names[node], node, around))
            around = (*around, node)
        for child in children(node):
            visit(child, around)

    visit(kernel, ())
    return tuple(found)


def nested_loops(checked: Checked) -> list[Standing]:
    """The ForAlls of all kernels that stand in others."""
    return [one for k in checked.kernels.values() for one in loops(k) if one[2]]


@once
def why_not_spread(checked: Checked, loop: A.ForAll, around: tuple[A.ForAll, ...]) -> str | None:
    """Why a scheduler can't spread this nested loop over the threads of its unit; None: it can."""
    t = checked.types[loop.iterator]
    if not (isinstance(t, T.Range) and isinstance(t.item, T.EdgeT)):
        return f"it runs over {T.bare(t)}, not over a node's edges"
    if isinstance(loop.iterator, A.Member) and of_object(checked, loop.iterator):
        return "it runs over the items of a list, not over a node's edges"
    if isinstance(loop.iterator, A.Name):
        return "it runs over edges that a variable names"
    for outer, inner in zip(around, (*around[1:], loop), strict=True):
        if not can_guard(outer, inner):
            return "a sequential loop or a lock stands around it"
        if outer is not around[0]:
            reason = why_not_spread(checked, outer, around[: around.index(outer)])
            if reason is not None:
                return f"the loop around it stays with one thread: {reason}"
    if any(isinstance(n, A.Name) and _is_scratch(checked, n) for s in loop.body for n in walk(s)):
        return "it uses the scratch set of its item's thread"
    inside = {checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl)}
    for n in (n for s in loop.body for n in walk(s) if isinstance(n, A.Name)):
        symbol = checked.symbols.get(n)
        if symbol is not None and symbol not in inside and symbol.depth > 0:
            if is_own(checked, n):
                return "it uses an object of its item's thread"
            if isinstance(symbol.type, T.Vector):
                return "it uses a vector of its item's thread"
            if isinstance(symbol.type, T.Range):
                return "it uses a range that a variable of its item's thread names"
    return None


def kernel_of(checked: Checked, loop: A.ForAll) -> A.Kernel:
    """The kernel in which a loop stands."""
    return next(k for k in checked.kernels.values() if any(one is loop for _, one, _ in loops(k)))


def _is_scratch(checked: Checked, n: A.Name) -> bool:
    t = checked.types.get(n)
    return isinstance(t, T.Worklist) and t.kind == "scratch"
