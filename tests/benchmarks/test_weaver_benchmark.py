"""The benchmark of SparseWeaver's unit: what its rows count, what it expects of them, and what its page says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support.places import BENCHMARKS, PROGRAMS, ROOT

from irgl.source import IrglError

sys.path.insert(0, str(BENCHMARKS))
import weaver
import weaver_checks
import weaver_graphs
import weaver_page
import weaver_rows

KARATE = PROGRAMS / "data" / "karate.mtx"
TASKS = {t.name: t for t in (*weaver_rows.PROGRAMS_OF_IT, *weaver_rows.ROUNDS_OF_IT)}


def counted(program: str, schedule: str) -> weaver_rows.Row:
    """A row of the karate club."""
    return weaver_rows.row(TASKS[program], weaver_rows.SCHEDULES[schedule], "karate", str(KARATE))


def known(schedule: str, graph: str = "g", **counts: Any) -> weaver_rows.Row:
    """A row as results hold it."""
    return {"program": "bfs", "graph": graph, "schedule": schedule, "nodes": 10, "arcs": 100, "commit": "c0",
            "plan": "", "seconds": 0.1, **dict.fromkeys(weaver_rows.COUNTED, 1), "ms": 1.0,
            "parts": {"issue": 0.2, "longest warp": 0.8}, **counts}


def told(*rows: weaver_rows.Row) -> list[str]:
    return list(weaver_checks.verdicts(list(rows)))


def test_a_row_with_the_unit_has_its_counters_and_one_in_software_the_steps_that_it_saves() -> None:
    unit, software = counted("bfs", "unit"), counted("bfs", "weaver")
    assert unit["weaver_registrations"] > 0 and "weaver_registrations" not in software
    assert unit["warp_shared"] < software["warp_shared"]


def test_a_search_begins_at_the_node_of_most_arcs() -> None:
    assert TASKS["bfs"].called(str(KARATE)) == {"src": 34} and TASKS["cc"].called(str(KARATE)) == {}


def test_a_round_by_itself_is_one_launch() -> None:
    assert counted("shares, pushed", "unit")["launches"] == 1


@pytest.mark.parametrize(("program", "schedule", "why"), [
    ("bfs", "EM", "the loop around it runs over a list, which can't be asked for a node"),
    ("sssp_bf", "STRICT", "its iteration does more ahead of its edges than to compute variables"),
    ("cc", "VM, by degree", "min compares numbers of nodes (line 32)")])
def test_what_the_compiler_refuses_is_a_row_with_its_reason(program: str, schedule: str, why: str) -> None:
    assert counted(program, schedule)["refused"] == why


def test_every_other_plan_is_honoured_by_some_loop() -> None:
    refused = {(t.name, s) for t in TASKS.values() for s in t.schedules
               if weaver_rows.refusal(t, weaver_rows.SCHEDULES[s]) is not None}
    assert refused == {("bfs", "EM"), ("cc", "EM"), ("cc", "VM, by degree"), ("sssp_bf", "STRICT"),
                       ("pr_pull", "STRICT"), ("cc", "STRICT")}


def test_an_expectation_names_the_places_in_which_it_does_not_hold() -> None:
    lines = told(known("unit", warp_steps=4), known("CM", warp_steps=8),
                 known("unit", "h", warp_steps=6), known("CM", "h", warp_steps=10))
    assert lines[1:3] == [
        "- NOT HELD: steps of warps, the unit over CM: at most 0.5; in 1 of 2 places, from 0.50 to 0.60.",
        "  Not in bfs on h 0.60."]


def test_where_edges_are_no_units_as_written_both_run_over_all_nodes() -> None:
    lines = told(known("unit", warp_memory=90), known("EM, all nodes", warp_memory=10),
                 known("unit, all nodes", warp_memory=12), {**known("EM"), "refused": "it is a list"})
    assert lines[0] == "- held: steps at memory, the unit over EM: at most 1.3; in 1 of 1 places, from 1.20 to 1.20."


def test_transactions_are_compared_on_dense_graphs_and_must_be_fewer() -> None:
    text = "transactions, the unit over EM where m > 8 n: below 1"
    assert f"- not counted: {text}." in told(known("unit", arcs=80), known("EM", arcs=80))
    assert f"- NOT HELD: {text}; in 0 of 1 places, from 1.00 to 1.00." in told(known("unit"), known("EM"))


def test_a_mean_of_times_that_is_missed_tells_which_part_of_the_model_decides() -> None:
    lines = told(known("VM", ms=4.0), known("unit"), known("VM", "h", ms=0.5), known("unit", "h"))
    assert lines[-2].startswith("- NOT HELD: modelled time") and "in the mean 1.41, from 0.50 to 4.00" in lines[-2]
    assert lines[-1].endswith("bfs on h 0.50 (longest warp).")


def test_a_row_takes_the_place_of_its_like_in_the_order_of_runs() -> None:
    rows: list[weaver_rows.Row] = []
    for schedule, steps in (("unit", 1), ("VM", 1), ("unit", 7)):
        rows = weaver.with_row(rows, known(schedule, "rmat16", warp_steps=steps))
    assert [(r["schedule"], r["warp_steps"]) for r in rows] == [("VM", 1), ("unit", 7)]


def test_names_that_have_a_comma_themselves_are_taken_whole() -> None:
    assert weaver._schedules("VM,VM, all nodes,unit") == ["VM", "VM, all nodes", "unit"]


def test_power_laws_have_as_many_edges_and_a_file_of_one_has_both_arcs(tmp_path: Path,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    assert {nodes * each for nodes, each in weaver_graphs.POWER_LAWS.values()} == {240_000}
    monkeypatch.setitem(weaver_graphs.POWER_LAWS, "G1", (20, 2))
    arcs = [tuple(line.split()) for line in Path(weaver_graphs.spec_of("G1", tmp_path)).read_text().splitlines()]
    assert len(set(arcs)) == len(arcs) and {(v, u) for u, v in arcs} == set(arcs)


def test_without_files_beside_the_checkout_all_others_are_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(weaver_graphs.GRAPHS, "4elt", tmp_path / "4elt.graph.gz")
    assert "4elt" not in weaver_graphs.there() and {"rmat16", "rome99", "CA-GrQc", "G6"} <= {*weaver_graphs.there()}
    with pytest.raises(IrglError, match="the graph 4elt is absent"):
        weaver_graphs.spec_of("4elt", tmp_path)


def test_rows_of_a_graph_tell_what_is_refused_and_why() -> None:
    shown = weaver_page.page({"rows": [known("VM"), {**known("EM"), "refused": "it is a list"}]}, ("g",))
    assert "| bfs | EM | refused |" in shown and "- bfs EM: it is a list.\n" in shown


def test_the_tables_of_the_documentation_are_those_of_the_results() -> None:
    found = json.loads(weaver.RESULTS.read_text(encoding="utf-8"))
    text = (ROOT / "docs" / "weaver.md").read_text(encoding="utf-8")
    assert weaver.with_tables(text, weaver_page.page(found)) == text
