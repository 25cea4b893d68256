"""Is a call worth its conversion? An estimate from the size of the graph, in nanoseconds."""

from __future__ import annotations

from typing import Any

from irgl.nx_backend.offers import Offer

#: Of a call with nothing to do; and for each node and edge of a graph that is not converted yet.
CALL, CONVERT = 200_000, 150


def converted(graph: Any) -> bool:
    """Does NetworkX hold it converted?"""
    cache = getattr(graph, "__networkx_cache__", None)
    return bool(cache) and bool(cache.get("backends", {}).get("irgl"))


def worth(offer: Offer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Why NetworkX itself is likely to be faster, or ""."""
    graph = args[0] if args else kwargs["G"]
    cost = offer.cost
    nodes = len(graph)
    edges = sum(map(len, graph._adj.values()))
    size = nodes + edges
    rounds = 1
    calls = 1
    if cost.rounds == "nodes":
        rounds = nodes
    elif cost.rounds == "k":
        k = kwargs.get("k", args[1] if len(args) > 1 else None)
        rounds = nodes if k is None else k
    theirs = cost.theirs * size * rounds
    ours = CALL * calls + cost.ours * size * rounds + cost.result * nodes
    if not converted(graph):
        ours += CONVERT * size
    return "" if ours < theirs else f"it would take about {ours / 1e6:.1f} ms, and NetworkX {theirs / 1e6:.1f} ms"
