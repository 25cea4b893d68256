"""Elements of an iteration's own arrays and lists: stored and updated by it alone, and resized, on every target."""

from __future__ import annotations

import random

import pytest
from support.agreement import disagreements
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.analysis.check import check
from irgl.driver import compile as compile_unit
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

HEAD = """import "array.irgl"; import "append_only_list.irgl";
struct Pair { int x; int y; };
struct Wide { long a; long b; };
graph Graph { node int a = 0; node Wide v = (Wide){1, 2}; node lock guard; edge int m = 0; edge int w; }
long s = 0; long t = 0;
"""
MAIN = "Program main(Graph g) { Invoke k(g); }\n"
BODIES = {
    "updates": """array<int> d; d.append(1); d.append(2); d[0] += 5; d[0] max= 7; d[0] |= 2; d[1] min= (int)n.id;
        d[1] ^= 3;
        s += (d[0] xchg= 5).old; s += (d[0] += 5).old; if (cas(d[0], 10, 3)) { s += d[0]; } s += d[1]; t += d[0];""",
    "an update in an inner loop": """array<int> d; AppendOnlyList<long> l; d.append(1); l.append(3);
        ForAll (e In n.edges) { d[0] += e.w; l[0] max= e.w; if (cas(d[0], -1, 3)) { t += 1; } } s += d[0] + l[0];""",
    "stores": """array<int> d; d.append(1); d.append(1); d[1] = 4; For (e In n.edges) { d[1] = d[1] + e.w; d[0] = e.w; }
        s += d[1] * 3 + d[0];""",
    "stores that an inner loop reads": """array<Wide> d; d.append((Wide){n.id, 2}); d[0] = (Wide){d[0].b, n.id};
        ForAll (e In n.edges) { s += d[0].a * e.w + d[0].b; } t += d[0].b;""",
    "a wide property that an inner loop reads": """n.v = (Wide){n.v.b, n.id};
        ForAll (e In n.edges) { s += n.v.a * e.w + n.v.b; ForAll (f In e.dst.edges) { t += n.v.b; } }
        n.v = (Wide){n.id % 3, n.v.a}; ForAll (e In n.edges) { s += n.v.a; }""",
    "resize": """array<node> d; array<int> c; d.resize(3); s += d[2] == NONE; d[1] = n; d.resize(n.id * 3 + 2);
        t += d[1].id;
        if (d[d.size - 1] == NONE) { t += 100; } d.resize(2); d.resize(6); s += d[1].id; t += d[5] == NONE;
        c.resize(n.degree); for (int i = 0; i < c.size; i++) { c[i] = i; c[c.size - 1 - i] += 3; }
        for (int i = 0; i < c.size; i++) { s += c[i] * i; }""",
    "of each loop": """array<int> d; d.resize(2); d[0] = 3;
        ForAll (e In n.edges) { array<int> q; q.resize(2); q[1] = e.w; q[1] += 2; s += q[1] + d[0]; d[1] += q[1]; }
        t += d[1];""",
    "under a lock": """ForAll (e In n.edges) {
        AppendOnlyList<Pair> d; d.append((Pair){1, 2}); array<Wide> v; v.resize(1);
        Atomic (e.dst.guard) { d[0] = (Pair){e.w, 3}; v[0] = (Wide){4, e.w}; d[0] xchg= (Pair){d[0].x, 7};
          e.dst.a = e.dst.a + d[0].y + (int)v[0].b; }
        s += d[0].x + d[0].y + v[0].a; }""",
    "small structs": """array<Pair> d; d.append((Pair){9, 9}); array<Pair> e0; e0.append((Pair){1, 1});
        d[0] min= (Pair){3, (int)n.id};
        ForAll (e In n.edges) { d[0] min= (Pair){e.w, 1}; s += e0[0].x; } t += d[0].x * 10 + d[0].y;""",
    "a cas that iterations of an inner loop race for": """ForAll (e In n.edges) { if (cas(n.a, 0, 1)) { s += 1; } }
        t += n.a;""",
}
HELPERS = HEAD + """long sum(array<int> a) { long r = 0; for (long i = 0; i < a.size; i++) { r += a[i]; } return r; }
void add(array<int> a, int x) { a[0] += x; a[1] max= x; if (cas(a[0], 20, 7)) { a[1] += 100; } }
void make(array<int> a, long n) { a.resize(n); a[n - 1] = 5; }
void swap(array<int> a, long i, long j) { int x = a[i]; a[i] = a[j]; a[j] = x; }
Kernel k(Graph g, array<int> all) { ForAll (n In g.nodes) {
  array<int> d; make(d, 3); add(d, 4); swap(d, 0, 2); add(d, 3); s += sum(d) * n.id; s += d[0] * 3 + d[1];
  all[0] += d[2]; all[1] max= d[1]; } }
Kernel two(Graph g, array<int> all) { ForAll (n In g.nodes) {
  array<int> d; d.append(1); d.append(1); bump(d, 3); bump(all, 1); s += sum(d); } }
void bump(array<int> a, int x) { a[0] += x; a[1] max= x; }
Program main(Graph g) {
  array<int> all; all.resize(2); make(all, 2); Invoke k(g, all); Invoke two(g, all); t = sum(all); }
"""
DRAW = random.Random(5)
ARCS = [(DRAW.randrange(40), DRAW.randrange(40), DRAW.randrange(1, 9)) for _ in range(60)]
GRAPH = from_arcs(40, ARCS + [(7, v, 1) for v in range(40)])
TEXTS = [HEAD + f"Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {body} }} }}\n" + MAIN for body in BODIES.values()]
PROGRAMS = [RandomProgram(text, GRAPH, {}) for text in [*TEXTS, HELPERS]]
PLANS = ["none block=32", "default block=64", "np=fg cc=warp outline=all block=32"]


