"""How much a kernel may append: each form of bound, and that no run of a program exceeds it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.flow import checked_kernel
from support.programs import ON_GRAPHS, PLACE
from support.random_graphs import from_arcs

from irgl.analysis.check import check
from irgl.analysis.effects.bounds import AGAIN, Loop, Term, bounds
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.frontends.text.load import load
from irgl.interpret import Interpreter
from irgl.passes.pipeline import PASSES
from irgl.reference.control import Invocation
from irgl.reference.worklists import Worklist

PARAMS = "Graph g, list<node> l, set<node> s, int limit"


def bound(body: str, name: str = "WL", worklist: str = "list<node>", head: str = "") -> tuple[str, str]:
    checked = checked_kernel(body, PARAMS, worklist, head)
    found = bounds(checked, checked.kernels["k"])[name]
    return found.kind, str(found)


def test_a_kernel_that_appends_nothing_has_no_bounds() -> None:
    checked = checked_kernel("ForAll (n In WL.items) { n.p += 1; }")
    assert bounds(checked, checked.kernels["k"]) == {}


@pytest.mark.parametrize(
    ("body", "kind", "size"),
    [
        ("WL.push(g.node(0));", "static", "1"),
        ("ForAll (n In g.nodes) { WL.push(n); }", "static", "g.num_nodes"),
        ("ForAll (e In g.edges) { WL.push(e.dst); }", "static", "g.num_edges"),
        ("ForAll (n In WL.items) { WL.push(n); }", "static", "WL.size"),
        ("ForAll (i In WL) { node n = WL.pop(i); WL.push(n); }", "static", "WL.size"),
        ("ForAll (i In range(limit)) { WL.push(g.node(i)); }", "static", "size(range(limit))"),
        ("ForAll (n In g.nodes) { WL.push(n); WL.push(n); }", "static", "2 * g.num_nodes"),
        ("ForAll (n In g.nodes) { if (n.p > 0) { WL.push(n); WL.push(n); } else { WL.push(n); } }",
         "static", "2 * g.num_nodes"),
        ("ForAll (n In g.nodes) { if (n.p > 0) { continue; } WL.push(n); }", "static", "g.num_nodes"),
        ("ForAll (n In g.nodes) { ForAll (e In n.edges) { WL.push(e.dst); } }", "static", "g.num_edges"),
        ("ForAll (n In g.nodes) { For (e In n.in_edges) { WL.push(e.src); break; } }", "static", "g.num_edges"),
        ("ForAll (n In g.nodes) { ForAll (e In n.edges.skip(1)) { WL.push(e.dst); } }", "static", "g.num_edges"),
        ("ForAll (n In g.nodes) { node m = n; ForAll (e In m.edges) { WL.push(e.dst); } }", "static", "g.num_edges"),
        ("ForAll (n In s.items) { ForAll (e In n.edges) { WL.push(e.dst); } }", "static", "g.num_edges"),
        ("ForAll (n In WL.items) { ForAll (e In n.edges) { WL.push(e.dst); } WL.push(n); }",
         "trips", "trips(n In WL.items, e In n.edges) + WL.size"),
        ("ForAll (n In g.nodes) { ForAll (e In n.edges) { ForAll (f In e.dst.edges) { WL.push(f.dst); } } }",
         "trips", "trips(n In g.nodes, e In n.edges, f In e.dst.edges)"),
        ("ForAll (n In g.nodes) { ForAll (i In range(n.q)) { WL.push(n); } }", "trips",
         "trips(n In g.nodes, i In range(n.q))"),
        ("ForAll (n In g.nodes) { n.q = 1; ForAll (i In range(n.q)) { WL.push(n); } }", "spill", "any number"),
        ("ForAll (n In g.nodes) { int k = 0; k = n.p; ForAll (i In range(k)) { WL.push(n); } }", "spill", "any number"),
        ("ForAll (n In g.nodes) { while (n.p > 0) { WL.push(n); } }", "spill", "any number"),
        ("ForAll (n In g.nodes) { for (int i = 0; i < 3; i++) { WL.push(n); } }", "spill", "any number"),
        ("while (total > 0) { ForAll (n In g.nodes) { WL.push(n); } }", "spill", "any number"),
    ],
)  # fmt: skip
def test_the_bound_of_a_list(body: str, kind: str, size: str) -> None:
    assert bound(body) == (kind, size)


def test_the_nodes_of_a_list_may_come_twice_whatever_it_promises() -> None:
    body = "ForAll (n In WL.items) { ForAll (e In n.edges) { WL.push(e.dst); } }"
    assert bound(body, worklist="unique list<node>") == ("trips", "trips(n In WL.items, e In n.edges)")


def test_a_set_never_holds_more_than_all_nodes() -> None:
    assert bound("ForAll (n In g.nodes) { while (n.p > 0) { s.push(n); } }", "s") == ("static", "g.num_nodes")


def test_a_set_may_hold_less_than_all_nodes() -> None:
    assert bound("ForAll (n In WL.items) { s.push(n); }", "s") == ("static", "min(WL.size, g.num_nodes)")


def test_each_list_has_a_bound_of_its_own() -> None:
    checked = checked_kernel("ForAll (n In WL.items) { l.push(n); if (n.p > 0) { WL.push(n); WL.push(n); } }", PARAMS)
    found = {name: str(b) for name, b in bounds(checked, checked.kernels["k"]).items()}
    assert found == {"l": "WL.size", "WL": "2 * WL.size"}


def test_what_comes_back_is_bound_by_itself() -> None:
    body = "ForAll (n In WL.items) { ForAll (e In n.edges) { Respawn e.dst; } WL.push(n); }"
    assert bound(body, AGAIN) == ("trips", "trips(n In WL.items, e In n.edges)")
    assert bound(body) == ("static", "WL.size")


def test_a_set_whose_items_come_back_may_hold_a_node_more_than_once_an_invocation() -> None:
    body = "ForAll (n In WL.items) { ForAll (e In n.edges) { l.push(e.dst); } Respawn n; }"
    assert bound(body, "l", worklist="set<node>") == ("trips", "trips(n In WL.items, e In n.edges)")


def test_what_a_helper_pushes_counts_where_it_is_called() -> None:
    head = "void keep(list<node> to, node n) { to.push(n); to.push(n); }\n"
    assert bound("ForAll (n In WL.items) { keep(l, n); }", "l", head=head) == ("static", "2 * WL.size")


def test_a_loop_in_a_helper_is_not_known_before() -> None:
    head = "void keep(list<node> to, node n, int k) { For (i In range(k)) { to.push(n); } }\n"
    assert bound("ForAll (n In WL.items) { keep(l, n, 3); }", "l", head=head) == ("spill", "any number")


class Measured(Interpreter):
    """Counts what each invocation pushes, and compares it with its bounds, told before it starts."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked, None, 0, None, 2_000_000)
        self.compared = 0

    def trips(self, per: tuple[Loop, ...], env: dict[str, Any]) -> int:
        if not per:
            return 1
        loop = per[0]
        assert isinstance(loop, A.ForAll | A.For)
        return sum(self.trips(per[1:], env | {loop.var: [item]}) for item in self.items(loop.iterator, env))

    def size(self, term: Term, env: dict[str, Any]) -> int:
        name, _, what = term.size.rpartition(".")
        if what in ("num_nodes", "num_edges"):
            return len(getattr(env[name][0], what.removeprefix("num_")))
        return self.trips(term.per, env)

    def invoke(self, s: A.Invoke | A.InvokeResult | A.Iterate, env: dict[str, Any]) -> Invocation:
        kernel = self.checked.kernels[s.kernel]
        room: dict[int, int] = {}
        if not self.checked.facts[s.kernel].comes_back:
            frame = self.frame(kernel.params, s.args, env)
            for name, bound in bounds(self.checked, kernel).items():
                assert bound.kind != "spill", (s.kernel, name)
                pushed = self.lists.out if name == "WL" else frame[name][0]  # type: ignore[union-attr]
                room[id(pushed)] = sum(t.count * self.size(t, frame) for t in bound.terms)
        PUSHED.clear()
        done = super().invoke(s, env)
        for which, most in room.items():
            assert PUSHED[which] <= most, s.kernel
            self.compared += 1
        return done


PUSHED: Counter[int] = Counter()
ARCS = [(0, 1, 5), (1, 2, 3), (2, 3, 9), (0, 0, 1), (0, 2, 4), (3, 4, 1), (1, 2, 7)]
GRAPH = from_arcs(6, sorted({*ARCS, *((b, a, w) for a, b, w in ARCS)}))


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_no_program_pushes_more_than_its_bounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = check(load(PLACE / f"{name}.irgl"))
    for _, run in PASSES:
        checked = check(run(checked.program))
    push = Worklist.push

    def counted(self: Worklist, item: Any, priority: int = 0) -> None:
        PUSHED[id(self)] += 1
        push(self, item, priority)

    monkeypatch.setattr(Worklist, "push", counted)
    measured = Measured(checked)
    measured.run({"g": GRAPH}, {})
    appends = any(bounds(checked, k) for k in checked.kernels.values() if not checked.facts[k.name].comes_back)
    assert (measured.compared > 0) == appends
