"""What is written reads back the same; files appear in one step; our binary form is laid out as documented."""

from __future__ import annotations

import csv
import os
import struct
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.rt.graphs.readers import binary
from irgl.rt.graphs.writers import convert, write
from irgl.source import IrglError

SPECS = ["rmat:6,degree=4", "rmat:6,degree=4,weights=int", "uniform:5,degree=3,weights=float,min=-2", "grid:4x5"]


def same(a: Graph, b: Graph, *, edge_order: bool = True) -> bool:
    def listed(graph: Graph) -> list[tuple[object, ...]]:
        weight = graph.weight.tolist() if graph.weight is not None else [None] * graph.num_edges
        ids = graph.file_ids() - graph.id_base
        rows = list(zip(ids[graph.sources()].tolist(), ids[graph.dst].tolist(), weight, strict=True))
        return rows if edge_order else sorted(rows, key=repr)

    return listed(a) == listed(b) and a.num_nodes == b.num_nodes and a.directed == b.directed


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("suffix", ["mtx", "mtx.gz", "irglg", "irglg.xz"])
def test_a_written_graph_reads_back_the_same(spec: str, suffix: str, tmp_path: Path) -> None:
    out = str(tmp_path / f"g.{suffix}")
    graph = convert(spec, out, use_cache=False)
    assert same(load(out, use_cache=False), graph, edge_order="mtx" not in suffix)


@pytest.mark.parametrize("spec", SPECS)
def test_a_written_npz_is_scipy_s_matrix(spec: str, tmp_path: Path) -> None:
    graph = convert(spec, str(tmp_path / "g.npz"), use_cache=False)
    matrix = scipy.sparse.load_npz(tmp_path / "g.npz")
    assert matrix.indptr.tolist() == graph.row.tolist() and matrix.indices.tolist() == graph.dst.tolist()
    assert graph.weight is None or matrix.data.tolist() == graph.weight.tolist()


def test_written_dimacs_holds_all_arcs(tmp_path: Path) -> None:
    graph = convert("path:3,weights=int,max=1", str(tmp_path / "g.gr"), use_cache=False)
    assert (tmp_path / "g.gr").read_text() == "p sp 3 4\na 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\n"
    assert load(str(tmp_path / "g.gr"), use_cache=False).dst.tolist() == graph.dst.tolist()


def test_written_matrix_market_is_read_by_scipy(tmp_path: Path) -> None:
    graph = convert("uniform:5,weights=float", str(tmp_path / "g.mtx"), use_cache=False)
    total = scipy.io.mmread(tmp_path / "g.mtx").sum()
    assert total == pytest.approx(float(graph.weight.sum()))


def test_a_written_edge_list_is_read_by_networkx(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("10 20\n20 30\n30 10\n")
    convert(str(tmp_path / "in"), str(tmp_path / "g.el"), use_cache=False)
    graph = nx.read_edgelist(tmp_path / "g.el", create_using=nx.DiGraph, nodetype=int)
    assert set(graph.edges()) == {(10, 20), (20, 30), (30, 10)}


@pytest.mark.parametrize("weights", [None, "int", "float"])
def test_a_written_csv_is_read_by_others_and_back(weights: str | None, tmp_path: Path) -> None:
    graph = convert(f"cycle:5,weights={weights or 'none'}", str(tmp_path / "g.csv"), use_cache=False)
    with (tmp_path / "g.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["source", "target", *(["weight"] if weights else [])]
    read = nx.Graph((int(r["source"]), int(r["target"])) for r in rows)
    assert nx.is_isomorphic(read, nx.cycle_graph(5)) and len(rows) == 5
    assert same(load(str(tmp_path / "g.csv"), undirected=True, use_cache=False), graph, edge_order=False)


def test_an_undirected_edge_is_written_once(tmp_path: Path) -> None:
    convert("path:3", str(tmp_path / "g.el"), use_cache=False)
    assert (tmp_path / "g.el").read_text() == "# 3 nodes, 2 edges, each undirected edge once\n1 0\n2 1\n"


def test_an_edge_list_refuses_nodes_without_edges(tmp_path: Path) -> None:
    with pytest.raises(IrglError, match="an edge list cannot hold the 1 node without edges"):
        convert("path:1", str(tmp_path / "g.el"), use_cache=False)


def test_an_unknown_suffix_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(IrglError) as caught:
        convert("path:3", str(tmp_path / "g.dot"), use_cache=False)
    known = ".mtx, .gr, .el, .wel, .txt, .csv, .npz, .irglg"
    hint = f"suffixes are {known}, also with .gz and .xz"
    assert str(caught.value) == f"error: cannot tell the format of 'g.dot'\n  hint: {hint}"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "g.el").write_text("old")
    with pytest.raises(IrglError):
        convert("path:1", str(tmp_path / "g.el"), use_cache=False)
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"g.el": "old"}


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IrglError, match="can't write it: No such file or directory"):
        convert("path:3", str(tmp_path / "none" / "g.el"), use_cache=False)


