"""Library types as the reference interpreter runs them: the Python twins of the headers that irgl/lib/*.irgl declare.

Attributes, iterators and methods carry the names of the declarations; `element_place` gives the place of an element.
Each method's cost is O(1) unless it says otherwise. Raises Fault for an index that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irgl.reference.arithmetic import Fault
from irgl.reference.mesh import Mesh
from irgl.reference.values import check_index


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

    def resize(self, size: int) -> None:
        """O(size)."""
        if size < 0:
            raise Fault(f"an array can't have {size} elements")
        del self._items[size:]
        self._items.extend(self._zero() for _ in range(size - len(self._items)))


TWINS: dict[str, Callable[[Callable[[], Any], Callable[[Any], Any]], Any]] = {
    "array": Array,
    "AppendOnlyList": AppendOnlyList,
    "Mesh": Mesh,
}
