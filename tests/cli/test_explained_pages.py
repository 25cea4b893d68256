"""What `irglc explain` says of a program under a plan, whole: a file for each, whose first line is the command.

A change of them is meant, or a mistake: `python tests/cli/test_explained_pages.py` writes them anew, to be looked at.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parent / "explained"
ROOT = PAGES.parent.parent.parent


def explained(command: str) -> str:
    """What a command says."""
    words = shlex.split(command)
    assert words[:2] == ["irglc", "explain"]
    return subprocess.run([sys.executable, "-m", "irgl", *words[1:]], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout


@pytest.mark.parametrize("name", sorted(page.stem for page in PAGES.glob("*.txt")))
def test_a_page_says_what_it_said(name: str) -> None:
    command, _, text = (PAGES / f"{name}.txt").read_text(encoding="utf-8").partition("\n")
    assert explained(command.removeprefix("$ ")) == text


if __name__ == "__main__":
    for page in PAGES.glob("*.txt"):
        command = page.read_text(encoding="utf-8").partition("\n")[0]
        page.write_text(f"{command}\n{explained(command.removeprefix('$ '))}", encoding="utf-8")
