"""Is a call worth its conversion? An estimate from the size of the graph, in nanoseconds."""

from __future__ import annotations

from itertools import islice
from typing import Any

from irgl.nx_backend.offers import Offer

#: Of a call with nothing to do; and for each node and edge of a graph that is not converted yet.
CALL, CONVERT = 200_000, 150
#: How many nodes are asked for their degree.
_SAMPLE = 32


def converted(graph: Any) -> bool:
    """Does NetworkX hold it converted?"""
    cache = getattr(graph, "__networkx_cache__", None)
    return cache is not None and bool(cache.get("backends", {}).get("irgl"))


def degree(graph: Any) -> float:
    """About how many neighbours a node has: those of a few nodes are counted."""
    rows = list(islice(graph._adj.values(), _SAMPLE))
    return sum(map(len, rows)) / max(1, len(rows))


def worth(offer: Offer, given: dict[str, Any]) -> str:
    """Why NetworkX itself is likely to be faster, or ""."""
    graph = given["G"]
    cost = offer.cost
    nodes = len(graph)
    size = nodes * (1 + degree(graph))
    rounds = 1
    if cost.rounds == "nodes":
        rounds = nodes
    elif cost.rounds == "k":
        rounds = nodes if given["k"] is None else given["k"]
    theirs = cost.theirs * size * rounds
    ours = CALL + cost.ours * size * rounds + cost.result * nodes
    if not converted(graph):
        ours += CONVERT * size
    return "" if ours < theirs else f"it would take about {ours / 1e6:.1f} ms, and NetworkX {theirs / 1e6:.1f} ms"
