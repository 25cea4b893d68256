"""What is made of an edgeset: its transpose, and its relabelled self, whose vertices keep the file's numbers."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

import irgl
from irgl.cli.main import exit_code

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const sorted : edgeset{Edge}(Vertex, Vertex) = edges.relabel();
const corners : vector{Vertex}(int) = 0;
const reached : vector{Vertex}(int) = 0;
const triangles : int = 0;
func close(src : Vertex, dst : Vertex)
    if dst < src
        corners[src] += intersectNeighbor(edges, src, dst);
    end
end
func reach(src : Vertex, dst : Vertex)
    reached[dst] += 1 + src;
end
"""
GRAPH = nx.gnm_random_graph(30, 120, seed=1)


def found(main: str, graph: nx.Graph = GRAPH) -> irgl.Answer:
    return irgl.compile("t.gt", target="ref", text=f"{HEAD}func main() {main} end")(graph)


@pytest.mark.parametrize("main", [
    "edges = edges.relabel(); edges.apply(close);",
    "edges.relabel().apply(close);",
    "sorted.apply(close);",
    "var few : edgeset{Edge}(Vertex, Vertex) = edges.relabel(); few.apply(close);",
    "for i in 0:1 edges = load(argv[1]); edges = edges.relabel(); edges.apply(close); end",
])
def test_triangles_of_relabelled_edges_are_those_of_the_file(main: str) -> None:
    got = found(f"{main} triangles = corners.sum();")
    assert got.triangles == sum(nx.triangles(GRAPH).values())  # each of three corners is the highest of an edge
    wanted = [sum(len(set(GRAPH[v]) & set(GRAPH[u])) for u in GRAPH[v] if u < v) for v in GRAPH]
    assert got["corners"].tolist() == wanted


@pytest.mark.parametrize("made", ["relabel().transpose()", "transpose().relabel()"])
def test_relabelled_edges_are_turned_round_in_either_order(made: str) -> None:
    arcs = nx.DiGraph([(0, 1), (0, 2), (2, 1)])
    assert found(f"edges.{made}.apply(reach);", arcs)["reached"].tolist() == [5, 0, 2]


def test_a_strict_check_says_who_renumbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.gt"
    file.write_text(HEAD.replace(".relabel()", ".transpose()") + "func main()\n    edges = edges.relabel();\nend\n")
    assert exit_code(["check", "--strict", str(file)]) == 0
    line = HEAD.count("\n") + 2
    assert capsys.readouterr().out == (
        f"{file}:{line}:19: note: vertices keep the numbers of the file here: --plan order=degree lays them out by "
        "degree, where numbers don't reach the answer\n")
