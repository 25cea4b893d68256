"""Every program under other names: it compiles, its verifier accepts it, and it finds the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from support.awkward_graphs import awkward
from support.programs import ON_GRAPHS, PLACE, Ran, run_program
from support.renaming import Renaming

from irgl.ast.dump import dump
from irgl.frontends.text.load import load

GRAPHS = ("self-loops", "ids with gaps", "dense")


@pytest.fixture
def beside_verifiers(tmp_path: Path) -> Path:
    (tmp_path / "verifiers").symlink_to(PLACE / "verifiers")
    return tmp_path


def _renamed(name: str, folder: Path) -> tuple[Path, Renaming]:
    program = load(PLACE / f"{name}.irgl")
    renaming = Renaming(program)
    path = folder / "other.irgl"
    path.write_text(dump(renaming.tree(program)), encoding="utf-8")
    return path, renaming


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_renamed_program_keeps_no_name_of_its_own(name: str, beside_verifiers: Path) -> None:
    path, renaming = _renamed(name, beside_verifiers)
    # Roles are named by the verifier, and a scalar may be called as a member of every node is: `edges`.
    text = re.sub(r"verify [^{]*|\"[^\"]*\"|\.(edges|src|weight)\b", "", path.read_text(encoding="utf-8"))
    assert not set(re.findall(r"\w+", text)) & {*renaming.values, *renaming.members, *renaming.types}


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_verifier_accepts_the_renamed_program(name: str, beside_verifiers: Path) -> None:
    path, _ = _renamed(name, beside_verifiers)
    for graph in GRAPHS:
        assert run_program(path, awkward()[graph]).wrong() is None, graph


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_renamed_program_finds_the_same(name: str, beside_verifiers: Path) -> None:
    path, renaming = _renamed(name, beside_verifiers)
    for graph in GRAPHS:
        first, other = (run_program(p, awkward()[graph], target="ref") for p in (name, path))
        for scalar, value in first.result.scalars.items():
            assert other[renaming.values[scalar]] == value, scalar
        for prop in first.result.properties:
            np.testing.assert_array_equal(_array(other, renaming.members[prop]), _array(first, prop))


def _array(ran: Ran, name: str) -> np.ndarray:
    array: np.ndarray = ran.result.properties[name].array
    return array if array.dtype.names is None else np.array([str(x) for x in array])
