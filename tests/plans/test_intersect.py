"""The option intersect: how calls of `common` go through rows. No word changes an answer; where it is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from support.awkward_graphs import awkward, directed, random_arcs
from support.covering import cover
from support.cpu_plans import legal, text_of
from support.more_programs import complaints
from support.programs import path_of
from support.running import outcome

from irgl import driver
from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.source import IrglError
from irgl.space import Choice, legal_space

WORDS = ("auto", "merge", "gallop", "binary", "hash")
#: Of a GPU alone.
WARP = "warp"
#: Asked of one node and many, of many and one, of nodes that change places, and of one with itself.
TEXT = """
graph Graph { node int same = 0; edge int both = 0; edge int turned = 0; edge int below = 0; edge int mixed = 0; }
Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    n.same = common(n, n, n);
    ForAll (e In n.edges) {
      e.both = common(n, e.dst);
      e.turned = common(e.dst, n);
      e.below = common(n, e.dst, e.dst);
    }
    ForAll (e In n.edges) {
      e.mixed = common(e.dst, e.dst) - common(n, e.dst, n.id) + common(e.dst, n, g.node(0));
    }
  }
}
Program main(Graph g) { Invoke look(g); }
"""


def hubs() -> Graph:
    """A few nodes of 700 edges and many of a few, so that rows are equally long, and far longer than others."""
    draw = np.random.default_rng(4)
    ends = [(u, int(v)) for u in range(4) for v in draw.integers(0, 900, 700)]
    ends += [(int(u), int(v)) for u, v in zip(draw.integers(0, 900, 3000), draw.integers(0, 40, 3000), strict=True)]
    return directed(900, ends)


NAMES = ("empty", "one loop", "no arcs", "self-loops", "parallel arcs", "star inwards", "dense")
GRAPHS = {name: awkward()[name] for name in NAMES} | {"hubs": hubs(), "random": random_arcs(8, 50, 400)}


def wanted(graph: Graph) -> dict[str, list[int]]:
    """The same by a product of matrices, and below a node by that of those that are cut off there."""
    g = prepare(graph, Requirements(sorted=True))
    n, source = g.num_nodes, np.repeat(np.arange(g.num_nodes), np.diff(g.row))
    a = sp.csr_array((np.ones(g.num_edges, np.int64), (source, g.dst)), shape=(n, n))
    a.data[:] = 1  # parallel edges lead to one node
    dense = a.toarray()
    both = (a @ a.T).toarray()
    ends = list(zip(source.tolist(), g.dst.tolist(), strict=True))

    def below(u: int, v: int, w: int) -> int:
        return int(dense[u, :w] @ dense[v, :w])

    return {"same": [below(u, u, u) for u in range(n)], "both": [int(both[u, v]) for u, v in ends],
            "turned": [int(both[v, u]) for u, v in ends], "below": [below(u, v, v) for u, v in ends],
            "mixed": [int(both[v, v]) - below(u, v, u) for u, v in ends]}


WANTED = {name: wanted(graph) for name, graph in GRAPHS.items()}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_interpreter_finds_what_a_product_of_matrices_has(name: str) -> None:
    found = run(check(load_text(TEXT)), {"g": prepare(GRAPHS[name], Requirements(sorted=True))}).properties
    assert {word: list(found[word]) for word in WANTED[name]} == WANTED[name]


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("word", WORDS)
def test_no_word_changes_what_is_found(word: str, target: str) -> None:
    rest = "serial=off grain=1 giant=64" if target == "cpu" else "np=wp+fg block=64"
    for name, graph in GRAPHS.items():
        found = outcome(TEXT, f"none intersect={word} {rest}", target, graph, threads=2).result.properties
        assert {p: found[p].array.tolist() for p in WANTED[name]} == WANTED[name], name


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("word", ["auto", "merge", "gallop", "binary"])
def test_a_loop_over_common_neighbours_goes_that_way_too(word: str, target: str) -> None:
    text = """graph Graph { edge long ids = 0; edge long low = 0; }
