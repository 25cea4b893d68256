"""docs/programs.md, worked through as printed: all of its code and commands run."""

from __future__ import annotations

import pytest
from support.guide import Said, steps, work_through

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
