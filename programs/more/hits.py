"""Hubs and authorities (HITS): good hubs point to good authorities, and these are pointed to by good hubs.

Algorithm: the power iteration. A node's authority is the sum of the hub values of those that point to it, its hub value
  the sum of the authorities that it points to, each divided by their sum over all nodes. Both sums are pulled, so that
  no atomics are needed. It ends when the hub values change by less than epsilon in all, or after max_iterations.
Source: J. Kleinberg, Authoritative sources in a hyperlinked environment, J. ACM 46, 1999.
Complexity: O(n + m) an iteration; log(epsilon) / log(q) iterations, q being the square of the quotient of the second
  and the first singular value of the adjacency matrix.
Answer: double; both sum to 1, or are 0 where there is no arc. What the iteration comes to from even hub values, as in
  NetworkX, where several answers are possible. `change` is what the last iteration changed: above epsilon it was
  stopped by max_iterations. The tolerance is that of the equations, in the sum of absolute differences: where the first
  two singular values are near each other, scores may be further off. Checked by hubs_and_authorities.
"""

from __future__ import annotations

import irgl
from irgl import node


@irgl.graph
class Graph:
    hubness: node[float] = 0
    authority: node[float] = 0
    next_hubness: node[float] = 0


change = irgl.scalar(float, 0)
iterations = irgl.scalar(int, 0)
all_hubs = irgl.scalar(float, 0)
all_authorities = irgl.scalar(float, 0)


@irgl.kernel
def begin_even(g: Graph, start: float):
    for n in g.nodes:
        n.hubness = start


@irgl.kernel
def pull_authorities(g: Graph):
    global all_authorities
    for n in g.nodes:
        sum: float = 0
        for e in n.in_edges:
            sum += e.src.hubness
        n.authority = sum
        all_authorities += sum


@irgl.kernel
def pull_hubs(g: Graph):
    global all_hubs
    for n in g.nodes:
        sum: float = 0
        for e in n.edges:
            sum += e.dst.authority
        n.next_hubness = sum
        all_hubs += sum


@irgl.kernel
def settle_hubs(g: Graph, whole: float):
    global change
    for n in g.nodes:
        share: float = n.next_hubness / whole
        change += abs(share - n.hubness)
        n.hubness = share


@irgl.kernel
def scale_authorities(g: Graph, whole: float):
    for n in g.nodes:
        n.authority = n.authority / whole


@irgl.program
def hits(g: Graph[irgl.transpose], epsilon: float = 1e-8, max_iterations: int = 1000):
    irgl.verify("hubs_and_authorities", hubs=Graph.hubness, authorities=Graph.authority)
    irgl.tolerance(1e-6)
    global all_authorities, all_hubs, change, iterations
    if g.num_edges == 0:
        return
    begin_even(g, 1.0 / g.num_nodes)
    while irgl.do_while(change >= epsilon and iterations < max_iterations):
        all_authorities = 0
        pull_authorities(g)
        all_hubs = 0
        pull_hubs(g)
        change = 0
        settle_hubs(g, all_hubs)
        iterations += 1
    scale_authorities(g, all_authorities)
