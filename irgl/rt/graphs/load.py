"""Graphs by name: a file of any known format, or the text of a generator."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from irgl.rt.graphs import generators
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.build_csr import build
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.readers import by_content
from irgl.rt.graphs.readers.dimacs import read_coordinates
from irgl.rt.graphs.readers.text import PAD, Progress, Text, present, read_bytes
from irgl.rt.graphs.readers.triangle import read_node
from irgl.source import IrglError


def load(
    spec: str,
    *,
    format: str | None = None,
    undirected: bool = False,
    coordinates: str | None = None,
    index_bits: int = 32,
    compact: bool = True,
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Graph:
    """The graph of file `spec`, or of a generator text such as `rmat:scale=18,seed=1`.

    `format` names the file's format, which is otherwise told by its content. `undirected` takes each arc of the file
    as an edge both ways. `coordinates` is a DIMACS .co or Triangle .node file. IrglError on any fault.
    """
    if index_bits not in (32, 64):
        raise IrglError(f"index_bits is 32 or 64, not {index_bits}")
    key = graph_store.key_of(spec, f"{format}|{undirected}|{index_bits}|{compact}") if use_cache else None

    def anew() -> Graph:
        made = read_or_generate(spec, format, undirected, index_bits, compact, progress)
        if key is not None:
            graph_store.keep(key, made)
        return made

    found = graph_store.find(key, anew) if key is not None else None
    graph = found if found is not None else anew()
    if coordinates is not None:
        graph.coordinates = load_coordinates(coordinates, graph.num_nodes)
    return graph


def is_generator(spec: str) -> bool:
    """Whether `spec` is the text of a generator: a known name and a colon, and no file of that name."""
    return spec.partition(":")[0] in generators.NAMES and ":" in spec and not present(spec)


def read_or_generate(
    spec: str, format: str | None, undirected: bool, index_bits: int, compact: bool, progress: Progress | None
) -> Graph:
    """`load` without the cache and without coordinates."""
    if is_generator(spec):
        if format is not None:
            raise IrglError(f"a generated graph has no file format: '{format}' cannot be used", file=spec)
        arcs, places = generators.generate(spec, progress)
        arcs.mirrored |= undirected
        if progress is not None:
            progress("build", None)
        graph = build(arcs, spec, index_bits)
        graph.coordinates = places
        return graph
    if not present(spec) and ":" in spec and "/" not in spec.partition(":")[0]:
        raise generators.unknown(spec)
    return by_content.read(spec, format, undirected, index_bits, compact, progress)


def load_coordinates(path: str, nodes: int) -> NDArray[Any]:
    """Coordinates, (nodes, 2) float64, from a DIMACS .co file or a Triangle .node file, told by content."""
    text = Text(path, read_bytes(path))
    first = text.next_line(PAD, b"c#")
    if first < len(text.data) and text.line(first).split()[0] == b"p":
        return read_coordinates(text, nodes)
    points = read_node(path)
    if len(points.xy) != nodes:
        raise IrglError(f"coordinates of {len(points.xy)} points for a graph of {nodes} nodes", file=path)
    return points.xy
