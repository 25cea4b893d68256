"""The further programs find what NetworkX finds, or plain Python, whatever they are given and however it is run."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from support.awkward_graphs import awkward, directed
from support.more_oracles import ORACLES
from support.programs import run_program
from support.verifying import arcs, edges

import irgl
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

GRAPHS = ("empty", "one node", "one loop", "no arcs", "self-loops", "parallel arcs", "star", "disconnected", "sparse",
          "ids with gaps", "dense")
KARATE = edges(34, nx.karate_club_graph().edges(), [1 + u * v % 5 for u, v in nx.karate_club_graph().edges()])


def lengths(graph: Graph) -> Graph:
    return replace(graph, weight=graph.weight + 1)


@pytest.mark.parametrize("name", ORACLES)
def test_the_program_finds_what_the_oracle_finds(name: str) -> None:
    for graph in (*(lengths(awkward()[at]) for at in GRAPHS), KARATE):
        ORACLES[name](run_program(name, graph, threads=2))


@pytest.mark.parametrize(("name", "given"), [
    ("bc_weighted", {"sources": 5}),
    ("bc_weighted", {"sources": 500, "at_once": 7}),
    ("bc_weighted", {"at_once": 0}),
    ("label_propagation", {"rounds": 0}),
    ("label_propagation", {"rounds": 1}),
    ("label_propagation", {"rounds": 3, "few": 0}),
    ("label_propagation", {"rounds": 60, "often": 0.0}),
    ("label_propagation", {"rounds": 60, "often": 1.0, "few": 4}),
    ("random_walks", {"walks": 7, "length": 30}),
    ("random_walks", {"walks": 1000, "length": 3, "walk_seed": -9}),
    ("random_walks", {"length": 0}),
    ("random_walks", {"walks": -1, "length": -1, "walk_seed": 2**62}),
])
def test_parameters_mean_what_the_head_says(name: str, given: dict[str, float]) -> None:
    for at in ("sparse", "dense", "empty"):
        ran = run_program(name, lengths(awkward()[at]), **given)
        ORACLES[name](ran)
        assert ran.wrong() is None


def test_lengths_that_are_no_whole_numbers_make_ties_where_sums_are_equal() -> None:
    ORACLES["bc_weighted"](run_program("bc_weighted", arcs(
        6, [(0, 1), (1, 3), (0, 2), (2, 3), (3, 4), (0, 4), (4, 5)], [0.5, 0.25, 0.25, 0.5, 1.5, 2.25, 1e-9])))


@pytest.mark.parametrize("weight", [0, -3, np.nan, np.inf])
def test_a_length_that_is_not_positive_stops_the_program(weight: float) -> None:
    for target in ("ref", "cpu"):
        with pytest.raises(IrglError, match="a length is not positive"):
            run_program("bc_weighted", arcs(3, [(0, 1), (1, 2)], [1.0, weight]), target=target)


def test_a_length_that_vanishes_beside_a_distance_stops_the_program() -> None:
    with pytest.raises(IrglError, match="vanishes beside the distances"):
        run_program("bc_weighted", arcs(4, [(0, 1), (1, 2), (2, 3)], [1e30, 1.0, 1.0]))


def test_each_component_is_taken_by_itself() -> None:
    ran = run_program("eccentricities", directed(3, [(0, 1)]))
    assert ran["greatest_distance"].tolist() == [1, 1, 0]
    assert (ran["diameter"], ran["radius"], ran["components"]) == (1, 0, 2)


def test_hubs_stop_after_the_iterations_asked_for() -> None:
    ran = run_program("hits", awkward()["sparse"], max_iterations=3, epsilon=0.0)
    assert (ran["iterations"], ran["change"] > 0) == (3, True)
    assert ran.wrong() is not None  # values that have not settled are not the answer


def test_the_programs_take_graphs_from_python() -> None:
    club = nx.karate_club_graph()
    assert irgl.programs.random_walks(club, walks=3, length=4).visits.sum() == 15
    found = irgl.programs.jaccard(club).named("similarity")
    assert found[0, 1] == next(p for _, _, p in nx.jaccard_coefficient(club, [(0, 1)]))
    assert set(np.flatnonzero(irgl.programs.dominating_set(club).in_set)) >= {0, 33}


def test_every_program_of_this_table_is_there() -> None:
    for name in ORACLES:
        assert name in dir(irgl.programs)
