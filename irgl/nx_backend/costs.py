"""Is a call worth its conversion? An estimate from the size of the graph, in nanoseconds."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

from irgl.nx_backend.offers import Offer

#: Of a call with nothing to do; and for each node and neighbour of a graph that is not converted yet, where nodes have
#: other names than numbers, and where there are weights.
CALL, CONVERT, CONVERT_NAMES, CONVERT_WEIGHTS = 300_000, 150, 100, 200
#: How many nodes are asked for their degree.
_SAMPLE = 12
#: NetworkX's steps cost what they cost while a graph fits into the processor's cache; then more, up to so many times.
_FITS, _MOST = 20_000, 5.0

def converted(graph: Any) -> bool:
    """Does NetworkX hold it converted?"""
    cache = getattr(graph, "__networkx_cache__", None)
    return cache is not None and bool(cache.get("backends", {}).get("irgl"))


def degree(graph: Any) -> float:
    """About how many neighbours a node has: those of a few nodes are counted."""
    rows = list(islice(graph._adj.values(), _SAMPLE))
    return sum(map(len, rows)) / max(1, len(rows))


def worth(offer: Offer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Why NetworkX itself is likely to be faster, or ""; quick where it is for sure, on small graphs above all."""
    cost = offer.cost
    if cost.theirs == 0:
        return "NetworkX ends once it knows, which may be at once"
    for at, part in offer.parts:
        if (args[at] if at < len(args) else kwargs.get(part)) is not None:
            return f"NetworkX looks at a part of the graph: {part}"
    graph = args[0] if args else kwargs["G"]
    nodes = len(graph)
    size = nodes * (1 + degree(graph))
    if cost.theirs * size < CALL and not cost.rounds:
        return f"it would take more than {CALL / 1e6} ms, and NetworkX does not"
    given = offer.given(args, kwargs)
    rounds = 1.0
    if cost.rounds == "nodes":
        rounds = nodes
    elif cost.rounds == "ends":
        rounds = nodes if given["source"] is None else 1
    elif cost.rounds == "k":
        rounds = nodes if given["k"] is None else given["k"]
    theirs = cost.theirs * size * rounds * min(_MOST, max(1.0, math.sqrt(size / _FITS)))
    per_round = 0 if rounds == 1 else 20_000 * rounds
    ours = CALL + per_round + cost.ours * size * rounds + cost.result * nodes * (rounds if cost.lists else 1)
    if not converted(graph):
        names = CONVERT_NAMES if type(next(iter(graph._adj), 0)) is not int else 0
        ours += size * (CONVERT + names + (CONVERT_WEIGHTS if given.get("weight") is not None else 0))
    return "" if ours < theirs else f"it would take about {ours / 1e6:.1f} ms, and NetworkX {theirs / 1e6:.1f} ms"
