"""An edge's end is that end, whatever becomes of the node over whose edges its loop runs."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.tables import found_and_wanted, numbered, scalars

from irgl.driver import compile as compile_unit

GRAPH = directed(5, [(0, 1), (0, 2), (1, 2), (2, 3), (2, 0), (3, 4), (3, 1), (4, 0), (1, 1), (0, 4)])
#: On one node n, and what an operator or the Program finds there.
BODIES = {
    "a variable that changes": "node m = n; For (e In m.edges) { m = e.dst; s += e.src.id + 1; }",
    "a variable that an update changes": "node m = n; For (e In m.edges) { m max= e.dst; s += e.src.id + 1; }",
    "in-edges": "node m = n; For (e In m.in_edges) { m = e.src; s += e.dst.id + 1; }",
    "a property": "n.nx = n; For (e In n.nx.edges) { n.nx = e.dst; s += e.src.id + 1; }",
    "an effect": "int i = 0; For (e In g.node((i += 1).old).edges) { s += e.src.id + i; }",
    "an index": "int i = 0; For (e In g.node(i).edges) { i += 1; s += e.src.id + i; }",
    "named edges": "node m = n; auto es = m.edges; m = g.node(0); For (e In es) { s += e.src.id + 1; }",
    "edges of an end": "node m = n; For (e In m.edges) { For (f In e.src.edges) { m = f.dst; s += f.src.id + 1; } }",
    "a field": "At at; at.n = n; For (e In at.n.edges) { at.n = e.dst; s += e.src.id + 1; }",
    "a property of an end": "For (e In n.edges) { n.a += e.src.nx == NONE ? 1 : e.src.nx.id + 2; n.nx = e.dst; }",
}
HEAD = "struct At { node n; };\ngraph Graph { node long a = 0; node node nx = NONE; }\n"


def text_of() -> str:
    """A program of all bodies, in an operator and in the Program, each with a scalar of its own for what it finds."""
    kernels, here = [], []
    for i, body in enumerate(BODIES.values()):
        kernels.append(f"Kernel k{i}(Graph g) {{ ForAll (n In g.nodes) {{ {numbered(body, i)} }} }}")
        here.append(f"{{ node n = g.node(3); {numbered(body, len(BODIES) + i)} }}")
    calls = [f"Invoke k{i}(g);" for i in range(len(kernels))]
    return "\n".join([HEAD, scalars(2 * len(here)), *kernels, "Program main(Graph g) {", *calls, *here, "}\n"])


@pytest.mark.parametrize(("plan", "target"), [("default", "cpu"), ("none", "simt"), ("np=fg block=64", "simt")])
def test_an_edge_keeps_its_ends(plan: str, target: str) -> None:
    names = [*BODIES, *(f"{word}, in the Program" for word in BODIES)]
    found, wanted = found_and_wanted(text_of(), plan, target, GRAPH, names)
    assert found == wanted


def test_an_end_that_a_name_holds_for_good_is_not_looked_up() -> None:
    kernel = "Kernel k(Graph g) { ForAll (n In g.nodes) { auto es = n.edges; For (e In es) { e.src.a += 1; } } }"
    made = compile_unit("p.irgl", text=f"{HEAD}{kernel}\nProgram p(Graph g) {{ Invoke k(g); }}\n").text
    assert "irgl::source" not in made
