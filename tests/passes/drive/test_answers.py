"""Programs that come with irgl give the same answers whatever drives their loops; renamed, they are judged alike."""

from __future__ import annotations

from functools import cache

import pytest
from support.awkward_graphs import awkward
from support.driven import after
from support.programs import ON_GRAPHS, path_of, run_program
from support.random_graphs import from_arcs
from support.renaming import Renaming

from irgl import driver
from irgl.analysis.check import check
from irgl.interpret import run
from irgl.passes.drive.as_planned import DATA, TOPOLOGY, driven, places, reasons
from irgl.plan import Plan

GRAPHS = ("empty", "one node", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "disconnected",
          "grid", "middling")


@cache
def legal(name: str) -> tuple[str, ...]:
    """The values that some loop of a program takes."""
    checked = driver.ready(path_of(name)).checked
    return tuple(word for word in (DATA, TOPOLOGY)
                 if any(reasons(checked, loop)[word] is None for loop in places(checked).values()))


DRIVEN = [(name, word) for name in ON_GRAPHS for word in legal(name)]


def test_both_ways_have_programs() -> None:
    assert {("bfs_topo", DATA), ("sssp_bf", DATA), ("bfs", TOPOLOGY), ("cc", TOPOLOGY), ("mis", TOPOLOGY),
            ("mst", TOPOLOGY)} <= {*DRIVEN}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize(("name", "word"), DRIVEN)
def test_no_drive_changes_an_answer(name: str, word: str, graph: str) -> None:
    for threads in (1, 2, 4):
        ran = run_program(name, awkward()[graph], plan=f"serial=off grain=1 drive={word}", threads=threads, capacity=1)
        assert ran.wrong() is None


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_whatever_things_are_called_the_same_loops_are_driven(name: str) -> None:
    checked = driver.ready(path_of(name)).checked
    renamed = check(Renaming(checked.program).tree(checked.program))
    for mine, other in zip(places(checked).values(), places(renamed).values(), strict=True):
        found, again = reasons(checked, mine), reasons(renamed, other)
        assert [reason is None for reason in found.values()] == [reason is None for reason in again.values()]


def test_a_search_by_levels_has_a_worklist_s_rounds_and_pushes() -> None:
    arcs = [(i, i + 1, 1) for i in range(40)] + [(i, i + 7, 1) for i in range(0, 33, 3)]
    counts = []
    for name, plan in (("bfs", ""), ("bfs_topo", "drive=data")):
        text = path_of(name).read_text(encoding="utf-8")
        counts.append(run(after(text, plan), {"g": from_arcs(41, arcs)}).stats)
    assert [c["rounds"] for c in counts] == [17, 17]
    assert [c["pushes"] for c in counts] == [41, 41]


def test_a_plan_that_says_nothing_leaves_the_program_alone() -> None:
    checked = driver.ready(path_of("bfs_topo")).checked
    assert driven(checked, Plan()).checked is checked

