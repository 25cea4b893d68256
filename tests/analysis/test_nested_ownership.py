"""What nested ForAlls own, and what they may reduce into."""

from __future__ import annotations

import pytest
from support.awkward_graphs import awkward
from support.running import outcome

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

GRAPH = "graph Graph { node int a = 0; edge int mark = 0; }\n"


def kernel(body: str) -> str:
    return f"{GRAPH}Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {body} }} }}"


def test_edges_reached_by_every_iteration_of_a_loop_between_are_not_owned() -> None:
    text = kernel("ForAll (e In n.edges) { ForAll (f In n.edges) { f.mark = 1; } }")
    with pytest.raises(IrglError, match="every iteration of the inner ForAll stores 'mark'"):
        check(load_text(text))


def test_edges_of_an_owned_node_are_owned_by_the_loop_over_them() -> None:
    check(load_text(kernel("ForAll (e In n.edges) { e.mark = 1; }")))


def test_one_loop_may_reduce_twice_into_the_same_outer_variable() -> None:
    check(load_text(kernel("int s = 0; ForAll (e In n.edges) { s += 1; s += e.mark; } n.a = s;")))


def test_the_value_of_a_reduction_target_is_not_read_inside_the_loop() -> None:
    text = kernel("int s = 0; ForAll (e In n.edges) { s += 1; int t = s; } n.a = s;")
    with pytest.raises(IrglError, match="'s' is read while a ForAll reduces into it"):
        check(load_text(text))


def test_a_loop_inside_may_read_what_the_iteration_around_it_stored() -> None:
    check(load_text(kernel("ForAll (e In n.edges) { e.mark = 1; ForAll (f In e.dst.edges) { n.a += e.mark; } }")))


def test_another_reach_for_an_edge_that_the_inner_iterations_store_is_a_race() -> None:
    text = kernel("ForAll (e In n.edges) { For (f In n.edges) { e.mark = f.mark; } }")
    with pytest.raises(IrglError, match="'mark' of another item is read while its own iteration stores it"):
        check(load_text(text))


def test_items_of_a_library_list_may_repeat_and_so_are_not_owned() -> None:
    header = 'import "append_only_list.irgl";\n'
    text = "Kernel k(Graph g, AppendOnlyList<node> l) { ForAll (n In l.items) { n.a = 1; } }"
    with pytest.raises(IrglError, match="several iterations may store 'a' of this node"):
        check(load_text(header + GRAPH + text))


#: In a loop over the edges of n: what each of its iterations has, and all of them reach.
REACHED = [
    "e.mark += 1; ForAll (f In n.edges) { f.mark += 2; }",
    "For (f In n.edges) { e.mark += 1; f.mark += 2; }",
    "int j = 0; do { ForAll (f In e.src.edges) { e.mark += 1; f.mark += 2; } j += 1; } while (j < 2);",
    "e.mark += 1; n.edges[0].mark += 2;",
    "e.mark += 1; n.a += n.edges[0].mark;",
]


@pytest.mark.parametrize("plan", ["np=fg block=64", "np=tb block=64", "np=serial cc=warp block=32"])
def test_what_each_iteration_has_and_all_of_them_reach_is_updated_atomically(plan: str) -> None:
    kernels = [kernel(f"ForAll (e In n.edges) {{ {inner} }}").removeprefix(GRAPH).replace(" k(", f" k{i}(", 1)
               for i, inner in enumerate(REACHED)]
    invoked = " ".join(f"Invoke k{i}(g);" for i in range(len(REACHED)))
    outcome("\n".join([GRAPH, *kernels, f"Program main(Graph g) {{ {invoked} }}"]), plan, "simt", awkward()["dense"])


@pytest.mark.parametrize("outer", ["if ((total += 1).old < 0) { n.a = 1; }", "if (relaxed total < 0) { n.a = 1; }",
                                   "total |= 0;", "touch();"])
def test_what_the_loop_around_does_not_combine_the_inner_one_updates_atomically(outer: str) -> None:
    header = "long total = 0; void touch() { total += 1; } "
    text = header + kernel(f"{outer} ForAll (e In n.edges) {{ total += 1; }}")
    assert not any(check(load_text(text)).combined.values())


def test_an_inner_loop_combines_into_the_copy_of_the_loop_around_it() -> None:
    found = check(load_text("long total = 0; " + kernel("ForAll (e In n.edges) { total += 1; }"))).combined
    assert [[(symbol.name, how) for symbol, how in combined] for combined in found.values()] == [[("total", "sum")]] * 2
