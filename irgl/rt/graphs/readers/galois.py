"""Galois's binary graphs (.gr), versions 1 (32-bit targets) and 2 (64-bit targets), little-endian."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import check_size, index_types, rows_ascend
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.readers.binary import check_ids, check_offsets, check_weights
from irgl.source import IrglError

Array = NDArray[Any]
HEADER = struct.Struct("<4Q")
HEADS = (b"\1" + bytes(7), b"\2" + bytes(7))


def decode(path: str, data: Array, *, floats: bool, index_bits: int = 32) -> Graph:
    """The graph in `data` (bytes): version, bytes per edge weight, nodes, edges, row ends, targets, weights.

    The file does not say whether weights are integers; they are taken as such unless `floats`. Targets and weights
    are views of `data` where their width allows it.
    """

    def fail(message: str) -> IrglError:
        return IrglError(message, file=path)

    if len(data) < HEADER.size:
        raise fail("the Galois graph is cut off inside its header")
    version, width, nodes, edges = HEADER.unpack(bytes(data[: HEADER.size]))
    if version not in (1, 2):
        raise fail(f"the Galois graph has version {version}: known are 1 and 2")
    if width not in (0, 4, 8):
        raise fail(f"the Galois graph has {width} bytes per edge weight: known are 0, 4 and 8")
    check_size(nodes, edges, path)
    targets = HEADER.size + 8 * nodes
    size = 4 if version == 1 else 8
    after = targets + size * edges
    padded = after + (4 if version == 1 and edges % 2 else 0)
    wanted = padded + width * edges
    if len(data) != wanted and not (width == 0 and len(data) == after):
        raise fail(f"the Galois graph has {len(data)} bytes where its header asks for {wanted}")
    row = np.zeros(nodes + 1, np.int64)
    row[1:] = np.asarray(data[HEADER.size : targets]).view("<i8")
    check_offsets(fail, row, edges, "row ends")
    dst = np.asarray(data[targets:after]).view(f"<i{size}")
    check_ids(fail, dst, nodes, "targets")
    weight = None
    if width:
        # The padding keeps weights aligned; a copy is made where the version 2 layout does not.
        weight = np.asarray(data[padded:wanted]).view(f"<{'f' if floats else 'i'}{width}")
    check_weights(fail, weight)
    node_type, edge_type = index_types(nodes, edges, index_bits)
    graph = Graph(row.astype(edge_type, copy=False), dst.astype(node_type, copy=False), weight, source=path)
    graph.sorted = rows_ascend(graph)
    return graph
