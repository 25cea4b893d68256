"""docs/graphit_schedules.md names whatever a schedule may say."""

from __future__ import annotations

import re

import pytest
from support.places import ROOT

from irgl.frontends.gt.load import labelled
from irgl.frontends.gt.schedules import applying, meanings, objects, older
from irgl.frontends.gt.schedules.calls import NAMES
from irgl.frontends.load import open_source

PAGE = (ROOT / "docs" / "graphit_schedules.md").read_text(encoding="utf-8")
WORDS = {*NAMES, *objects.BALANCES, *objects.CREATIONS, *objects.SETS, *applying.SCHEDULERS.values(), *older.WORDS,
         *meanings.PARALLEL, *meanings.DENSE_SETS, *meanings.UPDATES, *meanings.INTERSECTIONS,
         "configDirection", "configFrontierCreation", "configDeduplication", "configLoadBalance", "configKernelFusion",
         "configBooleanType", "configDelta"}


@pytest.mark.parametrize("word", sorted(WORDS))
def test_the_page_names(word: str) -> None:
    assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", PAGE)


def test_the_places_of_its_plans_are_those_that_an_apply_becomes() -> None:
    label = labelled(open_source(ROOT / "programs" / "gt" / "bfs.gt")).labels["s0:s1"]
    known = {place.partition(".")[2] for place in (*label.loops, *label.edges)}
    assert set(re.findall(r"(?<![\w.])(s1(?:\.\w+)?)\.\w+=", PAGE)) == known
