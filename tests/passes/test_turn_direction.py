"""Loops that push, turned into loops that pull: the text, what is refused and why, and that answers stay."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from support.agreement import STEPS, differences, disagreements, interpreted
from support.awkward_graphs import awkward
from support.choices import Seeded
from support.programs import run_program
from support.random_graphs import from_arcs
from support.random_parts import RandomProgram
from support.random_pushes import PushingMaker, claims

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.passes.pipeline import PASSES
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space, report

HEAD = """graph Graph { node int hue = INF; node double sum = 0; node node up = NONE; edge int w; }
long count = 0;
int shift(int x) { return x + 1; }
void stain(Graph g, node n) { n.sum += 1; }
"""
PAINT = "if (e.dst.hue == INF) { racy e.dst.hue = level; WL.push(e.dst); }"
CALL = "Program p(Graph g) { Invoke k(g); }"
PULLED = ("bfs", "bfs_do", "bfs_topo", "sssp_bf", "mis", "pr", "bc", "traverse")


def ready(text: str) -> Checked:
    checked = check(load_text(text))
    for _, step in PASSES:
        checked = check(step(checked.program))
    return checked


def paint(body: str, over: str = "n In g.nodes", before: str = "", worklist: str = "") -> Checked:
    """A kernel k whose loop runs over edges at its end."""
    return ready(f"{HEAD}Kernel k(Graph g, int level, list<node> some, unique list<node> each){worklist} {{ "
                 f"ForAll ({over}) {{ {before} ForAll (e In n.edges) {{ {body} }} }} }}")


def after(checked: Checked, how: str) -> str:
    program = driver.turned(checked, Plan.parse(f"direction={how}"))[0].program
    return "\n".join(dump(A.Program((d,))) for d in program.decls if isinstance(d, A.Kernel)).strip()


def text(lines: str) -> str:
    return textwrap.dedent(lines).strip()


def why_not(checked: Checked, place: str = "k.loop1") -> str | None:
    found = [c.reason for c in legal_space(checked.program) if (c.place, c.option) == (place, "direction")]
    return found[0]


def test_a_search_pulls_and_leaves_a_node_that_is_found() -> None:
    assert after(paint(PAINT, "n In WL.items"), "pull") == text("""
        Kernel k(Graph g, int level, list<node> some, unique list<node> each) {
            if (!(level == INF)) {
                bytemap<node<g>> front;
                loop1_front: ForAll (n In WL.items) {
                    front.push(n);
                }
                loop1_pull: ForAll (e_dst In g.nodes) {
                    if (e_dst.hue == INF) {
                        For (e In e_dst.in_edges) {
                            if (front.contains(e.src)) {
                                racy e_dst.hue = level;
                                WL.push(e_dst);
                                if (!(e_dst.hue == INF)) {
                                    break;
                                }
                            }
                        }
                    }
                }
            } else {
                loop1: ForAll (n In WL.items) {
                    ForAll (e In n.edges) {
                        if (e.dst.hue == INF) {
                            racy e.dst.hue = level;
                            WL.push(e.dst);
                        }
                    }
                }
            }
        }""")


def test_hybrid_counts_the_edges_of_the_nodes_that_push() -> None:
    body = "e.dst.sum += part;"
    before = "double part = n.sum / 2; if (n.degree > 2) { count += 1; }"
    assert after(paint(body, "n In each.items", before), "hybrid") == text("""
        Kernel k(Graph g, int level, list<node> some, unique list<node> each) {
            long work = 0;
            loop1_work: ForAll (n In each.items) {
                work += n.degree + 1;
            }
            if (work > max(g.num_edges / 20, g.num_nodes / 2)) {
                bytemap<node<g>> front;
                array<double> part_of;
                part_of.resize(g.num_nodes);
                loop1_front: ForAll (n In each.items) {
                    double part = n.sum / 2;
                    if (n.degree > 2) {
                        count += 1;
                    }
                    front.push(n);
                    part_of[n.id] = part;
                }
                loop1_pull: ForAll (e_dst In g.nodes) {
                    ForAll (e In e_dst.in_edges) {
                        if (front.contains(e.src)) {
                            double part = part_of[e.src.id];
                            e_dst.sum += part;
                        }
                    }
                }
            } else {
                loop1: ForAll (n In each.items) {
                    double part = n.sum / 2;
                    if (n.degree > 2) {
                        count += 1;
                    }
                    ForAll (e In n.edges) {
                        e.dst.sum += part;
                    }
                }
            }
        }""")


def test_where_all_nodes_push_nobody_is_looked_for() -> None:
    assert after(paint("e.dst.sum += e.w;"), "hybrid") == text("""
        Kernel k(Graph g, int level, list<node> some, unique list<node> each) {
            loop1: ForAll (e_dst In g.nodes) {
                ForAll (e In e_dst.in_edges) {
                    e_dst.sum += e.w;
                }
            }
        }""")


def test_a_share_of_the_nodes_is_asked_of_the_list() -> None:
    turned = after(paint(PAINT, "n In WL.items"), "hybrid switch=nodes:0.15")
    assert "long work = WL.items.size;" in turned
    assert "if (work > g.num_nodes * 3 / 20 && !(level == INF)) {" in turned


SPREAD = """graph Graph { node int label = 0; edge int w; }
Kernel spread(Graph g, %s now, %s later) {
    ForAll (n In now.items) { %s ForAll (e In n.edges) { if (e.dst.label min= n.label) { later.push(e.dst); } } }
}
Program p(Graph g) { %s now; %s later; now.push(g.node(0)); Invoke spread(g, now, later); now.swap(later); }"""


@pytest.mark.parametrize("kind", ["set<node>", "bitmap<node>", "bytemap<node>"])
def test_nodes_that_are_in_a_set_are_looked_for_there(kind: str) -> None:
    turned = after(ready(SPREAD % (kind, kind, "", kind, kind)), "pull")
    assert "front" not in turned and "if (now.contains(e.src))" in turned


@pytest.mark.parametrize(("kind", "before", "how", "made"), [
    ("set<node>", "", "pull member=bitmap", "bitmap"),
    ("set<node>", "if (n.label < 0) { continue; }", "pull", "bytemap"),
    ("unique list<node>", "", "pull", "bytemap")])
def test_a_set_is_made_where_another_is_wanted_or_not_all_come_to_edges(
    kind: str, before: str, how: str, made: str,
) -> None:
    turned = after(ready(SPREAD % (kind, kind, before, kind, kind)), how)
    assert f"{made}<node<g>> front;" in turned and "if (front.contains(e.src))" in turned


def test_a_set_that_becomes_a_list_is_not_asked() -> None:
    claims = SPREAD.replace("e.dst.label min= n.label", "cas(e.dst.label, 0, 1)")
    sets = "set<node>", "set<node>", "", "set<node>", "set<node>"
    assert "front.contains(e.src)" in after(ready(claims % sets), "pull")


def test_what_a_pulling_node_updates_and_others_read_takes_no_atomic() -> None:
    ready = driver.ready("p.irgl", SPREAD % ("set<node>", "set<node>", "", "set<node>", "set<node>"))
    unit = driver.emit(ready, Plan.parse("direction=pull"), "cpu").text
    assert "watched_min<IRGL_SHARED(inner)>" in unit and "later.template push_of<IRGL_SHARED(inner)>(t, e_dst)" in unit


def test_a_claim_that_might_leave_what_it_asked_for_is_looked_at_before_it_is_relied_on() -> None:
    claim = "if (cas(e.dst.hue, level, shift)) { WL.push(e.dst); }"
    for body, asked in ((claim.replace("shift", "3"), "level != 3"), (claim.replace("level", "INF"), "INF != 3")):
        assert asked in after(paint(body.replace("shift", "3"), "n In WL.items"), "hybrid")


def test_a_list_knows_how_many_nodes_it_has_whatever_is_computed_before_their_edges() -> None:
    checked = paint("e.dst.sum += part;", "n In each.items", "double part = n.sum / 2;")
    assert "long work = each.items.size;" in after(checked, "hybrid switch=nodes:1/8")


def test_nodes_that_may_not_come_to_their_edges_are_counted() -> None:
    checked = paint("e.dst.sum += 1.0;", "n In each.items", "if (n.hue > 3) { continue; }")
    assert "loop1_work: ForAll (n In each.items)" in after(checked, "hybrid switch=nodes:1/8")


@pytest.mark.parametrize("share", ["edges", "edges:", "edges:2", "edges:1/0", "edges:1/00", "edges:-1/2",
                                   "nodes:0.1234567", "arcs:1/2", "nodes:1/2/3", "nodes: 1/2", "edges:١/2"])
def test_what_is_no_share_is_refused(share: str) -> None:
    with pytest.raises(IrglError) as caught:
        Plan.parse(f"direction=hybrid switch={share}")
    assert caught.value.message.startswith("`switch=") and caught.value.hint


@pytest.mark.parametrize("word", ["switch=edges:1/20", "member=bytemap", "direction=pull switch=nodes:1/2"])
def test_what_belongs_to_another_direction_is_refused(word: str) -> None:
    with pytest.raises(IrglError) as caught:
        Plan.parse(word)
    assert "says how direction=" in caught.value.message and "the plan takes none" in caught.value.message


@pytest.mark.parametrize("option", ["switch", "member"])
def test_where_every_node_comes_to_its_edges_nothing_is_asked_about_them(option: str) -> None:
    checked = paint("e.dst.sum += e.w;")
    for target in ("cpu", "simt"):
        found = [c.reason for c in legal_space(checked.program, target) if (c.place, c.option) == ("k.loop1", option)]
        assert found == ["every node of the graph comes to its edges"], target


def test_the_pulling_half_of_a_hybrid_is_a_place() -> None:
    checked = paint("e.dst.sum += n.sum;", "n In each.items")
    applied, _ = report(checked.program, Plan.parse("direction=hybrid k.loop1_pull.loop1.prefetch=8"))
    assert "k.loop1_pull.loop1: prefetch=8" in applied
    with pytest.raises(IrglError) as caught:
        report(checked.program, Plan.parse("k.loop1_pull.loop1.prefetch=8"))
    assert "no place for it" in caught.value.message


def test_a_round_without_items_stays_one_where_the_kernel_has_a_value() -> None:
    turned = after(paint("ReduceAndReturn(e.dst.sum > 3);", "n In each.items"), "pull")
    assert "if (work > 0) {" in turned


def test_a_program_as_written_is_the_same_object() -> None:
    checked = paint(PAINT, "n In WL.items")
    assert driver.turned(checked, Plan.parse("direction=written"))[0] is checked


def test_other_loops_of_the_kernel_keep_their_paths() -> None:
    checked = ready(f"{HEAD}Kernel k(Graph g, int level) {{ ForAll (n In g.nodes) {{ ForAll (e In n.edges) "
                    "{ e.dst.sum += 1.0; } } mine: ForAll (n In g.nodes) { n.up = n; } "
                    "ForAll (n In g.nodes) { n.hue = 1; } }")
    turned = after(checked, "pull")
    assert [line.split(":")[0].strip() for line in turned.splitlines() if "In g.nodes" in line] == [
        "loop1", "mine", "loop3"]


TWICE = "its list may hold a node twice, and "


@pytest.mark.parametrize(("checked", "reason"), [
    (("e.dst.sum += 1.0;", "n In some.items"), TWICE + "+= may change something the second time: declare it unique"),
    (("some.push(e.dst);", "n In WL.items"), TWICE + "push adds an item each time: declare it unique"),
    (("if (e.dst.hue != level) { racy e.dst.hue = 3; some.push(e.dst); racy e.dst.up = g.node(0); e.dst.sum += 1.0; }",
      "n In WL.items"), None),
    (("if (e.dst.hue == INF) { racy e.dst.hue = shift(level); WL.push(e.dst); }", "n In WL.items"),
     TWICE + "nothing tells that its condition is false the second time: declare it unique"),
    (("if (e.dst.hue == INF && n.sum > 3) { e.dst.hue min= level; WL.push(e.dst); }", "n In WL.items"),
     TWICE + "nothing tells that its condition is false the second time: declare it unique"),
    (("if (e.dst.up == NONE) { relaxed e.dst.up = n; WL.push(e.dst); }", "n In WL.items"), None),
    (("if (cas(e.dst.hue, INF, level)) { WL.push(e.dst); }", "n In WL.items"), None),
    (("if (e.w > 2 && cas(e.dst.hue, level, 7)) { WL.push(e.dst); }", "n In WL.items"), None),
    (("if (cas(e.dst.hue, INF, n.hue)) { WL.push(e.dst); }", "n In WL.items"),
     TWICE + "nothing tells that its condition is false the second time: declare it unique"),
    (("if (cas(e.dst.hue, INF, level)) { relaxed e.dst.hue = 0; WL.push(e.dst); }", "n In WL.items"),
     TWICE + "nothing tells that its condition is false the second time: declare it unique"),
    (("int x = e.dst.hue; e.dst.hue min= x + level;", "n In WL.items"),
     TWICE + "'x' may be another the second time: declare it unique"),
    (("e.dst.hue min= level; e.dst.hue max= 2;", "n In WL.items"),
     TWICE + "its inner ForAll writes 'hue' in two ways: declare it unique"),
    (("if (e.dst.hue min= n.hue + e.w) { WL.push(e.dst); }", "n In WL.items"),
     TWICE + "nothing tells that its condition is false the second time: declare it unique"),
    (("if (e.dst.hue min= here + e.w) { WL.push(e.dst); }", "n In WL.items", "int here = n.hue;"), None),
    ((PAINT, "n In WL.items", "count += 1;"),
     "its list may hold a node twice, and more than the inner ForAll runs again then: declare it unique"),
    (("n.sum += 1.0;",), "its inner ForAll changes 'sum' elsewhere than at the edge's target"),
    (("stain(g, e.dst);",), "its inner ForAll changes 'sum' elsewhere than at the edge's target"),
    (("if (e.dst.hue < level) { Respawn e.dst; }", "n In WL.items"), "its items come back while it runs"),
    (("ForAll (f In e.dst.edges) { f.dst.sum += 1.0; }",), "another ForAll stands in its inner one"),
    (("e.dst.sum += 1.0;", "n In g.nodes", "int x = 0; ForAll (f In n.edges) { x += 1; }"),
     "two ForAlls over its nodes' edges stand in it"),
    (("e.dst.sum += 1.0;", "n In g.nodes", "For (f In n.edges) { n.hue = 3; }"), None),
    (("WL.push(e.dst, 1);", "n In WL.items", "", " WL buckets<node>"), "a bucket may grow while it runs"),
    (("e.dst.sum += marks.contains(e.dst);", "n In g.nodes", "scratch<node> marks;"),
     "its inner ForAll uses 'marks', which can't be kept for each node"),
], ids=str)
def test_what_is_refused(checked: tuple[str, ...], reason: str | None) -> None:
    assert why_not(paint(*checked)) == reason


@pytest.mark.parametrize(("loop", "reason"), [
    ("ForAll (e In g.edges) { e.dst.sum += 1.0; }", "it runs over range of edge, not over nodes"),
    ("ForAll (n In g.nodes) { ForAll (e In n.in_edges) { n.sum += 1.0; } }", "it runs along in-edges as it is written"),
    ("ForAll (n In g.nodes) { For (e In n.edges) { e.dst.sum += 1.0; } }",
     "it walks its nodes' edges in their order, by a For"),
    ("ForAll (n In g.nodes) { n.sum = 1; }", "no ForAll over all edges of its nodes stands in it"),
    ("ForAll (n In g.nodes) { ForAll (e In n.edges.skip(1)) { e.dst.sum += 1.0; } }",
     "no ForAll over all edges of its nodes stands in it"),
    ("ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.sum += 1.0; } n.hue = 0; }",
     "something follows its inner ForAll, and waits for it"),
    ("ForAll (n In g.nodes) { long x = 0; if (n.degree > 1) { ForAll (e In n.edges) { x += e.w; } } }",
     "its inner ForAll reduces into 'x', a variable of the iteration around it"),
    ("ForAll (n In g.nodes) { for (int i = 0; i < 2; i++) { ForAll (e In n.edges) { e.dst.sum += 1.0; } } }",
     "another loop stands around its inner ForAll"),
    ("ForAll (n In g.nodes) { Atomic (n.free) { n.hue = 1; } ForAll (e In n.edges) { e.dst.sum += 1.0; } }",
     "it takes locks"),
])
def test_what_is_refused_of_other_shapes(loop: str, reason: str) -> None:
    head = HEAD.replace("edge int w;", "edge int w; node lock free;")
    assert why_not(ready(f"{head}Kernel k(Graph g) {{ {loop} }}")) == reason


def test_a_condition_that_others_could_change_stays_inside() -> None:
    turned = after(paint("if (e.dst.hue == INF && n.hue < level) { e.dst.hue min= level; }", "n In each.items"), "pull")
    assert "if (e_dst.hue == INF) {" in turned and "if (e.src.hue < level) {" in turned


def test_what_may_stop_the_program_is_asked_as_often_as_before() -> None:
    turned = after(paint("if (12 / e.dst.hue == level) { e.dst.hue min= level; }", "n In each.items"), "pull")
    assert "break" not in turned


def test_a_place_that_cant_be_turned_is_an_error() -> None:
    program = f"{HEAD}Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ n.hue = 0; }} }} {CALL}"
    with pytest.raises(IrglError) as caught:
        driver.compile("p.irgl", text=program, plan=Plan.parse("k.loop1.direction=pull"))
    assert caught.value.message == (
        "`k.loop1.direction=pull` can't be honoured: no ForAll over all edges of its nodes stands in it")


@pytest.mark.parametrize(("how", "reason"), [("pull", ": its loop pulls, one edge after the other"), ("hybrid", "")])
def test_what_a_plan_says_of_a_loop_that_is_gone_is_told(how: str, reason: str) -> None:
    checked = paint("if (e.dst.hue == INF) { e.dst.hue min= level; }", "n In each.items")
    applied, refused = report(checked.program, Plan.parse(f"direction={how} k.loop1.loop1.prefetch=8"))
    said = [line for line in (*applied, *refused) if "prefetch" in line]
    assert said == [f"k.loop1.loop1: prefetch=8{reason}"]


@pytest.mark.parametrize(("read", "wanted"), [("e.w", (True, False, True)), ("e.id", (True, True, False))])
def test_a_program_that_pulls_asks_for_in_edges_and_what_it_reads_of_them(read: str, wanted: tuple[bool, ...]) -> None:
    loop = f"ForAll (n In g.nodes) {{ ForAll (e In n.edges) {{ e.dst.sum += {read}; }} }}"
    program = f"{HEAD}Kernel k(Graph g) {{ {loop} }} {CALL}"
    plans = ("direction=written", "k.loop1.direction=pull")
    needs = [driver.compile("p.irgl", text=program, plan=Plan.parse(p)).graph_params[0].needs for p in plans]
    assert [(n.transpose, n.in_edge, n.in_weights) for n in needs] == [(False, False, False), wanted]


# Answers


@pytest.mark.parametrize("how", ["pull", "hybrid"])
@pytest.mark.parametrize("name", PULLED)
def test_programs_that_pull_are_right(name: str, how: str) -> None:
    for graph in ("empty", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "dense", "sparse"):
        for threads in (1, 2, 4):
            plan = f"grain=1 serial=off giant=2 direction={how}"
            assert run_program(name, awkward()[graph], plan=plan, threads=threads).wrong() is None, (graph, threads)


def test_a_node_goes_on_while_its_condition_holds() -> None:
    program = (f"{HEAD}Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ ForAll (e In n.edges) {{ "
               f"if (e.dst.sum < 3) {{ e.dst.sum += 1; }} }} }} }} {CALL}")
    graph = from_arcs(6, [(s, d, 1) for d in range(6) for s in range(d)])  # node d has d edges in
    turned = driver.turned(ready(program), Plan.parse("direction=pull"))[0]
    assert run(turned, {"g": graph}, {}).properties["sum"].tolist() == [0, 1, 2, 3, 3, 3]


@pytest.mark.parametrize("need", ["undirected ", ""])
def test_what_edges_hold_is_that_of_the_edge_in_its_own_direction(need: str, tmp_path: Path) -> None:
    file = tmp_path / "edges.irgl"
    file.write_text(f"""graph Graph {{ node long sum = 0; edge long mark = 0; edge long tag = 0; edge int w; }}
