"""Is the C++ there that a program's library types name?"""

from __future__ import annotations

from irgl.analysis.symbols import Checked
from irgl.rt import emulate
from irgl.rt.toolchain import headers
from irgl.source import IrglError


def check_headers(checked: Checked, target: str) -> None:
    """Raises IrglError for a library type whose header is not among irgl's, for `cpu`, or for `cuda` and `simt`."""
    for library in checked.libraries.values():
        path = headers() / library.header if target == "cpu" else (
            emulate.folder() / library.header.replace(".hpp", ".cuh"))
        if not path.is_file():
            raise IrglError(f"there is no {path.parent.name}/{path.name}, which is to implement {library.name}",
                            library.span, hint=f"write it, in {path.parent}; docs/language.md says what it holds")
