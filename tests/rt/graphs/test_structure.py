"""Ids, rows, in-edges: what every graph in memory promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.source import IrglError


def read(tmp_path: Path, text: str, **options: Any) -> Graph:
    (tmp_path / "g").write_text(text)
    return load(str(tmp_path / "g"), use_cache=False, **options)


def arcs(graph: Graph) -> list[tuple[int, int]]:
    return list(zip(graph.sources().tolist(), graph.dst.tolist(), strict=True))


def test_edges_of_a_node_keep_the_order_of_the_file(tmp_path: Path) -> None:
    graph = read(tmp_path, "1 2 7\n0 2 8\n1 0 9\n1 1 10\n")
    assert (graph.row.tolist(), graph.dst.tolist(), list(graph.weight)) == ([0, 1, 4, 4], [2, 2, 0, 1], [8, 7, 9, 10])


def test_the_second_half_of_an_edge_stands_at_the_place_of_its_line(tmp_path: Path) -> None:
    graph = read(tmp_path, "p tw 3 3\n3 1\n1 2\n3 2\n")
    assert graph.dst.tolist() == [2, 1, 0, 2, 0, 1]


def test_ids_are_32_bits_wide_by_default(tmp_path: Path) -> None:
    graph = read(tmp_path, "0 1\n")
    assert (graph.row.dtype, graph.dst.dtype) == (np.int32, np.int32)


def test_ids_are_64_bits_wide_when_asked_for(tmp_path: Path) -> None:
    graph = read(tmp_path, "0 1\n", index_bits=64)
    assert (graph.row.dtype, graph.dst.dtype) == (np.int64, np.int64)


def test_ids_from_one_are_no_gap(tmp_path: Path) -> None:
    graph = read(tmp_path, "1 2\n2 3\n")
    assert (graph.id_base, graph.node_ids, graph.dst.tolist()) == (1, None, [1, 2])


@pytest.mark.parametrize("ids", [[5, 9, 12], [0, 2, 3], [3, 4, 5], [7, 2**40, 2**63 - 1]])
def test_ids_with_gaps_are_numbered_by_rank(ids: list[int], tmp_path: Path) -> None:
    graph = read(tmp_path, f"{ids[2]} {ids[0]}\n{ids[0]} {ids[1]}\n")
    assert (graph.node_ids.tolist(), arcs(graph)) == (ids, [(0, 1), (2, 0)])


def test_gaps_stay_nodes_when_ids_are_kept(tmp_path: Path) -> None:
    graph = read(tmp_path, "2 5\n", compact=False)
    assert (graph.num_nodes, arcs(graph), graph.id_base, graph.node_ids) == (6, [(2, 5)], 0, None)


def test_an_empty_edge_list_is_an_empty_graph(tmp_path: Path) -> None:
    graph = read(tmp_path, "# nothing\n")
    assert (graph.num_nodes, graph.num_edges) == (0, 0)


@pytest.mark.parametrize("text", ["1 2\n2 3\n", "5 9\n9 12\n", "0 1\n1 2\n"])
def test_dense_id_undoes_file_id(text: str, tmp_path: Path) -> None:
    graph = read(tmp_path, text)
    assert [graph.dense_id(graph.file_id(node)) for node in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "asked", "range_text"),
    [
        ("1 2\n2 3\n", 0, "its 3 nodes are 1..3"),
        ("1 2\n2 3\n", 4, "its 3 nodes are 1..3"),
        ("5 9\n9 12\n", 6, "its 3 nodes are 5..12 with gaps"),
        ("5 9\n9 12\n", 2**70, "its 3 nodes are 5..12 with gaps"),
        ("# none\n", 0, "the graph has no nodes"),
    ],
)
def test_an_absent_id_is_refused_with_the_range(text: str, asked: int, range_text: str, tmp_path: Path) -> None:
    graph = read(tmp_path, text)
    with pytest.raises(IrglError) as caught:
        graph.dense_id(asked)
    assert caught.value.message == f"there is no node {asked}: {range_text}"


def test_in_edges_of_a_directed_graph_name_the_out_edges(tmp_path: Path) -> None:
    graph = read(tmp_path, "0 2\n1 2\n2 0\n0 2\n1 0\n")
    in_row, in_src, in_edge = graph.transpose()
    assert (in_row.tolist(), in_src.tolist(), in_edge.tolist()) == ([0, 2, 2, 5], [1, 2, 0, 0, 1], [3, 4, 0, 1, 2])


def test_in_edges_of_an_undirected_graph_are_its_rows() -> None:
    graph = load("cycle:5", use_cache=False)
    in_row, in_src, _ = graph.transpose()
    assert in_row is graph.row and in_src is graph.dst


MULTIGRAPHS = {
    "sorted and simple": "p tw 4 4\n1 2\n1 3\n2 3\n3 4\n",
    "parallel edges": "p tw 3 5\n1 2\n1 2\n3 1\n1 2\n2 3\n",
    "self-loops": "p tw 2 4\n1 1\n1 2\n2 2\n2 2\n",
    "weights": "%%MatrixMarket matrix coordinate real symmetric\n3 3 6\n2 1 5\n2 1 3\n2 1 5\n3 3 1\n3 1 2\n3 3 2\n",
}


@pytest.mark.parametrize("text", MULTIGRAPHS.values(), ids=MULTIGRAPHS)
def test_the_reverse_of_the_reverse_of_an_arc_is_the_arc(text: str, tmp_path: Path) -> None:
    in_edge = read(tmp_path, text).transpose().in_edge
    assert in_edge[in_edge].tolist() == list(range(len(in_edge)))


@pytest.mark.parametrize("text", MULTIGRAPHS.values(), ids=MULTIGRAPHS)
def test_an_arc_and_its_reverse_swap_ends_and_share_the_weight(text: str, tmp_path: Path) -> None:
    graph = read(tmp_path, text)
    back = graph.transpose().in_edge
    assert [(v, u) for u, v in arcs(graph)] == [arcs(graph)[k] for k in back]
    assert graph.weight is None or (graph.weight[back] == graph.weight).all()


def test_undirected_takes_a_line_and_its_mirror_image_as_one_edge(tmp_path: Path) -> None:
    graph = read(tmp_path, "0 1\n1 0\n1 2\n2 2\n", undirected=True)
    assert (arcs(graph), graph.directed) == ([(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)], False)


def test_undirected_says_how_many_arcs_it_added(tmp_path: Path) -> None:
    assert read(tmp_path, "0 1\n1 2\n2 1\n", undirected=True).changed == ("added 1 reverse arc",)


def test_a_symmetric_matrix_is_undirected_without_a_word(tmp_path: Path) -> None:
    graph = read(tmp_path, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", undirected=True)
    assert (arcs(graph), graph.changed) == ([(0, 1), (1, 0)], ())
