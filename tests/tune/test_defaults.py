"""The defaults that irgl ships: for every program as it is today, legal, and each with where it comes from."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from support.programs import EVERY, PLACE

from irgl.driver import emit, ready
from irgl.plan import Plan
from irgl.tune.choose.standard import ALL, BY_THEMSELVES, FILES, FOLDER, VERSION, standard
from irgl.tune.inputs.features import CLASSES

TARGETS = ("cpu", "cuda")
MAKE = "run benchmarks/tune_defaults.py for it (measure for cpu, model for cuda), then with `write`"


@cache
def programs(target: str) -> dict[str, dict[str, Any]]:
    found = json.loads((FOLDER / f"{target}.json").read_text(encoding="utf-8"))
    assert (found["version"], found["target"]) == (VERSION, target)
    entries: dict[str, dict[str, Any]] = found["programs"]
    return entries


@cache
def fingerprint(name: str) -> str:
    return ready(PLACE / f"{name}.irgl").fingerprint


def test_there_is_a_file_for_every_target_and_no_other() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.json" for name in FILES.values()}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", EVERY)
def test_the_program_has_a_default(name: str, target: str) -> None:
    assert ALL in programs(target).get(fingerprint(name), {}), f"{name} has changed, or is new: {MAKE}"


@pytest.mark.parametrize("target", TARGETS)
def test_there_is_no_default_of_a_program_that_is_gone(target: str) -> None:
    others = {ready(path).fingerprint for path in (*PLACE.glob("gt/*.gt"), PLACE / "more" / "sssp.irgl")}
    assert set(programs(target)) - {fingerprint(name) for name in EVERY} - others == set(), MAKE


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", EVERY)
def test_every_default_of_the_program_can_be_compiled(name: str, target: str) -> None:
    found = {e["plan"] for e in programs(target)[fingerprint(name)].values()}
    program = ready(PLACE / f"{name}.irgl")
    for plan in {Plan.parse(text, target).in_code: Plan.parse(text, target) for text in found}.values():
        emit(program, plan, target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", EVERY)
def test_no_default_asks_for_another_graph_than_the_program_does(name: str, target: str) -> None:
    program = ready(PLACE / f"{name}.irgl")

    def wanted(plan: Plan) -> list[object]:
        """In-edges and forms of edges apart, where they may come in beside a graph."""
        beside = {"transpose": False, "in_edge": False} if target == "cpu" else {}
        return [replace(g.needs, **beside) for g in emit(program, plan, target).graph_params]

    for entry in programs(target)[fingerprint(name)].values():
        plan = Plan.parse(entry["plan"], target)
        assert wanted(plan) == wanted(Plan(target=target))
        assert plan.text_of("order") == plan.plain("order")


@pytest.mark.parametrize("target", TARGETS)
def test_every_entry_says_how_it_was_found(target: str) -> None:
    how = {e["how"] for entries in programs(target).values() for e in entries.values()}
    assert how <= {"measured" if target == "cpu" else "measured on NVIDIA H200", BY_THEMSELVES}


@pytest.mark.parametrize("target", TARGETS)
def test_entries_are_for_classes_of_graphs(target: str) -> None:
    assert {of for entries in programs(target).values() for of in entries} <= {ALL, *CLASSES}


@pytest.mark.parametrize("target", TARGETS)
def test_no_entry_was_slower_than_the_options_by_themselves(target: str) -> None:
    assert [e for entries in programs(target).values() for e in entries.values() if e["ratio"] > 1] == []


@pytest.mark.parametrize("target", TARGETS)
def test_no_entry_is_for_a_place_of_one_program(target: str) -> None:
    plans = [e["plan"] for entries in programs(target).values() for e in entries.values()]
    assert [text for text in plans if Plan.parse(text, target).scoped] == []


def test_a_default_is_found_by_the_fingerprint_and_the_class() -> None:
    digest = fingerprint(EVERY[0])
    entries = programs("cpu")[digest]
    for of, entry in entries.items():
        found = standard(digest, "cpu", of)
        assert (str(found.plan), found.of, found.how) == (str(Plan.parse(entry["plan"])), of, entry["how"])


