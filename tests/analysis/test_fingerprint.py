"""What a program says has one fingerprint under all names, and any other program another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.programs import EVERY, PLACE
from support.random_programs import RandomProgram, programs
from support.renaming import Renaming

from irgl.analysis.check import check
from irgl.analysis.fingerprint import fingerprint
from irgl.driver import front
from irgl.frontends.load import open_source
from irgl.frontends.text.load import load, load_text
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program

IN_PYTHON = sorted(path.stem for path in (PLACE / "python").glob("*.py"))

TEXT = """
graph Graph {
  node int far = INF;
  node int near = 0;
  edge int length;
}

struct Pair {
  int one;
  int two;
};

long count = 0;

int less(int a, int b) {
  return a - b;
}

Kernel seed(Graph g, node s) {
  s.far = 0;
  WL.push(s);
}

Kernel step(Graph g, long limit) {
  ForAll (i In WL) {
    node n = WL.pop(i);
    ForAll (e In n.edges) {
      int there = n.far + e.length;
      if (there < limit && (e.dst.far min= there)) {
        WL.push(e.dst);
      }
    }
  }
}

Kernel tell(Graph g) {
  ForAll (n In g.nodes) {
    int k = less(n.far, n.near);
    count += k;
  }
  ForAll (n In g.nodes) {
    int k = n.near;
    count += k;
  }
}

Program walk(Graph g, node s = first, long limit = 100) {
  Pipe Once {
    Invoke seed(g, s);
    Pipe {
      Invoke step(g, limit);
    }
  }
  Invoke tell(g);
  print("done");
}
"""


def of(text: str) -> str:
    return fingerprint(check(load_text(text, "a.irgl")))


def edited(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


@pytest.mark.parametrize("name", EVERY)
def test_a_renamed_program_keeps_its_fingerprint(name: str) -> None:
    program = load(PLACE / f"{name}.irgl")
    assert fingerprint(check(Renaming(program).tree(program))) == fingerprint(check(program))


@given(programs())
@settings(max_examples=25, deadline=None)
def test_a_renamed_random_program_keeps_its_fingerprint(program: RandomProgram) -> None:
    tree = load_text(program.text, "a.irgl")
    assert fingerprint(check(Renaming(tree).tree(tree))) == fingerprint(check(tree))


@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_program_has_the_same_fingerprint_in_python(name: str) -> None:
    in_python = front(open_source(PLACE / "python" / f"{name}.py"))
    assert fingerprint(in_python) == fingerprint(front(open_source(PLACE / f"{name}.irgl")))


def test_no_two_programs_share_a_fingerprint() -> None:
    found = Counter(fingerprint(check(load(PLACE / f"{name}.irgl"))) for name in EVERY)
    assert [digest for digest, times in found.items() if times > 1] == []


@pytest.mark.parametrize(("old", "new"), [
    ("int there = n.far + e.length;", "// far away\n      int there = (n.far + e.length);"),
    ("    ForAll (e In n.edges) {", "    inner: ForAll (e In n.edges) {"),
    ("    int k = n.near;\n    count += k;", "    int other = n.near;\n    count += other;"),
    ("long limit = 100) {", "long limit = 100)\n    verify hops(far = far) {"),
    ("long limit = 100) {", "long limit = 100)\n    tolerance 0.5 {"),
])
def test_what_does_not_change_how_it_runs_keeps_the_fingerprint(old: str, new: str) -> None:
    assert of(edited(old, new)) == of(TEXT)


@pytest.mark.parametrize(("old", "new"), [
    ("n.far + e.length", "n.far - e.length"),
    ("n.far + e.length", "e.length + n.far"),
    ("there < limit", "there <= limit"),
    ("int k = less", "long k = less"),
    ("far min= there", "far max= there"),
    ("e.dst.far min=", "e.dst.near min="),
    ("node int near = 0", "node int near = 1"),
    ("node int near = 0", "node int16 near = 0"),
    ("edge int length;", "edge int length = 1;"),
    ("In n.edges", "In n.in_edges"),
    ("a - b", "b - a"),
    ("less(n.far, n.near)", "less(n.near, n.far)"),
    ("int one;", "long one;"),
    ("limit = 100", "limit = 101"),
    ("(Graph g, node s = first", "(undirected Graph g, node s = first"),
    ('print("done")', 'print("over")'),
    ("    Pipe {", "    Pipe Once {"),
    ("  Invoke tell(g);\n  print(\"done\");", "  print(\"done\");\n  Invoke tell(g);"),
    ("    int k = n.near;\n    count += k;", "    int k = n.near;\n    count += 1;"),
])
def test_a_change_of_meaning_changes_the_fingerprint(old: str, new: str) -> None:
    assert of(edited(old, new)) != of(TEXT)


def test_the_cached_program_knows_its_fingerprint_under_every_plan(tmp_path: Path) -> None:
    path = tmp_path / "a.irgl"
    path.write_text(TEXT)
    plans = (Plan(), Plan(), Plan.parse("none"), Plan.parse("none", "simt"))  # the second one comes from the cache
    assert [open_program(path, plan).fingerprint for plan in plans] == [of(TEXT)] * 4
