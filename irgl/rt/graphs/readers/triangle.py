"""The files of Shewchuk's Triangle: points (.node), triangles (.ele) and outlines (.poly).

Ids start at 0 or 1, as the first one says; the arrays here are 0-based. `#` begins a comment anywhere in a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size
from irgl.rt.graphs.readers.table import Columns, Table, Values, read_table
from irgl.rt.graphs.readers.text import PAD, Text, read_bytes
from irgl.rt.graphs.readers.words import amount, counts_line
from irgl.rt.graphs.sorting import distinct

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Points:
    """`xy` (n, 2) float64, `attributes` (n, a) float64, `markers` (n,) int32 or None, `first`: the file's first id."""

    xy: Array
    attributes: Array
    markers: Array | None
    first: int


@dataclass(frozen=True, slots=True)
class Triangles:
    """`corners` (t, 3 or 6) int32, 0-based, as in the file; `attributes` (t, a) float64; `first`: the first id."""

    corners: Array
    attributes: Array
    first: int


@dataclass(frozen=True, slots=True)
class Outline:
    """`points` None where they are in a .node file; `segments` (s, 2) int32, 0-based; `markers` (s,) int32 or None;
    `holes` (h, 2) float64; `regions` (r, k) float64: x, y, attribute and perhaps an area."""

    points: Points | None
    segments: Array
    markers: Array | None
    holes: Array
    regions: Array
    first: int


def read_node(path: str) -> Points:
    """The points of a .node file, plain or compressed."""
    text = _open(path)
    points, end = _points(text, text.next_line(PAD))
    _nothing_after(text, end)
    return points


def read_ele(path: str) -> Triangles:
    """The triangles of a .ele file, plain or compressed."""
    return elements(_open(path))


def read_poly(path: str) -> Outline:
    """The outline in a .poly file, plain or compressed."""
    text = _open(path)
    header = text.next_line(PAD)
    points: Points | None = None
    if header < len(text.data) and text.line(header).split()[:1] == [b"0"]:
        counts_line(text, header, "points 2 attributes markers")
        at = text.line_end(header) + 1
    else:
        points, at = _points(text, header)
    segments, markers, first, at = _segments(text, text.next_line(at), points)
    header = text.next_line(at)
    (count,) = counts_line(text, header, "holes")
    columns = Columns("hole x y", ids=1, values="real", count=2, noun="coordinate")
    table, at = _section(text, header, count, columns, "hole")
    regions, at = _regions(text, text.next_line(at))
    _nothing_after(text, at)
    return Outline(points, segments, markers, np.stack(table.values, 1), regions, first)


def _segments(text: Text, header: int, points: Points | None) -> tuple[Array, Array | None, int, int]:
    """(segments, markers, the first id, the offset behind them)."""
    count, marked = counts_line(text, header, "segments markers")
    _markers(text, header, marked)
    shape, kind = "segment from to" + " marker" * marked, "integer" if marked else "none"
    columns = Columns(shape, ids=3, values=cast(Values, kind), noun="marker")
    table, end = _section(text, header, count, columns, "segment")
    first = _numbered(text, header, table, "segments")
    first = points.first if points is not None and len(points.xy) else first
    ends = np.stack(table.ids[1:], 1).astype(np.int64) - first
    highest = len(points.xy) if points is not None else 2**31
    if count and (int(ends.min()) < 0 or int(ends.max()) >= highest):
        raise text.fail("a segment names a point that is not there", header)
    markers = _whole(text, header, table.values[0]) if marked else None
    return ends.astype(np.int32), markers, first, end


def _regions(text: Text, header: int) -> tuple[Array, int]:
    if header >= len(text.data):
        return np.empty((0, 3)), header
    (count,) = counts_line(text, header, "regions")
    line = text.next_line(text.line_end(header) + 1)
    width = len(text.line(line).split()) if count and line < len(text.data) else 4
    if width not in (4, 5):
        raise text.fail(f"expected 'region x y attribute [area]', found {width} items", line)
    shape = "region x y attribute" + " area" * (width == 5)
    columns = Columns(shape, ids=1, values="real", count=width - 1, noun="value")
    table, end = _section(text, header, count, columns, "region")
    return np.stack(table.values, 1), end


