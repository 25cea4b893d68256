"""Several variants of a program in one unit: the text, what can't stand together, which runs, and that it is right."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.awkward_graphs import awkward, directed
from support.places import SHARED_GRAPHS
from support.programs import PLACE

from irgl import driver
from irgl.cli.main import exit_code
from irgl.codegen.openmp.several import FIGURES, condition
from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.device import build
from irgl.rt.call.process import CallFile
from irgl.rt.compile.build import open_library
from irgl.rt.emulate import emulate
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.standalone import several, standalone, standalone_of_several
from irgl.tune.choose import standard
from irgl.tune.choose.variants import variants_for
from irgl.tune.inputs import rules
from irgl.tune.inputs.features import at_once
from irgl.tune.results.keys import key_of
from irgl.tune.results.store import Store
from irgl.tune.results.trial import Status, Trial

ROME = SHARED_GRAPHS / "road" / "rome99.gr.gz"
SKEWED = "dispersion > 2 and max_degree > 8 * mean_degree"
ROADS = "dispersion < 0.9 and mean_degree < 3.5"
BITS = (32, 32)


def unit(*chosen: tuple[str, str], target: str = "cpu", program: str = "bfs") -> driver.Unit:
    plans = [(rule, Plan.parse(plan, target)) for rule, plan in chosen]
    return several(driver.ready(PLACE / f"{program}.irgl"), plans, target)


@pytest.mark.parametrize(("rule", "test"), [
    ("nodes >= 1000", "f.nodes >= 1000"),
    (SKEWED, "f.dispersion > 2 && f.max_degree > 8 * f.mean_degree"),
    ("0.5 * edges < 1e13", "0.5 * f.edges < 1e+13"),
])
def test_a_rule_is_a_condition(rule: str, test: str) -> None:
    assert condition(str(rules.Rule.parse(rule))) == test


def test_the_head_of_the_file_says_which_plan_is_for_which_graphs() -> None:
    plans = Plan.parse("direction=hybrid grain=512"), Plan.parse("serial=off")
    text = unit((SKEWED, str(plans[0])), ("always", str(plans[1]))).text
    assert text.splitlines()[1:6] == [
        "// Several variants; the first graph decides which one runs: the first whose rule holds.",
        f"//   1  {SKEWED}", f"//      {plans[0]}", "//   2  always", f"//      {plans[1]}"]


def test_the_text_is_the_same_every_time() -> None:
    assert unit((SKEWED, "prefetch=8"), ("always", "default")).text == unit(
        (SKEWED, "prefetch=8"), ("always", "default")).text


def test_plans_of_the_same_code_share_it_and_give_it_their_numbers() -> None:
    text = unit((SKEWED, "grain=512"), ("always", "serial=off")).text
    assert text.count("\nnamespace unit_") == 1
    assert [line.strip() for line in text.splitlines() if line.strip().startswith(("mine.", "return irgl_run"))] == [
        "mine.grain = 512, mine.serial = 2048, mine.giant = 32768, mine.fuse = 1000;", "return irgl_run_1(&mine);",
        "mine.grain = 4096, mine.serial = 0, mine.giant = 32768, mine.fuse = 1000;", "return irgl_run_1(&mine);"]


def test_a_plan_that_asks_for_in_edges_asks_for_all() -> None:
    found = unit((SKEWED, "direction=pull"), ("always", "default")).graph_params[0].needs
    assert (found.transpose, found.in_edge) == (True, False)
    assert unit((SKEWED, "default"), ("always", "serial=off")).graph_params[0].needs.transpose is False


@pytest.mark.parametrize(("chosen", "target", "program", "message"), [
    ([(SKEWED, "default")], "cpu", "bfs",
     "error: of several plans the last one, and no other, is for all graphs\n"
     "  hint: give all plans but the last one a rule"),
    ([("always", "default"), ("always", "grain=7")], "cpu", "bfs",
     "error: of several plans the last one, and no other, is for all graphs\n"
     "  hint: give all plans but the last one a rule"),
    ([(SKEWED, "auto=4"), ("always", "auto=1/4")], "cpu", "sssp_nf",
     "error: the program's parameters are worked out before a plan is chosen: `auto` can't be 1/4 and 4\n"
     "  hint: give all plans the same `auto`"),
    ([(SKEWED, "block=128"), ("always", "default")], "cuda", "bfs",
     "error: variants of one file have the same number of threads in a block, not 128 and 256\n"
     "  hint: give all of them the same `block`"),
    ([("edges > 3", "default"), ("always", "grain=7")], "cpu", "dmr",
     "error: dmr has no graph by which to choose between plans\n  hint: give one plan"),
])
def test_what_cant_stand_in_one_file_is_refused(
        chosen: list[tuple[str, str]], target: str, program: str, message: str) -> None:
    with pytest.raises(IrglError) as e:
        unit(*chosen, target=target, program=program)
    assert str(e.value) == message


def test_no_variant_of_a_stand_alone_program_lays_its_graph_out() -> None:
    plans = [(SKEWED, Plan()), ("always", Plan.parse("order=degree"))]
    with pytest.raises(IrglError, match="it can't honour `order=degree`"):
        standalone_of_several(driver.ready(PLACE / "bfs.irgl"), plans, "cpu")


def test_a_program_of_one_plan_knows_nothing_of_variants() -> None:
    assert "variant" not in standalone(driver.compile(PLACE / "bfs.irgl")).lower()


FIGURED = """#include "cpu_rt/unit.hpp"
#include "cpu_rt/choose.hpp"
extern "C" void figures_of(irgl_run_args* args, double* out) {
  const irgl::Figures f = irgl::figures<irgl::edge_t>(*args);
  out[0] = f.nodes, out[1] = f.edges, out[2] = f.mean_degree, out[3] = f.max_degree, out[4] = f.dispersion;
}
extern "C" int irgl_run(irgl_run_args*) { return 0; }
"""


@pytest.mark.parametrize("graph", awkward())
def test_generated_code_finds_the_figures_that_rules_are_made_for(graph: str) -> None:
    library, _ = open_library(FIGURED, node_bits=32, edge_bits=32)
    given = awkward()[graph]
    call = Call(open_program(PLACE / "traverse.irgl"), {"g": given}, {}, BITS)
    out = (ctypes.c_double * 5)()
    library.figures_of(ctypes.byref(call.args), out)
    np.testing.assert_allclose(list(out), [at_once(given).figure(name) for name in FIGURES], rtol=1e-12)


def on_cpu(manifest: Manifest, call: Call) -> None:
    library, _ = open_library(manifest.text, node_bits=32, edge_bits=32)
    call.set_knobs(Plan(), 2, 0, 0)
    library.irgl_run(ctypes.byref(call.args))


def on_simt(manifest: Manifest, call: Call, folder: Path) -> None:
    call.set_knobs(Plan(target="simt"), 1, 0, 0)
    file = CallFile(call, folder / "call", 1)
    report = emulate.run_unit(build(manifest, BITS, True), [str(file.path)], mode="check", seed=0, limit=None)
    assert (report.errors, report.code) == ([], 0)
    file.results()


def ran(made: driver.Unit, graph: Graph, folder: Path | None = None) -> int:
    """The number of the variant that has run; the program's verifier has accepted its answer."""
    manifest = manifest_of(made, "")
    graphs = {g.name: prepare(graph, requirements(g)) for g in manifest.graphs}
    values = bind(manifest, graphs, {})
    call = Call(manifest, graphs, values, BITS)
    call.clear()
    on_cpu(manifest, call) if folder is None else on_simt(manifest, call, folder)
    call.check(manifest)
    assert verify(manifest, graphs, values, call.result(manifest, graphs)) is None
    return int(call.stats[abi.STAT_VARIANT])


