"""Loops over a queue's items whose rounds pull: the text, what is refused and why, and that nobody can tell."""

from __future__ import annotations

import textwrap

import pytest
from support.awkward_graphs import awkward
from support.peeling import PEEL
from support.places import SharedGraph
from support.programs import run_program
from support.running import outcome

from irgl import driver
from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.plan import Plan
from irgl.rt.graphs.load import load
from irgl.source import IrglError
from irgl.space import legal_space, report
from irgl.tune.search.space import space_of

HEAD = "graph Graph { node int p = INF; node int runs = 0; node int64 far = INF; edge int length; }\nint total = 0;\n"
RELAX = "ForAll (e In n.edges) { WL.update_min(e.dst, n.p + e.length); }"
#: Figure 9 of Zhang et al., Optimizing Ordered Graph Algorithms with GraphIt, CGO 2020.
LAZY, PULL, HYBRID = "priority=lazy", "priority=lazy direction=pull", "priority=lazy direction=hybrid"


def program(body: str, by: str = "p / delta", beside: str = "", loop: str = "Iterate") -> str:
    return f"""{HEAD}Kernel k(Graph g, int delta, node goal) WL priority_queue<node>({by}) {{
  ForAll (n In WL.items) {{ {body} }} {beside}
}}
Program main(weighted Graph g, node s = first, node goal = first, int delta = 3) {{
  s.p = 0;
  {loop} k(g, delta, goal) Initial [s] {{ }}
}}
"""


PATHS = """graph Graph { node int p = INF; edge int length; }
int turns = 0; int nearest = INF;
Kernel relax(Graph g, int delta) WL priority_queue<node>(p / delta) {
  ForAll (n In WL.items) {
    int here = n.p;
    ForAll (e In n.edges) {
      node to = e.dst;
      int there = here + e.length;
      if (e.length != 5 && WL.update_min(to, there)) { nearest min= there; }
    }
  }
}
Program main(weighted Graph g, node s = first, int delta = 4) {
  s.p = 0;
  Iterate relax(g, delta) Initial [s] { turns++; }
}
"""
#: A kernel that says whether another round is wanted, and nodes that move away from the front of a queue.
ANY = """graph Graph { node int p = -INF; edge int length; }
int turns = 0; long last = 0;
Kernel widen(Graph g) WL priority_queue<node>(higher_first p) {
  ForAll (n In WL.items) {
    last min= WL.priority;
    ForAll (e In n.edges) { if (WL.update_max(e.dst, min(n.p, e.length))) { ReduceAndReturn(e.dst.p > 2); } }
  }
}
Program main(weighted Graph g, node s = first) {
  s.p = 90;
  Iterate While Any widen(g) Initial [s] { turns++; }
}
"""


def stage(text: str, plan: str, kernel: str = "k") -> str:
    """A kernel behind the passes that turn loops round."""
    checked = driver.ready("k.irgl", text).checked
    passes = {name: after for name, after, _ in driver.planning(checked, Plan.parse(plan))}
    whole = dump(passes["turn_direction"].program)
    return whole[whole.index(f"Kernel {kernel}("):whole.index("\n}\n", whole.index(f"Kernel {kernel}(")) + 2]


def test_each_node_moves_itself_and_is_filed_once_as_in_figure_9b() -> None:
    assert stage(program(RELAX), PULL) == textwrap.dedent("""\
        Kernel k(Graph g, int delta, node goal) WL buckets<node> {
            {
                bytemap<node<g>> front;
                loop1_front: ForAll (n In WL.items) {
                    int with = n.p;
                    if (with / delta < WL.priority && !WL.early(n)) {
                        continue;
                    }
                    front.push(n);
                }
                loop1: ForAll (e_dst In g.nodes) {
                    bool found = false;
                    For (e In e_dst.in_edges) {
                        if (front.contains(e.src)) {
                            int to = e.src.p + e.length;
                            if (to < e_dst.p) {
                                relaxed e_dst.p = to;
                                found = true;
                            }
                        }
                    }
                    if (found) {
                        WL.push(e_dst, e_dst.p / delta);
                    }
                }
            }
        }""")


