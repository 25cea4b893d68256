"""The headers of units for the CPU, compiled once for all units that the tests build: a fifth of each one's time."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from irgl.rt.compile import build, toolchain
from irgl.rt.compile.compiling import compile_with

HEADER = "cpu_rt/unit.hpp"


def install() -> None:
    """Lets this process's units find the compiled header before the text of it, where they would get the same."""
    build.compile_with = with_header


def with_header(words: Sequence[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Compiles as irgl does. Units with flags or headers of their own, and other compilers' units, get the text."""
    if list(words[:-3]) != _usual():
        return compile_with(words, text)
    return compile_with([words[0], f"-I{_folder().name}", *words[1:]], text)


@cache
def _usual() -> list[str]:
    """A unit's flags as the tests began; none for another compiler than GCC."""
    words = toolchain.command(32, 32)
    return words if toolchain.is_gcc(toolchain.compiler()) else []


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for -I that has nothing but the compiled header, which lies in the cache of units."""
    flags = [word for word in _usual() if word != "-shared"]
    key = hashlib.sha256("\0".join([toolchain.headers_digest(), toolchain.version(tuple(toolchain.compiler())),
                                    toolchain.cpu(), *flags]).encode()).hexdigest()
    made = build.cached(key, ".o", lambda path: _make(flags, path)).path
    folder = tempfile.TemporaryDirectory(prefix="irgl-tests-")
    link = Path(folder.name) / f"{HEADER}.gch"
    link.parent.mkdir()
    link.symlink_to(made)
    return folder


def _make(flags: Sequence[str], path: Path) -> None:
    done = compile_with([*flags, "-x", "c++-header", str(toolchain.include_dir() / HEADER), "-o", str(path)])
    assert done.returncode == 0, done.stderr
