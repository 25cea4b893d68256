"""Stand-alone programs take inputs, lists and arrays from text, and say what `irglc run` says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

IRGLC = [sys.executable, "-m", "irgl"]
TEXT = """import "array.irgl";
graph G {
  input node double score = 0; input node int count; input edge double cost = 1; input node int kept = 2;
  input node node chief = NONE; node double total = 0; edge int w;
}
long most = 0;
double sum = 0;
Kernel go(G g, unique list<node> some, array<double> xs) {
  ForAll (n In g.nodes) {
    n.total = n.score + n.count;
    n.kept += 1;
    if (n.chief != NONE) { sum += n.chief.count; }
    ForAll (e In n.edges) { sum += e.cost * e.w; }
  }
  SyncRunningThreads;
  ForAll (n In some.items) { most max= n.count; sum += xs[0] + xs.size; }
}
Program given(G g, unique list<node> some, array<double> xs, int k = 2) { most = k; Invoke go(g, some, xs); }
"""
FILES = {"count.csv": "id,value\n40,4\n10,1\n20,2\n30,7\n", "score.csv": "0.5\n1\n2\n3\n", "chief.csv": "40,10\n",
         "cost.txt": "1\n2  # toll\n0.25\n", "some.txt": "20\n40\n", "g.txt": "10 20 3\n20 30 4\n30 40 5\n"}
NEEDED = ["--count", "count.csv", "--some", "20,40", "--xs", "0.5,1.5"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the program `own` has been built."""
    found = tmp_path_factory.mktemp("given")
    for name, text in {**FILES, "given.irgl": TEXT}.items():
        (found / name).write_text(text)
    for words in (["graph", "convert", "g.txt", "g.irglg"], ["compile", "given.irgl", "-o", "own.cpp"]):
        subprocess.run([*IRGLC, *words], cwd=found, check=True, capture_output=True)
    flags = subprocess.run([*IRGLC, "compile", "--print-flags"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["g++", *flags.split(), "-O1", "-Wall", "-Wextra", "-Werror", "own.cpp", "-o", "own"], cwd=found,
                   check=True)
    return found


def own(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["./own", "g.irglg", *options], cwd=folder, capture_output=True, text=True, check=False,
                          timeout=60)


@pytest.mark.parametrize("options", [
    NEEDED,
    ["--count", "count.csv", "--some", "some.txt", "--xs", "score.csv", "--score", "score.csv", "--chief", "chief.csv",
     "--cost", "cost.txt", "--kept", "count.csv", "--k", "5"],
], ids=["least", "all"])  # fmt: skip
def test_it_gives_what_run_gives(folder: Path, options: list[str]) -> None:
    done = own(folder, *options)
    assert (done.returncode, done.stderr) == (0, "")
    command = [*IRGLC, "run", "given.irgl", "--graph", "g.irglg", "--json", *options]
    ran = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    result = json.loads(ran.stdout)["result"]
    lines = [line.split() for line in done.stdout.splitlines()]
    scalars = {line[0]: float(line[1]) for line in lines if line[0] in ("most", "sum")}
    assert scalars == {name: result[name] for name in scalars}
    sums = {m[1]: float(m[2]) for m in re.finditer(r"^(\w+): .* sum (\S+)", done.stdout, re.MULTILINE)}
    assert sums == {name: result[name]["sum"] for name in ("kept", "total")}


@pytest.mark.parametrize(("old", "new", "told"), [
    ("count.csv", "score.csv", "score.csv:1: error: `0.5` is not a whole number: --count"),
    ("count.csv", "nowhere", "nowhere: error: `count` can't be opened"),
    ("count.csv", "cost.txt", "--count has 3 numbers: it takes one a line for each of 4 nodes"),
    ("count.csv", "chief.csv", "error: a node has no value: --count"),
    ("20,40", "20,99", "error: `99` is no node of the graph: --some"),
    ("20,40", "20,20", "a node that came before, in a list that is declared unique: --some"),
    ("--some", "--cost", "20,40: error: `cost` can't be opened"),
    ("--xs", "--ys", "error: the program needs a value: --xs"),
    ("--count", "--number", "error: the program needs a value: --count"),
])  # fmt: skip
def test_what_does_not_fit_ends_with_one_line(folder: Path, old: str, new: str, told: str) -> None:
    done = own(folder, *(new if word == old else word for word in NEEDED))
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and done.stderr.count("\n") == 1
