"""The passes of the CUDA target in their own words: each kernel before and after, and where a collective may stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.places import ROOT
from support.programs import ON_GRAPHS, PLACE

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.flow.cfg import Cfg, Vertex, control_flow
from irgl.analysis.flow.focal import Focal, focal_points
from irgl.analysis.flow.uniformity import uniformity
from irgl.analysis.names.members import LIST_FORMS
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text
from irgl.passes.lowering.lower_cuda import Lowered, lower
from irgl.plan import Plan

HEAD = "graph Graph { node int p = 0; node int q = 0; }\n"
#: A structure that irgl knows nothing of but this: nothing in it is called as in a list.
BAG = """library Bag<T> "bag.hpp" {
  long count;
  appends void toss(T a, int b)
    thread(claim) warp(claim_with_warp) threadblock(claim_with_all) task(lay);
};
"""
FOUND = "Program main(Graph g) {{ {0}<node> found; Invoke k(g, found); }}\n"
CONDITIONAL = """Kernel k(Graph g, list<node> found) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) { if (e.dst.p == 0) { found.push(e.dst); } } }
}
""" + FOUND.format("list")


def after(name: str, text: str, plan: str, folder: Path) -> str:
    """Kernel k as a pass leaves it."""
    program = folder / "p.irgl"
    program.write_text(HEAD + text, encoding="utf-8")
    shown = dict(driver.stages(program, Plan.parse(plan, "cuda")))[name]
    return shown[shown.index("Kernel k") : shown.index("Program")].rstrip()


def aggregated(structure: str, reserve: str, put: str, notes: str = "item_1 = e.dst;", of: str = "node item_1;") -> str:
    """The kernel whose append in a nested loop under a condition was aggregated."""
    inner = [*(" " * 12 + line for line in ["long count_1 = 0;", *of.split("\n"), "if (e.dst.p == 0) {"]),
             *(" " * 16 + line for line in ["count_1 = 1;", *notes.split("\n")]), " " * 12 + "}",
             " " * 12 + f"long place_1 = found.{reserve}(count_1);", " " * 12 + "if (count_1 != 0) {",
             " " * 16 + f"found.{put};", " " * 12 + "}"]
    return "\n".join([f"Kernel k(Graph g, {structure}<node> found) {{", "    ForAll (n In g.nodes) {",
                      "        ForAll (e In n.edges) {", *inner, "        }", "    }", "}"])


def test_a_nested_loop_comes_out_of_its_condition(tmp_path: Path) -> None:
    text = """Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    if (n.p == 0) {
      int sum = 0;
      ForAll (e In n.edges) { sum += e.dst.p; }
      n.q = sum;
    } else {
      n.q = 1;
    }
  }
}
Program main(Graph g) { Invoke k(g); }
"""
    assert after("guard_loops", text, "np=fg", tmp_path) == """Kernel k(Graph g) {
    ForAll (n In g.nodes) {
        bool in_1 = n.p == 0;
        bool else_1 = !in_1;
        int sum = 0;
        ForAll (e In n.edges.when(in_1)) {
            sum += e.dst.p;
        }
        if (in_1) {
            n.q = sum;
        }
        if (else_1) {
            n.q = 1;
        }
    }
}"""


@pytest.mark.parametrize(("level", "reserve"), [("warp", "reserve_warp"), ("block", "reserve_block")])
def test_a_conditional_push_takes_room_together_at_the_end_of_its_operator(level: str, reserve: str,
                                                                            tmp_path: Path) -> None:
    assert after("aggregate_appends", CONDITIONAL, f"np=fg cc={level}", tmp_path) == aggregated(
        "list", reserve, "put(place_1, item_1)")


@pytest.mark.parametrize(("level", "reserve"), [("thread", "one"), ("warp", "warp"), ("block", "block")])
def test_a_push_in_every_iteration_takes_room_for_all_before_the_loop(level: str, reserve: str, tmp_path: Path) -> None:
    text = CONDITIONAL.replace("if (e.dst.p == 0) { found.push(e.dst); }", "found.push(e.dst);")
    assert after("aggregate_appends", text, f"np=fg cc={level}", tmp_path) == f"""Kernel k(Graph g, list<node> found) {{
    ForAll (n In g.nodes) {{
        long count_1 = n.edges.size;
        long start_1 = found.reserve_{reserve}(count_1);
        long base_1 = count_1 != 0 ? start_1 - n.edges[0].id : (long)0;
        ForAll (e In n.edges) {{
            found.put(base_1 + e.id, e.dst);
        }}
    }}
}}"""


def test_a_loop_under_a_condition_that_pushes_in_every_iteration_takes_room_where_it_holds(tmp_path: Path) -> None:
    text = CONDITIONAL.replace("ForAll (e In n.edges) { if (e.dst.p == 0) { found.push(e.dst); } }",
                               "if (n.p == 0) { ForAll (e In n.edges) { found.push(e.dst); } }")
    assert after("aggregate_appends", text, "np=fg cc=block", tmp_path) == """Kernel k(Graph g, list<node> found) {
    ForAll (n In g.nodes) {
        bool in_1 = n.p == 0;
        long count_1 = n.edges.when(in_1).size;
        long start_1 = found.reserve_block(count_1);
        long base_1 = count_1 != 0 ? start_1 - n.edges[0].id : (long)0;
        ForAll (e In n.edges.when(in_1)) {
            found.put(base_1 + e.id, e.dst);
        }
    }
}"""


def test_a_respawn_takes_room_in_the_list_of_what_comes_back(tmp_path: Path) -> None:
    text = """Kernel k(Graph g) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.p min= n.p) { Respawn e.dst; } } }
}
Program main(Graph g, node s = first) { Pipe Once Initial [s] { Invoke k(g); } }
"""
    assert after("aggregate_appends", text, "np=fg cc=warp", tmp_path) == """Kernel k(Graph g) {
    ForAll (n In WL.items) {
        ForAll (e In n.edges) {
            long count_1 = 0;
            node item_1;
            if (e.dst.p min= n.p) {
                count_1 = 1;
                item_1 = e.dst;
            }
            long place_1 = WL.again_warp(count_1);
            if (count_1 != 0) {
                WL.put_again(place_1, item_1);
            }
        }
    }
}"""


@pytest.mark.parametrize(("level", "reserve"), [("warp", "append_warp"), ("block", "append_block")])
def test_a_librarys_append_is_aggregated_by_its_annotations(level: str, reserve: str, tmp_path: Path) -> None:
    kernel = CONDITIONAL.replace("list<", "AppendOnlyList<").replace("push", "append")
    text = f'import "append_only_list.irgl";\n{kernel}'
    assert after("aggregate_appends", text, f"np=fg cc={level}", tmp_path) == aggregated(
        "AppendOnlyList", reserve, "put(place_1, item_1)")


OF_BAG = 'import "bag.irgl";\n' + CONDITIONAL.replace("list<", "Bag<").replace("push(e.dst)", "toss(e.dst, n.q)")


@pytest.mark.parametrize(("level", "reserve"), [("warp", "claim_with_warp"), ("block", "claim_with_all")])
def test_a_structure_of_ones_own_is_aggregated_by_its_annotations(level: str, reserve: str, tmp_path: Path) -> None:
    (tmp_path / "bag.irgl").write_text(BAG, encoding="utf-8")
    assert after("aggregate_appends", OF_BAG, f"np=fg cc={level}", tmp_path) == aggregated(
        "Bag", reserve, "lay(place_1, item_1, item_1_1)", "item_1 = e.dst;\nitem_1_1 = n.q;",
        "node item_1;\nint item_1_1;")


@pytest.mark.parametrize(("level", "unit", "call"), [("warp", "Warp", "claim_with_warp"),
                                                     ("block", "Block", "claim_with_all")])
def test_all_threads_of_the_unit_reach_a_structures_reservation(level: str, unit: str, call: str,
                                                                tmp_path: Path) -> None:
    (tmp_path / "bag.irgl").write_text(BAG, encoding="utf-8")
    (tmp_path / "p.irgl").write_text(HEAD + OF_BAG, encoding="utf-8")
    text = driver.compile(tmp_path / "p.irgl", target="cuda", plan=Plan.parse(f"np=fg cc={level}", "cuda")).text
    assert f"irgl::nested<irgl::FG, irgl::{unit}>(" in text
    met = f"  // all threads of the {level}, one atomic"
    assert f"\n      const int64_t place_1 = found.{call}(t, count_1);{met}\n" in text


@pytest.mark.parametrize(("level", "claim"), [("thread", "claim"), ("warp", "claim_with_warp"),
                                              ("block", "claim_with_all")])
def test_a_structure_of_ones_own_takes_room_for_all_before_the_loop(level: str, claim: str, tmp_path: Path) -> None:
    (tmp_path / "bag.irgl").write_text(BAG, encoding="utf-8")
    text = OF_BAG.replace("if (e.dst.p == 0) { found.toss(e.dst, n.q); }", "found.toss(e.dst, n.q);")
    assert after("aggregate_appends", text, f"np=fg cc={level}", tmp_path) == f"""Kernel k(Graph g, Bag<node> found) {{
    ForAll (n In g.nodes) {{
        long count_1 = n.edges.size;
        long start_1 = found.{claim}(count_1);
        long base_1 = count_1 != 0 ? start_1 - n.edges[0].id : (long)0;
        ForAll (e In n.edges) {{
            found.lay(base_1 + e.id, e.dst, n.q);
        }}
    }}
}}"""


def test_no_pass_knows_what_appends_are_called() -> None:
    assert [p.name for p in sorted((ROOT / "irgl" / "passes").glob("*.py")) if "push" in p.read_text("utf-8")] == []


FIGURE_6 = """Kernel bfs(Graph g, int level) {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) {
      if (e.dst.p == 0) { racy e.dst.p = level; WL.push(e.dst); }
    }
  }
}
Program main(Graph g, node s = first) { int level = 1; Iterate bfs(g, level) Initial [s] { level++; } }
"""


def lowered(plan: str) -> Lowered:
    return lower(check(load_text(HEAD + FIGURE_6, "p.irgl")), Plan.parse(plan, "cuda"))


def focal(program: A.Program, uniform: int) -> tuple[Cfg, Focal]:
    """The flow of kernel bfs, and its focal points where its first `uniform` ForAlls are made uniform for a block."""
    checked = check(program, lowered=True)
    kernel = checked.kernels["bfs"]
    cfg = control_flow(kernel)
    loops = [n for n in walk(kernel) if isinstance(n, A.ForAll)][:uniform]
    return cfg, focal_points(cfg, uniformity(checked, kernel, cfg, dict.fromkeys(loops, "block")).branches("block"))


#: The figure's 3 is two statements here, and its 4 the join behind them.
OF_FIGURE = {"3": "3", "4": "3", "5": "4"}


@pytest.mark.parametrize(("uniform", "points"), [(1, {"Start", "0", "1", "Exit"}),
                                                 (2, {"Start", "0", "1", "2", "4", "Exit"})])
def test_the_kernel_of_figure_6_has_the_papers_focal_points(uniform: int, points: set[str]) -> None:
    _, found = focal(load_text(HEAD + FIGURE_6, "p.irgl"), uniform)
    assert {OF_FIGURE.get(v.name, v.name) for v in found.points} == points


@pytest.mark.parametrize(("uniform", "new"), [
    (1, {"ForAll (n)", "ForAll (e)"}),
    (2, {"ForAll (n)", "ForAll (e)", "count_1", "item_1", "if", "join", "place_1"})])
def test_the_lowered_kernel_of_figure_6_keeps_them_and_gains_the_place_of_its_reservation(uniform: int,
                                                                                        new: set[str]) -> None:
    _, found = focal(lowered("np=fg cc=block").checked.program, uniform)
    assert {word(v) for v in found.points} == {"Start", *new, "Exit"}


def word(v: Vertex) -> str:
    match v.node:
        case A.ForAll(var=var):
            return f"ForAll ({var})"
        case A.VarDecl(name=name):
            return name
        case None:
            return v.name
        case _:
            return v.kind


def test_the_reservation_of_figure_6_stands_on_an_edge_where_all_threads_of_a_block_meet() -> None:
    cfg, found = focal(lowered("np=fg cc=block").checked.program, 2)
    (place,) = (v for v in cfg.vertices if word(v) == "place_1")
    assert [(word(e.source), e in found.edges) for e in cfg.into[place]] == [("join", True)]


def test_no_edge_into_the_reservation_of_figure_6_is_one_while_the_inner_loop_is_not_uniform() -> None:
    cfg, found = focal(lowered("np=fg cc=block").checked.program, 1)
    (place,) = (v for v in cfg.vertices if word(v) == "place_1")
    assert [e in found.edges for e in cfg.into[place]] == [False]


def test_the_push_of_figure_6_is_aggregated_for_a_block() -> None:
    kernel = lowered("np=fg cc=block").checked.kernels["bfs"]
    made = [s.init for s in walk(kernel) if isinstance(s, A.VarDecl) and isinstance(s.init, A.MethodCall)]
    assert [call.name for call in made] == [dict(LIST_FORMS)["threadblock"]]


def test_bfs_with_everything_on_is_short() -> None:
    plan = Plan.parse("np=tb+wp+fg cc=block outline=all", "cuda")
    text = driver.compile(PLACE / "bfs.irgl", target="cuda", plan=plan).text
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#line")]
    assert len(lines) < 200


def test_one_program_and_plan_make_one_text() -> None:
    plan = Plan.parse("np=tb+wp+fg cc=block outline=all", "cuda")
    first, second = (driver.compile(PLACE / "sssp_nf.irgl", target="cuda", plan=plan).text for _ in range(2))
    assert first == second


TWO_SUMS = """long a = 0;
long b = 0;
Kernel k(Graph g) {
  ForAll (n In g.nodes) { a += n.p; }
  second: ForAll (n In g.nodes) { b += n.p; }
}
Program main(Graph g) { Invoke k(g); }
"""


@pytest.mark.parametrize(("plan", "said"), [
    ("cc=warp", ["irgl::sum<irgl::Warp>(c.globals->a)", "irgl::sum<irgl::Warp>(c.globals->b)"]),
    ("k.loop1.cc=warp", ["irgl::sum<irgl::Warp>(c.globals->a)", "irgl::sum<irgl::Block>(c.globals->b)"]),
    ("k.second.cc=thread", ["irgl::sum<irgl::Block>(c.globals->a)", "irgl::sum<irgl::One>(c.globals->b)"]),
    ("k.second.cc=off", ["irgl::sum<irgl::Block>(c.globals->a)"])])
def test_each_loops_reductions_are_combined_as_the_plan_says_for_it(plan: str, said: list[str]) -> None:
    text = driver.compile("p.irgl", target="cuda", plan=Plan.parse(plan, "cuda"), text=HEAD + TWO_SUMS).text
    assert re.findall(r"irgl::sum<\S+?>\(\S+?\)", text) == said


@pytest.mark.parametrize(("plan", "alone", "outlined"), [
    ("", "__launch_bounds__(irgl::block_size)", "__launch_bounds__(irgl::block_size, 1)"),
    ("bounds=4", *["__launch_bounds__(irgl::block_size, 4)"] * 2),
    ("regs=40", *["__maxnreg__(40)"] * 2),
    ("regs=255 bounds=2", *["__maxnreg__(128)"] * 2),
    ("regs=40 bounds=2", *["__maxnreg__(40)"] * 2)])
def test_every_kernel_says_how_many_registers_it_may_have(plan: str, alone: str, outlined: str) -> None:
    text = driver.compile(PLACE / "bfs.irgl", target="cuda", plan=Plan.parse(plan, "cuda")).text
    assert re.findall(r"__global__ void (\S+(?: \d\))?) (\w+)\(", text) == [
        (alone, "survey_hops_kernel"), (outlined, "bfs_iterate1_kernel")]


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_a_kernel_of_a_graph_loads_the_state_of_its_loop_only_to_use_it(name: str) -> None:
    plan = Plan.parse("outline=graph unroll=4", "cuda")
    text = driver.compile(PLACE / f"{name}.irgl", target="cuda", plan=plan).text
    bodies = re.findall(r"_state s = \*saved;\n(.*?)\n}", text, re.DOTALL)
    assert [body for body in bodies if not re.search(r"\bs\b", body)] == []


def test_the_kernels_of_a_graph_say_how_many_registers_they_may_have() -> None:
    plan = Plan.parse("outline=graph regs=64", "cuda")
    text = driver.compile(PLACE / "bfs.irgl", target="cuda", plan=plan).text
    assert "__global__ void __maxnreg__(64) bfs_iterate1_call_1(" in text
