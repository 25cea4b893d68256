"""Paths: one name for each loop and orchestration statement, which passes and labels elsewhere leave alone."""

from __future__ import annotations

import pytest
from support.flow import HEAD
from support.programs import NAMES, PLACE

from irgl.analysis.check import check
from irgl.analysis.names.paths import paths
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.frontends.text.load import load, load_text
from irgl.passes import name_items
from irgl.passes.parts import outline_loops, spread
from irgl.source import IrglError

EDGES = "ForAll (e In n.edges) { total += 1; }"


def named(text: str) -> list[str]:
    return list(paths(load_text(HEAD + text, "p.irgl")).values())


def kernel(body: str) -> list[str]:
    return named(f"Kernel k(Graph g) {{ {body} }}")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("total = 1;", []),
        (f"ForAll (n In g.nodes) {{ {EDGES} {EDGES} }}", ["k.loop1", "k.loop1.loop1", "k.loop1.loop2"]),
        (
            f"ForAll (n In g.nodes) {{ }} ForAll (n In g.nodes) {{ {EDGES} }}",
            ["k.loop1", "k.loop2", "k.loop2.loop1"],
        ),
        (f"ForAll (n In g.nodes) {{ if (n.p > 0) {{ {EDGES} }} else {{ {EDGES} }} }}",
         ["k.loop1", "k.loop1.loop1", "k.loop1.loop2"]),
        (
            "ForAll (n In g.nodes) { while (n.p > 0) { ForAll (e In n.edges) { } } do { } while (n.p > 0); "
            "For (e In n.edges) { } for (; n.p > 0; ) { } }",
            ["k.loop1", "k.loop1.while1", "k.loop1.loop1", "k.loop1.while2", "k.loop1.for1", "k.loop1.for2"],
        ),
        (f"outer: ForAll (n In g.nodes) {{ {EDGES} inner: {EDGES} {EDGES} }} ForAll (n In g.nodes) {{ }}",
         ["k.outer", "k.outer.loop1", "k.outer.inner", "k.outer.loop3", "k.loop2"]),
    ],
)
def test_loops_of_a_kernel(body: str, expected: list[str]) -> None:
    assert kernel(body) == expected


def test_orchestration_statements_of_the_program() -> None:
    text = (
        "Kernel k(Graph g) { ForAll (n In WL.items) { WL.push(n); ReduceAndReturn(true); } }"
        "Program main(Graph g, node s = first) { while (total > 9) { Pipe Once Initial [s] {"
        " Invoke k(g); Iterate k(g) { } for (int i = 0; i < 2; i++) { Iterate k(g) { } }"
        " Pipe { if (Any Invoke k(g)) { Invoke k(g); } } } }"
        " Iterate k(g) Initial [s] { } }"
    )
    assert named(text) == [
        "k.loop1", "main.while1", "main.pipe1", "main.pipe1.invoke1", "main.pipe1.iterate1", "main.pipe1.for1",
        "main.pipe1.iterate2", "main.pipe1.pipe1", "main.pipe1.pipe1.invoke1", "main.pipe1.pipe1.invoke2",
        "main.iterate1",
    ]  # fmt: skip


def test_a_label_that_reads_like_another_loop_is_refused() -> None:
    with pytest.raises(IrglError, match=r"'k\.loop2' names two places") as error:
        kernel("loop2: ForAll (n In g.nodes) { } ForAll (n In g.nodes) { }")
    assert error.value.hint == "choose a label that doesn't look like a loop's number"


def test_naming_items_keeps_paths() -> None:
    text = HEAD + f"Kernel k(Graph g) {{ ForAll (i In WL) {{ node n = WL.pop(i); {EDGES} x: {EDGES} }} }}"
    before = load_text(text, "p.irgl")
    after = name_items.run(check(before).program)
    assert list(paths(after).values()) == list(paths(before).values())


def _all(name: str) -> Checked:
    return check(load(PLACE / f"{name}.irgl"))


@pytest.mark.parametrize("name", NAMES)
def test_plans_name_loops_by_the_same_paths(name: str) -> None:
    checked = _all(name)
    names = paths(checked.program)
    for k in checked.kernels.values():
        for place, loop, _ in spread.loops(k):
            assert names[loop] == place


@pytest.mark.parametrize("name", NAMES)
def test_plans_name_pipes_and_iterates_by_the_same_paths(name: str) -> None:
    checked = _all(name)
    names = paths(checked.program)
    assert [names[loop] for _, loop, _ in outline_loops.choices(checked)] == [
        place for place, _, _ in outline_loops.choices(checked)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_no_two_paths_are_the_same(name: str) -> None:
    checked = _all(name)
    found = list(paths(checked.program).values())
    assert len(found) == len(set(found)) > 0
    assert all(isinstance(n, A.Node) for n in paths(checked.program))
