"""What becomes of a .gt file: how applied stores are meant, which sets are exchanged, and where labels lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.places import PROGRAMS

import irgl
from irgl.ast.dump import dump
from irgl.driver import front
from irgl.frontends.gt.load import load, read
from irgl.frontends.load import open_source
from irgl.source import Source

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex, int) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = -1;
const y : vector{Vertex}(int) = 0;
const sure : vector{Vertex}(bool) = false;
const level : int = 0;
func unseen(v : Vertex) -> output : bool
    output = x[v] == -1;
end
"""


def lowered(text: str) -> str:
    """The program as .irgl, without leading blanks, once it is checked."""
    source = Source("t.gt", HEAD + text)
    front(source)
    return "\n".join(line.strip() for line in dump(load(source)).splitlines())


def applied(body: str, chain: str = "edges") -> str:
    """The kernel of a function of an edge."""
    text = lowered(f"func f(src : Vertex, dst : Vertex, weight : int) {body} end func main() {chain}.apply(f); end")
    return text[text.index("Kernel f") : text.index("Program")]


STORES = [
    ("x[dst] = level;", "edges", "racy e.dst.x = level;"),
    ("x[dst] = y[dst];", "edges", "racy e.dst.x = e.dst.y;"),
    ("x[dst] = src;", "edges", "relaxed e.dst.x = (int)src.id;"),
    ("x[dst] = weight;", "edges", "relaxed e.dst.x = e.weight;"),
    ("x[dst] = src;", "edges.to(unseen)", "cas(e.dst.x, -1, (int)src.id);"),
    ("x[dst] = level;", "edges.to(unseen)", "racy e.dst.x = level;"),
    ("if not sure[dst] sure[dst] = y[src] > 0; end", "edges", "cas(e.dst.sure, false, src.y > 0);"),
    ("x[src] = x[src] + y[dst];", "edges", "For (e In src.edges) {\nsrc.x = src.x + e.dst.y;"),
    ("x[src] = x[dst];", "edges", "src.x = relaxed e.dst.x;"),
    ("x[src] = 3;", "edges", "racy src.x = 3;"),
    ("x[dst] += y[src];", "edges", "ForAll (e In dst.in_edges) {\ndst.x += e.src.y;"),
    ("x[dst] += y[src]; y[src] = 2;", "edges", "ForAll (e In src.edges) {\ne.dst.x += src.y;"),
    ("x[dst] += y[src];", "edges.srcFilter(unseen)", "ForAll (e In src.edges) {\ne.dst.x += src.y;"),
    ("x[y[dst]] min= weight;", "edges", "g.node(e.dst.y).x min= e.weight;"),
    ("x[dst] += 1;", "edges.transpose()", "ForAll (e In dst.edges) {\ndst.x += 1;"),
    ("x[dst] += intersectNeighbor(edges, src, dst);", "edges", "dst.x += common(e.src, dst);"),
    ("if src < dst x[dst] += 1; end", "edges", "if (e.src < dst) {"),
    ("var far : int = y[src] + weight; writeMin(x, dst, far);", "edges", "dst.x min= far;"),
]


@pytest.mark.parametrize(("body", "chain", "wanted"), STORES, ids=[f"{c}: {b}" for b, c, _ in STORES])
def test_a_store_is_meant_as(body: str, chain: str, wanted: str) -> None:
    assert wanted in applied(body, chain)


CHANGES = [
    ("x[dst] min= y[src];", "if (e.dst.x min= src.y) {\nchanged.push(e.dst);"),
    ("x[src] min= y[dst];", "if (src.x min= e.dst.y) {\nchanged.push(src);"),
    ("x[dst] = 3;", "if (e.dst.x != 3) {\nracy e.dst.x = 3;\nchanged.push(e.dst);"),
    ("var fresh : bool = writeMin(x, dst, 3); if fresh y[dst] += 1; end",
     "bool fresh = e.dst.x min= 3;\nif (fresh) {\nchanged.push(e.dst);"),
    ("x[y[dst]] min= 3;", "node vertex = g.node(e.dst.y);\nif (vertex.x min= 3) {\nchanged.push(vertex);"),
]


