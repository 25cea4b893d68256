"""The table of bytes per arc: every form is in it, as it is built, and the page shows what was measured."""

from __future__ import annotations

import json
import sys

import pytest
from support.places import BENCHMARKS, ROOT

from irgl.forms.find import names
from irgl.rt.graphs.load import load

sys.path.insert(0, str(BENCHMARKS))
import form_bytes

RESULTS = BENCHMARKS / "results" / "form_bytes.json"


def test_every_form_is_told() -> None:
    assert {said.split()[0] for said in form_bytes.forms()} == set(names())


@pytest.mark.parametrize(("said", "size"), [
    ("coo", 2 * 4 * 18 + 2 * 2 * 4),
    ("split", 4 * 18 + 4 * 11 + 4 * 11),
    ("cr2 expand=off", 2 * 18 + 2 * 10 + 4 * (6 * 2 + 4 * 7)),
])
def test_bytes_are_those_that_are_built(said: str, size: int) -> None:
    assert form_bytes.taken(load("path:10"), said) == size


def test_a_form_that_does_not_take_a_graph_is_told_of_none() -> None:
    assert form_bytes.taken(load("path:10"), "blocks inside=runs tile=18") is None


def test_a_table_has_bytes_per_arc_and_the_lists_share() -> None:
    row = {"graph": "g", "arcs": 10, "bytes": {"csr": 50, "cr2": 40, "cr2 expand=off": 30, "delta": None}}
    assert form_bytes.markdown({"rows": [row]}).splitlines() == [
        "| graph | arcs | `csr` | `cr2` | `cr2 expand=off` | `delta` | list |", "|---|---|---|---|---|---|---|",
        "| g | 10 | 5.00 | 4.00 | 3.00 | - | 25% |"]


def test_the_page_shows_what_was_measured() -> None:
    told = form_bytes.markdown(json.loads(RESULTS.read_text(encoding="utf-8")))
    assert told in (ROOT / "docs" / "forms.md").read_text(encoding="utf-8")
