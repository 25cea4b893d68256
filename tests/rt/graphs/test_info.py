"""A graph in figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irgl.cli.main import exit_code
from irgl.rt.graphs.info import info
from irgl.rt.graphs.load import load
from irgl.rt.graphs.readers.by_content import FORMATS


def test_figures_of_a_directed_graph(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("10 20 3\n10 20 4\n20 20 5\n30 10 -1\n50 60 2\n")
    graph = load(str(tmp_path / "g"), use_cache=False)
    assert info(graph) == {
        "source": str(tmp_path / "g"),
        "nodes": 5,
        "edges": 5,
        "arcs": 5,
        "directed": True,
        "weights": {"type": "int32", "min": -1, "max": 5},
        "self_loops": 1,
        "parallel_edges": 1,
        "sorted": True,
        "degree": {"min": 0, "mean": 1.0, "max": 2},
        "isolated": 0,
        "components": 2,
        "ids": [10, 60],
        "id_gaps": True,
        "index_bits": 32,
        "coordinates": False,
        "changed": [],
    }


def test_an_undirected_edge_counts_once(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("p tw 4 5\n1 2\n1 2\n3 3\n3 3\n3 1\n")
    found = info(load(str(tmp_path / "g"), use_cache=False))
    assert (found["edges"], found["arcs"], found["self_loops"], found["parallel_edges"]) == (5, 8, 2, 2)


def test_isolated_nodes_have_no_edge_in_or_out(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("p sp 5 1\na 1 2 1\n")
    assert info(load(str(tmp_path / "g"), use_cache=False))["isolated"] == 3


@pytest.mark.parametrize("spec", ["path:0", "points:2"])
def test_graphs_without_edges_have_figures(spec: str) -> None:
    found = info(load(spec, use_cache=False))
    assert (found["edges"], found["components"]) == (0, found["nodes"])


def test_components_are_left_out_on_request() -> None:
    assert info(load("path:5", use_cache=False), components=False)["components"] is None


@pytest.mark.parametrize("name", FORMATS)
def test_the_help_lists_every_format(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", "--help"]) == 0
    about = capsys.readouterr().out.partition("Options \N{BOX DRAWINGS LIGHT HORIZONTAL}")[0]
    assert re.search(rf"(?<![\w-]){name}(?![\w-])", re.sub(r"\s+", " ", about))
