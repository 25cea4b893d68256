"""The VS Code extension has the language's words of today, and names files that are there."""

from __future__ import annotations

import json
import runpy

from support.places import ROOT

FOLDER = ROOT / "editors" / "vscode"


def test_the_grammar_has_the_words_of_the_lexer() -> None:
    made = runpy.run_path(str(FOLDER / "make_grammar.py"))["grammar"]()
    shipped = (FOLDER / "syntaxes" / "irgl.tmLanguage.json").read_text(encoding="utf-8")
    assert shipped == made, "run `python editors/vscode/make_grammar.py`"


def test_files_that_the_extension_names_exist() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    [grammar] = package["contributes"]["grammars"]
    assert all((FOLDER / name).is_file() for name in (package["main"], grammar["path"], "language-configuration.json"))
