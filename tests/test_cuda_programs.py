"""The programs as CUDA code in the SIMT emulator: whatever the plan, the answer is right and the emulator content."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest
from support.awkward_graphs import awkward, random_arcs
from support.covering import cover, has_every_value, pairs
from support.programs import ON_GRAPHS
from support.simt import OPTIONS, Built, options_of, pushes, rows_of, side_by_side

from irgl.rt.run import Outcome

FEW = 12
GRAPHS = {name: awkward()[name] for name in (
    "empty", "one node", "self-loops", "parallel arcs", "star", "path", "disconnected")}
GRAPHS["random"] = random_arcs(5, 90, 360)


def accepted(_graph: str, wrong: str | None, _ran: Outcome) -> str | None:
    return wrong


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_plan_changes_the_answer(name: str) -> None:
    rows = rows_of(name, FEW)
    assert side_by_side([partial(Built(name, row).run, GRAPHS, accepted) for row in rows]) == []


@pytest.mark.matrix
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_pair_of_options_changes_the_answer(name: str) -> None:
    assert side_by_side([partial(Built(name, row).run, GRAPHS, accepted) for row in rows_of(name)[FEW:]]) == []


@pytest.mark.matrix
@pytest.mark.parametrize("np", OPTIONS["np"])
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_combination_of_options_changes_the_answer(name: str, np: str) -> None:
    options = options_of(name)
    if np not in options["np"]:
        pytest.skip(f"{name} has no loop for which np={np} is legal")
    plans = list(product((np,), *(options[o] for o in ("cc", "outline", "block"))))
    rows = [dict(zip(("np", "cc", "outline", "block"), plan, strict=True))
            | {"capacity": str(i % 2), "mode": ("check", "lockstep")[i // 2 % 2], "seed": str(i)}
            for i, plan in enumerate(plans)]
    assert side_by_side([partial(Built(name, row).run, GRAPHS, accepted) for row in rows]) == []


def grown(_graph: str, wrong: str | None, ran: Outcome) -> str | None:
    return wrong or (None if ran.stats["worklist_growths"] > 0 else "no list has grown")


@pytest.mark.parametrize("outline", ["off", "all"])
def test_lists_of_capacity_one_grow_wherever_a_program_pushes(outline: str) -> None:
    tight = {name: next(row for row in rows_of(name, FEW) if (row["capacity"], row["outline"]) == ("1", outline))
             for name in ON_GRAPHS if outline in options_of(name)["outline"]}
    pushing = [name for name, row in tight.items() if pushes(name, row)]
    assert len(pushing) >= {"off": 11, "all": 6}[outline]
    graph = {"random": GRAPHS["random"]}
    assert side_by_side([partial(Built(name, tight[name]).run, graph, grown) for name in pushing]) == []


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_few_plans_hold_every_value_of_every_option(name: str) -> None:
    assert has_every_value(rows_of(name, FEW), options_of(name))


def test_a_cover_holds_every_pair() -> None:
    held = set().union(*map(pairs, cover(OPTIONS)))
    wanted = {(a, x, b, y) for i, a in enumerate(OPTIONS) for b in list(OPTIONS)[i + 1:]
              for x in OPTIONS[a] for y in OPTIONS[b]}
    assert held == wanted
