"""Lists of nodes and arrays of numbers that a program takes as parameters: of any length, in the caller's order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.in_memory import InMemory
from irgl.rt.inputs.files import read_list
from irgl.rt.inputs.named import Names
from irgl.rt.inputs.values import dense, told, typed
from irgl.rt.manifests.manifest import Param, Property
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
#: Numbers that stand for themselves on a command line: anything else is a file's name.
_NUMBERS = re.compile(r"[\s,]*([-+]?(\d[\d.]*([eE][-+]?\d+)?|\.\d+|inf|nan|INF|true|false)([\s,]+|$))*")


def bound_list(p: Param, given: Any, graphs: Mapping[str, Graph]) -> Array:
    """The items of a parameter that is a list or an array: (k,), nodes as dense ids, numbers of the declared type.

    given: such an array, a list, tuple, set or range; a Path; or a text: numbers with commas between, or a file's name.
    A node is the file's id. An array of the right type is the result itself. Raises IrglError for what is no row of
    numbers, for a number that doesn't fit, a node that the graph lacks, and a node twice in a `unique` list.
    """
    array = _array(p, given)
    if p.shape:
        array = _of_shape(p, array, isinstance(given, str | Path))
    elif array.ndim != 1:
        raise IrglError(f"`{p.name}` has the shape {array.shape}: {_taken(p)}, a row of any length: (k,)",
                        hint="give a list, or an array of one dimension")
    if not len(array):
        return np.empty(0, np.int64) if p.item == "node" else typed(_values(p), np.empty(0, np.int64), _some(graphs))
    return _nodes(p, array, graphs[p.graph]) if p.item == "node" else _plain(typed(_values(p), array, _some(graphs)))


def _of_shape(p: Param, array: Array, written: bool) -> Array:
    """The values of a vector, or of rows behind each other; written: as text, whose lines say nothing of rows."""
    if array.shape != p.shape and not (written and array.shape == (math.prod(p.shape),)):
        raise IrglError(f"`{p.name}` has the shape {array.shape}: the program takes {p.shape}",
                        hint="give an array of that shape; where constants say it, program.irgl:K=16 compiles another")
    return np.ascontiguousarray(array).reshape(-1)


def by_name(p: Param, given: Any, graph: Graph, memory: InMemory | None) -> Any:
    """What `bound_list` takes, of nodes that the user calls by the names of a graph in memory. Raises IrglError."""
    if p.item != "node" or memory is None or memory.labels is None:
        return given
    if isinstance(given, str) or not _is_row(given):
        raise _no_row(p, given)
    items = list(given) if isinstance(given, list | tuple | Set | range) else _plain(given).tolist()
    found, lacking = Names(_values(p), graph, memory).found(items)
    if lacking:
        raise IrglError(f"`{p.name}` holds nodes that the graph lacks: {told([repr(n) for n in lacking])}",
                        hint="leave them out, or add the nodes: nodes go by their names in the graph")
    _refuse_twice(p, found, lambda n: repr(memory.labels[n]) if memory.labels is not None else n)
    return found


def _array(p: Param, given: Any) -> Array:
    if isinstance(given, Path):
        return read_list(str(given), p.name)
    if isinstance(given, str):
        text = given.strip()
        return read_list(text, p.name) if not _NUMBERS.fullmatch(text) else _of_text(p, text)
    if not _is_row(given):
        raise _no_row(p, given)
    try:
        return np.asarray(list(given)) if isinstance(given, Set | range) else _plain(given)
    except ValueError:  # rows of different lengths
        if p.shape:
            raise IrglError(f"`{p.name}` has rows of different lengths: the program takes {p.shape}",
                            hint="give an array of that shape") from None
        raise IrglError(f"`{p.name}` is a list of lists: {_taken(p)}", hint="give a row of numbers") from None


def _of_text(p: Param, text: str) -> Array:
    words = text.replace(",", " ").split()
    try:
        return np.array([int(w) for w in words] if p.item == "node" else [_number(w) for w in words])
    except (ValueError, OverflowError):
        raise IrglError(f"`{p.name}` is given `{text}`: {_taken(p)}",
                        hint="write 1,5,9, or the name of a file") from None


def _number(word: str) -> int | float | bool:
    if word in ("true", "false"):
        return word == "true"
    return int(word) if re.fullmatch(r"[-+]?\d+", word) else float(word)


def _is_row(given: Any) -> bool:
    return (isinstance(given, list | tuple | Set | range) or hasattr(given, "__cuda_array_interface__")
            or (hasattr(given, "__array__") and getattr(given, "ndim", 1) > 0))


def _no_row(p: Param, given: Any) -> IrglError:
    if p.shape:
        return IrglError(f"`{p.name}` is given {given!r}: it takes {p.item} values of the shape {p.shape}",
                         hint=f"give {p.name}=np.full({p.shape}, ...)")
    return IrglError(f"`{p.name}` is given {given!r}: {_taken(p)}",
                     hint=f"give {p.name}=[...]" + (", of nodes" if p.item == "node" else ""))


def _plain(array: Any) -> Array:
    """An array of NumPy's: of CuPy's it is fetched."""
    return array.get() if hasattr(array, "__cuda_array_interface__") else np.asarray(array)


def _taken(p: Param) -> str:
    return f"it takes {'nodes' if p.item == 'node' else f'{p.item} values'}"


def _values(p: Param) -> Property:
    """The items as those of an input."""
    return Property("node", p.item, p.name, weights=False, inf=False, given=True)


def _some(graphs: Mapping[str, Graph]) -> Any:
    return next(iter(graphs.values()), None)


def _nodes(p: Param, array: Array, graph: Graph) -> Array:
    kind = array.dtype.kind
    if kind not in "iuf" or (kind == "f" and not np.array_equal(array, np.floor(array))):
        hint = "of a mask: np.flatnonzero(mask)" if kind == "b" else "give whole numbers: the ids of the file"
        wrong = f"{array[array != np.floor(array)][:3].tolist()}" if kind == "f" else f"{array.dtype} values"
        raise IrglError(f"`{p.name}` takes nodes, and is given {wrong}", hint=hint)
    fits = (array >= -(2**63)) & (array < 2**63)
    found = np.where(fits, dense(graph, np.where(fits, array, 0).astype(np.int64)), -1)
    lacking = array[found < 0]
    if len(lacking):
        raise IrglError(f"`{p.name}` holds nodes that the graph lacks: {told(lacking.tolist())}",
                        hint=f"the graph: {graph.range_text()}")
    _refuse_twice(p, found, graph.file_id)
    return found


def _refuse_twice(p: Param, found: Array, name: Callable[[int], Any]) -> None:
    """Raises IrglError for a node that comes twice where none may."""
    numbers, count = np.unique(found, return_counts=True)
    twice = numbers[count > 1].tolist() if p.unique else []
    if twice:
        raise IrglError(f"`{p.name}` is declared unique, and holds more than once: {told([name(n) for n in twice])}",
                        hint="give each node once, or declare it as list<node>")
