"""Is the C++ there that a program's library types name?"""

from __future__ import annotations

from pathlib import Path

from irgl.analysis.names.symbols import Checked
from irgl.frontends.own_headers import file_name, find
from irgl.rt.compile.toolchain import headers
from irgl.rt.emulate import emulate
from irgl.source import IrglError


def check_headers(checked: Checked, target: str) -> None:
    """Raises IrglError for a library type whose C++, for `cpu`, or for `cuda` and `simt`, is nowhere: neither
    beside the source that declares it nor among irgl's."""
    on_gpu = target != "cpu"
    for library in checked.libraries.values():
        name = file_name(library.header, on_gpu)
        if not library.header.endswith(".hpp"):
            raise IrglError(f"the C++ of {library.name} is \"{name}\", which does not end in .hpp", library.span,
                            hint="call it NAME.hpp, and for GPUs NAME.cuh")
        if find(library, on_gpu) is None and not ((emulate.folder() if on_gpu else headers()) / name).is_file():
            declared = "here" if library.span is None else f"beside {Path(library.span.source.path).name}"
            raise IrglError(f"there is no {name}, which is to implement {library.name}{' on a GPU' if on_gpu else ''}",
                            library.span, hint=f"write it, {declared}; docs/libraries.md says what it holds")
