"""A program that is given a mesh, compiled into a main of its own, makes the mesh that irglc run makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.meshes import delaunay, run_on_mesh
from support.programs import PLACE

from irgl.rt.meshes.meshes import load_mesh, save_mesh, subsegments

IRGLC = [sys.executable, "-m", "irgl"]
BAD = {
    "corners on one line": ("1 3 0\n1 1 2 4\n", "has a triangle whose corners are on one line"),
    "a point that is not there": ("1 3 0\n1 1 2 9\n", "has a number out of its range"),
    "too few numbers": ("2 3 0\n1 1 2 3\n", "has fewer numbers than it promises"),
    "numbered out of order": ("1 3 0\n7 1 2 3\n", "is not numbered in order from 0 or 1"),
    "more than its header says": ("1 3 0\n1 1 2 3\n2 1 2 3\n", "has more than it promises"),
    "overlapping": ("2 3 0\n1 1 2 3\n2 1 2 3\n", "has triangles that overlap"),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("standalone")
    subprocess.run([*IRGLC, "compile", str(PLACE / "dmr.irgl"), "-o", "own.cpp"], cwd=folder, check=True,
                   capture_output=True)
    flags = subprocess.run([*IRGLC, "compile", "--print-flags"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["g++", *flags.split(), "-O1", "-Wall", "-Wextra", "-Werror", "own.cpp", "-o", "own"], cwd=folder,
                   check=True)
    return folder / "own"


def ran(program: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), "given.ele", "--threads", "1", *options], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=60)


def test_it_leaves_the_mesh_that_irglc_run_leaves(program: Path, tmp_path: Path) -> None:
    points = np.random.default_rng(1).random((50, 2))
    given = delaunay(np.concatenate([points, [(0, 0), (1, 0), (1, 1), (0, 1)]]))
    save_mesh(given, str(tmp_path / "given.ele"))
    done = ran(program, tmp_path, "--poly", "given.poly", "--out", "left.ele", "--angle", "25", "--repeat", "2")
    assert (done.returncode, done.stderr) == (0, "")
    wanted = run_on_mesh("dmr", load_mesh(str(tmp_path / "given.ele"), str(tmp_path / "given.poly")), threads=1,
                         angle=25.0)
    left = load_mesh(str(tmp_path / "left.ele"), str(tmp_path / "left.poly"))
    np.testing.assert_array_equal(left.corners, wanted.mesh.corners)
    np.testing.assert_array_equal(left.xy, wanted.mesh.xy)
    assert len(left.ends) == len(subsegments(wanted.mesh)[0])
    assert f"triangles {len(left.corners)}\n" in done.stdout


@pytest.mark.parametrize(("ele", "said"), BAD.values(), ids=BAD.keys())
def test_a_bad_mesh_is_one_line_and_exit_code_2(ele: str, said: str, program: Path, tmp_path: Path) -> None:
    (tmp_path / "given.node").write_text("4 2 0 0\n1 0 0\n2 1 0\n3 0 1  # a comment\n4 2 0\n")
    (tmp_path / "given.ele").write_text(ele)
    done = ran(program, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: given.ele {said}\n")


def test_a_mesh_that_is_not_there_is_told(program: Path, tmp_path: Path) -> None:
    done = ran(program, tmp_path)
    assert (done.returncode, done.stderr) == (2, "error: given.node cannot be opened\n")


def test_a_program_that_stops_itself_gives_its_reason(program: Path, tmp_path: Path) -> None:
    save_mesh(delaunay([(0, 0), (1, 0), (0, 1)]), str(tmp_path / "given.ele"))
    done = ran(program, tmp_path, "--angle", "70")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(": error: --angle is at least 0 and less than 60 degrees\n")
    assert len(done.stderr.splitlines()) == 1


def test_a_name_that_no_mesh_can_have_is_told_before_the_run(program: Path, tmp_path: Path) -> None:
    save_mesh(delaunay([(0, 0), (1, 0), (0, 1)]), str(tmp_path / "given.ele"))
    done = ran(program, tmp_path, "--out", "left.npz")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "error: left.npz is no .ele file\n")
