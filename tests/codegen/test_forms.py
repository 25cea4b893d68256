"""Generated code asks forms of edges for places, ends, degrees and numbers, and knows nothing of their layout."""

from __future__ import annotations

import re

import pytest
from support.places import ROOT

from irgl import driver
from irgl.plan import Plan

LAYOUT = re.compile(r"\b(cols|row|in_cols|in_row|in_eid|eid)\b")
#: Where the words are only those that a program's names must not hide.
RESERVED = "irgl/codegen/cxx/names.py"

ASKS = """\
graph Graph { node int p = 0; node int q = 0; edge int w; edge int back = 0; }
Kernel k(Graph g, list<node> some, list<edge> those) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      e.dst.p += e.w;
      e.back = (int)e.reverse.id;
    }
    ForAll (e In n.in_edges) {
      n.q += e.src.p + e.w + (int)(e.dst == n);
    }
    if (n.degree > n.in_degree && n.edges[0].dst != n) {
      some.push(n);
    }
  }
  ForAll (n In some.items) {
    For (m In n.neighbors) {
      m.q += common(n, m) + (int)(n.edge_to(m) == NONE);
    }
    For (e In n.in_edges) {
      those.push(e);
    }
  }
  ForAll (e In those.items) {
    e.src.p min= e.dst.q;
  }
}
Program main(transpose undirected Graph g) {
  list<node> some;
  list<edge> those;
  Invoke k(g, some, those);
  For (n In g.nodes) {
    n.q += (int)n.degree;
  }
}
"""


@pytest.mark.parametrize("path", sorted(
    str(p.relative_to(ROOT)) for room in ("codegen", "passes") for p in (ROOT / "irgl" / room).rglob("*")
    if p.suffix in (".py", ".j2")))
def test_neither_generators_nor_passes_name_the_arrays_of_a_form(path: str) -> None:
    code = re.sub(r'(?s)""".*?"""|#[^\n]*', "", (ROOT / path).read_text(encoding="utf-8"))
    assert path == RESERVED or LAYOUT.findall(code) == []


@pytest.mark.parametrize(("target", "plan"), [
    ("cpu", "default"), ("cpu", "prefetch=8"), ("cuda", "default"), ("cuda", "np=fg+wp+tb cc=block outline=all"),
])
def test_a_unit_that_asks_everything_of_edges_names_no_array(target: str, plan: str) -> None:
    unit = driver.compile("p.irgl", text=ASKS, target=target, plan=Plan.parse(plan, target))
    assert LAYOUT.findall(re.sub(r"//[^\n]*|#line[^\n]*", "", unit.text)) == []
    for word in ("edges", "degree", "other", "id"):
        assert f"irgl::{word}(" in unit.text
