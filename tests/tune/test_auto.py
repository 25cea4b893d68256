"""`--plan default` and `--plan auto`: which plan a program gets on which graph, and what is said of it."""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.programs import PLACE

import irgl
from irgl.cli.main import exit_code
from irgl.cli.tuning.display import print_outcome
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.forms import placed
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import FormNeed, Manifest
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.tune.choose import auto, standard
from irgl.tune.choose.auto import Chosen, Given, resolve, seeds
from irgl.tune.choose.both_ways import FAR, HYBRID, SWEEPS
from irgl.tune.choose.texts import before_graph
from irgl.tune.inputs.digest import input_digest
from irgl.tune.inputs.features import at_once, of
from irgl.tune.results.keys import key_of
from irgl.tune.results.store import SESSION_RUNS, Store
from irgl.tune.results.trial import FORMAT_MS, SPREAD_OVER, Status, Trial
from irgl.tune.session.task import Outcome

PROGRAM = """graph Graph { node int far = INF; }
Kernel start(Graph g, node s) { s.far = 0; WL.push(s); }
Kernel spread(Graph g) {
  ForAll (i In WL) {
    node n = WL.pop(i);
    int there = n.far + 1;
    ForAll (e In n.edges) { if (e.dst.far min= there) { WL.push(e.dst); } }
  }
}
Program walk(Graph g, node s = first) { Pipe Once { Invoke start(g, s); Pipe { Invoke spread(g); } } }
"""
ROADS, WEB, OTHER_WEB = "path:300", "rmat:9", "rmat:scale=9,seed=5"


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRGL_TUNE_DB", str(tmp_path / "tune.sqlite"))
    (tmp_path / "walk.irgl").write_text(PROGRAM)


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts these entries into the place of the defaults that irgl ships."""
    def ship(entries: Mapping[str, str], target: str = "cpu", how: str = "measured") -> None:
        folder = tmp_path / "defaults"
        folder.mkdir(exist_ok=True)
        programs = {opened().fingerprint: {of: {"plan": plan, "how": how} for of, plan in entries.items()}}
        text = {"version": standard.VERSION, "target": target, "programs": programs}
        (folder / f"{target}.json").write_text(json.dumps(text))
        monkeypatch.setattr(standard, "FOLDER", folder)
        standard._file.cache_clear()

    yield ship
    monkeypatch.undo()
    standard._file.cache_clear()


def opened(plan: str = "default", target: str = "cpu") -> Manifest:
    return open_program("walk.irgl", before_graph(plan, target))


def given(spec: str, *, source: int | None = None) -> Given:
    m = opened()
    graphs: dict[str, Graph] = {"g": load(spec, m.graphs[0], Loading())}
    said = {} if source is None else {"s": source}
    return Given(graphs, lambda: bind(m, graphs, said), None, 2)


def chosen(text: str, spec: str, target: str = "cpu", *, source: int | None = None) -> Chosen:
    return resolve(text, opened(text, target), given(spec, source=source), target,
                   lambda plan: open_program("walk.irgl", plan))


def tuned(spec: str, plan: str, ms: float = 1.0, *, name: str = "known", source: int | None = None) -> None:
    """A result as a tuner stores it."""
    where = given(spec, source=source)
    digest = input_digest(where.graphs, where.values())
    assert where.graph is not None
    with Store() as store:
        key = key_of(opened(), "cpu", 2)
        store.add(key, digest, Trial(str(Plan.parse(plan)), name, Status.OK, (ms,)))
        store.describe(digest, name, of(where.graph).as_numbers())


def run(capfd: pytest.CaptureFixture[str], spec: str, plan: str) -> dict[str, Any]:
    assert exit_code(["run", "walk.irgl", "--graph", spec, "--threads", "2", "--plan", plan, "--json"]) == 0
    found: dict[str, Any] = json.loads(capfd.readouterr().out)["plan"]
    return found


# --plan default


def test_a_program_that_is_not_known_runs_under_the_built_in_defaults() -> None:
    found = chosen("default", ROADS)
    assert (found.plan, found.source) == (Plan(), "built in")


def test_the_default_is_that_of_the_graphs_class(shipped: Any) -> None:
    shipped({"all": "grain=5", "road": "grain=6"})
    found = chosen("default", ROADS)
    assert (found.plan, found.source) == (Plan.parse("grain=6"), "default for road graphs, measured")


def test_a_class_without_a_default_has_that_of_all_graphs(shipped: Any) -> None:
    shipped({"all": "grain=5", "road": "grain=6"})
    found = chosen("default", WEB)
    assert (found.plan, found.source) == (Plan.parse("grain=5"), "default for all graphs, measured")


def test_the_program_is_opened_under_the_plan_that_was_chosen(shipped: Any) -> None:
    shipped({"all": "grain=5 prefetch=8"})
    found = chosen("default", WEB)
    assert found.manifest.plan == str(Plan.parse("grain=5 prefetch=8"))


def undirected(spec: str) -> Given:
    m = opened()
    graphs: dict[str, Graph] = {"g": load(spec, m.graphs[0], Loading(undirected=True))}
    return Given(graphs, lambda: bind(m, graphs, {}), None, 2)


def default_on(where: Given, program: str = "walk.irgl") -> Chosen:
    return resolve("default", open_program(program, Plan()), where, "cpu", lambda plan: open_program(program, plan))


@pytest.fixture
def search(tmp_path: Path) -> str:
    """A program in which a node is found once."""
    found = PROGRAM.replace("if (e.dst.far min= there) {", "if (e.dst.far == INF) { racy e.dst.far = 1;")
    assert found != PROGRAM
    (tmp_path / "search.irgl").write_text(found)
    return "search.irgl"


@pytest.mark.parametrize("spec", [WEB, "uniform:9"])
def test_an_unknown_search_pulls_on_an_undirected_graph_of_short_paths(spec: str, search: str) -> None:
    found = default_on(undirected(spec), search)
    assert found.plan == Plan.parse(FAR) and found.source.endswith("graphs, by rule")


def test_a_search_pulls_later_where_edges_have_near_ends(search: str) -> None:
    parts = [(i, j) for i in range(0, 400, 20) for j in range(i + 1, i + 20)]  # stars in a row
    Path("web.el").write_text("".join(f"{u} {v}\n" for u, v in [*parts, *((i, i + 20) for i in range(0, 380, 20))]))
    where = undirected("web.el")
    assert at_once(where.graphs["g"]).graph_class == "skewed"
    assert default_on(where, search).plan == Plan.parse(HYBRID)


@pytest.mark.parametrize(("name", "searches"), [
    ("bfs.irgl", True), ("gt/bfs.gt", True), ("gt/sssp.gt", False), ("gt/bc.gt", False), ("tri.irgl", False)])
def test_programs_are_known_for_searches(name: str, searches: bool) -> None:
    for plan in ("default", "direction=hybrid"):
        assert open_program(PLACE / name, Plan.parse(plan)).searches is searches


@pytest.mark.parametrize(("spec", "sweeps"), [("grid:40x30", True), ("delaunay:9", False), ("uniform:9", False)])
def test_labels_sweep_a_mesh_whose_edges_have_near_ends(spec: str, sweeps: bool) -> None:
    found = default_on(undirected(spec), str(PLACE / "gt" / "cc.gt"))
    assert (found.plan == Plan.parse(f"{SWEEPS} spread.s1_pull.share=even")) == sweeps
    assert found.source.endswith("of near ids graphs, by rule") == sweeps


@pytest.mark.parametrize(("name", "spreads"), [
    ("gt/cc.gt", ("spread.s1",)), ("gt/sssp.gt", ()), ("gt/pr.gt", ()), ("bfs.irgl", ()), ("tri.irgl", ())])
def test_programs_are_known_for_handing_on_values(name: str, spreads: tuple[str, ...]) -> None:
    assert open_program(PLACE / name, Plan()).spreads == spreads


def test_a_program_whose_nodes_look_at_all_of_their_edges_pushes() -> None:
    found = default_on(undirected(WEB))
    assert (found.plan, found.source) == (Plan(), "built in")


LABELS = """graph Graph { node int mark = 0; node int other = 0; }
Kernel start(Graph g) { ForAll (n In g.nodes) { n.mark = (int)n.id; } }
Kernel spread(Graph g) WL unique list<node> {
  at: ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.mark min= n.mark) { WL.push(e.dst); } } }
}
Program walk(Graph g) { Invoke start(g); Iterate spread(g) Initial (g.nodes) { } }
"""
ALL_NODES = "Kernel all(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.other max= n.other; } } }\n"


def test_labels_sweep_an_undirected_mesh_whose_edges_have_near_ends() -> None:
    Path("walk.irgl").write_text(LABELS)
    found = default_on(undirected("grid:size=40x40"))
    assert found.plan == Plan.parse(f"{SWEEPS} spread.at_pull.share=even")
    assert found.source == "default for undirected mesh, of near ids graphs, by rule"
    assert default_on(undirected(ROADS)).plan == Plan()


@pytest.mark.parametrize("text", [
    LABELS.replace("Program", f"{ALL_NODES}Program").replace("Invoke start(g);", "Invoke start(g); Invoke all(g);"),
    LABELS.replace("(e In", "(at_pull In").replace("e.dst", "at_pull.dst"),
    LABELS.replace("= n.mark)", "= n.mark + 1)"),
], ids=["a loop that always pulls", "a name that is taken", "what changes on its way"])
def test_a_program_sweeps_where_each_of_its_loops_hands_on_labels_and_has_a_half_that_pulls(text: str) -> None:
    Path("walk.irgl").write_text(text)
    found = default_on(undirected("grid:size=40x40"))
    assert (found.plan, found.source) == (Plan(), "built in")


def directed_web() -> Given:
    return Given({"g": replace(load(WEB, opened().graphs[0], Loading()), directed=True)}, dict, None, 2)


def test_a_search_pushes_on_roads(search: str) -> None:
    found = default_on(undirected(ROADS), search)
    assert (found.plan, found.source) == (Plan(), "built in")


def test_a_search_pushes_where_edges_would_have_to_be_turned_round(search: str) -> None:
    found = default_on(directed_web(), search)
    assert (found.plan, found.source) == (Plan(), "built in")


def test_a_default_that_pulls_is_for_graphs_that_have_in_edges(shipped: Any) -> None:
    shipped({"all": "direction=hybrid grain=64"})
    found = default_on(directed_web())
    assert (found.plan, found.source) == (Plan.parse("grain=64"), "default for all graphs, measured, without in-edges")
    assert default_on(undirected(WEB)).plan == Plan.parse("direction=hybrid grain=64")


def test_a_copy_under_other_names_has_the_same_default(shipped: Any) -> None:
    shipped({"all": "grain=5"})
    Path("walk.irgl").write_text(re.sub(r"\b(far|start|spread|walk|there|Graph)\b", r"\1_2", PROGRAM))
    assert chosen("default", WEB).plan == Plan.parse("grain=5")


def test_another_program_has_not(shipped: Any) -> None:
    shipped({"all": "grain=5"})
    Path("walk.irgl").write_text(PROGRAM.replace("n.far + 1", "n.far + 2"))
    assert chosen("default", WEB).source == "built in"


@pytest.mark.parametrize("target", ["cuda", "simt"])
def test_the_emulator_has_the_defaults_of_gpus(shipped: Any, target: str) -> None:
    shipped({"skewed": "block=128"}, "cuda", "modelled for some GPU")
    found = chosen("default", WEB, target)
    assert (found.plan, found.source) == (Plan.parse("block=128", target),
                                          "default for skewed graphs, modelled for some GPU")


def test_the_interpreter_has_no_defaults(shipped: Any) -> None:
    shipped({"all": "grain=5"})
    assert chosen("default", WEB, "ref").source == "built in"


def test_words_after_default_change_it(shipped: Any) -> None:
    shipped({"all": "grain=5 serial=6"})
    found = chosen("default grain=4096", WEB)
    assert (found.plan, found.source) == (Plan.parse("serial=6"), "default for all graphs, measured, changed")


def test_an_explicit_plan_stays_as_it_is(shipped: Any) -> None:
    shipped({"all": "grain=5"})
    found = chosen("serial=6", WEB)
    assert (found.plan, found.source) == (Plan.parse("serial=6"), "given")


def test_none_stays_as_it_is(shipped: Any) -> None:
    shipped({"all": "grain=5"})
    assert chosen("none", WEB).plan == Plan.none()


@pytest.mark.parametrize(("text", "message"), [
    ("auto grain=x", "`grain=x`: it takes a whole number from 1"),
    ("default none", "`none` is no part of a plan"),
    ("grain=5 auto", "`auto` is no part of a plan"),
    ("auto grain=5 grain=6", "the plan gives `grain` twice"),
    ("auto speed=5", "no plan option is called `speed`"),
])
def test_what_is_no_plan_is_refused(text: str, message: str) -> None:
    with pytest.raises(IrglError, match=re.escape(message)):
        before_graph(text, "cpu")


# --plan auto


def test_auto_is_the_default_where_nothing_was_tuned(shipped: Any, tmp_path: Path) -> None:
    shipped({"all": "grain=5"})
    assert chosen("auto", WEB).source == "default for all graphs, measured"
    assert not (tmp_path / "tune.sqlite").exists()


def test_auto_is_what_was_fastest_on_this_graph(shipped: Any) -> None:
    shipped({"all": "grain=5"})
    tuned(WEB, "grain=7", 2.0)
    tuned(WEB, "grain=8", 1.0)
    found = chosen("auto", WEB)
    assert (found.plan, found.source) == (Plan.parse("grain=8"), "tuned on this graph")


def test_auto_takes_this_graph_with_another_source() -> None:
    tuned(WEB, "grain=8", source=3)
    assert chosen("auto", WEB, source=4).source == "tuned on this graph"


def test_auto_prefers_the_same_source() -> None:
    tuned(WEB, "grain=7", 1.0, source=3)
    tuned(WEB, "grain=8", 2.0, source=4)
    assert chosen("auto", WEB, source=4).plan == Plan.parse("grain=8")


def test_auto_is_what_was_tuned_on_a_similar_graph() -> None:
    tuned(OTHER_WEB, "grain=8", name="another web")
    found = chosen("auto", WEB)
    assert (found.plan, found.source) == (Plan.parse("grain=8"), "tuned on a similar graph another web")


def test_auto_prefers_the_more_similar_graph() -> None:
    tuned("rmat:scale=8,seed=5", "grain=7", 1.0, name="smaller")
    tuned(OTHER_WEB, "grain=8", 2.0, name="as large")
    assert chosen("auto", WEB).source == "tuned on a similar graph as large"


def test_a_graph_of_another_class_is_not_similar() -> None:
    tuned(ROADS, "grain=8")
    assert chosen("auto", WEB).source == "built in"


def test_what_was_tuned_with_other_threads_does_not_count() -> None:
    tuned(WEB, "grain=8")
    found = resolve("auto", opened(), replace(given(WEB), threads=1), "cpu",
                    lambda plan: open_program("walk.irgl", plan))
    assert found.source == "built in"


def test_a_plan_that_irgl_no_longer_knows_is_passed_over() -> None:
    where = given(WEB)
    with Store() as store:
        store.add(key_of(opened(), "cpu", 2), input_digest(where.graphs, where.values()),
                  Trial("speed=9", "known", Status.OK, (1.0,)))
    assert chosen("auto", WEB).source == "built in"


def test_a_place_that_a_copy_calls_otherwise_is_passed_over() -> None:
    Path("walk.irgl").write_text(PROGRAM)
    tuned(WEB, "spread.loop1.loop1.prefetch=8")
    assert chosen("auto", WEB).source == "tuned on this graph"
    Path("walk.irgl").write_text(PROGRAM.replace("spread", "other"))
    assert chosen("auto", WEB).source == "built in"


def test_the_features_of_a_graph_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned(OTHER_WEB, "grain=8")
    looked: list[Graph] = []
    monkeypatch.setattr(auto, "of", lambda graph: looked.append(graph) or of(graph))
    assert {chosen("auto", WEB).source for _ in range(3)} == {"tuned on a similar graph known"}
    assert len(looked) == 1


def test_words_after_auto_change_it() -> None:
    tuned(WEB, "grain=8 serial=6")
    found = chosen("auto serial=off", WEB)
    assert (found.plan, found.source) == (Plan.parse("grain=8 serial=off"), "tuned on this graph, changed")


def test_a_database_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tune.sqlite").write_text("no database at all, but text of some length")
    with pytest.raises(IrglError, match="this is no database"):
        chosen("auto", WEB)


# Seeds of a search


def test_a_search_begins_with_the_default_and_with_what_won_on_similar_graphs(shipped: Any) -> None:
    shipped({"all": "grain=5", "skewed": "grain=6"})
    tuned(OTHER_WEB, "grain=8")
    tuned(ROADS, "grain=9")
    where = given(WEB)
    assert where.graph is not None
    with Store() as store:
        found = seeds(opened(), of(where.graph), "cpu", store, key_of(opened(), "cpu", 2))
    assert found == [Plan.parse("grain=6"), Plan.parse("grain=8")]


def test_a_search_on_an_unknown_program_begins_with_what_the_options_say() -> None:
    assert seeds(opened(), None, "cpu") == [Plan()]


# What is said of it


def test_run_says_where_its_plan_comes_from(capfd: pytest.CaptureFixture[str], shipped: Any) -> None:
    shipped({"road": "grain=6"})
    found = run(capfd, ROADS, "default")
    assert (found["text"], found["source"]) == (str(Plan.parse("grain=6")), "default for road graphs, measured")
    assert "spread.loop1: grain=6" in found["applied"]


def test_run_auto_after_tuning_uses_the_tuned_plan(capfd: pytest.CaptureFixture[str]) -> None:
    tuned(WEB, "grain=8 prefetch=8")
    found = run(capfd, WEB, "auto")
    assert (found["text"], found["source"]) == (str(Plan.parse("grain=8 prefetch=8")), "tuned on this graph")


def test_run_with_a_plan_says_that_it_was_given(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, WEB, "grain=8")["source"] == "given"


def test_a_call_from_python_has_the_plan_of_its_graph(shipped: Any) -> None:
    shipped({"road": "grain=6", "skewed": "grain=7"})
    program = irgl.compile("walk.irgl", target="cpu")
    found = {spec: program(spec, threads=2) for spec in (ROADS, WEB)}
    assert {spec: answer.plan_source for spec, answer in found.items()} == {
        ROADS: "default for road graphs, measured", WEB: "default for skewed graphs, measured"}
    assert found[WEB].plan == str(Plan.parse("grain=7"))


def test_a_call_from_python_may_ask_for_auto() -> None:
    tuned(WEB, "grain=8")
    answer = irgl.compile("walk.irgl", target="cpu", plan="auto")(WEB, threads=2)
    assert (answer.plan, answer.plan_source) == (str(Plan.parse("grain=8")), "tuned on this graph")


def test_a_call_under_a_given_plan_says_so() -> None:
    assert irgl.compile("walk.irgl", target="cpu", plan="none")(WEB, threads=2).plan_source == "given"


@pytest.mark.parametrize(("serial", "on_one_thread"), [("off", 0), ("100000", 301)])
def test_a_run_from_python_resolves_the_plan_of_a_file(shipped: Any, serial: str, on_one_thread: int) -> None:
    shipped({"road": f"serial={serial}"})
    assert irgl.run("walk.irgl", ROADS, threads=2).stats["serial_rounds"] == on_one_thread


def test_a_plan_may_want_in_edges_that_the_program_does_without(
    capfd: pytest.CaptureFixture[str], shipped: Any
) -> None:
    shipped({"all": "direction=pull"})
    assert opened("direction=pull").graphs != opened().graphs
    arguments = ["run", "walk.irgl", "--graph", "rmat:scale=9,undirected=no", "--json", "--plan"]
    results = []
    for plan in ("none", "default"):
        assert exit_code([*arguments, plan]) == 0
        results.append(json.loads(capfd.readouterr().out)["result"])
    assert results[0] == results[1]


# Another database


def elsewhere(plan: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A database with a result, of which the usual place knows nothing."""
    with monkeypatch.context() as own:
        own.setenv("IRGL_TUNE_DB", str(tmp_path / "other.sqlite"))
        tuned(WEB, plan)
    return tmp_path / "other.sqlite"


