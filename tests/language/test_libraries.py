"""Library types behave the same in the interpreter and on the CPU target."""

from __future__ import annotations

import pytest
from support.agreement import disagreements
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram

GRAPH = from_arcs(40, [(n, (n * 7 + k) % 40, n % 5 + 1) for n in range(40) for k in range(n % 4)])
HEAD = 'import "array.irgl"; import "append_only_list.irgl"; import "mesh.irgl"; int a = 0; int b = 0; int c = 0;\n'
HEAD += "graph Graph { node int p = 0; node lock guard; edge int w; }\n"
PROGRAMS = {
    "array elements are reduced into": """
      Kernel k(Graph g, array<int> sums) { ForAll (e In g.edges) { sums[e.dst.id] += e.w; } }
      Kernel m(Graph g, array<int> sums) { ForAll (e In g.edges) { sums[e.src.id] max= 3; } }
      Kernel l(Graph g, array<int> sums) { ForAll (n In g.nodes) { n.p = sums[n.id]; } }
      Program p(Graph g) { array<int> sums; sums.resize(g.num_nodes);
        Invoke k(g, sums); Invoke m(g, sums); Invoke l(g, sums);
        a = (int)sums.size; }
    """,
    "appended elements come after those of resize": """
      Kernel k(Graph g, array<long> all) { ForAll (n In g.nodes) { For (i In range(50)) { all.append(n.id); } } }
      Kernel l(Graph g, array<long> all) { ForAll (x In all.items) { a += (int)x; b += 1; } }
      Program p(Graph g) { array<long> all; all.resize(3); all[2] = 7; Invoke k(g, all); Invoke l(g, all);
        c = (int)all.size; all.resize(2); c += 10000 * (int)all.size; all.resize(5); c += (int)all[4]; }
    """,
    "arrays of nodes start with NONE": """
      Program p(Graph g) { array<node> who; who.resize(2); if (who[1] == NONE) a = 1;
        who[1] = g.node(3); b = (int)who[1].degree; }
    """,
    "lists only grow": """
      Kernel k(Graph g, AppendOnlyList<node> l) { ForAll (n In g.nodes) { if (n.degree > 1) l.append(n); } }
      Kernel m(Graph g, AppendOnlyList<node> l) { ForAll (n In l.items) { n.p += 1;
        ForAll (e In n.edges) { a += e.w; } } }
      Program p(Graph g) { AppendOnlyList<node> l; for (int i = 0; i < 60; i++) { Invoke k(g, l); }
        Invoke m(g, l); b = (int)l.size; }
    """,
    "a mesh grows inside a loop": """
      Kernel split(Graph g, Mesh m) { ForAll (t In m.triangles) {
          long x = m.add_point((double)t, 0.5);
          bool done = false;
          while (!done) { Exclusive (m, [t]) {
              m.remove(t); m.add_triangle(m.point(t, 0), m.point(t, 1), x); done = true; } } } }
      Kernel count(Graph g, Mesh m) { ForAll (t In m.triangles) { a += 1; b += (int)(m.x(m.point(t, 2)) * 2.0);
          for (int k = 0; k < 3; k++) { if (m.neighbour(t, k) >= 0) c += 1; } } }
      Program p(Graph g) { Mesh m; for (int i = 0; i < 100; i++) { m.add_point((double)i, (double)(i % 3)); }
        for (int i = 0; i + 2 < 100; i++) { m.add_triangle(i, i + 1, i + 2); }
        m.connect(); Invoke count(g, m); Invoke split(g, m); Invoke count(g, m); m.connect(); Invoke count(g, m);
        a += 1000 * (int)m.num_triangles; b += (int)m.side_at(3, 4, 5) + 10 * (int)m.side_to(3, 4); }
    """,
}


def test_library_types_agree_with_the_interpreter() -> None:
    assert disagreements([RandomProgram(HEAD + text, GRAPH, {}) for text in PROGRAMS.values()]) == []


@pytest.mark.parametrize("items", ["pile.items", "m.triangles"])
def test_until_ends_where_every_position_is_a_hole(items: str) -> None:
    text = f"""
      Kernel k(Graph g, bitmap<node> pile, Mesh m) {{ ForAll (x In {items}) {{ ReduceAndReturn(false); }} }}
      Program p(Graph g) {{ bitmap<node> pile; Mesh m; m.add_point(0, 0); m.add_triangle(0, 0, 0); m.remove(0);
        Iterate Until Any k(g, pile, m) {{ a += 1; if (a == 5) break; }} }}
    """
    assert disagreements([RandomProgram(HEAD + text, GRAPH, {})]) == []
