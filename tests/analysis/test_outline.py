"""The outline tree: the paper's figure 4 with all its choices, and each thing that keeps a loop on the host."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.flow import HEAD
from support.programs import EVERY, PLACE

from irgl.analysis.check import check
from irgl.analysis.flow.outline import OutlineNode, count_choices, outline_choices, outline_trees
from irgl.analysis.refusal import Refusal
from irgl.ast import nodes as A
from irgl.frontends.text.load import load, load_text
from irgl.passes.parts import outline_loops

KERNELS = """
Kernel step(Graph g) { ForAll (n In WL.items) { WL.push(n); ReduceAndReturn(n.p > 0); } }
Kernel sink(Graph g, bitmap<node> seen) { ForAll (n In g.nodes) { seen.push(n); } }
library Box<T> "box.hpp" { long size; writes void touch(); elements T; iterator T items; }
Kernel grow(Graph g, array<int> a) { ForAll (n In g.nodes) { a.append(a[0]); } }
Kernel walk(Graph g, array<int> a) { ForAll (x In a.items) { total += x; } }
Kernel open(Graph g, Box<int> m) { ForAll (n In g.nodes) { n.p = m[0]; } }
Kernel marks(Graph g) { ForAll (n In g.nodes) { scratch<node> seen; seen.push(n); } }
Kernel fill(Graph g, list<node> l) { ForAll (n In g.nodes) { l.push(n); } }
Kernel into(Graph g, buckets<node> ranks) { ForAll (n In g.nodes) { ranks.push(n, 1); } }
Kernel by_rank(Graph g) WL buckets<node> { ForAll (n In WL.items) { WL.push(n, 1); } }
int twice(int x) { return 2 * x; }
"""


def trees(body: str, kernels: str = KERNELS) -> list[OutlineNode]:
    text = f'import "array.irgl";\n{HEAD}{kernels}Program main(Graph g, node s = first) {{ {body} }}'
    return outline_trees(check(load_text(text, "p.irgl")))


def shape(node: OutlineNode) -> tuple[str, list[object]]:
    return node.word, [shape(c) for c in node.children]


FIGURE_4 = """
Pipe Once Initial [s] {{
  Iterate While Any step(g) {{ }}
  Pipe {{ {0} Invoke step(g); }}
  Iterate Until All step(g) {{ }}
}}
"""


def choices(body: str) -> set[frozenset[str]]:
    found = [frozenset(n.path.removeprefix("main.") for n in chosen) for chosen in outline_choices(trees(body))]
    assert len(found) == len(set(found)) == count_choices(trees(body))
    return set(found)


def test_the_tree_of_figure_4() -> None:
    (root,) = trees(FIGURE_4.format(""))
    assert shape(root) == (
        "Pipe Once",
        [("Iterate While Any", []), ("Pipe", []), ("Iterate Until All", [])],
    )


def test_the_choices_of_figure_4_are_the_root_or_any_of_its_three_children() -> None:
    one, two, three = "pipe1.iterate1", "pipe1.pipe1", "pipe1.iterate2"
    assert choices(FIGURE_4.format("")) == {
        frozenset(), frozenset({"pipe1"}),
        frozenset({one}), frozenset({two}), frozenset({three}),
        frozenset({one, two}), frozenset({one, three}), frozenset({two, three}),
        frozenset({one, two, three}),
    }  # fmt: skip


def test_where_the_nested_pipe_of_figure_4_prints_only_the_two_iterates_are_left() -> None:
    one, three = "pipe1.iterate1", "pipe1.iterate2"
    assert choices(FIGURE_4.format("print(1);")) == {
        frozenset(), frozenset({one}), frozenset({three}), frozenset({one, three})
    }  # fmt: skip


def test_a_program_without_loops_has_the_empty_choice() -> None:
    assert choices("total = 1;") == {frozenset()}


def test_pipes_nest_to_any_depth() -> None:
    (root,) = trees("Pipe Once Initial [s] { Pipe { Pipe { Invoke step(g); Iterate step(g) { } } } }")
    assert shape(root) == ("Pipe Once", [("Pipe", [("Pipe", [("Iterate", [])])])])
    assert count_choices([root]) == 5


def test_a_loop_of_c_that_invokes_kernels_is_a_node() -> None:
    inner = "for (;;) { do { Invoke fill(g, l); } while (total < 2); }"
    found = trees(f"list<node> l; while (total < 3) {{ Invoke fill(g, l); {inner} }}")
    assert [shape(n) for n in found] == [("while", [("for", [("do", [])])])]
    assert [n.path for n in found[0].walk()] == ["main.while1", "main.for1", "main.while2"]
    assert count_choices(found) == 4


def test_a_loop_that_invokes_nothing_is_no_node() -> None:
    assert trees("while (total < 3) { total = total + 1; } for (int i = 0; i < 3; i++) { total = i; }") == []


def test_a_loop_whose_pipe_begins_with_a_list_of_its_own_stays_on_the_host_and_the_pipe_need_not() -> None:
    found = trees("while (total < 3) { Iterate step(g) Initial [s] { } } Iterate step(g) Initial [s] { }")
    assert [(n.path, n.legal) for t in found for n in t.walk()] == [
        ("main.while1", False), ("main.iterate1", True), ("main.iterate2", True)]
    (refusal,) = found[0].refusals
    assert (refusal.reason, refusal.remedy) == (
        "the Iterate in it begins with a list of its own each time, for which the host finds memory",
        "declare lists before the loop, and pass them to kernels")


def test_a_loop_in_a_loop_of_c_in_a_pipe_is_a_child_of_that() -> None:
    (root,) = trees("Pipe Once Initial [s] { while (total < 3) { Iterate step(g) { } } }")
    assert shape(root) == ("Pipe Once", [("while", [("Iterate", [])])])
    assert root.legal


def test_a_node_above_one_that_is_refused_is_not_legal_either() -> None:
    (root,) = trees("Pipe Once Initial [s] { Iterate step(g) { print(1); } Pipe { Invoke step(g); } }")
    assert [(n.path, n.legal, len(n.refusals)) for n in root.walk()] == [
        ("main.pipe1", False, 0),
        ("main.pipe1.iterate1", False, 1),
        ("main.pipe1.pipe1", True, 0),
    ]


def _random_trees(depth: int) -> st.SearchStrategy[list[OutlineNode]]:
    below = _random_trees(depth - 1) if depth else st.just([])
    refused = Refusal("no", "none", A.Break())
    node = st.builds(
        lambda stays, children: OutlineNode(A.Pipe(True, None, ()), "p", [refused] if stays else [], children),
        st.booleans(), below,
    )  # fmt: skip
    return st.lists(node, max_size=3)


@given(_random_trees(2))
@settings(max_examples=60, deadline=None)
def test_choices_are_all_sets_of_legal_nodes_none_of_which_stands_in_another(found: list[OutlineNode]) -> None:
    legal = [n for t in found for n in t.walk() if n.legal][:10]
    assume(len(legal) == sum(n.legal for t in found for n in t.walk()))
    expected = {
        frozenset(chosen)
        for size in range(len(legal) + 1)
        for chosen in combinations(legal, size)
        if not any(a is not b and b in a.walk() for a in chosen for b in chosen)
    }
    made = [frozenset(chosen) for chosen in outline_choices(found)]
    assert len(made) == count_choices(found) == len(expected)
    assert set(made) == expected


def test_more_choices_can_be_counted_than_made() -> None:
    assert count_choices(trees("Iterate step(g) Initial [s] { }" * 70)) == 2**70


@pytest.mark.parametrize(
    "inside",
    [
        "total = total + 1;",
        "total = s.p; s.p = 3;",
        "list.clear(); list.swap(other);",
        "list.push(s); list.update(other); list.stack(other); other.unstack(list);",
        "if (list.size > 3) { break; }",
        "int x = 1; total = x; for (int i = 0; i < 3; i++) { total = i; }",
        "node t = g.node(0); t.p min= 2;",
        "Invoke grow(g, a); total = a[0]; a[1] = total;",
    ],
)
def test_what_the_device_can_do_as_well_refuses_nothing(inside: str) -> None:
    (root,) = trees(f"list<node> list; list<node> other; array<int> a; Iterate step(g) Initial [s] {{ {inside} }}")
    assert root.refusals == []


@pytest.mark.parametrize(
    ("inside", "reason", "remedy"),
    [
        ("print(1);", "it prints", "print before or after it, from a program scalar"),
        ("long r = random(3);", "random() is drawn on the host", "draw before it, or use hash() of a counter"),
        ("Graph h = oriented(g);", "it makes a graph", "make the graph before it"),
        ("total = twice(3);", "it calls the helper 'twice' on the host", "write what it does in the loop"),
        ("if (total > 3) { return; }", "it ends the Program", "end the loop by break, and return after it"),
        ("list<node> l;", "it declares the list<node> 'l', which the host makes", "declare it before the loop"),
        ("For (n In g.nodes) { }", "the host reads the items of a sequential For", "do it in a kernel"),
        ("CBlock reads(total) writes(total) { x }", "what a CBlock does is the host's", "write it in IrGL"),
        ("a.resize(3);", "the host calls resize() of a library object", "call it before the loop, or in a kernel"),
        ("total = m[0];", "the host reads or stores an element of a library object", "do it in a kernel"),
        ("total = (int)a.size;", "the host reads 'size' of a library object", "count in a program scalar"),
        ("ranks.clear();", "the host keeps the buckets<node> 'ranks'", "use a list"),
        ("Invoke marks(g);", "the host finds memory for the scratch sets of 'marks'", "mark in a property"),
        ("Invoke open(g, m);", "'open' uses the Box<int> 'm', which the host keeps",
         "invoke it before or after the loop"),
        ("Invoke walk(g, a);", "'walk' runs over the items of the array<int> 'a', which the host counts",
         "invoke it before or after the loop"),
    ],
)
def test_what_keeps_a_loop_on_the_host(inside: str, reason: str, remedy: str) -> None:
    before = "list<node> list; list<node> other; buckets<node> ranks; array<int> a; Box<int> m;\n"
    (root,) = trees(f"{before}Iterate step(g) Initial [s] {{ {inside} }}")
    assert not root.legal
    (first, *_) = root.refusals
    assert (first.reason, first.remedy) == (reason, remedy)
    assert first.node.span is not None and first.node.span.column > len("Iterate step(g) Initial [s] { ")


def test_buckets_that_a_kernel_uses_are_kept_by_the_host() -> None:
    (root,) = trees("buckets<node> ranks; Iterate step(g) Initial [s] { Invoke into(g, ranks); }")
    assert [r.reason for r in root.refusals] == [
        "the host keeps the buckets<node> 'ranks'", "'into' uses the buckets<node> 'ranks', which the host keeps"
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["set", "bitmap", "bytemap"])
def test_the_device_keeps_sets_as_it_keeps_lists(kind: str) -> None:
    statements = "if (seen.contains(s) || seen.size > 3) { seen.clear(); } seen.swap(had); Invoke sink(g, seen);"
    text = f"{kind}<node> seen; {kind}<node> had; Iterate step(g) Initial [s] {{ {statements} }}"
    (root,) = trees(text, KERNELS.replace("bitmap", kind))
    assert root.refusals == []


def test_a_kernel_that_fills_buckets_and_runs_none_is_invoked_by_the_host() -> None:
    (root,) = trees("Pipe Initial [s] { Invoke by_rank(g); Invoke file(g); }", KERNELS + """
