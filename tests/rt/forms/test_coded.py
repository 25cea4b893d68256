"""Where the bytes of coded edges begin: 64 nodes have a base, each has 16 bits, long rows lie behind all others."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest

from irgl.forms.coded import begins, beside
from irgl.forms.delta import FORM as DELTA
from irgl.forms.ef import FORM as EF
from irgl.forms.form import Form, Rows
from irgl.rt.forms.native import native

#: The most edges of a row that stands in its place.
MOST = 192


def rows_of(degrees: list[int], dtype: type = np.int32) -> Rows:
    return Rows(np.cumsum([0, *degrees]).astype(dtype), np.zeros(sum(degrees), dtype))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("nodes", [0, 1, 63, 64, 65, 200])
def test_bases_offsets_and_what_stands_in_place_of_long_rows_tell_where_codes_begin(nodes: int, dtype: type) -> None:
    degrees = [(0, 3, MOST, MOST + 1, 70_000)[v * 7 % 5] for v in range(nodes)]
    rows = rows_of(degrees, dtype)
    found = begins(np.array([2 * d for d in degrees], np.int64), rows, "delta")
    at = np.repeat(found.base, 64)[:nodes] + found.offset
    width = np.dtype(dtype).itemsize
    read = [int(found.bytes[a : a + width].view(dtype)[0]) if d > MOST else int(a)
            for a, d in zip(at, degrees, strict=True)]
    assert read == found.codes.tolist()


def test_no_two_rows_share_a_byte() -> None:
    degrees = [300, 2, MOST, 0, 1000, 5]
    found = begins(np.array(degrees, np.int64), rows_of(degrees), "delta")
    short = list(accumulate([4, 2, MOST, 0, 4, 5], initial=0))
    assert found.codes.tolist() == [short[6], *short[1:4], short[6] + 300, short[5]]


def test_what_lies_beside_codes_is_told() -> None:
    degrees = [3] * 100 + [MOST + 1] * 30
    found = begins(np.array(degrees, np.int64), rows_of(degrees), "ef")
    taken = found.base.nbytes + found.offset.nbytes + found.bytes.nbytes - sum(degrees)
    assert beside(rows_of(degrees)) == taken


@pytest.mark.parametrize("of", [DELTA, EF])
def test_64_of_the_largest_rows_that_stand_in_their_place_have_offsets_of_16_bits(of: Form) -> None:
    nodes = 1 << 20
    far = np.sort(np.random.default_rng(1).choice((1 << 31) - 1, MOST).astype(np.int32))
    far[0] = 0  # as far from the row's node as can be
    degrees = np.zeros(nodes, np.int64)
    degrees[-64:] = MOST
    rows = Rows(np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32), np.tile(far, 64))
    offset = of.build(rows, {}, native(32, 32)).arrays[1]
    assert offset[-64:].tolist() == sorted(offset[-64:].tolist())
