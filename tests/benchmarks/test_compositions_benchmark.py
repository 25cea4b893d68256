"""Forms and schedulers together: which there are, what one counts, and what the kept results say."""

from __future__ import annotations

import json
import sys

import pytest
from support.places import BENCHMARKS

sys.path.insert(0, str(BENCHMARKS))
import compositions

FOUND = json.loads(compositions.RESULTS.read_text(encoding="utf-8"))["programs"]


@pytest.mark.parametrize(("name", "least"), [("pr_pull", 60), ("cc", 40), ("bfs", 25), ("sssp_nf", 25)])
def test_as_many_were_run_as_are_expected_and_all_were_right(name: str, least: int) -> None:
    rows = FOUND[name]["rows"]
    assert len(rows) == len({r["plan"] for r in rows}) >= least
    assert [r for r in rows if r["wrong"] is not None] == []


def test_one_that_is_run_again_counts_as_before() -> None:
    before = next(r for r in FOUND["cc"]["rows"] if r["plan"] == "format=csr np=wf")
    assert compositions.ran("cc", f"{before['plan']} {compositions.COMMON}")["warp_memory"] == pytest.approx(
        before["warp_memory"], rel=0.02)


def test_the_table_has_a_line_for_each_program() -> None:
    lines = compositions.table({"programs": FOUND}).splitlines()[2:]
    assert [line.split("`")[1] for line in lines] == list(FOUND)
