"""docs/tutorial.md and docs/guide-gpu.md, worked through as printed: all of their code and commands run."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from support.guide import Said, steps, work_through
from support.places import PROGRAMS

PAGES = ("tutorial.md", "guide-gpu.md")
STEPS = [(page, str(step)) for page in PAGES for step in steps(page)]


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    @cache
    def through(page: str) -> dict[str, Said]:
        folder: Path = tmp_path_factory.mktemp("guide")
        for name in ("bfs.irgl", "verifiers"):
            source = PROGRAMS / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
        return work_through(page, folder)

    return through


@pytest.mark.parametrize(("page", "step"), STEPS, ids=[f"{p.removesuffix('.md')}-{s}" for p, s in STEPS])
def test_the_step_says_what_the_page_shows(worked, page: str, step: str) -> None:  # type: ignore[no-untyped-def]
    said = worked(page)[step]
    assert said.got == said.wanted
