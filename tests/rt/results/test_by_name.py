"""Results by the names of the caller's nodes: dicts, arrays, data frames and matrices."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import irgl
from irgl.rt.call.callable import Program

MARKS = """struct Offer { int cost; node who; };
graph Graph {
  node node parent = NONE; node Offer best = (Offer){INF, NONE}; edge int w; edge int twice = 0; edge node head = NONE;
  edge Offer offer = (Offer){0, NONE};
}
Kernel mark(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) {
    e.dst.best min= (Offer){e.w, n};
    e.twice = 2 * e.w;
    if (e.w > 1) { e.head = e.dst; e.offer = (Offer){e.w, e.dst}; }
  } }
}
Kernel adopt(Graph g) { ForAll (n In g.nodes) { n.parent = n.best.who; } }
Program marks(Graph g) { Invoke mark(g); Invoke adopt(g); }
"""
BETWEEN = """graph Graph { node bool unused = false; edge long common = 0; }
Kernel count(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) {
    long found = 0;
    For (a In n.edges) { For (b In e.dst.edges) { if (a.dst == b.dst) { found += 1; } } }
    e.common = found;
  } }
}
Program common(undirected Graph g) { Invoke count(g); }
"""


@pytest.fixture(scope="module", params=["cpu", "ref"])
def marks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("programs") / "marks.irgl"
    path.write_text(MARKS)
    return irgl.compile(path, target=request.param)


@pytest.fixture(scope="module")
def common(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("programs") / "common.irgl"
    path.write_text(BETWEEN)
    return irgl.compile(path, target="cpu")


@pytest.fixture
def from_one(tmp_path: Path) -> str:
    """A file whose nodes are 1, 2 and 3."""
    (tmp_path / "three.gr").write_text("p sp 3 2\na 1 2 5\na 2 3 1\n")
    return str(tmp_path / "three.gr")


NAMED = nx.DiGraph([("a", "b", {"weight": 5}), ("b", "c", {"weight": 1})])


# Nodes in structs


def test_nodes_in_structs_are_the_ids_of_the_file(marks: Program, from_one: str) -> None:
    found = marks(from_one)
    assert found.parent.tolist() == [-1, 1, 2]
    assert found.best["who"].tolist() == [-1, 1, 2]
    assert found.best["cost"].tolist() == [2**31 - 1, 5, 1]


def test_nodes_in_structs_are_named(marks: Program, from_one: str) -> None:
    assert marks(from_one).named("best") == {1: (2**31 - 1, None), 2: (5, 1), 3: (1, 2)}
    assert marks(NAMED).named("best") == {"a": (2**31 - 1, None), "b": (5, "a"), "c": (1, "b")}


def test_structs_of_numbered_nodes_are_the_memory_of_the_run(marks: Program) -> None:
    found = marks(NAMED)
    assert found.best is found.best and found.best["who"].tolist() == [-1, 0, 1]


def test_statistics_of_nodes_in_structs_leave_none_out(from_one: str, tmp_path: Path) -> None:
    (tmp_path / "marks.irgl").write_text(MARKS)
    done = subprocess.run([sys.executable, "-m", "irgl", "run", str(tmp_path / "marks.irgl"), "--graph", from_one,
                           "--json", "--out", str(tmp_path / "out.npz")], capture_output=True, text=True, check=True)
    results = json.loads(done.stdout)["result"]
    assert results["best"]["fields"]["who"] == results["parent"]
    assert results["parent"] == {"dtype": "int64", "min": 1, "max": 2, "sum": 3, "count": 2}
    with np.load(tmp_path / "out.npz") as out:
        assert out["best"]["who"].tolist() == out["parent"].tolist() == [-1, 1, 2]


# Edges


def test_an_edge_property_by_the_names_of_the_ends(marks: Program, from_one: str) -> None:
    assert marks(NAMED).named("twice") == {("a", "b"): 10, ("b", "c"): 2}
    assert marks(from_one).named("twice") == {(1, 2): 10, (2, 3): 2}


def test_nodes_in_an_edge_property_are_named(marks: Program) -> None:
    assert marks(NAMED).named("head") == {("a", "b"): "b", ("b", "c"): None}
    assert marks(NAMED).named("offer") == {("a", "b"): (5, "b"), ("b", "c"): (0, None)}


def test_edges_as_arrays_of_names(marks: Program, from_one: str) -> None:
    source, target, value = marks(NAMED).edges("twice")
    assert (source.tolist(), target.tolist(), value.tolist()) == (["a", "b"], ["b", "c"], [10, 2])
    found = marks(from_one).edges("head")
    assert (found.source.tolist(), found.target.tolist(), found.value.tolist()) == ([1, 2], [2, 3], [2, -1])


def test_structs_of_edges_as_arrays(marks: Program) -> None:
    value = marks(NAMED).edges("offer").value
    assert (value["cost"].tolist(), value["who"].tolist()) == ([5, 0], ["b", None])


def test_names_of_any_kind_stay_as_they_are(marks: Program) -> None:
    given = nx.DiGraph([((0, 1), "x", {"weight": 2}), ("x", 7, {"weight": 3})])
    found = marks(given).edges("twice")
    assert [*zip(found.source, found.target, found.value.tolist(), strict=True)] == [((0, 1), "x", 4), ("x", 7, 6)]


def test_an_undirected_graph_has_both_directions_of_an_edge(common: Program) -> None:
    found = common(nx.Graph([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])).named("common")
    assert found["a", "b"] == found["b", "a"] == 1 and found["d", "c"] == 0 and len(found) == 8


def test_results_by_name_are_those_of_networkx(common: Program) -> None:
    club = nx.relabel_nodes(nx.karate_club_graph(), lambda k: f"member {k}")
    found = common(club).named("common")
    assert {e: found[e] for e in club.edges} == {(u, v): len([*nx.common_neighbors(club, u, v)]) for u, v in club.edges}
    search = irgl.compile("bfs", target="cpu")
    assert search(club, src="member 3").named("hops") == nx.single_source_shortest_path_length(club, "member 3")


def test_a_result_called_edges_goes_before_the_method() -> None:
    assert irgl.compile("mst", target="cpu")(nx.cycle_graph(5)).edges == 4


def test_an_empty_graph_has_no_edges(marks: Program) -> None:
    assert marks(nx.DiGraph()).named("twice") == {}
    assert [len(part) for part in marks(nx.DiGraph()).edges("twice")] == [0, 0, 0]


def test_parallel_edges_have_no_dict_and_no_matrix(marks: Program) -> None:
    found = marks(nx.MultiDiGraph([("a", "b", {"weight": 5}), ("a", "b", {"weight": 1})]))
    with pytest.raises(irgl.IrglError, match="several edges lead from 'a' to 'b'"):
        found.named("twice")
    with pytest.raises(irgl.IrglError, match="`twice` is of a graph with parallel edges"):
        found.edges("twice", "scipy")
    assert sorted(found.edges("twice").value.tolist()) == [2, 10]


def test_edges_as_a_matrix(marks: Program) -> None:
    given = sp.csr_array(np.array([[0, 5, 0], [0, 0, 2], [1, 0, 0]]))
    found = marks(given)
    matrix = found.edges("twice", "scipy")
    assert (matrix != 2 * given).nnz == 0 and matrix.shape == (3, 3)
    assert not np.shares_memory(matrix.data, found.twice) and not np.shares_memory(matrix.indices, given.indices)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_edges_as_a_data_frame(marks: Program, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {}
    monkeypatch.setitem(sys.modules, library, types.SimpleNamespace(DataFrame=made.update))
    found = marks(NAMED)
    found.edges("twice", library)
    assert {name: column.tolist() for name, column in made.items()} == {
        "source": ["a", "b"], "target": ["b", "c"], "twice": [10, 2]}
    made.clear()
    found.edges("offer", library)
    assert {name: column.tolist() for name, column in made.items()} == {
        "source": ["a", "b"], "target": ["b", "c"], "offer.cost": [5, 0], "offer.who": ["b", None]}


@pytest.mark.parametrize(("ask", "message", "hint"), [
    (lambda f: f.edges("parent"), "marks has no edge property `parent`", "it has twice, head, offer"),
    (lambda f: f.named("nothing"), "marks has no property `nothing`", "it has parent, best, twice, head, offer"),
    (lambda f: f.edges("twice", "table"), "there is no form 'table' of edges",
     "there are arrays, pandas, polars, scipy"),
    (lambda f: f.edges("offer", "scipy"), "`offer` is a struct, and a matrix holds numbers",
     'take "arrays", or a data frame'),
])  # fmt: skip
def test_what_there_is_not_is_refused(marks: Program, ask: Any, message: str, hint: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        ask(marks(NAMED))
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_a_library_that_is_not_installed_is_named(marks: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(irgl.IrglError, match="polars is not installed\n  hint: pip install polars"):
        marks(NAMED).edges("twice", "polars")
