"""Declarations for the cases beside this file."""

import irgl
from irgl import edge, long, node, worklist


@irgl.struct
class Pair:
    cost: int
    to: node


@irgl.graph
class Graph:
    label: node[int] = 0
    far: node[long] = 0
    best: node[Pair]
    guard: node[irgl.lock]
    cost: edge[int]


total = irgl.scalar(long, 0)


@irgl.kernel
def mark_all(g: Graph):
    for n in g.nodes:
        n.label = 1


@irgl.kernel
def step(g: Graph, wl: worklist):
    for n in wl:
        for e in n.edges:
            if irgl.reduce.min(e.dst.label, 1):
                wl.push(e.dst)
