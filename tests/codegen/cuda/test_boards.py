"""Shared memory of nested loops: those of a CUDA kernel take turns with it, and it fits in a block at any size."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.awkward_graphs import random_arcs
from support.places import ROOT
from support.running import outcome

from irgl.driver import compile as compile_unit
from irgl.plan import Plan

GRAPH = random_arcs(5, 700, 9000)
HEAD = "graph Graph { node long a = 1; node long b = 2; node long c = 3; node long s = 0; node long q = 0; }\n"
KERNELS = """
Kernel one(Graph g) {
  ForAll (n In g.nodes) {
    long x = n.a; long y = n.b; long s = 0; long q = 0;
    ForAll (e In n.edges) { s += x + y * e.dst.b; q max= x + e.dst.a; }
    n.s = s; n.q = q;
    ForAll (e In n.edges) { e.dst.c max= x + s; }
  }
}
Kernel two(Graph g) {
  ForAll (n In g.nodes) {
    long x = n.a; long y = n.b; long z = n.c; long s = 0; long q = 0;
    ForAll (e In n.edges) { s += x + y * e.dst.b + z; q max= x + e.dst.a; }
    n.s += s; n.q += q;
  }
}
Kernel three(Graph g) { ForAll (n In g.nodes) { long s = 0; ForAll (e In n.edges) { s += e.dst.b; } n.c += s % 3; } }
Kernel four(Graph g) { ForAll (n In g.nodes) { n.a += n.s % 7; n.b += n.q % 5; } }
"""
ROUNDS = """Program main(Graph g) {
  Invoke one(g);
  int i = 0;
  Pipe Once { while (i < 3) { Invoke one(g); Invoke two(g); Invoke three(g); Invoke four(g); i++; } }
}
"""
#: Nine numbers of the outermost item and nine more of the next one, and two sums at each depth.
DEEP = """
Kernel deep(Graph g) {
  ForAll (n In g.nodes) {
    long x0 = n.a; long x1 = n.b; long x2 = n.c; long x3 = n.a + 3; long x4 = n.b + 4; long x5 = n.c + 5;
    long x6 = n.id; long x7 = n.degree; long x8 = n.id + 8; long s = 0; long q = 0;
    ForAll (e In n.edges) {
      long y0 = e.dst.a; long y1 = e.dst.b; long y2 = e.dst.c; long y3 = y0 + 3; long y4 = y1 + 4; long y5 = y2 + 5;
      long y6 = e.dst.id; long y7 = e.dst.degree; long y8 = y6 + 8; long r = 0; long p = 0;
      ForAll (f In e.dst.edges) {
        r += x0 + y0 * x1 + y1 * x2 + y2 + x3 + y3 + f.dst.a;
        p max= x4 + y4 + x5 * y5 + x6 + y6 + x7 + y7 + x8 + y8 + f.dst.b;
      }
      s += r % 1000; q max= p;
    }
    n.s = s; n.q = q;
  }
}
Program main(Graph g) { Invoke deep(g); }
"""
PLANS = ["block=1024 np=tb+wp+fg", "block=512 np=wp", "np=tb+fg outline=off"]


def sizes(text: str, plan: str, folder: Path, architecture: int) -> dict[str, int]:
    """The bytes of static shared memory of each kernel that has any, as nvcc gives them out."""
    source = folder / "unit.cu"
    source.write_text(compile_unit("boards.irgl", target="cuda", plan=Plan.parse(plan, "cuda"), text=HEAD + text).text)
    words = ["nvcc", "-std=c++17", f"-I{ROOT}", "-Xptxas", "-v", f"-arch=sm_{architecture}", "-cubin"]
    done = subprocess.run([*words, str(source), "-o", str(folder / "unit.cubin")], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    parts = re.split(r"Compiling entry function '_ZN4unit\d+(\w+?)E", done.stderr)[1:]
    used = [re.search(r"Used \d+ registers.*?(\d+) bytes smem", part) for part in parts[1::2]]
    return {name: int(m[1]) for name, m in zip(parts[::2], used, strict=True) if m is not None}


def boards(text: str, plan: str) -> list[list[str]]:
    unit = compile_unit("boards.irgl", target="cuda", plan=Plan.parse(plan, "cuda"), text=HEAD + text)
    return [re.findall(r"irgl::Board<(.*?)>[,;]?$", m[1].replace(">>;", ">;"), re.MULTILINE)
            for m in re.finditer(r"^using Boards\d = irgl::Boards<\n(.*?;)", unit.text, re.MULTILINE | re.DOTALL)]


WORDS = ["irgl::closure_t<int64_t, int64_t>, int64_t, int64_t", "irgl::closure_t<int64_t, int64_t>",
         "irgl::closure_t<int64_t, int64_t, int64_t>, int64_t, int64_t", "irgl::closure_t<>, int64_t"]
FG = [f"0, irgl::FG, {words}" for words in WORDS]


def test_loops_that_one_kernel_may_run_know_of_each_other() -> None:
    assert boards(KERNELS + ROUNDS, "np=fg") == [FG]


def test_kernels_that_are_launched_by_themselves_do_not() -> None:
    assert boards(KERNELS + ROUNDS, "np=fg outline=off") == [FG[:2]]
    assert boards(KERNELS + ROUNDS, "np=fg outline=graph") == [FG[:2]]


def test_a_program_may_have_a_name_of_ours() -> None:
    text = (KERNELS + ROUNDS).replace("three", "Boards1")
    unit = compile_unit("boards.irgl", target="cuda", plan=Plan.parse("np=fg", "cuda"), text=HEAD + text)
    assert "using Boards2 = irgl::Boards<" in unit.text


def test_a_loop_that_stays_with_its_thread_has_no_board() -> None:
    assert boards(KERNELS + ROUNDS, "np=serial") == []
    assert boards(KERNELS + ROUNDS, "np=serial one.loop1.loop2.np=fg") == []


@pytest.mark.parametrize("text", [KERNELS + ROUNDS, DEEP], ids=["turns", "deep"])
@pytest.mark.parametrize("plan", PLANS)
def test_what_takes_turns_is_right(text: str, plan: str) -> None:
    wanted, found = (outcome(HEAD + text, *on, GRAPH).result for on in (("default", "cpu"), (plan, "simt")))
    for p in "abcsq":
        assert found.array(p).tolist() == wanted.array(p).tolist(), p


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_the_largest_board_is_all_that_a_kernel_takes(tmp_path: Path) -> None:
    # range, closure, beginning and parts of 256 threads, and the rest of 16; the sums of 8 warps
    largest = 256 * (8 + 24 + 8 + 16) + 16 + 64
    assert sizes(KERNELS + ROUNDS, "np=fg", tmp_path, 90) == {"main_pipe1_kernel": largest, "one_kernel": largest}


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
@pytest.mark.parametrize("architecture", [75, 90])
def test_large_boards_fit_in_a_large_block(tmp_path: Path, architecture: int) -> None:
    for text in (KERNELS + ROUNDS, DEEP):
        assert 30000 < max(sizes(text, "np=tb+wp+fg block=1024", tmp_path, architecture).values()) <= 49152
