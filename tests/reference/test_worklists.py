"""What the interpreter makes of worklists, kernels' values, Iterate and Pipe: for nothing, one item, many."""

from __future__ import annotations

import pytest
from support.interpreting import ALONE, NOTHING, PATH, SPREAD, after, ran
from support.random_graphs import SmallGraph

from irgl.source import IrglError


@pytest.mark.parametrize(
    ("graph", "start", "right"),
    [(NOTHING, "(g.nodes)", []), (PATH, "[g.node(3)]", [0, 0, 0, 1]), (PATH, "(g.nodes)", [1, 2, 3, 4])],
)
def test_iterate_runs_until_its_worklist_is_empty(graph: SmallGraph, start: str, right: list[int]) -> None:
    assert after(SPREAD, f"Iterate k(g) Initial {start};", graph).properties["a"].tolist() == right


def test_iterate_runs_its_block_after_each_round() -> None:
    host = "Iterate k(g) Initial [g.node(0)] { count += 1; }"
    assert after(SPREAD, host).scalars["count"] == 4


@pytest.mark.parametrize(("kind", "right"), [("list", 4), ("set", 3), ("bitmap", 3), ("bytemap", 3)])
def test_sets_hold_an_item_once(kind: str, right: int) -> None:
    kernel = "ForAll (n In WL.items) { count += 1; }"
    start = "[g.node(1), g.node(2), g.node(1), g.node(0)]"
    assert after(kernel, f"Iterate k(g) Initial {start};", worklist=f"WL {kind}<node>").scalars["count"] == right


def test_a_unique_list_that_gets_an_item_twice_is_an_error() -> None:
    with pytest.raises(IrglError, match="the list is declared unique, and 1 is in it already"):
        after(
            "ForAll (n In WL.items) { n.a = 1; }",
            "Iterate k(g) Initial [g.node(1), g.node(1)];",
            worklist="WL unique list<node>",
        )


def test_pushed_items_are_not_seen_in_the_same_invocation() -> None:
    kernel = "ForAll (i In WL) { count += 1; WL.push(WL.pop(i)); }"
    assert after(kernel, "Pipe Initial (g.nodes) { Invoke k(g); break; }").scalars["count"] == 4


def test_buckets_serve_the_smallest_priority_first() -> None:
    kernel = """ForAll (i In WL) { node n = WL.pop(i); relaxed n.a = turn;
                  if (turn == 0) { ForAll (m In g.nodes) { if (m != n) WL.push(m, 10 - m.id); } } }"""
    text = f"Kernel k(Graph g, int turn) WL buckets<node> {{ {kernel} }}"
    text += "Program p(Graph g) { int turn = 0; Iterate k(g, turn) Initial [g.node(0)] { turn++; } }"
    assert ran(text).properties["a"].tolist() == [0, 3, 2, 1]


@pytest.mark.parametrize(("word", "finished"), [("Respawn", 7), ("Retry", 3)])
def test_respawn_and_retry_run_the_item_again_and_retry_ends_the_iteration(word: str, finished: int) -> None:
    kernel = f"ForAll (i In WL) {{ int x = WL.pop(i); count += 1; if (x > 0) {{ {word} x - 1; }} n += 1; }}"
    text = f"int count = 0; int n = 0; Kernel k(Graph g) WL list<int> {{ {kernel} }}"
    result = ran(text + "Program p(Graph g) { Pipe Initial [3, 0, 1] { Invoke k(g); } }")
    assert result.scalars == {"count": 7, "n": finished}


def test_named_lists_keep_their_items_between_kernels() -> None:
    text = """int count = 0; int has = 0;
      Kernel fill(Graph g, bitmap<node> odd) { ForAll (n In g.nodes) { if (n.id % 2 == 1) odd.push(n); } }
      Kernel look(Graph g, bitmap<node> odd) { ForAll (n In g.nodes) { if (odd.contains(n)) has += 1; } }
      Program p(Graph g) { bitmap<node> odd; bitmap<node> other; Invoke fill(g, odd); Invoke look(g, odd);
        count += (int)odd.size; odd.swap(other); count += 10 * (int)odd.size; odd.update(other); other.clear();
        count += 100 * (int)odd.size + 1000 * (int)other.size; }"""
    assert ran(text).scalars == {"count": 202, "has": 2}


