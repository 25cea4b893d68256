"""dia: which diagonals are held, in how many bytes, and that it never takes much more than rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.awkward_graphs import awkward

from irgl.forms.cut import parts
from irgl.forms.dia import FORM
from irgl.forms.form import Built, Rows
from irgl.rt.forms.native import native
from irgl.rt.graphs.load import load

ENDS = st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(
    st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=120)))


def rows_of(n: int, ends: list[tuple[int, int]], width: Any = np.int32, *, ordered: bool = True) -> Rows:
    near, far = np.array(sorted(ends) if ordered else ends, width).reshape(-1, 2).T
    return Rows(np.searchsorted(near, np.arange(n + 1)).astype(width), far.copy())


def built(rows: Rows) -> Built:
    return FORM.build(rows, {}, native(8 * rows.cols.itemsize, 8 * rows.row.itemsize))


def in_plain_words(rows: Rows) -> Built:
    """The form as its definition has it, edge by edge. Of parallel edges the first may stand on a diagonal."""
    n, row = rows.n, rows.row.tolist()
    ends = [(v, rows.cols[e].item()) for v in range(n) for e in range(row[v], row[v + 1])]
    first_of = {end: e for e, end in reversed(list(enumerate(ends)))}
    diagonals: dict[int, list[int]] = {}  # by offset, of each place its edge
    for offset in range(1 - n, n):
        low = max(0, -offset)
        places = [first_of.get((low + i, low + i + offset), -1) for i in range(n - abs(offset))]
        stand = sum(e >= 0 for e in places)
        if stand and 2 * stand >= len(places):
            diagonals[offset] = places
    numbers, words = [], []
    edge: list[int] = []
    for offset, places in diagonals.items():
        full = -1 not in places
        numbers += [offset, -1 if full else len(words), len(edge)]
        edge += places
        if not full:
            bits = sum(1 << i for i, e in enumerate(places) if e >= 0)
            words += [bits >> at & (1 << 64) - 1 for at in range(0, len(places), 64)]
    count, on = len(edge), set(edge)
    rest = [e for e in range(rows.m) if e not in on]
    first = parts(rows, 1 << 14)
    begin = [sum(ends[e][0] < v for e in rest) for v in first.tolist()]
    number, node = rows.row.dtype, rows.cols.dtype
    near, far = (np.array([ends[e][side] for e in rest], node) for side in (0, 1))
    return Built((len(first) - 1, len(diagonals), n, count), (
        first, np.array(begin, number), np.array(numbers, number), np.array(words, np.uint64), near, far),
        np.array(edge + rest, number) if rows.numbered else None)


def check(rows: Rows) -> None:
    """What is built is what it is to be, and as many bytes as are told."""
    found, wanted = built(rows), in_plain_words(rows)
    assert found.numbers == wanted.numbers
    for a, b in zip((*found.arrays, found.edge), (*wanted.arrays, wanted.edge), strict=True):
        assert (a is None) == (b is None)
        if a is not None and b is not None:
            assert (a.dtype, a.tolist()) == (b.dtype, b.tolist())
    assert FORM.size(rows, {}) == sum(a.nbytes for a in found.arrays)


def offsets_in(found: Built) -> list[int]:
    return found.arrays[2].reshape(-1, 3)[:, 0].tolist()


def test_a_diagonal_with_half_of_its_places_is_held() -> None:
    # +1: two of 4 places. +2: one of 3. -4: its only place.
    assert offsets_in(built(rows_of(5, [(0, 1), (2, 3), (1, 3), (4, 0)]))) == [-4, 1]


def test_the_rest_stands_behind_with_both_ends() -> None:
    found = built(rows_of(5, [(0, 1), (2, 3), (1, 3), (4, 0)]))
    assert (found.arrays[4].tolist(), found.arrays[5].tolist()) == ([1], [3])


def test_absent_places_have_no_edge() -> None:
    found = built(rows_of(5, [(0, 1), (2, 3)]))
    assert found.edge is not None
    assert found.edge.tolist() == [0, -1, 1, -1]


def test_a_bit_tells_of_each_place_of_a_diagonal_that_is_not_full() -> None:
    found = built(rows_of(5, [(0, 1), (2, 3)]))
    assert found.arrays[3].tolist() == [0b0101]


def test_a_full_diagonal_takes_no_bits() -> None:
    found = built(rows_of(100, [(v, v + 1) for v in range(99)]))
    assert (found.arrays[3].nbytes, found.arrays[4].nbytes, found.arrays[5].nbytes) == (0, 0, 0)


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("name", awkward())
def test_every_edge_lies_where_the_definition_has_it(name: str, width: Any, *, numbered: bool) -> None:
    graph = awkward()[name]
    check(Rows(graph.row.astype(width), graph.dst.astype(width), numbered=numbered))


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize(("node", "edge"), [(np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)])
@settings(max_examples=100, derandomize=True, deadline=None)
@given(ENDS, st.randoms(use_true_random=False))
def test_so_do_those_of_rows_in_any_order(node: Any, edge: Any, numbered: bool,
                                          drawn: tuple[int, list[tuple[int, int]]], draw: Any) -> None:
    n, ends = drawn
    draw.shuffle(ends)
    rows = rows_of(n, sorted(ends, key=lambda e: e[0]), edge, ordered=False)
    check(Rows(rows.row, rows.cols.astype(node), numbered=numbered))


@pytest.mark.parametrize("held", [49, 50, 99, 100])
@pytest.mark.parametrize("offset", [1, -1])
def test_half_of_the_places_is_where_a_diagonal_begins(held: int, offset: int) -> None:
    low = max(0, -offset)
    rows = rows_of(101, [(low + v, low + v + offset) for v in range(held)])
    assert offsets_in(built(rows)) == ([offset] if held >= 50 else [])
    check(rows)


@pytest.mark.parametrize("part", [0, 1, 7, 64])
def test_parts_share_words_of_bits(part: int) -> None:
    some = [(v, w) for v in range(300) for w in (v - 65, v - 1, v, v + 1, v + 130) if 0 <= w < 300 and v * w % 7 != 3]
    rows = rows_of(300, some)
    found, whole = built(rows._replace(part=part)), built(rows)
    assert found.arrays[3].tolist() == whole.arrays[3].tolist()
    assert found.edge is not None
    assert whole.edge is not None
    assert found.edge.tolist() == whole.edge.tolist()


def test_parts_know_where_their_rest_begins() -> None:
    some = [(v, v * v * 31 % 300) for v in range(300)] + [(v, v + 1) for v in range(299)]
    found = built(rows_of(300, some)._replace(part=50))
    first, begin, near = (found.arrays[k] for k in (0, 1, 4))
    assert begin.tolist() == [int((near < v).sum()) for v in first]
    assert np.all(near[1:] >= near[:-1])


def test_more_diagonals_than_are_counted_at_once_are_found() -> None:
    n = 1400
    near, far = np.nonzero(np.abs(np.arange(n)[:, None] - np.arange(n)) < 600)
    rows = Rows(np.searchsorted(near, np.arange(n + 1)).astype(np.int32), far.astype(np.int32))
    assert offsets_in(built(rows)) == list(range(-599, 600))


def test_of_parallel_edges_the_first_is_on_the_diagonal() -> None:
    found = built(rows_of(3, [(0, 1), (0, 1), (1, 2)]))
    assert found.edge is not None
    assert found.edge.tolist() == [0, 2, 1]


def test_parallel_edges_fill_no_diagonal() -> None:
    assert offsets_in(built(rows_of(9, [(0, 1)] * 4))) == []


def test_all_edges_of_a_grid_are_on_diagonals() -> None:
    g = load("grid:30x40", use_cache=False)
    found = built(Rows(g.row, g.dst))
    assert offsets_in(found) in ([-40, -1, 1, 40], [-30, -1, 1, 30])
    assert len(found.arrays[4]) == 0


@pytest.mark.parametrize("width", [np.int32, np.int64])
@settings(max_examples=60, derandomize=True, deadline=None)
@given(ENDS)
def test_its_size_is_known_before(width: Any, drawn: tuple[int, list[tuple[int, int]]]) -> None:
    rows = rows_of(*drawn, width)
    assert FORM.size(rows, {}) == sum(a.nbytes for a in built(rows).arrays)


@pytest.mark.parametrize("width", [np.int32, np.int64])
@settings(max_examples=150, derandomize=True, deadline=None)
@given(ENDS)
def test_it_takes_at_most_four_times_the_bytes_of_rows(width: Any, drawn: tuple[int, list[tuple[int, int]]]) -> None:
    rows = rows_of(*drawn, width)
    assert FORM.quick_bound is not None
    assert FORM.size(rows, {}) <= FORM.quick_bound(rows) == 4 * (rows.row.nbytes + rows.cols.nbytes)
