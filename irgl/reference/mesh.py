"""Mesh as the reference interpreter runs it: the Python twin of cpu_rt/mesh.hpp.

Numbers of triangles, points, segments and positions are Python ints; -1 is none. Each method's cost is O(1) unless it
says otherwise. Raises Fault for a number that does not exist.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from irgl.reference.values import check_index

Point = tuple[float, float]


def orient2d(a: Point, b: Point, c: Point) -> int:
    """1 where a, b, c turn left, -1 where they turn right, 0 where they are on one line; exact for finite numbers."""
    if not _finite(a, b, c):
        return 0
    (ax, ay), (bx, by), (cx, cy) = (tuple(map(Fraction, p)) for p in (a, b, c))
    return _sign((ax - cx) * (by - cy) - (ay - cy) * (bx - cx))


def incircle(a: Point, b: Point, c: Point, d: Point) -> int:
    """Of a left turn a, b, c: 1 where d is inside of their circle, -1 outside, 0 on it; exact."""
    if not _finite(a, b, c, d):
        return 0
    x, y = ([Fraction(p[k]) - Fraction(d[k]) for p in (a, b, c)] for k in range(2))
    return _sign(sum((x[i] ** 2 + y[i] ** 2) * (x[i - 2] * y[i - 1] - y[i - 2] * x[i - 1]) for i in range(3)))


def _finite(*points: Point) -> bool:
    return all(math.isfinite(x) for p in points for x in p)


def _sign(value: Fraction | int) -> int:
    return (value > 0) - (value < 0)


class Mesh:
    """Triangles over points in the plane.

    Triangle t has corners 0, 1, 2, counterclockwise when its builder keeps to that, and sides 0, 1, 2: side k goes from
    corner k to corner k+1 (mod 3). Numbers are never used twice: a removed triangle leaves a hole.
    """

    def __init__(self, *_: Callable[..., Any]) -> None:
        self._points: list[tuple[float, float]] = []
        self._on: list[int] = []
        self._segments: list[tuple[int, int]] = []
        self._corners: list[list[int]] = []
        self._across: list[list[int]] = []
        self._sides: list[list[int]] = []
        self._alive: list[bool] = []

    @property
    def num_points(self) -> int:
        return len(self._points)

    @property
    def num_triangles(self) -> int:
        return len(self._corners)

    @property
    def num_segments(self) -> int:
        return len(self._segments)

    @property
    def triangles(self) -> list[int]:
        return [t for t, alive in enumerate(self._alive) if alive]

    def x(self, point: int) -> float:
        return self._points[check_index(point, self.num_points, "point")][0]

    def y(self, point: int) -> float:
        return self._points[check_index(point, self.num_points, "point")][1]

    def segment_of(self, point: int) -> int:
        return self._on[check_index(point, self.num_points, "point")]

    def alive(self, triangle: int) -> bool:
        return self._alive[check_index(triangle, self.num_triangles, "triangle")]

    def point(self, triangle: int, corner: int) -> int:
        return self._corners[check_index(triangle, self.num_triangles, "triangle")][check_index(corner, 3, "corner")]

    def neighbour(self, triangle: int, side: int) -> int:
        return self._across[check_index(triangle, self.num_triangles, "triangle")][check_index(side, 3, "side")]

    def segment(self, triangle: int, side: int) -> int:
        return self._sides[check_index(triangle, self.num_triangles, "triangle")][check_index(side, 3, "side")]

    def segment_end(self, segment: int, end: int) -> int:
        return self._segments[check_index(segment, self.num_segments, "segment")][check_index(end, 2, "end")]

    def side_to(self, triangle: int, other: int) -> int:
        """The side of `triangle` that `other` is across, or -1."""
        across = self._across[check_index(triangle, self.num_triangles, "triangle")]
        return across.index(other) if other in across else -1

    def side_at(self, triangle: int, a: int, b: int) -> int:
        """The side of `triangle` that joins points a and b, in either direction, or -1."""
        corners = self._corners[check_index(triangle, self.num_triangles, "triangle")]
        for k in range(3):
            if {corners[k], corners[(k + 1) % 3]} == {a, b}:
                return k
        return -1

    def orient2d(self, a: int, b: int, x: float, y: float) -> int:
        """1 where (x, y) is to the left of the way from a to b, -1 to the right, 0 on the line."""
        p, q = (self._points[check_index(end, self.num_points, "point")] for end in (a, b))
        return orient2d(p, q, (x, y))

    def incircle(self, triangle: int, x: float, y: float) -> int:
        """1 where (x, y) is inside of the circle of the triangle's corners, -1 outside, 0 on it."""
        corners = self._corners[check_index(triangle, self.num_triangles, "triangle")]
        a, b, c = (self._points[p] for p in corners)
        return incircle(a, b, c, (x, y))

    def add_point(self, x: float, y: float) -> int:
        self._points.append((float(x), float(y)))
        self._on.append(-1)
        return self.num_points - 1

    def add_point_on(self, segment: int, x: float, y: float) -> int:
        """A point that is put on a segment; its number."""
        point = self.add_point(x, y)
        self._on[point] = check_index(segment, self.num_segments, "segment")
        return point

    def add_segment(self, a: int, b: int) -> int:
        """A segment between two points, which no side is part of yet; its number."""
        a, b = (check_index(p, self.num_points, "point") for p in (a, b))
        self._segments.append((a, b))
        return self.num_segments - 1

    def add_triangle(self, a: int, b: int, c: int) -> int:
        """A triangle without neighbours; its number."""
        self._corners.append([check_index(p, self.num_points, "point") for p in (a, b, c)])
        self._across.append([-1, -1, -1])
        self._sides.append([-1, -1, -1])
        self._alive.append(True)
        return self.num_triangles - 1

    def link(self, triangle: int, side: int, other: int) -> None:
        """`other` (or -1) lies across a side of `triangle`; the other way round is for the caller."""
        if other != -1:
            check_index(other, self.num_triangles, "triangle")
        self._across[check_index(triangle, self.num_triangles, "triangle")][check_index(side, 3, "side")] = other

    def lay(self, triangle: int, side: int, segment: int) -> None:
        """The side becomes part of a segment, or (-1) of none."""
        if segment != -1:
            check_index(segment, self.num_segments, "segment")
        sides = self._sides[check_index(triangle, self.num_triangles, "triangle")]
        sides[check_index(side, 3, "side")] = segment

    def remove(self, triangle: int) -> None:
        """The triangle is no more; neighbours' links are for the caller."""
        self._alive[check_index(triangle, self.num_triangles, "triangle")] = False

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
        return [check_index(index, self.num_triangles, "triangle")], 0


def from_arrays(xy: Any, corners: Any, across: Any, sides: Any, ends: Any) -> Mesh:
    """The mesh of arrays as irgl.rt.meshes.meshes has them."""
    mesh = Mesh()
    for x, y in xy.tolist():
        mesh.add_point(x, y)
    for a, b in ends.tolist():
        mesh.add_segment(a, b)
    for a, b, c in corners.tolist():
        mesh.add_triangle(a, b, c)
    mesh._across, mesh._sides = across.tolist(), sides.tolist()
    return mesh


def to_arrays(mesh: Mesh) -> dict[str, Any]:
    """xy, corners, sides and ends of what is alive."""
    alive = mesh.triangles
    return {
        "xy": np.array(mesh._points, np.float64).reshape(-1, 2),
        "corners": np.array([mesh._corners[t] for t in alive], np.int32).reshape(-1, 3),
        "sides": np.array([mesh._sides[t] for t in alive], np.int32).reshape(-1, 3),
        "ends": np.array(mesh._segments, np.int32).reshape(-1, 2),
    }
