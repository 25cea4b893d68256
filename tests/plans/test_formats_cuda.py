"""Loops on a GPU run over the forms that a plan names, and leave what they leave over rows."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, random_arcs
from support.programs import path_of
from support.simt import complaints

from irgl import driver
from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError
from irgl.space import legal_space

FORMS = ("format=coo", "format=sell chunk=16", "format=sell chunk=32 sigma=1", "format=blocks inside=column tile=13",
         "format=blocks inside=row", "format=shards tile=13")
PROGRAMS = ("pr_pull", "sssp_bf")
GRAPHS: dict[str, Graph] = {
    "one node": directed(1, []),
    "self-loops and parallel edges": directed(3, [(0, 0), (0, 1), (0, 1), (1, 2), (2, 2)]),
    "a star": directed(70, [(0, k) for k in range(1, 70)] + [(k, 0) for k in range(1, 70)]),
    "two paths": directed(80, [(k, k + 1) for k in range(79) if k != 40]),
    "random": random_arcs(5, 150, 900),
}


def row_of(form: str, **more: str) -> dict[str, str]:
    return {**dict(word.split("=") for word in form.split()), "mode": "check", "capacity": "0", "seed": "1", **more}


@pytest.mark.parametrize("block", ["32", "256"])
@pytest.mark.parametrize("form", FORMS)
def test_programs_are_right_over_every_form(form: str, block: str) -> None:
    row = row_of(form, block=block, outline="all", cc="block")
    assert complaints([(name, row) for name in PROGRAMS], GRAPHS) == []


def test_runs_are_refused_at_a_place_on_gpus() -> None:
    with pytest.raises(IrglError, match="can't be honoured: edges of a run are found one after the other"):
        place = next(c.place for c in legal_space(driver.ready(path_of("pr_pull")).checked.program, "simt")
                     if c.option == "format" and c.reason is None)
        driver.compile(path_of("pr_pull"), target="simt",
                       plan=Plan.parse(f"format=blocks {place}.inside=runs", "simt"))