@pytest.mark.parametrize(("body", "wanted"), CHANGES, ids=[b for b, _ in CHANGES])
def test_vertices_that_were_changed_are_found(body: str, wanted: str) -> None:
    assert wanted in lowered(f"func f(src : Vertex, dst : Vertex) {body} end func main() "
                             "var changed : vertexset{Vertex} = edges.applyModified(f, x); end")


@pytest.mark.parametrize(("behind", "word"), [("", "swap"), ("print next.size();", "update"), ("delete next;", "swap")])
def test_sets_are_exchanged_where_the_other_is_not_asked_for_any_more(behind: str, word: str) -> None:
    text = lowered("func main() var now : vertexset{Vertex} = new vertexset{Vertex}(0); var k : int = 0;"
                   "while (k < 3) k += 1; var next : vertexset{Vertex} = vertices.filter(unseen);"
                   f"now = next; {behind} end print now.size(); end")
    assert f"now.{word}(next);" in text


@pytest.mark.parametrize(("value", "one_of_several"), [("src", True), ("1", False)])
def test_a_program_is_of_any_answer_where_any_store_may_stay(value: str, one_of_several: bool) -> None:
    text = lowered(f"func f(src : Vertex, dst : Vertex) x[dst] = {value}; end func main() edges.apply(f); end")
    assert ("any_valid" in text) == one_of_several


def test_conversions_that_lose_something_are_casts() -> None:
    assert "g.node(0).x = (int)0.5;" in lowered("func main() x[0] = 0.5; end")


def test_a_functor_is_given_numbers_as_parameters_of_its_kernel() -> None:
    text = lowered("func f[k : int, z : vector{Vertex}(int)](v : Vertex) z[v] = k; end"
                   " func main() var n : int = 3; vertices.apply(f[n, y]); end")
    assert "Kernel f(Graph g, int k) {\nForAll (v In g.nodes) {\nv.y = k;" in text
    assert "Invoke f(g, n);" in text


ROWS = "const width : int = 4; const row : vector{Vertex}(vector[width](float)) = 0.5; "
STORES_IN_ROWS = [
    ("row[dst][1] += row[src][0];", "ForAll (e In dst.in_edges) {\ndst.row[1] += e.src.row[0];"),
    ("for k in 0:width row[dst][k] min= weight; end", "dst.row[k] min= e.weight;"),
    ("row[src][0] = row[src][0] + weight;", "For (e In src.edges) {\nsrc.row[0] = src.row[0] + e.weight;"),
    ("row[dst][2] = level;", "racy e.dst.row[2] = level;"),
    ("row[dst][2] = weight;", "relaxed e.dst.row[2] = e.weight;"),
    ("if row[dst][0] == 0.5 row[dst][0] = weight; end", "cas(e.dst.row[0], 0.5, e.weight);"),
    ("row[x[dst]][y[src]] += 1.0;", "g.node(e.dst.x).row[src.y] += 1.0;"),
]


@pytest.mark.parametrize(("body", "wanted"), STORES_IN_ROWS, ids=[b for b, _ in STORES_IN_ROWS])
def test_a_store_to_one_of_several_values_is_meant_as(body: str, wanted: str) -> None:
    text = lowered(f"{ROWS}func f(src : Vertex, dst : Vertex, weight : int) {body} end func main() edges.apply(f); end")
    assert "node float row[4] = 0.5;" in text
    assert wanted in text


def test_several_values_of_each_vertex_begin_with_a_number_that_is_computed() -> None:
    text = lowered("const row : vector{Vertex}(vector[3](double)) = 1.0 / edges.getVertices(); func main() end")
    assert "ForAll (v In g.nodes) {\nFor (k In range(3)) {\nv.row[k] = value;" in text


def test_a_vector_of_a_number_of_values_is_an_array_that_kernels_are_given() -> None:
    text = lowered("const k : vector[3](int) = {4, 5, 6}; func f(v : Vertex) x[v] = k[v]; k[1] = 2; k[v] = v; end"
                   " func main() vertices.apply(f); print k.sum(); end")
    assert "Kernel f(Graph g, array<int> k) {" in text
    assert "v.x = relaxed k[(int)v.id];" in text
    assert "k.resize(3);\nk[0] = 4;\nk[1] = 5;\nk[2] = 6;" in text


