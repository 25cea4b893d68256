"""Behind a fault all threads of a GPU stay together at a kernel's own level, so that it ends and tells of the fault."""

from __future__ import annotations

from support.plans import PLANNED
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import Variant, run_simt

from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.rt.manifests.describe import manifest_of

HEAD = """graph Graph { node int v = 0; node node nx = NONE; edge int w; } long s = 0;
struct Pair { int x; long y; };
int walk(Graph g, node p) { int i = 0; while (p.v < 3 && i < 20) { p = p.nx; i += 1; } return i; }
int steps(Graph g, node p) { return walk(g, p) + 1; }
Pair pair(Graph g, node p) { Pair q; q.x = steps(g, p); q.y = q.x; return q; }
Kernel init(Graph g) { ForAll (e In g.edges) { racy e.src.nx = e.dst; } }
"""
#: What follows steps along a list that ends, and so makes `i` another number behind the fault.
STEPS = {
    "a while": "while (p.v < 3 && i < 20) { p = p.nx; i += 1; }",
    "a do while": "do { p = p.nx; i += 1; } while (p.v < 3 && i < 20);",
    "a for": "for (; p.v < 3 && i < 20; i++) { p = p.nx; }",
    "a for of several": "for (int k = 0; p.v < 3 && i < 20; i++, k++) { if (k == 1) { continue; } p = p.nx; }",
    "a loop with a ForAll": "while (p.v < 3 && i < 20) { p = p.nx; i += 1; ForAll (n In g.nodes) { n.v += 0; } }",
    "a helper": "i = walk(g, p);",
    "a helper's helper": "int j = 2; i = j + steps(g, p) * 2 - min((j += 1).old, 7);",
    "a struct": "Pair q = pair(g, p); i = q.x;",
    "a range": "ForAll (n In range(steps(g, p))) { i += 1; }",
}
AFTER = """if (i > 2) { ForAll (n In g.nodes) { n.v += 1; } ForAll (n In g.nodes) { n.v += 2; } s += 1; }
  while (i < 30) { i += 7; ForAll (n In g.nodes) { s += 1; ForAll (e In n.edges) { s += e.w; } } }"""
RANGE = """Kernel r(Graph g) {
  ForAll (n In range(5 * steps(g, g.node(0)))) { s += n; ReduceAndReturn (n > 3); }
}
"""
PLANS = ["outline=off np=fg cc=block block=64", "np=tb cc=warp outline=all block=32"]


GRAPH = from_arcs(40, [(v, v + 1, 1) for v in range(4)])


def text_of(step: str, first: str = "0") -> str:
    """A kernel that does `step` before the loops, and is given `first` at its start."""
    return HEAD + f"""Kernel k(Graph g, int i) {{
  node p = g.node(0);
  {step}
  {AFTER}
}}
Program main(Graph g) {{ Pipe Once {{ Invoke init(g); Invoke k(g, {first}); }} }}
"""


def run_under(text: str, plan: str) -> Variant:
    chosen = Plan.parse(plan, "simt")
    row = {o: chosen.text_of(o) for o in PLANNED} | {"capacity": "1", "mode": "check", "seed": "1"}
    manifest = manifest_of(compile_unit("p.irgl", target="simt", plan=chosen, text=text), "")
    return Variant(RandomProgram(text, GRAPH, {}), row, manifest)


def test_threads_stay_together_behind_a_fault() -> None:
    texts = {word: text_of(step) for word, step in STEPS.items()} | {"the Program's": text_of("", "walk(g, g.node(0))")}
    tried = {(word, plan): run_under(text, plan) for word, text in texts.items() for plan in PLANS}
    one = RANGE + "Program main(Graph g) { Invoke init(g); if (Any Invoke r(g)) { s += 1; } }\n"
    tried |= {("a range alone", plan): run_under(HEAD + one, plan) for plan in PLANS}
    errors = {which: ran.error for which, ran in zip(tried, run_simt(list(tried.values())), strict=True)}
    assert {k: e for k, e in errors.items() if "error: access through NONE or outside of its bounds" not in e} == {}
