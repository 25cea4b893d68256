"""Meshes that programs are given and leave: read from Triangle's files (.ele, .node, .poly), and written to them.

A mesh's segments are those of the .poly file, which it must hold as sides, and the sides of only one triangle: its
boundary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irgl.rt.graphs.readers.text import present
from irgl.rt.graphs.readers.triangle import Outline, Points, Triangles, read_ele, read_node, read_poly
from irgl.rt.meshes.writers import write_ele, write_node, write_poly
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
_PACKED = ("", ".gz", ".xz")
_SIZES = (1e-60, 1e75)  # of triangles: nothing that incircle multiplies is lost beyond the ends of doubles
_OTHER_POLY = "take the .poly that was made with the .ele"


@dataclass(frozen=True, slots=True)
class Mesh:
    """xy (n, 2) float64. corners (t, 3), counterclockwise, across (t, 3): the triangle across each side, and sides
    (t, 3): the segment that each side is part of, -1 for none; side k joins corners k and k+1. ends (s, 2): the points
    of each segment. All int32. first: the first id in files. marks (s,): the segments' markers in the file, or None.
    holes: the file's, (h, 2), or None. What a run left has no rows in across (joined makes them)."""

    xy: Array
    corners: Array
    across: Array
    sides: Array
    ends: Array
    first: int = 1
    marks: Array | None = None
    holes: Array | None = None


def load_mesh(ele: str, poly: str | None = None) -> Mesh:
    """The mesh of a .ele file and the .node file beside it, with the segments of a .poly file. Raises IrglError."""
    stem, packing = check_name(ele)
    triangles = read_ele(ele)
    base = f"{stem}.node"
    points = read_node(next((base + p for p in (packing, *_PACKED) if present(base + p)), base))
    return make_mesh(points, triangles, None if poly is None else read_poly(poly), ele, poly or "")


def make_mesh(points: Points, triangles: Triangles, outline: Outline | None, ele: str = "", poly: str = "") -> Mesh:
    """The checked mesh of these parts; their files' names are for messages. Clockwise triangles are turned round."""
    xy = np.ascontiguousarray(points.xy, np.float64)
    first = triangles.first
    lost = ((triangles.corners[:, :3] < 0) | (triangles.corners[:, :3] >= len(xy))).any(axis=1)
    if lost.any():
        raise IrglError(f"triangle {int(np.argmax(lost)) + first} names a point that the {len(xy)} points lack",
                        file=ele or None)
    corners = np.ascontiguousarray(triangles.corners[:, :3], np.int32)
    if not np.isfinite(xy).all():
        raise IrglError(f"point {int(np.argmin(np.isfinite(xy).all(axis=1))) + points.first} is not in the plane",
                        file=ele or None)
    if outline is not None and outline.points is not None:
        _compare(outline.points, points, poly)
    corners = _turned(xy, corners, first, ele)
    low, high, across = _neighbours(corners, first, ele)
    boundary = np.flatnonzero(across.ravel() < 0)
    given = outline.segments.astype(np.int64) if outline is not None else np.empty((0, 2), np.int64)
    ends, marks = _segments(given, None if outline is None else outline.markers, low, high, boundary, points, poly)
    width = max(1, len(xy))
    keys = ends.min(axis=1) * width + ends.max(axis=1)
    order = np.argsort(keys, kind="stable")
    side_keys = low * width + high
    at = np.minimum(np.searchsorted(keys[order], side_keys), max(0, len(keys) - 1))
    found = keys[order][at] == side_keys if len(keys) else np.zeros(len(side_keys), bool)
    sides = np.where(found, order[at] if len(keys) else 0, -1).astype(np.int32).reshape(-1, 3)
    holes = outline.holes if outline is not None else None
    return Mesh(xy, corners, across, sides, ends.astype(np.int32), points.first, marks, holes)


def joined(mesh: Mesh) -> Mesh:
    """The mesh with its `across`, which is made where it has none. Raises IrglError."""
    if len(mesh.across) == len(mesh.corners):
        return mesh
    return replace(mesh, across=_neighbours(np.asarray(mesh.corners, np.int32), mesh.first, "")[2])


def check_name(out: str) -> tuple[str, str]:
    """A .ele file's name without suffix, and how it is packed. Raises IrglError for another name."""
    packing = next((p for p in _PACKED if p and out.endswith(p)), "")
    stem = out.removesuffix(packing)
    if not stem.endswith(".ele"):
        raise IrglError("a mesh is a .ele file, plain or as .gz or .xz, with its points in a .node file beside it",
                        file=out)
    return stem.removesuffix(".ele"), packing


