"""Loops that go on while a kernel sets a flag become Iterates: their text, why others don't, their answers."""

from __future__ import annotations

import textwrap

import pytest
from support.agreement import differences, interpreted
from support.driven import printed, ready, why_not
from support.falcon import PRINTED
from support.programs import PLACE
from support.random_graphs import from_arcs
from support.random_parts import RandomProgram

from irgl import driver
from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.passes.drive import find_rounds
from irgl.passes.drive.as_planned import driven, places, reasons
from irgl.plan import Plan
from irgl.source import Source

HEAD = """graph Graph { node int p = INF; edge int w; }
int moved = 1;
bool again = true;
long done = 0;
"""
OFFER = "ForAll (n In g.nodes) { ForAll (e In n.edges) { if (n.p < e.dst.p && (e.dst.p min= n.p)) { SET } } }"
LOOP = "while (moved) { moved = 0; done += 1; Invoke k(g); done += 10; }"
GRAPH = from_arcs(7, [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1), (5, 6, 1)])


def program(loop: str = LOOP, sets: str = "racy moved = 1;", more: str = "", kernel: str = OFFER) -> str:
    return (f"{HEAD}Kernel k(Graph g) {{ {kernel.replace('SET', sets)} }}\n{more}"
            f"Program p(Graph g, node src = first) {{ src.p = 3; {loop} done += 1000; }}")


def rounds(text: str) -> str:
    checked = ready(text)
    made = find_rounds.run(checked, next(iter(places(checked).values())))
    return made if isinstance(made, str) else printed(check(load_text(dump(made))))


def test_a_loop_on_a_flag_is_an_iterate_that_keeps_the_flag() -> None:
    assert rounds(program()) == textwrap.dedent("""
        Kernel k(Graph g) {
            ForAll (n In g.nodes) {
                ForAll (e In n.edges) {
                    if (n.p < e.dst.p && (e.dst.p min= n.p)) {
                        racy moved = 1;
                        ReduceAndReturn(true);
                    }
                }
            }
        }
        Program p(Graph g, node src = first) {
            src.p = 3;
            if (moved) {
                moved = 0;
                done += 1;
                while1: Iterate While Any k(g) {
                    done += 10;
                    if (moved) {
                        moved = 0;
                        done += 1;
                    }
                }
            }
            done += 1000;
        }
        """).strip()


def test_a_flag_that_says_nothing_more_is_left_out() -> None:
    made = rounds(program("while (moved) { moved = 0; Invoke k(g); done += 10; }"))
    assert "racy" not in made
    assert made.partition("Program")[2].splitlines()[2:7] == [
        "    if (moved) {", "        moved = 0;", "        while1: Iterate While Any k(g) {", "            done += 10;",
        "        }"]


@pytest.mark.parametrize(("loop", "sets"), [
    (LOOP, "racy moved = 1;"),
    (LOOP, "racy moved = 5;"),
    ("while (moved != 0) { moved = 0; Invoke k(g); }", "racy moved = 1;"),
    ("while (again) { again = false; Invoke k(g); done++; }", "racy again = true;"),
    ("while (again == true) { again = false; Invoke k(g); done++; }", "racy again = true;"),
    ("do { moved = 0; done += 3; Invoke k(g); done += 5; } while (moved);", "racy moved = 1;"),
    ("while (1) { moved = 0; done += 3; Invoke k(g); done += 5; if (moved == 0) { break; } done += 7; }",
     "racy moved = 1;"),
    ("while (true) { again = false; Invoke k(g); if (!again) { break; } done += 7; }", "racy again = true;"),
    ("while (moved) { moved = 0; Invoke k(g); done += 10; if (done > 15) { break; } }", "racy moved = 1;"),
    ("while (moved) { moved = 0; Invoke k(g); done += 10; if (done > 5) { return; } }", "racy moved = 1;"),
    ("while (moved) { moved = 0; Invoke k(g); done += 10; }", "racy moved = 1;"),
    ("moved = 0; while (moved) { moved = 0; Invoke k(g); done += 10; }", "racy moved = 1;"),
    ("for (int i = 0; i < 3; i++) { moved = 1; " + LOOP + " }", "racy moved = 1;"),
])
def test_such_loops_do_the_same_as_iterates_and_driven_by_data(loop: str, sets: str) -> None:
    text = program(loop, sets)
    expected = interpreted(RandomProgram(text, GRAPH, {}))
    assert expected is not None
    checked = ready(text)
    place = "p.for1" if loop.startswith("for") else next(iter(places(checked)))
    loops = places(checked)
    made = find_rounds.run(checked, loops.get(place, next(iter(loops.values()))))
    assert not isinstance(made, str)
    assert differences(expected, run(check(made), {"g": GRAPH})) == []
    assert why_not(text, "data") is None


