"""Points, triangles and outlines to the files of Shewchuk's Triangle (.node, .ele, .poly)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.readers.triangle import Outline, Points, Triangles
from irgl.rt.graphs.writers import lines, save

Array = NDArray[Any]


def write_node(points: Points, out: str) -> None:
    """Write the points; coordinates so that they read back the same."""
    save(out, _points(points))


def write_ele(triangles: Triangles, out: str) -> None:
    """Write the triangles, ids from `triangles.first`."""
    save(out, _triangles(triangles))


def write_poly(outline: Outline, out: str) -> None:
    """Write the outline; without points it says that they are in the .node file of the same name."""
    save(out, _outline(outline))


def _numbered(first: int, count: int) -> Array:
    return np.arange(first, first + count)


def _points(points: Points) -> Iterator[bytes]:
    count, attributes, marked = len(points.xy), points.attributes.shape[1], points.markers is not None
    yield f"{count} 2 {attributes} {int(marked)}\n".encode()
    columns = [_numbered(points.first, count), points.xy[:, 0], points.xy[:, 1], *points.attributes.T]
    yield from lines(columns + ([points.markers] if points.markers is not None else []))


def _triangles(triangles: Triangles) -> Iterator[bytes]:
    count, corners = triangles.corners.shape
    yield f"{count} {corners} {triangles.attributes.shape[1]}\n".encode()
    ids = [triangles.corners[:, k].astype(np.int64) + triangles.first for k in range(corners)]
    yield from lines([_numbered(triangles.first, count), *ids, *triangles.attributes.T])


def _outline(outline: Outline) -> Iterator[bytes]:
    if outline.points is not None:
        yield from _points(outline.points)
    else:
        yield f"0 2 0 {int(outline.markers is not None)}\n".encode()
    first = outline.first
    yield f"{len(outline.segments)} {int(outline.markers is not None)}\n".encode()
    ends = [outline.segments[:, k].astype(np.int64) + first for k in range(2)]
    marks = [outline.markers] if outline.markers is not None else []
    yield from lines([_numbered(first, len(outline.segments)), *ends, *marks])
    yield f"{len(outline.holes)}\n".encode()
    yield from lines([_numbered(first, len(outline.holes)), *outline.holes.T])
    if len(outline.regions):
        yield f"{len(outline.regions)}\n".encode()
        yield from lines([_numbered(first, len(outline.regions)), *outline.regions.T])
