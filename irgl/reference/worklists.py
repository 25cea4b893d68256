"""Worklists of every kind as the reference interpreter runs them. Costs are what plain Python makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from irgl.ast import types as T
from irgl.reference.arithmetic import Fault
from irgl.reference.values import convert, key

#: The largest long counts as the one before it, so that what lies behind all priorities is a long, too.
LARGEST_PRIORITY = 2**63 - 2


class Position(NamedTuple):
    """A place in a worklist: what ForAll (i In WL) yields."""

    item: Any


class Worklist:
    """One worklist of any kind. list keeps the order of pushes; set too, without repetition; bitmap and bytemap go by
    id, scratch has no order; count knows its size alone; buckets serve the smallest priority that has items."""

    def __init__(self, t: T.Worklist, capacity: int | None, stats: dict[str, int]) -> None:
        self.type, self.stats = t, stats
        self.capacity = capacity
        self.buckets: dict[int, list[Any]] = {}
        self.members: set[Any] = set()
        self.layers: list[int] = []  # how many items lay below each layer of a list

    def push(self, item: Any, priority: int = 0) -> None:
        """Raises Fault for a repeated item of a unique list, NONE in a set."""
        kind, item = self.type.kind, convert(item, self.type.item)
        self.stats["pushes"] += 1
        if kind in ("set", "bitmap", "bytemap", "scratch") or self.type.unique:
            if item is None and kind != "list":
                raise Fault(f"NONE can't be in a {kind}")
            if item in self.members:
                if kind == "list":
                    raise Fault(f"the list is declared unique, and {key(item)} is in it already")
                return
            self.members.add(item)
        self.buckets.setdefault(min(priority, LARGEST_PRIORITY), []).append(item)
        if self.capacity is not None and self.size > self.capacity:
            self.capacity *= 2
            self.stats["worklist_growths"] += 1

    @property
    def size(self) -> int:
        """All items, of every bucket."""
        return sum(len(b) for b in self.buckets.values())

    @property
    def priority(self) -> int:
        """Of the current bucket; 0 where there is none."""
        return min(self.buckets, default=0)

    @property
    def items(self) -> Sequence[Any]:
        """A snapshot; of the current bucket alone, where there are several."""
        now = list(self.buckets[min(self.buckets)]) if self.buckets else []
        return sorted(now, key=key) if self.type.kind in ("bitmap", "bytemap") else now

    def pop(self, position: Position) -> Any:
        return position.item

    def contains(self, item: Any) -> bool:
        if item is None:
            raise Fault(f"NONE can't be in a {self.type.kind}")
        return item in self.members

    def clear(self) -> None:
        self.buckets, self.members, self.layers = {}, set(), []

    def swap(self, other: Worklist) -> None:
        self.buckets, other.buckets = other.buckets, self.buckets
        self.members, other.members = other.members, self.members
        self.layers, other.layers = other.layers, self.layers

    def update(self, other: Worklist) -> None:
        for priority, items in other.buckets.items():
            for item in items:
                self.push(item, priority if self.type.kind == "buckets" else 0)

    def stack(self, other: Worklist) -> None:
        self.layers.append(self.size)
        self.update(other)

    def unstack(self, other: Worklist) -> None:
        below = self.layers.pop() if self.layers else 0
        items = self.buckets.get(0, [])
        self.buckets[0], top = items[:below], items[below:]
        self.members.difference_update(top)
        other.clear()
        for item in top:
            other.push(item)


class Lists:
    """The worklists that a Pipe or Iterate establishes: kernels read `into`, push to `out` and fill `retry`."""

    def __init__(self, into: Worklist, out: Worklist) -> None:
        self.into, self.out = into, out
        self.retry: list[Any] = []
        self.least: int | None = None  # the priority of the last bucket served
        self.drained = False  # has that been the last thing that was asked for?
        self.again: list[Any] = []  # what a kernel runs over that comes again for what it has filed
        self.push, self.pop, self.contains = out.push, into.pop, into.contains

    def respawn(self, item: Any) -> None:
        self.into.stats["retries"] += 1
        self.retry.append(convert(item, self.into.type.item))

    @property
    def size(self) -> int:
        """How many a round reads: of buckets those of the current one."""
        return len(self.again or self.into.items) if self.into.type.kind == "buckets" else self.into.size

    @property
    def priority(self) -> int:
        ran = self.drained and self.into.type.by is not None  # which the Program asks, of what stands in for a queue
        return self.least if ran and self.least is not None else self.into.priority

    @property
    def empty(self) -> bool:
        return self.into.size == 0

    def early(self, _item: Any) -> bool:
        """Was it filed before the bucket that runs? Nobody keeps that here."""
        return True

    @property
    def items(self) -> Sequence[Any]:
        self.drained = False
        return self.again or self.into.items

    def refiled(self) -> list[Any]:
        """What was filed into the running bucket, or before it, since this was asked last; of other kinds nothing."""
        if self.into.type.kind != "buckets" or not self.into.buckets:
            return []
        found = [p for p in self.out.buckets if p <= self.into.priority]
        return [item for p in found for item in self.out.buckets.pop(p)]

    def comes_again(self) -> bool:
        """What was filed into the running bucket becomes what is read; False: nothing was."""
        self.again = self.refiled()
        return bool(self.again)

    def end_round(self, read: bool) -> None:
        """What was pushed becomes what is read; buckets not served yet stay, and none comes before the last."""
        if self.into.type.kind != "buckets":
            self.into.swap(self.out)
        else:
            if self.into.buckets:
                self.least, self.drained = self.into.priority, read
                if read:
                    del self.into.buckets[self.least]
            self.choose()
        self.out.clear()

    def choose(self) -> None:
        """Of buckets: what was filed joins what waits, none before the last one that was served."""
        for priority, items in self.out.buckets.items():
            for item in items:
                self.into.push(item, priority if self.least is None else max(priority, self.least))
        self.out.clear()
