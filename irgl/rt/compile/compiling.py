"""A run of a C++ compiler: ended with us, and told apart where it is not the text that it can't compile."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from irgl.rt.system.own_place import check_temporary
from irgl.rt.system.refused import MORE_FILES
from irgl.source import IrglError

#: What a compiler says that has no room, no memory, or was killed.
_NO_ROOM = re.compile(r"No space left|quota exceeded|Too many open files|annot allocate memory|memory exhausted"
                      r"|out of memory|signal terminated program|error writing to|Read-only file system"
                      r"|annot create temporary|Resource temporarily unavailable", re.IGNORECASE)

_NEEDED = "irgl needs a C++ compiler that knows C++17 and OpenMP, such as g++; CXX names another"


def compile_with(words: Sequence[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a compiler to its end, with `text` for stdin; whatever ends our wait ends it, too.

    Raises IrglError where it finds no room or no memory for its work, was killed, or wrote nothing and says it is well,
    and where others could change its temporary files.
    """
    check_temporary()
    process = subprocess.Popen(words, stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                               errors="replace", env={**os.environ, "LC_ALL": "C"})
    try:
        out, err = process.communicate(text)
    except BaseException:
        with process:
            process.terminate()  # g++ then takes its temporary files away, as it would not where it is killed
        raise
    if process.returncode != 0:
        why = next((line.strip() for line in err.splitlines() if _NO_ROOM.search(line)), "")
        if process.returncode < 0 and not why:
            why = f"it was ended by signal {-process.returncode}"
        if why:
            room = "it needs memory, and room in TMPDIR (/tmp) and in irgl's cache"
            raise IrglError(f"the C++ compiler can't do its work: {why}",
                            hint=MORE_FILES if "Too many open files" in why else room)
    elif "-o" in words and not _written(Path(words[words.index("-o") + 1])):
        raise IrglError(f"the C++ compiler `{words[0]}` says that all went well, and wrote nothing", hint=_NEEDED)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def _written(output: Path) -> bool:
    return output.is_file() and output.stat().st_size > 0


def refuse_broken(words: Sequence[str]) -> None:
    """Raises IrglError where a compiler fails with next to no text, too: it is too old, or told nonsense."""
    done = compile_with([*words, "-fsyntax-only", "-x", "c++", "-"], "#include <omp.h>\nint irgl_probe;\n")
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if "error" in line] or done.stderr.split("\n")[:1]
        raise IrglError(f"`{words[0]}` can't be used: {lines[0] or 'it fails and gives no reason'}",
                        hint=_NEEDED)
