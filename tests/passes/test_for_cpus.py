"""Each pass: before and after as text, what it leaves alone, and that results stay."""

from __future__ import annotations

import textwrap

import pytest
from support.running import outcome
from support.verifying import arcs

from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.passes import group_edges, name_items
from irgl.passes.pipeline import Pass

_HEAD = "graph Graph { node int seen = 0; edge bool used = false; }\nint total = 0;\n"


def _kernel_after(run: Pass, kernel: str) -> str:
    """The kernel as the pass leaves it; the result has been checked."""
    changed = run(check(load_text(_HEAD + kernel, "pass.irgl")).program)
    check(changed)
    text = dump(changed)
    return text[text.index("Kernel") :].strip()


def _text(kernel: str) -> str:
    return textwrap.dedent(kernel).strip()


def test_name_items_names_the_popped_item() -> None:
    after = _kernel_after(
        name_items.run, "Kernel k(Graph g) { ForAll (i In WL) { node n = WL.pop(i); total += n.seen; } }"
    )
    assert after == _text("""
        Kernel k(Graph g) {
            ForAll (n In WL.items) {
                total += n.seen;
            }
        }""")


def test_name_items_leaves_a_position_that_is_used_twice() -> None:
    kernel = "Kernel k(Graph g) { ForAll (i In WL) { node n = WL.pop(i); total += n.seen + WL.pop(i).seen; } }"
    assert "ForAll (i In WL)" in _kernel_after(name_items.run, kernel)


def test_name_items_leaves_an_item_that_is_assigned() -> None:
    kernel = "Kernel k(Graph g) { ForAll (i In WL) { node n = WL.pop(i); n = g.node(0); total += n.seen; } }"
    assert "ForAll (i In WL)" in _kernel_after(name_items.run, kernel)


def test_group_edges_brings_the_source_at_hand() -> None:
    after = _kernel_after(
        group_edges.run, "Kernel k(Graph g) { ForAll (e In g.edges) { total += e.src.seen; e.used = true; } }"
    )
    assert after == _text("""
        Kernel k(Graph g) {
            ForAll (e_src In g.nodes) {
                ForAll (e In e_src.edges) {
                    total += e_src.seen;
                    e.used = true;
                }
            }
        }""")


def test_group_edges_keeps_to_names_that_are_free() -> None:
    kernel = "Kernel k(Graph g, int e_src) { ForAll (e In g.edges) { total += e.src.seen + e_src; } }"
    assert "ForAll (e_src_ In g.nodes)" in _kernel_after(group_edges.run, kernel)


def test_group_edges_leaves_loops_without_a_source() -> None:
    kernel = "Kernel k(Graph g) { ForAll (e In g.edges) { total += e.dst.seen; } }"
    assert "ForAll (e In g.edges)" in _kernel_after(group_edges.run, kernel)


def test_group_edges_leaves_the_loops_of_a_kernel_whose_edges_until_counts() -> None:
    kernel = "Kernel k(Graph g) { ForAll (e In g.edges) { ReduceAndReturn(e.src.seen > 0); } }"
    loop = "Program main(Graph g) { Iterate Until Any k(g) { total += 1; } }"
    assert "ForAll (e In g.edges)" in _kernel_after(group_edges.run, f"{kernel}\n{loop}")


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_until_ends_after_a_round_without_an_edge(target: str) -> None:
    text = f"""{_HEAD}
        Kernel k(Graph g) {{ ForAll (e In g.edges) {{ ReduceAndReturn(e.src.seen > 0); }} }}
        Program main(Graph g) {{ Iterate Until Any k(g) {{ total += 1; if (total > 4) break; }} }}"""
    assert outcome(text, "default", target, arcs(3, [])).result.scalars["total"] == 1


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_an_exclusive_for_the_ends_of_edges_runs_on_every_target(target: str) -> None:
    kernel = """Kernel k(Graph g) { ForAll (e In g.edges) {
        Exclusive (g, [e.src, e.dst]) { e.src.seen = e.src.seen + 1; total += 1; } Else { total += 1; } } }"""
    assert "ForAll (e In g.edges)" in _kernel_after(group_edges.run, kernel)
    text = f"{_HEAD}{kernel} Program main(Graph g) {{ Invoke k(g); }}"
    assert outcome(text, "default", target, arcs(4, [(0, 1), (1, 2), (2, 0), (3, 1)])).result.scalars["total"] == 4


def test_group_edges_leaves_the_edges_of_one_node() -> None:
    kernel = "Kernel k(Graph g, node n) { ForAll (e In n.edges) { total += e.src.seen; } }"
    assert "ForAll (e In n.edges)" in _kernel_after(group_edges.run, kernel)
