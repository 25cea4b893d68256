"""Searches: they propose plans and are told how these did; nothing here measures, builds or runs anything.

`ask()` gives a plan that has not been proposed before, None when there is none left; `tell(plan, value, status)` says
how a plan did, whoever proposed it, so that a search goes on where another one was stopped. The value is the smaller
the better - a time, a ratio - or several such in a tuple, None where the plan is of no use.
"""

from __future__ import annotations

import random
from typing import Protocol

from irgl.plan import Plan
from irgl.tune.results.trial import Status
from irgl.tune.search.pool import Pool

Value = float | tuple[float, ...]


class Search(Protocol):
    """One way to search. It proposes plans that are free in its pool; who asks it takes them out (portfolio.py)."""

    name: str

    def ask(self) -> Plan | None: ...

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None: ...


def first_of(value: Value | None, status: Status) -> float | None:
    """The first objective, None where the plan is of no use."""
    if value is None or status not in (Status.OK, Status.CUT):
        return None
    return float(value[0] if isinstance(value, tuple) else value)


class Exhaustive:
    """All plans, in the order in which the space has them: those that share a build one after the other."""

    name = "exhaustive"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._plans = iter(pool.listed if pool.listed is not None else pool.space)

    def ask(self) -> Plan | None:
        for plan in self._plans:
            if self._pool.free(plan):
                return plan
        return None

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None:
        """It learns nothing."""


class Random:
    """Plans at random: what every other search has to beat."""

    name = "random"

    def __init__(self, pool: Pool, seed: int) -> None:
        self._pool, self._rng = pool, random.Random(seed)

    def ask(self) -> Plan | None:
        return next(iter(self._pool.draw(self._rng, 1)), None)

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None:
        """It learns nothing."""
