"""Twins of library types of one's own: NAME_reference.py beside the source that declares the type, for NAME.hpp."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from irgl.ast import nodes as A
from irgl.frontends.own_headers import beside, twin_name
from irgl.frontends.python_files import load_file
from irgl.reference.arithmetic import Fault
from irgl.reference.library import TWINS
from irgl.source import IrglError


def maker(library: A.Library) -> Callable[..., Any]:
    """What makes an object of a type: its own twin's class, or irgl's.

    Raises Fault where there is neither, IrglError where the own file has no such class or can't be run.
    """
    name = twin_name(library.header)
    path = None if library.span is None else beside(name, library.span.source.path)
    if path is None:
        if library.name in TWINS:
            return TWINS[library.name]
        raise Fault(f"the reference interpreter can't run library type {library.name}: there is no {name} beside its "
                    "declaration (docs/libraries.md)")
    made = getattr(load_file(path, "library's twin"), library.name, None)
    if not callable(made):
        raise IrglError(f"there is no class {library.name} here", file=str(path),
                        hint="docs/libraries.md says what it has")
    return lambda *given: _Guarded(path, _asked(path, made, *given))


def _asked(path: Path, f: Callable[..., Any], *given: Any) -> Any:
    try:
        return f(*given)
    except (Fault, IrglError):
        raise
    except Exception as e:
        raise Fault(f"{path} fails: {type(e).__name__}: {e}") from None


class _Guarded:
    """An object of a twin, whose own mistakes are told at the expression that meets them."""

    def __init__(self, path: Path, twin: Any) -> None:
        self._path, self._twin = path, twin

    def __getattr__(self, name: str) -> Any:
        found = _asked(self._path, getattr, self._twin, name)
        return (lambda *given: _asked(self._path, found, *given)) if callable(found) else found
