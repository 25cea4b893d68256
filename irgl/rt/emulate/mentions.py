"""Which units may be other texts for the device than for the host: those that read a file with `__CUDA_ARCH__`."""

from __future__ import annotations

import re
from pathlib import Path

MACRO = "__CUDA_ARCH__"
_BEGUN = re.compile(r'^# 1 "((?:[^"\\\n]|\\.)*)" 1( 3)?', re.MULTILINE)


def asks_for_side(preprocessed: str, source: Path, headers: Path) -> bool:
    """Has the preprocessor read the macro's name, other than in irgl's headers? All but nv/target mean the emulator.

    headers: the folder in which cuda_rt and cpu_rt are.
    """
    own = (f"{headers}/cuda_rt/", f"{headers}/cpu_rt/")
    read = {m[1] for m in _BEGUN.finditer(preprocessed)} | {str(source)}
    return any(_mentions(path) for path in read if not path.startswith(own) or path.endswith("/include/nv/target"))


def _mentions(path: str) -> bool:
    try:
        return MACRO.encode() in Path(path).read_bytes()
    except OSError:  # a name that #line gave
        return False
