"""Mesh refinement: whatever the mesh, the number of threads and the target, the verifier accepts what comes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.dmr_meshes import MESHES, MISTAKES, random_mesh
from support.meshes import run_on_mesh
from support.places import SharedGraph
from support.programs import PLACE
from support.renaming import Renaming

from irgl.ast.dump import dump
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load
from irgl.rt.graphs.readers.triangle import read_ele, read_poly
from irgl.rt.meshes.meshes import load_mesh, subsegments
from irgl.source import IrglError

FINE = "serial=off grain=1"  # every round is shared by all threads


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", MESHES)
def test_verifier_accepts_the_refined_mesh(name: str, threads: int) -> None:
    assert run_on_mesh("dmr", MESHES[name](), threads=threads, plan=FINE, angle=28.0).wrong() is None


@pytest.mark.parametrize("threads", [1, 4])
def test_lists_in_one_array_lose_no_triangle(threads: int) -> None:
    plan = f"{FINE} frontier=queue buffer=16 fuse=1"
    ran = run_on_mesh("dmr", random_mesh(100, 4), threads=threads, plan=plan, capacity=1, angle=28.0)
    assert ran.wrong() is None
    assert ran.result.scalars["triangles"] == len(ran.mesh.corners)


@pytest.mark.parametrize("angle", [0.0, 10.0, 20.7, 30.0, 33.0])
def test_any_angle_is_kept(angle: float) -> None:
    assert run_on_mesh("dmr", random_mesh(100, 4), angle=angle).wrong() is None


@pytest.mark.parametrize("seed", range(8))
def test_threads_in_conflict_lose_nothing(seed: int) -> None:
    """Few triangles and many threads: most cavities overlap."""
    ran = run_on_mesh("dmr", random_mesh(12, seed), threads=8, plan=FINE, angle=31.0)
    assert ran.wrong() is None
    assert ran.result.scalars["triangles"] == len(ran.mesh.corners)
    assert ran.result.scalars["points"] == len(ran.mesh.xy)


@pytest.mark.parametrize("name", ["needle", "tied", "not Delaunay"])
def test_interpreter_comes_to_an_accepted_mesh(name: str) -> None:
    assert run_on_mesh("dmr", MESHES[name](), target="ref", angle=20.0).wrong() is None


def test_one_thread_does_what_the_interpreter_does() -> None:
    given = random_mesh(15, 5)
    compiled = run_on_mesh("dmr", given, threads=1, angle=25.0)
    interpreted = run_on_mesh("dmr", given, target="ref", angle=25.0)
    assert compiled.result.scalars == interpreted.result.scalars
    np.testing.assert_array_equal(compiled.mesh.corners, interpreted.mesh.corners)
    np.testing.assert_allclose(compiled.mesh.xy, interpreted.mesh.xy, rtol=1e-12)


def test_good_mesh_is_left_as_it_is() -> None:
    given = MESHES["one good triangle"]()
    np.testing.assert_array_equal(run_on_mesh("dmr", given).mesh.corners, given.corners)


def test_segment_inside_stays_where_it_is() -> None:
    ran = run_on_mesh("dmr", MESHES["divided"](), angle=25.0)
    parts, of = subsegments(ran.mesh)
    inside = parts[of == 0]
    assert len(inside) > 1
    assert (ran.mesh.xy[inside, 1] == 0.0).all()


@pytest.mark.parametrize(("given", "reason"), [
    ({"angle": 44.0}, "the mesh keeps growing"),
    ({"angle": 30.0, "limit": 130}, "the mesh keeps growing"),
    ({"angle": 60.0}, "--angle is at least 0 and less than 60 degrees"),
    ({"angle": -1.0}, "--angle is at least 0 and less than 60 degrees"),
    ({"angle": float("nan")}, "--angle is at least 0 and less than 60 degrees"),
    ({"limit": -1}, "--limit is at least 0"),
])
def test_what_can_not_be_had_ends_with_an_error(given: dict[str, float], reason: str) -> None:
    with pytest.raises(IrglError, match=reason):
        run_on_mesh("dmr", random_mesh(60, 2), **given)


@pytest.mark.parametrize(("old", "new", "mesh", "angle", "wrong"), MISTAKES.values(), ids=MISTAKES.keys())
def test_verifier_rejects_a_program_with_a_mistake(old: str, new: str, mesh: str, angle: float, wrong: str,
                                                     tmp_path: Path) -> None:
    text = (PLACE / "dmr.irgl").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / "verifiers").symlink_to(PLACE / "verifiers")
    (tmp_path / "dmr.irgl").write_text(text.replace(old, new), encoding="utf-8")
    found = run_on_mesh(tmp_path / "dmr.irgl", MESHES[mesh](), threads=1, angle=angle).wrong()
    assert found is not None
    assert wrong in found


def test_renamed_program_refines_as_well(tmp_path: Path) -> None:
    program = load(PLACE / "dmr.irgl")
    (tmp_path / "verifiers").symlink_to(PLACE / "verifiers")
    (tmp_path / "other.irgl").write_text(dump(Renaming(program).tree(program)), encoding="utf-8")
    ran = run_on_mesh(tmp_path / "other.irgl", random_mesh(40, 7))
    assert ran.wrong() is None
    assert len(ran.mesh.xy) > 40


def test_command_line_writes_what_reads_back_as_refined(shared_graph: SharedGraph, tmp_path: Path) -> None:
    ele, poly, out = shared_graph("dmr/superior.cdt.ele"), shared_graph("dmr/superior.cdt.poly"), tmp_path / "lake.ele"
    program = str(PLACE / "dmr.irgl")
    assert exit_code(["run", program, "--mesh", str(ele), "--poly", str(poly), "--angle", "30", "--out", str(out),
                      "--verify"]) == 0
    assert len(read_ele(str(out)).corners) < 3000
    assert len(read_poly(str(tmp_path / "lake.poly")).holes) == len(read_poly(str(poly)).holes)
    again = load_mesh(str(out), str(tmp_path / "lake.poly"))
    ran = run_on_mesh("dmr", again)
    assert len(ran.mesh.corners) == len(again.corners)


REAL = ["A.1", "superior.cdt", "superior.1", "la.cdt", "la.1"]
LONG = [pytest.param(name, marks=pytest.mark.matrix) for name in ("greenland", "nyc53k", "ny264k")]
PACKED = {"greenland": ".gz", "nyc53k": ".xz", "ny264k": ".xz"}


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", [*REAL, *LONG])
def test_real_mesh_is_refined(name: str, threads: int, shared_graph: SharedGraph) -> None:
    ele = shared_graph(f"dmr/{name}.ele{PACKED.get(name, '')}")
    poly = None if name == "greenland" else str(shared_graph(f"dmr/{name}.poly"))
    assert run_on_mesh("dmr", load_mesh(str(ele), poly), threads=threads).wrong() is None
