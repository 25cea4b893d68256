"""docs/api.md is what docs/make_api.py makes of the docstrings, and the docstrings tell what users need."""

from __future__ import annotations

import ast
import importlib.util
from types import ModuleType

from support.places import ROOT

import irgl
from irgl.notation import DEFINING

DOCS = ROOT / "docs"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_api", DOCS / "make_api.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


SCRIPT = _script()
ENTRIES = [e for _, prefix, files, wanted in SCRIPT.SECTIONS for e in SCRIPT.entries(prefix, files, wanted)]
FUNCTIONS = [e for e in ENTRIES if not isinstance(e.node, ast.ClassDef)]


def test_the_page_is_up_to_date() -> None:
    assert (DOCS / "api.md").read_text() == SCRIPT.page(), "run `python docs/make_api.py`"


def test_every_entry_has_a_docstring() -> None:
    assert [f"{e.file}: {e.title}" for e in ENTRIES if not e.doc] == []


def test_what_begins_a_definition_has_a_docstring() -> None:
    assert {name: getattr(irgl, name).__doc__ for name in DEFINING} == SCRIPT.definitions()


def test_every_name_of_the_package_is_on_the_page() -> None:
    shown = {e.node.name for e in ENTRIES}
    assert [name for name in irgl.__all__ if name not in shown and name not in ("__version__", "programs")] == []
    assert "\n## irgl.programs\n" in SCRIPT.page()


def test_who_raises_an_error_says_so() -> None:
    silent = []
    for e in FUNCTIONS:
        raised = [n.exc for n in ast.walk(e.node) if isinstance(n, ast.Raise)]
        told = any(isinstance(r, ast.Call) and ast.unparse(r.func) == "IrglError" for r in raised)
        silent += [e.title] if told and "IrglError" not in e.doc else []
    assert silent == []


def test_arguments_of_the_front_door_are_told_by_name() -> None:
    silent = []
    for e in FUNCTIONS:
        if e.file in ("api", "rt/callable"):
            args = (*e.node.args.posonlyargs, *e.node.args.args, *e.node.args.kwonlyargs)
            silent += [f"{e.title}: {a.arg}" for a in args if a.arg != "self" and a.arg not in e.doc]
    assert silent == []
