"""Results by the caller's names: of nodes, of edges, and in the fields of structs, whatever the file numbers from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import irgl
from irgl.cli.main import main
from irgl.source import IrglError

TEXT = """
struct Best { int hops; node who; };
graph Graph { node Best best; edge double jaccard = 0; edge node far = NONE; }

Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    if (n.degree > 0) { n.best = (Best){1, n.edges[0].dst}; } else { n.best = (Best){0, NONE}; }
    ForAll (e In n.edges) {
      int common = 0;
      ForAll (f In n.edges) { ForAll (h In e.dst.edges) { if (f.dst == h.dst) { common += 1; } } }
      e.jaccard = (double)common / (n.degree + e.dst.degree - common);
      e.far = e.dst;
    }
  }
}

Program main(Graph g) { Invoke look(g); }
"""
ROADS = "p sp 3 2\na 1 2 5\na 2 3 7\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("named") / "look.irgl"
    path.write_text(TEXT, encoding="utf-8")
    return irgl.compile(path)


@pytest.fixture
def roads(tmp_path: Path) -> Path:
    path = tmp_path / "roads.gr"
    path.write_text(ROADS, encoding="utf-8")
    return path


def run(program: Any, graph: Path, *words: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", program.manifest.path, "--graph", str(graph), *words])
    assert ended.value.code == 0


def test_a_node_in_a_struct_is_the_files(program: Any, roads: Path) -> None:
    assert program(roads).best["who"].tolist() == [2, 3, -1]


def test_a_node_in_a_struct_has_its_name(program: Any) -> None:
    found = program(nx.DiGraph([("a", "b"), ("b", "c")]))
    assert found.named("best") == {"a": (1, "b"), "b": (1, "c"), "c": (0, None)}


def test_none_in_a_struct_is_not_finite(program: Any, roads: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(program, roads, "--json")
    who = json.loads(capsys.readouterr().out)["result"]["best"]["fields"]["who"]
    assert (who["count"], who["min"], who["max"], who["sum"]) == (2, 2, 3, 5)


def test_a_saved_struct_has_the_files_nodes(program: Any, roads: Path, tmp_path: Path) -> None:
    run(program, roads, "--out", str(tmp_path / "o.npz"))
    assert np.load(tmp_path / "o.npz")["best"]["who"].tolist() == [2, 3, -1]


GRAPHS = {
    "karate": lambda: nx.relabel_nodes(nx.karate_club_graph(), lambda n: f"member {n}"),
    "women": nx.davis_southern_women_graph,
    "families": nx.les_miserables_graph,
}


@pytest.mark.parametrize("name", GRAPHS)
def test_results_by_name_are_networkxs(program: Any, name: str) -> None:
    graph = GRAPHS[name]()
    one_way = {(u, v): x for u, v, x in nx.jaccard_coefficient(graph, graph.edges)}
    wanted = one_way | {(v, u): x for (u, v), x in one_way.items()}
    found = program(graph)
    assert found.named("jaccard") == pytest.approx(wanted)
    source, target, value = found.edges("jaccard")
    assert dict(zip(zip(source.tolist(), target.tolist(), strict=True), value.tolist(), strict=True)) == (
        pytest.approx(wanted))  # fmt: skip
    assert found.named("far") == {(u, v): v for u, v in wanted}
    hops = irgl.programs.bfs(graph, src=list(graph)[3]).named("hops")
    assert hops == dict(nx.single_source_shortest_path_length(graph, list(graph)[3]))


def test_edges_have_the_ends_of_the_file(program: Any, roads: Path) -> None:
    found = program(roads).edges("far")
    assert tuple(column.tolist() for column in found) == ([1, 2], [2, 3], [2, 3])


def test_edges_are_a_table(program: Any) -> None:
    pandas = pytest.importorskip("pandas")
    found = program(nx.DiGraph([("a", "b"), ("c", "b")])).edges("jaccard", "pandas")
    assert found.equals(pandas.DataFrame({"source": ["a", "c"], "target": ["b", "b"], "jaccard": [0.0, 0.0]}))


def test_edges_are_a_matrix(program: Any) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    triangle = sparse.csr_array(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    found = program(triangle).edges("jaccard", "scipy")
    assert np.allclose(found.toarray(), triangle.toarray() / 3)


def test_parallel_edges_are_no_dict(program: Any) -> None:
    found = program([(0, 1), (0, 1)])
    with pytest.raises(IrglError, match="several edges lead from 0 to 1"):
        found.named("jaccard")
    assert len(found.edges("jaccard").value) == 2


def test_a_result_called_edges_is_found_by_its_name() -> None:
    assert irgl.programs.mst(nx.cycle_graph(5)).edges == 4
