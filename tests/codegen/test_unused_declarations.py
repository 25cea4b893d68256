"""What a program declares and doesn't use: neither g++ nor nvcc complains of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from irgl import driver
from irgl.plan import Plan
from irgl.rt.compile import nvcc
from irgl.rt.compile.toolchain import include_dir
from irgl.standalone import standalone

TEXT = """
import "array.irgl";
struct Pair { int a; node b; };
graph Graph { node int a = 0; node Pair pair = (Pair){1, NONE}; node lock guard; edge int weight; }
graph Other { node int b = 0; edge double c; node lock l; }
graph Third { node int e = 0; }
int used = 0;
double idle = 0.5;
int helper(Graph g, node n, int x) { return 1; }
node far(Other o, list<node> l, array<int> b) { l.push(NONE); return NONE; }
Kernel never(Graph g, Other o, int x, list<node> l, buckets<node> b, array<long> c) {
  ForAll (n In g.nodes) { l.push(n); relaxed c[x] = 3; b.push(n, 3); }
}
Kernel bare(Graph g, bool flag, unique list<node> l) { ForAll (n In l.items) { ForAll (e In n.edges) { } } }
Kernel tally(Graph g) { ForAll (n In g.nodes) { used += 1; } }
Program p(Graph g, node src = first, int level = 3) {
  list<node> kept;
  bitmap<node> bits;
  array<int> numbers;
  Invoke tally(g);
}
"""
#: Names a node of which it asks nothing but what a form has copied.
COPIED = """graph Graph { node int p = 0; node int q = 1; }
Kernel k(Graph g) { ForAll (n In g.nodes) { if (n.p == 0) {
  ForAll (e In n.in_edges) { auto m = e.src; if (m.q > 0) { auto again = e.src; n.p += again.q; } } } } }
Program main(Graph g) { Invoke k(g); }
"""
CPU = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{include_dir()}", "-fsyntax-only"]
CUDA = ["nvcc", *nvcc.FLAGS, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-fopenmp", "-arch=sm_90",
        f"-I{include_dir()}", "-c", "-o", "own.o"]


BY_TARGET = pytest.mark.parametrize(("target", "command"), [("cpu", CPU), ("cuda", CUDA)])


@BY_TARGET
def test_what_is_not_used_is_no_matter_of_warnings(target: str, command: list[str], tmp_path: Path) -> None:
    plan = Plan(target=target)
    text = standalone(driver.compile("own.irgl", target=target, plan=plan, text=TEXT), plan)
    assert complaints(text, target, command, tmp_path) == (0, "")


@BY_TARGET
def test_a_node_of_which_copies_are_taken_is_no_matter_of_warnings(
        target: str, command: list[str], tmp_path: Path) -> None:
    text = driver.compile("own.irgl", target=target, plan=Plan.parse("format=shards", target), text=COPIED).text
    assert "copied_q[place]" in text
    assert complaints(text, target, command, tmp_path) == (0, "")


def complaints(text: str, target: str, command: list[str], folder: Path) -> tuple[int, str]:
    """What a compiler says of a unit, and how it ends."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} in PATH")
    source = folder / ("own.cu" if target == "cuda" else "own.cpp")
    source.write_text(text)
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False, cwd=folder)
    return done.returncode, done.stdout + done.stderr