def test_a_set_of_all_vertices_is_filled_by_a_kernel() -> None:
    text = lowered("func main() var all : vertexset{Vertex} = new vertexset{Vertex}(vertices.size()); end")
    assert "Invoke add_all(g, all);" in text


def labels(source: Source) -> dict[str, list[tuple[str, str]]]:
    """By their paths what labelled statements became: kinds and places."""
    found: dict[str, list[tuple[str, str]]] = {}
    for p in read(source).labels:
        found.setdefault(p.path, []).append((p.kind, p.place))
    return found


def test_labels_lead_to_the_loops_that_statements_become() -> None:
    found = labels(open_source(PROGRAMS / "gt" / "bfs.gt"))
    assert found == {
        "s0": [("while", "bfs.s0")], "s0:s1": [("apply", "adopt.s1")]}


def test_an_intersection_is_of_the_loop_around_it() -> None:
    found = labels(open_source(PROGRAMS / "gt" / "tc.gt"))
    assert found["s1:s2"] == [("intersection", "close.s1")]


@pytest.mark.parametrize(("limit", "wanted"), [
    (", dst", "int shared = common(src, e.dst, e.dst);"), ("", "int shared = common(src, e.dst);"),
    (", 3", "For (shared In common(src, e.dst)) {")])
def test_an_intersection_has_the_plan_s_choice_unless_its_limit_is_a_number(limit: str, wanted: str) -> None:
    assert wanted in applied("var mine : vertexset{Vertex} = edges.getNgh(src);"
                             " var others : vertexset{Vertex} = edges.getNgh(dst);"
                             f" var shared : int = intersection(mine, others, 1, 1{limit}); x[src] += shared;", "edges")


def test_the_loop_of_a_queue_keeps_its_label() -> None:
    found = labels(open_source(PROGRAMS / "gt" / "sssp_delta.gt"))
    assert found == {
        "s0": [("while", "sssp_delta.s0")], "s0:s1": [("apply", "relax.s1")]}


def test_a_label_that_is_a_word_of_irgls_gets_another_name() -> None:
    text = HEAD + ("func main() #switch# while level > 0 #case# vertices.filter(unseen).apply(g); end end "
                   "func g(v : Vertex) end")
    found = labels(Source("t.gt", text))
    assert [place for _, place in found["switch"]] == ["t.switch_2"]
    assert front(Source("t.irgl", dump(load(Source("t.gt", text)))))


def test_truths_are_printed_as_numbers() -> None:
    assert "print((int)g.node(0).sure);" in lowered("func main() print sure[0]; end")


def test_a_parameter_of_buckets_has_no_consts_name() -> None:
    text = lowered("const delta : int = 3; const q : priority_queue{Vertex}(int);"
                   "func f(src : Vertex, dst : Vertex, w : int) q.updatePriorityMin(dst, x[dst], x[src] + w); end "
                   "func main() q = new priority_queue{Vertex}(int)(false, false, x, 1, 2, false, 0);"
                   "while not q.finished() var b : vertexset{Vertex} = q.dequeue_ready_set();"
                   "edges.from(b).applyUpdatePriority(f); end end")
    assert "int delta_2 = auto(" in text


def test_the_schedule_is_kept_with_its_place() -> None:
    text = HEAD + 'func main() end\nschedule:\nprogram->configApplyDirection("s1", "DensePull");\n'
    schedule = read(Source("t.gt", text)).schedule
    assert schedule is not None
    assert text[schedule.start :] == schedule.text == '\nprogram->configApplyDirection("s1", "DensePull");\n'


def test_arguments_are_told_by_their_numbers() -> None:
    found = read(open_source(PROGRAMS / "gt" / "ppsp.gt"))
    assert (found.arguments, found.graph) == ({2: "argv2", 3: "argv3"}, 1)


def test_nodes_are_numbered_as_the_file_does(tmp_path: Path) -> None:
    file = tmp_path / "gaps.el"
    file.write_text("2 5\n")
    parent = irgl.compile(PROGRAMS / "gt" / "bfs.gt", target="ref")(str(file), argv2=2)["parent"]
    assert parent.tolist() == [-1, -1, 2, -1, -1, 2]
