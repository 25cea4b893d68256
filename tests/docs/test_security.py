"""docs/security.md: each promise has a test, and each test of a promise stands there."""

from __future__ import annotations

import re

from support.places import ROOT, TESTS

from irgl.rt.system.cache_folder import INSIDE
from irgl.rt.system.own_place import STAND_IN

PAGE = ROOT / "docs" / "security.md"


def test_each_promise_is_tested_and_no_other() -> None:
    promised = re.findall(r"^- \*\*([a-z-]+)\*\*:", PAGE.read_text(), re.MULTILINE)
    tested = {name for path in TESTS.rglob("test_*.py") for name in re.findall(r'^@keeps\("([a-z-]+)"\)$',
                                                                              path.read_text(), re.MULTILINE)}
    assert len(promised) == len(set(promised)) and set(promised) == tested


def test_the_page_names_the_folders_that_are_checked() -> None:
    text = PAGE.read_text()
    assert [name for name in (*INSIDE, STAND_IN) if f"`{name}`" not in text] == []