def elements(text: Text) -> Triangles:
    """The triangles of a .ele text whose comments are blanked out."""
    header = text.next_line(PAD)
    count, corners, attributes = counts_line(text, header, "triangles corners attributes")
    if corners not in (3, 6):
        raise text.fail(f"triangles have 3 or 6 corners, not {corners}", header)
    if attributes > 1000:
        raise text.fail(f"{attributes} attributes are not believable", header)
    check_size(count, corners * count, text.path)
    shape = "triangle" + " corner" * corners + " attribute" * attributes
    kind: Any = "real" if attributes else "none"
    columns = Columns(shape, ids=1 + corners, values=kind, count=attributes, noun="attribute")
    table, end = _section(text, header, count, columns, "triangle")
    _nothing_after(text, end)
    first = _numbered(text, header, table, "triangles")
    ids = np.stack(table.ids[1:], 1).astype(np.int64) - first
    if count and int(ids.min()) < 0:
        raise text.fail("a triangle names point 0 in a file numbered from 1", header)
    if count and int(ids.max()) >= 2**31:
        raise text.fail("a triangle names a point beyond 32 bits", header)
    return Triangles(ids.astype(np.int32), _stacked(table.values, count), first)


def mesh_graph(text: Text) -> Arcs:
    """The edges of a .ele file's triangles, each once; its points are the nodes up to the highest named one."""
    triangles = elements(text)
    corners = triangles.corners[:, :3].astype(np.int64)
    nodes = int(corners.max()) + 1 if len(corners) else 0
    check_size(nodes, 6 * len(corners), text.path)
    ends = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    keys = distinct(ends.min(axis=1) * max(1, nodes) + ends.max(axis=1))
    return Arcs(nodes, keys // max(1, nodes), keys % max(1, nodes), mirrored=True, id_base=triangles.first)


def _open(path: str) -> Text:
    text = Text(path, read_bytes(path))
    text.blank_comments(PAD, b"#", inside=True)
    return text


def _points(text: Text, header: int) -> tuple[Points, int]:
    """(points, the offset behind them)."""
    count, dimension, attributes, marked = counts_line(text, header, "points 2 attributes markers")
    if dimension != 2:
        raise text.fail(f"points have 2 coordinates, not {dimension}", header)
    _markers(text, header, marked)
    if attributes > 1000:
        raise text.fail(f"{attributes} attributes are not believable", header)
    check_size(count, count * (attributes + 3), text.path)
    shape = "point x y" + " attribute" * attributes + " marker" * marked
    width = 2 + attributes + marked
    table, end = _section(text, header, count, Columns(shape, ids=1, values="real", count=width, noun="value"), "point")
    first = _numbered(text, header, table, "points")
    markers = _whole(text, header, table.values[-1]) if marked else None
    xy = np.stack(table.values[:2], 1)
    return Points(xy, _stacked(table.values[2 : 2 + attributes], count), markers, first), end


def _section(text: Text, header: int, count: int, columns: Columns, what: str) -> tuple[Table, int]:
    """The `count` lines behind a header line, and the offset behind them."""
    start = end = text.line_end(header) + 1
    found = 0
    while found < count and (line := text.next_line(end)) < len(text.data):
        end = text.line_end(line) + 1
        found += 1
    if found < count:
        raise text.fail(f"the header promises {amount(count, what)}, the file has {found:,}", header)
    return read_table(text, start, columns, stop=end), end


def _nothing_after(text: Text, end: int) -> None:
    rest = text.next_line(end)
    if rest < len(text.data):
        raise text.fail("a line more than the header promises", rest)


def _markers(text: Text, header: int, marked: int) -> None:
    if marked not in (0, 1):
        raise text.fail(f"there are 0 or 1 markers, not {marked}", header)


def _numbered(text: Text, header: int, table: Table, what: str) -> int:
    """The first id, 0 or 1, of lines numbered in order (1 where there is no line)."""
    ids = table.ids[0]
    first = int(ids[0]) if len(ids) else 1
    if first not in (0, 1) or bool((ids != np.arange(first, first + len(ids))).any()):
        raise text.fail(f"the {what} are not numbered in order from 0 or 1", header)
    return first


def _stacked(columns: list[Array], count: int) -> Array:
    return np.stack(columns, 1) if columns else np.empty((count, 0))


def _whole(text: Text, header: int, values: Array) -> Array:
    """Markers as int32; they are read as numbers beside the coordinates."""
    if len(values) and (bool((values != np.floor(values)).any()) or float(np.abs(values).max()) >= 2**31):
        raise text.fail("a marker is no integer of 32 bits", header)
    return values.astype(np.int32)
