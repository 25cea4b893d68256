"""Shortest paths from one node by near and far piles.

Algorithm: nodes nearer than a limit are relaxed until none is left (Respawn), the others wait in the far pile. Then
  the pile is freed of nodes that have come near meanwhile and of duplicates, and the limit moves on by delta, over
  gaps in which no node lies. delta only says how much work is done early: it changes no distance.
Source: A. Davidson, S. Baxter, M. Garland and J. Owens, Work-efficient parallel GPU methods for single-source
  shortest paths, IPDPS 2014 (with its rule for delta: weight / degree times a constant); orchestration as in
  S. Pai and K. Pingali, OOPSLA 2016, listing 4.
Complexity: O(n + m) work for weights that do not vary much, O(n * m) at worst.
Answer: integers, the same on every target; nodes that no path reaches are at INF. Weights must not be negative and
  distances must fit in 31 bits: otherwise `unfit` is set, and the distances are not to be used (sssp_bf has neither
  limit). Checked by shortest_paths.
"""

from __future__ import annotations

import irgl
from irgl import INF, edge, first, long, node, weighted, worklist


@irgl.graph
class Graph:
    path_length: node[int] = INF
    sifted_in: node[int] = 0
    arc_length: edge[int]


reached = irgl.scalar(long, 0)
farthest = irgl.scalar(int, 0)
nearest = irgl.scalar(int, INF)
unfit = irgl.scalar(bool, False)


@irgl.kernel
def sow_source(g: Graph, src: node, wl: worklist):
    src.path_length = 0
    wl.push(src)


@irgl.kernel
def relax_near(g: Graph, limit: long, wl: worklist):
    global unfit
    for i in wl.positions:
        n: node = wl.pop(i)
        here: int = n.path_length
        if here > limit:
            wl.push(n)
            continue
        for e in n.edges:
            there: int = here + e.arc_length
            if there < here or there == INF:
                unfit = irgl.racy(True)
            elif there < e.dst.path_length and irgl.reduce.min(e.dst.path_length, there):
                if there <= limit:
                    irgl.respawn(e.dst)
                else:
                    wl.push(e.dst)


@irgl.kernel
def drop_duplicates(g: Graph, limit: long, sift: int, wl: worklist):
    for i in wl.positions:
        n: node = wl.pop(i)
        here: int = n.path_length
        if here > limit and n.sifted_in < sift and irgl.reduce.max(n.sifted_in, sift):
            irgl.reduce.min(nearest, here)
            wl.push(n)


@irgl.kernel
def survey_distances(g: Graph):
    global reached
    for n in g.nodes:
        reached += n.path_length != INF
        irgl.reduce.max(farthest, n.path_length if n.path_length != INF else 0)


@irgl.program
def sssp_nf(
    g: Graph[weighted],
    src: node = first,
    delta: int = irgl.auto(
        lambda g: int(min(1e9, max(1.0, 6.0 * irgl.average_weight(g) * g.num_nodes / max(1, g.num_edges))))
    ),
):
    irgl.verify("shortest_paths", distances=Graph.path_length, source=src, reached=reached, farthest=farthest)
    global nearest
    width: long = max(1, delta)
    limit: long = width
    sift: int = 0
    with irgl.pipe(once=True):
        sow_source(g, src)
        with irgl.pipe():
            relax_near(g, limit)
            sift += 1
            nearest = INF
            drop_duplicates(g, limit, sift)
            limit = max(limit, nearest) + width
    if unfit:
        print("an arc is negative or a path too long for 31 bits: use sssp_bf")
    survey_distances(g)
