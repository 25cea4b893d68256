"""Command lines of people who are new to irglc: each message names the cause and what to type."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.cli.main import exit_code

FILES = {
    "g.el": "1 2\n2 3\n",
    "g.mtx": "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
    "g.gr": "c a graph\np sp 2 1\na 1 2 5\n",
    "g.html": "<!DOCTYPE html>\n<html><body>404</body></html>\n",
    "g.json": '{"directed": false, "nodes": [{"id": 0}], "links": []}\n',
    "rows.json": "[[0, 1], [1, 2]]\n",
    "g.graphml": '<?xml version="1.0"?>\n<graphml xmlns="x">\n</graphml>\n',
    "g.gml": "graph [\n  node [ id 0 ]\n]\n",
    "kernels.irgl": "graph G { node int d; }\nKernel k(G g) { ForAll (n In g.nodes) { n.d = 0; } }\n",
    "widest.irgl": "graph G { node int d; }\nKernel k(G g) { ForAll (n In g.nodes) { n.d = 0; } }\n"
                   "Program widest(G g) { Invoke k(g); }\n",
}
MISTAKES = [
    ("widest.irgl", "No such command 'widest.irgl'", "irglc run widest.irgl"),
    ("bfs --graph g.el", "No such command 'bfs'", "irglc run bfs --graph g.el"),
    ("compil bfs", "No such command 'compil'", "irglc compile"),
    ("help", "No such command 'help'", "irglc --help"),
    ("run --graph g.el", "Missing argument 'PROGRAM'", "irglc programs"),
    ("run bfs", "no graph is given", "--graph FILE"),
    ("run bfs g.el", "unexpected extra argument (g.el)", "--graph g.el"),
    ("run bfs --graph nope.el", "nope.el: error: no such file", "rmat:16"),
    ("run bfs --graph rmat", "no such file", "rmat:16"),
    ("run bfs --graph rmta:10", "neither a file nor a generator", "rmat"),
    ("run bfs --graph g.html", "this is a page of HTML", "Fetch"),
    ("run bfs --graph g.json", "this is JSON", "nx.node_link_graph"),
    ("run bfs --graph rows.json", "this is JSON", "in Python"),
    ("run bfs --graph g.graphml", "this is GraphML", "nx.read_graphml"),
    ("run bfs --graph g.gml", "this is GML", "nx.read_gml"),
    ("run bsf --graph g.el", "no program of that name", "bfs"),
    ("run nofile.irgl --graph g.el", "can't read it", "irglc programs"),
    ("run g.el --graph g.el", "this is a graph, not a program", "irglc run PROGRAM --graph g.el"),
    ("run g.mtx --graph g.el", "this is a graph, not a program", "--graph g.mtx"),
    ("run g.gr --graph g.el", "this is a graph, not a program", "--graph g.gr"),
    ("run kernels.irgl --graph g.el", "there is no Program to run", "Program name(Graph g)"),
    ("run bfs --graph g.el --plan grian=3", "no plan option is called `grian`", "did you mean grain"),
    ("run bfs --graph g.el --plan grain3", "`grain3` is no part of a plan", "grain=VALUE"),
    ("run bfs --graph g.el --plan grain=few", "`grain=few`: it takes a whole number", "grain: work"),
    ("run bfs --graph g.el --target gpu", "'gpu' is not one of", "--target cuda"),
    ("run bfs --graph g.el --target openmp", "'openmp' is not one of", "--target cpu"),
    ("compile bfs --target simt", "'simt' is not one of", "--target cuda"),
    ("run bfs --graph g.el --threads all", "'all' is not a valid integer", "--threads 2"),
    ("run bfs --graph g.el --source 1", "No such option '--source'", "--help"),
]


@pytest.mark.parametrize(("line", "cause", "remedy"), MISTAKES, ids=[line for line, _, _ in MISTAKES])
def test_a_beginner_is_told_of(line: str, cause: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert exit_code(line.split()) == 2
    said, _, hint = capsys.readouterr().err.partition("\n  hint: ")
    assert cause in said
    assert remedy in hint


def test_a_wrong_value_of_a_parameter_is_told_as_it_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "bfs", "--graph", "path:5", "--src", "Bob"]) == 2
    assert capsys.readouterr().err == \
        "error: --src Bob: it takes the number of a node in the graph file, or `first`\n"
