"""How nodes of priority queues are filed on GPUs: at once, when they come to their turn, as counts, or in any order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.awkward_graphs import awkward, directed, grid
from support.peeling import PEEL
from support.places import SharedGraph
from support.programs import path_of
from support.running import outcome

from irgl import driver
from irgl.passes.lowering.lower_cuda import lower
from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load as load_graph
from irgl.source import IrglError
from irgl.space import legal_space

LAZY = ("priority=lazy outline=all block=64", "priority=lazy outline=off block=32",
        "priority=lazy_sum outline=all block=32 buckets=2", "priority=lazy_sum outline=off cc=warp block=64")
PULLED = (("priority=lazy direction=pull outline=all block=64", "sssp"),
          ("priority=lazy direction=hybrid switch=nodes:1/50 outline=off block=32", "ppsp_both"),
          ("priority=lazy direction=hybrid switch=edges:1/20 member=bitmap block=64", "peeling"))
PROGRAMS = ("sssp", "ppsp", "peeling", "setcover", "wbfs", "ppsp_both")


def text_of(name: str) -> str:
    return path_of(name).read_text(encoding="utf-8")


def weighted(graph: Graph) -> Graph:
    return replace(graph, weight=1 + np.arange(graph.num_edges, dtype=np.int32) % 37)


@pytest.mark.parametrize("plan", [*LAZY, *(plan for plan, _ in PULLED[:2])])
@pytest.mark.parametrize("graph", ["dense", "self-loops", "star"])
def test_each_node_runs_as_often_and_in_as_many_rounds(plan: str, graph: str) -> None:
    found = outcome(PEEL, plan, "simt", awkward()[graph]).result
    wanted = outcome(PEEL, "none", "cpu", awkward()[graph]).result
    assert found.scalars == wanted.scalars
    for name, values in wanted.properties.items():
        assert found.properties[name].array.tolist() == values.array.tolist(), name


@pytest.mark.parametrize(("plan", "name"), [*((plan, name) for name in PROGRAMS for plan in LAZY), *PULLED])
def test_the_programs_find_the_same(plan: str, name: str) -> None:
    for graph in (grid(7), awkward()["dense"]):
        found, wanted = (outcome(text_of(name), p, t, weighted(graph)).result
                         for p, t in ((plan, "simt"), ("none", "cpu")))
        assert found.scalars == wanted.scalars


def test_a_node_that_many_move_is_moved_at_once_by_what_they_come_to() -> None:
    ends = [(1 + i, 0) for i in range(400)] + [(0, 401 + i) for i in range(400)]

    def moves(plan: str) -> int:
        return int(outcome(PEEL, f"{plan} block=32", "simt", directed(801, ends)).stats["global_atomics"]["cas"])

    assert moves("priority=eager") > 100 > moves("priority=lazy_sum") > 0


def test_a_round_that_pulls_moves_nodes_without_atomics() -> None:
    ends = [(1 + i, 0) for i in range(400)] + [(0, 401 + i) for i in range(400)]

    def moves(plan: str) -> int:
        return int(outcome(PEEL, f"{plan} block=32", "simt", directed(801, ends)).stats["global_atomics"].get("cas", 0))

    assert moves("priority=lazy") > 0 == moves("priority=lazy direction=pull")


def test_shortest_paths_take_no_more_atomics_than_near_and_far(shared_graph: SharedGraph) -> None:
    graph = load_graph(str(shared_graph("road/rome99.gr.gz")))

    def atomics(name: str, plan: str) -> int:
        found = outcome(path_of(name).read_text(encoding="utf-8"), plan, "simt", graph).stats
        return sum(found["global_atomics"].values())

    assert atomics("sssp", "priority=eager") < atomics("sssp_nf", "") < atomics("sssp", "priority=relaxed")


def test_what_is_legal_is_told_by_its_reasons() -> None:
    program = driver.ready("p.irgl", PEEL).checked.program
    choice = next(c for c in legal_space(program, "simt") if (c.place, c.option) == ("peel.loop1", "priority"))
    assert choice.values == ("eager", "lazy", "lazy_sum")
    assert dict(choice.refused) == {
        "relaxed": "it can be told who ran how often, or how many buckets there were"}


def test_what_is_illegal_at_a_place_is_refused() -> None:
    checked = driver.ready(path_of("sssp")).checked
    plan = Plan.parse("relax_bucketed.loop1.priority=lazy_sum", "simt")
    with pytest.raises(IrglError, match="can't be honoured: it has no update_sum"):
        lower(checked, plan)
