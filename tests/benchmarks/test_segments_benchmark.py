"""The benchmark of segments counts the misses of a cache in the order in which edges are taken."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from support.places import BENCHMARKS

from irgl.forms.form import Rows
from irgl.rt.graphs.load import load

sys.path.insert(0, str(BENCHMARKS))
import segments


@pytest.mark.parametrize(("lines", "read", "count"), [
    (2, [1, 2, 1, 3, 1, 2], 4),  # 2 is forgotten for 3, 1 is not
    (2, [1, 2, 3, 1, 2, 3], 6), (3, [1, 2, 3, 1, 2, 3], 3), (1, [5, 5, 5, 6, 5], 3), (4, [], 0)])
def test_what_was_not_read_for_the_longest_time_makes_room(lines: int, read: list[int], count: int) -> None:
    assert segments.misses(np.array(read, np.int64), lines) == count


@pytest.mark.parametrize("order", [segments.on_cpu, segments.on_gpu])
def test_segments_change_nothing_but_the_order_of_what_is_read(order: object) -> None:
    graph = load("rmat:9,seed=4")
    whole, cut = (order(Rows(graph.row, graph.dst), said) for said in ("off", "64n"))  # type: ignore[operator]
    assert not np.array_equal(whole, cut)
    assert np.array_equal(np.sort(whole), np.sort(cut))


def test_blocks_of_a_gpu_read_one_segment_after_the_other() -> None:
    graph = load("rmat:10,seed=4")
    lines = segments.on_gpu(Rows(graph.row, graph.dst), "256n")
    assert np.all(np.diff(lines * segments.LINE // segments.VALUE // 256) >= 0)


def test_segments_save_misses_where_neighbours_lie_anywhere() -> None:
    found = json.loads((BENCHMARKS / "results" / "segments.json").read_text(encoding="utf-8"))
    (row,) = [r for r in found["rows"] if r["graph"] == "rmat18"]
    for where in ("cpu", "gpu"):
        assert 2 * row["misses"][segments.AUTO][where] <= row["misses"]["off"][where]
