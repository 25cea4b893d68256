"""sync=off: statements of a Program that have nothing to do with each other run side by side, and leave the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.awkward_graphs import awkward
from support.places import BENCHMARKS

import irgl
from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.space import legal_space

OFF = Plan.parse("sync=off serial=off")
#: Large enough for all threads to be called.
LARGE = "kron:scale=11,seed=1,weights=int"
HEAD = """graph Graph { node int a = 1; node int b = 2; node int c = 0; node lock held; edge int w; }
long sum_a = 0;
long sum_b = 0;
int most = 0;
Kernel add_a(Graph g) { ForAll (n In g.nodes) { sum_a += n.a; } }
Kernel add_b(Graph g) { ForAll (n In g.nodes) { sum_b += n.b; } }
Kernel raise_a(Graph g) { ForAll (n In g.nodes) { n.a += 1; } }
Kernel raise_b(Graph g, int by) { ForAll (n In g.nodes) { n.b += by; } }
Kernel find_most(Graph g) { ForAll (n In g.nodes) { most max= (int)n.degree; } }
Kernel list_all(Graph g, list<node> out) { ForAll (n In g.nodes) { out.push(n); } }
Kernel hold(Graph g) { ForAll (n In g.nodes) { Atomic (n.held) { n.c += 1; } } }
Kernel divide(Graph g, int by) { ForAll (n In g.nodes) { n.c = n.c / by; } }
Kernel some(Graph g) { ForAll (n In g.nodes) { ReduceAndReturn(n.b > 2); } }
Kernel divide_a(Graph g, int by) { ForAll (n In g.nodes) { n.a = n.a / by; } }
"""


def program(body: str) -> str:
    return f"{HEAD}Program main(Graph g, int k = 0) {{\n{body}\n}}\n"


def choices(text: str) -> dict[str, str | None]:
    """Of each statement that runs kernels, why it can't run beside what stands before it."""
    found = legal_space(driver.ready("k.irgl", text).checked.program)
    return {c.place: c.reason for c in found if c.option == "sync"}


@pytest.mark.parametrize(("body", "reason"), [
    ("Invoke raise_a(g);\nInvoke raise_b(g, 1);", None),
    ("Invoke add_a(g);\nint j = 3;\nInvoke raise_b(g, j);", None),
    ("Invoke add_a(g);\nk = 3;\nInvoke raise_b(g, k);", None),
    ("Invoke raise_a(g);\nif (k < 0) { stop(\"no\"); }\nInvoke raise_b(g, k);", None),
    ("for (int i = 0; i < 3; ++i) { Invoke raise_a(g); }\nwhile (k < 3) { Invoke raise_b(g, 1); k += 1; }", None),
    ("Invoke raise_a(g);\nInvoke add_a(g);", "line 16 and line 17 have g.node.a in common"),
    ("Invoke add_a(g);\nsum_a = 0;\nInvoke add_b(g);", "line 16 and line 17 have scalar sum_a in common"),
    ("Invoke add_a(g);\nk = (int)sum_a;\nInvoke raise_b(g, k);", "line 16 and line 17 have scalar sum_a in common"),
    ("while (k < 3) { Invoke raise_a(g); k += 1; }\nInvoke raise_b(g, k);",
     "line 16 and line 17 have k in common"),
    ("Invoke add_a(g);\nprint(k);\nInvoke raise_b(g, 1);", "of what stands between them (line 17): it prints"),
    ("Invoke add_a(g);\nif (k > 9) { return; }\nInvoke raise_b(g, 1);",
     "of what stands between them (line 17): the program may end in it"),
    ("Invoke raise_a(g);\nfor (int i = 0; i < 2; ++i) { Invoke raise_b(g, (int)random(5)); }",
     "it draws random numbers"),
    ("for (int i = 0; i < 2; ++i) { Invoke raise_a(g); print(i); }\nInvoke raise_b(g, 1);",
     "of what stands before it (line 16): it prints"),
    ("list<node> all;\nInvoke raise_a(g);\nInvoke list_all(g, all);", None),
    ("list<node> all;\nall.push(g.node(0));\nInvoke raise_a(g);\nInvoke list_all(g, all);",
     "it uses all, which all threads have together"),
    ("list<node> all;\nInvoke list_all(g, all);\nInvoke raise_a(g);\nk = (int)all.size;\nInvoke raise_b(g, k);",
     "of what stands between them (line 19): it uses all, which all threads have together"),
    ("Invoke raise_a(g);\nInvoke hold(g);", "it locks held"),
    ("Invoke raise_a(g);\nbool any = Any Invoke some(g);", "it declares a variable"),
    ("Invoke raise_a(g);\nk = 3;\nint j = k;\nInvoke raise_b(g, j);",
     "line 18 declares a variable behind line 17, whose value it has"),
    ("Invoke raise_a(g);\nint j = 6 / k;\nInvoke raise_b(g, j);",
     "line 17 declares a variable whose value may be an error"),
    ("Invoke raise_a(g);\nint j = g.node(k).c;\nInvoke raise_b(g, j);",
     "line 17 declares a variable whose value may be an error"),
    ("Invoke raise_a(g);\nint j = k / 2;\nInvoke raise_b(g, j);", None),
    ("Invoke raise_a(g);\ndouble x = 6.0 / k;\nInvoke raise_b(g, (int)x);", None),
])
def test_a_statement_waits_where_there_is_a_reason(body: str, reason: str | None) -> None:
    *_, last = choices(program(body)).items()
    assert last[1] == reason


