"""A refined triangle mesh: it covers what the given one covers, is Delaunay but for segments, and has no small angle.

Roles
  refined  the mesh that was made: xy, corners, and sides (the segment that each triangle's side k, from corner k to
           k+1, is part of, or -1; segments are numbered as in the given mesh)
  least    the angle in degrees that no angle may be below

The given mesh has xy, corners and ends, the two points of each segment; every side at one triangle only is a segment.
The mesh is right when
- the given points are there, in the same places and under the same numbers, and all that were used still are;
- all triangles are counterclockwise (exactly), two at most share a side, and then in opposite directions;
- each segment is a chain of sides from its one end to its other, ever onwards, no point farther from the straight line
  than 1e-9 of its length, with triangles on the sides where it had them in the given mesh, and every side at one
  triangle only is in such a chain. Then its boundary is that of the given mesh, so that it covers the same points, each
  once (the winding number of the boundary counts how often a point is covered), and the areas are equal;
- no side that is no segment has the far corner of one of its triangles inside of the other's circle (exactly);
- every angle is at least `least`, up to rounding, but for those that the input forces: an angle between two segments,
  and those of a triangle whose shortest side cuts a sharp corner off: it joins points added on two segments that meet
  at less than 60 degrees, at the same distance (1e-3) from where they meet.
O(n log n) for n triangles.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

REQUIRED = frozenset({"refined", "least"})
OPTIONAL: frozenset[str] = frozenset()
ULP = 2.0**-53


def verify(given: Any, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when the refined mesh is right, else a sentence that says what is wrong."""
    if odd := sorted(claim.keys() ^ REQUIRED):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'needed'}"
    mesh = claim["refined"]
    xy, corners, sides = np.asarray(mesh.xy), np.asarray(mesh.corners), np.asarray(mesh.sides)
    first = given.first
    if (wrong := _wrong_points(given, xy, corners, sides)) is not None:
        return wrong
    flat = _signs_of_areas(xy, corners) <= 0
    if flat.any():
        return f"triangle {int(np.argmax(flat)) + first} is not counterclockwise"
    a, b = corners.ravel().astype(np.int64), corners[:, [1, 2, 0]].ravel().astype(np.int64)
    across, twice = _across(a, b)
    if twice >= 0:
        return f"two triangles lie to the left of the side from point {a[twice] + first} to {b[twice] + first}"
    if (wrong := _wrong_chains(given, xy, a, b, sides.ravel(), across)) is not None:
        return wrong
    areas = [float(np.sum(_areas(np.asarray(m.xy), np.asarray(m.corners)))) for m in (given, mesh)]
    if abs(areas[0] - areas[1]) > 1e-9 * areas[0]:
        return f"the area is {areas[1]!r}, but that of the given mesh is {areas[0]!r}"
    if (side := _not_delaunay(xy, corners, sides.ravel(), across)) >= 0:
        return (f"the circle of triangle {side // 3 + first} holds the far corner of triangle "
                f"{across[side] // 3 + first}")
    return _small_angle(given, xy, corners, sides, float(claim["least"]))


def _wrong_points(given: Any, xy: Any, corners: Any, sides: Any) -> str | None:
    first = given.first
    if corners.ndim != 2 or corners.shape[1:] != (3,) or sides.shape != corners.shape or xy.shape[1:] != (2,):
        return "the arrays of the mesh have wrong shapes"
    count = len(given.xy)
    if len(xy) < count or not np.array_equal(xy[:count], given.xy):
        gone = count if len(xy) >= count else len(xy)
        same = (xy[:gone] == np.asarray(given.xy)[:gone]).all(axis=1)
        return f"point {(gone if same.all() else int(np.argmin(same))) + first} of the given mesh is not where it was"
    if not np.isfinite(xy).all():
        return f"point {int(np.argmin(np.isfinite(xy).all(axis=1))) + first} is not in the plane"
    outside = (corners < 0) | (corners >= len(xy))
    if outside.any():
        return f"triangle {int(np.argmax(outside.any(axis=1))) + first} has a corner that is no point"
    if ((sides < -1) | (sides >= len(given.ends))).any():
        return "a side is part of a segment that does not exist"
    used = np.zeros(len(xy), bool)
    used[corners.ravel()] = True
    lost = np.setdiff1d(np.asarray(given.corners).ravel(), np.flatnonzero(used))
    if len(lost):
        return f"point {int(lost[0]) + first} of the given mesh is a corner of no triangle"
    if not used[count:].all():
        return f"point {int(np.argmin(used[count:])) + count + first} was added and is a corner of no triangle"
    return None


