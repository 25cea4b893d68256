"""Programs on features of nodes, rows of floats: right by their verifiers, SciPy's, which notice planted mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from support.awkward_graphs import awkward, directed
from support.places import PROGRAMS, SHARED_GRAPHS
from support.programs import Ran, path_of, run_program
from support.verifying import verifier

import irgl
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load

#: Each program with what its runs are given besides features.
RUNS: list[tuple[str, dict[str, Any]]] = [
    ("spmm", {}), ("spmm", {"transposed": True}), ("mean_aggregate", {}), ("mean_aggregate", {"incoming": True}),
    ("gcn_sum", {}), ("gcn", {}),
]
FILES = {
    "rome99": PROGRAMS / "data" / "rome99.gr.gz",
    "CA-GrQc": PROGRAMS / "data" / "CA-GrQc.txt.gz",
    "NY": SHARED_GRAPHS / "road" / "USA-road-d.NY.gr.gz",
    "cnr-2000": SHARED_GRAPHS / "social" / "cnr-2000.txt.xz",
    "email-Enron": SHARED_GRAPHS / "social" / "email-Enron.txt.xz",
    "as-caida": SHARED_GRAPHS / "social" / "as-caida20071105.und.txt.gz",
    "bcsstk13": SHARED_GRAPHS / "matrix" / "bcsstk13.mtx.gz",
}


def run(name: str, graph: Graph, k: int, given: dict[str, Any], **more: Any) -> Ran:
    rows = np.random.default_rng(k).normal(size=(graph.num_nodes, k)).astype(np.float32)
    return run_program(Path(f"{path_of(name)}:K={k}"), graph, node_features=rows, **given, **more)


@pytest.mark.parametrize("k", [1, 3, 17])
@pytest.mark.parametrize(("name", "given"), RUNS)
def test_answers_on_awkward_graphs_are_right(name: str, given: dict[str, Any], k: int) -> None:
    assert {at: run(name, graph, k, given).wrong() for at, graph in awkward().items()} == dict.fromkeys(awkward())


@pytest.mark.parametrize("plan", ["np=serial outline=off", "np=fg direction=pull"])
@pytest.mark.parametrize(("name", "given"), RUNS)
def test_answers_of_the_code_for_gpus_are_right(name: str, given: dict[str, Any], plan: str) -> None:
    program = irgl.compile(f"{path_of(name)}:K=5", target="simt", plan=plan)
    matrix = sp.random_array((60, 60), density=0.1, rng=np.random.default_rng(7), format="csr", dtype=np.float32)
    assert program(matrix, node_features=np.random.default_rng(5).normal(size=(60, 5)), **given).wrong() is None


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(("name", "given"), RUNS)
def test_answers_on_real_graphs_are_right(name: str, given: dict[str, Any], file: str) -> None:
    if not FILES[file].exists():
        pytest.skip(f"no {FILES[file].name} in ../shared/graphs")
    assert run(name, load(str(FILES[file])), 16, given).wrong() is None


# Verifiers

#: 0 - 1 - 2 and 3 by itself; the arc from 0 to 1 has weight 2, the one from 2 to 1 weight -3.
TWO = directed(4, [(0, 1), (1, 0), (1, 2), (2, 1)], [2, 1, 1, -3])
X = np.arange(1, 9, dtype=np.float32).reshape(4, 2)
W1, B1, W2, B2 = np.array([1, -1, 0.5, 2]), np.array([0.5, -1]), np.array([1, -2.0]), np.array([0.25])
A = np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
ROOT = np.diag(1 / np.sqrt((A + np.eye(4)).sum(axis=1)))
S = ROOT @ (A + np.eye(4)) @ ROOT
PRODUCT = np.array([2 * X[1], X[0] + X[2], -3 * X[1], 0 * X[3]])
SCORES = S @ np.maximum(S @ (X @ W1.reshape(2, 2)) + B1, 0) @ W2.reshape(2, 1) + B2
#: By verifier: the right claim, the role that is the answer, and what else may be wrong, by a piece of the message.
RIGHT: dict[str, tuple[dict[str, Any], str, dict[str, dict[str, Any]]]] = {
    "sparse_product": ({"features": X, "product": PRODUCT}, "product", {
        "but the product has": {"transposed": True}}),
    "neighbour_mean": ({"features": X, "means": np.array([X[1], (X[0] + X[2]) / 2, X[1], 0 * X[3]])}, "means", {
        "but its 2 neighbours have": {"means": np.array([X[1], X[0] + X[2], X[1], 0 * X[3]])}}),
    "normalised_sum": ({"features": X, "sums": S @ X}, "sums", {"but the sum is": {"sums": (A + np.eye(4)) @ X}}),
    "graph_convolution": (
        {"features": X, "w1": W1, "b1": B1, "w2": W2, "b2": B2, "scores": SCORES}, "scores", {
            "but the network gives": {"b2": B2 + 1},
            "don't go together": {"w1": W1[:3]}}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_claim_is_accepted(name: str) -> None:
    assert verifier(name).verify(TWO, RIGHT[name][0], 1e-6) is None


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("node", range(4))
def test_a_value_that_is_off_is_told_with_its_node(name: str, node: int) -> None:
    right, role, _ = RIGHT[name]
    wrong = right[role].copy()
    wrong[node, -1] += 1e-3
    told = verifier(name).verify(TWO, {**right, role: wrong}, 1e-6)
    assert f"of node {node} is" in told


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_value_that_is_no_number_is_told(name: str, value: float) -> None:
    right, role, _ = RIGHT[name]
    wrong = right[role].astype(np.float64)
    wrong[1, 0] = value
    assert f"of node 1 is {value}" in verifier(name).verify(TWO, {**right, role: wrong}, 1e-6)


@pytest.mark.parametrize("name", RIGHT)
def test_a_claim_of_other_rows_is_told(name: str) -> None:
    right, role, changes = RIGHT[name]
    for piece, change in changes.items():
        assert piece in verifier(name).verify(TWO, right | change, 1e-6)
    assert "in a graph of 4 nodes" in verifier(name).verify(TWO, {**right, role: right[role][:3]}, 1e-6)
    assert verifier(name).verify(TWO, {r: v for r, v in right.items() if r != role}, 1e-6) == f"role {role} is missing"
    assert verifier(name).verify(TWO, right | {"more": 1}, 1e-6) == "role more is unknown"
