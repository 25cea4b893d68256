"""Memory: what forms take is what the formulas of GRAssembler's table 3.1 say of them, to the byte.

With V nodes, E arcs and ids of 4 bytes: rows E + V + 1 ids, coordinates 2E, CR^2 (1 - r)E + (1 + f)V, where r is what
short ids save and f how many pieces a node has more than one; its expand list is V + 1 ids and a word a piece.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.places import SharedGraph

from irgl.forms.find import form, names
from irgl.forms.form import Built, Rows
from irgl.options import OPTIONS
from irgl.rt.forms.figures import defaults, sizes
from irgl.rt.forms.native import native
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load

REAL = {"cnr-2000": "social/cnr-2000.txt.xz", "NotreDame": "social/web-NotreDame.txt.xz",
        "NY": "road/USA-road-d.NY.gr.gz"}
GRAPHS = ("rmat:10,seed=3", *REAL)
ID = 4


@pytest.fixture(scope="module", params=GRAPHS)
def graph(request: pytest.FixtureRequest) -> Graph:
    return load(request.param if request.param not in REAL else str(SharedGraph()(REAL[request.param])))


@pytest.fixture(scope="module")
def build(graph: Graph) -> Callable[..., Built]:
    rows = Rows(graph.row, graph.dst)
    return lambda name, **options: form(name).build(rows, {**defaults(name), **options}, native(32, 32))


def taken(built: Built) -> int:
    return sum(a.nbytes for a in built.arrays)


def pieces(count: Any) -> int:
    """How many pieces of 32, 16, 8, 4, 2 and 1 rows of so many edges are cut into."""
    return sum(int(c) // 32 + (int(c) % 32).bit_count() for c in count)


def cr2_bytes(graph: Graph, bits: int) -> tuple[int, int]:
    """What CR^2 takes of a graph whose short ids have so many bits, without the expand list and with it."""
    near, clusters = graph.sources(), -(-graph.num_nodes >> bits)
    inside = np.bincount(near[near >> bits == graph.dst >> bits], minlength=graph.num_nodes)
    across = graph.out_degrees() - inside
    short, long = pieces(inside), pieces(across)
    edges = int(inside.sum()) * bits // 8 + int(across.sum()) * ID
    bases = short * bits // 8 + long * ID
    starts = 6 * (clusters + 1) + 2 * 2 * 7  # of pieces, by length and cluster; of pieces and edges, by length
    without = edges + bases + starts * ID
    return without, without + (graph.num_nodes + 1) * ID + (short + long) * 4


def test_rows_take_a_number_an_arc_and_one_a_node(graph: Graph) -> None:
    assert sizes(graph, "out")["csr"]["bytes"] == (graph.num_edges + graph.num_nodes + 1) * ID


def test_coordinates_take_two_numbers_an_arc(graph: Graph, build: Callable[..., Built]) -> None:
    built = build("coo")
    assert taken(built) == 2 * graph.num_edges * ID + 2 * (built.numbers[0] + 1) * ID  # and the bounds of the parts


@pytest.mark.parametrize("bits", [16, 8])
def test_cr2_takes_what_its_pieces_take(graph: Graph, build: Callable[..., Built], bits: int) -> None:
    without, listed = cr2_bytes(graph, bits)
    assert (taken(build("cr2", cluster=str(bits), expand="off")), taken(build("cr2", cluster=str(bits)))) == (
        without, listed)


def test_split_takes_a_number_an_arc_and_one_a_node_and_piece(graph: Graph, build: Callable[..., Built]) -> None:
    cut = sum(-(-int(d) // 8) for d in graph.out_degrees())
    assert taken(build("split", split="8")) == (graph.num_edges + graph.num_nodes + 1 + cut + 1) * ID


#: Each form with each word of its options.
EVERY = [(name, f"{o.name}={word}") for name in names() for o in OPTIONS["cpu"] if o.name in form(name).options
         for word in (o.words or o.tried)] + [(name, "") for name in names()]


@pytest.mark.parametrize(("name", "option"), EVERY)
def test_the_size_that_is_told_is_what_is_built_or_bounds_it(graph: Graph, build: Callable[..., Built], name: str,
                                                             option: str) -> None:
    said = dict([option.split("=")] if option else [])
    told = form(name).size(Rows(graph.row, graph.dst), {**defaults(name), **said})
    is_so = taken(build(name, **said))
    assert told == is_so or (form(name).is_bound and is_so <= told)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.integers(1, 400).flatmap(lambda n: st.lists(
    st.tuples(st.sampled_from([0, n // 2, n - 1]), st.integers(0, n - 1)), max_size=300).map(lambda e: (n, e))))
def test_the_codes_of_rows_that_ascend_are_told_to_the_byte(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, ends = drawn
    near, far = np.array(sorted(ends), np.int32).reshape(-1, 2).T
    rows = Rows(np.searchsorted(near, np.arange(nodes + 1)).astype(np.int32), far.copy())
    assert form("delta").size(rows, {}) == taken(form("delta").build(rows, {}, native(32, 32)))


def test_wide_gaps_are_told_to_the_byte() -> None:
    far = np.cumsum([3, 255, 256, 257, 1, 65535, 65536, 65537, 1 << 24, (1 << 24) + 1]).astype(np.int32)
    rows = Rows(np.array([0, len(far)], np.int32), far)
    assert form("delta").size(rows, {}) == taken(form("delta").build(rows, {}, native(32, 32)))


@pytest.mark.parametrize(("name", "is_smaller"), [("cnr-2000", True), ("NY", False)])
def test_cr2_with_its_list_is_smaller_than_rows_where_edges_stay_in_clusters(name: str, is_smaller: bool,
                                                                              shared_graph: SharedGraph) -> None:
    found = sizes(load(str(shared_graph(REAL[name]))), "out")
    assert (found["cr2"]["bytes"] < found["csr"]["bytes"]) == is_smaller
