"""What the interpreter makes of loops, locks, library types and the rest: for nothing, one item, many."""

from __future__ import annotations

import pytest
from support.interpreting import ALONE, LOOPY, NOTHING, PATH, after, ran
from support.random_graphs import SmallGraph

from irgl.source import IrglError


@pytest.mark.parametrize(("graph", "right"), [(NOTHING, 0), (ALONE, 1), (PATH, 4)])
def test_forall_visits_every_node(graph: SmallGraph, right: int) -> None:
    assert after("ForAll (n In g.nodes) { count += 1; }", graph=graph).scalars["count"] == right


@pytest.mark.parametrize("body", ["if (n.id == 1) continue; count += 1;", "if (n.id != 1) { count += 1; }"])
def test_continue_ends_the_iteration(body: str) -> None:
    assert after(f"ForAll (n In g.nodes) {{ {body} }}").scalars["count"] == 3


def test_nested_foralls_reduce_into_the_variables_around_them() -> None:
    kernel = "int s = 0; ForAll (e In n.edges) { ForAll (f In e.dst.edges) { s += f.w; } } n.a = s;"
    assert after(f"ForAll (n In g.nodes) {{ {kernel} }}").properties["a"].tolist() == [3, 9, 0, 0]


def test_break_ends_a_sequential_for() -> None:
    kernel = "ForAll (n In g.nodes) { For (e In n.edges) { if (e.w >= 2) break; n.a += 1; } }"
    assert after(kernel, graph=LOOPY).properties["a"].tolist() == [1, 0, 0]


def test_code_outside_every_forall_runs_once() -> None:
    assert after("count += 1; ForAll (n In g.nodes) { n.a = 1; }").scalars["count"] == 1


def test_a_program_that_does_not_end_is_stopped() -> None:
    with pytest.raises(IrglError, match="stopped after 50 steps"):
        ran("Program p(Graph g) { int i = 0; while (true) { i += 1; } }", max_steps=50)


def test_exclusive_and_atomic_run_their_first_block() -> None:
    graph = "graph Graph { node int a = 0; node lock guard; }\n"
    text = """Kernel k(Graph g) { ForAll (n In g.nodes) { Atomic (n.guard) { n.a += 1; } Else { n.a += 10; }
        Exclusive (g, [n]) { n.a += 100; } Else { n.a += 1000; } } }
      Program p(Graph g) { Invoke k(g); }"""
    assert ran(text, ALONE, graph).properties["a"].tolist() == [101]


def test_min_of_a_struct_compares_its_first_field_first() -> None:
    graph = "struct Best { int w; node to; };\ngraph Graph { node Best best = (Best){INF, NONE}; edge int w; }\n"
    text = """Kernel k(Graph g) { ForAll (e In g.edges) { e.dst.best min= (Best){e.w, e.src}; } }
      Program p(Graph g) { Invoke k(g); }"""
    assert ran(text, LOOPY, graph).properties["best"].tolist() == [(1, 0), (2, 0), (2147483647, -1)]


def test_arrays_and_append_only_lists() -> None:
    text = """import "array.irgl"; import "append_only_list.irgl"; int count = 0;
      Kernel k(Graph g, array<int> sums, AppendOnlyList<node> seen) {
        ForAll (e In g.edges) { sums[e.dst.id] += e.w; if (e.w > 4) seen.append(e.src); } }
      Program p(Graph g) { array<int> sums; AppendOnlyList<node> seen; sums.resize(g.num_nodes);
        Invoke k(g, sums, seen); count = sums[3] * 100 + (int)seen.size * 10 + (int)sums.size; }"""
    assert ran(text).scalars["count"] == 924


def test_an_element_that_does_not_exist_is_an_error() -> None:
    text = 'import "array.irgl"; Program p(Graph g) { array<int> a; a.resize(2); a[2] = 1; }'
    with pytest.raises(IrglError, match="there is no element 2: there are 2"):
        ran(text)


def test_a_mesh_knows_its_neighbours_and_skips_removed_triangles() -> None:
    text = """import "mesh.irgl"; int count = 0; int across = 0;
      Kernel k(Graph g, Mesh m) { ForAll (t In m.triangles) { count += 1; across += (int)m.neighbour(t, 1); } }
      Program p(Graph g) { Mesh m; m.add_point(0, 0); m.add_point(1, 0); m.add_point(0, 1); m.add_point(1, 1);
        m.add_triangle(0, 1, 2); m.add_triangle(1, 3, 2); m.add_triangle(0, 1, 3); m.remove(2); m.connect();
        Invoke k(g, m); }"""
    assert ran(text).scalars == {"count": 2, "across": 0}


def test_random_numbers_depend_on_the_seed_alone() -> None:
    text = "long one = 0; long two = 0; Program p(Graph g) { one = random(1000000); two = random(1000000); }"
    first, again, other = ran(text, seed=1), ran(text, seed=1), ran(text, seed=2)
    assert first.scalars == again.scalars
    assert first.scalars["two"] == other.scalars["one"]


def test_print_shows_values_in_order() -> None:
    assert ran('Program p(Graph g) { print("n", g.num_nodes, 0.5, true, g.node(2)); }').printed == ["n 4 0.5 true 2"]


def test_raw_text_is_refused() -> None:
    with pytest.raises(IrglError, match="the reference interpreter can't run raw C"):
        after("ForAll (n In g.nodes) { CBlock reads() writes(n.a) { x = 1; } }")


def test_helpers_convert_their_parameters_and_result() -> None:
    text = "long s = 0; int8 twice(int8 x) { return (int8)(x * 2); } Program p(Graph g) { s = twice((int8)100); }"
    assert ran(text).scalars["s"] == -56
