"""Random walks of a fixed length, from every node or from some: how often each node is visited, and where walks end.

Algorithm: each walk takes its steps by itself, each along one of its node's edges, all of which are equally likely.
  Which one is a hash of the seed, the walk's number and the step's: so a walk draws the same numbers wherever, and
  beside whichever others, it runs. Where there is no edge out, it ends early. With walks = k there are k: walk i begins
  at node i * n / k, or where there are more than nodes at node i mod n; with 0 there is one from each node.
Source: K. Pearson, The problem of the random walk, Nature 72, 1905; numbers by counters as in J. Salmon, M. Moraes,
  R. Dror and D. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011, here of splitmix64 (G. Steele, D. Lea
  and C. Flood, OOPSLA 2014).
Complexity: O(walks * length) work.
Answer: integers and nodes, the same on every target; walk_seed gives others. Where several walks begin at a node,
  last_stop is that of the first of them. Checked by walk_visits.
"""

from __future__ import annotations

import irgl
from irgl import node


@irgl.graph
class Graph:
    visits: node[irgl.long] = 0
    last_stop: node[node] = None


@irgl.kernel
def walk_on(g: Graph, count: irgl.long, length: irgl.long, walk_seed: irgl.long):
    for i in range(count):
        start: node = g.node(i * g.num_nodes / count if count <= g.num_nodes else i % g.num_nodes)
        stream = irgl.long(irgl.hash(walk_seed * 4294967296 + i)) * 4294967296  # 2^32
        here = start
        here.visits += 1
        steps: irgl.long = 0
        while steps < length and here.degree > 0:
            draw = irgl.long(irgl.hash(stream + steps))
            here = here.edges[draw * here.degree >> 32].dst
            here.visits += 1
            steps += 1
        if i < g.num_nodes:
            start.last_stop = irgl.racy(here)  # nobody else begins there


@irgl.program
def random_walks(g: Graph, walks: irgl.long = 0, length: irgl.long = 10, walk_seed: irgl.long = 1):
    irgl.verify("walk_visits", visits=Graph.visits, ends=Graph.last_stop, walks=walks, length=length, seed=walk_seed)
    if g.num_nodes > 0:
        walk_on(g, walks if walks > 0 else g.num_nodes, length, walk_seed)
