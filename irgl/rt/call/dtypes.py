"""How the language's types lie in memory, as NumPy dtypes: the same layout as C++'s."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

_PLAIN = {
    "bool": "bool",
    "int": "int32",
    "long": "int64",
    "int8": "int8",
    "int16": "int16",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
    "float": "float32",
    "double": "float64",
}
Structs = Mapping[str, tuple[tuple[str, str], ...]]


def dtype_of(type_name: str, structs: Structs, node_bits: int, edge_bits: int) -> np.dtype[Any]:
    """The dtype of a scalar, node, edge or struct; a node or edge is a dense id, -1 for NONE."""
    if type_name in structs:
        fields = [(name, dtype_of(t, structs, node_bits, edge_bits)) for t, name in structs[type_name]]
        return np.dtype(fields, align=True)
    if type_name in ("node", "edge"):
        return np.dtype(f"int{node_bits if type_name == 'node' else edge_bits}")
    return np.dtype(_PLAIN[type_name])


def limits(type_name: str) -> tuple[int, int] | None:
    """The least and the largest value of an integer type; None for any other."""
    name = _PLAIN.get(type_name, "")
    if not name.startswith(("int", "uint")):
        return None
    info = np.iinfo(name)
    return int(info.min), int(info.max)
