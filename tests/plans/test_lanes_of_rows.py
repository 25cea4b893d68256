"""The option lanes: loops whose edges combine into variables of their node's iteration take several rows at once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.agreement import differences, disagreements, interpreted
from support.awkward_graphs import awkward, directed, hub
from support.cpu_batch import SETTINGS, run_cpu
from support.random_programs import RandomProgram

from irgl import driver
from irgl.plan import Plan
from irgl.rt.compile import lanes
from irgl.rt.compile.toolchain import FLAGS, cpu, gcc, include_dir
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError
from irgl.space import Choice, legal_space

HEAD = """graph Graph {
  node int p = 3; node double q = 0.5; node bool odd = false; node node up = NONE; node long total = 0;
  node double mean = 0; node int least = 0; node int most = 0; node int bits = 0; node bool some = false;
  node int number = 0; edge int w; edge int seen = 0;
}
long found = 0;
double near(Graph g, node n) { return n.q / 2.0; }
Kernel number_all(Graph g) {
  ForAll (n In g.nodes) { n.p = (int)(n.id * 7 % 23); n.q = n.p / 4.0; n.odd = n.p > 11; }
}
"""


def program(kernels: str, host: str = "Invoke k(g);") -> str:
    return f"{HEAD}{kernels}\nProgram main(transpose Graph g) {{ Invoke number_all(g); {host} }}"


def over_nodes(edges: str, before: str = "", behind: str = "", loop: str = "e In n.edges") -> str:
    return program(f"Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {before} ForAll ({loop}) {{ {edges} }} {behind} "
                   "} }")


SUMS = {
    "sum of integers": over_nodes("sum += e.dst.p;", "long sum = 0;", "n.total = sum; found += sum;"),
    "sum of numbers": over_nodes("sum += e.dst.q * e.w;", "double sum = 1;", "n.mean = sum;"),
    "two sums over in-edges": over_nodes("sum += e.src.q; count += e.w;", "double sum = 0; int count = 0;",
                                         "n.mean = sum; n.number = count;", "e In n.in_edges"),
    "extremes": over_nodes("least min= e.dst.p + e.w; most max= e.dst.p;", "int least = 1000; int most = -1;",
                           "n.least = least; n.most = most;"),
    "bits": over_nodes("bits |= e.dst.p; every &= !e.dst.odd;", "int bits = 0; bool every = true;",
                       "n.bits = bits; n.some = every;"),
    "conditions": over_nodes("int there = e.dst.p; if (there > n.p && there != 5) { count += there - here; }",
                             "int here = n.p; int count = 0;", "n.number = count;"),
    "what nodes share in front and behind": over_nodes(
        "sum += e.dst.p;", "found += n.p; int sum = 0;",
        "found += sum % 7; node far = g.node(n.id / 2); far.total += sum;"),
    "a helper": over_nodes("sum += near(g, e.dst) + max(e.dst.q, n.q);", "double sum = 0;", "n.mean = sum;"),
    "some nodes": program("Kernel k(Graph g) { ForAll (n In g.nodes) { if (n.odd) { int count = 1;"
                          " ForAll (e In n.edges) { count += e.dst.p; } n.number = count; } } }"),
    "a set": program("Kernel fill(Graph g, bitmap<node> front) {"
                     " ForAll (n In g.nodes) { if (n.odd) { front.push(n); } } }"
                     " Kernel k(Graph g, bitmap<node> front) { ForAll (n In front.items) { int count = 1;"
                     " ForAll (e In n.edges) { count += e.dst.p; } n.number = count; } }",
                     "bitmap<node> front; Invoke fill(g, front); Invoke k(g, front);"),
}
SUM = SUMS["sum of numbers"]


def uneven() -> Graph:
    """203 nodes: rows of a few edges beside long ones, so that all ways are taken through 4, 8 and 16 rows."""
    draw = np.random.default_rng(5)
    degree = np.concatenate([draw.integers(0, 4, 64), draw.choice([0, 1, 2, 4, 5, 8, 9, 16, 17, 60, 130], 139)])
    near = np.repeat(np.arange(203), degree)
    return directed(203, list(zip(near.tolist(), draw.integers(0, 203, len(near)).tolist(), strict=True)))


GRAPHS = {"uneven": uneven(), "hub": hub(1000)} | {name: awkward()[name] for name in (
    "empty", "one node", "one loop", "parallel arcs", "grid", "dense")}


def choice(text: str) -> Choice:
    checked = driver.ready("k.irgl", text).checked
    return next(c for c in legal_space(checked.program) if (c.place, c.option) == ("k.loop1.loop1", "lanes"))


def code(text: str, plan: str) -> str:
    return driver.compile("k.irgl", plan=Plan.parse(plan), text=text).text


WIDTHS = ("auto", "4", "8", "16")
#: Each sum with one width, and one with all.
PAIRS = [(word, width) for k, word in enumerate(SUMS) for width in WIDTHS
         if width == WIDTHS[k % 4] or word == "sum of numbers"]


@pytest.mark.parametrize(("word", "width"), PAIRS)
def test_answers_are_the_interpreters(word: str, width: str) -> None:
    text = SUMS[word]
    assert f"irgl::lanes<{'irgl::lanes_here' if width == 'auto' else width}>(" in code(text, f"lanes={width}")
    assert disagreements([RandomProgram(text, graph, {}) for graph in GRAPHS.values()],
                         Plan.parse(f"lanes={width} serial=off grain=1")) == []


@pytest.mark.parametrize(("text", "why"), [
    (over_nodes("n.total += e.dst.p;"), "its edges combine nothing into a variable of their node's iteration"),
    (over_nodes("sum += e.dst.p; e.seen = 1;", "long sum = 0;"),
     "its edges change more than variables of their node's iteration"),
    (over_nodes("sum += e.dst.p; found += 1;", "long sum = 0;"),
     "its edges change more than variables of their node's iteration"),
    (over_nodes("sum += 100 / e.dst.p;", "int sum = 0;"), "its edges divide whole numbers, perhaps by 0"),
    (over_nodes("node m = e.dst.up; sum += m.p;", "int sum = 0;"), "its edges use a node or an edge that may be NONE"),
    (over_nodes("sum += m.p;", "int sum = 0; node m = n.up; if (m == NONE) { continue; }"),
     "its edges use 'm', a node or an edge that its node's iteration has found, and that may be NONE"),
    (program("Kernel k(Graph g, bitmap<node> some) { ForAll (n In g.nodes) { int sum = 0;"
             " ForAll (e In n.edges) { sum += some.contains(e.dst); } n.number = sum; } }",
             "bitmap<node> some; Invoke k(g, some);"), "its edges ask a list, a set or an object"),
    (over_nodes("sum += e.dst.total;", "long sum = 0;", "relaxed n.total = sum;"),
     "its edges read what others change at the same time"),
    (over_nodes("int k = 0; while (k < 3) { k += 1; } sum += k;", "int sum = 0;"),
     "its edges do more than arithmetic"),
    (program("Kernel k(Graph g) WL list<node> { ForAll (n In WL.items) { long sum = 0;"
             " ForAll (e In n.edges) { sum += e.dst.p; } n.total += sum; } }", "Iterate k(g) Initial [g.node(0)] { }"),
     "the loop around it runs over a list, which can't be asked for a node; frontier=bitmap makes a set of a unique "
     "list"),
], ids=range(10))
def test_elsewhere_rows_are_taken_one_by_one_for_a_reason(text: str, why: str) -> None:
    assert choice(text) == Choice("k.loop1.loop1", "lanes", why, ("off",))
    assert "irgl::lanes<" not in code(text, "lanes=8")


def test_at_a_place_where_it_cant_be_honoured_it_is_an_error() -> None:
    with pytest.raises(IrglError) as e:
        code(over_nodes("sum += 100 / e.dst.p;", "int sum = 0;"), "k.loop1.loop1.lanes=8")
    assert e.value.message == "`k.loop1.loop1.lanes=8` can't be honoured: its edges divide whole numbers, perhaps by 0"


def test_under_a_form_it_means_nothing() -> None:
    text = code(SUM, "lanes=8 k.loop1.loop1.format=blocks")
    assert "irgl::lanes<" not in text
    assert "_out_blocks" in text


@pytest.mark.parametrize(("plan", "said"), [
    ("np=bins lanes=8", "k.loop1.loop1: lanes=8: it means nothing under np=bins"),
    ("lanes=8 prefetch=8", "k.loop1.loop1: prefetch=8: it means nothing under lanes=8"),
])
def test_of_two_options_that_exclude_each_other_one_is_told_to_mean_nothing(plan: str, said: str) -> None:
    assert said in driver.compile("k.irgl", plan=Plan.parse(plan), text=SUM).not_applicable


def test_names_of_the_program_are_not_those_of_what_is_kept() -> None:
    text = over_nodes("sum_ += e.dst.p; kept_sum += 1; sum_v += 2;", "int sum_ = 0; int kept_sum = 0; int sum_v = 0;",
                      "n.number = sum_ + kept_sum; n.most = sum_v;")
    graph = GRAPHS["uneven"]
    assert [disagreements([RandomProgram(text, graph, {})], Plan.parse(plan)) for plan in (
        "lanes=8", "format=blocks")] == [[], []]


def test_vector_code_gives_the_interpreters_answers() -> None:
    """As programs are built for users: tests build without vector instructions otherwise."""
    programs = [RandomProgram(text, GRAPHS["uneven"], {}) for text in SUMS.values()]
    ran = run_cpu(programs, SETTINGS[-1:], "-O3", Plan.parse("lanes=16 serial=off grain=1"))
    found = {word: differences(interpreted(p), one[0]) for word, p, one in zip(SUMS, programs, ran, strict=True)}
    assert found == {word: [] for word in SUMS}


def test_a_hub_stays_with_the_thread_that_takes_its_part() -> None:
    checked = driver.compile("k.irgl", plan=Plan.parse("lanes=8 giant=100"), text=SUM)
    assert "k.loop1: giant=100: its edges are taken part by part" in checked.not_applicable


@pytest.mark.skipif(" avx512f" not in cpu(), reason="this processor has no masked gather instructions")
@pytest.mark.parametrize("text", [SUM, SUMS["extremes"], SUMS["conditions"]], ids=["sum", "extremes", "conditions"])
def test_lanes_read_by_gather_instructions(text: str, tmp_path: Path) -> None:
    unit, made = tmp_path / "unit.cpp", tmp_path / "unit.s"
    unit.write_text(code(text, "lanes=16"))
    subprocess.run([*gcc(), *FLAGS, "-fPIC", f"-I{include_dir()}", "-S", "-o", made, unit], check=True)
    assert "gatherd" in made.read_text()


def test_the_width_of_a_machine_is_measured_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    asked = []
    monkeypatch.setattr(lanes, "function", lambda *of: lambda: asked.append(of) or 8)
    assert [lanes.lanes_here.__wrapped__(), lanes.lanes_here.__wrapped__()] == [8, 8]
    assert len(asked) == 1


def test_what_is_measured_is_a_width() -> None:
    assert lanes.lanes_here() in (1, 4, 8, 16)
