"""Core numbers: for every node the largest k such that it lies in a set of nodes of which each has k neighbours in it.

Roles
  cores    node property: the core number
  largest  (optional) the largest core number, 0 in an empty graph

Arcs join their ends in both directions; self-loops and parallel arcs count for nothing. The tolerance is not used.
The numbers are found by peeling (Matula and Beck 1983): for rising k, nodes with at most k neighbours left
are taken away until none is left, and those have core number k. O(n + m) steps; rounds that take away few nodes
are walked one by one, since long paths make very many of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"cores"})
OPTIONAL = frozenset({"largest"})
FEW = 64


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when every core number is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    cores = np.asarray(claim["cores"])
    if cores.shape != (n,):
        return f"role cores holds {cores.size} values, but the graph has {n} nodes"
    truth = _peel(*_simple_rows(graph))
    wrong = cores != truth
    if wrong.any():
        bad = int(np.argmax(wrong))
        return f"node {graph.file_id(bad)} has core number {cores[bad]}, but it is {truth[bad]}"
    if "largest" in claim and claim["largest"] != (most := int(truth.max(initial=0))):
        return f"the largest core number is said to be {claim['largest']}, but it is {most}"
    return None


def _simple_rows(graph: Graph) -> tuple[Any, Any]:
    """Row offsets and neighbours of the undirected graph without self-loops and duplicates."""
    n = graph.num_nodes
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    keys = _distinct(np.concatenate((tails * n + heads, heads * n + tails)))
    return np.searchsorted(keys, np.arange(n + 1, dtype=np.int64) * n), keys % max(n, 1)


def _distinct(keys: Any) -> Any:
    """The keys sorted, each once. (numpy.unique hashes first, which takes ten times as long for millions.)"""
    keys = np.sort(keys)
    first = np.ones(keys.size, bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def _peel(row: Any, near: Any) -> Any:
    left = np.diff(row).astype(np.int64)  # neighbours not taken away yet
    core = np.full(left.size, -1, np.int64)
    rest = np.arange(left.size)
    while rest.size:
        k = int(left[rest].min())
        shell = rest[left[rest] == k]
        core[shell] = k
        while shell.size:
            shell = (_take_few if shell.size <= FEW else _take_many)(row, near, left, core, shell, k)
        rest = rest[core[rest] < 0]
    return core


def _take_many(row: Any, near: Any, left: Any, core: Any, shell: Any, k: int) -> Any:
    """Take the shell away; the nodes that now have at most k neighbours left, marked with core number k."""
    starts, sizes = row[shell], row[shell + 1] - row[shell]
    before = np.cumsum(sizes) - sizes
    ends = near[np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))]
    ends = ends[core[ends] < 0]
    fallen, count = np.unique(ends, return_counts=True)
    left[fallen] -= count
    following = fallen[left[fallen] <= k]
    core[following] = k
    return following


def _take_few(row: Any, near: Any, left: Any, core: Any, shell: Any, k: int) -> Any:
    """The same, one by one, as far as it goes: for shells so small that a call of NumPy costs more than its work."""
    rows, ends, lefts, cores = memoryview(row), memoryview(near), memoryview(left), memoryview(core)
    stack: list[int] = shell.tolist()
    while stack and len(stack) <= FEW * FEW:
        node = stack.pop()
        for at in range(rows[node], rows[node + 1]):
            end = ends[at]
            if cores[end] < 0:
                lefts[end] -= 1
                if lefts[end] <= k:
                    cores[end] = k
                    stack.append(end)
    return np.array(stack, dtype=np.int64)
