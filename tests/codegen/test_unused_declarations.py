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
CPU = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{include_dir()}", "-fsyntax-only"]
CUDA = ["nvcc", *nvcc.FLAGS, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-fopenmp", "-arch=sm_90",
        f"-I{include_dir()}", "-c", "-o", "own.o"]


@pytest.mark.parametrize(("target", "command"), [("cpu", CPU), ("cuda", CUDA)])
def test_what_is_not_used_is_no_matter_of_warnings(target: str, command: list[str], tmp_path: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} in PATH")
    plan = Plan(target=target)
    source = tmp_path / ("own.cu" if target == "cuda" else "own.cpp")
    source.write_text(standalone(driver.compile("own.irgl", target=target, plan=plan, text=TEXT), plan))
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
