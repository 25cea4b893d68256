"""Every example of docs/language.md as CUDA code in the SIMT emulator: each construct, with and without a plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.language_doc import RUNNING
from support.running import Example, graph_of
from support.simt_runs import build

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.device import run_built
from irgl.rt.call.run import Options
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program

PLANS = ["none block=32", "np=tb+wp+fg cc=block block=32", "np=fg cc=warp outline=off block=32"]
VARIANTS = [(example, plan) for example in RUNNING for plan in PLANS]


@pytest.fixture(scope="module")
def units() -> list[Manifest]:
    return [open_program(f"{example.name}.irgl", Plan.parse(plan, "simt"), text=example.text)
            for example, plan in VARIANTS]


@pytest.fixture(scope="module")
def executable(units: list[Manifest]) -> Path:
    return build(units)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("example", RUNNING, ids=[e.name for e in RUNNING])
def test_cuda_code_gives_the_documented_result(
    example: Example, plan: str, units: list[Manifest], executable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = VARIANTS.index((example, plan))
    monkeypatch.setenv("UNIT", str(unit))
    manifest = units[unit]
    graphs = {g.name: prepare(graph_of(example.graph), requirements(g)) for g in manifest.graphs}
    outcome = run_built(executable, 0.0, manifest, graphs, bind(manifest, graphs, {}), Plan.parse(plan, "simt"),
                        Options(worklist_capacity=1))
    assert {k: float(v) for k, v in outcome.result.scalars.items()} == example.result
