"""Data flows one way: every import of the package, those inside functions too, goes down the order of its rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "irgl").rglob("*.py"))

#: The rooms from the ground up: each may use those of lower floors, and itself; not its neighbours.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("source", "notation"),
    ("ast",),
    ("plan",),
    ("frontends", "analysis"),
    ("passes", "interpret"),
    ("codegen",),
    ("space",),
    ("driver",),
    ("standalone",),
    ("builder",),
    ("rt",),
    ("tune", "nx_backend"),
    ("api",),
    ("programs",),
    ("notebook",),
    ("cli",),
)
#: Modules that are part of a room of another name.
PART_OF = {"reference": "interpret", "__main__": "cli"}
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
#: What any room may take from the package itself, which is no room.
FROM_THE_TOP = {"irgl.__version__"}


def module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(p): p for p in FILES}


def room(name: str) -> str:
    """`irgl.rt.graph` is in room rt, `irgl.cli_run` in cli."""
    top = name.split(".")[1]
    return "cli" if top.startswith("cli_") else PART_OF.get(top, top)


def imports(text: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything of the package that a text imports, wherever the import stands."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.split(".")[0] == "irgl")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import hides which room it goes to"
            if node.module is not None and node.module.split(".")[0] == "irgl":
                yield from ((node.lineno, f"{node.module}.{a.name}") for a in node.names)


def target(name: str) -> str:
    """The module that an imported name is, or belongs to."""
    return name if name in MODULES else name.rpartition(".")[0]


def against_the_order(importer: str, text: str) -> list[str]:
    """The imports of a text that go up, or to a neighbour."""
    if importer == "irgl":
        return []  # the package's front door: the top
    mine = room(importer)
    found = []
    for line, name in imports(text):
        if name in FROM_THE_TOP:
            continue
        theirs = room(name)
        if theirs != mine and FLOOR[theirs] >= FLOOR[mine]:
            found.append(f"line {line}: {mine} imports {theirs}")
    return found


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_down(name: str) -> None:
    if name != "irgl":
        assert room(name) in FLOOR, "a room that the order does not know"
    assert against_the_order(name, MODULES[name].read_text()) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        name: {target(used) for _, used in imports(path.read_text()) if target(used) not in ("irgl", name)}
        for name, path in MODULES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as e:
        pytest.fail(" <- ".join(e.args[1]))


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("irgl.ast.visit", "from irgl.frontends.text import parse"),
        ("irgl.ast.visit", "def f():\n    from irgl.rt import graph"),
        ("irgl.passes.some", "if TYPE_CHECKING:\n    import irgl.codegen.openmp"),
        ("irgl.frontends.text", "from irgl import analysis"),
        ("irgl.reference.values", "from irgl.passes import pipeline"),
        ("irgl.rt.run", "from irgl.cli_run import main"),
    ],
)
def test_an_import_against_the_order_is_found(importer: str, text: str) -> None:
    assert len(against_the_order(importer, text)) == 1


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("irgl.cli_run", "from irgl.rt import run"),
        ("irgl.driver", "from irgl import __version__"),
        ("irgl.interpret", "from irgl.reference import values"),
        ("irgl.rt.run", "import numpy\nfrom irgl.source import Span"),
    ],
)
def test_an_import_along_the_order_is_none_of_our_business(importer: str, text: str) -> None:
    assert against_the_order(importer, text) == []
