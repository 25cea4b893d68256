"""Programs whose loops are driven by data or topology, on the emulated GPU and through nvcc."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import nvcc, simt
from support.awkward_graphs import awkward, random_arcs
from support.covering import Row
from support.programs import path_of

from irgl import driver
from irgl.plan import Plan

PLAIN: Row = {"np": "wp+fg", "cc": "block", "outline": "all", "block": "96", "capacity": "1", "mode": "check",
              "seed": "1"}
DRIVEN = (("bfs_topo", "data"), ("sssp_bf", "data"), ("bfs", "topology"), ("cc", "topology"), ("mis", "topology"),
          ("mst", "topology"))
GRAPHS = {name: awkward()[name] for name in ("empty", "one node", "self-loops", "star")}
GRAPHS["random"] = random_arcs(5, 90, 360)


def test_no_drive_changes_an_answer_on_the_emulated_gpu() -> None:
    runs = [(name, PLAIN | {"drive": word, "outline": outline}) for name, word in DRIVEN
            for outline in ("all", "off")]
    assert simt.complaints(runs, GRAPHS) == []


@pytest.mark.matrix
@pytest.mark.parametrize("other", [{"direction": "hybrid"}, {"frontier": "bytemap"}, {"frontier": "either"},
                                   {"collect": "bitmap"}, {"outline": "graph"}, {"np": "cut"}])
def test_nor_does_what_a_plan_says_besides(other: Row) -> None:
    assert simt.complaints([(name, PLAIN | {"drive": word} | other) for name, word in DRIVEN], GRAPHS) == []


def test_the_first_block_alone_runs_no_round_over_all_nodes() -> None:
    """Whose list is empty, but whose nodes are many."""
    text = driver.compile(path_of("bfs_topo"), target="cuda", plan=Plan.parse("drive=data", "cuda")).text
    assert "!s.whole && irgl::few(irgl::by_degree(g.out(), s.now.items()))" in text


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize(("name", "word"), [("bfs_topo", "data"), ("bfs", "topology"), ("falcon/sssp.fal", "data")])
@pytest.mark.parametrize("architectures", nvcc.ARCHITECTURES)
def test_nvcc_compiles_each_kind_without_a_warning(name: str, word: str, architectures: tuple[int, ...],
                                                         tmp_path: Path) -> None:
    program = path_of("bfs").parent / name if "/" in name else name
    assert nvcc.complaints([program], [nvcc.DEFAULT | {"drive": word}], tmp_path, architectures) == []
