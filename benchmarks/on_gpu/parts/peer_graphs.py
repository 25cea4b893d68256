"""Graphs as files that programs of others read: plain arrays, one behind the other, of 32 bits unless said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.prepare import Requirements, prepare

#: By the name of a form, how the files are called.
FORMS = {"egr": "egr", "graphit": "graphit_bin", "graphit-weighted": "graphit_bin",
         "gunrock": "csr", "gunrock-unit": "csr"}
_Arrays = Iterator[NDArray[Any]]


def write(graph: Graph, form: str, file: Path) -> None:
    """Writes a graph with whole weights; those of `graphit` take a byte an arc, and nobody reads them.

    graphit: nodes, arcs, source and target of each arc, weights, row starts. gunrock: rows, columns, arcs, row starts,
    targets, weights as float; all of them 1 in gunrock-unit. egr: nodes, arcs, row starts, targets, weights.
    O(nodes + arcs).
    """
    scratch = file.with_suffix(".part")
    with scratch.open("wb") as f:
        for part in _arrays(graph, form):
            np.ascontiguousarray(part).tofile(f)
    scratch.replace(file)


def _arrays(graph: Graph, form: str) -> _Arrays:
    sizes = np.array([graph.num_nodes, graph.num_edges], np.int32)
    row, dst = np.asarray(graph.row).astype(np.int32), np.asarray(graph.dst).astype(np.int32, copy=False)
    weight = graph.weight if graph.weight is not None else np.ones(graph.num_edges, np.int32)
    if form == "egr":
        yield from (sizes, row, dst, weight.astype(np.int32, copy=False))
    elif form.startswith("graphit"):
        yield sizes
        yield np.repeat(np.arange(graph.num_nodes, dtype=np.int32), np.diff(row))
        yield dst
        yield weight.astype(np.int32, copy=False) if form == "graphit-weighted" else np.ones(graph.num_edges, np.int8)
        yield row
    else:
        yield from (sizes[:1], sizes, row, dst)
        yield np.ones(graph.num_edges, np.float32) if form == "gunrock-unit" else weight.astype(np.float32)


def written(spec: str, need: Requirements, forms: list[tuple[str, Path]]) -> float:
    """Writes a graph in several forms; its mean weight."""
    graph = prepare(load(spec), need)
    for form, file in forms:
        write(graph, form, file)
    return float(np.mean(graph.weight)) if graph.weight is not None and graph.num_edges else 1.0
