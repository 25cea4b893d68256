"""A program of a priority queue in which nodes fall by sums: each time that one of their neighbours runs, by one."""

from __future__ import annotations

KERNELS = """graph Graph { node int left = 0; node int runs = 0; }
int turns = 0;
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.left = (int)n.degree; } }
Kernel peel(Graph g) WL priority_queue<node>(left) {
  ForAll (n In WL.items) {
    n.runs += 1;
    ForAll (e In n.edges) { WL.update_sum(e.dst, -1, WL.priority); }
  }
}
"""
PEEL = KERNELS + """Program main(Graph g) { Invoke begin(g); Iterate peel(g) Initial (g.nodes) { turns++; } }
"""
