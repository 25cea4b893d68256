"""Which branches all threads decide alike: each source of difference, and each thing that keeps values the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from support.choices import Seeded
from support.flow import checked_kernel
from support.random_programs import random_program

from irgl.analysis.check import check
from irgl.analysis.flow.cfg import control_flow
from irgl.analysis.flow.control_dependence import control_dependence, deciders
from irgl.analysis.flow.uniformity import uniformity
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text
from irgl.interpret import Interpreter
from irgl.reference.control import Outcome
from irgl.source import IrglError

PARAMS = "Graph g, int limit, list<node> other, list<node> filled"


def level_of_if(body: str, head: str = "", params: str = PARAMS) -> str:
    """The level of the kernel's last if, with no ForAll made uniform."""
    checked = checked_kernel(body, params, head=head)
    kernel = checked.kernels["k"]
    cfg = control_flow(kernel)
    found = uniformity(checked, kernel, cfg).level
    return [level for v, level in found.items() if v.kind == "if"][-1]


def in_loop(text: str) -> str:
    return f"ForAll (n In g.nodes) {{ {text} }}"


@pytest.mark.parametrize(
    "test",
    [
        "limit > 3",
        "3 > 2",
        "g.num_nodes > limit",
        "g.node(limit).p > 0",
        "g.node(0).degree > 2",
        "total > 3",
        "other.size > 3",
        "WL.size > 3",
        "min(limit, 3) == 3",
        "limit > 3 && total == 0 ? true : false",
        "helper(limit) > 3",
    ],
)
def test_what_the_kernel_is_given_and_never_writes_is_alike_for_the_grid(test: str) -> None:
    head = "int helper(int x) { return x + 1; }\n"
    assert level_of_if(in_loop(f"filled.push(n); if ({test}) {{ n.q = 1; }}"), head) == "grid"


@pytest.mark.parametrize(
    "test",
    [
        "n.p > 0",
        "n.id > 0",
        "n.degree > limit",
        "g.node(n.id).p > 0",
        "helper((int)n.id) > 3",
        "(n.p += 1).changed",
        "cas(n.p, 1, 2)",
        "limit > 3 && n.p > 0",
    ],
)
def test_what_an_item_tells_differs(test: str) -> None:
    head = "int helper(int x) { return x + 1; }\n"
    assert level_of_if(in_loop(f"if ({test}) {{ n.q = 1; }}"), head) == "thread"


def test_a_property_that_the_kernel_writes_differs_also_at_one_node() -> None:
    assert level_of_if(in_loop("n.p += 1; if (relaxed g.node(0).p > 0) { n.q = 1; }")) == "thread"


def test_a_scalar_that_the_kernel_writes_differs() -> None:
    assert level_of_if(in_loop("if (relaxed total > 3) { total += 1; }")) == "thread"


def test_a_helper_that_reads_what_the_kernel_writes_differs() -> None:
    head = "int helper(Graph g) { return relaxed g.node(0).p; }\n"
    assert level_of_if(in_loop("n.p += 1; if (helper(g) > 0) { n.q = 1; }"), head) == "thread"


def test_a_helper_that_reads_what_nobody_writes_is_alike() -> None:
    head = "int helper(Graph g) { return g.node(0).q; }\n"
    assert level_of_if(in_loop("n.p += 1; if (helper(g) > 0) { n.p += 1; }"), head) == "grid"


def test_buckets_change_in_a_round() -> None:
    checked = checked_kernel(in_loop("WL.push(n, 1); if (WL.size > 3) { n.q = 1; }"), worklist="buckets<node>")
    kernel = checked.kernels["k"]
    assert [*uniformity(checked, kernel, control_flow(kernel)).level.values()] == ["thread", "thread"]


@pytest.mark.parametrize(
    ("body", "level"),
    [
        ("int x = limit; if (x > 0) { n.q = 1; }", "grid"),
        ("int x = n.p; if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; x = limit; if (x > 0) { n.q = 1; }", "grid"),
        ("int x = 0; x = n.p; if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; if (n.p > 0) { x = 1; } if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; if (limit > 0) { x = 1; } if (x > 0) { n.q = 1; }", "grid"),
        ("int x = 0; x += limit; if (x > 0) { n.q = 1; }", "grid"),
        ("int x = 0; x += n.p; if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; ForAll (e In n.edges) { x += 1; } if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; while (x < n.p) { x += 1; } if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; while (x < limit) { x += 1; } if (x > 0) { n.q = 1; }", "grid"),
        ("int x = 0; For (i In range(9)) { x = x + 1; } if (x > 0) { n.q = 1; }", "grid"),
        ("int x = 0; For (e In n.edges) { x = x + 1; } if (x > 0) { n.q = 1; }", "thread"),
        ("int x = 0; For (i In range(9)) { if (n.p == i) { break; } x = 1; } if (x > 0) { n.q = 1; }", "thread"),
        ("if (n.p > 0) { int x = limit; if (x > 0) { n.q = 1; } }", "grid"),
        ("For (i In range(limit)) { if (i > 0) { n.q = 1; } }", "grid"),
        ("For (i In range(9)) { int x = 0; if (n.p > 0) { x = 1; } else { if (n.q > 0) { break; } }"
         " if (x > 0) { n.q = 1; } }", "thread"),
        ("For (e In n.edges) { if (limit > 0) { n.q = 1; } }", "grid"),
    ],
)
def test_a_variable_is_as_alike_as_what_it_got_and_the_ways_to_it(body: str, level: str) -> None:
    assert level_of_if(in_loop(body)) == level


