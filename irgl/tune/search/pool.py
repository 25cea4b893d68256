"""Which plans a search may still propose: those of a space, or of a list where only those were measured, each once."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.tune.search.space import Assignment, Space

Array = np.ndarray[Any, Any]

#: A space of at most so many plans is listed.
LISTED = 20000


class Pool:
    """The plans of a space, or those of `allowed`; `free` says which have not been taken yet."""

    def __init__(self, space: Space, allowed: Sequence[Plan] | None = None) -> None:
        self.space = space
        self.dimensions = space.dimensions
        listed = allowed if allowed is not None else list(space) if space.count() <= LISTED else None
        self.listed = None if listed is None else list(listed)
        self.total = space.count() if self.listed is None else len(self.listed)
        self.taken: set[Plan] = set()
        self._row: dict[Plan, list[int]] = {}
        if self.listed is not None:
            self._at = {plan: k for k, plan in enumerate(self.listed)}
            if allowed is None:
                self._row = {plan: self._coded(space.said_at(k)) for plan, k in self._at.items()}
            self._codes = self.codes(self.listed)
            self._free = np.ones(self.total, bool)

    def codes(self, plans: Iterable[Plan]) -> Array:
        """A row for each plan: of each dimension the number of its value, -1 where it is not in force."""
        rows = []
        for plan in plans:
            if plan not in self._row:
                self._row[plan] = self._coded(self.space.assignment(plan))
            rows.append(self._row[plan])
        return np.array(rows, np.int16).reshape(len(rows), len(self.dimensions))

    def _coded(self, said: Assignment) -> list[int]:
        return [d.values.index(said[d.key]) if d.key in said else -1 for d in self.dimensions]

    def __contains__(self, plan: Plan) -> bool:
        return plan in self._at if self.listed is not None else plan in self.space

    def take(self, plan: Plan) -> None:
        """No search proposes it any more."""
        if plan not in self.taken:
            self.taken.add(plan)
            if self.listed is not None and plan in self._at:
                self._free[self._at[plan]] = False

    def free(self, plan: Plan) -> bool:
        """May it be proposed?"""
        return plan in self and plan not in self.taken

    @property
    def left(self) -> int:
        """How many may still be proposed."""
        return int(self._free.sum()) if self.listed is not None else self.total - len(self.taken)

    def draw(self, rng: random.Random, k: int) -> list[Plan]:
        """At most `k` free plans at random; of a space that is not listed there may be less."""
        if self.listed is not None:
            at = np.flatnonzero(self._free)
            return [self.listed[i] for i in rng.sample(at.tolist(), min(k, len(at)))]
        return [plan for plan in self.space.sample(rng, 2 * k) if plan not in self.taken][:k]

    def near(self, plan: Plan) -> list[Plan]:
        """The free plans that differ from `plan` in as few dimensions as any; none: walk on from another."""
        if self.listed is None:
            return [p for p in self.space.neighbours(plan) if p not in self.taken]
        at = np.flatnonzero(self._free)
        if len(at) == 0:
            return []
        apart = (self._codes[at] != self.codes([plan])[0]).sum(axis=1)
        return [self.listed[i] for i in at[apart == apart.min()]]

    def all_free(self) -> tuple[list[Plan], Array] | None:
        """The free plans and their codes; None where the space is too large to be listed."""
        if self.listed is None:
            return None
        at = np.flatnonzero(self._free)
        return [self.listed[i] for i in at], self._codes[at]
