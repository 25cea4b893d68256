"""The option frontier on GPUs: lists and sets as bits and bytes of nodes, that answers stay, and what is refused."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, grid, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError
from irgl.space import legal_space

LIST = """
graph Graph { node int level = INF; }
long visits = 0;
Kernel step(Graph g, int depth) WL unique list<node> {
  ForAll (n In WL.items) {
    visits += 1;
    ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } }
  }
}
Program main(Graph g, node s = first) {
  s.level = 0; int depth = 1;
  Iterate step(g, depth) Initial [s] { depth++; }
}
"""
#: Two sets that are swapped, emptied, asked and given back.
SETS = """
graph Graph { node int level = INF; node int near = 0; }
long visits = 0; long size = 0;
Kernel step(Graph g, int depth, set<node> now, set<node> later, set<node> seen) {
  ForAll (n In now.items) {
    visits += 1;
    ForAll (e In n.edges) { if (relaxed e.dst.level == INF) { racy e.dst.level = depth; later.push(e.dst); } }
    ForAll (e In n.edges) { if (seen.contains(e.dst)) { n.near += 1; } }
  }
}
Kernel add(Graph g, set<node> now, set<node> seen) { ForAll (n In now.items) { seen.push(n); } }
Program main(Graph g, node s = first) {
  set<node> now; set<node> later; set<node> seen; now.push(s); s.level = 0; int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later, seen);
    Invoke add(g, now, seen);
    now.swap(later);
    size = size * 3 + now.size;
    depth++;
  }
  size += 1000000 * seen.size;
}
"""
GRAPHS = {"streets": grid(9), "arcs": random_arcs(3, 90, 240), "apart": random_arcs(4, 50, 20), "one": directed(1, []),
          "no word's end": directed(33, [(k, (7 * k + 3) % 33) for k in range(33)])}
PLANS = ["block=32", "block=32 outline=off", "block=64 np=even", "block=32 direction=hybrid switch=nodes:1/4",
         "block=32 direction=pull member=bitmap", "block=32 format=coo", "block=64 np=cut unroll=2", "outline=graph"]


@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
@pytest.mark.parametrize("text", [LIST, SETS], ids=["a list", "sets"])
def test_a_bit_or_a_byte_for_each_node_leaves_what_lists_leave(text: str, kind: str) -> None:
    for k, (name, graph) in enumerate(GRAPHS.items()):
        for plan in PLANS[k % 2 :: 2]:
            found, wanted = found_and_wanted(text, f"{plan} frontier={kind}", "simt", graph)
            assert found == wanted, (name, plan)


@pytest.mark.parametrize("seed", [2, 3, 4])
@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
def test_the_order_of_threads_makes_no_difference_to_bits_and_bytes(kind: str, seed: int) -> None:
    plans = (f"block=32 frontier={kind}", "block=32 outline=off")
    one, other = (outcome(SETS, plan, "simt", GRAPHS["arcs"], seed=seed).result.scalars for plan in plans)
    assert one == other


def test_what_is_pushed_into_bytes_takes_no_atomics_and_no_room() -> None:
    listed, bytes_of = (outcome(LIST, plan, "simt", GRAPHS["arcs"], mode="lockstep").stats
                        for plan in ("cc=off frontier=list", "cc=off frontier=bytemap"))
    assert bytes_of["atomics"] < listed["atomics"]


def test_a_form_that_is_swept_asks_whether_a_node_is_in_the_frontier() -> None:
    arcs: Graph = GRAPHS["arcs"]
    swept = outcome(LIST, "frontier=bitmap step.loop1.loop1.format=coo", "simt", arcs)
    assert swept.result.scalars == outcome(LIST, "frontier=list", "simt", arcs).result.scalars


@pytest.mark.parametrize(("text", "kinds"), [
    (LIST, ("list", "bitmap", "bytemap", "either")), (SETS, ("list", "bitmap", "bytemap", "either")),
    (LIST.replace("unique ", ""), ("list",))])
def test_what_lists_may_be_on_a_gpu(text: str, kinds: tuple[str, ...]) -> None:
    found = [c for c in legal_space(driver.ready("p.irgl", text).checked.program, "simt") if c.option == "frontier"]
    assert [c.values for c in found if not c.place] == [kinds]


@pytest.mark.parametrize(("plan", "message"), [
    ("frontier=queue", "`frontier=queue`: it takes list, bitmap, bytemap, either"),
    ("step.loop2.frontier=bitmap", "which is no place for it"),
    ("frontier=bitmap step.cc=warp", "which is no place for it")])
def test_what_is_refused_of_lists_on_a_gpu(plan: str, message: str) -> None:
    with pytest.raises(IrglError) as raised:
        outcome(LIST, plan, "simt", GRAPHS["one"])
    assert message in raised.value.message
