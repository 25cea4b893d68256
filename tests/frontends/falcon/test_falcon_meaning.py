"""What statements of a .fal file become: which stores are racy, which loops keep their order, what calls stand for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from support.falcon_pieces import Pieces

import irgl
from irgl.ast import gen
from irgl.ast.dump import dump
from irgl.cli.main import exit_code
from irgl.driver import front
from irgl.frontends.falcon import tree
from irgl.source import Source

HEAD = """int total = 0;
int lev = 3;
bool seen = false;
"""
MAIN = """main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(dist, int);
    graph.addPointProperty(best, int);
    graph.addPointProperty(up, Point);
    graph.addPointProperty(less, bool);
    graph.read(argv[1]);
"""
PIECES = Pieces(HEAD, MAIN)
program, kernel, found = PIECES.program, PIECES.kernel, PIECES.found


def test_a_store_to_the_iteration_s_own_point_stays() -> None:
    assert kernel("foreach (p In graph.points) p.dist = p.best + 1;") == \
        "ForAll (p In g.nodes) { p.dist = p.best + 1; }"


@pytest.mark.parametrize(("value", "shown"), [("7", "7"), ("lev + 1", "lev + 1"), ("graph.npoints", "(int)g.num_nodes"),
                                              ("lev > 2 ? 1 : -MAX_INT", "lev > 2 ? 1 : -1234567890")])
def test_one_value_for_all_is_stored_racily(value: str, shown: str) -> None:
    assert kernel(f"foreach (e In graph.edges) e.dst.dist = {value};") == \
        f"ForAll (e In g.edges) {{ racy e.dst.dist = {shown}; }}"


def test_a_variable_that_holds_one_value_for_all_is_one_value() -> None:
    assert "racy e.dst.dist = next;" in kernel("foreach (e In graph.edges) { int next = lev + 1; e.dst.dist = next; }")


@pytest.mark.parametrize("loop", ["int next = lev; next = e.weight; e.dst.dist = next;",
                                  "lev = 4; e.dst.dist = lev;", "for (int k = 0; k < 3; k++) e.dst.dist = k;"])
def test_a_value_that_changes_is_not_one_for_all(loop: str) -> None:
    with pytest.raises(irgl.IrglError):
        program(f"foreach (e In graph.edges) {{ {loop} }}")


def test_a_conditional_store_by_hand_stays_what_it_is() -> None:
    assert kernel("foreach (p In graph.points) if (p.dist > lev) p.dist = lev;") == \
        "ForAll (p In g.nodes) { if (p.dist > lev) { p.dist = lev; } }"


def test_a_point_s_own_store_of_one_value_is_racy_where_neighbours_read_it() -> None:
    body = "foreach (p In graph.points) foreach (q In p.innbrs) if (q.dist == lev) p.dist = lev + 1;"
    assert kernel(body) == ("ForAll (p In g.nodes) { For (e In p.in_edges) { if (e.src.dist == lev) "
                            "{ racy p.dist = lev + 1; } } }")


@pytest.mark.parametrize(("body", "word"), [
    ("MIN(t.dist, p.dist);", "ForAll"), ("t.dist = 7;", "ForAll"),
    ("if (t.dist > 3) continue; ADD(total, 1);", "ForAll"),
    ("p.best = p.best + t.dist;", "For"), ("here = t.dist;", "For"), ("if (t.dist > 3) break;", "For"),
    ("if (p.best < 1) ADD(p.best, 1);", "For"), ("single (t) { t.dist = t.dist + 1; }", "For"),
    ("ADD(p.best, t.dist);", "ForAll"), ("MAX(here, t.dist);", "For"),
    ("int own = t.dist; own++; MAX(t.best, own);", "ForAll"),
    ("int less = 0; MIN(p.best, t.dist, less); ADD(total, less);", "For"), ("MIN(p.best, t.dist, seen);", "ForAll"),
    ("MIN(p.best, t.dist, t.less);", "For"), ("MIN(t.best, p.dist, t.less);", "ForAll"),
    ("if (same.best == 0) { same.best = 1; ADD(total, 1); }", "For"),
    ("ADD(same.best, 1); if (same.best > 2) ADD(total, 1);", "For"),
])
def test_an_inner_foreach_keeps_its_order_where_that_is_seen(body: str, word: str) -> None:
    loop = f"foreach (t In p.outnbrs) {{ {body} }}"
    text = kernel(f"foreach (p In graph.points) {{ Point same = p; int here = 0; {loop} }}")
    assert f"int here = 0; {word} (e In p.edges)" in text


def test_an_order_that_is_kept_is_that_of_the_edges() -> None:
    number = "for (int k = 0; k < graph.npoints; k++) graph.points[k].best = k;"
    loop = "foreach (t In p.outnbrs) here = 10 * here + t.best;"
    answer = found(f"{number} foreach (p In graph.points) {{ int here = 0; {loop} p.dist = here; }}")
    assert answer["dist"].tolist() == [12, 0, 1]


def test_single_keeps_no_edges_of_the_same_point_out() -> None:
    loop = "foreach (t In p.outnbrs) single (p) { p.dist = p.dist + 1; } else ADD(total, 1);"
    answer = found(f"foreach (p In graph.points) {loop}")
    assert (answer["dist"].tolist(), answer["total"]) == ([2, 0, 1], 0)


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_single_takes_one_at_a_time_and_the_others_go_on(target: str) -> None:
    body = "foreach (e In graph.edges) single (e.dst) { e.dst.dist = e.dst.dist + 1; } else ADD(total, 1);"
    assert "Atomic (e.dst.single) { e.dst.dist = e.dst.dist + 1; } Else { total += 1; }" in kernel(body)
    star = sparse.csr_array((np.ones(300, int), (np.arange(1, 301), np.arange(300) % 3)), shape=(301, 301))
    answer = found(body, rows=star, target=target)
    assert int(answer["dist"].sum()) + answer["total"] == 300
    assert answer["dist"][:3].min() > 0


def test_min_max_and_add_set_their_flags_only_where_they_change_something() -> None:
    answer = found("lev = 0; graph.points[1].dist = 9; foreach (e In graph.edges) MIN(e.dst.dist, 20, lev);\n"
                   "foreach (e In graph.edges) MAX(e.dst.best, e.weight, seen);\n"
                   "foreach (e In graph.edges) ADD(total, 2);")
    assert (answer["lev"], answer["seen"], answer["total"], answer["best"].tolist()) == (0, True, 6, [0, 5, 7])


@pytest.mark.parametrize(("body", "total"), [
    ("foreach (p In graph.points) foreach (t In p.outnbrs) ADD(total, graph.getweight(p, t));", 13),
    ("foreach (p In graph.points) foreach (t In p.outnbrs) ADD(total, cost(graph, p, t));", 13),
    ("Point p = graph.points[0]; foreach (t In p.outnbrs) ADD(total, graph.getweight(p, t));", 13),
    ("foreach (e In graph.edges) foreach (t In e.src.outnbrs) ADD(total, graph.getweight(e.src, t));", 26),
    ("foreach (e In graph.edges) { Point p; p = e.src; foreach (t In p.outnbrs) ADD(total, graph.getweight(p, t)); }",
     26),
    ("foreach (p In graph.points) { Point q = p; foreach (t In q.outnbrs) "
     "{ q = p; ADD(total, graph.getweight(q, t)); } }", 18),
])
def test_of_parallel_edges_getweight_in_a_loop_takes_each(body: str, total: int, tmp_path: Path) -> None:
    file = tmp_path / "g.gr"
    file.write_text("p sp 2 2\na 1 2 9\na 1 2 4\n")
    functions = "int cost(Graph of, Point from, Point to) { return of.getweight(from, to); }\n"
    text = f"{HEAD}{functions}{MAIN}{body}\n}}\n"
    assert irgl.compile(front(Source("x.fal", text)).program, target="ref")(str(file))["total"] == total


def test_elsewhere_getweight_looks_the_edge_up() -> None:
    body = "foreach (p In graph.points) if (p.best) ADD(total, graph.getweight(p, graph.points[1]));"
    assert "p.edge_to(g.node(1)).weight" in kernel(body)
    assert found(f"graph.points[2].best = 1; {body}")["total"] == 1


@pytest.mark.parametrize(("iterator", "total"), [("outnbrs", 3), ("innbrs", 3)])
def test_neighbours_come_once_for_each_edge(iterator: str, total: int) -> None:
    assert found(f"foreach (p In graph.points) foreach (t In p.{iterator}) ADD(total, 1);")["total"] == total


def test_neighbours_of_either_kind_want_an_undirected_graph() -> None:
    text = dump(program("foreach (p In graph.points) foreach (t In p.nbrs) ADD(total, 1);"))
    assert "Program x(undirected Graph g)" in text


@pytest.mark.parametrize("other", ["outnbrs", "innbrs"])
def test_neighbours_of_either_kind_stand_beside_no_others(other: str) -> None:
    loops = [f"foreach (p In graph.points) foreach (t In p.{word}) ADD(total, 1);" for word in ("nbrs", other)]
    for body in (loops, loops[::-1]):
        with pytest.raises(irgl.IrglError, match=f"'{other}' stands beside 'nbrs'"):
            program(" ".join(body))


def test_arguments_are_parameters_of_the_program_and_of_kernels() -> None:
    text = dump(program("foreach (p In graph.points) p.dist = atoi(argv[4]);"))
    assert "Kernel points_11(Graph g, int argv4)" in text
    assert "Program x(Graph g, int argv4)" in text


def test_a_function_s_parameter_is_its_own() -> None:
    functions = "void count(int k) { k++; k += 2; total = k; }\n"
    answer = found("int mine = 4; count(mine); lev = mine;", functions)
    assert (answer["total"], answer["lev"]) == (7, 4)


def test_a_global_that_the_function_changes_is_not_its_argument() -> None:
    assert found("twice(lev);", "void twice(int k) { lev = 0; total = k + k; }\n")["total"] == 6


def test_a_parameter_has_its_type() -> None:
    answer = found("cut(7.9); ", "void cut(int x) { total = x; ask(x); }\nvoid ask(bool y) { lev = y; }\n")
    assert (answer["total"], answer["lev"]) == (7, 1)


def test_a_for_may_begin_with_a_call() -> None:
    functions = "void start(int k, long far) { k++; total = k; lev = (int) far; }\n"
    answer = found("for (start(3, 8); total > 0; total--) ADD(graph.points[1].dist, lev);", functions)
    assert (answer["dist"].tolist(), answer["total"]) == ([0, 32, 0], 0)


def test_a_function_of_one_return_has_its_type() -> None:
    assert found("total = cut(7.9) + cut(1.9);", "int cut(int x) { return x; }\n")["total"] == 8


def test_names_of_irgl_s_are_the_program_s_to_use() -> None:
    text = "int WL = 1;\nmain(int argc, char *argv[]) { Graph g; g.addPointProperty(edges_, int); g.read(argv[1]); " \
           "int list = 2; foreach (lock In g.points) lock.edges_ = list; WL = 3; }\n"
    answer = irgl.compile(front(Source("x.fal", text)).program, target="ref")(sparse.eye_array(2, format="csr"))
    assert answer["edges_"].tolist() == [2, 2]


def test_properties_of_points_may_be_called_as_what_edges_have() -> None:
    added = ["g.addPointProperty(src, int);", "g.addPointProperty(weight, int);", "g.addPointProperty(edges, int);"]
    text = f"main(int argc, char *argv[]) {{ Graph g; {' '.join(added)} g.read(argv[1]);\n" \
           "foreach (e In g.edges) { e.dst.src = 3; e.dst.weight = 4; e.dst.edges = 5; } }\n"
    answer = irgl.compile(front(Source("x.fal", text)).program, target="ref")(sparse.eye_array(2, format="csr"))
    assert [answer[name].tolist() for name in ("src_2", "weight", "edges_2")] == [[3, 3], [4, 4], [5, 5]]


def test_the_largest_number_grows_by_an_edge_without_wrapping_around() -> None:
    assert found("total = MAX_INT + 912915757;")["total"] == 2**31 - 1


def test_tags_of_gpus_and_functions_that_nobody_calls_are_told(tmp_path: Path,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.fal"
    idle = "void idle() { idler(); }\nvoid idler() { }\n"
    file.write_text(f"<GPU> int extra = 0;\n{idle}{MAIN}    graph.points[0].dist = 1;\n}}\n")
    assert exit_code(["check", "--strict", str(file)]) == 0
    assert capsys.readouterr().out.replace(str(file), "x.fal").splitlines() == [
        "x.fal:1:1: note: irgl's --target says where a program runs: this tag means nothing",
        "x.fal:2:6: note: nobody calls 'idle', and so it is not checked",
        "x.fal:3:6: note: nobody calls 'idler', and so it is not checked",
    ]


def test_the_tree_is_made_from_its_asdl_file() -> None:
    assert gen.source(gen.TREES[0]) == Path(tree.__file__).read_text(encoding="utf-8")
