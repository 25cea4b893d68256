"""Loops that run as one kernel and fill lists themselves: push, update, and the layers of stack and unstack."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, grid, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

#: Two searches with a layer for each level, more of them than there is place for at first; layers that are exchanged,
#: lost by clear, and one more unstacked than there are; and a list that grows by pushes in the end.
TEXT = """
graph Graph { node int level = INF; node long order = 0; }
long total = 0;
long deep = 0;
Kernel step(Graph g, int depth, list<node> now, list<node> later) {
  ForAll (n In now.items) { ForAll (e In n.edges) { if (e.dst.level min= depth) { later.push(e.dst); } } }
}
Kernel weigh(Graph g, list<node> l, int by) {
  ForAll (i In l) { node n = l.pop(i); n.order += by; total += by * (n.id + 1); }
}
Program main(Graph g) {
  list<node> now; list<node> later; list<node> all; list<node> other;
  for (long i = 0; i < 2; i++) {
    node s = g.node(i % g.num_nodes);
    int depth = 1;
    now.clear(); now.push(s); now.push(g.node((i + now.size) % g.num_nodes));
    all.clear();
    while (now.size > 0 && depth < 70) {
      all.stack(now);
      if (depth == 2) { other.swap(all); all.swap(other); }
      later.clear();
      Invoke step(g, depth, now, later);
      now.swap(later);
      depth++;
    }
    deep += depth;
    if (i == 1) { other.swap(all); all.update(other); other.swap(all); }
    for (depth -= 1; depth > 0; depth--) {
      all.unstack(now);
      Invoke weigh(g, now, depth);
      total += all.size * 3;
    }
    all.unstack(later);
    deep += 1000 * all.size + 100000 * later.size;
  }
  while (deep % 2 == 0) { deep++; now.push(g.node(0)); now.push(g.node(0)); Invoke weigh(g, now, 2); }
}
"""
GRAPHS = {
    "path": directed(80, [(k, k + 1) for k in range(79)]), "streets": grid(5), "arcs": random_arcs(3, 40, 90),
    "one": directed(1, []),
}


def on_lists_of_one(plan: str, graph: Graph) -> dict[str, object]:
    """The scalars that a run leaves whose lists have room for one item at first."""
    chosen = Plan.parse(plan, "simt")
    manifest = open_program("text.irgl", chosen, text=TEXT)
    given = {"g": graph}
    ran = device.run(manifest, given, bind(manifest, given, {}), chosen, Options(worklist_capacity=1), mode="check")
    return dict(ran.result.scalars)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_layers_are_the_same_on_the_device_as_on_the_host(graph: Graph) -> None:
    for plan in ("", "outline=off", "block=32 blocks=3 np=fg", "block=32 main.for1.outline=off"):
        found, wanted = found_and_wanted(TEXT, plan, "simt", graph)
        assert found == wanted, plan


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_loop_leaves_for_room_wherever_it_fills_a_list(graph: Graph) -> None:
    assert on_lists_of_one("block=32 blocks=3", graph) == on_lists_of_one("outline=off", graph)


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_order_of_threads_makes_no_difference_to_layers(seed: int) -> None:
    plans = ("block=32 blocks=4", "outline=off")
    one, other = (outcome(TEXT, plan, "simt", GRAPHS["arcs"], seed=seed).result.scalars for plan in plans)
    assert one == other


def test_a_loop_of_layers_is_one_launch_however_many_there_are() -> None:
    streets, path = (outcome(TEXT, "", "simt", GRAPHS[name]).stats["launches"] for name in ("streets", "path"))
    assert path == streets


@pytest.mark.parametrize(("statement", "word"), [("l.push(g.node(0));", "push"), ("l.update(m);", "update"),
                                                 ("l.stack(m);", "stack"), ("l.unstack(m);", "unstack")])
def test_one_thread_between_kernels_of_a_graph_fills_no_lists(statement: str, word: str) -> None:
    text = f"""
graph Graph {{ node int v = 0; }}
int turns = 0;
Kernel rise(Graph g) {{ ForAll (n In g.nodes) {{ n.v += 1; }} }}
Program main(Graph g) {{
  list<node> l; list<node> m;
  while (turns < 2) {{ {statement} Invoke rise(g); turns += 1; }}
}}
"""
    with pytest.raises(IrglError) as raised:
        outcome(text, "main.while1.outline=graph", "simt", GRAPHS["one"])
    assert raised.value.message == ("`main.while1.outline=graph` can't be honoured: between kernels of a graph one "
                                    f"thread runs, and {word}() is done by many")
