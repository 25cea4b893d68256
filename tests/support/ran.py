"""Whether code in what a user is given has run: a mark that it leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

PROGRAM = """graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.p += 1; } }
Program adding(Graph g) verify judge(found = p) { Invoke k(g); }
"""
MARK = "open({!r}, 'a').write('ran')\n"


class Ran:
    """A place that tells whether code of a given file has run."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "ran"
        self.code = MARK.format(str(self.mark))

    def __bool__(self) -> bool:
        return self.mark.exists()


class Harm:
    """What runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.path), "w")


def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    """A program given by somebody, whose verifier leaves a mark where it is run."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("IRGL_TUNE_DB", str(tmp_path / "db" / "tune.sqlite"))
    monkeypatch.chdir(tmp_path)
    found = Ran(tmp_path)
    (tmp_path / "given" / "verifiers").mkdir(parents=True)
    (tmp_path / "given" / "p.irgl").write_text(PROGRAM)
    (tmp_path / "given" / "verifiers" / "judge.py").write_text(found.code + "def verify(*_): return None\n")
    return found