Kernel look(Graph g) {
  ForAll (e In g.edges) {
    For (w In common(e.src, e.dst)) { e.ids += w.id + 1; }
    For (w In common(e.dst, e.src, e.src)) { e.low += w.id + 1; }
  }
}
Program main(Graph g) { Invoke look(g); }"""
    plan = f"none intersect={word}" + " block=64" * (target == "simt")
    assert (f"irgl::common_nodes<irgl::{word.capitalize()}>(" in driver.compile(
        "t.irgl", target=target, plan=Plan.parse(plan, target), text=text).text) == (word != "auto")
    for name in ("parallel arcs", "hubs") if target == "cpu" else ("parallel arcs", "random"):
        reference = run(check(load_text(text)), {"g": prepare(GRAPHS[name], Requirements(sorted=True))}).properties
        found = outcome(text, plan, target, GRAPHS[name]).result.properties
        assert all(np.array_equal(found[p].array, reference[p]) for p in ("ids", "low")), name


ELSEWHERE = """graph Graph { node int x = 0; } long there = 0;
int twice(Graph g, node a, node b) { return 2 * common(a, b); }
Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    n.x = twice(g, n, g.node(1));
    ForAll (e In n.edges) { n.x += common(n, e.dst); }
  }
}
Program main(Graph g) { there = common(g.node(0), g.node(1)); Invoke look(g); }"""


@pytest.mark.parametrize(("plan", "loop", "helper", "host"), [
    ("default", "irgl::common(t, g, n,", "irgl::common(g, a, b)", "irgl::common(g, irgl::"),
    ("intersect=merge", "irgl::common<irgl::Merge>(g, n,", "irgl::common<irgl::Merge>(g, a, b)",
     "irgl::common<irgl::Merge>(g,"),
    ("intersect=hash", "irgl::common<irgl::Hash>(t, g, n,", "irgl::common(g, a, b)", "irgl::common(g, irgl::"),
    ("intersect=merge look.loop1.loop1.intersect=binary", "irgl::common<irgl::Binary>(g, n,",
     "irgl::common<irgl::Merge>(g, a, b)", "irgl::common<irgl::Merge>(g,"),
])
def test_a_loop_has_a_word_of_its_own_and_helpers_that_of_the_whole(plan: str, loop: str, helper: str,
                                                                    host: str) -> None:
    text = driver.compile("t.irgl", plan=Plan.parse(plan), text=ELSEWHERE).text
    assert [word in text for word in (loop, helper)] == [True, True]
    assert host in text[text.index("static void program("):]


def test_helpers_and_the_program_find_the_same() -> None:
    graph = directed(5, [(0, 4), (0, 2), (1, 2), (1, 3), (1, 4), (0, 4)])
    right = run(check(load_text(ELSEWHERE)), {"g": prepare(graph, Requirements(sorted=True))})
    for target, words in (("cpu", ("hash", "binary")), ("simt", ("merge",))):
        for word in words:
            plan = f"none intersect={word}" + " block=32" * (target == "simt")
            found = outcome(ELSEWHERE, plan, target, graph).result
            assert (found.scalars["there"], found.properties["x"].array.tolist()) == (
                right.scalars["there"], list(right.properties["x"])), (target, word)


def choices(text: str, target: str = "cpu") -> list[Choice]:
    found = legal_space(driver.ready("t.irgl", text).checked.program, target)
    return [c for c in found if c.option == "intersect"]


NO_CALL = "no common(...) stands in this loop itself"
NO_MARKS = "a GPU's threads are too many for a byte of every node each: they mark no rows"
NO_LANES = "a CPU's threads have no lanes"
NO_LOOP = "the threads of a warp ask together in loops alone"
USED = "the loop also uses what it is added to"
NO_THREAD = "marks belong to a thread of a loop, which is not known in helpers and outside of loops"


def test_it_is_legal_where_a_call_stands() -> None:
    assert choices(ELSEWHERE) == [
        Choice("look.loop1", "intersect", NO_CALL, ("auto",)),
        Choice("look.loop1.loop1", "intersect", None, WORDS, ((WARP, NO_LANES),)),
        Choice("", "intersect", None, WORDS[:4], (("hash", NO_THREAD), (WARP, NO_LOOP)))]
    assert {(c.place, c.values, c.refused) for c in choices(ELSEWHERE, "simt") if c.reason is None} == {
        ("look.loop1.loop1", WORDS[:4], (("hash", NO_MARKS), (WARP, USED))),
        ("", WORDS[:4], (("hash", NO_THREAD), (WARP, NO_LOOP)))}
    without = choices(ELSEWHERE.replace("common(", "max(").replace("max(a, b)", "1").replace(
        "max(g.node(0), g.node(1))", "1").replace("max(n, e.dst)", "1"))
    assert [c.reason for c in without] == [NO_CALL, NO_CALL, "the program has no common(...)"]


def test_where_a_for_runs_over_them_nothing_is_marked() -> None:
    text = """graph Graph { node int x = 0; }
