"""Mesh refinement as CUDA code in the SIMT emulator: whatever the plan, the verifier accepts what comes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.dmr_meshes import MESHES, MISTAKES
from support.meshes import delaunay, mesh_of, run_on_mesh
from support.places import SharedGraph
from support.programs import PLACE

from irgl.cli.main import exit_code
from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.rt.meshes.meshes import load_mesh
from irgl.source import IrglError

SMALL = ("needle", "one good triangle", "no triangle", "not Delaunay", "divided", "tied", "lattice")
#: The plan, the emulator's mode and seed, and the first capacity of lists: each value of each, and most pairs.
ROWS = [
    ("none block=32", "check", 1, 0),
    ("np=wp+fg cc=block outline=all block=256", "check", 2, 1),
    ("np=fg cc=warp outline=off retry=backoff block=64", "lockstep", 1, 1),
    ("np=tb cc=thread outline=graph block=32", "lockstep", 2, 0),
]


@pytest.mark.parametrize(("plan", "mode", "seed", "capacity"), ROWS, ids=[row[0] for row in ROWS])
def test_verifier_accepts_the_refined_mesh_under_every_plan(plan: str, mode: str, seed: int, capacity: int) -> None:
    wrong = {name: run_on_mesh("dmr", MESHES[name](), target="simt", plan=plan, mode=mode, seed=seed,
                               capacity=capacity, angle=25.0).wrong() for name in SMALL}
    assert wrong == dict.fromkeys(SMALL)


@pytest.mark.parametrize("angle", [20.0, 30.0])
@pytest.mark.parametrize("seed", [1, 2])
def test_threads_in_conflict_lose_nothing(seed: int, angle: float) -> None:
    """Most cavities of so few triangles overlap."""
    given = delaunay(np.random.default_rng(seed).random((40, 2)))
    ran = run_on_mesh("dmr", given, target="simt", plan="default", seed=seed, angle=angle)
    assert ran.wrong() is None
    assert ran.result.scalars["triangles"] == len(ran.mesh.corners)
    assert ran.result.scalars["points"] == len(ran.mesh.xy)


def test_lists_of_capacity_one_grow() -> None:
    given = delaunay(np.random.default_rng(3).random((20, 2)))
    ran = run_on_mesh("dmr", given, target="simt", plan="default", capacity=1, angle=20.0)
    assert ran.wrong() is None
    assert ran.stats["worklist_growths"] > 0


def test_cavities_larger_than_a_thread_has_room_for_are_found() -> None:
    """Points on a circle: the first point inside has all of their triangles for its cavity."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1)
    given = delaunay(np.concatenate([circle, [(0.5, 0.001)]]))
    assert run_on_mesh("dmr", given, target="simt", plan="none block=32", angle=15.0).wrong() is None


def test_good_mesh_is_left_as_it_is() -> None:
    given = MESHES["one good triangle"]()
    np.testing.assert_array_equal(run_on_mesh("dmr", given, target="simt").mesh.corners, given.corners)


@pytest.mark.parametrize("given", [{"limit": 60}, {"angle": 60.0}, {"limit": -1}], ids=str)
def test_device_stops_with_the_words_of_the_cpu(given: dict[str, float]) -> None:
    told = []
    for target in ("cpu", "simt"):
        with pytest.raises(IrglError) as e:
            run_on_mesh("dmr", MESHES["another"](), target=target, **given)
        told.append(str(e.value))
    assert told[0] == told[1]


def test_a_stopped_program_has_the_cpus_exit_code(shared_graph: SharedGraph) -> None:
    arguments = ["run", str(PLACE / "dmr.irgl"), "--mesh", str(shared_graph("dmr/A.1.ele")), "--angle", "61"]
    assert [exit_code([*arguments, "--target", target]) for target in ("cpu", "simt")] == [2, 2]


@pytest.mark.parametrize("mistake", ["nothing is bad", "segments are cut beside them"])
def test_verifier_rejects_a_program_with_a_mistake(mistake: str, tmp_path: Path) -> None:
    old, new, mesh, angle, wrong = MISTAKES[mistake]
    text = (PLACE / "dmr.irgl").read_text(encoding="utf-8")
    (tmp_path / "verifiers").symlink_to(PLACE / "verifiers")
    (tmp_path / "dmr.irgl").write_text(text.replace(old, new), encoding="utf-8")
    found = run_on_mesh(tmp_path / "dmr.irgl", MESHES[mesh](), target="simt", plan="none block=32", angle=angle).wrong()
    assert found is not None
    assert wrong in found


def test_loops_over_meshes_stay_on_the_host_and_say_why() -> None:
    unit = compile_unit(PLACE / "dmr.irgl", target="cuda", plan=Plan.parse("outline=all", "cuda"))
    refused = [line for line in unit.not_applicable if ": outline=" in line]
    assert len(refused) == 2
    assert "the Mesh 'm', which the host keeps" in refused[0]


def test_outlining_one_loop_over_a_mesh_is_refused() -> None:
    with pytest.raises(IrglError, match=r"can't be honoured: .* uses the Mesh 'm', which the host keeps"):
        compile_unit(PLACE / "dmr.irgl", target="cuda", plan=Plan.parse("dmr.iterate1.outline=all", "cuda"))


@pytest.mark.parametrize("name", ["A.1", "superior.cdt"])
def test_real_mesh_is_refined(name: str, shared_graph: SharedGraph) -> None:
    ele, poly = shared_graph(f"dmr/{name}.ele"), shared_graph(f"dmr/{name}.poly")
    assert run_on_mesh("dmr", load_mesh(str(ele), str(poly)), target="simt", angle=20.0).wrong() is None


def test_a_mesh_that_is_empty_comes_back_empty() -> None:
    ran = run_on_mesh("dmr", mesh_of([], []), target="simt")
    assert (len(ran.mesh.xy), len(ran.mesh.corners), len(ran.mesh.ends)) == (0, 0, 0)
