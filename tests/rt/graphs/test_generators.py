"""Generated graphs: their shapes, that they never change, and what is said of wrong texts."""

from __future__ import annotations

import hashlib

import networkx as nx
import numpy as np
import pytest

from irgl.rt.graphs.generator_options import Stream
from irgl.rt.graphs.generators import NAMES, triangulate
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.source import IrglError


def made(spec: str, *, undirected: bool = False) -> Graph:
    return load(spec, use_cache=False, undirected=undirected)


def edges(graph: Graph) -> set[frozenset[int]]:
    assert not graph.directed, "these graphs are undirected"
    return {frozenset(pair) for pair in zip(graph.sources().tolist(), graph.dst.tolist(), strict=True)}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("path:6", nx.path_graph(6)),
        ("star:6", nx.star_graph(5)),
        ("cycle:6", nx.cycle_graph(6)),
        ("complete:5", nx.complete_graph(5)),
        ("tree:10", nx.full_rary_tree(2, 10)),
        ("grid:4x3", nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 4))),
        ("grid2d:2e3", nx.convert_node_labels_to_integers(nx.grid_2d_graph(2, 4))),
    ],
)
def test_a_shape_is_the_one_of_its_name(spec: str, expected: nx.Graph) -> None:
    graph = made(spec)
    assert graph.num_nodes == expected.number_of_nodes()
    assert edges(graph) == {frozenset(edge) for edge in expected.edges()}
    assert graph.num_edges == 2 * expected.number_of_edges()


@pytest.mark.parametrize("spec", ["path:0", "star:0", "cycle:0", "complete:0", "tree:0", "points:0", "grid:0x5"])
def test_no_nodes_make_an_empty_graph(spec: str) -> None:
    graph = made(spec)
    assert (graph.num_nodes, graph.num_edges) == (0, 0)


@pytest.mark.parametrize("spec", ["path:1", "star:1", "complete:1", "tree:1", "points:1", "points:2", "grid:1x1"])
def test_one_node_has_no_edge(spec: str) -> None:
    assert made(spec).num_edges == 0


@pytest.mark.parametrize(
    ("spec", "nodes", "arcs", "directed"),
    [("rmat:6,degree=3", 64, 192, True), ("r4:5", 32, 128, True), ("rmat:6,undirected=yes", 64, None, False),
     ("kron:5", 32, None, False), ("uniform:5,degree=2", 32, None, False)],
)  # fmt: skip
def test_a_random_graph_has_the_nodes_and_arcs_of_its_text(
    spec: str, nodes: int, arcs: int | None, directed: bool
) -> None:
    graph = made(spec)
    assert (graph.num_nodes, graph.directed) == (nodes, directed)
    assert arcs is None or graph.num_edges == arcs


def test_every_node_of_r4_has_four_out_edges() -> None:
    assert set(made("r4:6").out_degrees().tolist()) == {4}


def test_rmat_prefers_the_first_quadrant() -> None:
    graph = made("rmat:8,a=1,b=0,c=0,permute=no,degree=1")
    assert set(graph.sources().tolist()) | set(graph.dst.tolist()) == {0}


GOLDEN = {
    "rmat:8,degree=4": "61d13df9fb5cb68a",
    "kron:8,degree=4,weights=int": "eb8dc45a292d7479",
    "uniform:8,degree=4,weights=float,min=-1": "12a92a81a67a915d",
    "r4:8,seed=7": "829156cd4d27ff06",
}


@pytest.mark.parametrize("spec", GOLDEN)
def test_the_same_text_gives_the_same_graph_for_ever(spec: str) -> None:
    graph = made(spec)
    digest = hashlib.sha256(graph.row.astype("<i8").tobytes() + graph.dst.astype("<i8").tobytes())
    if graph.weight is not None:
        digest.update(graph.weight.astype("<f8").tobytes())
    assert digest.hexdigest()[:16] == GOLDEN[spec]


def test_another_seed_gives_another_graph() -> None:
    assert made("r4:6,seed=1").dst.tolist() != made("r4:6,seed=2").dst.tolist()


def test_integer_weights_fill_their_range() -> None:
    graph = made("uniform:9,weights=int,min=3,max=5")
    assert (graph.weight.dtype, set(graph.weight.tolist())) == (np.int32, {3, 4, 5})


def test_float_weights_stay_in_their_range() -> None:
    weight = made("r4:9,weights=float,min=2,max=3").weight
    assert weight.dtype == np.float64 and weight.min() >= 2 and weight.max() < 3 and len(set(weight.tolist())) > 2000


def test_both_ways_of_an_edge_weigh_the_same() -> None:
    graph = made("grid:9x9,weights=int")
    back = graph.transpose().in_edge
    assert (graph.weight[back] == graph.weight).all()


def test_grid_coordinates_are_column_and_row() -> None:
    assert made("grid:3x2").coordinates.tolist() == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]


def test_a_triangulation_obeys_euler() -> None:
    points, triangles = triangulate(500, Stream(3))
    graph = nx.Graph(list(edges(made("points:500,seed=3"))))
    assert graph.number_of_nodes() - graph.number_of_edges() + len(triangles) == 1
    assert points.shape == (500, 2)


def test_triangles_turn_counter_clockwise() -> None:
    points, triangles = triangulate(300, Stream(1))
    a, b, c = (points[triangles[:, k]] for k in range(3))
    turn = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    assert (turn > 0).all()


KNOWN = "complete, cycle, delaunay, grid, grid2d, kron, path, points, r4, rmat, star, tree, uniform"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("torus:5", f"error: 'torus' is neither a file nor a generator\n  hint: generators are {KNOWN}"),
        ("path:", "path:: error: path needs its nodes, as in path:nodes=..."),
        ("path:x", "path:x: error: nodes=x: an integer of 0..1099511627776 is wanted"),
        ("path:-1", "path:-1: error: nodes=-1: an integer of 0..1099511627776 is wanted"),
        ("path:3,size=4", "path:3,size=4: error: 'size' is no option of path\n"
                          "  hint: options are max, min, nodes, seed, weights"),
        ("path:3,seed=1,seed=2", "path:3,seed=1,seed=2: error: option seed is given twice"),
        ("path:3,weights=heavy", "path:3,weights=heavy: error: weights=heavy: known are none, int, float"),
        ("path:3,max=4", "path:3,max=4: error: min and max are the range of weights: say weights=int or weights=float"),
        ("path:3,weights=int,min=9,max=4", "path:3,weights=int,min=9,max=4: error: min=9 is above max=4"),
        ("path:3,weights=float,min=nan", "path:3,weights=float,min=nan: error: min=nan: a number is wanted"),
        ("grid:5", "grid:5: error: size=5: WIDTHxHEIGHT is wanted"),
        ("rmat:4,a=0.9", "rmat:4,a=0.9: error: a, b and c are chances: none below 0, and their sum at most 1"),
        ("rmat:41", "rmat:41: error: scale=41: an integer of 0..40 is wanted"),
    ],
)  # fmt: skip
def test_a_wrong_text_is_refused_in_these_words(spec: str, message: str) -> None:
    with pytest.raises(IrglError) as caught:
        made(spec)
    assert str(caught.value) == message


def test_a_graph_beyond_memory_is_refused() -> None:
    with pytest.raises(IrglError, match="more than this machine's memory"):
        made("rmat:39")


def test_the_hint_names_every_generator() -> None:
    assert ", ".join(sorted(NAMES)) == KNOWN