def save_mesh(mesh: Mesh, out: str) -> None:
    """Writes `out`, a .ele file, and beside it the .node file and a .poly file of the parts of segments."""
    stem, packing = check_name(out)
    parts, of = subsegments(mesh)
    marks = mesh.marks[of].astype(np.int32) if mesh.marks is not None else None
    holes = mesh.holes if mesh.holes is not None else np.empty((0, 2))
    write_node(Points(mesh.xy, np.empty((len(mesh.xy), 0)), None, mesh.first), f"{stem}.node{packing}")
    write_poly(Outline(None, parts, marks, holes, np.empty((0, 3)), mesh.first), f"{stem}.poly{packing}")
    write_ele(Triangles(mesh.corners, np.empty((len(mesh.corners), 0)), mesh.first), out)


def subsegments(mesh: Mesh) -> tuple[Array, Array]:
    """(the points of each side that is part of a segment, once, (k, 2) int32; the segment of each)."""
    side = np.flatnonzero(mesh.sides.ravel() >= 0)
    a, b = mesh.corners.ravel()[side], mesh.corners[:, [1, 2, 0]].ravel()[side]
    low, high = np.minimum(a, b).astype(np.int64), np.maximum(a, b).astype(np.int64)
    _, at = np.unique(low * max(1, len(mesh.xy)) + high, return_index=True)
    return np.stack([a[at], b[at]], 1).astype(np.int32), mesh.sides.ravel()[side][at]


def _compare(own: Points, points: Points, poly: str) -> None:
    """Raises IrglError where an outline has points of its own that are not the mesh's first ones."""
    both = min(len(own.xy), len(points.xy))
    near = 1e-6 * float(np.ptp(points.xy, axis=0).max()) if both else 0.0
    odd = np.append((np.abs(own.xy[:both] - points.xy[:both]) > near).any(axis=1), len(own.xy) > both)
    if odd.any():
        raise IrglError(f"point {int(np.argmax(odd)) + own.first} is not where the mesh has it", file=poly or None,
                        hint=_OTHER_POLY)


def _turned(xy: Array, corners: Array, first: int, ele: str) -> Array:
    """The triangles, all counterclockwise."""
    a, b, c = (xy[corners[:, k]] for k in range(3))
    with np.errstate(over="ignore"):
        size = np.maximum(np.abs(b - a), np.abs(c - a)).max(axis=1)
    odd = (size > 0) & ~((size >= _SIZES[0]) & (size <= _SIZES[1]))
    if odd.any():
        raise IrglError(f"triangle {int(np.argmax(odd)) + first} is too large or too small for exact arithmetic",
                        file=ele or None, hint=f"scale the coordinates: sides from {_SIZES[0]} to {_SIZES[1]} are fine")
    left, right = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]), (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    flat = np.abs(left - right) <= 1e-15 * (np.abs(left) + np.abs(right))
    if flat.any():
        raise IrglError(f"the corners of triangle {int(np.argmax(flat)) + first} are on one line", file=ele or None)
    return np.where((left < right)[:, None], corners[:, [0, 2, 1]], corners)


def _neighbours(corners: Array, first: int, ele: str) -> tuple[Array, Array, Array]:
    """(the lower and the higher point of each side, the triangle across it)."""
    a, b = corners.ravel().astype(np.int64), corners[:, [1, 2, 0]].ravel().astype(np.int64)
    low, high = np.minimum(a, b), np.maximum(a, b)
    order = np.lexsort((a, high, low))
    same = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    wrong = same & (a[order][1:] == a[order][:-1])
    wrong[1:] |= same[1:] & same[:-1]
    if wrong.any():
        side = int(order[1:][np.argmax(wrong)])
        raise IrglError(f"triangle {side // 3 + first} overlaps another one at a side that they share",
                        file=ele or None)
    across = np.full(len(a), -1, np.int32)
    i, j = order[:-1][same], order[1:][same]
    across[i], across[j] = j // 3, i // 3
    return low, high, across.reshape(-1, 3)


def _segments(given: Array, marks: Array | None, low: Array, high: Array, boundary: Array, points: Points,
              poly: str) -> tuple[Array, Array | None]:
    """(the segments: those given, then the boundary's others; their markers, 1 for the latter)."""
    width = max(1, len(points.xy))
    if len(given) and int(given.max()) >= len(points.xy):
        at = int(np.argmax(given.max(axis=1) >= len(points.xy)))
        raise IrglError(f"segment {at + points.first} names a point that is not there", file=poly or None)
    keys = given.min(axis=1) * width + given.max(axis=1)
    lost = ~np.isin(keys, low * width + high)
    if lost.any():
        a, b = given[int(np.argmax(lost))] + points.first
        raise IrglError(f"the segment from point {a} to {b} is no side of the mesh", file=poly or None,
                        hint=_OTHER_POLY)
    _, once = np.unique(keys, return_index=True)
    once.sort()
    given, keys = given[once], keys[once]
    more = boundary[~np.isin(low[boundary] * width + high[boundary], keys)]
    ends = np.concatenate([given, np.stack([low[more], high[more]], 1)])
    if marks is None:
        return ends, None
    return ends, np.concatenate([marks[once], np.ones(len(more), marks.dtype)])
