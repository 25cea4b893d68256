"""Edges as arrays, rows or columns of a table: the ends and weights that they hold, as NumPy arrays."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set, ValuesView
from difflib import get_close_matches
from typing import Any

import numpy as np

from irgl.source import IrglError

Array = np.ndarray[Any, Any]
#: Sources, targets, and weights where there are any.
Columns = tuple[Array, Array, Array | None]
#: Columns of tables that hold a graph, by the names that are looked for.
SOURCES, TARGETS, WEIGHTS = ("source", "src", "from", "u"), ("target", "dst", "to", "v"), ("weight", "w", "value")
HINT = ("give a sparse matrix, a NetworkX graph, a tuple of arrays (source, target) or (source, target, "
        "weight), a list of edges, a table with such columns, or the name of a file or generator")  # fmt: skip


def library(given: Any) -> str:
    """The library that the class of `given` comes from; '' for Python's own."""
    return next((base.__module__.split(".")[0] for base in type(given).__mro__ if "." in base.__module__), "")


def host(values: Any) -> Array:
    """An array, column or list as a NumPy array: without a copy where its memory can be shared."""
    if library(values) == "cupy":
        values = values.get()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    if isinstance(values, list | tuple | Iterator | ValuesView):
        return _list(list(values))
    found = np.asarray(_bare(values))
    if found.ndim == 0:
        raise IrglError(f"{kind_of(values)} is no array", hint=HINT)
    return found


def _bare(values: Any) -> Any:
    """`values`, which are refused where they are an array of NumPy's that hides some of them."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise IrglError("the array hides some of its values behind a mask", hint="leave out such edges")
    return values


def kind_of(given: Any) -> str:
    """What `given` is, for a message: a module.Class."""
    return f"a {type(given).__module__}.{type(given).__qualname__}"


def listed(given: Any) -> list[Any] | None:
    """Edges that come one by one (of a generator, a set, ...), once and for all; None for what holds none that way."""
    if not isinstance(given, Iterator | Set | Sequence) or isinstance(given, str | bytes | bytearray | tuple):
        return None
    found = list(given)
    if not found and isinstance(given, Iterator):
        raise IrglError(f"the {type(given).__qualname__} gives no edge",
                        hint="it gives them once: for a second time, and for none, give a list")
    return found


def _list(values: list[Any]) -> Array:
    """Numbers or texts as an array of them; names of several kinds stay the objects that they are."""
    if any(all(isinstance(v, kind) for v in values) for kind in (str, int | float | np.number | np.bool_)):
        return np.asarray(values)
    return np.fromiter(values, object, len(values))


def rows(given: Any) -> Columns:
    """Edges one by one: rows of two ends, or of two ends and a weight."""
    if isinstance(given, list):
        widths = {len(row) if isinstance(row, list | tuple | np.ndarray) else 0 for row in given} or {2}
    else:
        given = np.asarray(_bare(given))  # a matrix stays one however it is sliced
        widths = {given.shape[1]}
        size = len(given)
        if widths == {size} <= {2, 3} and given.dtype.kind in "fb":
            raise IrglError(f"a {size} x {size} array of {given.dtype} may be a matrix of all pairs of nodes, or a "
                            f"list of {size} edges",
                            hint="give a matrix as scipy.sparse.csr_array(array), edges as their columns: "
                                 f"(array[:, 0].astype(int), array[:, 1].astype(int){', array[:, 2]' * (size - 2)})")
    if widths not in ({2}, {3}):
        all_pairs = "give a matrix of all pairs of nodes as scipy.sparse.csr_array(matrix)"
        raise IrglError("an edge is two nodes, or two nodes and a weight",
                        hint=all_pairs if widths == {len(given)} else HINT)
    places = range(widths.pop())
    if isinstance(given, list):
        found = [_list([row[k] for row in given]) for k in places]
    else:
        found = [given[:, k] for k in places]
        if given.dtype.kind == "f":  # for the sake of its weights: its ends are numbers
            found[:2] = [ends.astype(np.int64) if (ends == np.floor(ends)).all() else ends for ends in found[:2]]
    return found[0], found[1], found[2] if len(found) == 3 else None


def names_of(given: Any) -> list[Hashable] | None:
    """The names of a table's columns (pandas, Polars, Arrow, a dict of arrays); None for what is no table."""
    if isinstance(given, Mapping):
        return list(given) if all(isinstance(name, str) for name in given) else None
    names = getattr(given, "column_names", None)
    names = getattr(given, "columns", None) if names is None else names
    return None if names is None or not hasattr(given, "__getitem__") else list(names)


