"""Structs of any size and alignment that are loaded and stored under locks, on GPUs as on the CPU."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from support.agreement import disagreements
from support.places import ROOT
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.driver import compile as compile_unit
from irgl.rt.compile import nvcc

HEAD = """import "array.irgl"; import "append_only_list.irgl";
struct Long { long a; long b; };
struct Four { double a; int8 b; long c; node d; };
struct Odd { int8 a; int16 b; bool c; };
struct Bytes { int8 a; int8 b; int8 c; };
struct Shorts { int16 a; int8 b; };
struct Quarter { int8 a; int8 b; int8 c; int8 d; };
graph Graph {
  node lock guard; edge lock held; node int met = 0; edge int w;
  node Long l = (Long){1, 2}; node Four f = (Four){0.5, 3, 4, NONE}; node Odd o = (Odd){1, 2, true}; node Bytes b;
  edge Shorts h = (Shorts){0, 1}; node Quarter q;
}
long s = 0; double d = 0.0;
"""
ADD = """.l = (Long){#.l.a + 1, #.l.b + 2}; #.f = (Four){#.f.a + 0.5, (int8)(#.f.b + 1), #.f.c + 2, #};
  #.o = (Odd){(int8)(#.o.a + 1), (int16)(#.o.b + 300), !#.o.c}; Bytes b = #.b; b.c = (int8)(b.c + 1);
  b.a = #.b.c; #.b = b; Quarter q = #.q; q.d = (int8)(q.d + 1); #.q = q;"""
TELL = """Kernel tell(Graph g) { ForAll (n In g.nodes) {
  s += n.l.a * 3 + n.l.b + n.f.b * 5 + n.f.c + n.f.d.id + n.o.a + n.o.b * 7 + n.b.c * 9 + n.q.d * 11 + n.q.a;
  if (n.o.c) { s += n.id * 1000; } d += n.f.a; } ForAll (e In g.edges) { s += e.h.a + e.h.b * 31; } }
"""
TEXTS = {
    "Atomic": HEAD + TELL + """Kernel k(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) {
      Atomic (e.dst.guard) { e.dst""" + ADD.replace("#", "e.dst") + """ }
      Atomic (e.held) { Shorts h = e.h; e.h = (Shorts){(int16)(h.a + e.w), 3}; } } } }
    Program main(Graph g) { Invoke k(g); Invoke k(g); Invoke tell(g); }""",
    "Exclusive": HEAD + TELL + """Kernel k(Graph g) WL list<edge> { ForAll (e In WL.items) {
      Exclusive (g, [e.src, e.dst]) { e.dst""" + ADD.replace("#", "e.dst") + """
        e.src.l = (Long){e.dst.l.b, 1}; e.dst.l = (Long){5, 6}; e.src.l = e.dst.l; } Else { Retry e; } } }
    Program main(Graph g) { Pipe Once Initial (g.edges) { Invoke k(g); } Invoke tell(g); }""",
    "elements": HEAD + """Kernel k(Graph g, array<Long> x, AppendOnlyList<Odd> y) {
      ForAll (n In g.nodes) { ForAll (e In n.edges) { Atomic (e.dst.guard) {
        x[e.dst.id] = (Long){x[e.dst.id].a + e.w, x[e.dst.id].b - 1}; Odd o = y[e.dst.id]; o.b = (int16)(o.b + 1);
        y[e.dst.id] = o; } } } }
    Program main(Graph g) { array<Long> x; x.resize(g.num_nodes); AppendOnlyList<Odd> y;
      For (n In g.nodes) { y.append((Odd){1, 2, false}); } Invoke k(g, x, y);
      For (i In range(g.num_nodes)) { s += (x[i].a * 7 + x[i].b + y[i].b * 31 + y[i].a) * (i + 1); } }""",
}
DRAW = random.Random(5)
ARCS = [(DRAW.randrange(40), DRAW.randrange(40), DRAW.randrange(1, 9)) for _ in range(60)]
GRAPH = from_arcs(40, ARCS + [(7, v, 1) for v in range(40)])
PROGRAMS = [RandomProgram(text, GRAPH, {}) for text in TEXTS.values()]
PLANS = ["none block=32", "default block=64", "np=fg cc=warp outline=all block=32 retry=backoff"]


def test_structs_under_locks_are_the_same_on_a_device() -> None:
    assert all_compared(PROGRAMS, PLANS) == {}


def test_structs_under_locks_are_the_same_on_the_cpu() -> None:
    assert disagreements(PROGRAMS) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_structs_under_locks_compile_for_a_device_without_a_warning(tmp_path: Path) -> None:
    source = tmp_path / "p.cu"
    source.write_text(compile_unit("p.irgl", target="cuda", text=TEXTS["Atomic"]).text)
    words = ["nvcc", *nvcc.FLAGS, f"-I{ROOT}", "-Xcompiler", "-Wall", "--Werror", "all-warnings", "-arch=sm_90", "-c"]
    words += [str(source), "-o", str(tmp_path / "p.o")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
