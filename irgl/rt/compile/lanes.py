"""How many rows a loop takes at once where a plan leaves that to the machine: measured once, and kept.

Processors differ in what gather instructions cost, by a factor of five.
"""

from __future__ import annotations

import hashlib
from functools import cache

from irgl.rt.compile.build import cached, known
from irgl.rt.compile.native import function
from irgl.rt.compile.toolchain import compiler, cpu, headers_digest, version
from irgl.rt.system.own_files import write_text
from irgl.rt.system.seal import unsealed

_SUFFIX, _WIDTHS = ".lanes", ("1", "4", "8", "16")


@cache
def lanes_here() -> int:
    """4, 8 or 16; 1 where rows are best taken one by one. Raises IrglError where there is no C++ compiler."""
    key = hashlib.sha256("\0".join(("lanes", headers_digest(), version(tuple(compiler())), cpu())).encode()).hexdigest()
    path = known(key, _SUFFIX)
    if path is None:
        measured = function("cpu_rt/measure_lanes.hpp", "irgl_best_lanes", 32, 32)()
        path = cached(key, _SUFFIX, lambda output: write_text(output, str(measured))).path
    sealed = unsealed(path)
    text = "" if sealed is None else sealed.tobytes().decode("ascii", errors="replace")
    return int(text) if text in _WIDTHS else 1
