"""Inputs from files: .npy and .npz, told by their content, and text of one, two or three columns."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.inputs.items import ByEnds, ByNode
from irgl.rt.inputs.values import dense, told
from irgl.rt.manifests.manifest import Property
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
_WORDS = {"true": 1, "false": 0}


def read_input(path: str, p: Property, graph: Graph) -> Array | ByNode | ByEnds:
    """The values that a file has for an input.

    An .npz has them under the input's name, or has one array. Text has one value on a line, in the order of nodes or
    edges; or a node's id and its value; or an edge's source, target and value. Its first line may name the columns, `#`
    begins a comment. Where each node has several values, these stand on its line. Raises IrglError for a file that
    can't be read, and for ids that the graph lacks.
    """
    text = _read(path, p.name)
    if not isinstance(text, str):
        return text
    rows = _rows(text, path, p)
    ids = (len(rows[0]) if rows else 0) - max(1, p.length)  # in front of the values
    values = _array([v for row in rows for v in row[max(0, ids) :]]).reshape(p.shape(len(rows)))
    if ids <= 0:
        return values
    nodes = [_known(_array([row[k] for row in rows]), graph, path, p) for k in range(ids)]
    return ByNode(nodes[0], values) if p.owner == "node" else ByEnds(nodes[0], nodes[1], values)


def read_list(path: str, name: str) -> Array:
    """The items of a list or an array from a file: an .npy; an .npz as for inputs; or text of numbers, any on a line.

    Its first line may name them. Raises IrglError for a file that can't be read.
    """
    text = _read(path, name)
    if not isinstance(text, str):
        return text
    found: list[int | float] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        values = [v for v in map(_number, words) if v is not None]
        if len(values) < len(words) and (found or values):
            raise IrglError(f"`{' '.join(words)}`: numbers alone can stand here", file=f"{path}:{number}")
        found += values
    return _array(found)


def _read(path: str, name: str) -> Array | str:
    """The array in a file, or its text."""
    try:
        with Path(path).open("rb") as f:
            begin = f.read(6)
        if begin == b"\x93NUMPY" or begin.startswith(b"PK"):
            return _numpy(path, name)
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as e:
        raise IrglError(f"`{name}` can't be read: {e.strerror}", file=path) from None
    except UnicodeDecodeError:
        raise IrglError(f"`{name}` is in a file that is neither .npy, .npz nor text", file=path) from None
    except (ValueError, EOFError, zipfile.BadZipFile) as e:
        raise IrglError(f"`{name}` can't be read: {e}", file=path) from None


def _numpy(path: str, name: str) -> Array:
    loaded = np.load(path, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return loaded
    with loaded:
        key = name if name in loaded.files else loaded.files[0] if len(loaded.files) == 1 else None
        if key is None:
            raise IrglError(f"the file has no array `{name}`: it has {told(loaded.files)}", file=path,
                            hint=f"save it under that name: np.savez(file, {name}=array)")
        found: Array = loaded[key]
        return found


def _rows(text: str, path: str, p: Property) -> list[list[int | float]]:
    """The numbers of each line: values, or ids and values."""
    least = max(1, p.length)
    most = least + (1 if p.owner == "node" else 2)
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if words:
            rows.append((number, words))
    if rows and _number(rows[0][1][-1]) is None:
        del rows[0]  # what names the columns
    width = len(rows[0][1]) if rows else least
    if width not in (least, most):
        values = "one value" if least == 1 else f"{least} values"
        ids = "src,dst,value" if p.owner == "edge" else "id,value" if least == 1 else "an id and these"
        raise IrglError(f"a line of {width} column{'s' * (width > 1)}: `{p.name}` takes {values} a line, or {ids}",
                        file=f"{path}:{rows[0][0]}")
    table: list[list[int | float]] = []
    for number, words in rows:
        found = [v for v in map(_number, words) if v is not None]
        if len(words) != width or len(found) != width:
            raise IrglError(f"`{' '.join(words)}`: a line of {width} number{'s' * (width > 1)} stands here",
                            file=f"{path}:{number}")
        table.append(found)
    return table


def _number(word: str) -> int | float | None:
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    for kind in (int, float):
        try:
            return kind(word) if len(word) < 400 else None
        except ValueError:
            continue
    return None


def _array(values: list[int | float]) -> Array:
    if all(isinstance(v, int) for v in values):
        small = all(-(2**63) <= v < 2**63 for v in values)
        if small or all(0 <= v < 2**64 for v in values):
            return np.array(values, np.int64 if small else np.uint64)
    return np.array(values, np.float64)


def _known(ids: Array, graph: Graph, path: str, p: Property) -> Array:
    found = dense(graph, ids) if ids.dtype.kind == "i" else np.full(len(ids), -1)
    lacking = ids[found < 0]
    if len(lacking):
        raise IrglError(f"`{p.name}` has values for nodes that the graph lacks: {told(lacking.tolist())}", file=path,
                        hint=f"the graph: {graph.range_text()}")
    return found
