"""Inputs: values for nodes and edges from Python and from files, on every target, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import irgl
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import equal
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load_text
from irgl.rt.call.call import Call

TEXT = """graph G {
  input node double score = 0;
  input node int count;
  input edge double cost = 1;
  input node double kept = 2;
  input node node chief = NONE;
  node double total = 0;
  node int own = 0;
}
Kernel sum(G g) {
  ForAll (n In g.nodes) {
    n.total = n.score + n.count;
    n.kept += 1;
    if (n.chief == n) { n.own = 1; }
    For (e In n.edges) { n.total += e.cost; }
  }
}
Program blend(G g) { Invoke sum(g); }
"""
SCORE = np.arange(5) / 2


def path() -> Any:
    graph = nx.path_graph(5)
    nx.set_edge_attributes(graph, {(u, v): u + v + 0.5 for u, v in graph.edges}, "toll")
    return graph


TOTAL = [0.0 + 0 + 1.5, 0.5 + 1 + 1.5 + 3.5, 1 + 2 + 3.5 + 5.5, 1.5 + 3 + 5.5 + 7.5, 2 + 4 + 7.5]


def refusal(**given: Any) -> str:
    with pytest.raises(irgl.IrglError) as error:
        irgl.compile("blend.irgl", text=TEXT)(path(), **given)
    return str(error.value)


@pytest.mark.parametrize(("target", "plan"), [("ref", "default"), ("cpu", "default"), ("cpu", "order=degree"),
                                              ("simt", "default"), ("simt", "order=degree")])
def test_every_target_and_order_takes_the_same_inputs(target: str, plan: str) -> None:
    blend = irgl.compile("blend.irgl", text=TEXT, target=target, plan=plan)
    kept = np.arange(5.0)
    found = blend(path(), score=SCORE, count={n: n for n in range(5)}, cost="toll", kept=kept, repeat=2,
                  chief=[0, 0, 2, -1, 1])  # fmt: skip
    assert found.total == pytest.approx(TOTAL)
    assert found.kept.tolist() == [1, 2, 3, 4, 5], "each repetition begins from the caller's values"
    assert found.own.tolist() == [1, 0, 1, 0, 0]
    assert kept.tolist() == [0, 1, 2, 3, 4]
    assert "score" not in list(found)


def test_without_values_the_initial_ones_hold() -> None:
    found = irgl.compile("blend.irgl", text=TEXT)(path(), count=[0] * 5)
    assert found.total.tolist() == [1, 2, 2, 2, 1]
    assert found.kept.tolist() == [3] * 5


def test_what_a_program_only_reads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    original = Call._input

    def noted(self: Call, array: Any, dtype: Any, least: int = 1) -> Any:
        found = original(self, array, dtype, least)
        seen.append(found.ctypes.data)
        return found

    monkeypatch.setattr(Call, "_input", noted)
    blend = irgl.compile("blend.irgl", text=TEXT)
    first = blend(path(), count=[0] * 5).total
    blend(path(), count=[0] * 5, score=first)
    assert first.ctypes.data in seen[5:]


@pytest.mark.parametrize("cost", [
    (np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4]), np.array([1.5, 3.5, 5.5, 7.5])),
    sp.coo_array(([1.5, 3.5, 5.5, 7.5], ([1, 2, 3, 4], [0, 1, 2, 3])), shape=(5, 5)),
    {(0, 1): 1.5, (2, 1): 3.5, (2, 3): 5.5, (3, 4): 7.5},
    np.array([1.5, 1.5, 3.5, 3.5, 5.5, 5.5, 7.5, 7.5]),
], ids=["ends", "sparse", "dict", "array"])  # fmt: skip
def test_values_of_edges_follow_their_edges(cost: Any) -> None:
    found = irgl.compile("blend.irgl", text=TEXT)(path(), score=SCORE, count=[*range(5)], cost=cost)
    assert found.total == pytest.approx(TOTAL)


class Series(dict[str, int]):
    """What pandas' Series has for those who don't import it."""

    index = "abcde"

    def to_dict(self) -> dict[str, int]:
        return dict(self)


def test_names_of_nodes_and_a_series_by_its_index() -> None:
    graph = nx.relabel_nodes(path(), dict(enumerate("abcde")))
    count = Series({name: k for k, name in reversed(list(enumerate("abcde")))})
    blend = irgl.compile("blend.irgl", text=TEXT)
    found = blend(graph, score=SCORE, count=count, cost="toll", chief={"c": "c", "d": "a"})
    assert found.total == pytest.approx(TOTAL)
    assert found.own.tolist() == [0, 0, 1, 0, 0]


def test_a_column_of_the_table_of_edges() -> None:
    table = pa.table({"source": [1, 0], "target": [2, 1], "weight": [9, 9], "toll": [4.0, 3.0]})
    assert irgl.compile("blend.irgl", text=TEXT)(table, count=[0, 0, 0], cost="toll").total.tolist() == [3, 4, 0]


@pytest.mark.parametrize(("given", "told"), [
    ({}, "needs values for `count`: a int for every node"),
    ({"count": [1, 2]}, "`count` has the shape (2,): the graph `g` has 5 nodes, so that it takes (5,)"),
    ({"count": [1.0, np.nan, 2, 3, 4]}, "value 1 is nan, which is no int"),
    ({"count": [1, 2.5, 2, 3, 4]}, "value 1 is 2.5, which fits no int"),
    ({"count": [2**40, 2, 2, 3, 4]}, "value 0 is 1099511627776, which fits no int"),
    ({"count": list("abcde")}, "`count` takes int values"),
    ({"count": {0: 1}}, "has no value for node 1, 2, 3 and 1 more"),
    ({"count": {0: 1, 7: 2, 8: 2, 9: 2, 10: 1}}, "values for nodes that the graph lacks: 7, 8, 9 and 1 more"),
    ({"count": [0] * 5, "cost": {(0, 4): 1}}, "values for edges that the graph lacks: 0 -> 4"),
    ({"count": [0] * 5, "cost": "price"}, "no edge of the graph has an attribute 'price'"),
    ({"count": [0] * 5, "chief": [0, 1, 2, 3, 5]}, "value 4 is 5, which is no node of the graph"),
    ({"count": [0] * 5, "counts": 1}, "no parameter `counts`"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_by_name(given: dict[str, Any], told: str) -> None:
    assert told in refusal(**given)


def test_an_array_is_refused_where_preparing_changes_the_edges() -> None:
    simple = irgl.compile("blend.irgl", text=TEXT.replace("blend(G g)", "blend(simple G g)"))
    graph = nx.DiGraph([(0, 0), (0, 1)])
    with pytest.raises(irgl.IrglError, match="the program has other edges than the graph that was given"):
        simple(graph, count=[0, 0], cost=[1.0])
    assert simple(graph, count=[0, 0], cost={(0, 0): 5, (0, 1): 7}).total.tolist() == [7, 0]


@pytest.mark.parametrize(("old", "new", "told"), [
    ("Program blend(G g)", "Program blend(G g, int count = 1)", "an input and a parameter"),
    ("Program blend(G g)", "Program blend(G g, G h)", "would both be given 'score'"),
    ("input node int count", "input node lock count", "an input can't be a lock"),
    ("Invoke sum(g);", "G h = oriented(g); Invoke sum(h);", "nobody gives 'score' to a graph that the Program makes"),
])  # fmt: skip
def test_declarations_that_nobody_could_meet_are_refused(old: str, new: str, told: str) -> None:
    with pytest.raises(irgl.IrglError, match=told):
        irgl.compile("blend.irgl", text=TEXT.replace(old, new))


def test_both_notations_round_trip() -> None:
    program = load_text(TEXT)
    assert equal(program, load_text(dump(program)))
    assert "score: irgl.input[irgl.node[float]] = 0" in dump_python(program)


def shell(tmp_path: Path, *words: str) -> int:
    (tmp_path / "blend.irgl").write_text(TEXT)
    (tmp_path / "g.txt").write_text("10 20\n20 30\n")
    return exit_code([words[0], str(tmp_path / "blend.irgl"), *words[1:]])


@pytest.mark.parametrize("kind", ["npy", "npz", "csv", "ids"])
def test_the_shell_takes_files(tmp_path: Path, kind: str) -> None:
    file, values = tmp_path / f"count.{kind}", np.array([1, 2, 3])
    match kind:
        case "npy":
            np.save(file, values)
        case "npz":
            np.savez(file, count=values, other=values)
        case "csv":
            file.write_text("1\n2\n3\n")
        case _:
            file.write_text("id,value\n30,3\n10,1\n20,2\n")
    cost, out = tmp_path / "cost.csv", tmp_path / "out.npz"
    cost.write_text("src,dst,value\n20,30,4\n10,20,0.5\n")
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt"), "--count", str(file), "--cost", str(cost),
                 "--out", str(out), "--verify") == 0  # fmt: skip
    assert np.load(out)["total"].tolist() == [1.5, 6, 3]


@pytest.mark.parametrize(("text", "told"), [
    ("1\nx\n3\n", "count.csv:2: error: `x`: a line of 1 number stands here"),
    ("99,1\n10,1\n", "nodes that the graph lacks: 99"),
    ("1,2,3\n", "a line of 3 columns"),
    ("1\n2\n", "the shape (2,)"),
    ("1\nnan\n2\n", "value 1 is nan"),
])  # fmt: skip
def test_the_shell_refuses_bad_files(tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str, told: str) -> None:
    (tmp_path / "count.csv").write_text(text)
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt"), "--count", str(tmp_path / "count.csv")) == 2
    assert told in capfd.readouterr().err


def test_an_input_given_twice_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt"), "--count", "a", "--count", "b") == 2
    assert "--count is given 2 times" in capfd.readouterr().err


def test_an_input_that_must_be_given_and_is_not(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert shell(tmp_path, "run", "--graph", str(tmp_path / "g.txt")) == 2
    assert "--count" in capfd.readouterr().err
