"""Defaults with edges in blocks: of programs that gather values of all edges' far ends in each round.

Rows read these values in the order of the edges, which on most graphs is nearly at random. Blocks
(irgl/forms/blocks.py) read them tile by tile, out of the cache, and do what a node does behind its edges for several
nodes at once. They are built once for a graph, in about the time of ten to twenty rounds over rows, and are in the
cache from then on.
"""

from __future__ import annotations

from irgl.rt.manifests.manifest import Manifest
from irgl.rt.system import caches
from irgl.tune.choose.standard import BY_THEMSELVES, Standard
from irgl.tune.inputs.features import Features

#: From so many edges on; of skewed graphs, whose values are mostly asked of a few nodes, from so many nodes on.
EDGES, SKEWED_NODES = 1 << 18, 1 << 18
#: What a block keeps at hand: 2^16 nodes' values of four bytes, and as many sums of eight. Where the second-level cache
#: of a core is smaller, blocks gain next to nothing on graphs without hubs that have many more nodes than that.
HELD, NODES = 12 << 16, 1 << 19
_LYING = {"format", "basis", "order"}


def by_blocks(found: Standard, manifest: Manifest, features: Features, changes: str = "") -> Standard:
    """What takes the place of a CPU's default on a graph for which blocks are worth building.

    changes: words that are to change it; where they say themselves how edges or nodes lie, it stays.
    """
    said = {word.partition("=")[0].rpartition(".")[2] for word in changes.split()}
    if said & _LYING:
        return found
    skewed = features.graph_class == "skewed"
    large = features.edges >= EDGES and (not skewed or features.nodes >= SKEWED_NODES)
    if not skewed and features.nodes >= NODES and caches.of_a_core() < HELD:
        return found
    own = found.plan
    places = [p for p in manifest.gathers if own.text_of("format", p) == own.plain("format")]
    if not large or not places or own.text_of("order") != own.plain("order"):
        return found
    plan = own.changed(" ".join(f"{p}.format=blocks" for p in places))
    if found.how == BY_THEMSELVES:
        return Standard(plan, f"large {features.graph_class}", "by rule")
    return Standard(plan, found.of, f"{found.how}, in blocks")
