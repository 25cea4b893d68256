"""Elements of an object that grows: what was there before and what the iteration appended may be read, no others'."""

from __future__ import annotations

import pytest
from support.checking import accesses, kernel, over_nodes

from irgl.source import IrglError

HELPERS = """
int got(array<int> a, long at) { return a[at]; }
void grow(array<int> a, int x) { a.append(x); }
long read(Graph g, node n) { return relaxed n.label; }
"""
PARAMS = "Graph g, array<int> k, array<int> old"
POSITIONS = """import "append_only_list.irgl";
struct Pos { long at; int other; };
long put(AppendOnlyList<int> k, int x) { return k.append(x); }
long same(long at) { return at; }
long below(long at) { return at - 1; }
void fill(array<long> own, long at) { own[0] = at; }
"""
KEPT = "Graph g, AppendOnlyList<int> k"


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


@pytest.mark.parametrize(
    "body",
    [
        "n.level = k[p]; relaxed n.label = (int)p;",
        "n.level = k[n.degree > 1 ? p : 0];",
        "n.label = (int)p; n.level = k[n.label];",
        "Pos x = (Pos){p, 0}; n.level = k[x.at];",
        "array<long> own; own.append(p); n.level = k[own[0]];",
        "n.level = k[same(put(k, 2))];",
        "AppendOnlyList<int> own; long q = own.append(1); n.level = own[q - 1] + k[p];",
        "ForAll (e In n.edges) { n.level += k[p]; }",
    ],
)
def test_the_position_of_an_own_append_may_be_used(body: str) -> None:
    assert kernel(over_nodes(f"long p = k.append(1); {body}"), KEPT, helpers=POSITIONS)


@pytest.mark.parametrize(
    "body",
    [
        "if (p > 0) { n.level = k[p - 1]; }",
        "long q = p; q -= 1; n.level = k[q];",
        "for (long i = 0; i < p; i++) { n.level += k[i]; }",
        "For (i In range(p)) { n.level += k[i]; }",
        "n.label = (int)p; n.level = k[n.label / 2];",
        "n.level = k[min(p, 3L)];",
        "n.level = k[below(p)];",
        "Pos x = (Pos){p, 0}; n.level = k[x.at - 1];",
        "array<long> own; own.append(p); n.level = k[own[0] - 1];",
    ],
)
def test_the_place_beside_it_may_not(body: str) -> None:
    with pytest.raises(IrglError, match="this element of 'k' may be one that another iteration is just appending"):
        kernel(over_nodes(f"long p = k.append(1); {body}"), KEPT, helpers=POSITIONS)


@pytest.mark.parametrize(
    "body",
    [
        "Pos x = (Pos){0, 0}; x.at = relaxed n.up.label; n.level = k[x.at];",
        "array<long> own; own.append((relaxed n.up.label)); n.level = k[own[0]];",
        "array<long> own; own.resize(1); own[0] = relaxed n.up.label; n.level = k[own[0]];",
        "array<long> own; own.resize(1); fill(own, relaxed n.up.label); n.level = k[own[0]];",
        "n.level = relaxed n.up.label; n.level = k[n.level];",
    ],
)
def test_a_position_of_another_is_known_wherever_it_was_kept(body: str) -> None:
    with pytest.raises(IrglError, match="this element of 'k' may be one that another iteration is just appending"):
        kernel(over_nodes(f"relaxed n.label = (int)k.append(1); {body}"), KEPT, helpers=POSITIONS)


def test_it_may_not_come_back_from_where_others_store_theirs() -> None:
    body = over_nodes("relaxed n.up.label = (int)k.append(1); n.level = k[relaxed n.label];")
    with pytest.raises(IrglError, match="keep the position of what the iteration itself appends in a variable"):
        kernel(body, KEPT, helpers=POSITIONS)


OWN = "Graph g, AppendOnlyList<int> k, AppendOnlyList<int> other"


@pytest.mark.parametrize(
    ("body", "location", "others"),
    [
        ("long q = k.append(0); k[q] = 1; k[q] *= 2; k[q] += 3;", "k[q]", ""),
        ("long q = k.append(0); long r = q; k[r] = k[q];", "k[r]", ""),
        ("k[k.append(0)] = 1;", "k[k.append(0)]", ""),
        ("long q = k.append(0); k[q] = 1; k[n.level] += 1; high += k[n.id];", "k[q]", "k[n.level]"),
        ("long q = k.append(0); k[q] = 1; k[n.id] = 2;", "k[q]", ""),
        ("long q = k.append(0); k[q] += 1; k[n.level] += 1;", "k[q]", "k[n.level]"),
        ("ForAll (e In n.edges) { long q = k.append(0); k[q] = 2; }", "k[q]", ""),
        ("AppendOnlyList<int> l; ForAll (e In n.edges) { long q = l.append(0); l[q] = 2; } high += l[0];", "l[q]", ""),
        ("while (n.seen) { long q = k.append(0); k[q] = 1; }", "k[q]", ""),
        ("long q = k.append(0); k[q] = 1; ForAll (e In n.edges) { high += k[q]; }", "", ""),
        ("long q = k.append(0); Atomic (n.up.guard) { k[n.level] = 2; } k[q] = 1;", "k[q]", ""),
    ],
)
def test_an_iteration_owns_what_it_appends(body: str, location: str, others: str) -> None:
    c = kernel(over_nodes(body), OWN, helpers=POSITIONS)
    assert set(accesses(c, location)) <= {"own"} and set(accesses(c, others)) <= {"shared"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("long q = k.append(0); q = n.id; k[q] = 1;", "several iterations may store"),
        ("long q = k.append(0); other[q] = 1;", "several iterations may store"),
        ("long q = k.append(0); k[q + 1] = 1;", "several iterations may store"),
        ("long q = n.seen ? k.append(0) : 0; k[q] = 1;", "several iterations may store"),
        ("long q = (int)k.append(0); k[q] = 1;", "several iterations may store"),
        ("long q = k.append(0); ForAll (e In n.edges) { k[q] = 1; }", "every iteration of the inner ForAll stores"),
        ("long q = k.append(0); ForAll (e In n.edges) { k[q] += 1; } k[q] = 1; k[n.level] += 1;", "other iter"),
        ("long q = k.append(0); k[q] = 1; k[n.level] = 1;", "several iterations may store"),
        ("long q = k.append(0); k[q] = 1; relaxed n.label = (int)q; high += k[relaxed n.up.label];", "just appending"),
        ("long q = k.append(0); k[q] = 1; n.label = (int)q; high += k[n.up.label];", "is read while its own iteration"),
        ("long q = k.append(0); k[q] = 1; high += k[k.size - 1];", "just appending"),
    ],
)
def test_what_others_may_reach_of_it_they_do_not_store(body: str, message: str) -> None:
    with pytest.raises(IrglError, match=message):
        kernel(over_nodes(body), OWN, helpers=POSITIONS)


def test_a_position_from_before_the_loop_is_nobodys() -> None:
    with pytest.raises(IrglError, match="several iterations may store"):
        kernel("long q = k.append(0); " + over_nodes("k[q] = 1;"), OWN, helpers=POSITIONS)