CPU = ((SKEWED, "direction=hybrid frontier=queue"), ("nodes < 10", "serial=off"), (ROADS, "serial=16384"),
       ("always", "prefetch=8 grain=512"))
GPU = ((SKEWED, "np=tb+wp+fg outline=off"), ("nodes < 10", "np=fg cc=thread"), ("always", "none np=wp"))
TINY = directed(4, [(0, 1), (1, 2), (2, 3)])


@pytest.mark.parametrize("program", ["bfs", "sssp_nf", "cc", "mst", "pr_pull"])
def test_on_a_cpu_the_first_variant_runs_whose_rule_holds(program: str) -> None:
    made = unit(*CPU, program=program)
    assert ran(made, load("rmat:9")) == 1
    assert ran(made, TINY) == 2
    assert ran(made, load("grid:20x20")) == 4


@pytest.mark.parametrize("program", ["bfs", "sssp_nf"])
def test_on_roads_the_variant_for_roads_runs(program: str) -> None:
    if not ROME.exists():
        pytest.skip("../shared/graphs is not here")
    assert ran(unit(*CPU, program=program), load(str(ROME))) == 3


@pytest.mark.parametrize("program", ["bfs", "mst"])
def test_on_a_gpu_the_first_variant_runs_whose_rule_holds(program: str, tmp_path: Path) -> None:
    made = unit(*GPU, program=program, target="cuda")
    assert ran(made, load("rmat:7"), tmp_path) == 1
    assert ran(made, TINY, tmp_path) == 2
    assert ran(made, load("grid:9x9"), tmp_path) == 3


def irglc(folder: Path, *words: object) -> str:
    return subprocess.run([sys.executable, "-m", "irgl", *map(str, words)], capture_output=True, text=True,
                          check=True, timeout=120, cwd=folder).stdout


