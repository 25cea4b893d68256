"""The library of arrays, for passes that keep something for each node."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.ast import nodes as A
from irgl.frontends.imports import LIBRARY
from irgl.frontends.text.load import load_text


def with_arrays(decls: Iterable[A.Decl]) -> list[A.Decl]:
    """Declarations that know irgl/lib/array.irgl; the same where they do already."""
    decls = list(decls)
    if any(isinstance(d, A.Library) and d.name == "array" for d in decls):
        return decls
    file = LIBRARY / "array.irgl"
    return [*load_text(file.read_text(encoding="utf-8"), str(file)).decls, *decls]
