"""Control-flow graphs, dominators and control dependence: by hand, and against their definitions by paths."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from support.flow import edges_of, flow, kernel_flow
from support.random_flow import bodies

from irgl.analysis.flow.cfg import Cfg, Vertex, flow_of
from irgl.analysis.flow.control_dependence import control_dependence, deciders
from irgl.analysis.flow.dominance import dominators, post_dominators
from irgl.ast import nodes as A

TRAVERSAL = "ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.p == 0) { WL.push(e.dst); } } }"


def test_a_traversal_has_the_graph_of_figure_6() -> None:
    assert edges_of(kernel_flow(TRAVERSAL)) == {
        "Start->0", "0->1", "0->Exit", "1->2", "1->0", "2->3", "2->4", "3->4", "4->1"
    }  # fmt: skip


def test_vertices_count_in_the_order_of_the_text() -> None:
    kinds = {v.name: v.kind for v in kernel_flow(TRAVERSAL).vertices}
    assert kinds == {
        "Start": "start", "0": "forall", "1": "forall", "2": "if", "3": "statement", "4": "join", "Exit": "exit"
    }  # fmt: skip


def test_the_dominators_of_exit_alone_are_few() -> None:
    cfg = kernel_flow(TRAVERSAL)
    assert {v.name for v in dominators(cfg).of(cfg.exit)} == {"Start", "0", "Exit"}


def test_the_dependences_of_figure_5() -> None:
    cfg = kernel_flow(TRAVERSAL)
    direct = control_dependence(cfg)
    assert {v.name: {e.source.name for e in direct[v]} for v in cfg.vertices} == {
        "Start": set(), "0": {"0"}, "1": {"0", "1"}, "2": {"1"}, "3": {"2"}, "4": {"1"}, "Exit": set()
    }  # fmt: skip


def test_a_point_depends_iteratively_on_what_its_branches_depend_on() -> None:
    cfg = kernel_flow(TRAVERSAL)
    found = deciders(control_dependence(cfg))
    assert {v.name: {b.name for b in found[v]} for v in cfg.vertices if v.name in "34"} == {
        "3": {"0", "1", "2"}, "4": {"0", "1"}
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "edges"),
    [
        ("", {"Start->Exit"}),
        ("f; f;", {"Start->0", "0->1", "1->Exit"}),
        ("if (x) { f; }", {"Start->0", "0->1", "1->2", "0->2", "2->Exit"}),
        ("if (x) { } else { f; }", {"Start->0", "0->2", "0->1", "1->2", "2->Exit"}),
        ("while (x) { f; }", {"Start->0", "0->1", "1->0", "0->Exit"}),
        ("while (x) { }", {"Start->0", "0->0", "0->Exit"}),
        ("do { f; } while (x);", {"Start->0", "0->1", "1->2", "2->0", "2->Exit"}),
        ("for (f; x; f) { f; }", {"Start->0", "0->1", "1->2", "2->3", "3->1", "1->Exit"}),
        ("for (; ; ) { f; }", {"Start->0", "0->1", "1->0", "0->Exit"}),
        ("while (x) { if (x) { break; } f; }", {"Start->0", "0->1", "1->Exit", "1->2", "2->3", "3->0", "0->Exit"}),
        ("while (x) { if (x) { continue; } f; }", {"Start->0", "0->1", "1->0", "1->2", "2->3", "3->0", "0->Exit"}),
        ("for (; x; f) { if (x) { continue; } }", {"Start->0", "0->1", "1->3", "1->2", "2->3", "3->0", "0->Exit"}),
        ("do { break; } while (x);", {"Start->0", "0->Exit"}),
        ("do { continue; } while (x);", {"Start->0", "0->1", "1->0", "1->Exit"}),
        ("ForAll (x In x) { while (x) { Retry x; } }", {"Start->0", "0->1", "1->2", "2->0", "1->0", "0->Exit"}),
        ("Atomic (x) { f; } f;", {"Start->0", "0->1", "1->2", "0->2", "2->3", "3->Exit"}),
        ("Atomic (x) { f; } Else { f; }", {"Start->0", "0->1", "0->2", "1->3", "2->3", "3->Exit"}),
        ("Exclusive (x, [x]) { f; }", {"Start->0", "0->1", "1->2", "0->2", "2->Exit"}),
        ("s: while (x) { { f; } }", {"Start->0", "0->1", "1->0", "0->Exit"}),
        ("SyncRunningThreads;", {"Start->0", "0->Exit"}),
    ],
)
def test_each_statement_leads_where_it_should(body: str, edges: set[str]) -> None:
    assert edges_of(flow(body)) == edges


def test_what_follows_a_jump_has_no_vertex() -> None:
    cfg = flow("while (x) { continue; f; }")
    assert edges_of(cfg) == {"Start->0", "0->0", "0->Exit"}


def test_a_test_whose_ways_both_jump_has_no_join() -> None:
    cfg = flow("while (x) { if (x) { continue; } else { break; } }")
    assert [v.kind for v in cfg.vertices] == ["start", "while", "if", "exit"]


def test_a_branch_to_one_place_decides_nothing() -> None:
    cfg = flow("if (x) { } f;")
    assert set(control_dependence(cfg)[cfg.vertices[3]]) == set()


def test_edges_say_when_they_are_taken() -> None:
    cfg = flow("while (x) { if (x) { f; } }")
    assert {(repr(e), e.label) for e in cfg.edges if e.label} == {
        ("0->1", "body"), ("0->Exit", "done"), ("1->2", "true"), ("1->3", "false")
    }  # fmt: skip


def test_an_orchestration_statement_has_no_vertex() -> None:
    with pytest.raises(AssertionError, match="a Pipe in a kernel"):
        flow_of("k", (A.Pipe(True, None, ()),))


# Against definitions


def as_nx(cfg: Cfg) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(cfg.vertices)
    graph.add_edges_from((e.source, e.target) for e in cfg.edges)
    return graph


def split(cfg: Cfg) -> nx.DiGraph:
    """The graph with every edge a vertex of its own."""
    graph = nx.DiGraph()
    for e in cfg.edges:
        graph.add_edge(e.source, e)
        graph.add_edge(e, e.target)
    return graph


def avoids(graph: nx.DiGraph, start: object, end: object, point: object) -> bool:
    """Is there a path from `start` to `end` without `point`?"""
    if point in (start, end):
        return False
    return nx.has_path(graph.subgraph(set(graph) - {point}), start, end)


@given(bodies())
@settings(max_examples=80, deadline=None)
def test_every_vertex_is_reached_and_reaches_the_exit(body: tuple[A.Stmt, ...]) -> None:
    cfg = flow_of("k", body)
    graph = as_nx(cfg)
    assert nx.descendants(graph, cfg.start) | {cfg.start} == set(cfg.vertices)
    assert nx.ancestors(graph, cfg.exit) | {cfg.exit} == set(cfg.vertices)


def without_root(parents: dict[Vertex, Vertex], root: Vertex) -> dict[Vertex, Vertex]:
    return {v: p for v, p in parents.items() if v is not root}


@given(bodies())
@settings(max_examples=80, deadline=None)
def test_immediate_dominators_are_those_of_networkx(body: tuple[A.Stmt, ...]) -> None:
    cfg = flow_of("k", body)
    assert dominators(cfg).parent == without_root(nx.immediate_dominators(as_nx(cfg), cfg.start), cfg.start)


@given(bodies())
@settings(max_examples=80, deadline=None)
def test_immediate_post_dominators_are_those_of_networkx(body: tuple[A.Stmt, ...]) -> None:
    cfg = flow_of("k", body)
    expected = nx.immediate_dominators(as_nx(cfg).reverse(), cfg.exit)
    assert post_dominators(cfg).parent == without_root(expected, cfg.exit)


@given(bodies(2))
@settings(max_examples=40, deadline=None)
def test_a_post_dominator_is_on_every_path_to_the_exit(body: tuple[A.Stmt, ...]) -> None:
    cfg = flow_of("k", body)
    graph, tree = as_nx(cfg), post_dominators(cfg)
    for v in cfg.vertices:
        assert {d for d in cfg.vertices if not avoids(graph, v, cfg.exit, d)} == set(tree.of(v))


@given(bodies(2))
@settings(max_examples=40, deadline=None)
def test_a_dependence_is_an_edge_after_which_a_point_is_sure_and_a_branch_before_which_it_is_not(
    body: tuple[A.Stmt, ...],
) -> None:
    cfg = flow_of("k", body)
    graph, direct = split(cfg), control_dependence(cfg)
    for point in graph:
        expected = {
            e
            for e in cfg.edges
            if not avoids(graph, e, cfg.exit, point)
            and (point is e.source or avoids(graph, e.source, cfg.exit, point))
        }
        assert set(direct[point]) == expected, point
