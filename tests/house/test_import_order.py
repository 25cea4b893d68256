"""Data flows one way: every import of the package, those inside functions too, goes down the order of its rooms."""

from __future__ import annotations

import importlib.util
from graphlib import CycleError, TopologicalSorter
from types import ModuleType

import pytest
from support.places import ROOT


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_house", ROOT / "docs" / "make_house.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


HOUSE = _script()
#: What any room may take from the package itself, which is no room.
FROM_THE_TOP = {"irgl.__version__"}
FOLDERS = sorted({path.parent for path in HOUSE.MODULES.values()})
#: More files than this in a room, and a stranger no longer sees what is there: it wants rooms within it.
MOST = 17


def against_the_order(importer: str, text: str) -> list[str]:
    """The imports of a text that go up, or to a neighbour."""
    if importer == "irgl":
        return []  # the package's front door: the top
    mine = HOUSE.room(importer)
    found = []
    for line, name in HOUSE.imports(text):
        if name in FROM_THE_TOP:
            continue
        theirs = HOUSE.room(name)
        if theirs != mine and HOUSE.FLOOR[theirs] >= HOUSE.FLOOR[mine]:
            found.append(f"line {line}: {mine} imports {theirs}")
    return found


def circle(graph: dict[str, set[str]]) -> str:
    """The members of a circle, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as e:
        return " <- ".join(e.args[1])
    return ""


@pytest.mark.parametrize("name", HOUSE.MODULES)
def test_imports_go_down(name: str) -> None:
    if name != "irgl":
        assert HOUSE.room(name) in HOUSE.FLOOR, "a room that the order does not know"
    assert against_the_order(name, HOUSE.MODULES[name].read_text(encoding="utf-8")) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(HOUSE.uses()) == ""


@pytest.mark.parametrize("top", sorted(HOUSE.FLOOR))
def test_no_rooms_within_a_room_need_each_other(top: str) -> None:
    assert circle(HOUSE.within(top)) == ""


def test_a_circle_of_rooms_is_found() -> None:
    assert circle({"read": {"store"}, "store": {"build"}, "build": {"read"}}) != ""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: str(f.relative_to(ROOT)))
def test_a_room_says_what_it_is_and_is_not_crowded(folder: object) -> None:
    files = [path for path in HOUSE.MODULES.values() if path.parent == folder]
    front = next(path for path in files if path.name == "__init__.py")
    assert front.read_text(encoding="utf-8").startswith('"""')
    assert len(files) <= MOST


def test_the_picture_shows_the_imports_of_today() -> None:
    is_todays = HOUSE.PICTURE.read_text(encoding="utf-8") == HOUSE.svg()
    assert is_todays, "run `python docs/make_house.py`"


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("irgl.ast.visit", "from irgl.frontends.text import parse"),
        ("irgl.ast.visit", "def f():\n    from irgl.rt import graph"),
        ("irgl.passes.some", "if TYPE_CHECKING:\n    import irgl.codegen.openmp"),
        ("irgl.frontends.text", "from irgl import analysis"),
        ("irgl.reference.values", "from irgl.passes import pipeline"),
        ("irgl.rt.call.run", "from irgl.cli.main import main"),
    ],
)
def test_an_import_against_the_order_is_found(importer: str, text: str) -> None:
    assert len(against_the_order(importer, text)) == 1


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("irgl.cli.run", "from irgl.rt import run"),
        ("irgl.driver", "from irgl import __version__"),
        ("irgl.interpret", "from irgl.reference import values"),
        ("irgl.rt.call.run", "import numpy\nfrom irgl.source import Span"),
    ],
)
def test_an_import_along_the_order_is_none_of_our_business(importer: str, text: str) -> None:
    assert against_the_order(importer, text) == []
