"""A minimum spanning forest: edges without a cycle that join all that the graph joins, of the least total weight.

Roles
  total   (optional) the sum of the weights of the forest's edges
  chosen  (optional) edge property: tells (by any value but 0) whether the arc is in the forest
  edges   (optional) how many edges the forest has

One role of the three at least is needed. Arcs are edges, whichever way they point; an edge may be chosen through one of
its arcs or through both (an arc and one back, of the same weight) and counts once. An edge of a graph without
weights counts 1. Weights may be zero or negative. Of several forests of the least total any is right.
A choice is right when it has no cycle, joins every component, and its weight equals that of SciPy's
minimum_spanning_tree, which is given the rank of each weight for the weight itself (the forest depends on their
order only, and SciPy takes 0 for no edge). Totals are exact where weights and total are integers, else they may differ
by tolerance x max(1, |total|). O(m log m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED: frozenset[str] = frozenset()
OPTIONAL = frozenset({"total", "chosen", "edges"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every claimed value is right, else a sentence that says what is wrong."""
    if odd := sorted(claim.keys() - OPTIONAL):
        return f"role {odd[0]} is unknown"
    if not claim:
        return "one of the roles total, chosen and edges is needed"
    tails = np.repeat(np.arange(graph.num_nodes, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    weights = np.ones(graph.num_edges, np.int64) if graph.weight is None else np.asarray(graph.weight)
    if not np.isfinite(weights).all():
        return f"an arc from node {graph.file_id(int(tails[np.argmin(np.isfinite(weights))]))} has no finite weight"
    least, count = _minimum(graph.num_nodes, tails, heads, weights)
    room = tolerance * max(1.0, abs(least))
    slack = room if weights.dtype.kind == "f" else 0.0
    if "chosen" in claim:
        chosen = np.asarray(claim["chosen"])
        if chosen.shape != (graph.num_edges,):
            return f"role chosen holds {chosen.size} values, but the graph has {graph.num_edges} arcs"
        if (wrong := _wrong_choice(graph, tails, heads, weights, chosen != 0, count, least, slack)) is not None:
            return wrong
    if "edges" in claim and claim["edges"] != count:
        return f"the forest is said to have {claim['edges']} edges, but it has {count}"
    if "total" in claim and not _near(claim["total"], least, room if _floating(claim["total"]) else slack):
        return f"the total weight is said to be {claim['total']}, but the least is {least}"
    return None


def _wrong_choice(
    graph: Graph, tails: Any, heads: Any, weights: Any, chosen: Any, count: int, least: Any, slack: float
) -> str | None:
    """What is wrong with the chosen edges: of `count` edges a forest weighs `least`."""
    n, name = graph.num_nodes, graph.file_id
    loops = chosen & (tails == heads)
    if loops.any():
        return f"the self-loop of node {name(int(tails[np.argmax(loops)]))} is chosen"
    low, high = np.minimum(tails, heads)[chosen], np.maximum(tails, heads)[chosen]
    back, weight = (tails > heads)[chosen], weights[chosen]
    order = np.lexsort((back, high, low))
    low, high, back, weight = low[order], high[order], back[order], weight[order]
    again = np.zeros(low.size, bool)  # joins the same two nodes as the one before
    again[1:] = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    twin = again.copy()  # the same edge, chosen at its other end
    twin[1:] &= (back[1:] != back[:-1]) & (weight[1:] == weight[:-1])
    if (again & ~twin).any():
        at = int(np.argmax(again & ~twin))
        return f"nodes {name(int(low[at]))} and {name(int(high[at]))} are joined by two chosen edges"
    low, high, weight = low[~again], high[~again], weight[~again]
    row = np.searchsorted(low, np.arange(n + 1))
    numbered = csr_array((np.arange(low.size) + 1.0, high, row), shape=(n, n))
    kept = np.zeros(low.size, bool)
    kept[minimum_spanning_tree(numbered).data.astype(np.int64) - 1] = True
    if not kept.all():
        at = int(np.argmin(kept))
        return f"the chosen edge between nodes {name(int(low[at]))} and {name(int(high[at]))} closes a cycle"
    if low.size < count:
        _, part = connected_components(numbered, directed=False)
        at = int(np.argmax(part[tails] != part[heads]))
        return f"nodes {name(int(tails[at]))} and {name(int(heads[at]))} are joined, but not by chosen edges"
    weighs = _sum(weight)
    if not _near(weighs, least, slack):
        return f"the chosen edges weigh {weighs}, but the least is {least}"
    return None


def _minimum(n: int, tails: Any, heads: Any, weights: Any) -> tuple[Any, int]:
    """Total weight and number of edges of a minimum spanning forest."""
    proper = np.flatnonzero(tails != heads)
    if proper.size == 0:
        return 0, 0
    pairs = np.minimum(tails, heads)[proper] * n + np.maximum(tails, heads)[proper]
    order = np.argsort(pairs)
    pairs = pairs[order]
    starts = np.flatnonzero(np.concatenate(([True], pairs[1:] != pairs[:-1])))
    lightest = np.minimum.reduceat(weights[proper[order]], starts)  # of parallel edges
    levels, rank = np.unique(lightest, return_inverse=True)
    row = np.searchsorted(pairs[starts], np.arange(n + 1) * n)
    tree = minimum_spanning_tree(csr_array((rank + 1.0, pairs[starts] % n, row), shape=(n, n)))
    return _sum(levels[tree.data.astype(np.int64) - 1]), int(tree.nnz)


def _sum(weights: Any) -> Any:
    """The sum, exact for integers of any size, in double precision for others."""
    if weights.dtype.kind == "f":
        return float(weights.sum(dtype=np.float64))
    high, low = np.divmod(weights.astype(object) if weights.dtype == np.uint64 else weights.astype(np.int64), 1 << 31)
    return int(high.sum()) * (1 << 31) + int(low.sum())


def _near(claimed: Any, truth: Any, slack: float) -> bool:
    return bool(claimed == truth or (slack > 0 and abs(float(claimed) - float(truth)) <= slack))


def _floating(value: Any) -> bool:
    return isinstance(value, float | np.floating)
