"""What NetworkX's dispatcher asks: the functions under their names, and whether a call can and should run here."""

from __future__ import annotations

from typing import Any

import networkx as nx

from irgl.nx_backend import order
from irgl.nx_backend.costs import worth
from irgl.nx_backend.functions import (
    any_paths,
    between,
    clusters,
    components,
    cores,
    distances,
    hop_paths,
    rank,
    traversal,
    trees,
    weighted_paths,
)
from irgl.nx_backend.graph import Rows, convert_from_nx, convert_to_nx
from irgl.nx_backend.offers import OFFERS, covers_all
from irgl.nx_backend.versions import FOLLOWED, HAVE, differs

#: Whose functions stand in OFFERS by being imported.
MODULES = (any_paths, between, clusters, components, cores, distances, hop_paths, order, rank, traversal, trees,
           weighted_paths)  # fmt: skip


class Backend:
    """The entry point `networkx.backends`: `irgl`."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or why these arguments are not covered."""
        offer = OFFERS[name]
        graph = args[0] if args else kwargs["G"]
        if not isinstance(graph, Rows) and getattr(type(graph), "__getitem__", None) is not nx.Graph.__getitem__:
            return "a class of graphs that has neighbours of its own"
        if offer.refuse is covers_all and HAVE >= FOLLOWED:
            return True
        given = offer.given(args, kwargs)
        return offer.refuse(graph, given) or differs(name, given) or True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or why NetworkX is likely to be faster."""
        return worth(OFFERS[name], args, kwargs) or True


for _offer in OFFERS.values():
    setattr(Backend, _offer.name, staticmethod(_offer.function))
