"""docs/programs.md, worked through as printed: all of its code and commands run."""

from __future__ import annotations

import re

import pytest
from support.guide import Said, steps, work_through
from support.places import ROOT
from support.programs import MORE, path_of

from irgl.rt.manifests.program import open_program

PAGE = "programs.md"
STEPS = [str(step) for step in steps(PAGE)]


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    return work_through(PAGE, tmp_path_factory.mktemp("programs"))


@pytest.mark.parametrize("step", STEPS)
def test_the_step_says_what_the_page_shows(worked: dict[str, Said], step: str) -> None:
    assert worked[step].got == worked[step].wanted


def test_the_page_has_steps() -> None:
    assert len(STEPS) >= 5


@pytest.mark.parametrize("name", MORE)
def test_the_table_has_every_further_program_with_names_of_its_results(name: str) -> None:
    text = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{name}`"))
    assert ("(Python)" in row.split("|")[1]) == (path_of(name).suffix == ".py")
    manifest = open_program(path_of(name))
    results = {*(p.name for g in manifest.graphs for p in g.properties), *(name for name, _ in manifest.scalars)}
    named = re.findall(r"`(\w+)`", row.split("|")[3])
    assert named and set(named) <= results
