"""For over items that the device holds, by the host and by a kernel's thread: what the interpreter says."""

from __future__ import annotations

import pytest
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram
from support.simt_batch import compared

HEAD = """import "append_only_list.irgl";
graph Graph { node int a = 0; node int b = 7; edge int w; }
struct Pair { int first; long second; };
long s = 0;
long t = 0;
"""
NAMES = from_arcs(40, [(v, v + 1, v % 7) for v in range(39)])
EMPTY = from_arcs(0, [])
ONE = from_arcs(1, [])
GRAPHS = {"none": EMPTY, "one": ONE, "many": NAMES}
#: A kernel that fills l with every second node; and the host's sum over it, in which an item counts once.
FILL = """Kernel fill(Graph g, {0} l) {{ ForAll (n In g.nodes) {{ if (n.id % 2 == 0) {{ l.{1}(n); }} }} }}
Program entry(Graph g) {{
  {0} l;
  Invoke fill(g, l);
  For (n In l.items) {{ s += n.id * n.id + n.b; n.a = n.a + 1; }}
  t = l.size;
}}
"""


def wrong(text: str, plan: str = "", *, graph: SmallGraph = NAMES) -> str:
    """What the emulator complains of, or what it finds otherwise than the interpreter; '' for nothing."""
    return compared(RandomProgram(HEAD + text, graph, {}), f"block=32 {plan}")


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize(("kind", "push"), [
    ("list<node>", "push"), ("set<node>", "push"), ("bitmap<node>", "push"), ("bytemap<node>", "push"),
    ("AppendOnlyList<node>", "append")])
def test_the_host_walks_what_a_kernel_has_filled(kind: str, push: str, graph: SmallGraph) -> None:
    assert wrong(FILL.format(kind, push), graph=graph) == ""


def test_the_host_walks_a_list_that_has_spilled() -> None:
    assert wrong("""
Kernel fill(Graph g, list<node> l) {
  ForAll (n In g.nodes) { int j = 0; while (j < 5) { l.push(n); j++; } }
}
Program entry(Graph g) { list<node> l; Invoke fill(g, l); For (n In l) { node m = l.pop(n); s += m.id; } }""") == ""


def test_the_host_walks_structs() -> None:
    assert wrong("""
Kernel fill(Graph g, list<Pair> l) { ForAll (n In g.nodes) { l.push((Pair){n.b, n.id * n.id}); } }
Program entry(Graph g) { list<Pair> l; Invoke fill(g, l); For (p In l.items) { s += p.second + p.first; } }""") == ""


def test_the_host_may_break_and_continue() -> None:
    assert wrong("""
Program entry(Graph g) {
  bitmap<node> l;
  For (n In g.nodes) { l.push(n); }
  For (n In l.items) { if (n.id == 3) { continue; } if (n.id > 9) { break; } s += n.id; }
}""") == ""


def test_a_loop_in_a_loop_walks_the_same_list() -> None:
    assert wrong("""
Program entry(Graph g) {
  list<node> l;
  For (n In g.nodes) { l.push(n); }
  For (n In l.items) { For (m In l.items) { s += n.id < m.id; } }
}""") == ""


@pytest.mark.parametrize("loop", ["For", "ForAll"])
@pytest.mark.parametrize(("kind", "push"), [
    ("list<node>", "push"), ("set<node>", "push"), ("bitmap<node>", "push"), ("bytemap<node>", "push"),
    ("AppendOnlyList<node>", "append")])
def test_a_thread_walks_what_a_kernel_before_has_filled(kind: str, push: str, loop: str) -> None:
    assert wrong(f"""
Kernel fill(Graph g, {kind} l) {{ ForAll (n In g.nodes) {{ if (n.id % 3 == 0) {{ l.{push}(n); }} }} }}
Kernel use(Graph g, {kind} l) {{ ForAll (n In g.nodes) {{ {loop} (m In l.items) {{ n.a += (int)m.id; }} }} }}
Program entry(Graph g) {{ {kind} l; Invoke fill(g, l); Invoke use(g, l); }}""") == ""


#: Both arcs of each edge, as `undirected simple` promises.
EDGES = from_arcs(9, [(a, b, 3 * min(a, b) + max(a, b)) for a in range(9) for b in range(9)
                      if a != b and (a + b) % 4 != 0])


def test_an_oriented_graph_has_the_weights_of_its_edges() -> None:
    assert wrong("""
Kernel weigh(Graph h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { s += e.w * (e.dst.id + 1); t += 1; } } }
Program entry(undirected simple Graph g) { Graph h = oriented(g); Invoke weigh(h); }""", graph=EDGES) == ""


@pytest.mark.parametrize("outline", ["off", "all"])
def test_room_is_made_by_the_graph_whose_nodes_are_walked(outline: str) -> None:
    assert wrong("""
Kernel heads(Graph h, Graph g, list<int> l) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) { l.push((int)e.dst.id); } }
  }
Program entry(undirected simple Graph g) {
  Graph h = oriented(g);
  list<int> l;
  Pipe Once { Invoke heads(h, g, l); Invoke heads(h, g, l); }
  For (x In l.items) { s += x; }
  t = l.size;
}""", f"outline={outline}", graph=EDGES) == ""
