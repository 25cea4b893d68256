"""Loops that run as one kernel and take what an invocation returns: in tests, variables and conditions."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl.analysis.check import check
from irgl.analysis.flow.outline import outline_trees
from irgl.frontends.text.load import load_text

#: Values of kernels that push and of some that don't, and invocations that change a value that nobody takes.
TEXT = """
graph Graph { node int v = 0; }
long turns = 0;
int found = 0;
Kernel rise(Graph g, int to) {
  ForAll (n In g.nodes) { if (n.v < to) { n.v += 1; ReduceAndReturn(true); } else { ReduceAndReturn(false); } }
}
Kernel grow(Graph g, list<node> l, int to) {
  ForAll (n In g.nodes) { if (n.v < to) { n.v += 1; l.push(n); } ReduceAndReturn(n.v < to); }
}
Kernel all_of(Graph g, int least) { ForAll (n In g.nodes) { ReduceAndReturn(n.v >= least); } }
Program main(Graph g) {
  list<node> l;
  Iterate While Any rise(g, 3) { Invoke rise(g, 4); }
  while (Any(Invoke rise(g, 5))) { turns += 1; if (turns == 3) { continue; } turns += 10; }
  do {
    turns += 100;
    if (turns > 5000) { break; }
    if (turns % 2 == 0) { turns += 1; continue; }
  } while (Any(Invoke grow(g, l, 9)));
  for (int i = 0; i < 3; i++) {
    bool b = Any(Invoke grow(g, l, 12 + i));
    bool c = false;
    c = !All(Invoke all_of(g, 11 + i));
    found += b + 2 * c;
    Invoke rise(g, 16);
    if (!Any(Invoke rise(g, 20))) { turns += 1000; }
    else { turns += l.size; if (All(Invoke all_of(g, 13))) { turns += 7; break; } }
  }
}
"""
GRAPHS = {"path": directed(80, [(k, k + 1) for k in range(79)]), "arcs": random_arcs(3, 40, 90), "one": directed(1, []),
          "empty": directed(0, [])}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("plan", ["", "outline=off", "block=32 blocks=3", "outline=graph block=64"])
def test_a_value_is_the_same_on_the_device_as_on_the_host(plan: str, graph: object) -> None:
    found, wanted = found_and_wanted(TEXT, plan, "simt", graph)  # type: ignore[arg-type]
    assert found == wanted


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_no_invocation_changes_a_value_that_others_still_read(seed: int) -> None:
    plans = ("block=32 blocks=4", "outline=off")
    one, other = (outcome(TEXT, plan, "simt", GRAPHS["path"], seed=seed).result.scalars for plan in plans)
    assert one == other


def refusals(inside: str) -> list[tuple[str, str]]:
    kernels = TEXT[:TEXT.index("Program")]
    (root,) = outline_trees(check(load_text(f"{kernels} Program main(Graph g) {{ while (turns < 9) {{ {inside} }} }}")))
    return [(r.reason, r.remedy) for n in root.walk() for r in n.refusals]


@pytest.mark.parametrize("inside", [
    "bool b = Any(Invoke rise(g, 2));", "bool b = false; b = !All(Invoke rise(g, 2));",
    "if (Any(Invoke rise(g, 2))) { turns += 1; }", "do { turns += 1; } while (!All(Invoke rise(g, 2)));",
])
def test_a_statement_that_takes_a_value_whole_may_move(inside: str) -> None:
    assert refusals(inside) == []


@pytest.mark.parametrize("inside", [
    "turns += Any(Invoke rise(g, 2));", "if (turns > 3 && Any(Invoke rise(g, 2))) { turns += 1; }",
    "for (int i = 0; Any(Invoke rise(g, i)); i++) { turns += 1; }",
])
def test_a_value_inside_of_a_larger_expression_is_the_hosts(inside: str) -> None:
    assert refusals(inside) == [("the host takes the value of an Invoke inside of a larger expression",
                                 "take it into a variable of its own")]
