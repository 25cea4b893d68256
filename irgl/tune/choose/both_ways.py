"""Defaults that take in-edges: only of graphs that have them anyway, since turning all edges takes longer than a run.

The edges of an undirected graph are its in-edges. There a search that nobody has tuned gets `direction=hybrid` on
graphs in which paths are short, as Beamer, Asanovic and Patterson have it (SC 2012): most nodes are found in a round
or two whose frontier is a large part of the graph, by one of the first edges that they look at. Where a node has to
look at all of its edges that costs more than it saves: Bellman and Ford's algorithm takes three times as long so.
"""

from __future__ import annotations

from collections.abc import Callable

from irgl.plan import Plan
from irgl.rt.manifests.manifest import Manifest
from irgl.tune.choose.standard import BY_THEMSELVES, Standard
from irgl.tune.inputs.features import Features

#: The classes of graphs whose paths are short.
SHORT = ("skewed", "random")
#: Rounds with a third of all edges pull, which on rmat graphs most edges belong to, and on webs hardly any.
HYBRID = "direction=hybrid switch=edges:1/3"


def by_edges(found: Standard, manifest: Manifest, features: Features, under: Callable[[Plan], Manifest]) -> Standard:
    """What takes the place of a CPU's default on a graph, so that no edges have to be turned round for it; and what
    there is for a program that nobody has tuned.

    manifest: of the program under the built-in plan; under: the same under others. A program may want its graph
    undirected, and the graph then is (`Features.directed`), or take in-edges by itself.
    """
    free = not features.directed or all(g.transpose for g in manifest.graphs)
    if found.how == BY_THEMSELVES:
        if not (free and manifest.searches and features.graph_class in SHORT):
            return found
        return Standard(found.plan.changed(HYBRID), f"undirected {features.graph_class}", "by rule")
    if free or not _more(manifest, under(found.plan)):
        return found
    return Standard(found.plan.changed("direction=written"), found.of, f"{found.how}, without in-edges")


def _more(own: Manifest, other: Manifest) -> bool:
    """Does a program take in-edges under another plan alone?"""
    return any(b.transpose and not a.transpose for a, b in zip(own.graphs, other.graphs, strict=True))
