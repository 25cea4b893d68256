"""irgl's own binary form of a graph (docs/graphs.md has its layout): written in one go, mapped instead of read."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.graph import Graph, Transpose
from irgl.source import IrglError

Array = NDArray[Any]
MAGIC = b"IRGLCSR1"
VERSION = 1
HEADER = struct.Struct("<8sIIQQIIIIq16Q")
UNDIRECTED, SORTED, WEIGHT, NODE_IDS, TRANSPOSE, SIMPLE = 1, 2, 4, 8, 16, 32
ALL_FLAGS = 63
WEIGHT_TYPES = (np.dtype("<i4"), np.dtype("<i8"), np.dtype("<f4"), np.dtype("<f8"))
NAMES = ("row", "dst", "weight", "node_ids", "in_row", "in_src", "in_edge", "notes")


def encode(graph: Graph) -> list[bytes | memoryview]:
    """The file's bytes in pieces. Undirected graphs store no in_row and in_src: they are row and dst."""
    transpose = graph._transpose
    parts: list[Array | None] = [graph.row, graph.dst, graph.weight, graph.node_ids, None, None, None]
    if transpose is not None:
        parts[6] = transpose.in_edge
        if graph.directed:
            parts[4], parts[5] = transpose.in_row, transpose.in_src
    notes = np.frombuffer(json.dumps({"source": graph.source, "changed": graph.changed}).encode(), np.uint8)
    flags = (not graph.directed) * UNDIRECTED | graph.sorted * SORTED | (graph.weight is not None) * WEIGHT
    flags |= (graph.node_ids is not None) * NODE_IDS | (transpose is not None) * TRANSPOSE | graph.simple * SIMPLE
    kind = 1 + WEIGHT_TYPES.index(graph.weight.dtype) if graph.weight is not None else 0
    sections: list[int] = []
    pieces: list[bytes | memoryview] = []
    offset = HEADER.size
    for part in (*parts, notes):
        size = part.nbytes if part is not None else 0
        gap = -offset % 64 if size else 0
        sections += [offset + gap if size else 0, size]
        if part is not None and size:
            pieces += [bytes(gap), raw_bytes(part)]
            offset += gap + size
    bits = 8 * graph.dst.itemsize, 8 * graph.row.itemsize
    sizes = (graph.num_nodes, graph.num_edges, *bits, kind, 0, graph.id_base)
    return [HEADER.pack(MAGIC, VERSION, flags, *sizes, *sections), *pieces]


def raw_bytes(values: Array) -> memoryview:
    """The bytes of an array, without a copy where it is contiguous."""
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).data


def decode(path: str, data: Array) -> Graph:
    """The graph in `data` (bytes), whose arrays are views of it. IrglError names what is wrong with `path`."""

    def fail(message: str) -> IrglError:
        return IrglError(message, file=path)

    if len(data) < HEADER.size:
        raise fail("the binary graph is cut off inside its header")
    fields = HEADER.unpack(bytes(data[: HEADER.size]))
    magic, version, flags, nodes, edges, node_bits, edge_bits, kind, reserved, id_base = fields[:10]
    if magic != MAGIC:
        raise fail("this is no binary graph: it does not begin with IRGLCSR1")
    if version != VERSION:
        raise fail(f"the binary graph has version {version}; this irgl reads version {VERSION}")
    if flags & ~ALL_FLAGS or reserved:
        raise fail("the binary graph's header has flags that this irgl does not know")
    if node_bits not in (32, 64) or edge_bits not in (32, 64) or kind > len(WEIGHT_TYPES) or id_base not in (0, 1):
        raise fail("the binary graph's header is damaged")
    if nodes >= 2 ** (node_bits - 1) or edges >= 2 ** (edge_bits - 1):
        raise fail(f"the binary graph has {nodes} nodes and {edges} edges: too many for its id width")
    sections = {name: (fields[10 + 2 * k], fields[11 + 2 * k]) for k, name in enumerate(NAMES)}

    def section(name: str, dtype: Any, count: int) -> Array:
        offset, size = sections[name]
        kind = np.dtype(dtype)
        if size != count * kind.itemsize:
            raise fail(f"section {name} of the binary graph has {size} bytes, not {count * kind.itemsize}")
        if offset % 64 or offset + size > len(data):
            raise fail(f"section {name} of the binary graph lies outside the file")
        return np.asarray(data[offset : offset + size]).view(kind)

    node, edge = f"<i{node_bits // 8}", f"<i{edge_bits // 8}"
    row, dst = section("row", edge, nodes + 1), section("dst", node, edges)
    weight = section("weight", WEIGHT_TYPES[kind - 1], edges) if flags & WEIGHT and kind else None
    if bool(flags & WEIGHT) != bool(kind):
        raise fail("the binary graph's header is damaged")
    node_ids = section("node_ids", "<i8", nodes) if flags & NODE_IDS else None
    notes = _notes(fail, bytes(section("notes", np.uint8, sections["notes"][1])))
    source, changed = notes
    graph = Graph(row, dst, weight, not flags & UNDIRECTED, id_base, node_ids, source or path, None, changed)
    graph.sorted, graph.simple = bool(flags & SORTED), bool(flags & SIMPLE)
    if flags & TRANSPOSE:
        in_edge = section("in_edge", edge, edges)
        in_row = section("in_row", edge, nodes + 1) if graph.directed else row
        in_src = section("in_src", node, edges) if graph.directed else dst
        graph._transpose = Transpose(in_row, in_src, in_edge)
    _check(fail, graph)
    return graph


