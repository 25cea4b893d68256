"""The headers of units for the CPU, compiled once for all units that a process builds: a fifth of each one's time."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

from irgl.rt.compile import build, toolchain
from irgl.rt.compile.compiling import compile_with
from irgl.source import IrglError

HEADER = "cpu_rt/unit.hpp"


def install(further: Collection[str]) -> None:
    """From now on this process's units find the compiled header before its text, where that would give the same: by
    GCC, with one of some values of IRGL_CXXFLAGS. Other units get the text."""
    try:
        usual = toolchain.compiler()
        other = not toolchain.is_gcc(usual)
    except IrglError:  # there is no compiler; tests say so where they want one
        return

    def is_known(flags: Sequence[str]) -> bool:
        return (not other and os.environ.get("IRGL_CXXFLAGS", "") in further and toolchain.compiler() == usual
                and [*flags] == toolchain.command(32, 32))

    def compile_unit(words: Sequence[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
        flags = words[:-3]  # before -o OUTPUT SOURCE
        if not is_known(flags):
            return compile_with(words, text)
        return compile_with([words[0], f"-I{folder(tuple(flags)).name}", *words[1:]], text)

    @cache
    def folder(usual: tuple[str, ...]) -> tempfile.TemporaryDirectory[str]:
        """For -I: it has nothing but the compiled header, and goes with the process."""
        made = tempfile.TemporaryDirectory(prefix="irgl-tests-")
        path = Path(made.name) / f"{HEADER}.gch"
        path.parent.mkdir()
        flags = [word for word in usual if word != "-shared"]
        compile_with([*flags, "-x", "c++-header", str(toolchain.include_dir() / HEADER), "-o", str(path)])
        return made

    build.compile_with = compile_unit
