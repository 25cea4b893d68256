"""Cores, shells, and sets of nodes that are apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.walking import breadth
from irgl.nx_backend.graph import Rows
from irgl.nx_backend.offers import ONE_PASS, Cost, offer
from irgl.nx_backend.run import call, vector
from irgl.nx_backend.versions import newer

PEEL = Cost(theirs=350, ours=40, result=70)


@offer(PEEL)
def core_number(G: Rows) -> dict[Any, int]:
    if (G.rows.sources() == G.rows.dst).any():
        raise nx.NetworkXNotImplemented("Input graph has self loops which is not permitted; "
                                        "Consider using G.remove_edges_from(nx.selfloop_edges(G)).")
    return G.dict_of(call("shells", G.both())["shell"])


def _not_given(G: Any, given: Mapping[str, Any]) -> str:
    return "" if given["core_number"] is None else "the core numbers are given: there is nothing to compute"


def _part(graph: Rows, nodes: Any) -> Any:
    """The subgraph of some nodes, with all that NetworkX holds of it."""
    return graph.current().subgraph(nodes).copy()


@offer(PEEL, _not_given)
def k_core(G: Rows, k: Any = None, core_number: Any = None) -> Any:
    core = _core(G)
    k = max(core.values()) if k is None else k
    return _part(G, [n for n, c in core.items() if c >= k])


@offer(PEEL, _not_given)
def k_shell(G: Rows, k: Any = None, core_number: Any = None) -> Any:
    core = _core(G)
    k = max(core.values()) if k is None else k
    return _part(G, [n for n, c in core.items() if c == k])


@offer(PEEL, _not_given)
def k_crust(G: Rows, k: Any = None, core_number: Any = None) -> Any:
    core = _core(G)
    k = max(core.values()) - 1 if k is None else k
    return _part(G, [n for n, c in core.items() if c <= k])


@offer(PEEL, _not_given)
def k_corona(G: Rows, k: Any, core_number: Any = None) -> Any:
    core = _core(G)
    inside = np.fromiter((c >= k for c in core.values()), bool, len(core))
    touching = np.bincount(G.rows.sources(), inside[G.rows.dst], len(core))
    return _part(G, [n for place, (n, c) in enumerate(core.items()) if c == k == touching[place]])


_core = core_number  # the functions above have a parameter of that name


@offer(Cost(theirs=350, ours=40, result=70))
def maximal_independent_set(G: Rows, nodes: Any = None, seed: Any = None) -> Any:
    chosen = set(nodes) if nodes else {seed.choice(list(G.labels))}
    if not all(n in G for n in chosen):
        raise nx.NetworkXUnfeasible(f"{chosen} is not a subset of the nodes of G")
    numbers = [G.places[n] for n in chosen]
    inside = np.zeros(len(G), bool)
    inside[numbers] = True
    if (inside[G.rows.sources()] & inside[G.rows.dst]).any():
        raise nx.NetworkXUnfeasible(f"{chosen} is not an independent set of G")
    found = call("apart", G.rows, vector(numbers), seed=seed.getrandbits(31))["verdict_of"]
    members = [*chosen, *G.names(np.flatnonzero((found == 1) & ~inside))]
    return set(members) if newer((3, 7)) else members


@offer(ONE_PASS)
def is_dominating_set(G: Rows, nbunch: Any) -> bool:
    chosen = [G.places[n] for n in set(nbunch) if n in G]
    return len(breadth(G.rows, chosen, 1).order) == len(G)
