"""The graphs that a program asks for, loaded the way it needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import WEIGHT_TYPES, Requirements
from irgl.rt.manifests.manifest import GraphParam
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Loading:
    """What the user says of a file: how to read it.

    format: its name, where the content does not tell. undirected: every edge goes both ways. coordinates: a file of the
    nodes' places. index_bits: 32 or 64, for nodes and edges. compact: ids with gaps are numbered without.
    allow_empty: a file may hold nothing.
    """

    format: str | None = None
    undirected: bool = False
    coordinates: str | None = None
    index_bits: int = 32
    compact: bool = True
    allow_empty: bool = False


def load(spec: str, g: GraphParam, loading: Loading,
         progress: Callable[[str, float | None], None] | None = None) -> Graph:
    """The graph of a file or generator, prepared for one graph parameter of a program. Raises IrglError."""
    found = load_prepared(
        spec,
        requirements(g),
        format=loading.format,
        undirected=loading.undirected,
        coordinates=loading.coordinates,
        index_bits=loading.index_bits,
        compact=loading.compact,
        progress=progress,
    )
    refuse_empty(spec, found, loading.allow_empty)
    return found


def place_of(name: str, program: str) -> str:
    """Where the graph is that a program loads under a name: a file where one stands, else beside the program's own
    file; or a generator. Raises IrglError where there is none."""
    beside = str(Path(program).parent / name)
    found = next((path for path in (name, beside) if Path(path).exists()), None)
    if found is not None:
        return found
    from irgl.rt.graphs.load import is_generator

    if is_generator(name):
        return name
    raise IrglError(f"the program loads {name}, which is neither here nor beside the program", file=program,
                    hint="--graph FILE gives another graph")


def refuse_empty(spec: str, graph: Graph, allowed: bool) -> None:
    """Raises IrglError for a file that holds no node, unless that is allowed: it is seldom the file that was meant."""
    if graph.num_nodes or allowed:
        return
    from irgl.rt.graphs.load import is_generator  # a hit in the cache needs none of the readers

    if not is_generator(spec):
        raise IrglError("the graph file is empty: it holds no node", file=spec,
                        hint="where that is meant, say --allow-empty, in Python allow_empty=True")


def requirements(g: GraphParam) -> Requirements:
    """What the loader is to supply."""
    weighted = g.weighted
    if weighted is not None and weighted not in WEIGHT_TYPES:
        weighted = "int64"  # which the call narrows to the program's own type, checking each weight
    # Without a look at the edges behind them, the in-edges of an undirected graph are its out-edges.
    return Requirements(g.directed, g.simple, weighted, g.sorted, g.transpose, g.in_edge)
