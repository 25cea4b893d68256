"""Triangle's files: points, triangles and outlines, and triangles as a graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgl.rt.graphs.load import load
from irgl.rt.graphs.readers.triangle import read_ele, read_node, read_poly
from irgl.rt.meshes.writers import write_ele, write_node, write_poly
from irgl.source import IrglError

NODE = "# points\n4 2 1 1\n1 0 0 7.5 1\n2 1 0 8 0 # a corner\n3 1 1 -1 1\n\n4 0 1 0 2\n# end\n"
ELE = "2 3 0\n1 1 2 3\n2 1 3 4\n"
POLY = "4 2 0 0\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n2 1\n0 0 1 5\n1 1 2 6\n1\n0 2 2\n1\n0 1 1 3 0.5\n"


def test_points_attributes_and_markers_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.node").write_text(NODE)
    points = read_node(str(tmp_path / "a.node"))
    assert points.xy.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert points.attributes.tolist() == [[7.5], [8], [-1], [0]]
    assert (points.markers.tolist(), points.first) == ([1, 0, 1, 2], 1)


@pytest.mark.parametrize("first", [0, 1])
def test_corners_are_numbered_from_zero(first: int, tmp_path: Path) -> None:
    text = f"2 3 1\n{first} {first} {first + 1} {first + 2} 9\n{first + 1} {first} {first + 2} {first + 3} 8\n"
    (tmp_path / "a.ele").write_text(text)
    triangles = read_ele(str(tmp_path / "a.ele"))
    assert triangles.corners.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert (triangles.attributes.tolist(), triangles.first) == ([[9], [8]], first)


def test_an_outline_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.poly").write_text(POLY)
    outline = read_poly(str(tmp_path / "a.poly"))
    assert outline.points is not None and len(outline.points.xy) == 4
    assert (outline.segments.tolist(), outline.markers.tolist()) == ([[0, 1], [1, 2]], [5, 6])
    assert (outline.holes.tolist(), outline.regions.tolist()) == ([[2, 2]], [[1, 1, 3, 0.5]])


def test_an_outline_may_leave_its_points_to_the_node_file(tmp_path: Path) -> None:
    (tmp_path / "a.poly").write_text("0 2 0 1\n1 0\n1 3 4\n0\n")
    outline = read_poly(str(tmp_path / "a.poly"))
    assert outline.points is None and outline.segments.tolist() == [[2, 3]] and outline.holes.shape == (0, 2)


def equal(a: Any, b: Any) -> bool:
    """Whether two of the records hold the same arrays."""
    if hasattr(a, "__slots__"):
        return all(equal(getattr(a, name), getattr(b, name)) for name in a.__slots__)
    return bool(np.array_equal(a, b)) if isinstance(a, np.ndarray) else a == b


@pytest.mark.parametrize(
    ("text", "read", "write"),
    [(NODE, read_node, write_node), (ELE, read_ele, write_ele), (POLY, read_poly, write_poly),
     ("0 2 0 1\n1 0\n1 3 4\n0\n", read_poly, write_poly)],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_what_is_written_reads_back_the_same(
    text: str, read: Callable[[str], Any], write: Callable[[Any, str], None], suffix: str, tmp_path: Path
) -> None:
    (tmp_path / "in").write_text(text)
    found = read(str(tmp_path / "in"))
    write(found, str(tmp_path / f"out{suffix}"))
    assert equal(read(str(tmp_path / f"out{suffix}")), found)


def test_triangles_are_a_graph_of_their_edges(tmp_path: Path) -> None:
    (tmp_path / "a.ele").write_text(ELE)
    graph = load(str(tmp_path / "a.ele"), use_cache=False)
    pairs = {(graph.file_id(u), graph.file_id(v)) for u, v in zip(graph.sources(), graph.dst, strict=True) if u < v}
    assert pairs == {(1, 2), (2, 3), (1, 3), (3, 4), (1, 4)} and graph.num_edges == 10


def test_points_are_the_coordinates_of_a_mesh(tmp_path: Path) -> None:
    (tmp_path / "a.ele").write_text(ELE)
    (tmp_path / "a.node").write_text(NODE)
    graph = load(str(tmp_path / "a.ele"), coordinates=str(tmp_path / "a.node"), use_cache=False)
    assert graph.coordinates.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]


CO = "c points\np aux sp co 3\nv 2 -5 6\nv 1 1 2\nv 3 7.5 8\n"


def test_dimacs_coordinates_are_placed_by_their_ids(tmp_path: Path) -> None:
    (tmp_path / "a.co").write_text(CO)
    graph = load("path:3", coordinates=str(tmp_path / "a.co"), use_cache=False)
    assert graph.coordinates.tolist() == [[1, 2], [-5, 6], [7.5, 8]]


def read_coordinates(path: str) -> Any:
    return load("path:3", coordinates=path, use_cache=False)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_coordinates, CO.replace("v 2", "v 1"), "g: error: node 1 has coordinates twice"),
        (read_coordinates, CO.replace("co 3", "co 4"), "g:2: error: coordinates of 4 nodes for a graph of 3"),
        (read_coordinates, CO[:-10], "g:2: error: the problem line promises 3 nodes, the file has 2"),
        (read_coordinates, CO.replace("7.5", "inf"), "g:5: error: coordinate 'inf' is not finite"),
        (read_coordinates, NODE, "g: error: coordinates of 4 points for a graph of 3 nodes"),
        (read_node, "1 3 0 0\n1 0 0 0\n", "g:1: error: points have 2 coordinates, not 3"),
        (read_node, "2 2 0 0\n1 0 0\n", "g:1: error: the header promises 2 points, the file has 1"),
        (read_node, "1 2 0 0\n1 0 0\n2 1 1\n", "g:3: error: a line more than the header promises"),
        (read_node, "2 2 0 0\n1 0 0\n3 1 1\n", "g:1: error: the points are not numbered in order from 0 or 1"),
        (read_node, "1 2 0 2\n1 0 0 1 1\n", "g:1: error: there are 0 or 1 markers, not 2"),
        (read_node, "1 2 0 1\n1 0 0 1.5\n", "g:1: error: a marker is no integer of 32 bits"),
        (read_node, "1 2 0\n1 0 0\n", "g:1: error: expected 'points 2 attributes markers', found '1 2 0'"),
        (read_node, "", "g: error: the file ends before its 'points 2 attributes markers' line"),
        (read_poly, POLY.replace("1 1 2 6", "1 1 9 6"), "g:6: error: a segment names a point that is not there"),
        (read_poly, "0 2 0 0\n1 0\n1 1 2\n", "g: error: the file ends before its 'holes' line"),
        (read_poly, POLY + "5\n", "g:13: error: a line more than the header promises"),
    ],
)
def test_a_wrong_file_is_refused_in_these_words(
    read: Callable[[str], Any], text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g").write_text(text)
    with pytest.raises(IrglError) as caught:
        read("g")
    assert str(caught.value) == message
