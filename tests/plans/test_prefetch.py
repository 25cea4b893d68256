"""The option prefetch: where it is legal, what it does to the generated code, and that it may be set for one loop."""

from __future__ import annotations

import pytest

from irgl import driver
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import Choice, legal_space

HEAD = "graph Graph { node int p; node int q; node lock held; edge int w; } int sum = 0;\n"
TAIL = "\nProgram main(transpose Graph g) { Invoke k(g); }"


def loops(*operators: str) -> str:
    """A kernel with a loop for each text, which is nested in one over all nodes n."""
    return HEAD + "Kernel k(Graph g) {" + "\n".join(f"ForAll (n In g.nodes) {{ {o} }}" for o in operators) + "}" + TAIL


def choice(operator: str) -> list[Choice]:
    ready = driver.ready("k.irgl", loops(operator))
    return [c for c in legal_space(ready.checked.program) if c.option == "prefetch"]


def code(plan: str, *operators: str) -> str:
    return driver.compile("k.irgl", plan=Plan.parse(plan), text=loops(*operators)).text


@pytest.mark.parametrize(("operator", "fetched"), [
    ("ForAll (e In n.edges) { sum += e.dst.p; }", "irgl::prefetch(g.p[irgl::other(g.out(), e)]);"),
    ("ForAll (e In n.in_edges) { sum += e.src.p; }", "irgl::prefetch(g.p[irgl::other(g.in(), e)]);"),
    ("ForAll (e In n.edges) { e.dst.p += e.w; }", "irgl::prefetch_to_write(g.p[irgl::other(g.out(), e)]);"),
    ("ForAll (e In n.edges) { e.dst.p min= e.w; }", "irgl::prefetch(g.p[irgl::other(g.out(), e)]);"),
    ("ForAll (e In n.edges) { if (e.dst.q > 0) { racy e.dst.p = 1; } }",
     "irgl::prefetch(g.q[irgl::other(g.out(), e)]); irgl::prefetch_to_write(g.p[irgl::other(g.out(), e)]);"),
    ("ForAll (e In n.edges) { node m = e.dst; sum += m.p; }", "irgl::prefetch(g.p[irgl::other(g.out(), e)]);"),
    ("ForAll (e In n.edges) { sum += (int)e.dst.degree; }", "irgl::prefetch_row(g.out(), irgl::other(g.out(), e));"),
    ("ForAll (e In n.edges) { sum += (int)e.dst.in_degree; }", "irgl::prefetch_row(g.in(), irgl::other(g.out(), e));"),
])
def test_it_fetches_what_the_operator_uses_at_the_other_end(operator: str, fetched: str) -> None:
    assert choice(operator) == [Choice("k.loop1.loop1", "prefetch", None)]
    assert f", [&](edge_t e) {{ {fetched} }}), " in code("prefetch=8", operator)


@pytest.mark.parametrize(("operator", "reason"), [
    ("ForAll (e In n.edges) { sum += e.w; }", "it uses nothing of the nodes at the other ends of its edges"),
    ("ForAll (e In n.edges) { sum += e.src.p; }", "it uses nothing of the nodes at the other ends of its edges"),
    ("ForAll (e In n.edges) { Atomic (e.dst.held) { sum += 1; } }",
     "it uses nothing of the nodes at the other ends of its edges"),
    ("ForAll (m In g.nodes) { sum += m.p; }", "it runs over range of node, not over a node's edges"),
])
def test_elsewhere_it_is_refused_with_the_reason(operator: str, reason: str) -> None:
    assert choice(operator) == [Choice("k.loop1.loop1", "prefetch", reason)]
    assert "ahead" not in code("prefetch=8", operator)


def test_a_variable_that_changes_names_no_other_end() -> None:
    assert choice("ForAll (e In n.edges) { node m = e.dst; m = n; sum += m.p; }")[0].reason is not None


def test_it_may_be_set_for_one_loop_alone() -> None:
    operator = "ForAll (e In n.edges) { sum += e.dst.p; }"
    text = code("k.loop2.loop1.prefetch=24", operator, operator)
    assert [before.count("inner.for_each(t, ") for before in text.split("irgl::ahead<")] == [2, 0]
    assert "irgl::ahead<24>(" in text
    assert code("prefetch=8 k.loop2.loop1.prefetch=off", operator, operator).count("irgl::ahead<8>(") == 1


def test_at_a_place_where_it_cant_be_honoured_it_is_an_error() -> None:
    with pytest.raises(IrglError) as e:
        code("k.loop1.loop1.prefetch=8", "ForAll (e In n.edges) { sum += e.w; }")
    assert str(e.value) == (
        "error: `k.loop1.loop1.prefetch=8` can't be honoured: it uses nothing of the nodes at the other ends of its "
        "edges\n"
        "  hint: leave it out; `prefetch=8` alone applies wherever it is legal")


def test_a_place_that_is_no_nested_loop_is_an_error() -> None:
    with pytest.raises(IrglError) as e:
        code("k.loop1.prefetch=8", "ForAll (e In n.edges) { sum += e.dst.p; }")
    assert str(e.value) == ("error: the plan sets `prefetch` for `k.loop1`, which is no place for it\n"
                            "  hint: places: k.loop1.loop1")


@pytest.mark.parametrize("value", ["3", "65", "x"])
def test_its_values_are_bounded(value: str) -> None:
    with pytest.raises(IrglError) as e:
        Plan.parse(f"prefetch={value}")
    assert e.value.message == f"`prefetch={value}`: it takes a whole number from 4 to 64, or `off`"
