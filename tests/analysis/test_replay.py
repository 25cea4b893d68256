"""Which rounds may be run twice, and the reason of each that may not."""

from __future__ import annotations

import pytest
from support.flow import checked_kernel

from irgl.analysis.flow.replay import why_no_replay

PARAMS = "Graph g, list<node> l, int limit"


def refusal(body: str, head: str = "", worklist: str = "list<node>", params: str = PARAMS) -> tuple[str, str] | None:
    checked = checked_kernel(body, params, worklist, head)
    found = why_no_replay(checked, checked.kernels["k"])
    return None if found is None else (found.reason, found.remedy)


@pytest.mark.parametrize(
    "body",
    [
        "ForAll (n In g.nodes) { WL.push(n); l.push(n); }",
        "ForAll (n In g.nodes) { n.p = limit; }",
        "ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.p min= n.q; racy e.dst.p = 3; } }",
        "ForAll (n In g.nodes) { int x = 0; ForAll (e In n.edges) { x += 1; } n.p = x; }",
        "ForAll (n In g.nodes) { Atomic (n.guard) { n.p max= n.q; } }",
        "ForAll (n In g.nodes) { ReduceAndReturn(n.p > 0); }",
    ],
)
def test_an_operator_that_a_second_run_does_not_change(body: str) -> None:
    assert refusal(body) is None


def test_a_claim_before_a_push_is_lost_in_a_second_run() -> None:
    claim = "if (e.dst.p == 0) { racy e.dst.p = 1; WL.push(e.dst); }"
    body = f"ForAll (n In WL.items) {{ ForAll (e In n.edges) {{ {claim} }} }}"
    assert refusal(body) == (
        "it reads 'p', which it also writes: a second run finds what the first left",
        "write to another property, and take it over in a second kernel",
    )


@pytest.mark.parametrize(
    ("body", "reason", "remedy"),
    [
        ("total += 1;", "a second run does += again", "use min= max= |= or &="),
        ("n.p xchg= 3;", "a second run does xchg= again", "use min= max= |= or &="),
        ("if (n.p min= 3) { l.push(n); }", "it asks whether a reduction changed anything: in a second run it doesn't",
         "compare before, or store without asking"),
        ("if (cas(n.p, 0, 1)) { l.push(n); }", "a cas that took place fails in a second run", "use min= or max="),
        ("Exclusive (g, [n]) { l.push(n); }", "another iteration may get the elements in a second run",
         "leave Exclusive out"),
        ("Atomic (n.guard) { l.push(n); } Else { }", "another iteration may get the lock in a second run",
         "wait for it: leave Else out"),
        ("CBlock reads(n.p) writes(n.p) { x }", "nobody can see what a CBlock does when it runs twice",
         "write it in IrGL"),
    ],
)  # fmt: skip
def test_what_a_second_run_would_do_differently(body: str, reason: str, remedy: str) -> None:
    assert refusal(f"ForAll (n In g.nodes) {{ {body} }}") == (reason, remedy)


def test_an_object_that_grows_is_not_cut_back() -> None:
    body, head = "ForAll (n In g.nodes) { a.append(1); }", 'import "array.irgl";\n'
    assert refusal(body, head, params="Graph g, array<int> a") == (
        "it changes 'a': a second run changes it again", "use a list, which is cut back"
    )  # fmt: skip


def test_buckets_run_what_they_get_in_the_same_round() -> None:
    assert refusal("ForAll (n In WL.items) { WL.push(n, 1); }", worklist="buckets<node>") == (
        "what it pushes to the running bucket runs in the same invocation", "use a list"
    )  # fmt: skip


def test_helpers_are_looked_into() -> None:
    head = "void inner(Graph g, node n) { n.p += 1; }\nvoid outer(Graph g, node n) { inner(g, n); }\n"
    assert refusal("ForAll (n In g.nodes) { outer(g, n); }", head) == (
        "a second run does += again", "use min= max= |= or &="
    )  # fmt: skip
