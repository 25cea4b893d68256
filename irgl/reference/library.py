"""Library types as the reference interpreter runs them: the Python twins of the headers that irgl/lib/*.irgl declare.

Attributes, iterators and methods carry the names of the declarations; `element_place` gives the place of an element.
Numbers of triangles, points and positions are Python ints; -1 is no triangle. Each method's cost is O(1) unless it says
otherwise. Raises Fault for an index that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irgl.reference.arithmetic import Fault
from irgl.reference.values import key


def _check(given: Any, size: int, what: str) -> int:
    index: int = key(given)
    if not 0 <= index < size:
        raise Fault(f"there is no {what} {index}: there are {size}")
    return index


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
        return self._items, _check(index, len(self._items), "element")


class Array(AppendOnlyList):
    """array<T>: elements 0 .. size-1; new ones are zero."""

    def resize(self, size: int) -> None:
        """O(size)."""
        if size < 0:
            raise Fault(f"an array can't have {size} elements")
        del self._items[size:]
        self._items.extend(self._zero() for _ in range(size - len(self._items)))


class Mesh:
    """Triangles over points in the plane.

    Triangle t has corners 0, 1, 2, counterclockwise when its builder keeps to that, and sides 0, 1, 2: side k goes from
    corner k to corner k+1 (mod 3). Numbers are never used twice: a removed triangle leaves a hole.
    """

    def __init__(self, *_: Callable[..., Any]) -> None:
        self._points: list[tuple[float, float]] = []
        self._corners: list[list[int]] = []
        self._across: list[list[int]] = []
        self._alive: list[bool] = []

    @property
    def num_points(self) -> int:
        return len(self._points)

    @property
    def num_triangles(self) -> int:
        return len(self._corners)

    @property
    def triangles(self) -> list[int]:
        return [t for t, alive in enumerate(self._alive) if alive]

    def x(self, point: int) -> float:
        return self._points[_check(point, self.num_points, "point")][0]

    def y(self, point: int) -> float:
        return self._points[_check(point, self.num_points, "point")][1]

    def alive(self, triangle: int) -> bool:
        return self._alive[_check(triangle, self.num_triangles, "triangle")]

    def point(self, triangle: int, corner: int) -> int:
        return self._corners[_check(triangle, self.num_triangles, "triangle")][_check(corner, 3, "corner")]

    def neighbour(self, triangle: int, side: int) -> int:
        return self._across[_check(triangle, self.num_triangles, "triangle")][_check(side, 3, "side")]

    def side_to(self, triangle: int, other: int) -> int:
        """The side of `triangle` that `other` is across, or -1."""
        across = self._across[_check(triangle, self.num_triangles, "triangle")]
        return across.index(other) if other in across else -1

    def side_at(self, triangle: int, a: int, b: int) -> int:
        """The side of `triangle` that joins points a and b, in either direction, or -1."""
        corners = self._corners[_check(triangle, self.num_triangles, "triangle")]
        for k in range(3):
            if {corners[k], corners[(k + 1) % 3]} == {a, b}:
                return k
        return -1

    def add_point(self, x: float, y: float) -> int:
        self._points.append((float(x), float(y)))
        return self.num_points - 1

    def add_triangle(self, a: int, b: int, c: int) -> int:
        """A triangle without neighbours; its number."""
        self._corners.append([_check(p, self.num_points, "point") for p in (a, b, c)])
        self._across.append([-1, -1, -1])
        self._alive.append(True)
        return self.num_triangles - 1

    def link(self, triangle: int, side: int, other: int) -> None:
        """`other` (or -1) lies across a side of `triangle`; the other way round is for the caller."""
        if other != -1:
            _check(other, self.num_triangles, "triangle")
        self._across[_check(triangle, self.num_triangles, "triangle")][_check(side, 3, "side")] = other

    def remove(self, triangle: int) -> None:
        """The triangle is no more; neighbours' links are for the caller."""
        self._alive[_check(triangle, self.num_triangles, "triangle")] = False

    def connect(self) -> None:
        """Finds all neighbours from shared sides; of more than two triangles at a side, the last two. O(triangles)."""
        seen: dict[tuple[int, int], tuple[int, int]] = {}
        for t in self.triangles:
            for k in range(3):
                a, b = self._corners[t][k], self._corners[t][(k + 1) % 3]
                self._across[t][k] = -1
                before = seen.get((min(a, b), max(a, b)))
                if before is not None:
                    self._across[before[0]][before[1]], self._across[t][k] = t, before[0]
                seen[min(a, b), max(a, b)] = (t, k)

    def element_place(self, index: int) -> tuple[list[int], int]:
        """A triangle as an element is its number; storing into it means nothing and is lost."""
        return [_check(index, self.num_triangles, "triangle")], 0


TWINS: dict[str, Callable[[Callable[[], Any], Callable[[Any], Any]], Any]] = {
    "array": Array,
    "AppendOnlyList": AppendOnlyList,
    "Mesh": Mesh,
}
