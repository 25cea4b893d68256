"""Defaults with edges in other forms than rows: of programs that gather values of all edges' far ends in each round.

Rows read these values in the order of the edges, which on most graphs is nearly at random. Blocks
(irgl/forms/blocks.py) read them tile by tile, out of the cache, and do what a node does behind its edges for several
nodes at once. They are built once for a graph, in about the time of ten to twenty rounds over rows, and are in the
cache from then on. Where nearly all edges lie on a few diagonals, as those of grids and bands do, these
(irgl/forms/dia.py) read no ids at all, and values side by side, so that no cache need be large; they are built in the
time of about six rounds over rows.
"""

from __future__ import annotations

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.system import caches
from irgl.tune.choose.standard import BY_THEMSELVES, Standard
from irgl.tune.inputs.features import Features

#: From so many edges on; of skewed graphs, whose values are mostly asked of a few nodes, from so many nodes on.
EDGES, SKEWED_NODES = 1 << 18, 1 << 18
#: What a block keeps at hand: 2^16 nodes' values of four bytes, and as many sums of eight. Where the second-level cache
#: of a core is smaller, blocks gain next to nothing on graphs without hubs that have many more nodes than that.
HELD, NODES = 12 << 16, 1 << 19
#: Edges lie in diagonals where so large a part of them is on so few that are at least half full. FULL: how much of a
#: sample may be on one, beside what fills it: the rest are parallel edges, of which one alone stands there.
ON_DIAGONALS, DIAGONALS, FULL = 0.95, 16, 1.25
_LYING = {"format", "basis", "order", "lanes"}


def by_forms(found: Standard, manifest: Manifest, features: Features, changes: str = "",
             graph: Graph | None = None) -> Standard:
    """What takes the place of a CPU's default on a graph for which another form than rows is worth building.

    changes: words that are to change it; where they say themselves how edges or nodes lie, it stays. graph: the one
    that is meant; None: what features tell of its edges is all that is known.
    """
    said = {word.partition("=")[0].rpartition(".")[2] for word in changes.split()}
    own = found.plan
    places = [p for p in manifest.gathers if own.text_of("format", p) == own.plain("format")]
    if said & _LYING or not places or not _is_large(features) or own.text_of("order") != own.plain("order"):
        return found
    if _in_diagonals(features, graph):
        form, words = "dia", "in diagonals"
    elif _fit_blocks(features):
        form, words = "blocks", "in blocks"
    else:
        return found
    plan = own.changed(" ".join(f"{p}.format={form}" for p in places))
    by_rule = found.how == BY_THEMSELVES
    of, how = (f"large {features.graph_class}", "by rule") if by_rule else (found.of, found.how)
    return Standard(plan, of, f"{how}, {words}")


def _is_large(features: Features) -> bool:
    """Is a form worth building at all?"""
    skewed = features.graph_class == "skewed"
    return features.edges >= EDGES and (not skewed or features.nodes >= SKEWED_NODES)


def _fit_blocks(features: Features) -> bool:
    """Does a core's cache hold what a block keeps at hand, where that matters?"""
    return features.graph_class == "skewed" or features.nodes < NODES or caches.of_a_core() >= HELD


def _in_diagonals(features: Features, graph: Graph | None) -> bool:
    """Do nearly all edges lie on a few diagonals? By a sample, or by what was found out when all were looked at."""
    if ON_DIAGONALS * features.mean_degree > DIAGONALS:
        return False
    if graph is None:
        return features.on_diagonals is not None and features.on_diagonals >= ON_DIAGONALS
    near, far = graph.some_edges()
    offset, held = np.unique(far - near, return_counts=True)
    places = (graph.num_nodes - np.abs(offset)) * (len(far) / graph.num_edges)  # of the sample
    standing = np.minimum(held, FULL * places)[2 * held >= places]
    return bool(np.sort(standing)[-DIAGONALS:].sum() >= ON_DIAGONALS * len(far))
