"""irgl: graph programs written in IrGL, compiled to parallel code.

    search = irgl.compile("program.irgl")       # or a function with @irgl.program
    found = search(scipy_matrix, src=0)         # or a NetworkX graph, arrays, a table, a file
    found.level                                  # a NumPy array

irgl.programs has the programs that come with irgl, as functions; `dir(irgl.programs)` lists them.
The words of programs in Python (irgl.kernel, irgl.node, irgl.pipe, ...) are in docs/python.md.
Everything is imported when it is first used, so that `import irgl` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irgl import programs
    from irgl.api import as_graph, compile, load_graph, run
    from irgl.source import IrglError

__version__ = "0.1.0"
__all__ = ["IrglError", "__version__", "as_graph", "compile", "load_graph", "programs", "run"]

_HOME = {
    "IrglError": "irgl.source",
    **dict.fromkeys(("as_graph", "compile", "load_graph", "run"), "irgl.api"),
    # `%load_ext irgl` asks for these.
    **dict.fromkeys(("load_ipython_extension", "unload_ipython_extension"), "irgl.notebook.magic"),
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name == "programs":
        return importlib.import_module("irgl.programs")
    notation = importlib.import_module("irgl.notation")
    if name not in notation.WORDS:
        raise AttributeError(f"module 'irgl' has no attribute '{name}'")
    globals()[name] = notation.word(name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *importlib.import_module("irgl.notation").WORDS})
