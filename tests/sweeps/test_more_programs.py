"""The further programs (programs/more/) on every target: right under a few plans, and code that nvcc takes.

They have fewer runs than the programs of the folder itself: each is verified on three small graphs, under plans drawn
from a pairwise cover, and those of one program or block are compiled in one text.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.awkward_graphs import awkward, directed
from support.more_programs import complaints, rows_of
from support.nvcc import DEFAULT
from support.nvcc import complaints as complaints_of_nvcc
from support.programs import MORE, PLACE, run_program
from support.simt import complaints as complaints_in_emulator
from support.simt import rows_of as rows_in_emulator

from irgl.rt.graphs.graph import Graph

PLANS = 4
PLANS_IN_EMULATOR = 1


def positive(graph: Graph) -> Graph:
    """The graph with weights above 0, which programs that have lengths ask for."""
    return replace(graph, weight=graph.weight + 1)


def cliques() -> Graph:
    """Cliques of four that share corners, with a tail and two nodes apart: triangles, bridges, parts, weights."""
    ends = [(u + 3 * k, v + 3 * k) for k in range(6) for u in range(4) for v in range(u)]
    return positive(directed(24, [*ends, (18, 19), (19, 20), (21, 22)]))


def placed(graph: Graph) -> Graph:
    """The graph with coordinates, some of which are the same, for programs that want them."""
    at = np.arange(graph.num_nodes)
    return replace(graph, coordinates=np.stack([at * 7 % 11, at * 5 % 13], axis=1).astype(float))


GRAPHS = {"no arcs": placed(awkward()["no arcs"]), "self-loops": placed(positive(awkward()["self-loops"])),
          "cliques": placed(cliques())}
RANDOM = GRAPHS | {"sparse": placed(positive(awkward()["sparse"]))}


@pytest.mark.parametrize("name", MORE)
def test_the_interpreter_s_answer_is_right(name: str) -> None:
    for at, graph in {"empty": placed(awkward()["empty"]), **GRAPHS}.items():
        assert run_program(name, graph, target="ref").wrong() is None, at


@pytest.mark.parametrize("name", MORE)
def test_no_plan_of_the_cpu_changes_an_answer(name: str, tmp_path: Path) -> None:
    assert complaints(name, rows_of(name, PLANS), RANDOM, tmp_path) == []


def test_no_plan_of_a_gpu_changes_an_answer() -> None:
    runs = []
    for k, name in enumerate(MORE):
        rows = rows_in_emulator(name)
        chosen = [rows[(7 * k + i) % len(rows)] for i in range(PLANS_IN_EMULATOR)]
        runs += [(name, row | {"block": "96"}) for row in chosen]
    assert complaints_in_emulator(runs, RANDOM) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("architectures", [(90,), pytest.param((75, 90, 120), marks=pytest.mark.matrix)])
def test_nvcc_takes_every_program_without_a_warning(architectures: tuple[int, ...], tmp_path: Path) -> None:
    assert complaints_of_nvcc(MORE, [DEFAULT], tmp_path, architectures) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_nvcc_takes_every_program_in_graphits_notation_without_a_warning(tmp_path: Path) -> None:
    assert complaints_of_nvcc(sorted((PLACE / "gt").glob("*.gt")), [DEFAULT], tmp_path) == []