def test_written_files_obey_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        convert("path:3", str(tmp_path / "g.el"), use_cache=False)
    finally:
        os.umask(old)
    assert (tmp_path / "g.el").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_the_binary_form_keeps_the_weights_type(dtype: str, tmp_path: Path) -> None:
    write(prepare(load("path:4", use_cache=False), Requirements(weighted=dtype)), str(tmp_path / "g.irglg"))
    weight = load(str(tmp_path / "g.irglg"), use_cache=False).weight
    assert (weight.dtype.name, weight.tolist()) == (dtype, [1] * 6)


@pytest.mark.parametrize("bits", [32, 64])
def test_the_binary_form_keeps_everything_but_coordinates(bits: int, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("10 30 1.5\n30 20 2\n30 10 3\n30 10 3\n")
    need = Requirements(transpose=True, weighted="float64", sorted=True)
    graph = prepare(load(str(tmp_path / "in"), index_bits=bits, use_cache=False), need)
    graph.changed = ("said so",)
    write(graph, str(tmp_path / "g.irglg"))
    back = load(str(tmp_path / "g.irglg"), index_bits=bits, use_cache=False)
    for name in ("row", "dst", "weight", "node_ids"):
        assert getattr(back, name).tolist() == getattr(graph, name).tolist()
        assert getattr(back, name).dtype == getattr(graph, name).dtype
    assert (back.source, back.changed, back.sorted, back.simple) == (graph.source, ("said so",), True, False)
    assert back._transpose is not None and [a.tolist() for a in back._transpose] == [
        a.tolist() for a in graph.transpose()
    ]


@pytest.mark.parametrize(("wrote", "asked"), [(32, 64), (64, 32)])
def test_the_binary_form_takes_the_width_that_is_asked_for(wrote: int, asked: int, tmp_path: Path) -> None:
    graph = prepare(load("r4:4", index_bits=wrote, use_cache=False), Requirements(transpose=True))
    write(graph, str(tmp_path / "g.irglg"))
    back = load(str(tmp_path / "g.irglg"), index_bits=asked, use_cache=False)
    assert {array.dtype.itemsize * 8 for array in (back.row, back.dst, *back.transpose())} == {asked}
    assert back.transpose().in_edge.tolist() == graph.transpose().in_edge.tolist()


def test_the_binary_form_is_mapped_not_copied(tmp_path: Path) -> None:
    convert("path:9", str(tmp_path / "g.irglg"), use_cache=False)
    assert not load(str(tmp_path / "g.irglg"), use_cache=False).dst.flags.owndata


def test_the_binary_header_is_laid_out_as_documented(tmp_path: Path) -> None:
    convert("path:3,weights=int,max=1", str(tmp_path / "g.irglg"), use_cache=False)
    data = (tmp_path / "g.irglg").read_bytes()
    assert data[:8] == b"IRGLCSR1"
    version, flags, nodes, edges, node_bits, edge_bits, kind, reserved, base = struct.unpack_from("<IIQQIIIIq", data, 8)
    assert (version, flags, nodes, edges) == (1, binary.UNDIRECTED | binary.SORTED | binary.WEIGHT, 3, 4)
    assert (node_bits, edge_bits, kind, reserved, base) == (32, 32, 1, 0, 0)
    sections = [struct.unpack_from("<QQ", data, 56 + 16 * k) for k in range(8)]
    assert all(offset % 64 == 0 for offset, _ in sections)
    row, dst, weight = (np.frombuffer(data, "<i4", size // 4, offset).tolist() for offset, size in sections[:3])
    assert (row, dst, weight) == ([0, 1, 3, 4], [1, 0, 2, 1], [1, 1, 1, 1])
    assert [size for _, size in sections[3:7]] == [0, 0, 0, 0]
    offset, size = sections[7]
    assert data[offset : offset + size] == b'{"source": "path:3,weights=int,max=1", "changed": []}'