def _across(a: Any, b: Any) -> tuple[Any, int]:
    """(for each side a to b, side b to a or -1; a side that occurs twice in the same direction, or -1)."""
    width = int(max(a.max(), b.max())) + 1 if len(a) else 1
    forward, backward = a * width + b, b * width + a
    order = np.argsort(forward, kind="stable")
    ranked = forward[order]
    again = np.flatnonzero(ranked[1:] == ranked[:-1])
    if len(again):
        return None, int(order[again[0] + 1])
    at = np.minimum(np.searchsorted(ranked, backward), max(0, len(ranked) - 1))
    return np.where(ranked[at] == backward, order[at], -1) if len(ranked) else backward, -1


def _wrong_chains(given: Any, xy: Any, a: Any, b: Any, part_of: Any, across: Any) -> str | None:
    """What is wrong with the sides that are said to be parts of segments, or with those that are not."""
    first, ends = given.first, np.asarray(given.ends).astype(np.int64)
    lone = (across < 0) & (part_of < 0)
    if lone.any():
        side = int(np.argmax(lone))
        return f"the side from point {a[side] + first} to {b[side] + first} is at the boundary, and part of no segment"
    uneven = (across >= 0) & (part_of != part_of[across])
    if uneven.any():
        side = int(np.argmax(uneven))
        return f"the triangles at points {a[side] + first} and {b[side] + first} disagree on what segment is there"
    old_a = np.asarray(given.corners).ravel().astype(np.int64)
    old_b = np.asarray(given.corners)[:, [1, 2, 0]].ravel().astype(np.int64)
    had = set(zip(old_a.tolist(), old_b.tolist(), strict=True))
    # Each way along a segment has its own chain, of the triangles on its left
    side = np.flatnonzero(part_of >= 0)
    segment = part_of[side]
    start, along = xy[ends[segment, 0]], xy[ends[segment, 1]] - xy[ends[segment, 0]]
    square = (along * along).sum(axis=1)
    from_a, from_b = xy[a[side]] - start, xy[b[side]] - start
    s, t = ((v * along).sum(axis=1) / square for v in (from_a, from_b))
    off = np.abs(along[:, 0] * from_a[:, 1] - along[:, 1] * from_a[:, 0]) > 1e-9 * square
    if off.any():
        at = int(np.argmax(off))
        return f"point {a[side[at]] + first} is not on segment {int(segment[at]) + first}"
    way = (t < s).astype(np.int64)
    order = np.lexsort((np.where(way == 1, -s, s), way, segment))
    side, segment, way = side[order], segment[order], way[order]
    chain = segment * 2 + way
    where = np.searchsorted(chain, np.arange(2 * len(ends) + 1))
    for k in range(2 * len(ends)):
        source, target = (int(p) for p in (ends[k // 2] if k % 2 == 0 else ends[k // 2, ::-1]))
        links = side[where[k] : where[k + 1]]
        name = f"segment {k // 2 + first}, from point {int(ends[k // 2, 0]) + first} to {int(ends[k // 2, 1]) + first},"
        if ((source, target) in had) != (len(links) > 0):
            return f"{name} has {'triangles' if len(links) else 'no triangles'} on a side where it had " + (
                "none" if len(links) else "some")
        if len(links) and (a[links[0]] != source or b[links[-1]] != target or (b[links[:-1]] != a[links[1:]]).any()):
            return f"{name} is no chain of sides"
    return None


def _areas(xy: Any, corners: Any) -> Any:
    p, q, r = (xy[corners[:, k]] for k in range(3))
    return 0.5 * ((q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0]))


def _signs_of_areas(xy: Any, corners: Any) -> Any:
    """1, 0 or -1 for each triangle; exact."""
    p, q, r = (xy[corners[:, k]] for k in range(3))
    left, right = (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]), (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])
    found = np.sign(left - right).astype(np.int64)
    for t in np.flatnonzero(np.abs(left - right) <= 8 * ULP * (np.abs(left) + np.abs(right))):
        (px, py), (qx, qy), (rx, ry) = ([Fraction(float(x)) for x in xy[c]] for c in corners[t])
        value = (qx - px) * (ry - py) - (qy - py) * (rx - px)
        found[t] = (value > 0) - (value < 0)
    return found


