"""A minimum spanning forest by Boruvka's algorithm.

Algorithm: every component finds its lightest edge to another one (weight and arc packed into one atomic maximum),
  and the components that these edges join are united by compare and swap, which lets no cycle close where weights
  tie. Nodes all of whose edges lie inside their component leave the worklist. Once one component holds a tenth of a
  sample of the nodes it stops looking for edges of its own, since all others find theirs to it: its nodes leave too.
Source: O. Boruvka, O jistem problemu minimalnim, 1926; packed updates as in M. Kulkarni et al., Lonestar, ISPASS
  2009; passing over a giant component as in M. Sutton, T. Ben-Nun and A. Barak, IPDPS 2018.
Complexity: O(m log n) work at worst.
Answer: weight, edges and trees are integers, the same on every target; of several forests of the same weight any
  one is right. One of an edge's two arcs is chosen. Checked by spanning_forest.
"""

from __future__ import annotations

import irgl
from irgl import INF, edge, long, node, undirected, unique, weighted, worklist


@irgl.struct
class Light:
    """The largest is the lightest edge: lightness is -1 - price. Every edge is larger than none."""

    lightness: int
    arc: edge


@irgl.graph
class Graph:
    comp_root: node[node]
    lightest_out: node[Light] = Light(-2147483648, None)
    price: edge[int]
    in_forest: edge[bool] = False


weight = irgl.scalar(long, 0)
edges = irgl.scalar(long, 0)
trees = irgl.scalar(long, 0)


@irgl.kernel
def lead_oneself(g: Graph):
    for n in g.nodes:
        n.comp_root = n


@irgl.kernel
def find_lightest(g: Graph, giant: node, wl: worklist[unique[list[node]]]):
    for i in wl.positions:
        n: node = wl.pop(i)
        mine: node = n.comp_root
        if mine != giant:
            key: long = INF
            for e in n.edges:
                if e.dst.comp_root != mine:
                    irgl.reduce.min(key, long(e.price) * 4294967296 + e.id)
            if key != INF:
                found: Light = mine.lightest_out
                lightness: int = int(-1 - (key >> 32))
                if lightness >= found.lightness:
                    irgl.reduce.max(mine.lightest_out, Light(lightness, g.edge(key & 4294967295)))
                wl.push(n)


@irgl.kernel
def unite_components(g: Graph):
    global edges, weight
    for n in g.nodes:
        e: edge = n.lightest_out.arc
        if e is not None:
            n.lightest_out = Light(-2147483648, None)
            x: node = n
            y: node = e.dst.comp_root
            united: bool = False
            while x != y:
                high: node = max(x, y)
                low: node = min(x, y)
                if irgl.cas(high.comp_root, high, low):
                    united = True
                    break
                x = high.comp_root
                y = low
            if united:
                e.in_forest = irgl.racy(True)
                weight += e.price
                edges += 1


@irgl.kernel
def jump_to_roots(g: Graph):
    for n in g.nodes:
        up: node = n.comp_root
        top: node = irgl.relaxed.load(up.comp_root)
        if up != top:
            while up != top:
                up = top
                top = irgl.relaxed.load(up.comp_root)
            n.comp_root = up


@irgl.kernel
def count_leaders(g: Graph):
    global trees
    for n in g.nodes:
        trees += n.comp_root == n


@irgl.program
def mst(g: Graph[undirected, weighted], samples: int = 1024):
    irgl.verify("spanning_forest", total=weight, chosen=Graph.in_forest, edges=edges)
    irgl.any_valid()
    if g.num_nodes == 0:
        return
    giant: node = None
    lead_oneself(g)
    with irgl.iterate(find_lightest(g, giant), initial=g.nodes):
        unite_components(g)
        jump_to_roots(g)
        if giant is not None:
            giant = giant.comp_root
        else:
            guess: node = None
            lead: long = 0
            for i in irgl.c_range(int, 0, samples):
                n: node = g.node(irgl.random(g.num_nodes)).comp_root
                if lead == 0:
                    guess = n
                if n == guess:
                    lead += 1
                else:
                    lead -= 1
            if lead > samples / 10:
                giant = guess
    count_leaders(g)
