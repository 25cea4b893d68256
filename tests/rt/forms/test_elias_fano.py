"""ef: how few bytes rows take, and that its places are those of rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irgl.forms.ef import FORM
from irgl.forms.form import Rows
from irgl.rt.forms.native import native


def rows_of(*of: list[int]) -> Rows:
    row = np.cumsum([0, *map(len, of)]).astype(np.int32)
    return Rows(row, np.array([x for r in of for x in r], np.int32))


def test_a_row_takes_what_elias_and_fano_promise() -> None:
    draw = np.random.default_rng(1)
    for count, spread in ((1000, 1_000_000), (1000, 1000), (5000, 70_000)):
        far = np.sort(draw.choice(spread, count, replace=count > spread))
        rows = Rows(np.array([0, count, *[count] * (spread - 1)], np.int32), far.astype(np.int32))
        taken = FORM.size(rows, {}) - 2 * rows.n - 4 * -(-rows.n // 64)
        bits = 2 + max(0.0, math.log2(spread / count))
        assert taken <= count * bits / 8 + 4 * count / 64 + 32


def test_the_first_edge_of_a_node_takes_no_more_than_an_id_and_its_low_bits() -> None:
    assert FORM.size(rows_of(*[[v] for v in range(256)]), {}) == 4 * 4 + 256 * 2 + 256 * 2 + 16


@pytest.mark.parametrize("rows", [rows_of([], [1, 1, 1], [0]), rows_of(), rows_of([]), rows_of(list(range(70)) * 2)])
def test_its_bytes_are_told_exactly_before_it_is_built(rows: Rows) -> None:
    built = FORM.build(rows, {}, native(32, 32))
    assert sum(a.nbytes for a in built.arrays) == FORM.size(rows, {})


def test_rows_in_ascending_order_keep_their_places() -> None:
    assert FORM.build(rows_of([1, 2], [0, 0]), {}, native(32, 32)).edge is None


def test_other_rows_tell_which_edge_stands_where() -> None:
    built = FORM.build(rows_of([2, 0, 1], [1, 1], []), {}, native(32, 32))
    assert built.edge is not None
    assert built.edge.tolist() == [1, 2, 0, 3, 4]
