"""Forms by their names. Names are known without loading a form, which loads NumPy."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from irgl import forms

if TYPE_CHECKING:
    from irgl.forms.form import Form

#: Files of this room that are no forms.
_OTHERS = ("__init__", "form", "find", "cut", "coded", "segments")

#: Where the headers of irgl's own forms stand, in a checkout and installed.
_ROOT = Path(forms.__file__).resolve().parents[2]
_BESIDE = {suffix: tuple(_ROOT / folder / "forms" for folder in (f"{where}_rt", f"irgl_{where}_rt"))
           for suffix, where in (("hpp", "cpu"), ("cuh", "cuda"))}


@cache
def names() -> tuple[str, ...]:
    """The names of all forms but rows, in alphabetical order."""
    found = {p.stem for folder in forms.__path__ for p in Path(folder).glob("*.py") if not p.stem.startswith("make_")}
    return tuple(sorted(found.difference(_OTHERS)))


@cache
def names_of(kind: str) -> tuple[str, ...]:
    """Those of one kind, which their files say in so many words."""
    said = re.compile(rf'^FORM = Form\(\s*"\w+", "{kind}"', re.MULTILINE)
    texts = {p.stem: p for folder in forms.__path__ for p in Path(folder).glob("*.py")}
    return tuple(name for name in names() if said.search(texts[name].read_text(encoding="utf-8")))


@cache
def form(name: str) -> Form:
    """The form of that name. Raises ModuleNotFoundError where there is none."""
    found: Form = importlib.import_module(f"irgl.forms.{name}").FORM
    return found


@cache
def has_header(name: str, suffix: str) -> bool:
    """Can generated code of that target ask for the form's edges?"""
    return _file(name, suffix) is not None


@cache
def header(name: str, suffix: str) -> str:
    """The line of C++ that brings a form's header: `suffix` is hpp or cuh. One from outside of irgl stands there
    whole."""
    beside = next((p for folder in forms.__path__ if (p := Path(folder) / f"{name}.{suffix}").is_file()), None)
    if beside is not None:
        return beside.read_text(encoding="utf-8").replace("#pragma once\n", "")
    return f'#include "{"cpu" if suffix == "hpp" else "cuda"}_rt/forms/{name}.{suffix}"'


@cache
def shares_parts(name: str) -> bool:
    """Do all threads of a block share the edges of a part, as the form's header for CUDA says (cuda_rt/swept.cuh)?"""
    file = _file(name, "cuh")
    return file is not None and "shared = true" in file.read_text(encoding="utf-8")


def _file(name: str, suffix: str) -> Path | None:
    """A form's header, beside its Python or among irgl's own."""
    folders = (*map(Path, forms.__path__), *_BESIDE[suffix])
    return next((file for folder in folders if (file := folder / f"{name}.{suffix}").is_file()), None)
