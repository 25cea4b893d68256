"""Breadth-first search from a worklist, level by level.

Algorithm: every node of the frontier looks at its arcs; a node not seen before gets the number of the level and
  joins the next frontier. Two nodes of the frontier may find the same node: both store the same number (racy), and
  it may stand twice in the list, which costs time and changes nothing.
Source: S. Pai and K. Pingali, A compiler for throughput optimization of graph algorithms on GPUs, OOPSLA 2016,
  listing 3.
Complexity: O(n + m) work, as many rounds as the farthest node has hops.
Answer: integers, the same on every target; hops of nodes that no path reaches are INF. Checked by shortest_hops.
"""

from __future__ import annotations

import irgl
from irgl import INF, first, long, node, worklist


@irgl.graph
class Graph:
    hops: node[int] = INF


reached = irgl.scalar(long, 0)
deepest = irgl.scalar(int, 0)


@irgl.kernel
def advance_frontier(g: Graph, step: int, wl: worklist):
    for i in wl.positions:
        n: node = wl.pop(i)
        for e in n.edges:
            if e.dst.hops == INF:
                e.dst.hops = irgl.racy(step)
                wl.push(e.dst)


@irgl.kernel
def survey_hops(g: Graph):
    global reached
    for n in g.nodes:
        reached += n.hops != INF
        irgl.reduce.max(deepest, n.hops if n.hops != INF else 0)


@irgl.program
def bfs(g: Graph, src: node = first):
    irgl.verify("shortest_hops", hops=Graph.hops, source=src, reached=reached, deepest=deepest)
    src.hops = 0
    step: int = 1
    with irgl.iterate(advance_frontier(g, step), initial=[src]):
        step += 1
    survey_hops(g)
