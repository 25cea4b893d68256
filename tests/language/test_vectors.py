"""Properties of several values, `node double x[20];`: one by one in programs, as arrays of shape (n, 20) outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.everywhere import found_everywhere

import irgl
from irgl import builder as b
from irgl.analysis.check import check
from irgl.analysis.fingerprint import fingerprint
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import equal
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

ARCS = [(0, 1, 3), (0, 2, 1), (1, 2, 7), (2, 0, 2), (3, 1, 5), (3, 2, 4), (4, 4, 1)]
TEXT = """
graph Graph {
  node int count[3]; node long kept[4] = 7; node bool told[2]; node double share[5] = 0.5; node int won = 0;
  edge int weight;
}
long sum = 0;
int WIDTH = 5;
int third(Graph g, node n) { return n.count[2]; }
Kernel spread(Graph g) {
  ForAll (n In g.nodes) {
    for (int k = 0; k < WIDTH; k++) { n.share[k] *= 2 + k; }
    ForAll (e In n.edges) {
      e.dst.count[0] += e.weight;
      e.dst.count[1] max= e.weight;
      e.dst.count[e.weight % 2 * 2] -= 1;
      racy e.dst.told[1] = true;
      if (cas(e.dst.kept[3], 7, 9)) { e.dst.won += 1; }
    }
  }
}
Kernel gather(Graph g) {
  ForAll (n In g.nodes) {
    n.kept[0] = 0;
    ForAll (e In n.in_edges) {
      For (k In range(3)) { n.kept[k] += e.src.count[k] * (k + 1); }
    }
    sum += n.kept[0] + third(g, n) + n.told[0] + n.told[1];
  }
}
Program main(weighted Graph g, int at = 1) {
  Invoke spread(g);
  g.node(at).count[at] = 100;
  node zero = g.node(0);
  zero.share[2 * at] /= 4;
  Invoke gather(g);
}
"""


def test_each_value_is_a_place_of_its_own_everywhere() -> None:
    found = found_everywhere(TEXT, 5, ARCS, {"at": 1}, ["none", "direction=pull prefetch=8"],
                             ["none block=32", "np=wp+fg block=64"])
    count = np.zeros((5, 3), np.int32)
    for _, v, w in ARCS:
        count[v, 0] += w
        count[v, 1] = max(count[v, 1], w)
        count[v, w % 2 * 2] -= 1
    count[1, 1] = 100
    assert found.properties["count"].tolist() == count.tolist()
    assert found.properties["told"].tolist() == [[False, True]] * 3 + [[False, v == 4] for v in (3, 4)]
    assert found.properties["won"].tolist() == [1, 1, 1, 0, 1]
    assert found.properties["share"][1].tolist() == [1.0, 1.5, 2.0, 2.5, 3.0]


HOP = """
graph Graph { node int x[3]; }
Kernel hop(Graph g) {
  ForAll (n In g.nodes) { For (k In range(3)) { n.x[k] = (int)k; } }
  For (n In g.nodes) { g.node(n.x[1]).x[g.node(n.x[2]).x[0]] += g.node(g.node(n.x[1]).x[1]).x[2]; }
}
Program p(Graph g) { Invoke hop(g); }
"""


def test_a_value_may_say_whose_value_is_meant() -> None:
    found = found_everywhere(HOP, 3, [(0, 1, 1), (1, 2, 1)], {}, ["none"], [])
    assert found.properties["x"].tolist() == [[0, 1, 2], [6, 1, 2], [0, 1, 2]]


MOVED = """
graph Graph { node int x[2] = 1; }
long before = 0; long rounds = 0; int behind = 0;
Kernel count(Graph g) { ForAll (n In g.nodes) { rounds += 1; } }
Program p(Graph g) {
  For (n In g.nodes) { before += n.x[1]; }
  int i = 0;
  while (i < 3) { g.node(2).x[1] += 7; Invoke count(g); i += 1; }
  behind = g.node(2).x[1];
}
"""


def test_what_an_outlined_loop_stores_reaches_a_host_that_has_read_all_values() -> None:
    found = found_everywhere(MOVED, 100, [(0, 1, 1)], {}, [], ["outline=all", "outline=off"])
    assert found.properties["x"][2].tolist() == [1, 22]


PRODUCT = """
graph Graph { input node float h[4]; node float sum[4]; }
Kernel add(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.in_edges) { For (k In range(4)) { n.sum[k] += e.src.h[k]; } } }
}
Program main(Graph g) { Invoke add(g); }
"""


@pytest.mark.parametrize(("target", "plan"), [("ref", "none"), ("cpu", "none"), ("cpu", "order=degree"),
                                              ("simt", "none")])
def test_arrays_of_rows_come_in_and_out(target: str, plan: str) -> None:
    graph = nx.gnp_random_graph(30, 0.2, seed=3, directed=True)
    h = np.random.default_rng(1).integers(0, 9, (30, 4)).astype(np.float32)
    found = irgl.compile("product.irgl", text=PRODUCT, target=target, plan=plan)(graph, h=h)
    assert found.sum.dtype == np.float32
    assert found.sum.tolist() == (nx.to_numpy_array(graph).T @ h).tolist()


def product(graph: Any, **given: Any) -> Any:
    return irgl.compile("product.irgl", text=PRODUCT, target="ref")(graph, **given)


def test_rows_may_be_given_by_node() -> None:
    found = product(nx.DiGraph([("a", "b")]), h={"b": [1, 2, 3, 4], "a": [5, 6, 7, 8]})
    assert found.named("sum") == {"a": [0, 0, 0, 0], "b": [5, 6, 7, 8]}


@pytest.mark.parametrize("text", ["5 6 7 8\n1 2 3 4\n", "1,1,2,3,4\n0,5,6,7,8\n"])
def test_rows_may_be_lines_of_a_file(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "h.txt").write_text(text)
    (tmp_path / "product.irgl").write_text(PRODUCT)
    (tmp_path / "g.el").write_text("0 1\n")
    monkeypatch.chdir(tmp_path)
    words = ["run", "product.irgl", "--graph", "g.el", "--target", "ref"]
    assert exit_code([*words, "--h", "h.txt", "--out", "f.npz"]) == 0
    assert np.load("f.npz")["sum"].tolist() == [[0, 0, 0, 0], [5, 6, 7, 8]]


@pytest.mark.parametrize(("h", "told"), [
    (np.zeros(2), r"has the shape \(2,\): the graph `g` has 2 nodes, so that it takes \(2, 4\)"),
    (np.zeros((2, 3)), r"has the shape \(2, 3\)"),
    ({0: [1, 2, 3], 1: [1, 2, 3]}, r"is given values of the shape \(3,\) by node"),
    ([[1, 2, 3, 4], [1, 2, 3]], r"`h` is given values of several shapes"),
    ({0: [1, 2, 3, 4], 1: 2}, r"`h` is given values of several shapes"),
    ([[1, 2, 3, 1e300], [0, 0, 0, 0]], r"takes float values: value 0, 3 is 1e\+300, which fits no float"),
    (None, r"needs values for `h`: 4 float values for every node"),
])
def test_what_has_another_shape_is_refused(h: Any, told: str) -> None:
    with pytest.raises(IrglError, match=told):
        product(nx.DiGraph([(0, 1)]), h=h)


def test_where_the_text_tells_that_a_value_is_there_no_run_looks() -> None:
    text = irgl.compile("product.irgl", text=PRODUCT, target="cpu").manifest.text
    assert "g.sum[irgl::slot<4>(n, k)]" in text
    assert "slot<4>(c" not in text


def test_both_notations_print_and_read_them() -> None:
    program = load_text(TEXT)
    assert equal(load_text(dump(program)), program)
    assert "count: irgl.node[int, 3]" in dump_python(program)


def test_the_builder_makes_them() -> None:
    made = b.node_property("x", b.vector(b.FLOAT, 20), 0.5)
    assert dump(made) == "node float x[20] = 0.5"


def test_how_many_values_there_are_tells_programs_apart() -> None:
    three, four = (fingerprint(check(load_text(TEXT.replace("told[2]", f"told[{k}]")))) for k in (3, 4))
    assert three != four
