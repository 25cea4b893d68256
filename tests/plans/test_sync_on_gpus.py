"""sync=off on GPUs: statements of a Program that have nothing to do with each other run in streams of their own."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.awkward_graphs import awkward
from support.nvcc import ARCHITECTURES, complaints
from support.places import BENCHMARKS
from support.running import outcome

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome
from irgl.rt.graphs.load import load
from irgl.rt.manifests.program import open_program
from irgl.rt.system.endings import WrongCodeError
from irgl.source import IrglError
from irgl.space import legal_space

TEXT = (BENCHMARKS / "two_searches.irgl").read_text(encoding="utf-8")
#: The second search reads what the first one finds.
PLANTED = TEXT.replace("update_min(e.dst, here", "update_min(e.dst, n.hops + here")
HEAD = """graph Graph { node int a = 1; node int b = 2; node int c = 0; }
long sum_a = 0;
long sum_b = 5;
Kernel add_a(Graph g) { ForAll (n In g.nodes) { sum_a += n.a; } }
Kernel add_b(Graph g) { ForAll (n In g.nodes) { sum_b += n.b; } }
Kernel raise_a(Graph g, int by) { ForAll (n In g.nodes) { n.a += by; } }
Kernel raise_b(Graph g, int by) { ForAll (n In g.nodes) { n.b += by; } }
Kernel divide_a(Graph g, int by) { ForAll (n In g.nodes) { n.a = n.a / by; } }
Kernel divide_b(Graph g, int by) { ForAll (n In g.nodes) { n.b = n.b / by; } }
Kernel list_all(Graph g, list<node> out) { ForAll (n In g.nodes) { out.push(n); } }
Kernel raise_of(Graph g, list<node> of) { ForAll (n In of.items) { n.c += 1; } }
"""
GRAPH = load("grid:size=6x5,seed=3,weights=int")


def program(body: str) -> str:
    return f"{HEAD}Program main(Graph g, int k = 0) {{\n{body}\n}}\n"


@cache
def searched(plan: str) -> Outcome:
    return outcome(TEXT, plan, "simt", GRAPH)


@pytest.mark.parametrize("plan", ["outline=off", "outline=all", "outline=graph"])
def test_kernels_of_both_run_beside_each_other(plan: str) -> None:
    apart, together = (searched(f"{plan} sync={word}") for word in ("on", "off"))
    assert apart.stats["launches_beside"] == 0
    assert together.stats["launches_beside"] >= (2 if plan == "outline=off" else 1)


@pytest.mark.parametrize("plan", ["outline=off", "outline=all", "outline=graph", "np=bins outline=off", "np=even"])
def test_what_they_find_is_what_they_find_alone(plan: str) -> None:
    chosen = f"{plan} sync=off"
    assert "irgl::beside(c," in driver.compile("k.irgl", text=TEXT, target="simt", plan=Plan.parse(chosen, "simt")).text
    found, meant = (outcome(TEXT, p, t, GRAPH).result.properties for p, t in ((chosen, "simt"), ("default", "cpu")))
    for word in ("hops", "path_length"):
        assert found[word].array.tolist() == meant[word].array.tolist()


@pytest.mark.parametrize("name", sorted(awkward()))
def test_searches_of_awkward_graphs(name: str) -> None:
    graph = awkward()[name]
    found, meant = (outcome(TEXT, p, t, graph).result.properties
                    for p, t in (("sync=off outline=off", "simt"), ("default", "cpu")))
    for word in ("hops", "path_length"):
        assert found[word].array.tolist() == meant[word].array.tolist()


def test_what_reads_another_s_answer_keeps_waiting_and_says_of_what() -> None:
    unit = driver.compile("k.irgl", text=PLANTED, target="simt", plan=Plan.parse("sync=off", "simt"))
    assert "irgl::beside(c," not in unit.text
    assert "two_searches.iterate2: sync=off: line 33 and line 37 have g.node.hops in common" in unit.not_applicable


def test_kernels_that_touch_the_same_are_told_by_the_emulator() -> None:
    plan = Plan.parse("sync=off", "simt")
    manifest = open_program("k.irgl", plan, text=program("Invoke raise_a(g, 1);\nInvoke raise_b(g, 1);"))
    graphs = {"g": GRAPH}
    planted = replace(manifest, text=manifest.text.replace("g.b[n]", "g.a[n]"))
    with pytest.raises(WrongCodeError) as e:
        device.run(planted, graphs, bind(planted, graphs, {}), plan, Options())
    assert "[race]" in str(e.value)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("architectures", ARCHITECTURES)
def test_they_compile_without_a_warning(architectures: tuple[int, ...], tmp_path: Path) -> None:
    program = BENCHMARKS / "two_searches.irgl"
    assert complaints([program], [{"outline": "all", "sync": "off", "block": "256"}], tmp_path, architectures) == []


def test_scalars_of_all_parts_are_there_behind_them() -> None:
    found = outcome(program("sum_a = 7;\nInvoke add_a(g);\nInvoke add_b(g);\nk = (int)sum_a + (int)sum_b;\n"
                            "Invoke raise_a(g, k);\nInvoke raise_b(g, 1);"), "sync=off", "simt", GRAPH).result
    assert (found.scalars["sum_a"], found.scalars["sum_b"]) == (7 + 30, 5 + 60)
    assert found.properties["a"].array.tolist() == [1 + 37 + 65] * 30


@pytest.mark.parametrize("plan", ["outline=off", "outline=all"])
def test_a_list_that_one_statement_alone_uses_goes_with_it(plan: str) -> None:
    text = program("list<node> all;\nInvoke raise_a(g, 1);\n"
                   "for (int i = 0; i < 1; ++i) { Invoke list_all(g, all); Invoke raise_of(g, all); }")
    made = driver.compile("k.irgl", text=text, target="simt", plan=Plan.parse(f"{plan} sync=off", "simt")).text
    assert made.index("irgl::beside(c,") < made.index("all_(c")
    found = outcome(text, f"{plan} sync=off", "simt", GRAPH).result.properties
    assert (found["a"].array.tolist(), found["c"].array.tolist()) == ([2] * 30, [1] * 30)


@pytest.mark.parametrize(("body", "line"), [
    ("Invoke divide_a(g, k);\nInvoke divide_b(g, k);", 8),
    ("Invoke raise_a(g, 1);\nInvoke divide_b(g, k);", 9),
    ("Invoke divide_a(g, k);\nfor (int i = 0; i < 9; i += k) { Invoke raise_b(g, 1); }", 8),
])
def test_the_first_fault_in_the_text_is_told_and_ends_what_stands_behind_it(body: str, line: int) -> None:
    with pytest.raises(IrglError) as e:
        outcome(program(body), "sync=off outline=off", "simt", GRAPH)
    assert e.value.span is not None
    assert e.value.span.line == line


def test_what_is_legal_on_gpus_is_said_of_their_statements() -> None:
    found = {c.place: c.reason for c in legal_space(driver.ready("k.irgl", TEXT).checked.program, "simt")
             if c.option == "sync" and c.place.startswith("two_searches.")}
    assert found == {"two_searches.iterate1": "nothing runs before it", "two_searches.iterate2": None}


def test_objects_of_iterations_keep_their_statement_by_itself() -> None:
    text = ("graph Graph { node int a = 0; node int b = 0; }\nimport \"append_only_list.irgl\";\n"
            "Kernel one(Graph g) { ForAll (n In g.nodes) { AppendOnlyList<int> l; l.append(1); n.a = (int)l.size; } }\n"
            "Kernel two(Graph g) { ForAll (n In g.nodes) { n.b += 1; } }\n"
            "Program main(Graph g) { Invoke one(g); Invoke two(g); }\n")
    reasons = {c.place: c.reason for c in legal_space(driver.ready("k.irgl", text).checked.program, "simt")
               if c.option == "sync"}
    assert reasons["main.invoke2"] == ("of what stands before it (line 5): its iterations have objects of their own, "
                                       "whose memory all kernels have together")