def _not_delaunay(xy: Any, corners: Any, part_of: Any, across: Any) -> int:
    """A side that is no segment, with the far corner of the triangle across it inside of its own triangle's circle; -1:
    there is none. Exact."""
    side = np.flatnonzero((across >= 0) & (part_of < 0) & (across > np.arange(len(across))))
    far = corners.ravel()[across[side] - across[side] % 3 + (across[side] + 2) % 3]
    v = [xy[corners[side // 3, k]] - xy[far] for k in range(3)]
    value, size = np.zeros(len(side)), np.zeros(len(side))
    for i in range(3):
        x, y = v[i - 2], v[i - 1]
        lift = (v[i] ** 2).sum(axis=1)
        value += lift * (x[:, 0] * y[:, 1] - x[:, 1] * y[:, 0])
        size += lift * (np.abs(x[:, 0] * y[:, 1]) + np.abs(x[:, 1] * y[:, 0]))
    doubtful = np.abs(value) <= 32 * ULP * size
    if (sure := (value > 0) & ~doubtful).any():
        return int(side[np.argmax(sure)])
    for at in np.flatnonzero(doubtful):
        dx, dy = (Fraction(float(x)) for x in xy[far[at]])
        w = [(Fraction(float(xy[c, 0])) - dx, Fraction(float(xy[c, 1])) - dy) for c in corners[side[at] // 3]]
        if sum((w[i][0] ** 2 + w[i][1] ** 2) * (w[i - 2][0] * w[i - 1][1] - w[i - 2][1] * w[i - 1][0])
               for i in range(3)) > 0:
            return int(side[at])
    return -1


def _small_angle(given: Any, xy: Any, corners: Any, sides: Any, least: float) -> str | None:
    """The triangle with the smallest of the angles below `least` that nothing forces."""
    angles, lengths = np.empty(corners.shape), np.empty(corners.shape)
    for k in range(3):
        u, v = (xy[corners[:, (k + i) % 3]] - xy[corners[:, k]] for i in (1, 2))
        lengths[:, k] = np.hypot(u[:, 0], u[:, 1])
        angles[:, k] = np.degrees(np.arctan2(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]), (u * v).sum(axis=1)))
    between = (sides >= 0) & (np.roll(sides, 1, axis=1) >= 0)
    small = np.where(between, np.inf, angles)
    lies_on: dict[int, set[int]] = {}
    for t, k in zip(*np.nonzero(sides >= 0), strict=True):
        for corner in (corners[t, k], corners[t, (k + 1) % 3]):
            lies_on.setdefault(int(corner), set()).add(int(sides[t, k]))
    for t in np.argsort(small.min(axis=1)):
        worst = int(np.argmin(small[t]))
        if small[t, worst] >= least - 1e-6:
            return None
        k = int(np.argmin(lengths[t]))
        if not _cuts_off(given, xy, lies_on, int(corners[t, k]), int(corners[t, (k + 1) % 3])):
            return (f"triangle {int(t) + given.first} has an angle of {small[t, worst]:.4f} degrees at point "
                    f"{int(corners[t, worst]) + given.first}, and nothing forces it")
    return None


def _cuts_off(given: Any, xy: Any, lies_on: dict[int, set[int]], p: int, q: int) -> bool:
    """Do p and q lie on two segments that meet sharply, as far from there, neither being a given point?"""
    if min(p, q) < len(given.xy):
        return False
    for s in lies_on.get(p, ()):
        for r in lies_on.get(q, set()) - {s}:
            for apex in set(given.ends[s].tolist()) & set(given.ends[r].tolist()):
                to_p, to_q = (float(np.hypot(*(xy[x] - xy[apex]))) for x in (p, q))
                if abs(to_p - to_q) <= 1e-3 * to_p and float(np.hypot(*(xy[p] - xy[q]))) < to_p:
                    return True
    return False