Kernel look(Graph g) { ForAll (n In g.nodes) { For (w In common(n, n)) { n.x += 1; } } }
Program main(Graph g) { Invoke look(g); }"""
    reason = "a For runs over common neighbours here, and marks are for counting them"
    assert choices(text)[0] == Choice("look.loop1", "intersect", None, WORDS[:4],
                                      (("hash", reason), (WARP, NO_LANES)))
    assert choices(text)[1].reason == "each common(...) of the program stands in a loop"


@pytest.mark.parametrize(("target", "plan", "reason"), [
    ("cpu", "look.loop1.intersect=merge", NO_CALL),
    ("simt", "look.loop1.intersect=merge", NO_CALL),
    ("cuda", "look.loop1.loop1.intersect=hash", NO_MARKS),
])
def test_at_a_place_where_it_cant_be_honoured_it_is_an_error(target: str, plan: str, reason: str) -> None:
    with pytest.raises(IrglError) as told:
        driver.compile("t.irgl", target=target, plan=Plan.parse(plan, target), text=ELSEWHERE)
    word = plan.partition("intersect=")[2]
    assert str(told.value) == (f"error: `{plan}` can't be honoured: {reason}\n"
                               f"  hint: leave it out; `intersect={word}` alone applies wherever it is legal")


def test_an_unknown_word_is_told_with_those_that_there_are() -> None:
    with pytest.raises(IrglError) as told:
        Plan.parse("intersect=skip")
    assert "auto, merge, gallop, binary" in f"{told.value}" and "hash" in f"{told.value}" and WARP in f"{told.value}"


def test_what_a_plan_says_of_the_whole_is_told_where_it_means_nothing() -> None:
    unit = driver.compile("t.irgl", target="cuda", plan=Plan.parse("intersect=hash", "cuda"), text=ELSEWHERE)
    assert f"look.loop1.loop1: intersect=hash: {NO_MARKS}" in unit.not_applicable
    assert "irgl::common(g, n," in unit.text
    unit = driver.compile("t.irgl", target="cuda", plan=Plan.parse("intersect=gallop", "cuda"), text=ELSEWHERE)
    assert "look.loop1.loop1: intersect=gallop" in unit.applied and "irgl::common<irgl::Gallop>(g, n," in unit.text


SUMS = """graph Graph { node int same = 0; edge int both = 0; node long low = 0; } long all = 0;
Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    n.same += common(n, n, n);
    ForAll (e In n.edges) {
      if (n.id % 3 != 1) { all += common(n, e.dst); } else { e.dst.low += common(e.dst, n, e.dst); }
      if (e.dst.id % 5 != 2) { all += 2 * (e.dst < n); all += common(e.dst, e.dst, n); }
    }
  }
  ForAll (e In g.edges) { e.both += common(e.src, e.dst); }
}
Program main(Graph g) { Invoke look(g); }"""


@pytest.mark.parametrize("plan", ["none block=32", "np=wp+fg block=64", "np=tb+wp+fg cc=off", "np=bins block=64"])
def test_threads_of_a_warp_join_in_searches_and_find_the_same(plan: str) -> None:
    checked, plan = check(load_text(SUMS)), f"{plan} intersect=warp"
    unit = driver.compile("t.irgl", target="simt", plan=Plan.parse(plan, "simt"), text=SUMS)
    assert "irgl::common(" not in unit.text and unit.text.count(".meet(g)") >= 5
    for name, graph in GRAPHS.items():
        right = run(checked, {"g": prepare(graph, Requirements(sorted=True))})
        found = outcome(SUMS, plan, "simt", graph).result
        assert found.scalars == right.scalars, name
        assert all(found.properties[p].array.tolist() == list(v) for p, v in right.properties.items()), name


@pytest.mark.parametrize(("body", "reason"), [
    ("int x = common(n, e.dst); all += x;",
     "what it finds is more than added to something, or in a sequential loop, or under a lock"),
    ("For (f In n.edges) { all += common(n, f.dst); }",
     "what it finds is more than added to something, or in a sequential loop, or under a lock"),
    ("int x = 0; x += common(n, e.dst); all += x;", "what it is added to is known there alone"),
    ("n.p += common(n, e.dst); if (n.p > 3) { all += 1; }", USED),
    ("n.p += common(n, e.dst); all += p_of(g, n);", USED),
])
def test_threads_of_a_warp_dont_join_where_order_or_value_matters(body: str, reason: str) -> None:
    text = f"""graph Graph {{ node int p = 0; }} long all = 0;
int p_of(Graph g, node n) {{ return n.p; }}
Kernel look(Graph g) {{ ForAll (n In g.nodes) {{ ForAll (e In n.edges) {{ {body} }} }} }}
Program main(Graph g) {{ Invoke look(g); }}"""
    unit = driver.compile("t.irgl", target="cuda", plan=Plan.parse("intersect=warp", "cuda"), text=text)
    assert f"look.loop1.loop1: intersect=warp: {reason}" in unit.not_applicable
    assert ".meet(g)" not in unit.text


def test_threads_of_a_warp_join_over_rows_alone() -> None:
    plan = Plan.parse("intersect=warp format=ell", "cuda")
    unit = driver.compile("t.irgl", target="cuda", plan=plan, text=SUMS)
    assert "look.loop1.loop1: intersect=warp: the plan has loops beside it run over a form" in unit.not_applicable
    assert ".meet(g)" not in unit.text


def test_a_loop_that_a_plan_cuts_in_three_keeps_its_word() -> None:
    unit = driver.compile(path_of("triangles_by_common"), plan=Plan.parse(
        "np=bins count_below.loop1.loop1.intersect=gallop"))
    assert unit.text.count("irgl::common<irgl::Gallop>(") >= 1 and "irgl::common(" not in unit.text


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.matrix)])
def test_it_goes_with_every_other_option(few: bool, tmp_path: object) -> None:
    """A pairwise cover of the options of the code; in CI those of direction of work, in the matrix all."""
    space = legal(str(path_of("triangles_by_common")))
    assert space["intersect"] == WORDS
    options = {name: some for name, some in space.items() if not few or name in ("intersect", "np", "share", "order")}
    rows = [row | {"threads of the run": "2"} for row in cover(options)]
    assert complaints("triangles_by_common", rows, GRAPHS, tmp_path) == []  # type: ignore[arg-type]
    assert all(text_of(row) for row in rows)
