"""Sections on GPUs of their own: --devices 0,1; what each takes along, and what it brings back."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from support.nvcc import ARCHITECTURES, complaints
from support.programs import path_of

import irgl
from irgl import driver
from irgl.cli.main import exit_code
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

HEAD = """graph Graph { node int a = 1; node int b = 2; node int level = INF; edge int w; }
long sum = 0;
Kernel raise_a(Graph g, int by) { ForAll (n In g.nodes) { n.a += by; } }
Kernel add_w(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { n.b += e.w; } } }
Kernel divide_b(Graph g, int by) { ForAll (n In g.nodes) { n.b = n.b / by; } }
Kernel sum_all(Graph g) { ForAll (n In g.nodes) { sum += n.a + n.b; } }
Kernel step(Graph g) WL list<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.level min= n.level + 1) { WL.push(e.dst); } } }
}
"""
BOTH = "Sections { { Invoke raise_a(g, 3); } { Invoke add_w(g); g.node(2).b = g.node(2).b + 7; } }\nInvoke sum_all(g);"
GRAPH = load("kron:scale=6,seed=2,weights=int")
WORDS = 4  # bytes


def program(body: str) -> str:
    return f"{HEAD}Program main(Graph g, int k = 0) {{\n{body}\n}}\n"


def ran(text: str, devices: tuple[int, ...], graphs: dict[str, Graph] | None = None, mode: str = "check",
        **params: int) -> Outcome:
    plan = Plan.parse("outline=off", "simt")
    manifest = open_program("k.irgl", plan, text=text)
    graphs = {"g": GRAPH} if graphs is None else graphs
    return device.run(manifest, graphs, bind(manifest, graphs, params), plan, Options(devices=devices), mode=mode)


@pytest.fixture(autouse=True)
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_EMU_DEVICES", "2")


@pytest.mark.parametrize("devices", [(), (0,), (1,), (0, 1)])
def test_the_answer_is_the_same_on_any_devices(devices: tuple[int, ...]) -> None:
    found = ran(program(BOTH), devices).result
    meant = irgl.compile("k.irgl", target="ref", text=program(BOTH))(GRAPH)
    assert found.scalars["sum"] == meant.sum
    for word in ("a", "b"):
        assert np.array_equal(found.properties[word].array, meant[word])


def test_each_array_comes_to_a_device_once_and_what_was_written_back() -> None:
    first, second = ran(program(BOTH), (0, 1)).stats["devices"]
    n, m = GRAPH.num_nodes, GRAPH.num_edges
    assert second["peer_bytes"] == WORDS * ((n + 1) + m + m + n)  # rows, far ends, w, b
    assert first["peer_bytes"] == WORDS * n  # b


def test_in_a_loop_what_has_changed_since_is_copied_again_and_nothing_else() -> None:
    rounds = "for (int i = 0; i < 3; ++i) { Sections { { Invoke raise_a(g, i); } { Invoke add_w(g); } } %s }"
    n = GRAPH.num_nodes
    once = WORDS * ((n + 1) + 2 * GRAPH.num_edges + n)
    assert ran(program(rounds % ""), (0, 1)).stats["devices"][1]["peer_bytes"] == once
    changed = ran(program(rounds % "Invoke divide_b(g, 1);"), (0, 1)).stats["devices"][1]["peer_bytes"]
    assert changed == once + 2 * WORDS * n


#: One unit of them all, chosen by k.
CASES = {
    "two sections of one device take the same rows along":
        "Sections { { Invoke raise_a(g, 1); } { Invoke add_w(g); } { k = 1; } { Iterate step(g) Initial [s] { } } }",
    "what a later section of the first device has changed is copied again":
        "for (int i = 0; i < 2; ++i) { Sections { { int j = i; } { s.b = s.b + s.a; } }\n"
        "Sections { { int j = i; } { int l = i; } { Invoke raise_a(g, 1); } } }",
    "nodes go along whose graph is not named": "Sections { { Invoke raise_a(g, 1); } { s.b = s.b + (int)s.degree; } }",
    "a graph that the program makes keeps its section":
        "Graph h = oriented(g);\nSections { { Invoke raise_a(g, 1); } { Invoke add_w(h); sum = h.node(0).b; } }",
}


@pytest.mark.parametrize("case", CASES)
def test_sections_find_what_they_need_on_their_device(case: str) -> None:
    chosen = "\n".join(f"if (k == {k}) {{ {body} }}" for k, body in enumerate(CASES.values()))
    text, k = program(f"node s = g.node(3);\ns.level = 0;\n{chosen}"), [*CASES].index(case)
    found, meant = ran(text, (0, 1), k=k).result, irgl.compile("k.irgl", target="ref", text=text)(GRAPH, k=k)
    assert found.scalars["sum"] == meant.sum
    for word in ("a", "b", "level"):
        assert np.array_equal(found.properties[word].array, meant[word]), word


def test_a_list_that_is_handed_to_a_kernel_which_leaves_it_alone_keeps_its_section() -> None:
    body = "list<node> l;\nSections { { Invoke raise_a(g, 3); } { Invoke skips(g, l); } }\nInvoke sum_all(g);"
    skips = "Kernel skips(Graph g, list<node> l) { ForAll (n In g.nodes) { n.b += 1; } }\n"
    text = program(body).replace("Program", f"{skips}Program", 1)
    with pytest.raises(IrglError) as e:
        ran(text, (0, 1))
    assert e.value.message == "main runs on one device: it has no Sections that could go to others"


def test_a_graph_may_have_the_name_of_what_takes_it_along() -> None:
    text = f"{HEAD}Program main(Graph to) {{ Sections {{ {{ Invoke raise_a(to, 3); }} {{ Invoke add_w(to); }} }} }}"
    assert "[](auto& to_, Graph& to) { to_.rows(to);" in driver.compile("k.irgl", text=text, target="simt").text


SEARCH = "int step = 1;\nG.node(0).hops = 0;\nIterate advance_frontier(G, step) Initial [G.node(0)] { step += 1; }"
HOOKING = "Invoke lead_oneself(G);\nIterate hook_roots(G) Initial (G.nodes) { Invoke jump_to_roots(G); }"


@pytest.mark.parametrize(("name", "body"), [("bfs", SEARCH), ("cc", HOOKING)])
def test_the_same_on_two_graphs_at_once_takes_little_more_than_half_the_time(name: str, body: str) -> None:
    kernels = path_of(name).read_text(encoding="utf-8").partition("\nProgram ")[0]
    parts = "\n".join(f"{{ {body.replace('G', g)} }}" for g in "gh")
    text = f"{kernels}\nProgram both(Graph g, Graph h) {{ Sections {{ {parts} }} }}\n"
    graphs = {"g": load("kron:scale=8,seed=1"), "h": load("kron:scale=8,seed=3")}
    apart = ran(text, (0, 1), graphs, mode="lockstep").stats["devices"]
    alone = ran(text, (0,), graphs, mode="lockstep").stats["warp_steps"]
    assert max(d["warp_steps"] for d in apart) <= 0.6 * alone


def test_a_fault_on_the_second_device_is_told_with_its_line() -> None:
    with pytest.raises(IrglError) as e:
        ran(program("Sections { { Invoke raise_a(g, 3); } { Invoke divide_b(g, k); } }"), (0, 1))
    assert e.value.span is not None
    assert e.value.span.line == 5


@pytest.mark.parametrize(("body", "plan"), [
    (BOTH, "format=coo"),
    ("Sections { { Invoke raise_a(g, 3); } { print(k); } }", "default"),
    ("Invoke raise_a(g, 3);", "default"),
])
def test_several_devices_are_refused_where_no_section_could_go_there(body: str, plan: str) -> None:
    chosen = Plan.parse(plan, "simt")
    manifest = open_program("k.irgl", chosen, text=program(body))
    with pytest.raises(IrglError) as e:
        device.run(manifest, {"g": GRAPH}, bind(manifest, {"g": GRAPH}, {}), chosen, Options(devices=(0, 1)))
    assert e.value.message == "main runs on one device: it has no Sections that could go to others"
    assert e.value.hint == "name one: --devices 0"


@pytest.mark.parametrize(("given", "message"), [
    (["--devices", "0,1"], "devices have no meaning for the target cpu: its code runs on this computer's processor"),
    (["--target", "simt", "--devices", "0,2"], "CUDA failed: device 2 is asked for, and there are 2, numbered from 0"),
    (["--target", "simt", "--devices", "1,1"], "devices=(1, 1): it takes different numbers of GPUs, from 0 to 62"),
    (["--target", "simt", "--devices", "one"], "--devices one: it takes the numbers of GPUs, with commas between them"),
])
def test_devices_that_are_none_are_refused(given: list[str], message: str, tmp_path: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.irgl"
    path.write_text(program(BOTH))
    assert exit_code(["run", str(path), "--graph", "kron:scale=6,seed=2,weights=int", *given]) == 2
    assert f"error: {message}\n" in capsys.readouterr().err


def test_from_python_too() -> None:
    given = irgl.compile("k.irgl", target="simt", text=program(BOTH))
    assert given(GRAPH, devices=[0, 1]).sum == given(GRAPH).sum
    with pytest.raises(IrglError):
        given(GRAPH, devices=[0, "1"])


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("architectures", ARCHITECTURES)
def test_they_compile_without_a_warning(architectures: tuple[int, ...], tmp_path: Path) -> None:
    path = tmp_path / "k.irgl"
    path.write_text(program(BOTH))
    assert complaints([path], [{"outline": "all", "block": "256"}], tmp_path, architectures) == []


def test_what_goes_along_is_said_in_the_generated_code() -> None:
    text = driver.compile("k.irgl", text=program(BOTH), target="simt").text
    assert "to.rows(g); to.writes(g.b, size_t(g.n)); to.reads(g.w, size_t(g.m));" in text
    assert text.count("irgl::moving_part(") == 2
