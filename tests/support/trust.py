"""What the tests of docs/security.md about places on disk share: ways to open a place to others, and irglc."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65534
BIG = "grid:80x80"
PROGRAM = """graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.p += 1; } }
Program adding(Graph g) { Invoke k(g); }
"""
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


def named_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that the user names, made already, with a program beside it."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(folder / "cache"))
    monkeypatch.chdir(folder)
    (folder / "p.irgl").write_text(PROGRAM)
    (folder / "cache").mkdir(0o700)
    return folder / "cache"


def home_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, for what is where nobody says where it is to be."""
    for name in ("IRGL_CACHE_DIR", "IRGL_TUNE_DB", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    (folder / "p.irgl").write_text(PROGRAM)
    return folder


def irglc(*words: str, umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-P", "-m", "irgl", *words], capture_output=True, text=True, check=False,
                          umask=umask, stdin=subprocess.DEVNULL)


def run(umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    return irglc("run", "p.irgl", "--graph", BIG, "--threads", "1", umask=umask)


def open_to_group(path: Path) -> None:
    path.chmod(0o770)


def open_to_others(path: Path) -> None:
    path.chmod(0o777)


def sticky(path: Path) -> None:
    path.chmod(0o1777)


def given_away(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY)


WAYS = [open_to_group, open_to_others, sticky, pytest.param(given_away, marks=needs_root)]


def linked(path: Path) -> None:
    real = path.with_name("elsewhere")
    path.rename(real)
    path.symlink_to(real)
