"""docs/profile.md, worked through as printed; the keys that it names are those of the file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.guide import Said, steps, work_through
from support.places import ROOT

PAGE = "profile.md"
STEPS = [str(step) for step in steps(PAGE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="module")
def worked(folder: Path) -> dict[str, Said]:
    return work_through(PAGE, folder)


@pytest.mark.parametrize("step", STEPS)
def test_the_step_says_what_the_page_shows(worked: dict[str, Said], step: str) -> None:
    assert worked[step].got == worked[step].wanted


def test_the_page_names_every_key_of_the_file(worked: dict[str, Said], folder: Path) -> None:
    assert worked
    text = (ROOT / "docs" / PAGE).read_text(encoding="utf-8").partition("## The file")[2].partition("## From Python")[0]
    tables = [set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", part, re.MULTILINE))))
              for part in text.split("Of a place:")]
    found = json.loads((folder / "run.json").read_text())
    assert tables == [set(found), set(found["places"][0])]
