"""ARCHITECTURE.md speaks of the house as it stands."""

from __future__ import annotations

import re

import pytest
from support.places import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
#: What stands in the page as code and looks like a file or a folder: `rt/graphs/load.py`, `cpu_rt/`, `ranges.hpp`.
NAMED = sorted({name for name in re.findall(r"`([\w./]+)`", PAGE) if re.search(r"/|\.(py|cuh|hpp|h|md|asdl)$", name)})
ROOMS = sorted(path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "irgl").rglob("__init__.py"))


def _stands(name: str) -> bool:
    places = ("", "cpu_rt", "cuda_rt", "cuda_rt/emu/include", "cuda_rt/emu", "tests", *ROOMS)
    return any((ROOT / place / name).exists() for place in places)


@pytest.mark.parametrize("name", NAMED)
def test_a_file_that_the_page_names_exists(name: str) -> None:
    assert _stands(name)


@pytest.mark.parametrize("room", ROOMS)
def test_the_page_names_every_room(room: str) -> None:
    if room != "irgl":
        assert f"`{room.removeprefix('irgl/').split('/')[-1]}/`" in PAGE or f"`{room}/`" in PAGE
