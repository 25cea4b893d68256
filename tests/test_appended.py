"""Elements of an object that grows: what was there before and what the iteration appended may be read, no others'."""

from __future__ import annotations

import pytest
from support.checking import kernel, over_nodes

from irgl.source import IrglError

HELPERS = """
int got(array<int> a, long at) { return a[at]; }
void grow(array<int> a, int x) { a.append(x); }
long read(Graph g, node n) { return relaxed n.label; }
"""
PARAMS = "Graph g, array<int> k, array<int> old"
POSITIONS = 'import "append_only_list.irgl";\n'


@pytest.mark.parametrize(
    "body",
    [
        "k.append(1); n.level = k[relaxed n.up.label]; n.label = 2;",
        "k.append(1); long p = 0; p = relaxed n.up.label; n.level = k[p + 1]; n.label = 2;",
        "k.append(1); int was = (n.up.label max= 2).old; n.level = k[was];",
        "k.append(1); n.level = k[k.size - 1];",
        "k.append(1); for (long i = 0; i < k.size; i++) { n.level += k[i]; }",
        "k.append(1); long i = 0; while (i < k.size) { i += 1; } n.level = k[i];",
        "k.append(1); n.level = got(k, relaxed n.up.label); n.label = 2;",
        "grow(k, 1); n.level = k[relaxed n.up.label]; n.label = 2;",
        "k.append(1); n.level = k[read(g, n.up)]; n.label = 2;",
        "k.append(1); k[relaxed n.up.label] += 1; n.label = 2;",
        "k.append(1); k[relaxed n.up.label] += 1; if (n.degree > 1) { relaxed n.up.label = 1; }",
        "ForAll (e In n.edges) { k.append(1); n.level max= k[relaxed e.dst.label]; } n.label = 2;",
        "array<int> own; ForAll (e In n.edges) { own.append(1); n.level max= own[own.size - 1]; }",
        "array<int> own; ForAll (e In n.edges) { grow(own, 1); n.level max= got(own, own.size - 1); }",
    ],
)
def test_an_element_that_another_iteration_may_be_appending_is_refused(body: str) -> None:
    with pytest.raises(IrglError, match=r"this element of '\w+' may be one that another iteration is just appending"):
        kernel(over_nodes(body), PARAMS, helpers=HELPERS)


@pytest.mark.parametrize("loop", ["For (x In k.items) { n.level += x; }", "ForAll (x In k.items) { n.level += x; }"])
def test_a_loop_over_the_items_beside_appends_is_refused(loop: str) -> None:
    with pytest.raises(IrglError, match="the items of 'k' are read while other iterations append to it"):
        kernel(over_nodes(f"k.append(1); {loop}"), PARAMS)


@pytest.mark.parametrize(
    "body",
    [
        over_nodes("k.append(1); n.level = k[n.label];"),
        over_nodes("k.append(1); n.level = k[relaxed n.up.label];"),
        over_nodes("k.append(1); n.level = old[relaxed n.up.label]; n.label = 2;"),
        over_nodes("k.append(relaxed n.up.label); n.level = k[n.id]; n.label = 2;"),
        over_nodes("k.append(1); Atomic (n.up.guard) { n.up.label = 2; n.level = k[n.up.label]; }"),
        over_nodes("k.append(1);") + over_nodes("n.level = k[relaxed n.up.label]; n.label = 2;"),
        over_nodes("k.append(1); for (long i = 0; i < n.degree; i++) { n.level += k[i]; }"),
        over_nodes("array<int> own; own.append(1); n.level = own[own.size - 1];"),
        over_nodes("array<int> own; own.append(1); For (x In own.items) { n.level += x; }"),
        over_nodes("array<int> own; grow(own, 1); n.level = got(own, own.size - 1);"),
        over_nodes("array<int> own; ForAll (e In n.edges) { own.append(1); } n.level = own[own.size - 1];"),
        over_nodes("array<int> own; own.append(1); ForAll (e In n.edges) { n.level max= own[own.size - 1]; }"),
        "ForAll (x In k.items) { k.append(x); }",
    ],
)
def test_an_element_from_before_or_of_its_own_is_accepted(body: str) -> None:
    assert kernel(body, PARAMS, helpers=HELPERS)


def test_the_position_of_an_own_append_may_be_used() -> None:
    body = over_nodes("long p = k.append(1); n.level = k[p]; relaxed n.label = (int)p;")
    assert kernel(body, "Graph g, AppendOnlyList<int> k", helpers=POSITIONS)


def test_it_may_not_come_back_from_where_others_store_theirs() -> None:
    body = over_nodes("relaxed n.up.label = (int)k.append(1); n.level = k[relaxed n.label];")
    with pytest.raises(IrglError, match="keep the position of what the iteration itself appends in a variable"):
        kernel(body, "Graph g, AppendOnlyList<int> k", helpers=POSITIONS)
