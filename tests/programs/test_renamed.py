"""Every program under other names: it compiles, its verifier accepts it, and it finds the same."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.awkward_graphs import awkward
from support.programs import ON_GRAPHS, PLACE, Ran, path_of, run_program
from support.renaming import Renaming

from irgl.ast.dump import dump
from irgl.frontends.text.load import load
from irgl.rt.graphs.graph import Graph

GRAPHS = ("self-loops", "ids with gaps", "dense")
#: On priority queues, whose strategies go by what programs do, not by what that is called.
ON_QUEUES = ("sssp", "wbfs", "ppsp", "ppsp_both", "astar", "peeling", "setcover")
EVERY = (*ON_GRAPHS, *ON_QUEUES)


@pytest.fixture
def beside_verifiers(tmp_path: Path) -> Path:
    (tmp_path / "verifiers").mkdir()
    for folder in (PLACE, PLACE / "more"):
        for path in (folder / "verifiers").glob("*.py"):
            (tmp_path / "verifiers" / path.name).symlink_to(path)
    return tmp_path


def _graph(name: str) -> Graph:
    """An awkward graph, whose nodes lie on a line."""
    graph = awkward()[name]
    return replace(graph, coordinates=np.stack([np.arange(graph.num_nodes, dtype=float)] * 2, 1))


def _renamed(name: str, folder: Path) -> tuple[Path, Renaming]:
    program = load(path_of(name))
    renaming = Renaming(program)
    path = folder / "other.irgl"
    path.write_text(dump(renaming.tree(program)), encoding="utf-8")
    return path, renaming


@pytest.mark.parametrize("name", EVERY)
def test_renamed_program_keeps_no_name_of_its_own(name: str, beside_verifiers: Path) -> None:
    path, renaming = _renamed(name, beside_verifiers)
    # Roles are named by the verifier, libraries' members by them, and a scalar may be called as a member is: `edges`.
    told = path.read_text(encoding="utf-8")
    text = re.sub(r"verify [^{]*|library [^}]*|\"[^\"]*\"|\.(edges|src|weight|size)\b", "", told)
    assert not set(re.findall(r"\w+", text)) & {*renaming.values, *renaming.members, *renaming.types}


@pytest.mark.parametrize("name", EVERY)
def test_verifier_accepts_the_renamed_program(name: str, beside_verifiers: Path) -> None:
    path, _ = _renamed(name, beside_verifiers)
    for graph in GRAPHS:
        assert run_program(path, _graph(graph)).wrong() is None, graph


@pytest.mark.parametrize("name", EVERY)
def test_renamed_program_finds_the_same(name: str, beside_verifiers: Path) -> None:
    path, renaming = _renamed(name, beside_verifiers)
    for graph in GRAPHS:
        first, other = (run_program(p, _graph(graph), target="ref") for p in (name, path))
        for scalar, value in first.result.scalars.items():
            assert other[renaming.values[scalar]] == value, scalar
        for prop in first.result.properties:
            np.testing.assert_array_equal(_array(other, renaming.members[prop]), _array(first, prop))


def _array(ran: Ran, name: str) -> np.ndarray:
    array: np.ndarray = ran.result.properties[name].array
    return array if array.dtype.names is None else np.array([str(x) for x in array])
