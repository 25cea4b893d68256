"""What the backend offers: each function under NetworkX's name, with what it does not cover and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
Refusal = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call costs for each node and edge, in nanoseconds: plain NetworkX, ours, and how much our result has.

    rounds: how often the whole graph is looked at: once, once for each node ("nodes"), or for each of k sources ("k").
    """

    theirs: float
    ours: float
    result: float = 0
    rounds: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """refuse: asked with a call's own arguments, says why it is not covered, or ""."""

    name: str
    function: Callable[..., Any]
    refuse: Refusal | None
    cost: Cost


OFFERS: dict[str, Offer] = {}


def offer(cost: Cost, refuse: Refusal | None = None) -> Callable[[F], F]:
    """Registers a function under its name."""

    def register(function: F) -> F:
        OFFERS[function.__name__] = Offer(function.__name__, function, refuse, cost)
        return function

    return register


#: Costs of the common kinds.
ONE_PASS = Cost(theirs=60, ours=2, result=60)
YES_OR_NO = Cost(theirs=60, ours=2)
ALL_PAIRS = Cost(theirs=60, ours=2, result=60, rounds="nodes")
ALL_SUMS = Cost(theirs=60, ours=2, rounds="nodes")
