"""What the loader makes of a graph for a program, and how it says so."""

from __future__ import annotations

import random
from collections.abc import Sequence

import networkx as nx
import numpy as np
import pytest

from irgl.rt.graphs import sorting
from irgl.rt.graphs.build_csr import Arcs, build
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.source import IrglError

Arc = tuple[int, int, float]
ARCS: list[Arc] = [(0, 1, 5), (1, 0, 3), (0, 1, 4), (2, 2, 1), (1, 2, 7), (3, 0, 2)]


def made(arcs: Sequence[Arc], nodes: int = 5, dtype: str | None = "int32") -> Graph:
    src, dst = np.array([a[0] for a in arcs], np.int64), np.array([a[1] for a in arcs], np.int64)
    weight = np.array([a[2] for a in arcs], dtype) if dtype is not None else None
    return build(Arcs(nodes, src, dst, weight), "made")


def listed(graph: Graph) -> list[tuple[int, ...]]:
    columns = [graph.sources(), graph.dst, *([graph.weight] if graph.weight is not None else [])]
    return list(zip(*(c.tolist() for c in columns), strict=True))


def test_nothing_asked_for_changes_nothing_but_drops_weights() -> None:
    graph = made(ARCS)
    out = prepare(graph, Requirements())
    assert out.row is graph.row and out.dst is graph.dst and out.weight is None and out.changed == ()


def test_symmetrise_adds_the_reverse_arcs_that_lack() -> None:
    out = prepare(made(ARCS, dtype=None), Requirements(directed=False))
    assert sorted(listed(out)) == [(0, 1), (0, 1), (0, 3), (1, 0), (1, 0), (1, 2), (2, 1), (2, 2), (3, 0)]
    assert (out.changed, out.directed) == (("added 3 reverse arcs",), False)


def test_symmetrise_takes_only_arcs_of_one_weight_as_one_edge() -> None:
    out = prepare(made([(0, 1, 5), (1, 0, 3)]), Requirements(directed=False, weighted="int32"))
    assert sorted(listed(out)) == [(0, 1, 3), (0, 1, 5), (1, 0, 3), (1, 0, 5)]


def test_symmetrise_of_a_symmetric_graph_shares_its_arrays() -> None:
    graph = made([(0, 1, 1), (1, 0, 1)])
    out = prepare(graph, Requirements(directed=False))
    assert out.dst is graph.dst and out.changed == () and not out.directed


def test_simple_drops_loops_and_keeps_the_lightest() -> None:
    out = prepare(made(ARCS), Requirements(simple=True, weighted="int32"))
    assert listed(out) == [(0, 1, 4), (1, 0, 3), (1, 2, 7), (3, 0, 2)]
    assert out.changed == ("dropped 1 self-loop", "merged 1 parallel edge keeping the lightest")
    assert out.simple and out.sorted


def test_simple_and_symmetric_takes_the_lighter_of_both_ways() -> None:
    out = prepare(made(ARCS), Requirements(directed=False, simple=True, weighted="int32"))
    assert listed(out) == [(0, 1, 3), (0, 3, 2), (1, 0, 3), (1, 2, 7), (2, 1, 7), (3, 0, 2)]


def test_merging_counts_undirected_edges_once() -> None:
    graph = prepare(made([(0, 1, 1), (0, 1, 1), (1, 2, 1)]), Requirements(directed=False))
    assert prepare(graph, Requirements(simple=True)).changed[-1] == "merged 1 parallel edge"


def test_thousands_are_parted_by_commas() -> None:
    out = prepare(made([(0, k, 1) for k in range(1, 1235)], 1235), Requirements(directed=False))
    assert out.changed == ("added 1,234 reverse arcs",)


def test_sorted_orders_rows_and_carries_weights_along() -> None:
    out = prepare(made([(0, 2, 1), (0, 1, 2), (0, 2, 0)]), Requirements(sorted=True, weighted="int32"))
    assert listed(out) == [(0, 1, 2), (0, 2, 1), (0, 2, 0)]


def test_weights_are_one_where_the_file_has_none() -> None:
    out = prepare(made(ARCS, dtype=None), Requirements(weighted="float32"))
    assert out.weight is not None and out.weight.dtype == np.float32
    assert (set(out.weight.tolist()), out.changed) == ({1.0}, ("gave every edge weight 1",))


@pytest.mark.parametrize(
    ("have", "want", "words"),
    [
        ("float64", "int32", ("cast weights float64 -> int32",)),
        ("int64", "int32", ("cast weights int64 -> int32",)),
        ("int32", "int64", ()),
        ("int32", "float64", ()),
        ("float64", "float32", ("cast weights float64 -> float32",)),
    ],
)
def test_casts_that_may_lose_are_told(have: str, want: str, words: tuple[str, ...]) -> None:
    out = prepare(made(ARCS, dtype=have), Requirements(weighted=want))
    assert out.weight is not None and (out.weight.dtype.name, out.changed) == (want, words)


@pytest.mark.parametrize(
    ("value", "have", "want"),
    [
        (1.5, "float64", "int32"),
        (2.0**31, "float64", "int32"),
        (2.0**63, "float64", "int64"),
        (2**40, "int64", "int32"),
        (2**24 + 1, "int32", "float32"),
        (2**53 + 1, "int64", "float64"),
        (2**63 - 1, "int64", "float64"),
        (1e300, "float64", "float32"),
    ],
)
def test_a_cast_that_loses_is_refused(value: float, have: str, want: str) -> None:
    with pytest.raises(IrglError) as caught:
        prepare(made([(0, 1, value)], dtype=have), Requirements(weighted=want))
    assert caught.value.message == f"the program wants {want} weights, and the graph has {np.dtype(have).type(value)}"


def test_transpose_is_made_where_asked_for() -> None:
    assert prepare(made(ARCS), Requirements(transpose=True))._transpose is not None


def test_undirected_in_edges_wait_until_their_numbers_are_asked_for() -> None:
    undirected = Requirements(directed=False, transpose=True)
    assert prepare(made(ARCS), undirected)._transpose is None


def test_an_empty_graph_can_be_prepared() -> None:
    out = prepare(made([], 0), Requirements(False, True, "int32", True, True, True))
    assert (out.num_nodes, out.num_edges) == (0, 0)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("counting", [True, False])
def test_simple_symmetric_equals_networkx(seed: int, counting: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "COUNTING_FROM", 0 if counting else 10**9)
    rng = random.Random(seed)
    arcs = [(rng.randrange(12), rng.randrange(12), rng.randrange(9)) for _ in range(rng.randrange(90))]
    expected = nx.Graph()
    for u, v, w in arcs:
        if u != v and (not expected.has_edge(u, v) or w < expected[u][v]["w"]):
            expected.add_edge(u, v, w=w)
    out = prepare(made(arcs, 12), Requirements(directed=False, simple=True, weighted="int64"))
    assert listed(out) == sorted((a, b, d["w"]) for u, v, d in expected.edges(data=True) for a, b in ((u, v), (v, u)))
