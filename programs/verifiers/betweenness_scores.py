"""Betweenness: how much of the shortest paths (in arcs) between other nodes runs through each node.

Roles
  scores   node property: the sum over sources s and targets t, both other than v, of the share of the shortest paths
           from s to t that run through v
  sources  (optional) the sources to sum over (one node or an array, dense ids); without it and `origins` every node
  origins  (optional, instead of `sources`) node property: tells, by any value but 0, whether the node is a source
  source   (optional) a node that must be among the sources
  searches (optional) how many sources there must be; 0, or more than there are nodes, for all
  halved   (optional) 1 when scores are half that sum, which counts each pair of an undirected graph once

Parallel arcs make different paths (a program that means otherwise asks for a simple graph); self-loops are on none.
Brandes' algorithm (2001) in double precision, level by level, for a batch of sources at a time. A score may differ
by tolerance x max(1, |score|). O(n + m) a source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"scores"})
OPTIONAL = frozenset({"sources", "origins", "source", "searches", "halved"})
SIZE_AT_ONCE = 1 << 22


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every score is within the tolerance, else a sentence that names the node furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    scores = np.asarray(claim["scores"]).astype(np.float64)
    if scores.shape != (n,):
        return f"role scores holds {scores.size} values, but the graph has {n} nodes"
    if n == 0:
        return None
    sources = _sources(graph, claim)
    if isinstance(sources, str):
        return sources
    truth = np.zeros(n)
    batch = max(1, SIZE_AT_ONCE // (n + graph.num_edges))
    for start in range(0, sources.size, batch):
        truth += _dependencies(graph, sources[start : start + batch])
    if claim.get("halved", 0):
        truth /= 2
    if not np.isfinite(truth).all():
        return "there are more shortest paths than double precision can count, so the scores cannot be checked"
    off = np.abs(scores - truth) / np.maximum(1.0, truth)
    if not (off <= tolerance).all():
        bad = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
        return f"node {name(bad)} has score {scores[bad]:.9g}, but it is {truth[bad]:.9g}"
    return None


def _sources(graph: Graph, claim: dict[str, Any]) -> Any:
    """The sources as an array, or a sentence that says what is wrong with them."""
    n = graph.num_nodes
    if "sources" in claim and "origins" in claim:
        return "only one of the roles sources and origins may be given"
    if "origins" in claim:
        origins = np.asarray(claim["origins"])
        if origins.shape != (n,):
            return f"role origins holds {origins.size} values, but the graph has {n} nodes"
        sources = np.flatnonzero(origins)
    else:
        sources = np.atleast_1d(np.asarray(claim.get("sources", np.arange(n)))).astype(np.int64)
    outside = (sources < 0) | (sources >= n)
    if outside.any():
        return f"the source {sources[np.argmax(outside)]} is not a node of the graph"
    if "source" in claim and not (sources == claim["source"]).any():
        one = int(claim["source"])
        return f"node {graph.file_id(one)} is not among the sources" if 0 <= one < n else f"the source {one} is no node"
    if "searches" in claim:
        asked = int(claim["searches"])
        wanted = asked if 0 < asked <= n else n
        if sources.size != wanted:
            return f"{wanted} sources were asked for, but there are {sources.size}"
    return sources


def _dependencies(graph: Graph, sources: Any) -> Any:
    """Sum over the sources of Brandes' dependency of each node. Node v of the i-th source has the place i * n + v."""
    n, row, dst = graph.num_nodes, graph.row.astype(np.int64), graph.dst
    roots = np.arange(sources.size) * n + sources
    level = np.full(sources.size * n, -1, np.int64)
    paths = np.zeros(level.size)
    stamp = np.empty(level.size, np.int64)
    level[roots], paths[roots] = 0, 1.0
    steps: list[tuple[Any, Any]] = []  # level by level, the arcs that shortest paths use
    front = roots
    while front.size:
        node = front % n
        sizes = row[node + 1] - row[node]
        before = np.cumsum(sizes) - sizes
        arcs = np.repeat(row[node] - before, sizes) + np.arange(int(sizes.sum()))
        tails = np.repeat(front, sizes)
        heads = tails - tails % n + dst[arcs]
        new = level[heads] < 0
        tails, heads = tails[new], heads[new]
        level[heads] = len(steps) + 1
        with np.errstate(over="ignore"):
            np.add.at(paths, heads, paths[tails])
        steps.append((tails, heads))
        stamp[heads] = np.arange(heads.size)
        front = heads[stamp[heads] == np.arange(heads.size)]  # each head once
    if not np.isfinite(paths).all():
        return np.full(n, np.nan)
    depends = np.zeros(level.size)
    for tails, heads in reversed(steps):
        np.add.at(depends, tails, paths[tails] / paths[heads] * (1 + depends[heads]))
    depends[roots] = 0.0
    return depends.reshape(sources.size, n).sum(axis=0)