def test_a_variable_is_there_for_what_comes_behind_the_parts() -> None:
    text = program("Invoke raise_a(g);\nint j = 3;\nj = 4;\nInvoke raise_b(g, j);\nprint(j);")
    unit = driver.compile("k.irgl", text=text, plan=OFF).text
    assert unit.index("int32_t j = 3;") < unit.index("irgl::beside(c,") < unit.index("j = 4;")


def test_the_first_waits_for_nothing() -> None:
    assert choices(program("Invoke raise_a(g);\nInvoke raise_b(g, 1);"))["main.invoke1"] == "nothing runs before it"


def test_what_reads_another_s_answer_keeps_waiting_and_explain_names_it() -> None:
    text = (BENCHMARKS / "two_searches.irgl").read_text(encoding="utf-8")
    assert "irgl::beside(c," in driver.compile("k.irgl", text=text, plan=OFF).text
    planted = text.replace("update_min(e.dst, here", "update_min(e.dst, n.hops + here")
    unit = driver.compile("k.irgl", text=planted, plan=OFF)
    assert "irgl::beside(c," not in unit.text
    assert ("two_searches.iterate2: sync=off: line 33 and line 37 have g.node.hops in common"
            in unit.not_applicable)


def test_one_that_is_asked_by_its_place_says_why_it_cannot() -> None:
    with pytest.raises(IrglError) as e:
        driver.compile("k.irgl", text=program("Invoke raise_a(g);\nInvoke add_a(g);"),
                       plan=Plan.parse("main.invoke2.sync=off"))
    assert e.value.message == ("`main.invoke2.sync=off` can't be honoured: line 16 and line 17 have g.node.a in common")


def test_only_those_that_the_plan_names_run_beside_others() -> None:
    text = program("Invoke raise_a(g);\nInvoke raise_b(g, 1);\nInvoke find_most(g);")
    both = driver.compile("k.irgl", text=text, plan=OFF).text
    one = driver.compile("k.irgl", text=text, plan=Plan.parse("main.invoke3.sync=off")).text
    assert both.count("irgl::part(") == 3
    assert one.count("irgl::part(") == 2
    assert one.index("raise_a(c, g);") < one.index("irgl::beside(c,")
    assert "irgl::beside(" not in driver.compile("k.irgl", text=text).text


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_scalars_of_all_parts_are_there_behind_them(threads: int, tmp_path: Path) -> None:
    path = tmp_path / "k.irgl"
    path.write_text(program("Invoke add_a(g);\nInvoke add_b(g);\nInvoke find_most(g);\nk = most;\n"
                            "Invoke raise_b(g, k);"))
    graph = irgl.load_graph(LARGE, irgl.compile(path))
    found = irgl.compile(path, plan="sync=off")(graph, threads=threads)
    plain = irgl.compile(path)(graph, threads=threads)
    assert (found.sum_a, found.sum_b, found.most) == (plain.sum_a, plain.sum_b, plain.most) != (0, 0, 0)
    assert np.array_equal(found.b, plain.b)


