"""Hill climbing over plans that differ in one dimension, those first whose values have done well so far."""

from __future__ import annotations

import math
import random

import numpy as np

from irgl.plan import Plan
from irgl.tune.results.trial import Status
from irgl.tune.search.pool import Array, Pool
from irgl.tune.search.search import Value, first_of

#: How many plans of a value must be known before its effect is believed by half.
_PRIOR = 0.5


class Local:
    """Steps from the best plan to its neighbours; where none of them is left, goes on from the next best one.

    What each value of each dimension has cost on average, the other values taken into account, orders the neighbours.
    """

    name = "local"

    def __init__(self, pool: Pool, seed: int) -> None:
        self._pool, self._rng = pool, random.Random(seed)
        self._known: dict[Plan, float] = {}
        self._rows: list[Array] = []
        self._logs: list[float] = []

    def ask(self) -> Plan | None:
        for plan in sorted(self._known, key=lambda p: self._known[p]):
            near = self._pool.near(plan)
            if near:
                costs = self._costs(self._pool.codes(near))
                best = [p for p, cost in zip(near, costs, strict=True) if cost == costs.min()]
                return self._rng.choice(best)
        return next(iter(self._pool.draw(self._rng, 1)), None)

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None:
        time = first_of(value, status)
        if time is not None and plan not in self._known:
            self._known[plan] = time
            self._rows.append(self._pool.codes([plan])[0])
            self._logs.append(math.log(time))

    def _costs(self, codes: Array) -> Array:
        """What plans should take by what is known of their values: a sum of effects, found by ridge regression."""
        known, logs = np.array(self._rows), np.array(self._logs)
        mean = logs.mean()
        x = _ones(self._pool, known)
        weights = np.linalg.solve(x.T @ x + _PRIOR * np.eye(x.shape[1]), x.T @ (logs - mean))
        return np.round(_ones(self._pool, codes) @ weights, 9)


def _ones(pool: Pool, codes: Array) -> Array:
    """A column for each value of each dimension: 1 where a plan has it."""
    columns = [codes[:, [k]] == np.arange(len(d.values)) for k, d in enumerate(pool.dimensions)]
    return np.hstack([np.ones((len(codes), 0)), *columns]).astype(float)