def test_a_value_that_differs_is_followed_round_a_loop() -> None:
    body = "int x = 0; int y = 0; while (limit > x) { x = y; y = n.p; } if (x > 0) { n.q = 1; }"
    assert level_of_if(in_loop(body)) == "thread"


def test_what_stands_outside_every_forall_is_said_once() -> None:
    assert level_of_if("int x = 0; ForAll (n In g.nodes) { x += 1; } if (x > 3) { total += 1; }") == "grid"


def test_a_lock_is_held_by_one_thread() -> None:
    checked = checked_kernel(in_loop("Atomic (g.node(0).guard) { total += 1; }"))
    kernel = checked.kernels["k"]
    cfg = control_flow(kernel)
    level = uniformity(checked, kernel, cfg).level
    assert next(level[v] for v in cfg.branches if v.kind == "atomic") == "thread"


TRAVERSAL = "ForAll (n In g.nodes) { ForAll (e In n.edges) { if (n.p > 0) { racy e.dst.q = 1; } } }"


@pytest.mark.parametrize(
    ("made", "unit", "uniform"),
    [
        ({}, "warp", set()),
        ({0: "block"}, "block", {"0"}),
        ({0: "block"}, "warp", {"0"}),
        ({0: "block"}, "grid", set()),
        ({0: "grid", 1: "warp"}, "block", {"0"}),
        ({0: "grid", 1: "warp"}, "warp", {"0", "1"}),
    ],
)
def test_a_schedule_makes_a_loop_uniform_for_its_unit_and_smaller_ones(
    made: dict[int, str], unit: str, uniform: set[str]
) -> None:
    checked = checked_kernel(TRAVERSAL)
    kernel = checked.kernels["k"]
    loops = [n for n in walk(kernel) if isinstance(n, A.ForAll)]
    cfg = control_flow(kernel)
    found = uniformity(checked, kernel, cfg, {loops[i]: level for i, level in made.items()})
    assert {v.name for v in found.branches(unit)} == uniform


def test_what_an_item_tells_is_alike_for_the_unit_that_works_on_it() -> None:
    checked = checked_kernel(TRAVERSAL)
    kernel = checked.kernels["k"]
    outer = next(n for n in walk(kernel) if isinstance(n, A.ForAll))
    cfg = control_flow(kernel)
    found = uniformity(checked, kernel, cfg, items={outer: "block"})
    assert {v.name: level for v, level in found.level.items()} == {"0": "thread", "1": "thread", "2": "block"}


class Watched(Interpreter):
    """Runs iterations one after the other, and compares what they decide at branches that threads come to together."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked, None, 0, None, 20_000)
        self.together = {test for k in checked.kernels.values() for test in reached_together(checked, k)}
        self.outer = {s.body for k in checked.kernels.values() for s in walk(k)
                      if isinstance(s, A.ForAll) and checked.symbols[s].depth == 1}
        self.walks: list[list[tuple[A.Expr, bool]]] = []
        self.compared = 0

    def for_all(self, s: A.ForAll, env: dict[str, Any]) -> None:
        if self.kernel.depth == 0:
            self.walks = []
        super().for_all(s, env)
        if self.kernel.depth == 0:
            assert all(walk == self.walks[0] for walk in self.walks)
            self.compared += len(self.walks) > 1 and self.walks[0] != []

    def block(self, body: Iterable[A.Stmt], env: dict[str, Any]) -> Outcome:
        if body in self.outer:
            self.walks.append([])
        return super().block(body, env)

    def truth(self, e: A.Expr, env: dict[str, Any]) -> bool:
        value = super().truth(e, env)
        if e in self.together and self.walks:
            self.walks[-1].append((e, value))
        return value


def reached_together(checked: Checked, kernel: A.Kernel) -> set[A.Expr]:
    """The tests of uniform branches in outermost ForAlls that depend on uniform branches alone."""
    cfg = control_flow(kernel)
    loops = [n for n in walk(kernel) if isinstance(n, A.ForAll)]
    uniform = uniformity(checked, kernel, cfg, dict.fromkeys(loops, "grid")).branches("grid")
    before = deciders(control_dependence(cfg))
    return {
        v.node.test
        for v in uniform
        if isinstance(v.node, A.If | A.While | A.DoWhile | A.CFor) and v.node.test is not None
        and len(v.loops) == 1 and before[v] <= uniform
    }  # fmt: skip


def test_iterations_of_random_programs_decide_uniform_branches_alike() -> None:
    compared = 0
    for seed in range(80):
        program = random_program(Seeded(seed))
        watched = Watched(check(load_text(program.text)))
        try:
            watched.run({"g": program.graph}, program.params)
        except IrglError:
            continue  # it multiplies its work beyond reason
        compared += watched.compared
    assert compared > 5
