"""Graphs as programs want them, from the cache where they were made before."""

from __future__ import annotations

from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.rt.graphs.readers.text import Progress


def load_prepared(
    spec: str,
    need: Requirements,
    *,
    format: str | None = None,
    undirected: bool = False,
    coordinates: str | None = None,
    index_bits: int = 32,
    compact: bool = True,
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Graph:
    """`prepare(load(spec, ...), need)`, from the cache where it was made before. See load.load for the options."""
    options = f"{format}|{undirected}|{index_bits}|{compact}"
    key = graph_store.key_of(spec, options, repr(need)) if use_cache else None

    def given() -> Graph:
        # Loaded only here: a hit needs none of the readers, and is over before they would be imported.
        from irgl.rt.graphs.load import load

        made = load(
            spec,
            format=format,
            undirected=undirected,
            index_bits=index_bits,
            compact=compact,
            use_cache=use_cache,
            progress=progress,
        )
        if progress is not None:
            progress("prepare", None)
        return made

    def anew() -> Graph:
        made = prepare(given(), need)  # which alone holds what it is given
        if key is not None:
            graph_store.keep(key, made)
        return made

    found = graph_store.find(key, anew) if key is not None else None
    graph = found if found is not None else anew()
    graph.entry = key if key is not None and graph_store.worth_keeping(graph) else ""
    if coordinates is not None:
        from irgl.rt.graphs.load import load_coordinates

        graph.coordinates = load_coordinates(coordinates, graph.num_nodes)
    return graph
