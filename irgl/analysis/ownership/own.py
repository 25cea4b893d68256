"""Objects of libraries that an iteration has for its own: declared in its ForAll, known to nobody else."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import IrglError


def is_own(checked: Checked, e: A.Node) -> bool:
    """Is `e` the name of such an object?"""
    symbol = checked.symbols.get(e) if isinstance(e, A.Name | A.VarDecl) else None
    return (symbol is not None and symbol.kind == "local" and symbol.depth >= 1
            and isinstance(symbol.type, T.Named) and symbol.type.name in checked.libraries)


def own_types(checked: Checked) -> set[T.Named]:
    """The types of the iterations' own objects."""
    return {t for _, t in _declared(checked)}


def refuse_on_device(checked: Checked) -> None:
    """Raises IrglError for an object that no thread of a device can have for itself."""
    for n, t in _declared(checked):
        if not any(isinstance(f, A.Own) for f in checked.libraries[t.name].features):
            raise IrglError(f"{M.a(t.name)} of an iteration's own does not run on a device", n.span,
                            "declare it in the Program and pass it to the kernel, or use --target cpu")


def _declared(checked: Checked) -> Iterator[tuple[A.VarDecl, T.Named]]:
    for k in checked.kernels.values():
        for n in walk(k):
            if isinstance(n, A.VarDecl) and is_own(checked, n):
                t = checked.symbols[n].type
                assert isinstance(t, T.Named)
                yield n, t
