"""What Sets, Collections, RMUL and sections of a .fal file mean, on every target."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from support.falcon_pieces import Pieces
from support.places import SharedGraph

import irgl
from irgl.driver import front
from irgl.source import Source

TARGETS = ["ref", "cpu", "simt"]
HEAD = """int total = 0;
long product = 1;
double part = 1.0;
bool late = false;
"""
MAIN = """main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(dist, int);
    graph.addPointProperty(best, int);
    graph.addPointProperty(share, double);
    graph.addPointProperty(up, Point);
    graph.addEdgeProperty(cut, bool);
    graph.read(argv[1]);
"""
PIECES = Pieces(HEAD, MAIN)
program, kernel, found = PIECES.program, PIECES.kernel, PIECES.found


def star(leaves: int) -> Any:
    """Edges from each leaf to one of the first three nodes."""
    ends = np.arange(3, leaves + 3), np.arange(leaves) % 3
    return sparse.csr_array((np.ones(leaves, int), ends), shape=(leaves + 3,) * 2)


@pytest.mark.parametrize(("body", "word"), [
    ("sets.unite(p, t);", "ForAll"), ("ADD(t.best, sets.same(p, t));", "ForAll"),
    ("if (sets.unite(p, t)) ADD(total, 1);", "For"), ("if (!sets.same(p, t)) sets.unite(p, t);", "For"),
    ("main.add(t);", "ForAll"), ("near.add(t);", "For"), ("Collection (graph) its; its.add(t);", "ForAll"),
    ("RMUL(t.best, 2);", "ForAll"), ("RMUL(p.best, t.dist);", "For"), ("RADD(p.best, t.dist);", "ForAll"),
    ("MAX(p.best, t.dist); ADD(p.best, 1);", "For"),
    ("Collection (graph) its; its.add(t); single (its) t.best = t.best + 1;", "For"),
])
def test_an_inner_foreach_keeps_its_order_where_that_is_seen(body: str, word: str) -> None:
    body = body.replace("main.", "most.")
    text = kernel("Set (graph) sets; Collection (graph) most; foreach (p In graph.points) { Collection (graph) near; "
                  f"foreach (t In p.outnbrs) {{ {body} }} if (near.size > 0) ADD(total, 1); }}")
    assert f"AppendOnlyList<node> near; {word} (e In p.edges)" in text


@pytest.mark.parametrize("target", TARGETS)
def test_a_set_tells_which_points_are_joined(target: str) -> None:
    rows = sparse.csr_array((np.ones(4, int), ([4, 3, 6, 1], [2, 4, 5, 1])), shape=(8, 8))
    body = """Set (graph) sets;
        foreach (e In graph.edges) (sets.unite(e.src, e.dst)) ADD(total, 1);
        foreach (p In sets) { p.up = sets.find(p); p.dist = sets.same(p, graph.points[3]); }
        if (sets.Union(graph.points[0], graph.points[7])) product = 2;
        if (sets.union(graph.points[7], graph.points[0])) product = 3;
        sets.find(graph.points[7]).best = 5;"""
    answer = found(body, rows=rows, target=target)
    assert answer["up"].tolist() == [0, 1, 2, 2, 2, 5, 5, 7]
    assert answer["dist"].tolist() == [0, 0, 1, 1, 1, 0, 0, 0]
    assert (answer["total"], answer["product"], answer["best"].tolist()) == (3, 2, [5, 0, 0, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("target", TARGETS)
def test_a_function_that_is_called_as_a_statement_unites(target: str) -> None:
    functions = "int joined(Set sets, Point a, Point b) { return sets.unite(a, b) ? 3 : 4; }\n"
    body = """Set (graph) sets; joined(sets, graph.points[0], graph.points[2]);
        foreach (p In graph.points) { joined(sets, graph.points[0], graph.points[1]); }
        foreach (p In graph.points) p.up = sets.find(p);"""
    assert found(body, functions, target=target)["up"].tolist() == [0, 0, 0]


@pytest.mark.parametrize("target", TARGETS)
def test_a_collection_keeps_what_is_added_as_often_as_it_is(target: str) -> None:
    functions = """void gather(Point p, Collection into) { foreach (t In p.outnbrs) into.add(t); }
        void visit(Collection of) { foreach (p In of) ADD(p.dist, 1); total = of.size; of.clear(); }
    """
    body = """Collection (graph) all, twice;
        foreach (p In graph.points) gather(p, all);
        foreach (p In all) { twice.add(p); twice.add(p); }
        visit(twice);
        for (int i = 0; i < 2; i++) { Collection (graph) here; here.add(graph.points[i]); ADD(product, here.size); }
        foreach (p In graph.points) foreach (q In all) ADD(q.best, 1);
        if (all.size + twice.size == 3) late = true;"""
    answer = found(body, functions, target=target)
    assert (answer["dist"].tolist(), answer["best"].tolist()) == ([0, 4, 2], [0, 6, 3])
    assert (answer["total"], answer["product"], answer["late"]) == (6, 3, True)


@pytest.mark.parametrize("target", TARGETS)
def test_an_iteration_s_own_collection_is_in_the_order_in_which_it_was_filled(target: str) -> None:
    body = """for (int i = 0; i < graph.npoints; i++) graph.points[i].best = i + 1;
        foreach (p In graph.points) {
            Collection (graph) near;
            near.add(p);
            foreach (t In p.outnbrs) near.add(t);
            near.add(p);
            int shown = 0;
            foreach (q In near) shown = 10 * shown + q.best;
            p.dist = 10 * shown + near.size;
        }"""
    assert found(body, target=target)["dist"].tolist() == [12314, 222, 3233]


BOTH = """foreach (e In graph.edges) {
    Collection (graph) both;
    both.add(e.src);
    Point far = e.dst;
    both.add(far);
    single (both) {
        foreach (q In both) q.dist = q.dist + 1;
        e.src.best = e.dst.dist - e.src.best;
        e.dst.best = e.src.dist - e.dst.best;
    } else ADD(total, 1);
}"""


def test_single_over_a_collection_takes_all_of_its_points() -> None:
    assert kernel(BOTH) == (
        "ForAll (e In g.edges) { AppendOnlyList<node> both; both.append(e.src); node far = e.dst; both.append(far); "
        "Exclusive (g, [both]) { For (q In both.items) { q.dist = q.dist + 1; } "
        "e.src.best = e.dst.dist - e.src.best; e.dst.best = e.src.dist - e.dst.best; } Else { total += 1; } }")


@pytest.mark.parametrize("target", TARGETS)
def test_the_body_of_single_runs_whole_where_all_points_were_got_and_else_not_at_all(target: str) -> None:
    answer = found(BOTH, rows=star(90), target=target)
    middles, leaves = answer["dist"][:3], answer["dist"][3:]
    assert middles.sum() == leaves.sum() and leaves.max() == 1 and middles.min() > 0
    assert int(leaves.sum()) + answer["total"] == 90


@pytest.mark.parametrize("text", [
    "foreach (e In graph.edges) { Point q = e.dst; single (q) { e.dst.dist = e.dst.dist + 1; } else ADD(total, 1); }",
    "foreach (e In graph.edges) { Point q = e.dst; Point r = q; single (r) q.dist = r.dist + 1; else ADD(total, 1); }",
    "foreach (e In graph.edges) { Edge f = e; single (f.dst) e.dst.dist = f.dst.dist + 1; else ADD(total, 1); }",
])
def test_single_holds_a_point_by_any_name_that_it_has(text: str) -> None:
    answer = found(text, rows=star(60), target="cpu")
    assert int(answer["dist"].sum()) + answer["total"] == 60


@pytest.mark.parametrize("target", TARGETS)
def test_rmul_and_radd_take_effect_each(target: str) -> None:
    body = """foreach (p In graph.points) { p.best = 1; p.share = 1.0; RMUL(p.best, 3); }
        foreach (e In graph.edges) { RMUL(e.dst.best, 2); RMUL(e.src.share, 1.5); RMUL(e.dst.share, 0.25f); }
        foreach (p In graph.points) { int own = 2; RMUL(own, 5); RADD(total, own); RMUL(product, 3); RMUL(part, 0.5); }
        RMUL(total, 2);
        RADD(total, 1);"""
    answer = found(body, rows=star(30), target=target)
    assert answer["best"].tolist() == [3 * 2**10] * 3 + [3] * 30
    assert answer["share"].tolist() == [0.25**10] * 3 + [1.5] * 30
    assert (answer["total"], answer["product"], answer["part"]) == (661, 3**33 % 2**64, 0.5**33)


def test_a_product_beside_others_of_the_same_place_loses_none() -> None:
    begin = "foreach (p In graph.points) p.best = 1;"
    body = begin + """foreach (p In graph.points) { RMUL(p.best, 2); foreach (t In p.outnbrs) RMUL(t.best, 3); }
        foreach (p In graph.points) { RMUL(p.best, 5); foreach (t In p.outnbrs) MAX(total, t.best); }"""
    assert found(body, target="cpu")["best"].tolist() == [10, 90, 30]
    under = begin + """foreach (e In graph.edges) {
        single (e.dst) { RMUL(e.dst.best, 2); } else RMUL(e.dst.best, 2); RMUL(e.src.best, 3); }"""
    assert found(under, target="cpu")["best"].tolist() == [9, 4, 6]


@pytest.mark.parametrize("file", ["rome99.gr.gz", "USA-road-d.NY.gr.gz"])
def test_a_product_of_shares_over_real_roads_is_numpy_s(file: str, shared_graph: SharedGraph) -> None:
    body = """foreach (p In graph.points) { p.share = 1.0; p.dist = 0; }
        foreach (e In graph.edges) { RADD(e.src.dist, 1); }
        foreach (e In graph.edges) RMUL(e.dst.share, 1.0 - 1.0 / (e.src.dist + 1));
        foreach (p In graph.points) RADD(total, p.dist);"""
    path = shared_graph(f"road/{file}")
    answer = found(body, rows=str(path), target="cpu")
    with gzip.open(path, "rt") as lines:
        tails, heads = np.array([line.split()[1:3] for line in lines if line.startswith("a ")], int).T - 1
    spared = np.ones(len(answer["share"]))
    np.multiply.at(spared, heads, 1 - 1 / (np.bincount(tails, minlength=spared.size)[tails] + 1))
    assert answer["total"] == tails.size
    np.testing.assert_allclose(answer["share"], spared, rtol=1e-12)


@pytest.mark.parametrize("target", TARGETS)
def test_sections_that_are_independent_run_each(target: str) -> None:
    body = """int start = 3;
        Set (graph) sets;
        parallel sections {
            section { foreach (p In graph.points) p.dist = start; int mine = 2; while (true) { mine++; break; } }
            section { foreach (e In graph.edges) if (!sets.same(e.src, e.dst)) MAX(e.dst.best, start); }
            section { int mine = start; foreach (p In graph.points) if (sets.find(p) == p) ADD(total, mine); }
        }
        Parallel Sections { section { product = 7; } }
        parallel sections { }"""
    answer = found(body, target=target)
    assert (answer["dist"].tolist(), answer["best"].tolist()) == ([3, 3, 3], [0, 3, 3])
    assert (answer["total"], answer["product"]) == (9, 7)


@pytest.mark.parametrize("value", ["-1.25", "+1.25", "1.25", "-MAX_INT"])
def test_a_float_begins_with_a_number_of_either_sign(value: str) -> None:
    answer = found(f"float low = {value}; part = low;")
    assert answer["part"] == np.float32(value.replace("MAX_INT", "1234567890"))


def test_words_of_irgl_s_libraries_are_the_program_s_to_use() -> None:
    text = """int union_find = 2;
        main(int argc, char *argv[]) { Graph g; g.addPointProperty(items, int); g.read(argv[1]);
        Set (g) AppendOnlyList; Collection (g) push;
        foreach (size In g.points) { AppendOnlyList.unite(size, g.points[0]); push.add(size); size.items = 1; }
        foreach (find In push) { Collection (g) append; append.add(find); ADD(find.items, append.size); }
        union_find = push.size; }"""
    answer = irgl.compile(front(Source("x.fal", text)).program, target="ref")(sparse.eye_array(2, format="csr"))
    assert (answer["union_find"] if "union_find" in answer.scalars else answer["union_find_2"]) == 2
    assert answer["items"].tolist() == [2, 2]
