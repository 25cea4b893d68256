"""Real graphs: nodes, edges and weights of each file are those that its publisher states."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.places import PROGRAMS

from irgl.rt.graphs.info import info
from irgl.rt.graphs.load import load
from irgl.rt.graphs.readers.triangle import read_ele, read_node, read_poly

DATA = PROGRAMS / "data"
Find = Callable[[str], Path]
long = pytest.mark.matrix
UNDIRECTED, DIRECTED = False, True
FILES: list[Any] = [
    ("road/rome99.gr.gz", 3_353, 8_870, DIRECTED, (1, 12_711)),
    ("road/luxembourg_osm.mtx.xz", 114_599, 119_666, UNDIRECTED, None),
    ("social/wiki-Vote.txt.gz", 7_115, 103_689, DIRECTED, None),
    ("social/p2p-Gnutella31.txt.gz", 62_586, 147_892, DIRECTED, None),
    ("social/facebook_combined.txt.gz", 4_039, 88_234, DIRECTED, None),
    ("social/CA-GrQc.txt.gz", 5_242, 28_980, DIRECTED, None),
    ("social/as-caida20071105.und.txt.gz", 26_475, 53_381, DIRECTED, None),
    ("mesh-graph/4elt.graph.gz", 15_606, 45_878, UNDIRECTED, None),
    ("matrix/ak2010.mtx.xz", 45_292, 108_549, UNDIRECTED, (14, 74_087_470)),
    ("matrix/bcsstk13.mtx.gz", 2_003, 42_943, UNDIRECTED, (-583929119292.0, 1191785641270.0)),
    ("matrix/zenios.mtx.gz", 2_873, 15_032, UNDIRECTED, (0.0, 1.4055985944)),
    ("matrix/jagmesh7.mtx", 1_138, 4_294, UNDIRECTED, None),
    ("matrix/west0067.mtx", 67, 294, DIRECTED, (-1.863354, 1.863354)),
    ("testgraphs/karate.mtx", 34, 78, UNDIRECTED, None),
    ("testgraphs/A.mtx", 7, 15, UNDIRECTED, None),
    ("testgraphs/LFAT5.mtx", 14, 30, UNDIRECTED, (-6283200.0, 12566400.0)),
    ("testgraphs/tree-example.mtx", 6, 5, UNDIRECTED, (1, 1)),
    ("testgraphs/ldbc-directed-example.mtx", 10, 17, DIRECTED, (0.1, 0.83)),
    ("testgraphs/ldbc-undirected-example.mtx", 9, 12, UNDIRECTED, (0.12, 0.9)),
    ("testgraphs/ldbc-wcc-example.mtx", 10, 15, UNDIRECTED, (1, 1)),
    ("testgraphs/ldbc-cdlp-directed-example.mtx", 8, 18, DIRECTED, (1, 1)),
    ("testgraphs/ldbc-cdlp-undirected-example.mtx", 8, 12, UNDIRECTED, (1, 1)),
    ("testgraphs/gapbs-4.gr", 14, 256, DIRECTED, (1, 254)),
    ("testgraphs/gapbs-4.mtx", 14, 256, DIRECTED, None),
    ("testgraphs/gapbs-4w.mtx", 14, 256, DIRECTED, (1, 254)),
    ("testgraphs/gapbs-4.graph", 14, 53, DIRECTED, None),
    ("testgraphs/gapbs-4w.graph", 14, 53, DIRECTED, (1, 251)),
    pytest.param("road/USA-road-d.NY.gr.gz", 264_346, 733_846, DIRECTED, (1, 36_946), marks=long),
    pytest.param("road/USA-road-t.NY.gr.xz", 264_346, 733_846, DIRECTED, (2, 92_366), marks=long),
    pytest.param("road/USA-road-FLA.tw.gr.xz", 1_070_376, 1_343_951, UNDIRECTED, None, marks=long),
    pytest.param("road/USA-road-NE.tw.gr.xz", 1_524_453, 1_934_010, UNDIRECTED, None, marks=long),
    pytest.param("social/cnr-2000.txt.xz", 325_557, 3_216_152, DIRECTED, None, marks=long),
    pytest.param("social/web-NotreDame.txt.xz", 325_729, 1_497_134, DIRECTED, None, marks=long),
    pytest.param("social/soc-Epinions1.txt.xz", 75_879, 508_837, DIRECTED, None, marks=long),
    pytest.param("social/cit-HepPh.txt.xz", 34_546, 421_578, DIRECTED, None, marks=long),
    pytest.param("social/email-Enron.txt.xz", 36_692, 367_662, DIRECTED, None, marks=long),
    pytest.param("social/ego-Twitter.und.txt.xz", 81_306, 1_342_310, DIRECTED, None, marks=long),
    pytest.param("mesh-graph/wave.graph.xz", 156_317, 1_059_331, UNDIRECTED, None, marks=long),
    pytest.param("mesh-graph/delaunay_n16.mtx.xz", 65_536, 196_575, UNDIRECTED, None, marks=long),
]


@pytest.mark.parametrize(("name", "nodes", "edges", "directed", "weights"), FILES)
def test_counts_are_the_published_ones(
    name: str, nodes: int, edges: int, directed: bool, weights: tuple[float, float] | None, shared_graph: Find
) -> None:
    found = info(load(str(shared_graph(name)), use_cache=False), components=False)
    extent = (found["weights"]["min"], found["weights"]["max"]) if found["weights"] is not None else None
    assert (found["nodes"], found["edges"], found["directed"], extent) == (nodes, edges, directed, weights)


@pytest.mark.parametrize(
    ("name", "edges"),
    [("social/facebook_combined.txt.gz", 88_234), ("social/CA-GrQc.txt.gz", 14_496),
     pytest.param("social/email-Enron.txt.xz", 183_831, marks=long)],
)  # fmt: skip
def test_undirected_lists_have_the_published_edges_whether_listed_once_or_twice(
    name: str, edges: int, shared_graph: Find
) -> None:
    graph = load(str(shared_graph(name)), undirected=True, use_cache=False)
    assert info(graph, components=False)["edges"] == edges


@pytest.mark.matrix
def test_film_casts_make_the_published_graph(shared_graph: Find) -> None:
    path = str(shared_graph("social/actor-casts.dat.xz"))
    graph = load(path, format="cliques", compact=False, use_cache=False)
    found = info(graph, components=False)
    assert (found["nodes"], found["edges"]) == (392_340, 15_038_083)
    assert found["nodes"] - found["isolated"] == 382_219


@pytest.mark.parametrize(("name", "distinct"), [("gapbs-4.el", 53), ("gapbs-4.wel", 53)])
def test_gap_s_list_has_the_published_distinct_arcs(name: str, distinct: int, shared_graph: Find) -> None:
    found = info(load(str(shared_graph(f"testgraphs/{name}")), use_cache=False))
    assert (found["arcs"], found["self_loops"]) == (256, 36)
    graph = load(str(shared_graph(f"testgraphs/{name}")), use_cache=False)
    pairs = set(zip(graph.sources().tolist(), graph.dst.tolist(), strict=True))
    assert sum(u != v for u, v in pairs) == distinct


def test_new_york_s_nodes_have_their_published_coordinates(shared_graph: Find) -> None:
    places = str(shared_graph("road/USA-road-d.NY.co.gz"))
    graph = load("path:264346", coordinates=places, use_cache=False)
    assert graph.coordinates is not None and graph.coordinates[0].tolist() == [-73530767, 41085396]


MESHES = [
    ("A.1", "", 29, 29), ("la.cdt", "", 141, 265), ("la.1", "", 860, 1_566), ("superior.cdt", "", 518, 528),
    ("superior.1", "", 2_868, 5_206), ("greenland", ".gz", 33_343, 64_125),
    pytest.param("nyc53k", ".xz", 52_834, 105_662, marks=long),
    pytest.param("ny264k", ".xz", 264_350, 528_694, marks=long),
]  # fmt: skip


@pytest.mark.parametrize(("name", "packed", "points", "triangles"), MESHES)
def test_meshes_have_the_published_sizes(
    name: str, packed: str, points: int, triangles: int, shared_graph: Find
) -> None:
    nodes = read_node(str(shared_graph(f"dmr/{name}.node{packed}")))
    elements = read_ele(str(shared_graph(f"dmr/{name}.ele{packed}")))
    assert (len(nodes.xy), len(elements.corners)) == (points, triangles)


@pytest.mark.parametrize(
    ("name", "segments", "holes"),
    [("A.poly", 29, 1), ("A.1.poly", 29, 1), ("superior.poly", 518, 6), ("superior.1.poly", 540, 6),
     ("la.poly", 148, 0), ("ny264k.poly", 4, 0)],
)  # fmt: skip
def test_outlines_have_their_segments_and_holes(name: str, segments: int, holes: int, shared_graph: Find) -> None:
    outline = read_poly(str(shared_graph(f"dmr/{name}")))
    assert (len(outline.segments), len(outline.holes)) == (segments, holes)


@pytest.mark.parametrize(
    ("name", "nodes", "arcs"),
    [("rome99.gr.gz", 3_353, 8_870), ("karate.mtx", 34, 156), ("CA-GrQc.txt.gz", 5_242, 28_980)],
)
def test_shipped_graphs_are_as_their_readme_says(name: str, nodes: int, arcs: int) -> None:
    graph = load(str(DATA / name), use_cache=False)
    assert (graph.num_nodes, graph.num_edges) == (nodes, arcs)
    assert f"`{name}`" in (DATA / "README.md").read_text()