def test_an_iteration_stores_updates_and_resizes_what_it_has_for_itself() -> None:
    assert disagreements(PROGRAMS) == []


def test_a_thread_of_a_device_stores_updates_and_resizes_what_it_has_for_itself() -> None:
    assert all_compared(PROGRAMS, PLANS) == {}


def test_a_thread_updates_its_own_without_atomic_operations() -> None:
    assert not [text for text in TEXTS[:-1] for target in ("cpu", "cuda")
                if "atomic_" in compile_unit("p.irgl", target=target, text=text).text.replace("atomic_add(c.", "")]


@pytest.mark.parametrize(("body", "said"), [
    ("array<int> d; d.resize(1); ForAll (e In n.edges) { d[0] = e.w; }",
     "every iteration of the inner ForAll stores the same element of 'd'"),
    ("ForAll (e In n.edges) { e.m = 1; n.edges[0].m += 2; }", "other iterations also write 'm'"),
    ("ForAll (e In n.edges) { relaxed n.v = (Wide){1, 2}; }", "several iterations touch 'v' at once"),
    ("Wide x = relaxed n.v; s += x.a;", "several iterations touch 'v' at once"),
    ("racy n.v = (Wide){1, 2};", "several iterations touch 'v' at once"),
    ("n.v = (Wide){1, 2}; ForAll (e In n.edges) { s += e.dst.v.a; }", "'v' of another item is read while"),
    ("array<int> d; ForAll (e In n.edges) { d.resize(3); }", "'resize' inside a ForAll would race"),
    ("array<int> d; ForAll (e In n.edges) { make(d); }", "this changes 'd' as a whole"),
    ("array<int> d; d.resize(1); ForAll (e In n.edges) { put(d); }", "several iterations may store an element of 'd'"),
    ("z.resize(3);", "'resize' inside a ForAll would race"),
    ("make(z);", "this changes 'z' as a whole"),
    ("put(z);", "several iterations may store an element of 'z'"),
])
def test_what_several_iterations_share_is_refused(body: str, said: str) -> None:
    text = (HEAD + "void make(array<int> a) { a.resize(3); }\nvoid put(array<int> a) { a[0] = 3; }\n"
            f"Kernel k(Graph g, array<int> z) {{ ForAll (n In g.nodes) {{ {body} }} }}\n")
    with pytest.raises(IrglError, match=said):
        check(load_text(text))


@pytest.mark.parametrize("body", ["z.resize(9);", "make(z);", "if (t > 0) { twice(z); }"])
def test_an_array_of_the_program_is_not_resized_by_a_kernel_of_a_device(body: str) -> None:
    text = (HEAD + "void make(array<int> a) { a.resize(3); }\nvoid twice(array<int> a) { make(a); }\n"
            f"Kernel k(Graph g, array<int> z) {{ {body} ForAll (n In g.nodes) {{ s += z.size; }} }}\n"
            "Program main(Graph g) { array<int> z; make(z); Invoke k(g, z); }\n")
    compile_unit("p.irgl", target="cpu", text=text)
    with pytest.raises(IrglError) as e:
        compile_unit("p.irgl", target="cuda", text=text)
    assert (e.value.message, e.value.hint) == (
        "'resize' inside a kernel does not run on a device",
        "resize it in the Program, between two kernels; or use --target cpu")
    assert e.value.span is not None