def test_run_auto_looks_into_the_database_that_is_named(capfd: pytest.CaptureFixture[str], tmp_path: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    other = elsewhere("grain=8", monkeypatch, tmp_path)
    words = ["run", "walk.irgl", "--graph", WEB, "--threads", "2", "--plan", "auto", "--json"]
    assert exit_code([*words, "--db", str(other)]) == 0
    said = capfd.readouterr()
    assert json.loads(said.out)["plan"]["source"] == "tuned on this graph"
    assert "auto found nothing" not in said.err


def test_python_looks_into_the_database_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = elsewhere("grain=8", monkeypatch, tmp_path)
    program = irgl.compile("walk.irgl", target="cpu", plan="auto", db=other)
    for called in (program, pickle.loads(pickle.dumps(program))):
        assert called(WEB, threads=2).plan_source == "tuned on this graph"


@pytest.mark.parametrize(("plan", "db", "message", "hint"), [
    ("none", "tune.sqlite", "has no meaning for the plan `none`", "only the plan `auto`"),
    ("auto", "missing.sqlite", "there is no such database", "irglc tune")])
def test_a_database_that_is_not_looked_into_is_refused(plan: str, db: str, message: str, hint: str,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "walk.irgl", "--graph", WEB, "--plan", plan, "--db", db]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert hint in said
    with pytest.raises(IrglError, match=re.escape(message)):
        irgl.compile("walk.irgl", target="cpu", plan=plan, db=db)
    with pytest.raises(IrglError, match=re.escape(message)):
        irgl.run("walk.irgl", WEB, plan=plan, db=db)


def test_auto_that_found_nothing_says_why_and_what_it_took(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["run", "walk.irgl", "--graph", WEB, "--threads", "2", "--plan", "auto"]
    assert exit_code([*words, "--json"]) == 0
    said = capfd.readouterr()
    assert json.loads(said.out)["plan"]["source"] == "built in, since irglc tune has left no results here"
    assert "note: auto found nothing, since irglc tune has left no results here; the plan is the default (built in); " \
           "`irglc tune walk.irgl`" in said.err
    tuned(ROADS, "grain=8")
    assert exit_code(words) == 0
    assert "(built in, since walk was tuned on no graph like this one)" in capfd.readouterr().out
    assert exit_code([*words[:5], "1", *words[6:]]) == 0
    assert "since walk was not tuned for cpu on 1 thread with" in capfd.readouterr().out


def test_a_call_from_python_tells_that_auto_found_nothing() -> None:
    answer = irgl.compile("walk.irgl", target="cpu", plan="auto")(WEB, threads=2)
    assert answer.plan_source == "built in, since irglc tune has left no results here"


def test_tune_names_the_database_in_the_command_that_uses_it(tmp_path: Path) -> None:
    outcome = Outcome("walk", "", "cpu", "", 2, "all", "tpe", 1, str(tmp_path / "my results.sqlite"), space=4)
    said = io.StringIO()
    print_outcome(outcome, said)
    assert f"irglc run --plan auto --db '{tmp_path / 'my results.sqlite'}' uses it" in said.getvalue()
    outcome.database = str(tmp_path / "tune.sqlite")  # the usual place
    print_outcome(outcome, said)
    assert said.getvalue().endswith("irglc run --plan auto uses it\n")


# Forms of edges


def forms_of(spec: str, sizes: Mapping[str, float], *, stats: Mapping[str, float] | None = None) -> None:
    """Results of plans on a graph, each with its time."""
    for plan, ms in sizes.items():
        tuned(spec, plan, ms)
        if stats is not None and "format" in plan:
            where = given(spec)
            with Store() as store:
                store.add(key_of(opened(), "cpu", 2), input_digest(where.graphs, where.values()), Trial(
                    str(Plan.parse(plan)), "known", Status.OK, (ms,), stats=dict(stats)), round=1)


def test_auto_takes_a_form_that_fits_into_memory() -> None:
    forms_of(ROADS, {"format=split": 1.0, "grain=7": 2.0})
    assert chosen("auto", ROADS).plan == Plan.parse("format=split")


def test_auto_passes_over_a_form_that_does_not_fit_into_memory_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed, "free_bytes", lambda: 1000)
    forms_of(ROADS, {"format=split": 1.0, "format=split split=8": 1.5, "grain=7": 2.0})
    found = chosen("auto", ROADS)
    assert (found.plan, found.source) == (
        Plan.parse("grain=7"), "tuned on this graph; without plans that don't fit into memory: format=split of the "
                               "graph's out-edges takes 4,800 bytes, of which 1,000 are free")


def test_auto_is_the_default_where_no_plan_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed, "free_bytes", lambda: 1000)
    forms_of(ROADS, {"format=split": 1.0})
    found = chosen("auto", ROADS)
    assert (found.plan, found.source) == (Plan(), "built in")
    assert found.untuned.endswith("; without plans that don't fit into memory: format=split of the graph's out-edges "
                                  "takes 4,800 bytes, of which 1,000 are free")


