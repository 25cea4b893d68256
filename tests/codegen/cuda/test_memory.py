"""Memory without a known end: all that a run has of it is less than the device has free, and any kind of it will do."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

import numpy as np
import pytest
from support.awkward_graphs import awkward
from support.meshes import delaunay, run_on_mesh
from support.places import TESTS
from support.programs import ON_GRAPHS, PLACE
from support.simt import complaints
from support.simt_runs import Done

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome
from irgl.rt.emulate.emulate import build, run
from irgl.rt.graphs.load import load
from irgl.rt.manifests.program import open_program

HERE = TESTS / "cuda_rt"
#: What the emulator's device has of it: all from the start, pages that are touched, none.
KINDS = ("whole", "pages", "none")
MIB = 64

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("IRGL_EMU_MANAGED", request.param)
    monkeypatch.setenv("IRGL_EMU_MEMORY", str(MIB))
    return str(request.param)


def fits(stats: Mapping[str, int], kind: str) -> bool:
    managed, other = stats["managed_bytes"], stats["device_bytes"]
    return managed + other <= MIB << 20 and (managed > 0) == (kind != "none")


def test_units_find_room_in_any_kind(kind: str) -> None:
    for unit in ("vast",) if kind == "none" else ("vast", "shares"):
        run_right(unit)


def run_right(unit: str) -> None:
    report = run(build(HERE / f"{unit}.cu", include=[HERE.parents[1], HERE]), source=HERE / f"{unit}.cu")
    assert (report.code, [str(m) for m in report.messages]) == (0, []), report.stderr
    assert report.counters["managed_bytes"] + report.counters["device_bytes"] <= MIB << 20


def test_a_mesh_and_an_iterations_lists_fit(kind: str) -> None:
    given = delaunay(np.random.default_rng(3).random((20, 2)))
    ran = run_on_mesh("dmr", given, target="simt", plan="default", capacity=1, angle=20.0)
    assert ran.wrong() is None
    assert fits(ran.stats, kind)


def test_spills_of_a_loop_that_cannot_end_fit(kind: str) -> None:
    plan = Plan.parse("outline=graph", "simt")
    manifest = open_program(PLACE / "bfs.irgl", plan)
    graphs = {manifest.graphs[0].name: load("rmat:6")}
    ran: Outcome = device.run(manifest, graphs, bind(manifest, graphs, {}), plan, Options(worklist_capacity=1))
    assert fits(ran.stats, kind)


def test_processes_that_share_the_device_have_a_part_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_EMU_MANAGED", "pages")
    monkeypatch.setenv("IRGL_SHARERS", "16")
    plan = Plan.parse("outline=graph", "simt")
    manifest = open_program(PLACE / "bfs.irgl", plan)
    graphs = {manifest.graphs[0].name: load("rmat:6")}

    def managed(memory: int) -> int:
        monkeypatch.setenv("IRGL_EMU_MEMORY", str(memory))
        ran = device.run(manifest, graphs, bind(manifest, graphs, {}), plan, Options(worklist_capacity=1))
        return int(ran.stats["managed_bytes"])

    assert 0 < managed(1024) <= (1024 << 20) // 16


def test_a_process_of_its_own_keeps_what_lists_give_back() -> None:
    """And a library, beside others that use the device, gives it on."""
    plan = Plan.parse("outline=off", "simt")
    manifest = open_program(PLACE / "bfs.irgl", plan)
    graphs = {manifest.graphs[0].name: load("rmat:6")}
    ran = device.run(manifest, graphs, bind(manifest, graphs, {}), plan, Options(worklist_capacity=1, repeat=2))
    assert ran.stats["worklist_growths"] > 1
    assert ran.stats["pool_trims"] == 0
    assert run(build(HERE / "kinds.cu", include=[HERE.parents[1], HERE])).counters["pool_trims"] > 0


@pytest.mark.matrix
@pytest.mark.usefixtures("kind")
def test_every_program_is_right_with_lists_of_capacity_one() -> None:
    row = {"np": "wp+fg", "cc": "block", "block": "256", "capacity": "1", "mode": "check", "seed": "1"}
    graphs = {name: awkward()[name] for name in list(awkward())[:3]}

    def too_much(done: Done) -> str:
        return "" if done.stats["managed_bytes"] + done.stats["device_bytes"] <= 512 << 20 else "too much memory"

    rows = [(name, {**row, "outline": outline}) for name in ON_GRAPHS for outline in ("all", "graph", "off")]
    assert complaints(rows, graphs, too_much) == []
