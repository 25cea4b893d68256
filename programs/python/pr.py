"""PageRank by residuals and a worklist.

Algorithm: every node holds a score and a residual, which is what its score still lacks (or has too much). A node
  with a large residual adds it to its score and gives its neighbours their shares; one whose residual thereby
  becomes large joins the worklist. In the end no residual is large, and all together are at most
  epsilon * (1 - damping).
  What all nodes get alike (the jumps, and the rank of nodes without arcs out, which goes to all nodes as in NetworkX)
  only scales all scores by one factor, so it is left open, and scores are divided by their sum at the end. That
  freedom is used to keep the residuals' sum near zero, by taking their mean from all of them when it has become
  large: they then shrink as fast as the walk mixes, and not by the damping alone.
Source: J. Whang, A. Lenharth, I. Dhillon and K. Pingali, Scalable data-driven PageRank in shared memory,
  Euro-Par 2015.
Complexity: O(m * log(epsilon) / log(damping)) work at most.
Answer: double; the differences from the exact ranks, over all nodes, sum to about epsilon at most. The tolerance is
  four times that for the default; below 1e-12 epsilon counts as that. Checked by stationary_rank.
"""

from __future__ import annotations

import irgl
from irgl import node, worklist


@irgl.graph
class Graph:
    pagerank: node[float] = 0
    residual: node[float] = 0


excess = irgl.scalar(float, 0)
held = irgl.scalar(float, 0)


@irgl.kernel
def start_even(g: Graph, damping: float, start: float):
    global excess
    for n in g.nodes:
        n.pagerank = start
        n.residual += -start
        excess += -start
        if n.degree > 0:
            part: float = damping * start / n.degree
            excess += damping * start
            for e in n.edges:
                e.dst.residual += part


@irgl.kernel
def shift_residuals(g: Graph, by: float, large: float, wl: worklist):
    for n in g.nodes:
        mine: float = n.residual + by
        n.residual = mine
        if abs(mine) >= large:
            wl.push(n)


@irgl.kernel
def push_residual(g: Graph, damping: float, large: float, wl: worklist):
    global excess
    for i in wl.positions:
        n: node = wl.pop(i)
        mine: float = irgl.reduce.xchg(n.residual, 0).old
        if mine != 0:
            n.pagerank += mine
            excess += -mine
            if n.degree > 0:
                part: float = damping * mine / n.degree
                excess += damping * mine
                for e in n.edges:
                    before: float = irgl.reduce.add(e.dst.residual, part).old
                    if abs(before) < large and abs(before + part) >= large:
                        wl.push(e.dst)


@irgl.kernel
def settle_rest(g: Graph):
    global held
    for n in g.nodes:
        settled: float = n.pagerank + n.residual
        n.pagerank = settled
        held += settled


@irgl.kernel
def scale_scores(g: Graph, sum: float):
    for n in g.nodes:
        n.pagerank = n.pagerank / sum


@irgl.program
def pr(g: Graph, damping: float = 0.85, epsilon: float = 1e-6):
    irgl.verify("stationary_rank", ranks=Graph.pagerank, damping=damping)
    irgl.tolerance(4e-6)
    global excess
    if g.num_nodes == 0:
        return
    if not (damping >= 0 and damping < 1):
        print("the damping must be at least 0 and less than 1")
        return
    whole: float = g.num_nodes
    large: float = max(1e-12, min(epsilon, 1.0)) * (1.0 - damping) / whole
    start_even(g, damping, 1.0 / whole)
    with irgl.pipe(once=True):
        by: float = -excess / whole
        excess = 0
        shift_residuals(g, by, large)
        with irgl.pipe():
            push_residual(g, damping, large)
            if abs(excess) >= 0.25 * large * whole:
                by = -excess / whole
                excess = 0
                shift_residuals(g, by, large)
    settle_rest(g)
    scale_scores(g, held)
