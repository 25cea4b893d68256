"""Scratch sets that hold a row and are counted in become searches of rows for GPUs: into what, where not, and what is
told of loops that are gone."""

from __future__ import annotations

import pytest
from support.awkward_graphs import awkward, random_arcs
from support.tables import found_and_wanted

from irgl import driver
from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.interpret import run as interpret
from irgl.passes import unique_names
from irgl.passes.lowering import search_rows
from irgl.plan import Plan
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.source import IrglError

HEAD = "graph Graph { node int p = 0; node double q = 0; }\nlong sum = 0;\n"
FILLED = """Kernel k(Graph g) {
  ForAll (u In g.nodes) {
    scratch<node> marks;
    For (e In u.edges) { marks.push(e.dst); }
    ForAll (e In u.edges) {
      ForAll (f In e.dst.edges) { sum += marks.contains(f.dst); }
      u.p += 1;
    }
    For (f In u.edges) {
      if (!(f.dst < u)) { break; }
      u.p += marks.contains(f.dst);
    }
  }
}
"""
GROWN = """Kernel k(Graph g) {
  ForAll (u In g.nodes) {
    if (u.degree > 2) {
      scratch<node> marks;
      For (e In u.edges) {
        if (!(e.dst < u)) { break; }
        For (f In e.dst.edges) { if (!(f.dst < e.dst)) { break; } sum += marks.contains(f.dst); }
        marks.push(e.dst);
      }
    }
  }
}
"""
MAIN = "Program main(undirected simple sorted Graph g) { Invoke k(g); }\n"
NEED = Requirements(directed=False, simple=True, sorted=True)
ORIENTED = "Program main(undirected simple Graph g) { Graph h = oriented(g); Invoke k(h); }\n"


def searching(text: str) -> str | None:
    """Kernel k without marks; None: it keeps them."""
    checked = check(unique_names.run(load_text(HEAD + text)))
    searched = search_rows.run(checked)
    shown = dump(searched)
    return None if searched is checked.program else shown[shown.index("Kernel k"): shown.index("Program")].rstrip()


def test_a_set_that_a_loop_has_filled_goes_with_what_counts_in_it() -> None:
    assert searching(FILLED + ORIENTED) == """Kernel k(Graph g) {
    ForAll (u In g.nodes) {
        ForAll (e In u.edges) {
            sum += common(u, e.dst);
            u.p += 1;
        }
        u.p += common(u, u, u);
    }
}"""


def test_a_set_that_grows_by_lower_nodes_goes_with_the_order_of_its_loop() -> None:
    assert searching(GROWN + MAIN) == """Kernel k(Graph g) {
    ForAll (u In g.nodes) {
        if (u.degree > 2) {
            ForAll (e In u.edges) {
                if (e.dst < u) {
                    sum += common(u, e.dst, e.dst);
                }
            }
        }
    }
}"""


@pytest.mark.parametrize("text", [FILLED + MAIN, FILLED + ORIENTED, GROWN + MAIN, GROWN + ORIENTED])
def test_it_counts_the_same(text: str) -> None:
    first = check(unique_names.run(load_text(HEAD + text)))
    searched = check(search_rows.run(first))
    assert searched.program is not first.program
    for graph in [*awkward().values(), random_arcs(3, 30, 160)]:
        g = prepare(graph, NEED)
        before, after = interpret(first, {"g": g}), interpret(searched, {"g": g})
        assert before.scalars == after.scalars
        assert all((before.properties[name] == values).all() for name, values in after.properties.items())


@pytest.mark.parametrize("plan", ["none", "np=tb+wp+fg block=64", "np=bins block=64"])
def test_a_gpu_counts_the_same(plan: str) -> None:
    graph = prepare(random_arcs(3, 30, 160), NEED)
    for text in (FILLED + ORIENTED, GROWN + MAIN):
        found, wanted = found_and_wanted(HEAD + text, plan, "simt", graph)
        assert found.scalars == wanted.scalars


#: What is changed, in a program that counts in marks, so that it has to.
KEPT = {
    "parallel edges count each": (FILLED + MAIN, "simple ", ""),
    "parallel edges stay where edges are oriented": (FILLED + ORIENTED, "simple ", ""),
    "a loop ends at its own node": (FILLED + MAIN, "f.dst < u", "f.dst < f.dst"),
    "no ForAll stands under a lock": (GROWN.replace("if (u.d", "Exclusive (g, [u]) { if (u.d").replace(
        "    }\n  }\n", "    } }\n  }\n") + MAIN, "", ""),
    "rows may not ascend": (GROWN + MAIN, "sorted ", ""),
    "the kernel has another graph, too": (FILLED + MAIN, "Graph g) { Invoke k(g);",
                                          "Graph g, undirected Graph w) { Invoke k(g); Invoke k(w);"),
    "more is marked": (FILLED + MAIN, "For (f In u.edges) {", "marks.push(u);\n    For (f In u.edges) {"),
    "not all is marked": (FILLED + MAIN, "marks.push(e.dst);", "if (e.dst != u) { marks.push(e.dst); }"),
    "something else is asked": (FILLED + MAIN, "u.p += 1;", "if (marks.contains(e.dst)) { u.p += 1; }"),
    "another node is marked": (FILLED + MAIN, "marks.push(e.dst);", "marks.push(u);"),
    "a floating-point sum": (FILLED + MAIN, "sum += marks", "u.q += marks"),
    "sums of each edge's": (FILLED + MAIN, "sum += marks", "f.dst.p += marks"),
    "the node may be another": (FILLED + MAIN, "u.edges) {\n      if (!", "g.node(u.p).edges) {\n      if (!"),
    "a function of that name": ("int common(node a, node b) { return 0; }\n" + FILLED + MAIN, "", ""),
    "higher nodes are asked for": (GROWN + MAIN, "if (!(f.dst < e.dst)) { break; } ", ""),
    "those up to the node": (GROWN + MAIN, "f.dst < e.dst", "f.dst < u"),
    "marked first": (GROWN + MAIN, "        For (f In", "        marks.push(e.dst);\n        For (f In"),
}


@pytest.mark.parametrize("case", KEPT)
def test_marks_stay_where(case: str) -> None:
    text, old, new = KEPT[case]
    assert old in text
    assert searching(text.replace(old, new, 1)) is None


def test_a_loop_that_is_gone_is_told_as_such() -> None:
    text = HEAD + FILLED + MAIN
    unit = driver.compile("t.irgl", target="cuda", plan=Plan.parse("np=fg", "cuda"), text=text)
    assert "k.loop1.loop1: np=fg" in unit.applied
    assert "k.loop1.loop1.loop1: np=fg: it became common(...), which searches in rows" in unit.not_applicable
    with pytest.raises(IrglError, match="it became common"):
        driver.compile("t.irgl", target="cuda", plan=Plan.parse("k.loop1.loop1.loop1.np=fg", "cuda"), text=text)
