"""What a function that a .gt file exports is given: graphs, and vertexsets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from irgl.frontends.gt.exports.interface import Argument
from irgl.rt.graphs.in_memory import InMemory, as_graph
from irgl.source import IrglError


def graph_given(a: Argument, value: Any, weight: str | None) -> InMemory:
    """A graph that is given; what is wrong with it is told with the parameter's name."""
    try:
        if isinstance(value, str | Path) and weight is None:
            return graph_loaded(str(value))
        return as_graph(value, weight=weight)
    except IrglError as e:
        if e.file is not None or e.span is not None:
            raise
        raise IrglError(f"`{a.function}`: {e.message}", hint=e.hint) from None


def members(a: Argument, value: Any) -> Any:
    """A vertexset that is given, as a bool of each vertex: by its members, or these bools themselves."""
    if getattr(value, "dtype", None) == np.dtype(bool):
        return value
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise IrglError(f"`{a.function}` takes vertices, and {type(value).__name__} is given",
                        hint="give a list of them")
    try:
        return dict.fromkeys(value.tolist() if hasattr(value, "tolist") else value, True)
    except TypeError as e:
        raise IrglError(f"`{a.function}` takes vertices: {e}", hint="give a list of their numbers or names") from None


def graph_loaded(path: str) -> InMemory:
    """The graph of a file, whose vertices are numbered from 0 as the file does, gaps included."""
    from irgl.rt.graphs.load import load  # graphs in memory need none of the readers

    return InMemory(replace(load(path, compact=False), id_base=0))
