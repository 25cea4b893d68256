"""What an input is, as a short text by which results are found again: the content of its graphs, and its values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.meshes.meshes import Mesh


def input_digest(graphs: Mapping[str, Graph], values: Mapping[str, Any], mesh: Mesh | None = None) -> str:
    """`GRAPHS-VALUES`: a digest of the graphs (and mesh) as a program wants them, and one of its bound parameters."""
    told = repr(sorted((name, _text(value)) for name, value in values.items()))
    return f"{graphs_digest(graphs, mesh)}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def _text(value: Any) -> str:
    """A value in words; of an array, what tells it from others."""
    if hasattr(value, "__cuda_array_interface__"):
        value = value.get()
    if not isinstance(value, np.ndarray):
        return str(value)
    digest = hashlib.blake2b(digest_size=16)
    _add(digest, value)
    return digest.hexdigest()


def graphs_digest(graphs: Mapping[str, Graph], mesh: Mesh | None = None) -> str:
    """The first part of input_digest. About a millisecond for a megabyte of graph."""
    digest = hashlib.blake2b(digest_size=16)
    for graph in graphs.values():
        digest.update(f"{graph.directed}".encode())
        for array in (graph.row, graph.dst, graph.weight):
            _add(digest, array)
    for array in () if mesh is None else (mesh.xy, mesh.corners, mesh.ends):
        _add(digest, array)
    return digest.hexdigest()


def _add(digest: Any, array: np.ndarray[Any, Any] | None) -> None:
    if array is None:
        digest.update(b"none")
        return
    digest.update(f"{array.dtype.str} {array.shape}".encode())
    digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
