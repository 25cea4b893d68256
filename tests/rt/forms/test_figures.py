"""What decides between forms, before any is built: figures worked out by hand."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from support.awkward_graphs import directed
from support.programs import PLACE

from irgl.rt.forms.figures import mean_run, on_diagonals, sizes
from irgl.rt.graphs.orders.inside import inside

#: 0 -> 1, 2, 3; 2 -> 0, 3: in clusters of two nodes lie 0 -> 1 and 2 -> 3.
GRAPH = directed(4, [(0, 1), (0, 2), (0, 3), (2, 0), (2, 3)])
SRC, DST = GRAPH.sources(), GRAPH.dst


@pytest.mark.parametrize(("bits", "share"), [(0, 0.0), (1, 0.4), (2, 1.0)])
def test_edges_inside_clusters_are_counted(bits: int, share: float) -> None:
    assert inside(SRC, DST, bits) == share


def test_an_order_moves_nodes_into_other_clusters() -> None:
    assert inside(SRC, DST, 1, np.array([0, 2, 1, 3])) == 0.4  # 0 -> 2 and 2 -> 0


def test_edges_on_diagonals_that_are_half_full_are_counted() -> None:
    # Of diagonal 1 two of three places, of 3 its only one, of 2 and -2 one of two: all five.
    assert on_diagonals(SRC, DST, 4) == 1.0


def test_edges_on_sparse_diagonals_are_not_counted() -> None:
    src, dst = np.array([0, 0, 1, 2]), np.array([3, 1, 2, 1])
    assert on_diagonals(src, dst, 4) == 0.75  # diagonal -1 has one edge at three places


@pytest.mark.parametrize(("bits", "mean"), [(0, 1.0), (1, 1.25), (2, 2.5)])
def test_a_run_is_of_one_row_within_a_tile(bits: int, mean: float) -> None:
    assert mean_run(SRC, DST, bits) == mean


def test_a_run_need_not_stand_together() -> None:
    assert mean_run(np.array([0, 0, 0]), np.array([0, 2, 1]), 1) == 1.5


def test_runs_of_rows_that_do_not_ascend_are_counted_in_whatever_way_is_cheap() -> None:
    draw = np.random.default_rng(1)
    for nodes in (30, 4000):  # few tiles beside the edges, and many
        src, dst = np.sort(draw.integers(0, nodes, 300)), draw.integers(0, nodes, 300)
        runs = len({(int(a), int(b) >> 3) for a, b in zip(src, dst, strict=True)})
        assert mean_run(src, dst, 3) == 300 / runs


def test_bytes_are_those_of_ids_and_offsets() -> None:
    found = sizes(GRAPH, "out")
    assert found["csr"] == {"bytes": 4 * 5 + 4 * 5, "per_arc": 8.0}
    assert found["coo"] == {"bytes": 2 * 4 * 5 + 2 * 2 * 4, "per_arc": 11.2}


def irglc(*words: object) -> str:
    return subprocess.run([sys.executable, "-m", "irgl", *map(str, words)], capture_output=True, text=True,
                          check=True, timeout=120).stdout


def test_a_graph_is_told_with_its_clusters_and_bytes() -> None:
    lines = irglc("graph", "info", "path:6").splitlines()
    said = [" ".join(line.split()) for line in lines]
    assert "inside 65536 given 100.0%, degree 100.0%, rcm 100.0%, community 100.0%" in said
    assert "on diagonals 100.0%" in said
    assert "as csr 68 bytes, 6.80 an arc" in said
    assert "as delta 48 bytes, 4.80 an arc, at most" in said
    assert len({line.index(" bytes") for line in lines if line.startswith("as ")}) == 1


@pytest.mark.parametrize(("plan", "told"), [("default", None), ("format=coo", ("g", "in", "coo"))])
def test_a_run_tells_of_its_forms(plan: str, told: tuple[str, ...] | None) -> None:
    found = json.loads(irglc("run", PLACE / "pr_pull.irgl", "--graph", "path:6", "--plan", plan, "--json"))
    forms = found.get("forms", [])
    assert [(f["graph"], f["edges"], f["format"]) for f in forms] == ([told] if told else [])
    assert ("format_ms" in found) == (told is not None)