@pytest.mark.parametrize(("capacity", "grown"), [(1, True), (100, False)])
def test_a_small_capacity_makes_lists_grow(capacity: int, grown: bool) -> None:
    result = after(SPREAD, "Iterate k(g) Initial (g.nodes);", worklist_capacity=capacity)
    assert (result.stats["worklist_growths"] > 0) == grown


@pytest.mark.parametrize(
    ("graph", "word", "test", "right"),
    [
        (NOTHING, "Any", "true", 0), (NOTHING, "All", "false", 1), (ALONE, "Any", "true", 1),
        (ALONE, "All", "false", 0),
        (PATH, "Any", "n.id == 2", 1), (PATH, "All", "n.id == 2", 0), (PATH, "All", "n.id < 4", 1),
    ],
)  # fmt: skip
def test_any_and_all_invoke(graph: SmallGraph, word: str, test: str, right: int) -> None:
    kernel = f"ForAll (n In g.nodes) {{ ReduceAndReturn({test}); }}"
    assert after(kernel, f"if ({word} Invoke k(g)) {{ count = 1; }}", graph).scalars["count"] == right


@pytest.mark.parametrize(
    ("mode", "test", "rounds"),
    [
        ("While Any", "n.a < 3", 3),
        ("While All", "n.a < 3", 3),
        ("Until All", "n.a >= 2", 2),
        ("Until Any", "n.a >= 4", 4),
    ],
)
def test_iterate_tests_the_kernels_value_after_each_round(mode: str, test: str, rounds: int) -> None:
    kernel = f"ForAll (n In g.nodes) {{ n.a += 1; ReduceAndReturn({test}); }}"
    result = after(kernel, f"Iterate {mode} k(g) {{ count += 1; }}")
    assert (result.scalars["count"], result.properties["a"][0]) == (rounds, rounds)


def test_until_ends_after_a_round_without_items() -> None:
    kernel = "ForAll (n In g.nodes) { ReduceAndReturn(false); }"
    assert after(kernel, "Iterate Until Any k(g) { count += 1; }", NOTHING).scalars["count"] == 1


def test_pipe_once_hands_lists_from_kernel_to_kernel() -> None:
    text = """Kernel fill(Graph g) { ForAll (n In g.nodes) { if (n.id >= 2) WL.push(n); } }
      Kernel use(Graph g) { ForAll (n In WL.items) { n.a += 1; } }
      Program p(Graph g) { Pipe Once { Invoke fill(g); Invoke use(g); Invoke use(g); } }"""
    assert ran(text).properties["a"].tolist() == [0, 0, 1, 1]


def test_a_looping_pipe_tests_its_worklist_before_each_round() -> None:
    text = """int rounds = 0;
      Kernel fill(Graph g) { ForAll (n In g.nodes) { if (n.id >= 9) WL.push(n); } }
      Kernel use(Graph g) { ForAll (n In WL.items) { n.a += 1; } }
      Program p(Graph g) { Pipe Once { Invoke fill(g); Pipe { Invoke use(g); rounds += 1; } } }"""
    assert ran(text).scalars["rounds"] == 0


def test_a_nested_pipe_works_on_the_lists_around_it() -> None:
    text = f"""int rounds = 0; Kernel k(Graph g) {{ {SPREAD} }}
      Kernel start(Graph g) {{ ForAll (n In g.nodes) {{ if (n.id == 1) WL.push(n); }} }}
      Program p(Graph g) {{ Pipe Once {{ Invoke start(g); Pipe {{ Invoke k(g); rounds += 1; }} }} }}"""
    assert ran(text).scalars["rounds"] == 3
