"""sync=off of a loop: whoever would run in the next round comes back within this one, where that leaves the same."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import pytest
from support import nvcc
from support.agreement import differences, disagreements, interpreted
from support.awkward_graphs import awkward
from support.choices import Seeded
from support.driven import after, text_after
from support.merged import BOUND, FREE, LABELS, LENGTHS, LIST, NOTED, judged, of_first, program
from support.programs import MORE, ON_GRAPHS, PLACE, path_of, run_program
from support.random_graphs import SmallGraph, from_arcs
from support.random_merges import merges
from support.random_parts import RandomProgram
from support.renaming import Renaming
from support.simt_batch import all_compared

from irgl import driver
from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.passes.drive.as_planned import driven
from irgl.passes.drive.merging import loops, why_not
from irgl.plan import Plan
from irgl.source import IrglError

BATCH = 20
BATCHES = [*range(2), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(2, 100))]
GRAPHS = ("empty", "one node", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "disconnected",
          "grid", "middling")


def small() -> SmallGraph:
    """A path with short cuts, two of them back, and a node apart."""
    arcs = [(i, i + 1, i % 4) for i in range(11)] + [(0, 7, 9), (9, 2, 0), (5, 5, 1), (11, 0, 3), (3, 8, 1), (3, 8, 5)]
    return from_arcs(14, arcs)


def test_what_is_pushed_for_the_next_round_comes_back_within_this_one() -> None:
    kernel = text_after(program(LENGTHS, "WL set<node>"), "sync=off").partition("Kernel begin")[0]
    assert kernel.strip() == textwrap.dedent("""
        Kernel k(Graph g, int by) WL list<node> {
            ForAll (n In WL.items) {
                int here = n.p;
                ForAll (e In n.edges) {
                    int there = here + e.w;
                    if (there >= here && there < e.dst.p && (e.dst.p min= there)) {
                        Respawn e.dst;
                    }
                }
            }
        }
        """).strip()


def test_all_nodes_come_first_of_what_ran_over_all_nodes() -> None:
    kernel, _, host = text_after(program(**FREE["all nodes"]), "sync=off").partition("Kernel begin")
    assert kernel.strip() == textwrap.dedent("""
        Kernel k(Graph g, int by) {
            ForAll (n In WL.items) {
                ForAll (e In n.edges) {
                    if (e.dst.least min= n.least) {
                        Respawn e.dst;
                    }
                }
            }
        }
        """).strip()
    assert "Iterate k(g, by) Initial (g.nodes);" in host


def test_what_is_noted_is_asked_and_noted_in_one_step() -> None:
    kernel = text_after(program(NOTED, "WL set<node>"), "sync=off").partition("Kernel begin")[0]
    assert kernel.strip() == textwrap.dedent("""
        Kernel k(Graph g, int by) WL list<node> {
            ForAll (n In WL.items) {
                int here = n.p;
                if (here < n.told && (n.told min= here)) {
                    ForAll (e In n.edges) {
                        int there = here + e.w;
                        if (there >= here && there < e.dst.p && (e.dst.p min= there)) {
                            Respawn e.dst;
                        }
                    }
                }
            }
        }
        """).strip()


def test_rounds_that_go_on_while_a_flag_is_set_merge_too() -> None:
    text = (PLACE / "falcon" / "sssp_free.fal").read_text(encoding="utf-8")
    checked = driver.ready("sssp_free.fal", text).checked
    made = dump(driven(checked, Plan.parse("offer.loop1.sync=off")).checked.program)
    assert "Iterate offer(g) Initial (g.nodes);" in made and "racy moved" not in made
    found = [run(c, {"g": small()}, {"argv2": 0}) for c in (checked, check(load_text(made)))]
    assert differences(*found) == []


@pytest.mark.parametrize("name", FREE)
def test_the_end_is_the_same_in_any_order(name: str) -> None:
    text = program(**FREE[name])
    assert judged(text) is None
    merged = after(text, "sync=off")
    for graph in (small(), from_arcs(0, [])):
        one = RandomProgram(text, graph, {})
        expected = interpreted(one)
        assert expected is not None
        for order in (None, 1, 2):
            assert differences(expected, run(merged, {"g": graph}, order=order)) == []


def test_it_is_the_same_on_cpus_and_gpus() -> None:
    programs = [RandomProgram(program(**changes), small(), {}) for changes in [*FREE.values()][::2]]
    assert disagreements(programs, Plan.parse("sync=off")) == []
    assert all_compared(programs[1::7], ["sync=off", "sync=off outline=graph cc=block"]) == {}


@pytest.mark.parametrize(("changes", "reason"), BOUND)
def test_why_rounds_wait(changes: dict[str, str], reason: str) -> None:
    assert judged(program(**changes)) == reason


@pytest.mark.parametrize("changes", [*FREE.values(), *(changes for changes, _ in BOUND)])
def test_whatever_things_are_called_the_judgment_is_the_same(changes: dict[str, str]) -> None:
    checked = driver.ready("p.irgl", program(**changes)).checked
    renamed = check(Renaming(checked.program).tree(checked.program))
    assert (of_first(checked) is None) == (of_first(renamed) is None)


def test_one_round_has_the_work_of_all() -> None:
    text, graph = program(LABELS), small()
    counts = [run(made, {"g": graph}).stats["rounds"] for made in (after(text, ""), after(text, "sync=off"))]
    assert counts[0] > counts[1] == 1


def test_of_the_shipped_programs_those_loops_may_that_mark_whom_they_reach() -> None:
    free = [(name, place) for name in (*ON_GRAPHS, *MORE) for checked in (driver.ready(path_of(name)).checked,)
            for place, k in loops(checked).items() if why_not(checked, k) is None]
    assert free == [("scc", "look_ahead.loop1"), ("scc", "look_back.loop1")]


@pytest.mark.parametrize("graph", GRAPHS)
def test_no_shipped_program_s_answer_changes(graph: str) -> None:
    for threads in (1, 2):
        ran = run_program("scc", awkward()[graph], plan="serial=off grain=1 sync=off", threads=threads, capacity=1)
        assert ran.wrong() is None


def test_a_plan_tells_where_rounds_merge_and_where_not() -> None:
    text = program(LABELS)
    for target in ("cpu", "cuda"):
        unit = driver.compile("p.irgl", text=text, target=target, plan=Plan.parse("sync=off", target))
        assert "k.loop1: sync=off" in unit.applied
        assert ("begin.loop1: sync=off: it has no rounds: its kernel is not all of an Iterate or a Pipe"
                in unit.not_applicable)


@pytest.mark.parametrize(("target", "place", "message", "hint"), [
    ("cpu", "begin.loop1", "`begin.loop1.sync=off` can't be honoured: it has no rounds: its kernel is not all "
     "of an Iterate or a Pipe", "leave it out; `sync=off` alone applies wherever it is legal"),
    ("cpu", "k.loop2", "the plan sets `sync` for `k.loop2`, which is no place for it",
     "places: k.loop1, begin.loop1, main.invoke1, main.iterate1"),
    ("cuda", "main.iterate1", "`main.iterate1.sync=off` can't be honoured: line 11 and line 11 have g.node.least in "
     "common", "leave it out; `sync=off` alone applies wherever it is legal"),
])
def test_what_is_asked_of_one_place_is_done_or_an_error(target: str, place: str, message: str, hint: str) -> None:
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", text=program(LABELS), target=target, plan=Plan.parse(f"{place}.sync=off", target))
    assert (e.value.message, e.value.hint) == (message, hint)


def test_one_loop_alone_may_be_asked() -> None:
    other = f"Kernel j(Graph g) {{ ForAll (n In WL.items) {{ {LABELS.replace('least', 'q')} }} }}\n"
    text = program(LABELS, host=f"{LIST} Iterate j(g) Initial (g.nodes);", more=other)
    assert text_after(text, "j.loop1.sync=off").count("Respawn") == 1
    assert text_after(text, "sync=off").count("Respawn") == 2


def test_rounds_that_are_merged_are_driven_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "p.irgl"
    path.write_text(program(**FREE["all nodes"]))
    assert exit_code(["explain", str(path), "--plan", "sync=off drive=data"]) == 0
    said = capsys.readouterr().out
    assert "  k.loop1: sync=off\n" in said
    assert "main.iterate1: drive=data: it runs over a worklist as it is written" in said


def test_the_interpreter_has_rounds_as_they_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "p.irgl"
    path.write_text(program(LABELS))
    code = exit_code(["run", str(path), "--graph", "path:4", "--target", "ref", "--plan", "k.loop1.sync=off"])
    assert code == 2
    assert "can't be honoured: the reference interpreter runs one item after the other" in capsys.readouterr().err


def test_the_pass_is_dumped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "p.irgl"
    path.write_text(program(LABELS))
    assert exit_code(["dump", str(path), "--plan", "sync=off", "--stage", "merge_rounds"]) == 0
    assert "Respawn e.dst;" in capsys.readouterr().out


def test_a_second_loop_in_a_kernel_keeps_its_rounds() -> None:
    twice = program(LABELS).replace("Kernel begin", "Kernel unused").replace("Invoke begin(g);", "")
    both = twice.replace("WL.push(e.dst); } } } }", "WL.push(e.dst); } } } ForAll (n In g.nodes) { n.q = 1; } }", 1)
    assert judged(both) == "'k' is more than one ForAll"


def free(seeds: range) -> list[RandomProgram]:
    """The random programs whose rounds may merge."""
    found = []
    for seed in seeds:
        one = merges(Seeded(seed))
        try:
            if judged(one.text) is None:
                found.append(one)
        except IrglError:  # a value that its type doesn't take
            pass
    return found


@pytest.mark.parametrize("batch", BATCHES)
def test_random_rounds_that_merge_leave_the_same_in_any_order(batch: int) -> None:
    for one in free(range(batch * BATCH, (batch + 1) * BATCH)):
        expected = interpreted(one)
        if expected is not None:
            merged = after(one.text, "sync=off")
            for order in (1, 2):
                assert differences(expected, run(merged, {"g": one.graph}, order=order)) == [], str(one)


def test_random_rounds_that_merge_leave_the_same_on_every_target() -> None:
    some = free(range(36))
    assert len(some) > 3
    assert disagreements(some, Plan.parse("sync=off")) == []
    assert all_compared(some[:2], ["sync=off"]) == {}


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_nvcc_takes_merged_rounds_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "p.irgl"
    path.write_text(program(LENGTHS))
    assert nvcc.complaints([path], [nvcc.DEFAULT | {"sync": "off"}], tmp_path) == []


