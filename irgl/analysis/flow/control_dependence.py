"""Control dependence: which decisions say whether a point of a kernel is executed.

N depends on an edge out of a branch B when N is met on every way that begins with this edge, and not on every way from
B (J. Ferrante, K. Ottenstein and J. Warren, The program dependence graph and its use in optimization, 1987). Edges have
dependences too, as if a statement stood on each: a collective stands on an edge.
"""

from __future__ import annotations

from irgl.analysis.flow.cfg import Cfg, Edge, Vertex
from irgl.analysis.flow.dominance import dominance

#: What can depend on a decision, and where something can stand.
Point = Vertex | Edge

#: For each point the edges out of branches that it depends on directly.
Dependences = dict[Point, frozenset[Edge]]


def control_dependence(cfg: Cfg) -> Dependences:
    """The direct control dependences of every vertex and every edge."""
    backwards: dict[Point, list[Point]] = {v: list(cfg.into[v]) for v in cfg.vertices}
    backwards |= {e: [e.source] for e in cfg.edges}
    parent = dominance(cfg.exit, backwards).parent
    found: dict[Point, set[Edge]] = {p: set() for p in backwards}
    for branch in cfg.branches:
        for edge in cfg.out[branch]:
            at: Point = edge
            while at is not parent[branch]:
                found[at].add(edge)
                at = parent[at]
    return {p: frozenset(edges) for p, edges in found.items()}


def deciders(direct: Dependences) -> dict[Point, frozenset[Vertex]]:
    """The branches that each point depends on iteratively: its own, theirs, and so on."""
    found: dict[Point, frozenset[Vertex]] = {}
    for point, edges in direct.items():
        seen: set[Vertex] = set()
        stack = [e.source for e in edges]
        while stack:
            branch = stack.pop()
            if branch not in seen:
                seen.add(branch)
                stack += [e.source for e in direct[branch]]
        found[point] = frozenset(seen)
    return found
