"""The verifiers agree with published answers of small graphs, which NetworkX and SciPy had no part in."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.io import mmread
from support import known_answers as known
from support.verifying import arcs, by_node, edges, simple, verifier

from irgl.rt.graphs.graph import Graph

pytestmark = pytest.mark.skipif(not known.TABLE.exists(), reason=known.ABSENT)
LDBC = [f"testgraphs/ldbc-{name}-example" for name in ("cdlp-undirected", "undirected", "wcc")]
COUNTED = ["testgraphs/karate", "testgraphs/A", "testgraphs/LFAT5", "testgraphs/tree-example", *LDBC, "matrix/jagmesh7"]
CORED = ["testgraphs/karate", "matrix/jagmesh7", "matrix/west0067"]
RANKED = ["testgraphs/karate", "testgraphs/ldbc-directed-example", "matrix/west0067"]
SCORED = {"testgraphs/karate": [6, 29, 0, 9], "matrix/west0067": [13, 58, 1, 18]}


def directed(name: str) -> Graph:
    """The pattern of a matrix file as SciPy reads it: a symmetric one with both of its triangles."""
    matrix: Any = mmread(known.SHARED / f"{name}.mtx")
    return arcs(matrix.shape[0], np.stack([matrix.row, matrix.col], axis=1).tolist())


def undirected(name: str) -> Graph:
    return edges(directed(name).num_nodes, simple(directed(name)).edges())


def title(name: str) -> str:
    return name.partition("/")[2]


@pytest.mark.parametrize("name", COUNTED)
def test_published_number_of_triangles_is_accepted(name: str) -> None:
    made = {"triangles": known.triangles(title(name))}
    assert verifier("triangle_total").verify(directed(name), made, 0.0) is None


@pytest.mark.parametrize("name", COUNTED)
def test_published_number_of_components_is_accepted(name: str) -> None:
    graph = undirected(name)
    lowest = {v: min(part) for part in nx.connected_components(simple(graph)) for v in part}
    made = {"labels": by_node(lowest, graph.num_nodes, -1, np.int32), "components": known.components(title(name))}
    assert verifier("connected_components").verify(graph, made, 0.0) is None


@pytest.mark.parametrize("name", CORED)
def test_published_largest_core_is_accepted(name: str) -> None:
    graph = undirected(name)
    cores = by_node(nx.core_number(simple(graph)), graph.num_nodes, -1, np.int32)
    made = {"cores": cores, "largest": known.max_core(title(name))}
    assert verifier("core_numbers").verify(graph, made, 0.0) is None


@pytest.mark.parametrize("name", RANKED)
def test_published_ranks_are_accepted(name: str) -> None:
    ranks = known.vector(f"{title(name)}.pagerank")
    graph = directed(name)
    # The vectors are said to be within 5e-5 at each node; the verifier adds the differences up.
    made = {"ranks": by_node(ranks, graph.num_nodes, np.nan, np.float64)}
    assert verifier("stationary_rank").verify(graph, made, 5e-4) is None


@pytest.mark.parametrize("name", SCORED)
def test_published_betweenness_from_four_sources_is_accepted(name: str) -> None:
    sources = SCORED[name]
    scores = known.vector(f"{title(name)}.bc-sources-{'-'.join(map(str, sources))}")
    graph = directed(name)
    made = {"scores": by_node(scores, graph.num_nodes, np.nan, np.float64), "sources": sources}
    assert verifier("betweenness_scores").verify(graph, made, 5e-5) is None
