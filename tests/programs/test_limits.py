"""Where programs end: weights that some can't take are told, negative cycles are found, and nothing runs for ever."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, grid
from support.programs import run_program

LARGEST = 2**31 - 1
NEGATIVE = directed(4, [(0, 1), (1, 2), (0, 2), (2, 3)], [5, -4, 3, 1])
CYCLE = directed(4, [(0, 1), (1, 2), (2, 1), (2, 3)], [1, -3, 2, 1])
BUCKETED = ("sssp_nf", "sssp_delta")


@pytest.mark.parametrize("name", BUCKETED)
@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_negative_weight_is_told(name: str, target: str) -> None:
    assert run_program(name, NEGATIVE, target=target)["unfit"]


@pytest.mark.parametrize("name", BUCKETED)
def test_negative_cycle_is_told(name: str) -> None:
    assert run_program(name, CYCLE)["unfit"]


@pytest.mark.parametrize("last", [1, LARGEST - 7, LARGEST])
@pytest.mark.parametrize("name", BUCKETED)
def test_path_too_long_for_the_type_is_told(name: str, last: int) -> None:
    lengths = [LARGEST - 10, 9, last]
    assert run_program(name, directed(4, [(0, 1), (1, 2), (2, 3)], lengths))["unfit"]


@pytest.mark.parametrize("name", BUCKETED)
def test_longest_path_that_fits_is_right(name: str) -> None:
    ran = run_program(name, directed(3, [(0, 1), (1, 2)], [LARGEST - 10, 9]))
    assert (ran["unfit"], ran["farthest"]) == (False, LARGEST - 1)
    assert ran.wrong() is None


def test_bellman_and_ford_take_negative_weights() -> None:
    ran = run_program("sssp_bf", NEGATIVE)
    assert ran["path_length"].tolist() == [0, 5, 1, 2]
    assert ran.wrong() is None


@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_bellman_and_ford_end_in_a_negative_cycle(target: str) -> None:
    ran = run_program("sssp_bf", CYCLE, target=target)
    assert ran["negative_cycle"]
    assert ran.wrong() == "a cycle of negative weight can be reached from the source, so there are no distances"


def test_bellman_and_ford_take_real_weights() -> None:
    ran = run_program("sssp_bf", directed(3, [(0, 1), (1, 2), (0, 2)], [0.25, 0.5, 0.875]))
    assert ran["path_length"].tolist() == [0, 0.25, 0.75]


def test_a_cycle_of_negative_weight_out_of_reach_does_no_harm() -> None:
    graph = directed(5, [(0, 1), (2, 3), (3, 2), (3, 4)], [1, -5, 1, 1])
    ran = run_program("sssp_bf", graph)
    assert (ran["negative_cycle"], ran["reached"]) == (False, 2)
    assert ran.wrong() is None


def test_forest_takes_negative_weights() -> None:
    ran = run_program("mst", directed(4, [(0, 1), (1, 2), (2, 0), (2, 3)], [-7, -(2**31), 5, LARGEST]))
    assert ran["weight"] == -7 - 2**31 + LARGEST
    assert ran.wrong() is None


@pytest.mark.parametrize("name", BUCKETED)
def test_few_rounds_where_lengths_leave_wide_gaps(name: str) -> None:
    lengths = [1, 2**29, 1, 2**29, 1]  # delta 1: a round for each step of the limit would never end
    ran = run_program(name, directed(6, [(v, v + 1) for v in range(5)], lengths), delta=1)
    assert ran["farthest"] == 2**30 + 3


def test_forest_of_equal_weights_has_no_cycle() -> None:
    graph = grid(20)
    graph.weight[:] = 5  # type: ignore[index]
    for threads in (1, 4):
        assert run_program("mst", graph, threads=threads).wrong() is None


@pytest.mark.parametrize("epsilon", [-1.0, 0.0, 1e-300])
def test_ranks_end_however_little_may_be_missing(epsilon: float) -> None:
    assert run_program("pr", grid(12), epsilon=epsilon).wrong() is None


@pytest.mark.parametrize("damping", [-0.5, 1.0, 2.0, float("nan")])
def test_ranks_end_where_the_damping_is_none(damping: float) -> None:
    ran = run_program("pr", grid(12), damping=damping)
    assert ran.wrong() == f"the damping {damping} is not in 0 <= damping < 1"
