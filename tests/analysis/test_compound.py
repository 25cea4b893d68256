"""`X *= v` and its like on properties, scalars, elements, fields: a load and a store of what nobody else may touch."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.checking import kernel, over_nodes
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

TEXT = """import "array.irgl";
struct Pair { int a; double b; };
graph Graph { node int p = 7; node double x = 3; node long y = 1; node lock l; edge unsigned q = 9; }
long s = 100;

Kernel k(Graph g, array<int> a) {
  ForAll (n In g.nodes) {
    n.p *= (int)n.id + 1;
    n.p <<= 2;
    n.p %= 10;
    n.x /= 2 + n.id;
    n.x *= -1;
    a[n.id] >>= 1;
    ForAll (e In n.edges) { e.q /= 2; e.q *= 3; }
  }
  s *= 2;
  Pair both = (Pair){3, 4};
  both.a += 2;
  both.b /= both.a;
  s += (long)(10 * both.b);
}

Kernel held(Graph g) { ForAll (n In g.nodes) { node m = g.node(2); Atomic (m.l) { m.y *= 2; } } }

Program main(Graph g, node src = first) {
  array<int> a;
  a.resize(3);
  for (long i = 0; i < 3; i++) { a[i] = 5; a[i] *= (int)i; }
  Invoke k(g, a);
  Invoke held(g);
  src.x *= 4;
  s /= 3;
  s -= a[2];
}
"""
GRAPH = Graph(np.array([0, 2, 3, 3], np.int32), np.array([1, 2, 0], np.int32), None)


@pytest.mark.parametrize(("target", "plan"), [("cpu", "none"), ("simt", "none"), ("simt", "default")])
def test_each_gives_what_the_operator_gives(target: str, plan: str) -> None:
    for left in found_and_wanted(TEXT, plan, target, GRAPH):
        assert left.properties["p"] == [(7 * (i + 1) << 2) % 10 for i in range(3)]
        assert left.properties["x"] == [-3 / (2 + i) * (4 if i == 0 else 1) for i in range(3)]
        assert left.properties["y"] == [1, 1, 8]
        assert left.properties["q"] == [12] * 3
        assert left.scalars["s"] == 208 // 3 - (10 >> 1)


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_the_code_is_that_of_the_operator_written_out(target: str) -> None:
    out = re.sub(r"([\w.\[\]]+) (\*|/|%|<<|>>)= ([^;]+);", r"\1 = \1 \2 (\3);", TEXT)
    out = out.replace("both.a += 2;", "both.a = both.a + 2;")
    assert out.count(" = n.p ") == 3
    units = [driver.compile("t.irgl", target=target, plan=Plan.parse("none", target), text=t).text for t in (TEXT, out)]
    code = [re.sub(r"(?m)^#line.*\n|^//.*\n|[()]|\b\d+\b", "", u) for u in units]
    assert code[0] == code[1]


@pytest.mark.parametrize(
    "body",
    ["n.up.label *= 2;", "ForAll (e In n.edges) { n.label /= 2; }", "high <<= 1;",
     "For (e In n.edges) { e.dst.score *= 2; }"],
)
def test_what_other_iterations_may_update_too_is_refused(body: str) -> None:
    with pytest.raises(IrglError, match="which is no atomic update"):
        kernel(over_nodes(body))


@pytest.mark.parametrize("body", ["g.node(0).label *= 2;", "bool b = (n.label *= 2).changed;"])
def test_what_stands_for_more_than_a_location_is_refused(body: str) -> None:
    with pytest.raises(IrglError, match="no atomic update"):
        kernel(over_nodes(body))


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_division_by_zero_is_told_where_it_stands(target: str) -> None:
    text = ("graph Graph { node int p = 1; }\nKernel k(Graph g) {\n  ForAll (n In g.nodes) { n.p /= (int)n.id; }\n}\n"
            "Program main(Graph g) { Invoke k(g); }\n")
    with pytest.raises(IrglError, match=r":3:27: .*division by zero"):
        outcome(text, "none", target, GRAPH)
