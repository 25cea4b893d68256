"""What tests of the verifiers share: the verifiers by name, and graphs made from lists of arcs.

Nodes have file ids 100, 101, ... so that a message with a dense number in it is seen to be wrong.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np

from irgl.rt.graphs.graph import Graph
from support.places import PROGRAMS

PLACES = (PROGRAMS / "verifiers", PROGRAMS / "more" / "verifiers")
FIRST_ID = 100


def verifier(name: str) -> Any:
    """The verifier module `name`, loaded from its file."""
    path = next(path for path in (place / f"{name}.py" for place in PLACES) if path.is_file())
    spec = importlib.util.spec_from_file_location(f"verifier_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def arcs(n: int, ends: Iterable[Sequence[int]], weights: Sequence[float] | None = None) -> Graph:
    """The directed graph with these arcs; those of a node keep their order."""
    pairs = np.array(list(ends), np.int64).reshape(-1, 2)
    order = np.argsort(pairs[:, 0], kind="stable")
    row = np.searchsorted(pairs[order, 0], np.arange(n + 1)).astype(np.int32)
    loads = None if weights is None else np.array(weights)[order]
    return Graph(row, pairs[order, 1].astype(np.int32), loads, id_base=FIRST_ID)


def edges(n: int, ends: Iterable[Sequence[int]], weights: Sequence[float] | None = None) -> Graph:
    """The undirected graph with these edges: an arc each way, one for a self-loop."""
    pairs = [tuple(end) for end in ends]
    loads = [1] * len(pairs) if weights is None else list(weights)
    both = [(u, v, w) for (u, v), w in zip(pairs, loads, strict=True)]
    both += [(v, u, w) for u, v, w in both if u != v]
    made = arcs(n, [(u, v) for u, v, _ in both], None if weights is None else [w for _, _, w in both])
    return replace(made, directed=False)


def tails(graph: Graph) -> Any:
    return np.repeat(np.arange(graph.num_nodes), np.diff(graph.row))


def weighted_arcs(graph: Graph) -> list[tuple[int, int, float]]:
    """Tail, head and weight of every arc in the graph's order; 1 where it has no weights."""
    loads = np.ones(graph.num_edges, np.int64) if graph.weight is None else graph.weight
    return list(zip(tails(graph).tolist(), graph.dst.tolist(), loads.tolist(), strict=True))


def multigraph(graph: Graph) -> Any:
    """The same arcs for NetworkX; `weight` is 1 where the graph has none."""
    made: Any = nx.MultiDiGraph()
    made.add_nodes_from(range(graph.num_nodes))
    made.add_weighted_edges_from(weighted_arcs(graph))
    return made


def simple(graph: Graph) -> Any:
    """The undirected graph without self-loops and parallel edges."""
    made: Any = nx.Graph(multigraph(graph).edges())
    made.add_nodes_from(range(graph.num_nodes))
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    return made


def by_node(values: dict[int, Any], n: int, fill: Any, dtype: Any) -> Any:
    """A node property from NetworkX's dict; `fill` where the dict has no node."""
    return np.array([values.get(v, fill) for v in range(n)], dtype)


def _random(seed: int, n: int, m: int, undirected: bool) -> Graph:
    draw = np.random.default_rng(seed)
    ends = draw.integers(0, n, (m, 2))  # with self-loops and, at these sizes, parallel arcs
    weights = draw.integers(0, 9, m)
    return (edges if undirected else arcs)(n, ends, weights.tolist())


GRAPHS = {
    "empty": arcs(0, []),
    "one_node": arcs(1, []),
    "one_self_loop": arcs(1, [(0, 0)], [3]),
    "no_arcs": arcs(5, []),
    "karate": edges(34, nx.karate_club_graph().edges()),
    "path_and_isolated": edges(9, [(i, i + 1) for i in range(6)]),
    "parallel_and_loops": edges(4, [(0, 1), (0, 1), (1, 2), (2, 2), (2, 0)], [2, 2, 5, 1, 0]),
    "cycle_one_way": arcs(6, [(i, (i + 1) % 6) for i in range(6)], [0, 1, 0, 2, 0, 1]),
    "star": edges(40, [(0, i) for i in range(1, 40)]),
    "clique": edges(8, [(u, v) for u in range(8) for v in range(u)]),
    "sparse_directed": _random(1, 200, 220, False),
    "dense_directed": _random(2, 60, 900, False),
    "sparse_undirected": _random(3, 200, 170, True),
    "dense_undirected": _random(4, 50, 600, True),
}
