"""The scripts that ask the cost model: plans ranked for a GPU that isn't there, and how good such a ranking is."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.places import BENCHMARKS
from support.programs import PLACE

from irgl.plan import Plan
from irgl.tune.inputs.features import at_once
from irgl.tune.measure.gpu import load

sys.path.append(str(BENCHMARKS))
tune_simt = importlib.import_module("tune_simt")
model_ranking = importlib.import_module("model_ranking")


def modelled(ms: float, plan: str = "default", error: str = "") -> Any:
    times = {} if error else {"mesh": ms, "random": 4 * ms}
    return tune_simt.Modelled(Plan.parse(plan, "simt"), times, dict.fromkeys(times, "memory"), error)


@pytest.mark.parametrize("name", tune_simt.CLASSES)
def test_a_graph_is_of_the_class_that_it_stands_for(name: str, tmp_path: Path) -> None:
    graph = tune_simt._graph(tune_simt.spec(name, 10, tmp_path), tune_simt.open_program(
        PLACE / "bfs.irgl", Plan.parse("default", "simt")).graphs[0])
    assert at_once(graph).graph_class == name
    assert 0.9 * 2**10 < graph.num_nodes <= 2**10


def test_plans_keep_their_order_and_a_plan_that_cant_run_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune_simt, "SMALL", 4)
    monkeypatch.setattr(tune_simt, "LARGE", 6)
    plans = [Plan.parse(p, "simt") for p in ("outline=off", "default")]
    found = tune_simt.modelled(PLACE / "bfs.irgl", plans, load("t4"), classes=("mesh",))
    assert [m.plan for m in found] == plans
    assert all(m.ms["mesh"] > 0 and not m.error for m in found)
    mesh = tune_simt.modelled(PLACE / "dmr.irgl", plans[1:], load("t4"), classes=("mesh",))
    assert mesh[0].error == "mesh: it takes something else than one graph"


def test_the_table_begins_with_the_best_and_tells_what_has_no_time() -> None:
    found = [modelled(2.0, "none"), modelled(1.0, "block=64"), modelled(0, "regs=64", "mesh: it does not end")]
    lines = tune_simt.table(found, ("mesh", "random")).splitlines()
    assert lines[0].split() == ["/", "none", "mesh,", "ms", "random,", "ms", "plan"]
    assert [line.split()[0] for line in lines[1:3]] == ["0.500", "1.000"]
    assert lines[3] == f"best on mesh: 1.0000 ms, mostly memory: {Plan.parse('block=64', 'simt')}"
    assert lines[5] == f"no time: mesh: it does not end: {Plan.parse('regs=64', 'simt')}"


def row(plan: str, ms: float | None, graph: str = "grid") -> dict[str, Any]:
    return {"table": "optimizations", "program": "p", "graph": graph, "plan": plan, **({"ms": ms} if ms else {})}


def test_measured_plans_are_grouped_by_program_and_graph() -> None:
    rows = [row("none", 3.0), row("default", 1.0), row("np=fg", 2.0), row("np=tb", None), row("none", 1.0, "NY"),
            row("none", 1.0, "unknown")]
    assert model_ranking.groups(rows) == {("optimizations", "p", "grid"): {"none": 3.0, "default": 1.0, "np=fg": 2.0}}


def test_the_ranking_is_that_of_the_plans_that_have_a_modelled_time(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [modelled(30.0), modelled(10.0), modelled(0, error="mesh: no"), modelled(20.0)]
    monkeypatch.setattr(tune_simt, "modelled", lambda *_, **__: found)
    measured = {"none": 3.0, "default": 1.0, "np=tb": 9.0, "np=fg": 2.0}
    assert model_ranking.ranked("p", "grid", measured, load("h200")) == 1


@pytest.mark.parametrize(("content", "message"), [
    (None, "no results of a GPU are there: `make gpu`, on a machine that has one, writes them"),
    ({"parts": {}}, "of no program and graph it has times of three plans that can be emulated"),
])
def test_without_results_the_script_says_so(content: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "gpu.json"
    if content is not None:
        path.write_text(json.dumps(content), encoding="utf-8")
    done = subprocess.run([sys.executable, str(BENCHMARKS / "model_ranking.py"), str(path)], capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"{path}: {message}\n")
