"""Graphs to files: MatrixMarket, DIMACS, edge list, CSV, SciPy .npz, irgl's binary form; .gz and .xz by suffix."""

from __future__ import annotations

import gzip
import io
import lzma
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.readers import binary
from irgl.rt.graphs.readers.words import amount
from irgl.rt.system.whole_file import scratch_for
from irgl.source import IrglError

Array = NDArray[Any]
Pieces = Iterable[bytes | memoryview]
STEP = 1 << 18  # lines written at a time


def convert(spec: str, out: str, **options: Any) -> Graph:
    """Load `spec` (see load.load for the options), write it to `out`, and give the graph back."""
    writer_of(out)
    graph = load(spec, **options)
    write(graph, out)
    return graph


def write(graph: Graph, out: str) -> None:
    """Write the graph in the format of the suffix of `out`. IrglError where the format cannot hold it."""
    save(out, writer_of(out)(graph, out))


def writer_of(out: str) -> Callable[[Graph, str], Pieces]:
    """The writer for the suffix of `out`, `.gz` and `.xz` aside."""
    name = out.removesuffix(".gz").removesuffix(".xz")
    suffix = Path(name).suffix
    if suffix not in _WRITERS:
        known = ", ".join(_WRITERS)
        hint = f"suffixes are {known}, also with .gz and .xz"
        raise IrglError(f"cannot tell the format of '{Path(out).name}'", hint=hint)
    return _WRITERS[suffix]


def save(out: str, pieces: Pieces) -> None:
    """Write the pieces to a temporary file beside `out` and put it in place in one step."""
    with scratch_for(Path(out)) as scratch, scratch.open("wb") as file:
        if out.endswith(".gz"):
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                packed.writelines(pieces)
        elif out.endswith(".xz"):
            with lzma.open(file, "wb") as pressed:
                pressed.writelines(pieces)
        else:
            file.writelines(pieces)


def lines(columns: list[Array], between: str = " ") -> Iterator[bytes]:
    """Rows of numbers, one line each; floats so that they read back the same."""
    for start in range(0, len(columns[0]), STEP):
        words = [map(str, column[start : start + STEP].tolist()) for column in columns]
        yield ("\n".join(map(between.join, zip(*words, strict=True))) + "\n").encode()


def _float32_exactly(weight: Array) -> Array:
    return weight.astype(np.float64) if weight.dtype == np.float32 else weight


def matrix_market(graph: Graph, out: str) -> Pieces:
    """Dense ids from 1; file ids of a compacted graph are lost."""
    del out
    src, dst, weight = graph.edges()
    field = "pattern" if weight is None else "integer" if weight.dtype.kind == "i" else "real"
    symmetry = "general" if graph.directed else "symmetric"
    size = f"{graph.num_nodes} {graph.num_nodes} {len(src)}\n"
    yield f"%%MatrixMarket matrix coordinate {field} {symmetry}\n{size}".encode()
    yield from lines([src + 1, dst + 1, *([_float32_exactly(weight)] if weight is not None else [])])


def dimacs(graph: Graph, out: str) -> Pieces:
    """All arcs, weight 1 where there is none; dense ids from 1."""
    del out
    weight = np.ones(graph.num_edges, np.int32) if graph.weight is None else _float32_exactly(graph.weight)
    yield f"p sp {graph.num_nodes} {graph.num_edges}\n".encode()
    marks = np.full(graph.num_edges, "a")
    yield from lines([marks, graph.sources() + 1, graph.dst + 1, weight])


def edge_list(graph: Graph, out: str) -> Pieces:
    """File ids; an undirected edge once. Nodes without edges are refused: an edge list cannot hold them."""
    columns = _ends_and_weights(graph, out)
    direction = "each undirected edge once" if not graph.directed else "directed"
    yield f"# {graph.num_nodes} nodes, {len(columns[0])} edges, {direction}\n".encode()
    yield from lines(columns)


def csv(graph: Graph, out: str) -> Pieces:
    """The same between commas, below a line of names."""
    columns = _ends_and_weights(graph, out)
    yield (",".join(("source", "target", "weight")[: len(columns)]) + "\n").encode()
    yield from lines(columns, ",")


def _ends_and_weights(graph: Graph, out: str) -> list[Array]:
    src, dst, weight = graph.edges()
    used = np.zeros(graph.num_nodes, np.bool_)
    used[src] = True
    used[dst] = True
    if not used.all():
        lonely = int(np.count_nonzero(~used))
        message = f"an edge list cannot hold the {amount(lonely, 'node')} without edges"
        raise IrglError(message, hint="write .mtx, .gr or .irglg", file=out)
    ids = graph.file_ids()
    return [ids[src], ids[dst], *([_float32_exactly(weight)] if weight is not None else [])]


def scipy_npz(graph: Graph, out: str) -> Pieces:
    """The adjacency matrix in csr layout; unweighted edges are stored as true. File ids are lost."""
    del out
    data = np.ones(graph.num_edges, np.bool_) if graph.weight is None else graph.weight
    shape = np.array([graph.num_nodes, graph.num_nodes])
    buffer = io.BytesIO()
    parts: dict[str, Any] = {"indices": graph.dst, "indptr": graph.row, "data": data, "shape": shape}
    np.savez(buffer, allow_pickle=False, format=np.array(b"csr"), **parts)
    yield buffer.getbuffer()


def own(graph: Graph, out: str) -> Pieces:
    """irgl's binary form, which keeps everything but coordinates."""
    del out
    return binary.encode(replace(graph))


_WRITERS: dict[str, Callable[[Graph, str], Pieces]] = {
    ".mtx": matrix_market,
    ".gr": dimacs,
    ".el": edge_list,
    ".wel": edge_list,
    ".txt": edge_list,
    ".csv": csv,
    ".npz": scipy_npz,
    ".irglg": own,
}
