"""Objects of an iteration's own on GPUs: lists on a thread's stack that move into the heap; and where they can't be."""

from __future__ import annotations

import pytest
from support.awkward_graphs import random_arcs
from support.quick import some
from support.running import outcome

from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.source import IrglError

GRAPH = random_arcs(5, 40, 90)
HEAD = """import "array.irgl"; import "append_only_list.irgl"; import "mesh.irgl";
struct Pair { long first; node second; };
graph Graph { node int p = 0; }
long a = 0; long b = 0; long c = 0;
"""
PROGRAMS = {
    "a list outgrows its thread's stack and block after block": """
      Kernel k(Graph g) { ForAll (n In g.nodes) {
        AppendOnlyList<long> l;
        long last = -1;
        for (long i = 0; i < 13 * n.id; i++) { last = l.append(i * i); }
        for (long i = 0; i < l.size; i++) { a += l[i] - i * i; }
        if (l.size > 0 && (last != l.size - 1 || l[last] != last * last)) { b += 1; }
        c += l.size; } }
      Program main(Graph g) { Invoke k(g); }
    """,
    "blocks of lists that have ended are taken again": """
      Kernel k(Graph g) { ForAll (n In g.nodes) {
        AppendOnlyList<long> kept;
        for (long i = 0; i < 40; i++) {
          AppendOnlyList<long> l;
          for (long j = 0; j < 100; j++) { l.append(n.id * 1000 + j); }
          kept.append(l[99]);
          For (x In l.items) { a += x; }
        }
        For (x In kept.items) { b += x - (n.id * 1000 + 99); }
        c += kept.size; } }
      Program main(Graph g) { Invoke k(g); Invoke k(g); }
    """,
    "elements are nodes, structs and bytes": """
      Kernel k(Graph g) { ForAll (n In g.nodes) {
        AppendOnlyList<node> near; AppendOnlyList<Pair> pairs; array<bool> odd;
        for (int i = 0; i < 30; i++) {
          For (e In n.edges) {
            near.append(e.dst); pairs.append((Pair){n.id + i, e.dst}); odd.append(e.dst.id % 2 == 1); }
        }
        For (m In near.items) { a += m.degree; }
        for (long i = 0; i < pairs.size; i++) { b += pairs[i].first + pairs[i].second.id; if (odd[i]) { c += 1; } } } }
      Program main(Graph g) { Invoke k(g); }
    """,
    "a helper takes an iteration's list and one of the Program's": """
      long sum(AppendOnlyList<long> l, long most) {
        long found = 0;
        for (long i = 0; i < min(l.size, most); i++) { found += l[i]; }
        return found;
      }
      void fill(AppendOnlyList<long> l, long count) { for (long i = 0; i < count; i++) { l.append(i); } }
      Kernel k(Graph g, AppendOnlyList<long> all) { ForAll (n In g.nodes) {
        AppendOnlyList<long> l;
        fill(l, n.id);
        a += sum(l, 1000);
        b += sum(all, 10);
        c += l.size; } }
      Program main(Graph g) { AppendOnlyList<long> all; all.append(5); all.append(6); Invoke k(g, all); }
    """,
    "nested loops use the list of the loop around them and their own": """
      Kernel k(Graph g) { ForAll (n In g.nodes) {
        AppendOnlyList<long> ends;
        ForAll (e In n.edges) { ends.append(e.dst.id); }
        ForAll (e In n.edges) {
          AppendOnlyList<long> own;
          for (long i = 0; i < 20; i++) { own.append(e.dst.id); }
          b += own[19];
        }
        For (x In ends.items) { a += x; }
        c += ends.size; } }
      Program main(Graph g) { Invoke k(g); }
    """,
    "a list under a condition that an Exclusive follows": """
      Kernel k(Graph g) WL list<node> { ForAll (n In WL.items) {
        if (n.id % 3 != 0) {
          AppendOnlyList<node> near;
          For (e In n.edges) { near.append(e.dst); }
          bool done = false;
          Exclusive (g, [n, near]) { n.p += 1; For (m In near.items) { m.p += 1; } done = true; }
          if (!done) { Retry n; }
        } } }
      Kernel s(Graph g) { ForAll (n In g.nodes) { a += n.p; b += n.p * n.id; } }
      Program main(Graph g) { Pipe Once Initial (g.nodes) { Invoke k(g); } Invoke s(g); }
    """,
}
PLANS = [("none block=32", "check"), ("default block=64", "lockstep"), ("np=fg cc=warp outline=off block=32", "check")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_device_gives_what_the_cpu_gives(name: str) -> None:
    text = HEAD + PROGRAMS[name]
    wanted = outcome(text, "default", "cpu", GRAPH).result.scalars
    plans = some(PLANS, text)
    found = [outcome(text, plan, "simt", GRAPH, mode).result.scalars for plan, mode in plans]
    assert found == [wanted] * len(plans)


def test_an_index_outside_of_an_own_list_is_told_at_its_place() -> None:
    text = """Kernel k(Graph g) { ForAll (n In g.nodes) { AppendOnlyList<long> l; l.append(1); a += l[n.id]; } }
      Program main(Graph g) { Invoke k(g); }"""
    told = []
    for target in ("cpu", "simt"):
        with pytest.raises(IrglError) as e:
            outcome(HEAD + text, "default", target, GRAPH)
        told.append(str(e.value))
    assert told[0] == told[1]
    assert "access through NONE or outside of its bounds" in told[0]


def test_a_loop_that_uses_the_list_of_the_one_around_stays_with_its_thread() -> None:
    unit = compile_unit("own.irgl", target="cuda", plan=Plan.parse("np=fg", "cuda"),
                        text=HEAD + PROGRAMS["nested loops use the list of the loop around them and their own"])
    assert [line for line in unit.not_applicable if ": np=" in line] == [
        "k.loop1.loop1: np=fg: it uses an object of its item's thread"]
    assert "k.loop1.loop2: np=fg" in unit.applied


def test_a_mesh_of_an_iterations_own_is_refused_with_its_place() -> None:
    text = HEAD + """Kernel k(Graph g) { ForAll (n In g.nodes) { Mesh m; m.add_point(0.0, 0.0); a += m.num_points; } }
      Program main(Graph g) { Invoke k(g); }"""
    with pytest.raises(IrglError) as e:
        compile_unit("own.irgl", target="cuda", plan=Plan.parse("default", "cuda"), text=text)
    assert e.value.message == "a Mesh of an iteration's own does not run on a device"
    assert e.value.span is not None and e.value.span.line == 5
