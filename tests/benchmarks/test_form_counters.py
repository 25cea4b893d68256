"""The benchmark that counts rounds under every form: which plans it runs, and what it takes off."""

from __future__ import annotations

import sys

import pytest
from support.places import BENCHMARKS

from irgl import driver
from irgl.forms.find import has_header, names
from irgl.plan import Plan

sys.path.insert(0, str(BENCHMARKS))
import form_counters


def test_every_form_that_gpus_have_is_counted_wherever_a_round_takes_edges() -> None:
    program = driver.ready(BENCHMARKS / "form_counters.irgl")
    counted = set()
    for label, text in form_counters.plans():
        unit = driver.emit(program, Plan.parse(text, "simt"), "simt")
        left = {line.partition(".")[0] for line in unit.not_applicable if "format=" in line}
        assert left == ({"push_shares", "push_labels"} if text == "format=shards" else set()), label
        counted.add(label.split()[0])
    assert counted == {"csr", *(name for name in names() if has_header(name, "cuh"))}


def test_a_round_that_leaves_a_form_for_rows_is_not_counted_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(form_counters.GRAPHS, "tiny", "rmat:6")
    counted = form_counters.row("tiny", "shards", "format=shards")["rounds"]
    assert list(counted) == ["PageRank, pull", "components, pull"]


def test_of_cr2_a_sum_takes_an_atomic_for_each_piece_and_of_rows_none_is_in_shared_memory(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(form_counters.GRAPHS, "tiny", "rmat:8")
    pulled, pushed = "PageRank, pull", "PageRank, push"
    cr2 = form_counters.row("tiny", "cr2 swept", "format=cr2 expand=off")["rounds"]
    rows = form_counters.row("tiny", "csr serial", "np=serial")["rounds"]
    assert 0 < cr2[pulled]["shared_atomics"] < rows[pushed]["global_atomics"] / 3
    assert [rows[pulled][f"{where}_atomics"] for where in ("global", "shared")] == [0, 0]


def counted(rounds: list[str], commit: str, plan: str = "delta fg") -> form_counters.Row:
    """A row as results hold it."""
    return {"graph": "tiny", "plan": plan, "commit": commit, "text": "",
            "rounds": {r: dict.fromkeys(form_counters.COUNTED, 1) for r in rounds}}


def test_a_run_of_some_rounds_leaves_the_others_of_its_row() -> None:
    pulled, labels = "PageRank, pull", "components, pull"
    rows = form_counters.with_row([counted([pulled], "c0"), counted([pulled], "c0", "ef fg")], counted([labels], "c1"))
    assert [(r["plan"], list(r["rounds"])) for r in rows] == [("ef fg", [pulled]), ("delta fg", [pulled, labels])]
    assert [r["commit"] for r in rows] == ["c0", "c0, c1"]
    again = form_counters.with_row(rows, counted([pulled, labels], "c2"))
    assert [(r["plan"], r["commit"]) for r in again] == [("ef fg", "c0"), ("delta fg", "c2")]


def test_a_page_tells_the_commits_of_each_graph() -> None:
    rows = form_counters.with_row([counted(["PageRank, pull"], "c0")], counted(["components, pull"], "c1"))
    page = form_counters.page({"irgl": "0.1.0", "graphs": {"tiny": {"nodes": 1, "arcs": 2}}, "rows": rows})
    assert page.index("## components, pull, tiny") > page.index("| `delta` EM | 1 | 1 | 1 | 1 |")
    assert page.endswith("Made by irgl 0.1.0.\n\n- tiny: commit c0 and c1\n")
    page = form_counters.page({"irgl": "0.1.0", "graphs": {"tiny": {"nodes": 1, "arcs": 2}},
                               "rows": [*rows, counted(["PageRank, pull"], "c2", "ef fg")]})
    assert page.endswith("- tiny: commit c0 and c1 (delta); commit c2 (ef)\n")


def test_schedulers_may_be_chosen_of_forms_and_sweeps_have_none() -> None:
    assert [label for label, _ in form_counters.chosen(["delta", "shards"], ["fg", "wp+fg"])] == [
        "delta fg", "delta wp+fg", "shards"]
    assert list(form_counters.chosen([], [])) == list(form_counters.plans())