Kernel number(Graph g) {{ ForAll (e In g.edges) {{ e.tag = e.id * 7 + 1; }} }}
Kernel k(Graph g) {{
  ForAll (n In g.nodes) {{
    long mine = n.id * 100;
    ForAll (e In n.edges) {{ e.mark = mine + e.tag; e.dst.sum += e.tag * (mine + 1) + e.w; }}
  }}
}}
Program p({need}Graph g) {{ Invoke number(g); Invoke k(g); }}
""")
    for graph in ("self-loops", "parallel arcs", "grid"):
        written, turned = (run_program(file, awkward()[graph], plan=f"direction={how}") for how in ("written", "pull"))
        assert turned["sum"].tolist() == written["sum"].tolist(), graph
        assert turned["mark"].tolist() == written["mark"].tolist(), graph


def test_labels_of_the_program_stand_once() -> None:
    loop = "loop2: ForAll (n In g.nodes) { loop1: ForAll (e In n.edges) { e.dst.sum += 1.0; } }"
    checked = ready(f"{HEAD}Kernel k(Graph g) {{ {loop} loop2_front: ForAll (n In g.nodes) {{ n.hue = 1; }} }}")
    turned = driver.turned(checked, Plan.parse("direction=hybrid"))[0]
    assert [n.label for n in walk(turned.program) if isinstance(n, A.Labeled)] == ["loop2", "loop2_front"]


def turned_otherwise(programs: list[RandomProgram]) -> list[str]:
    """The programs that the interpreter runs otherwise when they are turned."""
    found = []
    for p in programs:
        expected = interpreted(p)
        for how in ("pull", "hybrid"):
            turned = driver.turned(ready(p.text), Plan.parse(f"direction={how}"))[0]
            if expected is not None:
                ran = run(turned, {"g": p.graph}, p.params, max_steps=10 * STEPS)
                found += [f"{n} under {how}:\n{p}" for n in differences(expected, ran)]
    return found


@pytest.mark.parametrize("batch", [*range(4), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(4, 100))])
def test_random_kernels_mean_the_same_when_turned(batch: int) -> None:
    seeds = range(batch * 20, (batch + 1) * 20)
    assert turned_otherwise([PushingMaker(Seeded(s)).make() for s in seeds]) == []
    assert turned_otherwise([claims(Seeded(s)) for s in seeds]) == []


@pytest.mark.parametrize("how", ["pull", "hybrid"])
@pytest.mark.parametrize("batch", [0, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(1, 50))])
def test_random_kernels_that_pull_agree_with_the_interpreter(batch: int, how: str) -> None:
    seeds = range(1000 + batch * 8, 1000 + (batch + 1) * 8)
    programs = [PushingMaker(Seeded(s)).make() for s in seeds] + [claims(Seeded(s)) for s in seeds]
    assert disagreements(programs, Plan.parse(f"direction={how}")) == []
