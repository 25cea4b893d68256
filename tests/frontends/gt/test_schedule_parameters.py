"""A schedule's delta is a default, its arguments are parameters of the program."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.gt_schedules import LABELS, said

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.frontends.gt.schedules.parameters import with_parameters
from irgl.frontends.text.load import parse

QUEUE = "Program p(Graph g, int argv2, int delta = auto(8)) { }\n"


def head(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("Program"))


@pytest.mark.parametrize(("delta", "arguments", "program"), [
    ("", {}, "Program p(Graph g, int argv2, int delta = auto(8)) {}"),
    ("4", {}, "Program p(Graph g, int argv2, int delta = 4) {}"),
    ("argv3", {"argv3": "int"}, "Program p(Graph g, int argv2, int argv3, int delta = argv3) {}"),
    ("argv2", {"argv2": "int"}, "Program p(Graph g, int argv2, int delta = argv2) {}"),
    ("", {"argv5": "double"}, "Program p(Graph g, int argv2, double argv5, int delta = auto(8)) {}"),
])
def test_parameters_are_what_the_schedule_says(delta: str, arguments: dict[str, str], program: str) -> None:
    made = with_parameters(parse(f"graph Graph {{ }}\n{QUEUE}", "p.irgl"), delta, arguments)
    assert head(dump(made)) == program


def test_a_program_without_an_entry_stays_as_it_is() -> None:
    library = parse("graph Graph { }\n", "p.irgl")
    assert dump(with_parameters(library, "4", {"argv3": "int"})) == dump(library)
    assert not any(isinstance(d, A.Entry) for d in library.decls)


def test_a_delta_of_a_program_that_has_none_is_told() -> None:
    call = 'configApplyPriorityUpdateDelta("q1", 4)'
    found = said(f"program->{call};", labels=replace(LABELS, delta=False))
    assert (found.delta, [(n.call, n.reason) for n in found.not_applicable]) == (
        "", [(call, "each priority has a bucket of its own: the program has no delta")])
