"""The lines of code that docs/graphit.md tells are those that programs/gt has."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from support.places import ROOT


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_lines", ROOT / "docs" / "make_lines.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


SCRIPT = _script()


def test_the_table_is_up_to_date() -> None:
    assert SCRIPT.PAGE.read_text(encoding="utf-8") == SCRIPT.page(), "run python docs/make_lines.py"


def test_a_program_with_a_schedule_is_no_longer_than_the_thesis_has_it() -> None:
    for name, lines in SCRIPT.THESIS.items():
        files = (f"{name}.gt", f"schedules/{name}.roads.schedule")
        assert sum(SCRIPT.lines_of_code(SCRIPT.PROGRAMS / "gt" / file) for file in files) <= lines


@pytest.mark.parametrize(("name", "text"), [("a.gt", "% one\n\nfunc f()\n  % two\nend % three\n"),
                                            ("a.irgl", "// one\n\nint a = 1;\n  // two\nint b = 2; // three\n")])
def test_blank_lines_and_comments_count_for_nothing(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert SCRIPT.lines_of_code(tmp_path / name) == 2
