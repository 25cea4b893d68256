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
#: An example's name, and a plan.
Variant = tuple[str, str]


@pytest.fixture(scope="module")
def units(request: pytest.FixtureRequest) -> dict[Variant, Manifest]:
    """Those of the examples and plans that this run has chosen."""
    chosen = [item.callspec.params for item in request.session.items
              if item.path == request.path and isinstance(item, pytest.Function)]
    return {(of["example"].name, of["plan"]): open_program(f"{of['example'].name}.irgl", Plan.parse(of["plan"], "simt"),
                                                      text=of["example"].text) for of in chosen}


@pytest.fixture(scope="module")
def executable(units: dict[Variant, Manifest]) -> Path:
    """All of them at once."""
    return build([*units.values()])


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("example", RUNNING, ids=[e.name for e in RUNNING])
def test_cuda_code_gives_the_documented_result(
    example: Example, plan: str, units: dict[Variant, Manifest], executable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIT", str([*units].index((example.name, plan))))
    manifest = units[example.name, plan]
    graphs = {g.name: prepare(graph_of(example.graph), requirements(g)) for g in manifest.graphs}
    outcome = run_built(executable, 0.0, manifest, graphs, bind(manifest, graphs, {}), Plan.parse(plan, "simt"),
                        Options(worklist_capacity=1))
    assert {k: float(v) for k, v in outcome.result.scalars.items()} == example.result
