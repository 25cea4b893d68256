"""Defaults that take in-edges: only of graphs that have them anyway, since turning all edges takes longer than a run.

The edges of an undirected graph are its in-edges. There a search that nobody has tuned gets `direction=hybrid` on
graphs in which paths are short, as Beamer, Asanovic and Patterson have it (SC 2012): most nodes are found in a round
or two whose frontier is a large part of the graph, by one of the first edges that they look at. Where a node has to
look at all of its edges that costs more than it saves: Bellman and Ford's algorithm takes three times as long so. When
pulling begins to pay depends on the graph: on Kronecker and social graphs from an eighth of all edges on; from a third
on webs and others whose edges lead to near ids, whose nodes look through whole neighbourhoods that nobody has come to.

Where values are handed on as they are (label propagation), and the ends of edges have numbers near each other, as
those of meshes mostly have that nobody has mixed up, one round in which all nodes pull, one after the other, carries a
value as far as a thread's nodes reach. On grids that is worth a factor of two to three and a half.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.tune.choose.standard import BY_THEMSELVES, Standard
from irgl.tune.inputs.features import at_once

#: The classes of graphs whose paths are short.
SHORT = ("skewed", "random")
#: Rounds with a third of all edges pull, which hardly any edges of webs belong to; where ids are far apart, with an
#: eighth.
HYBRID, FAR = "direction=hybrid switch=edges:1/3", "direction=hybrid switch=edges:1/8"
#: Rounds with nearly all nodes pull, each thread its own stretch of them, in their order.
SWEEPS = "direction=hybrid switch=nodes:0.9 frontier=bytemap"
#: The ends of edges are near each other where they are no further apart, on average, than this part of all nodes: for
#: sweeps, and for searches.
NEAR, NEAR_ENOUGH = 1 / 16, 1 / 8


def by_edges(found: Standard, manifest: Manifest, graph: Graph, under: Callable[[Plan], Manifest]) -> Standard:
    """What takes the place of a CPU's default on a graph, so that no edges have to be turned round for it; and what
    there is for a program that nobody has tuned, or found anything for.

    manifest: of the program under the built-in plan; under: the same under others. A program may want its graph
    undirected, and the graph then is (`Features.directed`), or take in-edges by itself.
    """
    features = at_once(graph)
    free = not features.directed or all(g.transpose for g in manifest.graphs)
    of = f"undirected {features.graph_class}"
    plain = found.plan == Plan(target=found.plan.target)  # nobody has tuned it, or found anything better for the class
    if free and plain and manifest.spreads and features.graph_class == "mesh" and _apart(graph) < NEAR:
        even = "".join(f" {path}_pull.share=even" for path in manifest.spreads)
        return Standard(found.plan.changed(SWEEPS + even), f"{of}, of near ids", "by rule")
    if found.how == BY_THEMSELVES:
        if free and manifest.searches and features.graph_class in SHORT:
            switched = HYBRID if _apart(graph) < NEAR_ENOUGH else FAR
            return Standard(found.plan.changed(switched), of, "by rule")
        return found
    if free or not _more(manifest, under(found.plan)):
        return found
    return Standard(found.plan.changed("direction=written"), found.of, f"{found.how}, without in-edges")


def _apart(graph: Graph) -> float:
    """How far apart the ends of edges are, on average, as a part of all nodes. By the same few edges each time."""
    near, far = graph.some_edges()
    return float(np.abs(near - far).mean() / graph.num_nodes) if len(far) else 0.0


def _more(own: Manifest, other: Manifest) -> bool:
    """Does a program take in-edges under another plan alone?"""
    return any(b.transpose and not a.transpose for a, b in zip(own.graphs, other.graphs, strict=True))