@pytest.mark.parametrize(("changes", "reason"), [
    ({"loop": "while (done < 3) { done += 1; Invoke k(g); }"}, "its condition is no flag that a kernel sets"),
    ({"loop": "while (moved) { Invoke k(g); moved = 0; }"}, "it doesn't begin by setting 'moved' back"),
    ({"loop": "while (moved) { moved = 0; if (done < 3) { Invoke k(g); } }"}, "no one Invoke of it sets 'moved'"),
    ({"loop": "while (moved) { moved = 0; Invoke k(g); done += moved; }"},
     "it uses 'moved' for more than to tell whether to go on"),
    ({"loop": "while (moved) { moved = 0; Invoke k(g); Invoke look(g); }",
      "more": "Kernel look(Graph g) { ForAll (n In g.nodes) { done += moved; } }\n"},
     "it uses 'moved' for more than to tell whether to go on"),
    ({"loop": "while (moved) { moved = 0; long x = done; Invoke k(g); done += x; }"},
     "a variable of a round stands in it, before its kernel runs"),
    ({"loop": "while (moved) { moved = 0; Invoke k(g); if (done > 3) { continue; } done++; }"},
     "it goes on to the next round from within"),
    ({"loop": LOOP + " Invoke k(g);"}, "'k' is invoked elsewhere, too"),
    ({"sets": "racy moved = 0;"}, "'k' stores what may be 0 into 'moved'"),
    ({"sets": "moved += 1;"}, "'k' does more with 'moved' than to set it"),
    ({"sets": "if (relaxed moved == 0) { racy moved = 1; }"}, "'k' does more with 'moved' than to set it"),
    ({"sets": "tell(); if (n.p > 100) { racy moved = 1; }", "more": "void tell() { racy moved = 1; }\n"},
     "'k' asks a helper about 'moved', or has it set there"),
    ({"sets": "tell();", "more": "void tell() { racy moved = 1; }\n"},
     "'k' has no statement of its own that sets 'moved'"),
    ({"sets": "racy moved = 1; ReduceAndReturn(true);"}, "'k' has a value or a worklist of its own"),
    ({"loop": "while (true) { moved = 0; Invoke k(g); done++; if (done > 3) { break; } }"},
     "nothing ends it where a flag isn't set"),
])
def test_why_a_loop_is_none_that_goes_on_while_a_flag_is_set(changes: dict[str, str], reason: str) -> None:
    assert rounds(program(**changes)) == reason


@pytest.mark.parametrize(("name", "reason"), [
    ("sssp_points", None), ("bfs", None), ("sssp_edges", "a variable without a value stands in it")])
def test_the_algorithms_of_falcons_paper_are_driven_by_data(name: str, reason: str | None) -> None:
    checked = driver.ready(f"{name}.fal", PRINTED[name]).checked
    assert reasons(checked, next(iter(places(checked).values())))["data"] == reason
    by_data = driven(checked, Plan.parse("drive=data")).checked
    found = [run(c, {"g": GRAPH}) for c in (checked, by_data)]
    assert differences(*found) == []
    assert found[1].properties["dist"].tolist()[:4] == [0, 1, 2, 3]


def test_dump_shows_a_program_of_falcons_as_rounds_and_then_as_a_list() -> None:
    text = (PLACE / "falcon" / "sssp.fal").read_text(encoding="utf-8")
    names = [name for name, _ in driver.stages(Source("sssp.fal", text), Plan.parse("drive=data"))]
    assert names[names.index("group_edges"):][:3] == ["group_edges", "find_rounds", "list_changed"]