def test_a_stand_alone_program_says_which_variant_has_run(tmp_path: Path) -> None:
    irglc(tmp_path, "compile", PLACE / "bfs.irgl", "-o", "own.cpp", "--plan", f"{SKEWED}: grain=512", "--plan", "none")
    flags = irglc(tmp_path, "compile", "--print-flags").split()
    subprocess.run(["g++", *flags, "-Wall", "-Wextra", "-Werror", "own.cpp", "-o", "own"], cwd=tmp_path, check=True)
    for graph, said in (("rmat:8", f"variant 1 of 2 has run: {SKEWED}: {Plan.parse('grain=512')}\n"),
                        ("path:50", f"variant 2 of 2 has run: always: {Plan.none()}\n")):
        irglc(tmp_path, "graph", "convert", graph, "g.irglg")
        done = subprocess.run(["./own", "g.irglg"], cwd=tmp_path, check=True, capture_output=True, text=True)
        assert done.stderr == said


@pytest.mark.parametrize(("plans", "message"), [
    (["nodes > 3: default"], "error: nothing is said for graphs for which `nodes > 3` does not hold\n"
     "  hint: give another --plan, without a rule\n"),
    (["nodes > : default", "none"], "error: `nodes >` is no comparison, in the rule `nodes > `\n"
     "  hint: write `max_degree > 32 * mean_degree and nodes >= 1000`, or `always`\n"),
    (["auto", "none"], "error: `auto` stands for a plan of each graph's own, and is none by itself\n"),
])
def test_a_mistake_in_several_plans_is_told(
        plans: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for plan in plans for word in ("--plan", plan)]
    output = tmp_path / "x.cpp"
    assert exit_code(["compile", str(PLACE / "bfs.irgl"), "-o", str(output), *words]) == 2
    assert capsys.readouterr().err.startswith(message)
    assert not output.exists()


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine where nothing was tuned; what is called ships defaults for the program bfs."""
    monkeypatch.setenv("IRGL_TUNE_DB", str(tmp_path / "tune.sqlite"))

    def ship(entries: Mapping[str, str], target: str = "cpu") -> None:
        folder = tmp_path / "defaults"
        folder.mkdir()
        programs = {bfs().fingerprint: {of: {"plan": plan, "how": "measured"} for of, plan in entries.items()}}
        text = {"version": standard.VERSION, "target": target, "programs": programs}
        (folder / f"{target}.json").write_text(json.dumps(text))
        monkeypatch.setattr(standard, "FOLDER", folder)
        standard._file.cache_clear()

    yield ship
    standard._file.cache_clear()


def bfs(plan: Plan | None = None) -> Manifest:
    return open_program(PLACE / "bfs.irgl", plan)


def found(target: str = "cpu") -> list[tuple[str, str]]:
    return [(rule, str(plan)) for rule, plan in variants_for(bfs(), target, bfs)]


def plan(text: str, target: str = "cpu") -> str:
    return str(Plan.parse(text, target))


def test_auto_takes_what_is_shipped_for_each_class(alone: Any) -> None:
    alone({"road": "serial=off", "skewed": "direction=hybrid", "all": "grain=512"})
    assert found() == [(SKEWED, plan("direction=hybrid")), (ROADS, plan("serial=off")), ("always", plan("grain=512"))]


def test_auto_is_one_plan_where_all_classes_want_the_same(alone: Any) -> None:
    alone({"all": "grain=512"})
    assert found() == [("always", plan("grain=512"))]


def test_a_class_that_stands_before_one_of_another_plan_stays(alone: Any) -> None:
    alone({"mesh": "serial=off", "all": "grain=512"})
    assert [rule for rule, _ in found()] == [SKEWED, ROADS, "dispersion < 0.9", "always"]


def test_plans_of_classes_are_made_to_stand_together(alone: Any) -> None:
    alone({"skewed": "block=128 np=fg order=degree", "all": "block=512 order=rcm"}, "cuda")
    assert found("cuda") == [(SKEWED, plan("block=512 np=fg", "cuda")), ("always", plan("block=512", "cuda"))]


def test_what_was_tuned_here_goes_before_what_is_shipped_the_largest_graph_first(alone: Any) -> None:
    alone({"skewed": "direction=hybrid", "all": "default"})
    with Store() as store:
        key = key_of(bfs(), "cpu", None)
        for spec, text in (("rmat:7", "grain=7"), ("rmat:9", "grain=9"), ("rmat:8", "grain=8")):
            store.describe(spec, spec, at_once(load(spec)).as_numbers())
            store.add(key, spec, Trial(plan(text), spec, Status.OK, (1.0,)))
    assert found() == [(SKEWED, plan("grain=9")), ("always", plan("default"))]


def test_a_file_of_auto_holds_the_variants(alone: Any, tmp_path: Path) -> None:
    alone({"skewed": "prefetch=8", "all": "default"})
    output = tmp_path / "x.cpp"
    assert exit_code(["compile", str(PLACE / "bfs.irgl"), "-o", str(output), "--plan", "auto"]) == 0
    assert output.read_text().count("\nnamespace unit_") == 2
