"""The benchmark that counts schedulers: its rows, what a run of some leaves alone, and what its page says."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from support.places import BENCHMARKS

sys.path.insert(0, str(BENCHMARKS))
import schedules


def known(program: str, np: str, commit: str = "c0", steps: int = 1) -> dict[str, Any]:
    """A row as results hold it."""
    return {"commit": commit, **dict.fromkeys(schedules.COLUMNS, steps), "program": program, "np": np}


def test_a_row_takes_the_place_of_its_like_and_others_stay() -> None:
    rows = [known("bfs", "fg"), known("cc", "fg")]
    for made in (known("bfs", "wf", "c1"), known("bfs", "serial", "c1"), known("cc", "fg", "c1", 7)):
        rows = schedules.with_row(rows, made)
    assert [(r["program"], r["np"], r["lanes"], r["commit"]) for r in rows] == [
        ("bfs", "serial", 1, "c1"), ("bfs", "fg", 1, "c0"), ("bfs", "wf", 1, "c1"), ("cc", "fg", 7, "c1")]


def test_only_schedulers_that_a_program_takes_are_rows() -> None:
    assert [np for np in schedules.SCHEDULES if not schedules.takes("bfs", np)] == []
    assert [np for np in schedules.SCHEDULES if not schedules.takes("cc", np)] == ["even"]


def test_a_page_calls_graphs_by_name_and_tells_all_commits_and_what_is_refused() -> None:
    versions = {"irgl": "0.1.0"}
    page = schedules.page({"NY": {"versions": versions, "runs": [known("bfs", "fg"), known("cc", "fg", "c1")]}})
    assert "## NY\n" in page and "Commits c0, c1; irgl 0.1.0." in page
    assert "`cc` does not\nsupport `even`" in page


@pytest.mark.parametrize("name", schedules.GRAPHS)
def test_what_a_graph_is_does_not_depend_on_where_the_checkout_is(name: str) -> None:
    assert "/" not in name
