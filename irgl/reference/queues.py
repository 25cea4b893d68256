"""The priority queue that a Pipe or Iterate establishes, as the reference interpreter runs it.

A node is in the queue from when it is filed until it runs, in the bucket of its property as that is now. A bucket is
chosen where a round begins, and where a kernel begins to run items while the last one is drained; what is filed at or
before it is of it. Costs are what plain Python makes of them: a choice looks at all nodes that wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irgl.ast import types as T
from irgl.reference import values as V
from irgl.reference.arithmetic import Fault, arith
from irgl.reference.worklists import Position

_END = 2**63 - 1


class Queue:
    """Stands where other worklists are two: kernels read it and file in it. delta: what its property is divided by."""

    def __init__(self, t: T.Worklist, delta: int, stats: dict[str, int]) -> None:
        assert t.by is not None and t.by.of is not None
        if delta <= 0:
            raise Fault(t.by.not_positive())
        self.by, self.of, self.delta, self.stats = t.by, t.by.of, delta, stats
        self.waiting: dict[Any, None] = {}  # in the order of filing
        self.filed: set[Any] = set()  # at any time
        self.running: int | None = None  # the bucket chosen last
        self.drained = True
        self.retry: list[Any] = []

    def push(self, item: Any) -> None:
        if item is None:
            raise Fault("NONE can't be in a priority queue")
        self.stats["pushes"] += 1
        if self._at_an_end(item):
            self.waiting.pop(item, None)
        else:
            self.waiting[item] = None
            self.filed.add(item)

    def _at_an_end(self, item: Any) -> bool:
        """Has it what no node of a queue by a property of 64 bits has?"""
        box, at = V.property_place(item, self.by.property)
        return self.by.is_wide() and not -_END < box[at] < _END

    def update_min(self, item: Any, value: Any) -> V.Reduction:
        return self._moved(item, lambda old: min(old, value))

    def update_max(self, item: Any, value: Any) -> V.Reduction:
        return self._moved(item, lambda old: max(old, value))

    def update_sum(self, item: Any, by: Any, limit: Any) -> V.Reduction:
        """Nothing happens to a node at the limit or beyond it; else it moves, at most to the limit."""
        if by < 0:
            return self._moved(item, lambda old: old if old <= limit else max(old + by, limit))
        return self._moved(item, lambda old: old if old >= limit else min(old + by, limit))

    def _moved(self, item: Any, to: Any) -> V.Reduction:
        box, at = V.property_place(item, self.by.property)
        old = box[at]
        box[at] = V.convert(to(old), self.of)
        if box[at] != old:
            self.push(item)
        return V.Reduction(old, box[at] != old)

    def bucket(self, item: Any) -> int:
        box, at = V.property_place(item, self.by.property)
        found = int(arith("/", box[at], self.delta, T.LONG))
        return -found if self.by.higher else found

    def finished(self, item: Any) -> bool:
        if item is None:
            raise Fault("access through NONE")
        return item in self.filed and item not in self.waiting and not self._at_an_end(item)

    def choose(self) -> bool:
        """The next bucket, unless one is chosen that has not run; False: nobody waits."""
        if self.drained and self.waiting:
            least = min(map(self.bucket, self.waiting))
            self.running = least if self.running is None else max(least, self.running)
            self.drained = False
        return bool(self.waiting)

    @property
    def empty(self) -> bool:
        return not self.waiting

    @property
    def priority(self) -> int:
        """Of the chosen bucket, times delta."""
        bucket = 0 if self.running is None else self.running
        return (-bucket if self.by.higher else bucket) * self.delta

    @property
    def items(self) -> Sequence[Any]:
        """Who is in the chosen bucket."""
        self.choose()
        return self.refiled()

    def refiled(self) -> list[Any]:
        """The same, when items have run."""
        return [x for x in self.waiting if self.running is not None and self.bucket(x) <= self.running]

    def begin(self, item: Any) -> bool:
        """Does an item run? No longer one that has run meanwhile, or moved on."""
        node = item.item if isinstance(item, Position) else item
        if node not in self.waiting or self.running is None or self.bucket(node) > self.running:
            return False
        del self.waiting[node]
        return True

    def pop(self, position: Position) -> Any:
        return position.item

    def end_round(self, read: bool) -> None:
        self.drained |= read
