"""Variables of a struct type that a ForAll updates by min= and max=: the same on every target."""

from __future__ import annotations

import pytest
from support.agreement import disagreements, interpreted
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram
from support.simt_batch import compared

from irgl.driver import front
from irgl.source import IrglError, Source

HEAD = """graph Graph { node int a = 0; node int b = 7; edge int w; }
struct Offer { int cost; node to; };
struct Wide { long cost; int to; };
struct Reach { float far; int most; };
long s = 0;
"""
GRAPHS = {"none": from_arcs(0, []), "one": from_arcs(1, [(0, 0, 3)]),
          "many": from_arcs(70, [(v * v % 70, (v * 31 + k) % 70, (v * 7 + k * 3) % 11)
                                 for v in range(70) for k in range(v % 5)])}
PROGRAMS = {
    "of an iteration": """
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    Offer best = (Offer){INF, NONE};
    ForAll (e In n.edges) { best min= (Offer){e.w, e.dst}; }
    n.a = best.cost;
    if (best.to != NONE) { n.b = (int)best.to.id; }
  }
}
Program entry(Graph g) { Invoke k(g); }""",
    "of a kernel": """
Kernel k(Graph g) {
  Reach all = (Reach){0, 0};
  ForAll (n In g.nodes) { all max= (Reach){n.degree, (int)n.id}; }
  ForAll (n In g.nodes) { n.a = all.most; n.b = (int)all.far; }
}
Program entry(Graph g) { Invoke k(g); }""",
    "in a loop under a condition": """
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    Offer best = (Offer){5, n};
    if (n.degree > 1) {
      ForAll (e In n.edges) { if (e.w > 2) { best min= (Offer){e.w, e.dst}; } }
    }
    n.a = best.cost + (int)best.to.id;
  }
}
Program entry(Graph g) { Invoke k(g); }""",
    "in a sequential loop": """
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    Offer worst = (Offer){-1, n};
    For (e In n.edges) { if ((worst max= (Offer){e.w, e.dst}).changed) { n.b += 1; } }
    n.a = worst.cost;
  }
}
Program entry(Graph g) { Invoke k(g); }""",
}


@pytest.mark.parametrize("graph", GRAPHS)
def test_the_cpu_agrees_with_the_interpreter(graph: str) -> None:
    assert disagreements([RandomProgram(HEAD + text, GRAPHS[graph], {}) for text in PROGRAMS.values()]) == []


@pytest.mark.parametrize("plan", ["none", "np=tb+wp+fg cc=block", "np=fg cc=warp", "np=wp cc=thread"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_gpu_agrees_with_the_interpreter(program: str, plan: str) -> None:
    for graph in GRAPHS.values():
        assert compared(RandomProgram(HEAD + PROGRAMS[program], graph, {}), f"{plan} block=64") == ""


def test_the_least_is_by_the_first_field_and_then_by_the_second() -> None:
    graph: SmallGraph = from_arcs(3, [(0, 2, 5), (0, 1, 5), (0, 0, 6)])
    found = interpreted(RandomProgram(HEAD + PROGRAMS["of an iteration"], graph, {}))
    assert found is not None
    assert (found.properties["a"][0], found.properties["b"][0]) == (5, 1)


@pytest.mark.parametrize(("update", "said", "hint"), [
    ("x += (Wide){1, 2};", "'+=' has no meaning for struct Wide", "a struct takes min= max= and xchg="),
    ("x min= (Wide){1, 2};", "'min=' wants a struct of two fields of 32 bits",
     "only those pack into one 64-bit atomic")])
def test_what_structs_do_not_take(update: str, said: str, hint: str) -> None:
    text = f"""{HEAD}Kernel k(Graph g) {{ Wide x = (Wide){{1, 2}}; ForAll (n In g.nodes) {{ {update} }} }}
Program entry(Graph g) {{ Invoke k(g); }}"""
    with pytest.raises(IrglError) as e:
        front(Source("p.irgl", text))
    assert (e.value.message, e.value.hint) == (said, hint)
