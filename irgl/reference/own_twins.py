"""Twins of library types of one's own: NAME_reference.py beside the C++, or where that would be, for NAME.hpp."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.own_headers import beside, twin_name
from irgl.frontends.python_files import load_file
from irgl.reference.arithmetic import Fault
from irgl.reference.library import TWINS
from irgl.source import IrglError

#: Makes an object of a library type from what makes a zero of its item type, and what converts to that.
Maker = Callable[[Callable[[], Any], Callable[[Any], Any]], Any]


def maker(library: A.Library, args: tuple[T.Type, ...]) -> Maker:
    """What makes an object of a type with these arguments: its own twin's class, or irgl's.

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
    return lambda *given: _Guarded(path, library, args, _asked(path, made, *given))


def _asked(path: Path, f: Callable[..., Any], *given: Any) -> Any:
    try:
        return f(*given)
    except (Fault, IrglError):
        raise
    except (Exception, SystemExit) as e:
        raise Fault(f"{path} fails: {type(e).__name__}: {e}") from None


class _Guarded:
    """An object of a twin, whose own mistakes are told at the expression that meets them."""

    def __init__(self, path: Path, library: A.Library, args: tuple[T.Type, ...], twin: Any) -> None:
        self._path, self._library, self._twin = path, library, twin
        self._args = dict(zip(library.params, args, strict=False))

    def __getattr__(self, name: str) -> Any:
        if name == "element_place":
            return self._element_place
        feature = next(f for f in self._library.features if getattr(f, "name", None) == name)
        found = _asked(self._path, getattr, self._twin, name)
        match feature:
            case A.Iterator():
                return self._items(name, feature.item, found)
            case A.Attribute():
                return self._checked(name, feature.type, found)
            case A.Method():
                returns = feature.returns
                return lambda *given: self._checked(f"{name}()", returns, _asked(self._path, found, *given))
        raise AssertionError(name)

    def _items(self, name: str, t: T.Type, found: Any) -> list[Any]:
        if callable(found):
            raise Fault(f"{self._path}: `{name}` is a method, and no list (a @property gives one)")
        return [self._checked(name, t, item) for item in _asked(self._path, list, found)]

    def _checked(self, what: str, t: T.Type, found: Any) -> Any:
        """What was given for a type, if that is a number there should be: else whatever it is."""
        t = self._args.get(t.name, t) if isinstance(t, T.Named) else t
        if T.is_scalar(t) and not isinstance(t, T.NodeT | T.EdgeT):
            if not isinstance(found, int | float | np.number | np.bool_):
                raise Fault(f"{self._path}: `{what}` gives {found!r}, and is to give {T.bare(t)}")
            return found.item() if isinstance(found, np.generic) else found
        return found

    def _element_place(self, index: Any) -> tuple[Any, int]:
        found = _asked(self._path, getattr(self._twin, "element_place", None) or _no_elements, index)
        if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], list)
                and isinstance(found[1], int) and 0 <= found[1] < len(found[0])):
            raise Fault(f"{self._path}: `element_place({index})` gives no list and a place in it, but {found!r}")
        return found[0], found[1]


def _no_elements(index: Any) -> Any:
    raise Fault(f"the twin has no element_place, which is to tell where element {index} is")
