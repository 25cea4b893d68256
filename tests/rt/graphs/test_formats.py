"""Every format against another library's reader or writer, and told by content alone."""

from __future__ import annotations

import gzip
import lzma
import re
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.source import IrglError


def arcs(graph: Graph) -> Counter[Any]:
    """How often each (source, target, weight) occurs, by file ids."""
    ids = graph.file_ids()
    weight = graph.weight if graph.weight is not None else np.ones(graph.num_edges, np.int64)
    return Counter(zip(ids[graph.sources()].tolist(), ids[graph.dst].tolist(), weight.tolist(), strict=True))


def read(path: Path, **options: Any) -> Graph:
    return load(str(path), use_cache=False, **options)


def sparse(seed: int, kind: str = "real") -> Any:
    rng = np.random.default_rng(seed)
    values = rng.integers(-9, 10, 40) if kind == "integer" else rng.normal(size=40)
    matrix = scipy.sparse.coo_array((values, (rng.integers(0, 15, 40), rng.integers(0, 15, 40))), shape=(15, 15))
    matrix.sum_duplicates()
    return matrix


def expected(matrix: Any, base: int) -> Counter[Any]:
    m = matrix.tocoo()
    return Counter(zip((m.row + base).tolist(), (m.col + base).tolist(), m.data.tolist(), strict=True))


