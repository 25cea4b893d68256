"""What generated CPU code asks memory for ahead of its turn: the rows of a list's items, and what is read of edges."""

from __future__ import annotations

import pytest

from irgl import driver

TEXT = """
graph Graph {{
  node int level = INF;
  edge int length;
  edge double toll = 0.5;
}}

Kernel step(Graph g) WL list<node> {{
  ForAll (n In WL.items) {{
    ForAll (e In n.{edges}) {{
      {body}
    }}
  }}
}}

Program one(Graph g, node src = first) {{
  Iterate step(g) Initial [src] {{
  }}
}}
"""


@pytest.mark.parametrize(("edges", "body", "asked"), [
    ("edges", "e.dst.level min= 3;", ""),
    ("edges", "e.dst.level min= e.length + (int)e.toll + e.length;", ", g.length, g.toll"),
    ("in_edges", "e.src.level min= e.length + (int)e.toll;", ", g._in_length"),  # tolls lie by the edges' own numbers
])
def test_a_loop_over_a_list_asks_for_the_edge_properties_that_it_reads(edges: str, body: str, asked: str) -> None:
    text = driver.compile("one.irgl", text=TEXT.format(edges=edges, body=body)).text
    assert f"irgl::by_degree(g.{'in' if edges == 'in_edges' else 'out'}(), wl.items(){asked})" in text