def _notes(fail: Any, text: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        notes = json.loads(text) if text else {}
        source, changed = notes.get("source", ""), notes.get("changed", [])
        good = isinstance(source, str) and all(isinstance(words, str) for words in changed)
    except (ValueError, AttributeError, TypeError, RecursionError):
        good = False
    if not good:
        raise fail("the binary graph's notes are damaged")
    return source, tuple(changed)


def _check(fail: Any, graph: Graph) -> None:
    """Everything that code which walks the graph relies on: offsets, ids, flags, weights. O(nodes + edges)."""
    from irgl.rt.graphs.build_csr import lacks_reverse, rows_ascend

    check_offsets(fail, graph.row, graph.num_edges, "row")
    check_ids(fail, graph.dst, graph.num_nodes, "dst")
    check_weights(fail, graph.weight)
    ids = graph.node_ids
    if ids is not None and len(ids) and (ids[0] < 0 or bool((ids[1:] <= ids[:-1]).any())):
        raise fail("section node_ids of the binary graph does not ascend")
    if graph.sorted and not rows_ascend(graph):
        raise fail("the binary graph is said to be sorted and is not")
    src = graph.sources()
    parallel = bool(((src[1:] == src[:-1]) & (graph.dst[1:] == graph.dst[:-1])).any())
    if graph.simple and (not graph.sorted or parallel or bool((src == graph.dst).any())):
        raise fail("the binary graph is said to be simple and is not")
    if not graph.directed and lacks_reverse(graph):
        raise fail("the binary graph is said to be undirected and is not")
    if graph._transpose is not None:
        _check_transpose(fail, graph, src)


def _check_transpose(fail: Any, graph: Graph, src: Array) -> None:
    in_row, in_src, in_edge = graph.transpose()
    check_offsets(fail, in_row, graph.num_edges, "in_row")
    check_ids(fail, in_edge, graph.num_edges, "in_edge")
    times = np.bincount(in_edge, minlength=graph.num_edges)
    target = np.repeat(np.arange(graph.num_nodes), np.diff(in_row))
    if graph.num_edges and int(times.max()) > 1:
        raise fail("section in_edge of the binary graph names an edge twice")
    if bool((src[in_edge] != in_src).any()) or bool((graph.dst[in_edge] != target).any()):
        raise fail("the binary graph's in-edges are not its edges")
    if not graph.directed and graph.weight is not None and bool((graph.weight[in_edge] != graph.weight).any()):
        raise fail("the binary graph's reverse arcs have other weights")


def check_offsets(fail: Any, row: Array, edges: int, name: str) -> None:
    """Row offsets must go from 0 to `edges` and never fall."""
    if int(row[0]) != 0 or int(row[-1]) != edges or bool((row[1:] < row[:-1]).any()):
        raise fail(f"the row offsets ({name}) do not climb from 0 to {edges}")


def check_ids(fail: Any, ids: Array, count: int, name: str) -> None:
    """Ids must be 0..count-1."""
    if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= count):
        raise fail(f"an id ({name}) is outside 0..{count - 1}")


def check_weights(fail: Any, weight: Array | None) -> None:
    """Weights must be finite."""
    if weight is not None and weight.dtype.kind == "f" and not bool(np.isfinite(weight).all()):
        raise fail("a weight is not finite")
