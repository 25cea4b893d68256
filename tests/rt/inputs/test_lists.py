"""Lists of nodes and arrays of numbers as a Program's parameters: given by name, by id and from files, or refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from support.places import ROOT

import irgl
from irgl import builder as b
from irgl import driver
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import equal
from irgl.cli.main import exit_code
from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.rt.call.call import Call
from irgl.rt.compile import nvcc

REACH = """graph G { node int level = INF; }
long many = 0;
Kernel begin(G g, unique list<node> sources) { ForAll (n In sources.items) { n.level = 0; WL.push(n); } }
Kernel visit(G g) {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) { if ((e.dst.level min= n.level + 1).changed) { WL.push(e.dst); } }
  }
}
Program reach(G g, unique list<node> sources) {
  many = sources.size;
  Pipe Once { Invoke begin(g, sources); Pipe { Invoke visit(g); } }
}
"""
SUMS = """import "array.irgl";
graph G { node double got = 0; }
double total = 0;
long sizes = 0;
Kernel read(G g, list<node> some, array<double> xs, array<int> at) {
  ForAll (i In some) { node n = some.pop(i); total += xs[n.id]; }
  ForAll (n In g.nodes) { if (n.id < at.size) { n.got = xs[at[n.id]]; } }
}
Program sums(G g, list<node> some, array<double> xs, array<int> at, int scale = 1000) {
  sizes = some.size * scale + xs.size;
  Invoke read(g, some, xs, at);
}
"""
PATH = [0, 1, 2, 1, 0]  # levels from both ends of a path of five nodes


def letters() -> Any:
    return nx.relabel_nodes(nx.path_graph(5), dict(enumerate("edcba")))


@pytest.mark.parametrize(("target", "plan"), [
    ("ref", "default"), ("cpu", "default"), ("cpu", "order=degree frontier=bitmap"), ("cpu", "order=rcm"),
    ("simt", "default"), ("simt", "order=degree"),
])  # fmt: skip
def test_a_list_holds_its_nodes_on_every_target_and_in_every_order(target: str, plan: str) -> None:
    reach = irgl.compile("reach.irgl", text=REACH, target=target, plan=plan)
    found = reach(letters(), sources=["e", "a"], repeat=2)
    assert found.named("level") == dict(zip("edcba", PATH, strict=True))
    assert found.many == 2
    assert reach(letters(), sources=[]).many == 0


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_arrays_and_repeated_nodes_come_in_the_callers_order(target: str) -> None:
    sums = irgl.compile("sums.irgl", text=SUMS, target=target)
    found = sums(nx.path_graph(5), some=[4, 4, 0], xs=np.arange(5) / 2, at=[4, 3, 0])
    assert (found.total, found.sizes) == (4.0, 3005)
    assert found.got.tolist() == [2.0, 1.5, 0, 0, 0]


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_sets_of_nodes_hold_each_once(target: str) -> None:
    text = """graph G { node int in = 0; } long many = 0;
    Kernel mark(G g, set<node> a, bitmap<node> b, bytemap<node> c) {
      ForAll (n In a.items) { n.in += 1; }
      SyncRunningThreads;
      ForAll (n In b.items) { n.in += 10; }
      SyncRunningThreads;
      ForAll (n In c.items) { n.in += 100; }
    }
    Program p(G g, set<node> a, bitmap<node> b, bytemap<node> c) { many = a.size + b.size + c.size;
                                                                   Invoke mark(g, a, b, c); }"""
    p = irgl.compile("p.irgl", text=text, target=target)
    found = p(nx.path_graph(4), a=[3, 0, 3], b=[1, 1, 1], c=[0, 1, 2, 1])
    assert found["in"].tolist() == [101, 110, 100, 1]
    assert found.many == 6


@pytest.mark.parametrize("sources", [[0, 4], (4, 0), {0, 4}, range(0, 5, 4), np.array([0, 4], np.uint8), "0, 4",
                                     np.array([0.0, 4.0])], ids=repr)  # fmt: skip
def test_without_names_nodes_go_by_their_numbers(sources: Any) -> None:
    graph = sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(5)))
    assert irgl.compile("reach.irgl", text=REACH)(graph, sources=sources).level.tolist() == PATH


def test_an_array_of_the_right_type_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Call] = []
    original = Call.set_knobs
    monkeypatch.setattr(Call, "set_knobs", lambda self, *of: (seen.append(self), original(self, *of))[1])
    xs, at = np.arange(5.0), np.zeros(1, np.int32)
    irgl.compile("sums.irgl", text=SUMS)(nx.path_graph(5), some=[], xs=xs, at=at)
    assert [seen[0].params[k].ctypes.data for k in (1, 2)] == [xs.ctypes.data, at.ctypes.data]


def test_the_nodes_of_a_list_are_of_the_graph_that_it_names() -> None:
    text = """graph G { node int a = 0; } graph H { node int b = 0; }
    Kernel mark(H h, unique list<node> some) { ForAll (n In some.items) { n.b = 1; } }
    Program two(G g, H h, unique list<node<h>> some) { Invoke mark(h, some); }"""
    other = nx.relabel_nodes(nx.path_graph(3), dict(enumerate("xyz")))
    for target, plan in (("ref", "default"), ("cpu", "order=degree")):
        two = irgl.compile("two.irgl", text=text, target=target, plan=plan)
        assert two(letters(), h=other, some=["z"]).named("h.b") == {"x": 0, "y": 0, "z": 1}
        with pytest.raises(irgl.IrglError, match="`some` holds nodes that the graph lacks: 'a'"):
            two(letters(), h=other, some=["a"])


@pytest.mark.parametrize(("text", "given", "told"), [
    (REACH, {}, "needs a value for `sources` (unique list<node>)"),
    (REACH, {"sources": list("avwxy")}, "`sources` holds nodes that the graph lacks: 'v', 'w', 'x' and 1 more"),
    (REACH, {"sources": "a"}, "`sources` is given 'a': it takes nodes\n  hint: give sources=[...]"),
    (REACH, {"sources": 3}, "`sources` is given 3: it takes nodes"),
    (REACH, {"sources": [["a"]]}, "the graph lacks: ['a']"),
    (REACH, {"sources": ["a", "b", "a"]}, "`sources` is declared unique, and holds more than once: 'a'"),
    (SUMS, {"some": [], "at": [], "xs": [1, "x"]}, "`xs` takes double values, and the values given are <U21"),
    (SUMS, {"some": [], "at": [], "xs": [[1.0, 2.0]]}, "`xs` has the shape (1, 2): it takes double values"),
    (SUMS, {"some": [], "at": [], "xs": [[1.0], 2]}, "`xs` is a list of lists: it takes double values"),
    (SUMS, {"some": [], "xs": [], "at": [1.0, np.nan]}, "`at` takes int values: value 1 is nan, which is no int"),
    (SUMS, {"some": [], "xs": [], "at": [2**31]}, "value 0 is 2147483648, which fits no int"),
    (SUMS, {"some": [], "xs": []}, "needs a value for `at` (array<int>)"),
])  # fmt: skip
def test_what_is_no_list_of_the_type_is_refused_by_name(text: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(irgl.IrglError) as error:
        irgl.compile("refused.irgl", text=text)(letters(), **given)
    assert told in str(error.value)


@pytest.mark.parametrize(("given", "told"), [
    ([0, 7, 9], "`sources` holds nodes that the graph lacks: 7, 9\n  hint: the graph: its 5 nodes are 0..4"),
    ([-1], "the graph lacks: -1"),
    ([0, 1.5], "`sources` takes nodes, and is given [1.5]"),
    ([0, np.nan], "`sources` takes nodes, and is given [nan]"),
    (np.arange(5) > 2, "takes nodes, and is given bool values\n  hint: of a mask: np.flatnonzero(mask)"),
    ([None], "takes nodes, and is given object values"),
])  # fmt: skip
def test_numbers_that_are_no_nodes_are_refused(given: Any, told: str) -> None:
    with pytest.raises(irgl.IrglError) as error:
        irgl.compile("refused.irgl", text=REACH)(sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(5))),
                                                 sources=given)
    assert told in str(error.value)


@pytest.mark.parametrize(("body", "column", "told"), [
    ("some.push(g.node(0));", 3, "'some' is what the caller gives"),
    ("some.clear();", 3, "'some' is what the caller gives"),
    ("list<node> a; a.swap(some);", 17, "list<node> mine; mine.update(some);"),
    ("list<node> a; a.unstack(some);", 17, "'some' is what the caller gives"),
    ("Invoke fill(g, some, xs);", 3, "'fill' changes 'some', which the caller gives"),
    ("Invoke store(g, xs);", 3, "'store' changes 'xs', which the caller gives"),
    ("xs[0] += 1;", 3, "array<int> mine; mine.resize(xs.size);"),
    ("xs.resize(2);", 3, "'xs' is what the caller gives"),
])  # fmt: skip
def test_what_would_change_a_given_list_is_refused_at_its_place(body: str, column: int, told: str) -> None:
    text = f"""import "array.irgl"; graph G {{ node int p = 0; }}
