"""The cells of docs/notebook.md run, in IPython, and say what the page says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from support.ipython import new_shell
from support.places import ROOT

PAGE = (ROOT / "docs" / "notebook.md").read_text()
_CELL = re.compile(r"^```python cell\n(.*?)^```", re.MULTILINE | re.DOTALL)
_WRONG = re.compile(r"^```python wrong\n(.*?)^```\n\n```\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    made = new_shell(tmp_path)
    yield made
    made.run_cell("%unload_ext irgl")


def test_every_cell_of_the_page_runs(shell: InteractiveShell) -> None:
    assert [m[1] for m in _CELL.finditer(PAGE) if not shell.run_cell(m[1]).success] == []
    assert shell.user_ns["found"].most == 2


def test_the_mistake_is_told_as_on_the_page(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%load_ext irgl")
    wrong = _WRONG.search(PAGE)
    assert wrong is not None
    shell.run_cell(wrong[1])
    assert capsys.readouterr().out.strip() == wrong[2].strip()
