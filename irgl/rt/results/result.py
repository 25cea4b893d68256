"""What a run leaves: scalars and property arrays, their statistics, and the .npz file of them."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.system.whole_file import scratch_for

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Values:
    """One property after a run. `type` as the program names it; node values are dense ids, NONE is -1.

    array: NumPy's, or CuPy's where the program ran on it (irgl/rt/call/on_device.py).
    inf: the value that the program's INF stands for, where the property was declared with it; it is not finite.
    fields: of a struct, (type, name) of each.
    """

    owner: str
    type: str
    array: Any
    inf: float | None
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def node_fields(self) -> tuple[str, ...]:
        """Names of the fields that are nodes."""
        return tuple(name for t, name in self.fields if t == "node")


@dataclass(frozen=True, slots=True)
class Result:
    """scalars: numbers. graphs: by parameter, the graph. properties: by shown name (a property of a further graph h is
    called `h.name`, one of the first just `name`). home: the parameter whose graph each property belongs to. mesh: what
    became of the mesh, where the program was given one."""

    scalars: dict[str, Any]
    properties: dict[str, Values]
    graphs: dict[str, Graph]
    home: dict[str, str]
    mesh: Mesh | None = None

    def array(self, name: str) -> Array:
        """A property as users see it, (n,) or (m,), or (n, K) where nodes have K values each: node values are the ids
        of the file, -1 for NONE.

        KeyError where the program has no such property.
        """
        values = self.properties[name]
        return shown(values, self.graphs[self.home[name]])

    def summary(self) -> dict[str, Any]:
        """Scalars by name, and for each property its statistics, in values that strict JSON can hold."""
        found: dict[str, Any] = {}
        for name, value in self.scalars.items():
            found[name] = _number(value)
        for name, values in self.properties.items():
            key = name if name not in found else f"{self.home[name]}.{name}"
            found[key] = statistics(values, self.graphs[self.home[name]])
        return found

    def save(self, path: str | Path) -> None:
        """Writes an .npz of all properties, the scalars, and `node_ids`. Raises IrglError where it can't."""
        arrays = {name: self.array(name) for name in self.properties}
        for at, (param, graph) in enumerate(self.graphs.items()):
            arrays.setdefault("node_ids" if at == 0 else f"{param}.node_ids", graph.file_ids())
        for name, value in self.scalars.items():
            arrays.setdefault(name, np.array(value))
        with scratch_for(Path(path)) as scratch:
            _write_npz(scratch, arrays)


def make_result(manifest: Manifest, graphs: Mapping[str, Graph], scalars: dict[str, Any],
                arrays: Mapping[tuple[str, str, str], Array], mesh: Mesh | None = None) -> Result:
    """A Result from arrays by (graph parameter, owner, property)."""
    properties: dict[str, Values] = {}
    home: dict[str, str] = {}
    first = manifest.graphs[0].name if manifest.graphs else ""
    for g in manifest.graphs:
        for p in g.properties:
            array = arrays.get((g.name, p.owner, p.name))
            if array is None:
                continue
            name = p.name if g.name == first else f"{g.name}.{p.name}"
            if name in properties:  # a node and an edge property of one name
                name = f"{name} ({p.owner})"
            inf = np.iinfo(array.dtype).max if p.inf and array.dtype.kind in "iu" else None
            properties[name] = Values(p.owner, p.type, array, inf, manifest.structs.get(p.type, ()))
            home[name] = g.name
    return Result(scalars, properties, dict(graphs), home, mesh)


def _write_npz(path: Path, arrays: dict[str, Array]) -> None:
    # As np.savez, whose keyword arguments can't be called `file` or `allow_pickle`; a property can.
    with zipfile.ZipFile(path, "w", allowZip64=True) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def on_host(array: Any) -> Array:
    """An array of NumPy's as it is, one of CuPy's fetched from its device."""
    found: Array = array if isinstance(array, np.ndarray) else array.get()
    return found


def shown(values: Values, graph: Graph) -> Array:
    """The array, in the host's memory, with node values, in fields of structs too, as ids of the file."""
    array = on_host(values.array)
    if values.type == "node":
        return _file_ids(array, graph)
    if not values.node_fields:
        return array
    kinds = [(n, np.dtype(np.int64) if n in values.node_fields else array.dtype[n]) for _, n in values.fields]
    found: Array = np.empty(array.shape, np.dtype(kinds, align=True))
    for name, _ in kinds:
        found[name] = _file_ids(array[name], graph) if name in values.node_fields else array[name]
    return found


def _file_ids(array: Array, graph: Graph) -> Array:
    ids = graph.file_ids()
    if len(ids) == 0:
        return array.astype(np.int64)
    inside = (array >= 0) & (array < len(ids))
    return np.where(inside, ids[np.where(inside, array, 0)], -1)


def statistics(values: Values, graph: Graph) -> dict[str, Any]:
    """dtype, min, max, sum and count over the finite values; sums of integers are exact. A struct: field by field.

    NONE is not finite.
    """
    array, given = shown(values, graph).reshape(-1), on_host(values.array).reshape(-1)
    if array.dtype.names is not None:
        kinds = {name: t for t, name in values.fields}
        fields = {n: _of_type(kinds.get(n, ""), array[n], given[n], None) for n in array.dtype.names}
        return {"dtype": "struct", "fields": fields}
    return _of_type(values.type, array, given, values.inf)


def _of_type(kind: str, array: Array, given: Array, inf: float | None) -> dict[str, Any]:
    return _statistics(array[given >= 0], None) if kind in ("node", "edge") else _statistics(array, inf)


def _statistics(array: Array, inf: float | None) -> dict[str, Any]:
    if array.dtype.kind == "f":
        finite = _where(array, np.isfinite(array))
    else:
        finite = array if inf is None else _where(array, array != array.dtype.type(inf))
    found: dict[str, Any] = {"dtype": str(array.dtype), "min": None, "max": None, "sum": 0, "count": len(finite)}
    if finite.dtype.kind == "f":
        with np.errstate(over="ignore"):
            found["sum"] = _number(float(np.sum(finite, dtype=np.float64)))
    else:
        found["sum"] = exact_sum(finite)
    if len(finite):
        found["min"], found["max"] = _number(finite.min()), _number(finite.max())
    return found


def _where(array: Array, wanted: Array) -> Array:
    """Those elements; without a copy where they are all."""
    return array if bool(wanted.all()) else array[wanted]


def exact_sum(array: Array) -> int:
    """The sum of an array of integers or bools of fewer than 2**31 values, without overflow."""
    if array.dtype.itemsize < 8:
        return int(np.sum(array, dtype=np.int64))
    low = array & array.dtype.type(0xFFFFFFFF)
    return (int(np.sum(array >> array.dtype.type(32), dtype=np.int64)) << 32) + int(np.sum(low, dtype=np.uint64))


def _number(value: Any) -> Any:
    """A NumPy or Python number as JSON can hold it: what is not finite becomes text."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float) and not math.isfinite(plain):
        return "nan" if math.isnan(plain) else "inf" if plain > 0 else "-inf"
    return plain