@pytest.mark.parametrize("kind", ["integer", "real"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
def test_matrix_market_is_read_as_scipy_reads_it(kind: str, symmetry: str, tmp_path: Path) -> None:
    matrix = sparse(3, kind)
    if symmetry != "general":
        matrix = (matrix + matrix.T if symmetry == "symmetric" else matrix - matrix.T).tocoo()
        matrix.eliminate_zeros()
    scipy.io.mmwrite(tmp_path / "m.mtx", matrix, field=kind, symmetry=symmetry, precision=17)
    graph = read(tmp_path / "m.mtx")
    assert arcs(graph) == expected(scipy.io.mmread(tmp_path / "m.mtx"), 1)
    assert graph.directed == (symmetry != "symmetric")


def test_a_pattern_matrix_has_no_weights(tmp_path: Path) -> None:
    scipy.io.mmwrite(tmp_path / "m.mtx", sparse(4), field="pattern")
    assert read(tmp_path / "m.mtx").weight is None


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_npz_is_read_as_scipy_wrote_it(layout: str, tmp_path: Path) -> None:
    matrix = sparse(5).asformat(layout)
    scipy.sparse.save_npz(tmp_path / "m.npz", matrix)
    assert arcs(read(tmp_path / "m.npz")) == expected(matrix, 0)


@pytest.mark.parametrize(
    ("dtype", "weight"),
    [("bool", None), ("int8", "int32"), ("uint32", "int64"), ("float32", "float32"), ("float64", "float64")],
)
def test_npz_values_choose_the_weights_type(dtype: str, weight: str | None, tmp_path: Path) -> None:
    scipy.sparse.save_npz(tmp_path / "m.npz", scipy.sparse.csr_array(np.eye(3, dtype=dtype)))
    found = read(tmp_path / "m.npz").weight
    assert (found.dtype.name if found is not None else None) == weight


def test_an_edge_list_is_read_as_networkx_wrote_it(tmp_path: Path) -> None:
    graph = nx.gnp_random_graph(30, 0.2, seed=1, directed=True)
    nx.write_edgelist(graph, tmp_path / "g.el", data=False)
    assert arcs(read(tmp_path / "g.el")) == Counter((u, v, 1) for u, v in graph.edges())


def test_a_weighted_edge_list_is_read_as_networkx_wrote_it(tmp_path: Path) -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from((u, v, (u * 7 + v) / 3) for u, v in nx.gnp_random_graph(20, 0.3, seed=2).edges())
    nx.write_weighted_edgelist(graph, tmp_path / "g.wel")
    assert arcs(read(tmp_path / "g.wel")) == Counter(graph.edges(data="weight"))


@pytest.mark.parametrize("heading", ["source,target,weight", "id_1, id_2, w", '"from node","to node",x', "u\tv\tw"])
def test_a_heading_is_left_out_and_told_of(heading: str, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(f"# made by hand\n{heading}\n0,1,5\n1,2,6\n")
    found = read(tmp_path / "g.csv")
    assert arcs(found) == Counter({(0, 1, 5): 1, (1, 2, 6): 1})
    names = [name.strip(' "') for name in heading.replace("\t", ",").split(",")]
    assert found.changed == (f"left out the heading: {', '.join(names)}",)


@pytest.mark.parametrize("text", ['"0","1","5"\n"1", "2","-6"\n', 'u,v,"w"\n"0",1,5\n1,"2",-6\n',
                                  "u,v,w,\n0,1,5,\n1,2,-6,\n"],
                         ids=["quoted", "quoted here and there", "a comma at the end"])
def test_edges_stand_between_the_marks_of_csv_files(text: str, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(text)
    assert arcs(read(tmp_path / "g.csv")) == Counter({(0, 1, 5): 1, (1, 2, -6): 1})


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compression_is_told_by_content(pack: Any, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_bytes(pack(b"0 1\n1 2\n"))
    assert arcs(read(tmp_path / "g.txt")) == Counter({(0, 1, 1): 1, (1, 2, 1): 1})


def test_several_gzip_members_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(gzip.compress(b"0 1\n") + gzip.compress(b"1 2\n"))
    assert read(tmp_path / "g").num_edges == 2


@pytest.mark.parametrize(
    ("text", "weight"),
    [("0 1 3\n", np.int32), (f"0 1 {2**31}\n", np.int64), ("0 1 3\n1 0 2.5\n", np.float64), ("0 1 1e3\n", np.float64)],
)
def test_weights_choose_the_narrowest_type_that_holds_them(text: str, weight: Any, tmp_path: Path) -> None:
    (tmp_path / "g").write_text(text)
    assert read(tmp_path / "g").weight.dtype == weight


def galois(version: int, width: int) -> bytes:
    """Arcs 0->1 (5), 0->2 (6), 2->0 (7) of 4 nodes."""
    head = struct.pack("<4Q4Q", version, width, 4, 3, 2, 2, 3, 3)
    targets = struct.pack("<3I4x" if version == 1 else "<3Q", 1, 2, 0)
    return head + targets + {0: b"", 4: struct.pack("<3i", 5, 6, 7), 8: struct.pack("<3q", 5, 6, 7)}[width]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("width", [0, 4, 8])
def test_galois_binaries_are_read_by_their_layout(version: int, width: int, tmp_path: Path) -> None:
    (tmp_path / "g.gr").write_bytes(galois(version, width))
    a, b, c = (5, 6, 7) if width else (1, 1, 1)
    graph = read(tmp_path / "g.gr")
    assert (graph.num_nodes, arcs(graph)) == (4, Counter({(0, 1, a): 1, (0, 2, b): 1, (2, 0, c): 1}))


def test_galois_targets_are_mapped_not_copied(tmp_path: Path) -> None:
    (tmp_path / "g.gr").write_bytes(galois(1, 4))
    dst = read(tmp_path / "g.gr").dst
    assert not dst.flags.owndata and not dst.flags.writeable


def test_galois_weights_are_floats_where_the_format_says_so(tmp_path: Path) -> None:
    data = galois(1, 4)[:-12] + struct.pack("<3f", 0.5, 1.5, -2.0)
    (tmp_path / "g.gr").write_bytes(data)
    assert read(tmp_path / "g.gr", format="galois-float").weight.tolist() == [0.5, 1.5, -2.0]


METIS = {
    "plain": ("% c\n4 3\n2\n1 3\n2 4\n3\n", {(1, 2), (2, 3), (3, 4)}),
    "isolated nodes": ("4 1\n\n3\n2\n\n", {(2, 3)}),
    "comments between rows": ("3 2\n2\n% here\n1 3\n2\n% end\n", {(1, 2), (2, 3)}),
    "vertex weights": ("3 2 10\n9 2\n9 1 3\n9 2\n", {(1, 2), (2, 3)}),
    "two vertex weights": ("3 2 10 2\n9 8 2\n9 8 1 3\n9 8 2\n", {(1, 2), (2, 3)}),
    "vertex sizes": ("3 2 100\n9 2\n9 1 3\n9 2\n", {(1, 2), (2, 3)}),
    "first digit for loops": ("3 2 100\n2\n1 3\n2\n", {(1, 2), (2, 3)}),
    "edge weights": ("3 2 1\n2 5\n1 5 3 6\n2 6\n", {(1, 2), (2, 3)}),
    "all": ("3 2 111\n1 9 2 5\n1 9 1 5 3 6\n1 9 2 6\n", {(1, 2), (2, 3)}),
    "a ring, whose rows look like an edge list": ("4 4\n2 4\n1 3\n2 4\n1 3\n", {(1, 2), (2, 3), (3, 4), (1, 4)}),
}


@pytest.mark.parametrize(("text", "wanted"), METIS.values(), ids=METIS)
def test_metis_is_told_by_content_and_read(text: str, wanted: set[tuple[int, int]], tmp_path: Path) -> None:
    (tmp_path / "g").write_text(text)
    graph = read(tmp_path / "g")
    assert {(u, v) for u, v, _ in arcs(graph) if u < v} == wanted and not graph.directed


def test_metis_edge_weights_go_with_their_edges(tmp_path: Path) -> None:
    (tmp_path / "g").write_text(METIS["all"][0])
    assert arcs(read(tmp_path / "g")) == Counter({(1, 2, 5): 1, (2, 1, 5): 1, (2, 3, 6): 1, (3, 2, 6): 1})


def test_metis_that_lists_each_edge_once_is_directed(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("3 3\n2 3\n\n1\n")
    graph = read(tmp_path / "g")
    assert graph.directed and set(arcs(graph)) == {(1, 2, 1), (1, 3, 1), (3, 1, 1)}


LIGRA = {
    "a number a line": ("AdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n3\n0\n", {(0, 1, 1), (0, 3, 1), (2, 0, 1)}),
    "blanks between": ("AdjacencyGraph\r\n3 2\r\n0 1  1\r\n2 0", {(0, 2, 1), (2, 0, 1)}),
    "weights": ("WeightedAdjacencyGraph\n2\n2\n0\n1\n1\n0\n-5\n7\n", {(0, 1, -5), (1, 0, 7)}),
    "real weights": ("WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n2.5\n", {(0, 1, 2.5)}),
    "no edges": ("AdjacencyGraph\n2\n0\n0\n0\n", set()),
}


@pytest.mark.parametrize(("text", "wanted"), LIGRA.values(), ids=LIGRA)
def test_ligras_text_is_told_by_its_first_line(text: str, wanted: set[tuple[int, int, float]], tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(text.encode())
    graph = read(tmp_path / "g")
    assert arcs(graph) == Counter(wanted)
    assert graph.directed and graph.num_nodes == int(text.split()[1])


NOT_METIS = ["3 1\n1 2\n2 3\n3 1\n", "3 3\n1 2\n2 3\n3 2\n", "2 1 1\n1 2 5\n2 1 5\n", "1 1\n"]


@pytest.mark.parametrize("text", NOT_METIS)
def test_an_edge_list_whose_first_line_could_be_a_header_stays_one(text: str, tmp_path: Path) -> None:
    (tmp_path / "g").write_text(text)
    assert read(tmp_path / "g").num_edges == text.count("\n")


def test_groups_are_joined_in_pairs_once(tmp_path: Path) -> None:
    (tmp_path / "g").write_text(" 4\n 1 2 3\n 2 1\n 7 7\n")
    graph = read(tmp_path / "g", format="cliques")
    assert {(u, v) for u, v, _ in arcs(graph) if u < v} == {(1, 2), (1, 3), (2, 3)}
    assert (graph.file_ids().tolist(), graph.num_edges) == ([1, 2, 3, 4, 7], 6)


def test_progress_tells_stages_and_fractions(tmp_path: Path) -> None:
    told: list[tuple[str, float | None]] = []
    (tmp_path / "g").write_text("0 1\n")
    read(tmp_path / "g", progress=lambda stage, fraction: told.append((stage, fraction)))
    assert [stage for stage, _ in told] == ["open", "read", "build"] and 0 < (told[1][1] or 0) <= 1


@pytest.mark.parametrize("text", [
    "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n", "c x\np sp 3 2\na 1 2 5\na 2 3 7\n",
    "1 2\n2 3\n", "# c\n1 2\n2 3\n", "3 2\n2\n1 3\n2\n", "1 3 0\n1 1 2 3\n",
])
def test_windows_mark_and_line_ends_change_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(text.encode())
    (tmp_path / "b").write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    assert arcs(read(tmp_path / "b")) == arcs(read(tmp_path / "a"))


@pytest.mark.parametrize(("text", "said"), [
    ("0 1 2\n1 2\n", ":2: error: expected 'source target weight', found 2 items"),
    ("0 1 2 3\n1 2 3 4\n", ":1: error: an edge is 'source target' or 'source target weight', found 4 items"),
])
def test_rows_of_an_edge_list_with_other_items_are_told_as_such(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "g").write_text(text)
    with pytest.raises(IrglError, match=re.escape(said)):
        read(tmp_path / "g")
