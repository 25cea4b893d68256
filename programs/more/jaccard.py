"""Jaccard similarity of the ends of every edge: the share of their neighbours that they have in common.

Algorithm: a node marks its neighbours; the end of fewer neighbours of each of its edges then counts the marked among
  its own (of two ends with equally many, the one of the lower number). Each edge is looked at from one end only, and
  the similarity is stored in both of its directions.
Source: P. Jaccard, Etude comparative de la distribution florale, Bull. Soc. Vaudoise Sci. Nat. 37, 1901; marks as in
  M. Latapy, Main-memory triangle computations for very large (sparse (power-law)) graphs, 2008.
Complexity: O(m^1.5) work at most: the sum of the lesser degree over the edges.
Answer: double, the exact quotient rounded, the same on every target; that of NetworkX's jaccard_coefficient for pairs
  that are joined. Checked by edge_similarities.
"""

from __future__ import annotations

import irgl
from irgl import edge, node


@irgl.graph
class Graph:
    similarity: edge[float] = 0


@irgl.function
def comes_before(g: Graph, a: node, b: node) -> bool:
    return a.degree < b.degree or (a.degree == b.degree and a < b)


@irgl.kernel
def compare_neighbours(g: Graph):
    for n in g.nodes:
        marks = irgl.scratch[node]()
        for e in irgl.serial(n.edges):
            marks.push(e.dst)
        for k in range(n.degree):
            other = n.edges[k].dst
            if comes_before(g, other, n):
                common: irgl.long = 0
                for f in other.edges:
                    common += f.dst in marks
                share: float = float(common) / (n.degree + other.degree - common)
                n.edges[k].similarity = irgl.racy(share)
                n.in_edges[k].similarity = irgl.racy(share)


@irgl.program
def jaccard(g: Graph[irgl.undirected, irgl.simple]):
    irgl.verify("edge_similarities", similarities=Graph.similarity)
    irgl.tolerance(1e-12)
    compare_neighbours(g)