def test_a_form_that_is_there_already_needs_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    forms_of(ROADS, {"format=split": 1.0, "grain=7": 2.0})
    where = given(ROADS)
    graph = where.graph
    assert graph is not None
    need = open_program("walk.irgl", Plan.parse("format=split")).graphs[0].forms
    placed.placed(graph, need, lambda _: None)  # type: ignore[arg-type,return-value]
    monkeypatch.setattr(placed, "free_bytes", lambda: 1000)
    found = resolve("auto", opened("auto"), where, "cpu", lambda plan: open_program("walk.irgl", plan))
    assert found.plan == Plan.parse("format=split")


def test_forms_have_to_fit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = given(ROADS).graph
    assert graph is not None
    needs = [FormNeed("out", "coo", (("segments", "off"),), "", False),
             FormNeed("out", "split", (("split", "32"),), "", False)]
    monkeypatch.setattr(placed, "free_bytes", lambda: 5000)
    assert [placed.too_large(graph, [need]) for need in needs] == ["", ""]
    assert placed.too_large(graph, needs) == ("format=coo of the graph's out-edges and format=split of the graph's "
                                              "out-edges take 9,600 bytes, of which 5,000 are free")


@pytest.mark.parametrize(("target", "word"), [("cpu", "default"), ("cpu", "auto")])
def test_a_default_whose_form_does_not_fit_is_taken_over_rows(target: str, word: str, shipped: Any,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    shipped({"all": "grain=5 format=split split=8"})
    assert chosen(word, ROADS, target).plan == Plan.parse("grain=5 format=split split=8")
    monkeypatch.setattr(placed, "free_bytes", lambda: 1000)
    found = chosen(word, ROADS, target)
    assert found.plan == Plan.parse("grain=5")
    assert found.source == ("default for all graphs, measured, over rows: format=split of the graph's out-edges takes "
                            "4,800 bytes, of which 1,000 are free")


@pytest.mark.parametrize(("runs", "plan"), [(20, "grain=7"), (200, "format=split")])
def test_auto_takes_a_form_where_building_it_pays_after_as_many_runs_as_the_tuner_was_told(runs: int,
                                                                                           plan: str) -> None:
    # 1 ms and a building of 30 ms, spread over 100 runs, beside 2 ms
    forms_of(ROADS, {"format=split": 1.3, "grain=7": 2.0}, stats={FORMAT_MS: 30.0, SPREAD_OVER: 100.0})
    with Store() as store:
        store.begin(key_of(opened(), "cpu", 2), {SESSION_RUNS: runs})
    assert chosen("auto", ROADS).plan == Plan.parse(plan)


def test_without_a_session_a_form_has_to_pay_after_20_runs() -> None:
    forms_of(ROADS, {"format=split": 1.3, "grain=7": 2.0}, stats={FORMAT_MS: 30.0, SPREAD_OVER: 100.0})
    assert chosen("auto", ROADS).plan == Plan.parse("grain=7")