def test_scalars_may_have_the_names_of_what_the_runtime_has(tmp_path: Path) -> None:
    words = ["most_threads", "evenly", "large", "larger", "share", "most", "before", "failed", "copies", "least_shared",
             "worth_helpers", "rounds", "stats", "team", "began", "seed"]
    lines = [*(f"long {w} = {i};" for i, w in enumerate(words)),
             "graph Graph { node int a = 1; node int b = 2; }",
             *(f"Kernel add_{p}(Graph g) {{ ForAll (n In g.nodes) {{ {' '.join(f'{w} += n.{p};' for w in of)} }} }}"
               for p, of in (("a", words[::2]), ("b", words[1::2]))),
             "Program main(Graph g) { Invoke add_a(g); Invoke add_b(g); }"]
    path = tmp_path / "k.irgl"
    path.write_text("\n".join(lines))
    given = irgl.compile(path, plan="sync=off serial=off")
    assert "irgl::beside(c," in driver.compile(path, plan=OFF).text
    found = given(irgl.load_graph("path:nodes=5", given), threads=2)
    assert [getattr(found, w) for w in words] == [i + 5 * (1 + i % 2) for i in range(len(words))]


def searched(graph: Graph, plan: str, threads: int) -> list[list[int]]:
    """What two searches of a graph leave."""
    chosen = Plan.parse(plan)
    manifest = open_program(BENCHMARKS / "two_searches.irgl", chosen)
    values = bind(manifest, {"g": graph}, {"delta": 3})
    left = run(manifest, {"g": graph}, values, chosen, Options(threads=threads)).result.properties
    return [left[word].array.tolist() for word in ("hops", "path_length")]


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", sorted(awkward()))
def test_searches_side_by_side_find_what_they_find_alone(name: str, threads: int) -> None:
    graph = awkward()[name]
    assert searched(graph, "sync=off serial=off", threads) == searched(graph, "default", 1)


def line_of_the_fault(body: str, threads: int, tmp_path: Path) -> int:
    """Of the error with which a program ends whose statements run side by side."""
    path = tmp_path / "k.irgl"
    path.write_text(program(body))
    given = irgl.compile(path, plan="sync=off serial=off")
    with pytest.raises(IrglError) as e:
        given(irgl.load_graph(LARGE, given), threads=threads)
    assert e.value.span is not None
    return e.value.span.line


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_fault_in_the_text_is_the_one_that_is_told(threads: int, tmp_path: Path) -> None:
    assert line_of_the_fault("Invoke divide(g, k);\nInvoke divide_a(g, k);", threads, tmp_path) == 12


@pytest.mark.parametrize("threads", [1, 2])
def test_a_fault_ends_a_loop_behind_it_that_has_no_end(threads: int, tmp_path: Path) -> None:
    endless = "for (int i = 0; i < 9; i += k) { Invoke raise_b(g, 1); }"
    assert line_of_the_fault(f"Invoke divide_a(g, k);\n{endless}", threads, tmp_path) == 14


def test_more_statements_than_run_at_once_run_in_two_groups(tmp_path: Path) -> None:
    names = [f"p{i}" for i in range(18)]
    text = "\n".join([f"graph Graph {{ {' '.join(f'node int {p} = 0;' for p in names)} }}",
                      *(f"Kernel raise_{p}(Graph g) {{ ForAll (n In g.nodes) {{ n.{p} += {i}; }} }}"
                        for i, p in enumerate(names)),
                      f"Program main(Graph g) {{ {' '.join(f'Invoke raise_{p}(g);' for p in names)} }}"])
    assert choices(text)["main.invoke17"] == "16 run side by side before it"
    path = tmp_path / "k.irgl"
    path.write_text(text)
    given = irgl.compile(path, plan="sync=off serial=off")
    found = given(irgl.load_graph("path:nodes=5", given), threads=2)
    assert [int(getattr(found, p)[0]) for p in names] == [*range(18)]


def test_rounds_are_counted_for_one_after_the_other() -> None:
    program = open_program(BENCHMARKS / "two_searches.irgl", OFF, rounds=True)
    assert "irgl::beside(" not in program.text


def test_it_is_told_in_the_results() -> None:
    unit = driver.compile(BENCHMARKS / "two_searches.irgl", plan=OFF)
    assert "two_searches.iterate2: sync=off" in unit.applied
