"""Library types as the reference interpreter runs them: the Python twins of the headers that irgl/lib/*.irgl declare.

Attributes, iterators and methods carry the names of the declarations; `element_place` gives the place of an element.
Each method's cost is O(1) unless it says otherwise. Raises Fault for an index that does not exist.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from irgl.ast import types as T
from irgl.reference.arithmetic import Fault, wrap
from irgl.reference.mesh import Mesh
from irgl.reference.values import check_index, key


class AppendOnlyList:
    """Items that never move or go: append, read, iterate."""

    def __init__(self, zero: Callable[[], Any], convert: Callable[[Any], Any]) -> None:
        self._zero, self._convert = zero, convert
        self._items: list[Any] = []

    @property
    def size(self) -> int:
        return len(self._items)

    @property
    def items(self) -> list[Any]:
        return list(self._items)

    def append(self, item: Any) -> int:
        self._items.append(self._convert(item))
        return len(self._items) - 1

    def element_place(self, index: int) -> tuple[list[Any], int]:
        return self._items, check_index(index, len(self._items), "element")


class Array(AppendOnlyList):
    """array<T>: elements 0 .. size-1; new ones are zero."""

    def sort(self) -> None:
        """Ascending: NONE first, NaN last, -0.0 before 0.0. O(size log size)."""
        self._items.sort(key=_in_order)

    def resize(self, size: int) -> None:
        """O(size)."""
        if size < 0:
            raise Fault(f"an array can't have {size} elements")
        del self._items[size:]
        self._items.extend(self._zero() for _ in range(size - len(self._items)))


class Counts:
    """Counts<K>: how often each key was added; keys in their order. A key in order and most_frequent are O(size)."""

    def __init__(self, zero: Callable[[], Any], convert: Callable[[Any], Any]) -> None:
        self._zero, self._convert = zero, convert
        self._counted: dict[int, tuple[Any, int]] = {}  # by the key's number

    @property
    def size(self) -> int:
        return len(self._counted)

    @property
    def keys(self) -> list[Any]:
        return [item for _, (item, _) in sorted(self._counted.items())]

    def add(self, item: Any, count: int) -> None:
        item = self._convert(item)
        self._counted[key(item)] = item, wrap(self.get(item) + count, T.LONG)

    def get(self, item: Any) -> int:
        return self._counted.get(key(item), (None, 0))[1]

    def most_frequent(self) -> Any:
        best = min(self._counted, key=lambda number: (-self._counted[number][1], number), default=None)
        return self._zero() if best is None else self._counted[best][0]

    def clear(self) -> None:
        self._counted.clear()


class UnionFind:
    """union_find: sets of the numbers 0 .. size-1 that only ever become one. find is O(log size) on average."""

    def __init__(self, zero: Callable[[], Any], convert: Callable[[Any], Any]) -> None:  # noqa: ARG002
        self._up: list[int] = []  # what each number hangs from: a smaller one of its set, itself if it is the least

    @property
    def size(self) -> int:
        return len(self._up)

    def resize(self, size: int) -> None:
        """O(size)."""
        if size < 0:
            raise Fault(f"a union_find can't have {size} numbers")
        del self._up[size:]
        self._up.extend(range(len(self._up), size))

    def find(self, a: int) -> int:
        a = check_index(a, len(self._up), "number")
        while (up := self._up[a]) != a:
            self._up[a] = self._up[up]
            a = self._up[a]
        return a

    def unite(self, a: int, b: int) -> bool:
        low, high = sorted((self.find(a), self.find(b)))
        self._up[high] = low
        return low != high

    def same(self, a: int, b: int) -> bool:
        return self.find(a) == self.find(b)


def _in_order(item: Any) -> Any:
    """By what items are sorted."""
    if not isinstance(item, float):
        return key(item)
    return item != item, 0.0 if item != item else item, math.copysign(1.0, item) if item == 0 else 0.0


TWINS: dict[str, Callable[[Callable[[], Any], Callable[[Any], Any]], Any]] = {
    "array": Array,
    "Counts": Counts,
    "AppendOnlyList": AppendOnlyList,
    "Mesh": Mesh,
    "union_find": UnionFind,
}
