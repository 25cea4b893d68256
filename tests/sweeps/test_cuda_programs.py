"""The programs as CUDA code in the SIMT emulator: whatever the plan, the answer is right and the emulator content.

CI runs of each program plans that hold every value of every option and, with those of the other programs, every pair
of two, each on every other graph; `make matrix` every pair of each program, and every combination, SHARD=K/N an Nth of
them.
"""

from __future__ import annotations

import pytest
from support.awkward_graphs import awkward, directed, random_arcs
from support.covering import all_pairs, cover, pairs
from support.plans import PLANNED, RUNS, product, rows
from support.programs import ON_GRAPHS
from support.simt import LEAST, complaints, mixed_rows, options_of, pushes, rows_of, shared_rows
from support.simt_runs import Done

from irgl.options import OPTIONS

GRAPHS = {name: awkward()[name] for name in (
    "empty", "one node", "self-loops", "parallel arcs", "star", "disconnected")}
GRAPHS["path"] = directed(70, [(v, v + 1) for v in range(69)])
GRAPHS["random"] = random_arcs(5, 90, 360)


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_plan_changes_the_answer(name: str) -> None:
    rows = [*shared_rows()[name], *mixed_rows(name, range(1))]
    for turn in range(2):
        assert complaints([(name, row) for row in rows[turn::2]], dict([*GRAPHS.items()][turn::2])) == []


@pytest.mark.matrix
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_two_options_change_the_answer_together(name: str) -> None:
    assert complaints([(name, row) for row in rows_of(name)], GRAPHS) == []


@pytest.mark.matrix
@pytest.mark.parametrize("cc", PLANNED["cc"])
@pytest.mark.parametrize("np", PLANNED["np"])
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_combination_of_options_changes_the_answer(name: str, np: str, cc: str) -> None:
    options = options_of(name)
    if np not in options["np"] or cc not in options["cc"]:
        pytest.skip(f"np={np} cc={cc} is legal nowhere in {name}")
    assert complaints([(name, row) for row in product(options, {"np": np, "cc": cc})], GRAPHS) == []


@pytest.mark.matrix
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_mixture_of_plans_changes_the_answer(name: str, part: int) -> None:
    rows = mixed_rows(name, range(10 * part + 2, 10 * part + 12))
    assert complaints([(name, row) for row in rows], GRAPHS) == []


def grown(done: Done) -> str:
    return "" if done.stats["worklist_growths"] > 0 else "no list has grown"


@pytest.mark.parametrize("outline", ["off", "all", "graph"])
def test_lists_of_capacity_one_grow_wherever_a_program_pushes(outline: str) -> None:
    tight = [(name, next(row for row in rows_of(name) if (row["capacity"], row["outline"]) == ("1", outline))
              | {"frontier": "list", "drive": "written"})
             for name in ON_GRAPHS if outline in options_of(name)["outline"]]
    pushing = [(name, row) for name, row in tight if pushes(name, row)]
    assert len(pushing) >= {"off": 11, "all": 9, "graph": 8}[outline]
    assert complaints(pushing, {"random": GRAPHS["random"]}, grown) == []


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_the_plans_of_a_program_hold_every_value_of_every_option(name: str) -> None:
    assert len(rows_of(name)) >= LEAST
    for option, values in options_of(name).items():
        held = {word for row in shared_rows()[name] for word in row[option].split("+")}
        assert held == {word for value in values for word in value.split("+")}


def test_the_plans_of_all_programs_hold_every_pair() -> None:
    wanted = {pair for name in ON_GRAPHS for row in rows_of(name) for pair in pairs(row)}
    assert {pair for rows in shared_rows().values() for row in rows for pair in pairs(row)} == wanted


def test_the_space_has_every_option_that_a_plan_has() -> None:
    assert list(PLANNED) == [o.name for o in OPTIONS["simt"]]


def test_a_cover_holds_every_pair() -> None:
    options = PLANNED | RUNS
    assert set().union(*map(pairs, cover(options))) == all_pairs(options)


def test_a_cover_of_schedulers_by_themselves_holds_each_beside_every_other_value() -> None:
    held = {(word in row["np"].split("+"), word, o, row[o]) for row in rows(PLANNED | RUNS) for o in row
            for word in ("tb", "wp", "fg") if o != "np"}
    assert len(held) == 2 * 3 * sum(len(values) for o, values in (PLANNED | RUNS).items() if o != "np")