def test_a_node_moves_itself_plainly_where_nobody_looks() -> None:
    body = "int here = n.p; ForAll (e In n.edges) { int to = here + e.length; WL.update_min(e.dst, to); }"
    assert "if (to < e_dst.p) {\n                        e_dst.p = to;" in stage(program(body), PULL)


def test_a_sum_is_its_node_s_own_and_leaves_the_edges_at_the_limit() -> None:
    text = stage(PEEL, PULL, "peel")
    assert textwrap.dedent(text[text.index("        loop1: "):text.rindex("    }\n")]) == textwrap.dedent("""\
        loop1: ForAll (e_dst In g.nodes) {
            if (e_dst.left > (int)WL.priority) {
                bool found = false;
                For (e In e_dst.in_edges) {
                    if (front.contains(e.src)) {
                        int limit = (int)WL.priority;
                        int seen = e_dst.left;
                        if (seen > limit) {
                            int to = (int)max((long)seen + -1, (long)limit);
                            e_dst.left = to;
                            found = true;
                        }
                        if (!(e_dst.left > (int)WL.priority)) {
                            break;
                        }
                    }
                }
                if (found) {
                    WL.push(e_dst, (long)e_dst.left);
                }
            }
        }
    """)


@pytest.mark.parametrize("body", [
    "ForAll (e In n.edges) { WL.update_sum(e.dst, -1, e.length); }",
    "ForAll (e In n.edges) { total += 1; WL.update_sum(e.dst, -1, WL.priority); }",
    "ForAll (e In n.edges) { if (WL.update_sum(e.dst, -1, 0)) { } else { total += 1; } }",
])
def test_a_node_at_its_limit_looks_at_its_edges_where_those_do_more(body: str) -> None:
    text = stage(program(body, "p"), PULL)
    assert "loop1: ForAll (e_dst In g.nodes) {\n            bool found = false;" in text
    assert "break" not in text


def test_a_hybrid_notes_where_it_pushes_alone_and_counts_who_runs() -> None:
    text = stage(program(RELAX), HYBRID)
    count, _, rest = text.partition("    if (work > max(g.num_edges / 20, g.num_nodes / 2)) {")
    pull, _, push = rest.partition("    } else {")
    assert "if (relaxed p_noted[n.id] != 0) {\n            continue;\n        }" in count
    assert "xchg=" not in count
    assert "WL.push(n, 1099511627776 - noted);" in pull  # what an earlier round has noted
    assert "p_noted[e" not in pull
    assert "p_noted[e.dst.id] max=" in push


def test_member_says_what_a_round_looks_in() -> None:
    assert "bytemap<node<g>> front;" in stage(program(RELAX), f"{PULL} member=bytemap")


@pytest.mark.parametrize(("text", "reason"), [
    (program("ForAll (e In n.in_edges) { WL.update_min(e.src, n.p); }"), "it runs along in-edges as it is written"),
    (program("For (e In n.edges) { WL.update_min(e.dst, n.p); }"), "it walks its nodes' edges in their order"),
    (program(f"{RELAX} total += 1;"), "something follows its inner ForAll"),
    (program(RELAX, beside="total += 1;"), "what stands beside it is done once"),
    (program(f"WL.update_min(goal, 7); {RELAX}"), "it files nodes other than the targets of its edges"),
    (program("ForAll (e In n.edges) { WL.update_min(goal, e.length); }"), "elsewhere than at the edge's target"),
    (program("ForAll (e In n.edges) { WL.update_min(e.dst, n.p); WL.push(n); }"), "it files nodes by WL.push"),
    (program("ForAll (e In n.edges) { WL.update_min(e.dst, n.p); n.runs += 1; }"), "changes 'runs' elsewhere"),
    (program("ForAll (e In n.edges) { total += e.length; }"), "it files nobody"),
    (program("ForAll (e In n.edges) { WL.update_min(e.dst, n.far); }", "far").replace("s.p", "s.far"), "64 bits"),
])
def test_what_can_not_pull_is_told(text: str, reason: str) -> None:
    found, = (c.reason for c in legal_space(driver.ready("k.irgl", text).checked.program)
              if (c.place, c.option) == ("k.loop1", "direction"))
    assert reason in (found or "nothing stands against it")