Kernel file(Graph g) WL buckets<node> { ForAll (n In g.nodes) { WL.push(n, 1); } }
""")
    (only,) = root.refusals
    assert (only.reason, only.remedy) == (
        "'file' pushes to buckets and runs none: the host joins what it pushes with the next one",
        "invoke it before or after the loop")


def test_a_kernel_that_files_into_a_queue_is_invoked_on_the_device() -> None:
    (root,) = trees("Pipe Initial [s] { Invoke closest(g); Invoke file(g); }", KERNELS + """
Kernel closest(Graph g) WL priority_queue<node>(p) { ForAll (n In WL.items) { WL.update_min(n, n.p - 1); } }
Kernel file(Graph g) WL priority_queue<node>(p) { ForAll (n In g.nodes) { WL.push(n); } }
""")
    assert root.refusals == []


def test_a_loop_over_buckets_is_outlined() -> None:
    (root,) = trees("Iterate by_rank(g) Initial [s] { }")
    assert root.refusals == []


def test_the_first_items_are_the_hosts_in_any_case() -> None:
    (root,) = trees("Iterate step(g) Initial [g.node(random(3))] { }")
    assert root.legal


def test_a_refusal_says_its_line() -> None:
    (root,) = trees("Iterate step(g) Initial [s] {\n print(1); }")
    assert str(root.refusals[0]) == "it prints (line 17)"


@pytest.mark.parametrize("name", EVERY)
def test_what_is_legal_here_is_what_code_is_generated_for(name: str) -> None:
    checked = check(load(PLACE / f"{name}.irgl"))
    legal = {n.stmt: n.legal for t in outline_trees(checked) for n in t.walk()}
    assert legal == {loop: reason is None for _, loop, reason in outline_loops.choices(checked)}
