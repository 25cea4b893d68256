"""What the backend offers: each function under NetworkX's name, with what it does not cover and what it costs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
#: Why a call is not covered, or "": asked with the NetworkX graph and all arguments by name, defaults among them.
Refusal = Callable[[Any, Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call costs for each node and neighbour, in nanoseconds: plain NetworkX, ours; and for each node of the
    result, ours. theirs 0: NetworkX ends early.

    rounds: how often the whole graph is looked at: once, once for each node ("nodes", or "ends" where no source is
    given), or for each of k sources ("k"). lists: each round has a result of its own. all_sources: the sources are
    where all begins, not a part of the graph.
    """

    theirs: float
    ours: float
    result: float = 0
    rounds: str = ""
    lists: bool = False
    all_sources: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A function that stands in for NetworkX's of that name. names, defaults: of its parameters; parts: the places and
    names of those that, when they are given, let NetworkX look at a part of the graph, nobody knows how large."""

    name: str
    function: Callable[..., Any]
    refuse: Refusal
    cost: Cost
    names: tuple[str, ...]
    defaults: dict[str, Any]
    parts: tuple[tuple[int, str], ...]

    def given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """A call's arguments by name. NetworkX checks what does not fit."""
        return {**self.defaults, **dict(zip(self.names, args, strict=False)), **kwargs}


_PARTS = ("cutoff", "depth_limit", "nodes", "nbunch", "sources", "target", "u", "v")
OFFERS: dict[str, Offer] = {}


def covers_all(G: Any, given: Mapping[str, Any]) -> str:
    return ""


def offer(cost: Cost, refuse: Refusal = covers_all) -> Callable[[F], F]:
    """Registers a function under its name."""

    def register(function: F) -> F:
        parameters = inspect.signature(function).parameters
        defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}
        parts = tuple((at, n) for at, n in enumerate(parameters)
                      if n in _PARTS and not (n == "sources" and cost.all_sources))
        assert all(defaults.get(n) is None for _, n in parts)
        OFFERS[function.__name__] = Offer(function.__name__, function, refuse, cost, tuple(parameters), defaults, parts)
        return function

    return register


#: Costs of the common kinds.
ONE_PASS = Cost(theirs=45, ours=5, result=70)
FROM_MANY = Cost(theirs=45, ours=5, result=70, all_sources=True)
DEPTH_FIRST = Cost(theirs=130, ours=15, result=70)
PATHS = Cost(theirs=80, ours=5, result=300)
COUNTED = Cost(theirs=45, ours=5)
ENDS_EARLY = Cost(theirs=0, ours=5)
ALL_PAIRS = Cost(theirs=45, ours=5, result=70, rounds="nodes", lists=True)
ALL_SUMS = Cost(theirs=45, ours=6, rounds="nodes")
