"""Label propagation: each node's label after some rounds in which all nodes take their neighbours' most frequent one.

Roles
  labels       node property: the label, a node's number; before the first round each node has its own
  rounds       how many rounds there were at most: they end where a round changes nothing
  moved        (optional) how many nodes the last round changed; a round that changes nothing is the last
  communities  (optional) how many different labels there are

Arcs join their ends in both directions; self-loops and parallel arcs count for nothing. Of several labels that are
equally frequent the smallest counts, and a node without neighbours keeps its own (LDBC Graphalytics, of undirected
graphs). The tolerance is not used. The rounds are replayed by sorting all pairs of a node and a neighbour's label:
O(m log m) each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"labels", "rounds"})
OPTIONAL = frozenset({"moved", "communities"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every label is right, else a sentence that names the first wrong node or number."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    said = np.asarray(claim["labels"])
    if said.shape != (n,):
        return f"role labels holds {said.size} values, but the graph has {n} nodes"
    tails, heads = _pairs(graph)
    labels, moved = np.arange(n), 0
    for _ in range(int(claim["rounds"])):
        following = _round(tails, heads, labels)
        moved = int(np.count_nonzero(following != labels))
        if moved == 0:
            break
        labels = following
    if (wrong := said != labels).any():
        bad = int(np.argmax(wrong))
        told = "no label" if not 0 <= said[bad] < n else f"label {name(said[bad])}"
        return f"node {name(bad)} has {told}, but it is {name(labels[bad])}"
    if "moved" in claim and claim["moved"] != moved:
        return f"the last round is said to have changed {claim['moved']} labels, but it changed {moved}"
    if "communities" in claim and claim["communities"] != (count := np.unique(labels).size):
        return f"there are said to be {claim['communities']} communities, but there are {count}"
    return None


def _pairs(graph: Graph) -> tuple[Any, Any]:
    """Each pair of a node and a neighbour of it once, sorted."""
    n = graph.num_nodes
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    keys = np.unique(np.concatenate((tails * n + heads, heads * n + tails)))
    return keys // max(n, 1), keys % max(n, 1)


def _round(tails: Any, heads: Any, labels: Any) -> Any:
    """All nodes' next labels."""
    n = labels.size
    votes, counts = np.unique(tails * n + labels[heads], return_counts=True)
    voter, label = votes // max(n, 1), votes % max(n, 1)
    order = np.lexsort((label, -counts, voter))
    voter, label = voter[order], label[order]
    first = np.ones(voter.size, bool)
    first[1:] = voter[1:] != voter[:-1]
    following = labels.copy()
    following[voter[first]] = label[first]
    return following