@pytest.mark.parametrize("word", ["eager", "relaxed"])
def test_who_is_filed_otherwise_than_lazily_does_not_pull(word: str) -> None:
    written = driver.ready("k.irgl", program(RELAX)).checked.program
    why = f"under priority={word} its bucket may grow while it runs: say priority=lazy, too"
    with pytest.raises(IrglError, match=f"can't be honoured: {why}"):
        report(written, Plan.parse(f"priority={word} k.loop1.direction=pull"))
    assert f"k.loop1: direction=pull: {why}" in report(written, Plan.parse(f"priority={word} direction=pull"))[1]


def test_a_plan_tells_that_it_files_lazily_and_pulls() -> None:
    applied, not_applied = report(driver.ready("k.irgl", program(RELAX)).checked.program, Plan.parse(PULL))
    assert {"k.loop1: direction=pull", "k.loop1: priority=lazy"} <= set(applied)
    assert not any("k.loop1: priority" in line for line in not_applied)


def test_a_search_turns_a_queue_s_loop_round_where_it_files_lazily() -> None:
    for target in ("cpu", "simt"):
        found = {d.key: d for d in space_of(driver.ready("k.irgl", program(RELAX)), target, scoped=True).dimensions}
        assert found["k.loop1.direction"].only_with == (("k.loop1.priority", ("lazy",)),)


GRAPHS = ("empty", "one loop", "no arcs", "self-loops", "parallel arcs", "star", "star inwards", "grid", "dense")


@pytest.mark.parametrize("plan", [f"{PULL} serial=off", f"{HYBRID} switch=nodes:1/50 member=bytemap fuse=1 serial=off",
                                  f"{HYBRID} switch=beamer:15:18 buckets=2 serial=off"])
@pytest.mark.parametrize("text", [PEEL, PATHS, ANY], ids=["sums", "paths", "a value"])
def test_no_round_changes_what_is_found_nor_how_often_a_body_ran(text: str, plan: str) -> None:
    for name in GRAPHS:
        found, wanted = (outcome(text, f"none {p}", "cpu", awkward()[name], threads=2).result
                         for p in (plan, "priority=eager"))
        assert found.scalars == wanted.scalars, name
        for word, values in wanted.properties.items():
            assert found.properties[word].array.tolist() == values.array.tolist(), name


def test_the_interpreter_runs_all_of_a_kernel_again_until_its_bucket_is_drained() -> None:
    text = PATHS.replace("int delta = 4", "int delta = 1 << 20")  # all are in one bucket
    turned = driver.turned(driver.ready("k.irgl", text).checked, Plan.parse(PULL))[0]
    wanted, found = (run(p, {"g": awkward()["grid"]}) for p in (check(load_text(text)), turned))
    assert found.properties["p"].tolist() == wanted.properties["p"].tolist()
    assert found.scalars == wanted.scalars


@pytest.mark.parametrize(("plan", "file", "farthest", "total"), [
    (PULL, "road/rome99.gr.gz", 69_102, 116_006_476),
    (HYBRID, "road/USA-road-d.NY.gr.gz", 1_440_081, 186_686_642_878),
])
def test_roads_are_as_long_as_is_known(plan: str, file: str, farthest: int, total: int,
                                       shared_graph: SharedGraph) -> None:
    ran = run_program("sssp", load(str(shared_graph(file))), plan=plan)
    assert (ran.wrong(), ran.result.scalars["farthest"], int(ran["path_length"].sum())) == (None, farthest, total)


@pytest.mark.parametrize(("plan", "file", "largest"), [
    (f"{HYBRID} switch=edges:1/5", "social/cnr-2000.txt.xz", 83), (PULL, "social/facebook_combined.txt.gz", 115)])
def test_cores_of_webs_are_as_is_known(plan: str, file: str, largest: int, shared_graph: SharedGraph) -> None:
    ran = run_program("peeling", load(str(shared_graph(file))), plan=plan)
    assert (ran.wrong(), ran.result.scalars["largest"]) == (None, largest)
