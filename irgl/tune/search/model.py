"""A model of times over plans, a Gaussian process, and the plan next that promises most by it.

Two plans are the more alike the fewer dimensions tell them apart, and each dimension has a weight of its own, chosen so
that what has been measured is as likely as can be. C. Rasmussen and C. Williams, Gaussian Processes for Machine
Learning, 2006, chapters 2 and 5; the expected improvement is that of D. Jones, M. Schonlau and W. Welch, Efficient
global optimization of expensive black-box functions, Journal of Global Optimization 13, 1998.
"""

from __future__ import annotations

import math
import random

import numpy as np
from scipy.linalg import cho_solve
from scipy.special import erf

from irgl.plan import Plan
from irgl.tune.results.trial import Status
from irgl.tune.search.pool import Array, Pool
from irgl.tune.search.search import Value, first_of

#: What two values of a dimension may have in common, and the share of the variance that is noise.
_ALIKE = (0.3, 0.6, 0.8, 0.9, 0.97, 0.99, 1.0)
_NOISE = (1e-4, 1e-3, 1e-2, 1e-1)
#: Plans before there is a model; how many it is made of, and how many it judges, at most.
_FIRST, _MOST, _JUDGED = 4, 300, 4000
#: Of a space that is not listed it judges so many at random, and the neighbours of so many of the best.
_DRAWN, _BEST = 200, 5


class Model:
    """Proposes the plan of the largest expected improvement over the best one."""

    name = "model"

    def __init__(self, pool: Pool, seed: int) -> None:
        self._pool, self._rng = pool, random.Random(seed)
        self._known: dict[Plan, float] = {}
        self._alike = np.full(len(pool.dimensions), 0.8)
        self._noise = 1e-2
        self._fitted = 0

    def ask(self) -> Plan | None:
        plans, codes = self._candidates()
        if not plans:
            return None
        if len(self._known) < _FIRST:
            return self._farthest(plans, codes)
        known = sorted(self._known, key=lambda p: self._known[p])
        if len(known) > _MOST:  # the best ones, and some of the rest
            known = known[: _MOST // 2] + self._rng.sample(known[_MOST // 2 :], _MOST // 2)
        x = self._pool.codes(known)
        y = np.array([self._known[p] for p in known])
        y = np.minimum(y, np.median(y) + 3 * (np.median(y) - y.min() + 0.05))  # the slow ones need no model
        mean, spread = y.mean(), max(float(y.std()), 1e-6)
        y = (y - mean) / spread
        if len(known) >= 1.15 * self._fitted:
            self._fit(x, y)
            self._fitted = len(known)
        gain = np.nan_to_num(self._expected(x, y, codes), nan=0.0)
        best = np.flatnonzero(gain >= gain.max() - 1e-9 * abs(gain.max()))  # rounding may leave none above 0
        return plans[self._rng.choice(best.tolist())]

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None:
        time = first_of(value, status)
        if time is not None:
            self._known[plan] = math.log(time)

    def _candidates(self) -> tuple[list[Plan], Array]:
        """The plans that are judged: all that are left, or those near the best and some at random."""
        listed = self._pool.all_free()
        if listed is not None and len(listed[0]) <= _JUDGED:
            return listed
        found = dict.fromkeys(self._pool.draw(self._rng, _DRAWN))
        for plan in sorted(self._known, key=lambda p: self._known[p])[:_BEST]:
            found |= dict.fromkeys(self._pool.near(plan))
        plans = list(found)
        return plans, self._pool.codes(plans)

    def _farthest(self, plans: list[Plan], codes: Array) -> Plan:
        """One of those that have least in common with what is known."""
        order = list(range(len(plans)))
        self._rng.shuffle(order)
        if not self._known:
            return plans[order[0]]
        apart = (codes[:, None, :] != self._pool.codes(self._known)[None, :, :]).sum(axis=2).min(axis=1)
        return plans[max(order, key=lambda k: int(apart[k]))]

    def _fit(self, x: Array, y: Array) -> None:
        """Two rounds over the weights, each set to the likeliest of its values."""
        differs = x[:, None, :] != x[None, :, :]
        likely = self._likelihood(differs, y, self._alike, self._noise)
        for _ in range(2):
            for k in range(len(self._alike)):
                for value in _ALIKE:
                    trial = self._alike.copy()
                    trial[k] = value
                    found = self._likelihood(differs, y, trial, self._noise)
                    if found > likely:
                        likely, self._alike = found, trial
            for noise in _NOISE:
                found = self._likelihood(differs, y, self._alike, noise)
                if found > likely:
                    likely, self._noise = found, noise

    def _likelihood(self, differs: Array, y: Array, alike: Array, noise: float) -> float:
        """The log of how likely `y` is, its variance chosen best; a mild wish for dimensions that don't matter."""
        factor = self._factor(np.exp(differs @ np.log(alike)), noise)
        n = len(y)
        variance = max(float(y @ cho_solve((factor, True), y)) / n, 1e-9)
        wish = 0.3 * float(np.sum(np.log(alike)))
        return -0.5 * n * math.log(variance) - float(np.log(np.diag(factor)).sum()) + wish

    def _factor(self, kernel: Array, noise: float) -> Array:
        return np.linalg.cholesky(kernel + (noise + 1e-8) * np.eye(len(kernel)))

    def _expected(self, x: Array, y: Array, codes: Array) -> Array:
        """The expected improvement of each of `codes`."""
        weights = np.log(self._alike)
        factor = self._factor(np.exp((x[:, None, :] != x[None, :, :]) @ weights), self._noise)
        solved = cho_solve((factor, True), y)
        variance = max(float(y @ solved) / len(y), 1e-9)
        across = np.exp(sum((codes[:, [k]] != x[None, :, k]) * w for k, w in enumerate(weights)))
        mean = across @ solved
        explained = np.linalg.solve(factor, across.T)
        deviation = np.sqrt(variance * np.maximum(1 - (explained**2).sum(axis=0), 1e-9))
        z = (y.min() - mean) / deviation
        below = 0.5 * (1 + erf(z / math.sqrt(2)))
        gain: Array = deviation * (z * below + np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi))
        return gain