Kernel fill(G g, list<node> some, array<int> xs) {{ ForAll (n In g.nodes) {{ some.push(n); }} }}
Kernel store(G g, array<int> xs) {{ ForAll (n In g.nodes) {{ xs[n.id] = 1; }} }}
Program p(G g, list<node> some, array<int> xs) {{
  {body}
}}
"""
    with pytest.raises(irgl.IrglError) as error:
        irgl.compile("p.irgl", text=text)
    assert told in str(error.value)
    span = error.value.span
    assert span is not None
    assert (span.line, span.column) == (5, column)


@pytest.mark.parametrize(("old", "new", "told"), [
    ("unique list<node> sources", "count<node> sources", "can't be a count<node>"),
    ("unique list<node> sources", "list<long> sources", "give numbers as array<double>"),
    ("G g, unique list<node> sources", "G g, unique list<node> sources = first", "a unique list<node> has no default"),
])  # fmt: skip
def test_lists_that_nobody_can_give_are_refused(old: str, new: str, told: str) -> None:
    head, program = REACH.split("Program")
    with pytest.raises(irgl.IrglError, match=told):
        irgl.compile("reach.irgl", text=f"{head}Program{program.replace(old, new)}")


def test_all_notations_say_the_same() -> None:
    program = front(source_of("a.irgl", REACH)).program
    assert equal(program, front(source_of("b.irgl", dump(program))).program)
    assert equal(program, front(source_of("b.py", dump_python(program))).program)
    assert dump(b.param("sources", b.worklist("list", b.NODE, unique=True))) == "unique list<node> sources"


def shell(tmp_path: Path, *words: str, text: str = REACH) -> int:
    (tmp_path / "p.irgl").write_text(text)
    (tmp_path / "g.txt").write_text("10 20\n20 30\n30 40\n40 50\n")
    return exit_code([words[0], str(tmp_path / "p.irgl"), *words[1:]])


@pytest.mark.parametrize("kind", ["words", "txt", "csv", "npy", "npz"])
def test_the_shell_takes_ids_and_files_of_them(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"some.{kind}"
    match kind:
        case "npy":
            np.save(file, np.array([50, 10]))
        case "npz":
            np.savez(file, sources=np.array([50, 10]), other=np.array([1]))
        case "txt":
            file.write_text("10  # where it begins\n50\n")
        case "csv":
            file.write_text("id\n10,50\n")
    out = tmp_path / "out.npz"
    given = "10,50" if kind == "words" else str(file)
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt"), "--undirected", "--sources", given, "--out",
                 str(out), "--verify") == 0  # fmt: skip
    assert np.load(out)["level"].tolist() == PATH


def test_a_verifier_is_shown_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "verifiers").mkdir()
    (tmp_path / "verifiers" / "r.py").write_text("def verify(graph, claim, tolerance):\n    return str(claim['s'])\n")
    text = REACH.replace("sources) {\n", "sources) verify r(s = sources) {\n")
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt"), "--sources", "20,10", "--verify", text=text) == 1
    assert "wrong answer: [1 0]" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "told"), [
    (["--sources", "10,60,70"], "`sources` holds nodes that the graph lacks: 60, 70"),
    (["--sources", "10,10"], "`sources` is declared unique, and holds more than once: 10"),
    (["--sources", "10.5"], "`sources` is given `10.5`: it takes nodes"),
    (["--sources", "nowhere.txt"], "nowhere.txt: error: `sources` can't be read: No such file"),
    (["--sources", "BAD"], "BAD:2: error: `x`: numbers alone can stand here"),
    ([], "Missing option '--sources'"),
    (["--sources", "10", "--sources", "20"], "--sources is given 2 times"),
])  # fmt: skip
def test_the_shell_refuses_bad_lists(tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str], told: str,
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("BAD").write_text("10\nx\n")
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt"), *words) == 2
    assert told in capfd.readouterr().err


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_nvcc_takes_given_lists_without_a_warning(tmp_path: Path) -> None:
    unit = driver.compile("p.irgl", target="cuda", text=SUMS)
    (tmp_path / "p.cu").write_text(unit.text + '\n#include "cuda_rt/process.cuh"\n')
    done = subprocess.run(["nvcc", *nvcc.FLAGS, f"-I{ROOT}", "-Xcompiler", "-Wall", "-arch=sm_90", "-ptx", "p.cu"],
                          capture_output=True, text=True, check=False, cwd=tmp_path)  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_python_takes_files_too(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("4 0")
    graph = sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(5)))
    reach = irgl.compile("reach.irgl", text=REACH)
    assert reach(graph, sources=tmp_path / "some.txt").level.tolist() == PATH
    assert reach(graph, sources=str(tmp_path / "some.txt")).level.tolist() == PATH


USES = """import "array.irgl";
graph G { node int level = INF; node int hits = 0; node bool in = false; }
long ids = 0;
long sizes = 0;
double sum = 0;
long size_of(list<node> l) { return l.size; }
double doubled(array<double> xs, long i) { return xs[i] * 2; }
Kernel hit(G g, list<node> a, list<node> b) {
  ForAll (n In a.items) { n.hits += 1; }
  SyncRunningThreads;
  ForAll (n In b.items) { n.hits += 10; }
}
Kernel flag(G g, bitmap<node> s) { ForAll (n In g.nodes) { n.in = s.contains(n); } }
Kernel begin(G g, list<node> a) { ForAll (n In a.items) { n.level min= 0; n.hits += 100; } }
Kernel visit(G g) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.level min= n.level + 1) { WL.push(e.dst); } } }
}
Kernel add(G g, array<double> xs, list<node> mine) {
  ForAll (x In xs.items) { sum += x; }
  SyncRunningThreads;
  ForAll (i In range(xs.size)) { sum += xs[i] * doubled(xs, 1); }
  SyncRunningThreads;
  ForAll (n In mine.items) { ids += n.id; }
}
Program uses(G g, list<node> a, list<node> b, bitmap<node> s, array<double> xs) {
  Invoke hit(g, a, b);
  Invoke flag(g, s);
  Invoke begin(g, a);
  For (n In a.items) { ids += 100 * n.id; }
  list<node> mine;
  list<node> kept;
  mine.update(a);
  mine.push(g.node(3));
  kept.stack(a);
  kept.stack(mine);
  kept.unstack(mine);
  sizes = mine.size + 100 * s.size + 1000 * size_of(a) + (long)doubled(xs, 2);
  Iterate visit(g) Initial (a.items) { Invoke begin(g, b); }
  Invoke add(g, xs, mine);
}
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_whatever_reads_a_list_may_read_a_given_one(target: str) -> None:
    uses = irgl.compile("uses.irgl", text=USES, target=target)
    found = uses(nx.path_graph(9), a=[7, 2, 7, 4], b=[1, 1], s=[1, 2, 1], xs=[0.5, 2, 3], worklist_capacity=1)
    assert found.level.tolist() == [1, 0, 0, 1, 0, 1, 1, 0, 1]
    assert found.hits.tolist() == [0, 620, 101, 0, 101, 0, 0, 202, 0]
    assert found["in"].tolist() == [False, True, True, *[False] * 6]
    assert (found.ids, found.sizes, found.sum) == (2023, 4211, 5.5 + 22.0)
