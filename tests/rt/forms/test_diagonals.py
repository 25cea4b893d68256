"""dia: which diagonals are held, in how many bytes, and that it never takes much more than rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgl.forms.dia import FORM
from irgl.forms.form import Built, Rows
from irgl.rt.graphs.load import load

ENDS = st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(
    st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=120)))


def rows_of(n: int, ends: list[tuple[int, int]], width: Any = np.int32) -> Rows:
    near, far = np.array(sorted(ends), width).reshape(-1, 2).T
    return Rows(np.searchsorted(near, np.arange(n + 1)).astype(width), far.copy())


def built(rows: Rows) -> Built:
    return FORM.build(rows, {}, lambda *_: None)


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
    assert FORM.size(rows, {}) <= 4 * (rows.row.nbytes + rows.cols.nbytes)
