"""A page of docs that is worked through from top to bottom, as a reader would: its code runs, its commands, too.

```python           runs, all blocks in one namespace; a ```text block right after it is what it printed
```python file=X    (of any language) is written to the file X
```console          `$ command` lines run in a shell, what follows each is what it printed; `...` stands for any lines
```console about    the same, and numbers may be others
```console by-hand  is not run: it installs something, or needs a GPU
Times (12.1 ms) are masked.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.places import ROOT

_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"\d[\d.,]*")
_TIME = re.compile(r"[\d.,]+ (?:ns|us|ms|s)\b")


@dataclass(frozen=True)
class Step:
    """A block of a page: the words of its fence, its text, its line."""

    words: tuple[str, ...]
    text: str
    line: int
    prints: str = ""

    def __str__(self) -> str:
        return f"line_{self.line}"


@dataclass
class Said:
    """What a step was to say, and what it said, times masked."""

    wanted: str
    got: str


def steps(page: str) -> list[Step]:
    """The blocks of a page that do something."""
    text = (ROOT / "docs" / page).read_text()
    found: list[Step] = []
    for m in _FENCE.finditer(text):
        step = Step(tuple(m[1].split()), m[2], text.count("\n", 0, m.start()) + 1)
        if step.words == ("text",):
            assert found[-1].words == ("python",), f"{page}:{step.line} is the output of nothing"
            step = Step(found[-1].words, found[-1].text, found.pop().line, m[2])
        found.append(step)
    runs = (("python",), ("console",), ("console", "about"))
    return [s for s in found if s.words in runs or (s.words and s.words[-1].startswith("file="))]


def work_through(page: str, folder: Path) -> dict[str, Said]:
    """Runs every step of a page in `folder`; what each says."""
    names: dict[str, object] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        return {str(step): _run(step, names, page, folder) for step in steps(page)}
    finally:
        os.chdir(before)


def _run(step: Step, names: dict[str, object], page: str, folder: Path) -> Said:
    if "file=" in step.words[-1]:
        (folder / step.words[-1].removeprefix("file=")).write_text(step.text)
        return Said("", "")
    if step.words[0] == "console":
        said = _console(step.text, folder)
        about = step.words[-1] == "about"
        return Said(_NUMBER.sub("#", said.wanted), _NUMBER.sub("#", said.got)) if about else said
    file, printed = f"<{page} {step.line}>", io.StringIO()
    linecache.cache[file] = (len(step.text), None, step.text.splitlines(keepends=True), file)
    with contextlib.redirect_stdout(printed):
        exec(compile(step.text, file, "exec"), names)
    return Said(masked(step.prints), masked(printed.getvalue()))


def _console(text: str, folder: Path) -> Said:
    """The commands of a block; lines that `...` stands for are taken as said."""
    wanted, got = [], []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        path = f"{_commands(folder)}:{os.environ['PATH']}"
        env = {**os.environ, "PATH": path, "COLUMNS": "80", "TERM": "dumb"}
        done = subprocess.run(command, shell=True, cwd=folder, env=env, text=True, check=False, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wanted.append(f"$ {command}\n{masked(shown)}")
        said = masked(done.stdout)
        pattern = re.escape(masked(shown)).replace(r"\.\.\." + "\\\n", "(?:.*\n)*?")
        got.append(f"$ {command}\n{masked(shown) if re.fullmatch(pattern, said) else said}")
    return Said("".join(wanted), "".join(got))


def _commands(folder: Path) -> Path:
    """A folder with `irglc` and `python` of this environment, apart from whatever else is there."""
    place = folder / ".commands"
    if not place.exists():
        place.mkdir()
        for name, words in (("irglc", "-m irgl"), ("python", "")):
            (place / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
            (place / name).chmod(0o755)
    assert shutil.which("sh") is not None
    return place


def masked(text: str) -> str:
    """A text without its times and trailing spaces."""
    return re.sub(r"[ \t]+$", "", _TIME.sub("# ms", text), flags=re.MULTILINE)