def table(given: Any, names: list[Hashable], weight: Any) -> Columns:
    """The columns of a table that hold its edges, by their names; of one that has none of these by their places.

    A dict whose columns are called otherwise may be lists of neighbours, and a frame whose rows are called as its
    columns a matrix: these have no places.
    """
    if weight is not None and weight not in names:
        raise IrglError(f"the table has no column '{weight}'", hint=_columns(names))
    rows_named = list(getattr(given, "index", ())) if library(given) == "pandas" else []
    src, dst, of = _chosen(names, weight, by_place=not isinstance(given, Mapping) and rows_named != names)

    def column(name: Hashable) -> Array:
        try:
            return host(given[name])
        except (KeyError, TypeError) as e:
            raise IrglError(f"the table does not give its column '{name}': {type(e).__name__}",
                            hint="give a table that is in memory, with one column of that name") from None

    return column(src), column(dst), None if of is None else column(of)


def _chosen(names: list[Hashable], weight: Any, *, by_place: bool) -> tuple[Hashable, Hashable, Hashable | None]:
    def called(words: tuple[str, ...]) -> Hashable | None:
        return next((n for n in names if n != weight and isinstance(n, str) and n.lower() in words), None)

    src, dst, of = called(SOURCES), called(TARGETS), called(WEIGHTS) if weight is None else weight
    rest = [n for n in names if n not in (src, dst, of)]
    if of is None and (misspelt := next((n for n in rest if _misspelt(n)), None)) is not None:
        raise IrglError(f"the table has a column '{misspelt}' and none of weights: did you mean '{WEIGHTS[0]}'?",
                        hint=f"say weight={misspelt!r}, or call it {WEIGHTS[0]}; leave it out if it holds no weights")
    if src is None and dst is None and by_place:
        if len(rest) == 1 and weight is None and of is not None:  # two columns, one of them called like weights
            rest, of = names, None
        if len(rest) == 2 or (len(rest) == 3 and of is None):
            return rest[0], rest[1], rest[2] if len(rest) == 3 else of
    elif (src is None) != (dst is None) and len(rest) == 1:
        src, dst = rest[0] if src is None else src, rest[0] if dst is None else dst
    if src is None or dst is None:
        raise IrglError("a table of edges has a column for each end",
                        hint=f"call them source and target; {_columns(names)}")
    return src, dst, of


def _misspelt(name: Hashable) -> bool:
    """Is a column called nearly as weights are: with a letter more or less, or two that changed places?"""
    word = name.lower() if isinstance(name, str) else ""
    return word[:1] == WEIGHTS[0][0] and bool(get_close_matches(word, WEIGHTS[:1], cutoff=0.8))


def _columns(names: list[Hashable]) -> str:
    return f"its columns: {', '.join(map(str, names))}"


def numbered(src: Array, dst: Array) -> tuple[list[Hashable], Array]:
    """Names of ends: each once, ascending (in the order of the edges, where they have no order), and by edge its place
    among them: of all sources, then of all targets. Raises IrglError where an end is missing or can't be a name."""
    for ends, which in ((src, "source"), (dst, "target")):
        missing = np.flatnonzero(_missing(ends))
        if len(missing):
            raise IrglError(f"edge {int(missing[0])} has no {which}", hint="leave out such rows")
    plain = src.dtype.kind == dst.dtype.kind or {src.dtype.kind, dst.dtype.kind} <= set("biuf")
    both = np.concatenate([src, dst] if plain else [src.astype(object), dst.astype(object)])
    if both.dtype.kind != "O":
        names, places = np.unique(both, return_inverse=True)
        return names.tolist(), places
    try:
        found = dict.fromkeys(both.tolist())
    except TypeError as e:
        raise IrglError(f"a node's name can't be that: {e}") from None
    with contextlib.suppress(TypeError):
        found = dict.fromkeys(sorted(found))
    places_of = {name: at for at, name in enumerate(found)}
    return list(found), np.fromiter((places_of[name] for name in both.tolist()), np.int64, len(both))


def _missing(values: Array) -> Array:
    """Which values are None, NaN, or a library's word for a missing one."""
    match values.dtype.kind:
        case "f":
            return np.isnan(values)
        case "M" | "m":
            return np.isnat(values)
        case "O":
            absent = (v is None or type(v).__name__ in ("NAType", "NaTType") or (isinstance(v, float) and v != v)
                      for v in values.tolist())
            return np.fromiter(absent, np.bool_, len(values))
        case _:
            return np.zeros(len(values), np.bool_)
