"""The option format: which loops may run over which form, what is refused and why, and that no answer changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.awkward_graphs import awkward, hub
from support.programs import PLACE, run_program

from irgl import driver
from irgl.forms.find import form, names
from irgl.options import OPTIONS
from irgl.plan import Plan
from irgl.rt.graphs.order import place
from irgl.source import IrglError
from irgl.space import Choice, legal_space, report
from irgl.standalone import standalone

SWEEPS = [name for name in names() if form(name).kind == "sweep"]
GRAPHS = ("empty", "one node", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "path",
          "disconnected", "grid", "dense", "middling")
#: Programs with a loop that can be swept as it is written, and what a plan says of such loops of others.
SWEPT = ("bc", "bfs_topo", "pr", "pr_pull", "sssp_bf", "traverse", "colouring", "eccentricities", "hits", "ktruss")
OF_SETS = ("bfs", "bfs_cx", "mis", "cc", "label_propagation")
HEAD = """graph Graph {
  node int p = 0; node double q = 0; node node up = NONE; node lock held; edge int w; edge int seen = 0; }
long count = 0;
"""
TIGHT = "serial=off grain=1"


def kernel(body: str, params: str = "", worklist: str = "", host: str = "", after: str = "") -> str:
    return (f"{HEAD}Kernel k(Graph g{params}){worklist} {{ {body} }}\n"
            f"Program main(transpose Graph g) {{ {host} Invoke k(g{after}); }}")


def over_nodes(edges: str, before: str = "", behind: str = "", loop: str = "e In n.edges", nodes: str = "n In g.nodes",
               **rest: str) -> str:
    return kernel(f"ForAll ({nodes}) {{ {before} ForAll ({loop}) {{ {edges} }} {behind} }}", **rest)


def choice(text: str, place: str = "k.loop1.loop1") -> Choice:
    checked = driver.ready("k.irgl", text).checked
    return next(c for c in legal_space(checked.program) if (c.place, c.option) == (place, "format"))


def reason(text: str, name: str, place: str = "k.loop1.loop1") -> str | None:
    found = choice(text, place)
    return dict(found.refused).get(name)


def test_a_loop_over_all_nodes_and_their_edges_may_have_any_form() -> None:
    assert choice(over_nodes("n.q += e.dst.p;")) == Choice("k.loop1.loop1", "format", None, ("csr", *names()), ())


@pytest.mark.parametrize(("text", "why"), [
    (over_nodes("n.p += e.dst.p;", nodes="n In some.items", params=", list<node> some", host="list<node> some;",
                after=", some"),
     "the loop around it runs over a list, which can't be asked for a node; frontier=bitmap makes a set of a unique "
     "list"),
    (kernel("auto all = g.nodes; ForAll (n In all) { ForAll (e In n.edges) { n.p += e.dst.p; } }"),
     "the loop around it runs over nodes that a variable or a node names"),
    (kernel("ForAll (m In g.edges) { node n = m.dst; ForAll (e In n.edges) { e.dst.p += 1; } }"),
     "the loop around it runs over range of edge, not over nodes"),
    (over_nodes("n.p += e.dst.p;", loop="e In n.edges.skip(1)"), "it does not run over all edges of its loop's node"),
    (over_nodes("n.p += e.dst.p;", before="node m = n.up; if (m != NONE) {", loop="e In m.edges", behind="}"),
     "it does not run over all edges of its loop's node"),
    (over_nodes("n.p += 1;", before="For (i In range(0, 3)) {", behind="}"),
     "a sequential loop or a lock stands around it"),
    (over_nodes("n.p += e.dst.p;", behind="ForAll (f In n.in_edges) { n.p += 1; }"), "another ForAll stands beside it"),
    (over_nodes("node m = e.dst; ForAll (f In m.edges) { f.dst.p += 1; }"), "another ForAll stands in it"),
    (over_nodes("n.p += 1;", behind="Atomic (n.held) { n.q += 1; }"), "its loop takes locks"),
    (over_nodes("count += e.reverse.w;").replace("transpose", "undirected transpose"),
     "it asks for an edge's reverse"),
    (over_nodes("n.p += 1;", host="Graph h = oriented(g);").replace("Invoke k(g)", "Invoke k(h)"),
     "the Program makes a graph of another, and forms are built before it runs"),
    (over_nodes("n.p += seen.contains(e.dst) ? 1 : 0;", before="scratch<node> seen; seen.push(n);"),
     "it uses 'seen', an object of its iteration"),
    (over_nodes("n.p += (int)others.size;", before="auto others = n.in_edges;"),
     "'others', which is used in it or behind it, can't be kept for each node"),
    (over_nodes("n.p += 1;", behind="CBlock reads(n.p) writes(n.q) { x }"),
     "nobody can see what a CBlock in its loop does"),
])
def test_a_sweep_is_refused_with_its_reason(text: str, why: str) -> None:
    assert {reason(text, name) for name in SWEEPS} == {why}


def test_a_loop_in_a_nested_loop_is_no_sweep() -> None:
    text = over_nodes("node m = e.dst; ForAll (f In m.edges) { f.dst.p += 1; }")
    assert reason(text, "coo", "k.loop1.loop1.loop1") == "it stands in a loop that is nested itself"


def test_a_nested_loop_over_the_edges_of_all_nodes_has_no_form() -> None:
    found = choice(kernel("ForAll (n In g.nodes) { ForAll (e In g.edges) { n.p += (int)e.w; } }"))
    assert found.values == ("csr",)
    assert dict(found.refused)["split"] == "it does not run over all edges of a node"


def test_a_loop_over_other_things_than_edges_has_no_form() -> None:
    text = kernel("ForAll (n In g.nodes) { ForAll (i In range(0, 3)) { n.p += (int)i; } }")
    assert reason(text, "coo") == "it runs over range of long, not over a node's edges"


@pytest.mark.parametrize("plan", ["tile=14", "chunk=32 format=blocks", "pull_forth.loop1.loop1.inside=row format=coo",
                                  "tile=16", "format=coo chunk=16", "none expand=on"])
def test_what_is_said_of_a_form_that_the_plan_does_not_take_is_refused(plan: str) -> None:
    with pytest.raises(IrglError, match="is laid out, and the plan takes none"):
        Plan.parse(plan)


@pytest.mark.parametrize(("plan", "message"), [
    ("format=csc", "`format=csc`: it takes csr, "),
    ("format=blocks tile=12", "`tile=12`: it takes a whole number from 13 to 18"),
    ("format=blocks inside=spiral", "`inside=spiral`: it takes auto, column, row, runs"),
    ("format=sell chunk=8", "`chunk=8`: it takes 16, 32"),
    ("format=sell sigma=0", "`sigma=0`: it takes a whole number from 1 to 1048576"),
])
def test_an_unknown_form_or_value_is_refused(plan: str, message: str) -> None:
    with pytest.raises(IrglError) as e:
        Plan.parse(plan)
    assert str(e.value).startswith(f"error: {message}")


def test_a_loop_that_cannot_have_a_form_refuses_it_alone() -> None:
    program = driver.ready(PLACE / "bfs.irgl").checked.program
    with pytest.raises(IrglError) as e:
        report(program, Plan.parse("advance_frontier.loop1.loop1.format=coo"))
    assert str(e.value).startswith(
        "error: `advance_frontier.loop1.loop1.format=coo` can't be honoured: the loop around it runs over a list")


def test_a_form_for_all_loops_is_told_where_it_does_not_apply() -> None:
    program = driver.ready(PLACE / "pr.irgl").checked.program
    applied, not_applicable = report(program, Plan.parse("format=coo"))
    assert "start_even.loop1.loop1: format=coo" in applied
    assert [line for line in not_applicable if "format" in line] == [
        "push_residual.loop1.loop1: format=coo: the loop around it runs over a list, which can't be asked for a node; "
        "frontier=bitmap makes a set of a unique list"]


def test_what_steers_nested_loops_means_nothing_where_a_form_is_swept() -> None:
    program = driver.ready(PLACE / "pr_pull.irgl").checked.program
    _, not_applicable = report(program, Plan.parse("format=coo prefetch=8"))
    assert "pull_forth.loop1.loop1: prefetch=8: it means nothing under format=coo" in not_applicable
    assert "pull_forth.loop1: giant=32768: its edges are taken part by part" in not_applicable


def test_the_default_plan_says_rows() -> None:
    assert "format=csr" in str(Plan()).split()
    of_forms = [o.name for o in OPTIONS["cpu"] if o.only_with is not None and o.only_with[0] == "format"
                and "csr" not in o.only_with[1]]
    assert "tile" in of_forms
    assert not [name for name in of_forms if f"{name}=" in str(Plan())]


def test_a_plan_whose_form_is_changed_leaves_what_it_said_of_the_other() -> None:
    plan = Plan.parse("format=blocks tile=14 pull_forth.loop1.loop1.inside=row grain=256")
    assert plan.changed("format=csr") == Plan.parse("grain=256")
    assert plan.changed("format=sell") == Plan.parse("format=sell grain=256")


def test_a_plan_over_rows_says_nothing_of_forms() -> None:
    plan = Plan.parse("format=blocks tile=14 pull_forth.loop1.loop1.format=coo grain=256 prefetch=8")
    assert plan.over_rows == Plan.parse("grain=256 prefetch=8")


def test_a_plan_with_a_form_says_what_the_form_leaves_open() -> None:
    plan = Plan.parse("format=sell sigma=64")
    assert str(plan).endswith("format=sell chunk=16 sigma=64 order=given")
    assert Plan.parse(str(plan)) == plan


@pytest.mark.parametrize("name", SWEEPS)
@pytest.mark.parametrize("program", SWEPT)
def test_a_form_changes_no_answer(program: str, name: str) -> None:
    for k, graph in enumerate(GRAPHS):
        ran = run_program(program, awkward()[graph], plan=f"format={name} {TIGHT if k % 2 else ''}", threads=1 + k % 4)
        assert ran.wrong() is None, graph


@pytest.mark.parametrize("program", OF_SETS)
def test_a_form_changes_no_answer_where_lists_are_sets(program: str) -> None:
    for k, graph in enumerate(GRAPHS):
        plan = f"format={SWEEPS[k % len(SWEEPS)]} frontier=bitmap"
        ran = run_program(program, awkward()[graph], plan=plan, threads=2)
        assert ran.wrong() is None, graph


@pytest.mark.parametrize("program", ["bfs", "sssp_bf", "pr"])
def test_a_form_changes_no_answer_where_loops_pull(program: str) -> None:
    for k, graph in enumerate(GRAPHS):
        ran = run_program(program, awkward()[graph], plan=f"format={SWEEPS[k % len(SWEEPS)]} direction=pull", threads=2)
        assert ran.wrong() is None, graph


@pytest.mark.parametrize("plan", [
    "format=blocks tile=13 inside=row", "format=blocks tile=18 inside=column", "format=blocks inside=runs",
    "format=sell chunk=32 sigma=1", "format=sell sigma=24", "format=coo order=degree", "format=blocks order=rcm",
])
def test_what_a_form_leaves_open_changes_no_answer(plan: str) -> None:
    for graph in GRAPHS:
        for program in ("pr_pull", "sssp_bf"):
            assert run_program(program, awkward()[graph], plan=plan).wrong() is None, graph


@pytest.mark.parametrize("name", SWEEPS)
def test_a_condition_that_the_program_writes_at_the_edges_is_asked(name: str, tmp_path: Path) -> None:
    file = tmp_path / "k.irgl"
    file.write_text(over_nodes("n.p += 1;", loop="e In n.edges.when(n.degree > 2)"))
    graph = awkward()["middling"]
    ran = run_program(file, graph, plan=f"format={name}")
    degree = graph.out_degrees()
    assert ran["p"].tolist() == (degree * (degree > 2)).tolist()


@pytest.mark.parametrize("name", SWEEPS)
@pytest.mark.parametrize("program", ["pr_pull", "sssp_bf"])
def test_a_node_of_very_many_edges_is_no_trouble(program: str, name: str) -> None:
    assert run_program(program, hub(), plan=f"format={name}", threads=4).wrong() is None


@pytest.mark.parametrize("name", names())
def test_a_program_by_itself_cannot_honour_a_form(name: str) -> None:
    plan = Plan.parse(f"format={name}")
    with pytest.raises(IrglError) as e:
        standalone(driver.compile(PLACE / "pr_pull.irgl", plan=plan), plan)
    assert str(e.value) == (
        "error: a stand-alone program has its graph's edges in rows, as they lie in the file: it can't honour "
        f"`format={name}`\n  hint: leave it out, or let `irglc run` build the form")


def test_a_form_of_a_graph_in_another_order_is_kept_as_others_are() -> None:
    graph = replace(awkward()["middling"])
    graph.entry = "somewhere"
    assert place(graph, "degree").graph.entry == "somewhere-degree"
