"""Sections of a Program run at once where nothing stands in the way, and leave what they leave one behind the other."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from support.places import BENCHMARKS
from support.running import outcome

import irgl
from irgl import driver
from irgl.cli.main import exit_code
from irgl.plan import Plan
from irgl.rt.graphs.load import load
from irgl.source import IrglError

HEAD = """graph Graph { node int a = 1; node int b = 2; node int level = INF; node int dist = INF; edge int w; }
long sum_a = 0;
long sum_b = 0;
Kernel add_a(Graph g) { ForAll (n In g.nodes) { sum_a += n.a; } }
Kernel add_b(Graph g) { ForAll (n In g.nodes) { sum_b += n.b; } }
Kernel raise_a(Graph g, int by) { ForAll (n In g.nodes) { n.a += by; } }
Kernel raise_b(Graph g, int by) { ForAll (n In g.nodes) { n.b += by; } }
Kernel divide_a(Graph g, int by) { ForAll (n In g.nodes) { n.a = n.a / by; } }
Kernel list_all(Graph g, list<node> out) { ForAll (n In g.nodes) { out.push(n); } }
Kernel step(Graph g) WL list<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.level min= n.level + 1) { WL.push(e.dst); } } }
}
Kernel relax(Graph g, int delta) WL priority_queue<node>(dist / delta) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_min(e.dst, n.dist + e.w); } }
}
"""
SEARCHES = """Sections {
  { g.node(0).level = 0; Iterate step(g) Initial [g.node(0)] { } Invoke add_a(g); }
  { g.node(0).dist = 0; int width = 4; Iterate relax(g, width) Initial [g.node(0)] { } Invoke add_b(g); }
}
sum_a += 1;"""
ROUNDS = """int i = 0;
while (i < 3) {
  Sections {
    { Invoke raise_a(g, i); Invoke add_a(g); }
    { int twice = 2 * i; Invoke raise_b(g, twice); Invoke add_b(g); }
    { list<node> all; Invoke list_all(g, all); }
  }
  i += 1;
}"""
GRAPH = load("kron:scale=6,seed=2,weights=int")


def program(body: str) -> str:
    return f"{HEAD}Program main(Graph g, int k = 0) {{\n{body}\n}}\n"


def unit(body: str, target: str = "cpu", plan: str = "default") -> str:
    return driver.compile("k.irgl", text=program(body), target=target, plan=Plan.parse(plan, target)).text


@pytest.mark.parametrize(("target", "plan", "threads"), [
    ("cpu", "default", 1), ("cpu", "serial=off", 2), ("cpu", "serial=off", 4),
    ("simt", "outline=off", None), ("simt", "outline=all", None)])
@pytest.mark.parametrize("body", [SEARCHES, ROUNDS], ids=["searches", "rounds"])
def test_what_they_leave_is_what_the_interpreter_finds(body: str, target: str, plan: str, threads: int | None) -> None:
    text = program(body)
    assert re.search(r"irgl::(beside|sections)\(c,", unit(body, target, plan))
    found = outcome(text, plan, target, GRAPH, threads=threads).result
    meant = irgl.compile("k.irgl", target="ref", text=text)(GRAPH)
    assert (found.scalars["sum_a"], found.scalars["sum_b"]) == (meant.sum_a, meant.sum_b)
    for word in ("a", "b", "level", "dist"):
        assert np.array_equal(found.properties[word].array, meant[word]), word


@pytest.mark.parametrize(("body", "reason"), [
    ("Sections { { Invoke add_a(g); } { Invoke add_b(g); } }", None),
    ("Sections { { Invoke add_a(g); } { print(k); } }", "of the one of line 17: it prints"),
    ("Sections { { Invoke add_a(g); } { k = (int)random(3); } }", "of the one of line 17: it draws random numbers"),
    ("list<node> l;\nSections { { Invoke list_all(g, l); } { Invoke add_b(g); } }\nk = (int)l.size;",
     "of the one of line 18: it uses l, which all threads have together"),
    ("Sections { { Invoke add_a(g); } }", "there are no two"),
    ("Sections { " + "".join(f"{{ int x = {i}; }}" for i in range(17)) + " }", "they are more than 16"),
])
def test_explain_says_whether_they_run_at_once(body: str, reason: str | None, capsys: pytest.CaptureFixture[str],
                                               tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("program") / "k.irgl"
    path.write_text(program(body))
    assert exit_code(["explain", str(path), "--json"]) == 0
    places = json.loads(capsys.readouterr().out)["places"]
    line = 18 if body.startswith("list") else 17
    said = next(p["sections"] for p in places if p["path"] == "main")
    assert said == [f"line {line}: " + ("all at once" if reason is None else f"one behind the other: {reason}")]
    assert ("irgl::beside(" in unit(body)) == (reason is None)


def test_sets_of_iterations_are_none_that_two_sections_have_in_common() -> None:
    kernels = "".join(f"Kernel mark_{p}(Graph g) {{ ForAll (n In g.nodes) {{ scratch<node> marks; marks.push(n);\n"
                      f"ForAll (e In n.edges) {{ if (marks.contains(e.dst)) {{ n.{p} += 1; }} }} }} }}\n" for p in "ab")
    text = f"{HEAD}{kernels}Program main(Graph g) {{ Sections {{ {{ Invoke mark_a(g); }} {{ Invoke mark_b(g); }} }} }}"
    assert "irgl::beside(c," in driver.compile("k.irgl", text=text).text


def test_what_they_print_comes_in_the_order_of_the_text(capfd: pytest.CaptureFixture[str]) -> None:
    text = program("Sections { { print(1); } { print(2); } { print(3); } }")
    outcome(text, "default", "cpu", GRAPH, threads=2)
    assert capfd.readouterr().err.split() == ["1", "2", "3"]


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_the_first_error_in_the_text_is_the_one_that_is_told(target: str) -> None:
    body = "Sections { { Invoke raise_b(g, 1 / k); } { Invoke divide_a(g, k); } }"
    with pytest.raises(IrglError) as e:
        outcome(program(body), "default", target, GRAPH)
    assert e.value.span is not None
    assert e.value.span.line == 17


def test_two_graphs_are_searched_at_once() -> None:
    text = HEAD + ("Program main(Graph g, Graph h) { Sections {\n"
                   "{ g.node(0).level = 0; Iterate step(g) Initial [g.node(0)] { } }\n"
                   "{ h.node(0).level = 0; Iterate step(h) Initial [h.node(0)] { } } } }\n")
    assert "irgl::beside(c," in driver.compile("k.irgl", text=text).text
    one, other = load("path:nodes=9,weights=int"), load("star:nodes=9,weights=int")
    found = outcome(text, "serial=off", "cpu", {"g": one, "h": other}, threads=2).result.properties
    assert found["level"].array.max() == 8
    assert found["h.level"].array.max() == 1


def test_rounds_are_noted_one_behind_the_other() -> None:
    text = (BENCHMARKS / "two_searches.irgl").read_text(encoding="utf-8")
    assert "irgl::beside(" not in driver.emit(driver.ready("k.irgl", text), Plan(), "cpu", rounds=True).text
