"""Labels are places in every plan of every notation: a path of labels means each loop that its statement became."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import diags_array

import irgl
from irgl.analysis.names.labelled import labels_of
from irgl.cli.compile import _ruled
from irgl.cli.main import exit_code
from irgl.driver import front, ready
from irgl.frontends.load import open_source
from irgl.placing import placed
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

IRGL = """graph Graph { node int level = INF; node int mark = 0; }

Kernel step(Graph g, int depth) {
  s1: ForAll (i In WL) {
    node n = WL.pop(i);
    ForAll (e In n.edges) {
      if (e.dst.level == INF) {
        racy e.dst.level = depth;
        WL.push(e.dst);
      }
    }
  }
}

Kernel settle(Graph g) {
  s2: ForAll (n In g.nodes) { n.mark = 1; }
  ForAll (n In g.nodes) { n.mark += 1; }
}

Program main(Graph g, node src = first) {
  src.level = 0;
  int depth = 1;
  s0: Iterate step(g, depth) Initial [src] { depth += 1; }
  s3: while (depth > 0) {
    s1: Invoke settle(g);
    depth = 0;
  }
}
"""
PYTHON = '''import irgl


@irgl.graph
class Graph:
    mark: irgl.node[int] = 0


@irgl.kernel
def settle(g: Graph):
    with irgl.label("s1"):
        for n in g.nodes:
            n.mark = 1


@irgl.program
def main(g: Graph):
    settle(g)
'''
GT = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const label : vector{Vertex}(int) = 0;
func spread(src : Vertex, dst : Vertex)
    label[dst] min= label[src];
end
func main()
    #s0# for round in 0:3
        #s1# edges.apply(spread);
    end
end
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.irgl").write_text(IRGL, encoding="utf-8")
    Path("a.gt").write_text(GT, encoding="utf-8")
    Path("a.py").write_text(PYTHON, encoding="utf-8")


def said(path: str, plan: str, target: str = "cpu") -> list[str]:
    """The words of a plan that a plan with labels means."""
    program = ready(path)
    found = placed(program.checked.program, Plan.parse(plan, target), target, program.sources[0])
    return [f"{place}.{option}={value}" for place, option, value in found.scoped]


def test_a_label_is_within_what_is_labelled_around_it_and_around_its_kernel_s_invocation() -> None:
    assert labels_of(front(open_source("a.irgl")).program) == {
        "s0": ("main.s0",), "s0:s1": ("step.s1",), "s3": ("main.s3",), "s3:s1": ("main.s1",),
        "s3:s1:s2": ("settle.s2",)}


@pytest.mark.parametrize(("target", "plan", "meant"), [
    ("cpu", "s0:s1.grain=64", ["step.s1.grain=64"]),
    ("cpu", "s0:s1.prefetch=8", ["step.s1.loop1.prefetch=8"]),
    ("cpu", "s0:s1.loop1.prefetch=8", ["step.s1.loop1.prefetch=8"]),
    ("cpu", "s2.threads=1", ["settle.s2.threads=1"]),
    ("cpu", "s3:s2.threads=1", ["settle.s2.threads=1"]),
    ("cpu", "s3:s1.grain=64", ["settle.loop2.grain=64", "settle.s2.grain=64"]),
    ("cpu", "s0.direction=hybrid s0:s1_pull.grain=64", ["step.s1.direction=hybrid", "step.s1_pull.grain=64"]),
    ("cpu", "step.s1.grain=64", ["step.s1.grain=64"]),
    ("cuda", "s0:s1.np=fg", ["step.s1.loop1.np=fg"]),
    ("cuda", "s0.outline=all", ["main.s0.outline=all"]),
    ("cuda", "s0:s1.direction=hybrid s0:s1_pull.np=wp", ["step.s1.direction=hybrid", "step.s1_pull.loop1.np=wp"]),
])
def test_a_label_in_a_plan_means_its_loops_or_those_in_them(target: str, plan: str, meant: list[str]) -> None:
    assert said("a.irgl", plan, target) == meant


@pytest.mark.parametrize(("plan", "message", "hint"), [
    ("s0:s3.grain=64", "there is no label s3 in s0; its labels: s1", "did you mean s3?"),
    ("s4.grain=64", "there is no label s4; the program's labels: s0, s3", None),
    ("s1.grain=64", "there is a label s1 in several places: s0:s1, s3:s1", "say which is meant"),
    ("s0:s1.grain=64 step.s1.grain=32", "`s0:s1.grain=64` and `step.s1.grain=32` both speak of step.s1",
     "keep one of them"),
    ("s2.direction=pull", "`settle.s2.direction=pull` can't be honoured", None)])
def test_a_label_that_means_nothing_is_refused(plan: str, message: str, hint: str | None) -> None:
    with pytest.raises(IrglError) as raised:
        open_program("a.irgl", Plan.parse(plan))
    assert raised.value.message.startswith(message)
    assert hint is None or raised.value.hint == hint


def test_a_program_without_labels_says_how_one_is_given() -> None:
    Path("bare.irgl").write_text(IRGL.replace("s1: ", "").replace("s2: ", "").replace("s0: ", "").replace("s3: ", ""),
                                 encoding="utf-8")
    with pytest.raises(IrglError, match="there is no label s1: the program has none") as raised:
        open_program("bare.irgl", Plan.parse("s1.grain=64"))
    assert raised.value.hint == "`s1: ForAll ...` gives a loop the label s1"


@pytest.mark.parametrize(("path", "plan", "line"), [
    ("a.irgl", "s0:s1.grain=64", "step.s1: grain=64"), ("a.py", "s1.grain=64", "settle.s1: grain=64"),
    ("a.gt", "s0:s1.grain=64", "spread.s1: grain=64")])
def test_labels_are_places_in_every_notation(path: str, plan: str, line: str) -> None:
    assert line in open_program(path, Plan.parse(plan)).applied


def test_a_word_with_a_label_takes_the_place_of_the_schedule_s(capfd: pytest.CaptureFixture[str]) -> None:
    said = 'program->configApplyParallelization("s0:s1", "static-vertex-parallel");'
    Path("even.gt").write_text(said, encoding="utf-8")
    words = ("explain", "a.gt", "--schedule", "even.gt", "--json", "--plan", "s0:s1.share=nodes")
    assert exit_code([*words]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["schedule"]["plan"] == "spread.s1.share=even"
    assert "spread.s1: share=nodes" in found["plan"]["applied"]
    assert found["labels"] == {"s0": ["a.s0"], "s0:s1": ["spread.s1"]}


@pytest.mark.parametrize("words", [
    ("explain", "a.irgl"), ("compile", "a.irgl", "-o", "-"), ("dump", "a.irgl", "--stage", "c++"),
    ("run", "a.irgl", "--graph", "path:3")])
def test_each_command_refuses_a_label_that_there_is_not(words: tuple[str, ...], capfd: pytest.CaptureFixture[str],
                                                        ) -> None:
    assert exit_code([*words, "--plan", "s0:s3.grain=64"]) == 2
    assert "there is no label s3 in s0; its labels: s1\n" in capfd.readouterr().err


@pytest.mark.parametrize(("text", "rule", "plan"), [
    ("s0:s1.grain=64", "always", "s0:s1.grain=64"), ("nodes > 9:s0:s1.grain=64", "nodes > 9", "s0:s1.grain=64"),
    ("nodes > mean_degree:s1.grain=64", "nodes > mean_degree", "s1.grain=64"),
    ("always:s1.grain=64", "always", "s1.grain=64"),
    ("serial=9 s0:s1.grain=64", "always", "serial=9 s0:s1.grain=64")])
def test_the_colon_of_a_label_is_none_of_a_rule(text: str, rule: str, plan: str) -> None:
    assert _ruled(text, None, "cpu") == (rule, Plan.parse(plan))


def test_explain_tells_the_places_of_labels(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "a.gt"]) == 0
    assert "\nLabels\n  s0     a.s0\n  s0:s1  spread.s1\n" in capfd.readouterr().out


def test_a_plan_with_labels_changes_no_answer() -> None:
    along = diags_array([np.ones(4)], offsets=[1], shape=(5, 5), format="csr")
    found = irgl.compile("a.irgl", target="cpu", plan="s0:s1.direction=pull s3:s1.threads=1")
    result = found(along)
    assert list(result.level) == [0, 1, 2, 3, 4]
    assert list(result.mark) == [2] * 5
