"""What all threads of the grid compute, they compute from what was there before: in the emulator as in the interpreter.

Ranges that their own loop changes, arguments that the kernel changes, conditions on lists that are pushed to next; and
what is to happen once, where all threads run the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pytest
from support.agreement import disagreements
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram
from support.simt_batch import all_compared

from irgl import driver
from irgl.plan import Plan
from irgl.source import IrglError

HEAD = """import "append_only_list.irgl";
import "array.irgl";
struct Pair { int first; int second; };
graph Graph { node int a = 0; node int tries = 0; node lock guard; edge int w; }
long s = 0;
int total = 0;
int twice(int x) { return 2 * x; }
int more(int x) { total += x; return total; }
int seen() { return total; }
"""
PATH = from_arcs(40, [(v, v + 1, v % 7) for v in range(39)])
SMALL = from_arcs(5, [(v, v + 1, 1) for v in range(4)])
WAYS = ("outline=off", "outline=all", "outline=graph")


def wrong(texts: Iterable[str], plans: Sequence[str] = ("",), *, graph: SmallGraph = PATH,
          capacity: int = 1) -> dict[str, str]:
    """What the emulator complains of, or finds otherwise than the interpreter, by plan and program."""
    programs = [RandomProgram(HEAD + text, graph, {}) for text in texts]
    return all_compared(programs, [f"block=32 {plan}" for plan in plans], capacity)


def text_of(program: str, plan: str = "") -> str:
    unit = driver.compile("p.irgl", target="cuda", plan=Plan.parse(plan, "cuda"), text=HEAD + program)
    return "\n".join(line for line in unit.text.splitlines() if not line.startswith("#line"))


# Ranges

#: What comes before the loop, its range, and what its iterations do to that.
MOVING = (
    ("total = 3000;", "range(total)", "total += 1;"),
    ("total = 3000;", "range(total - 2900, total)", "total -= 1;"),
    ("g.node(1).a = 3000;", "range(g.node(1).a)", "g.node(1).a += 1;"),
    ("g.node(1).a = 40;", "range(g.node(1).a)", "node n = g.node(i); n.a = 3000; s += i;"),
    ("total = 3000;", "range(twice(total))", "total -= 1;"),
    ("total = 7;", "range((total += 29).old * 20)", "s += 1;"),
    ("", "range(more(3000))", "s += 1;"),
)


def test_a_range_is_what_it_was_before_its_loop() -> None:
    assert wrong((f"""
Kernel k(Graph g) {{ ForAll (i In {items}) {{ {body} }} }}
Program entry(Graph g) {{ {before} Invoke k(g); }}""" for before, items, body in MOVING), ["cc=off", "cc=block"]) == {}


def test_a_range_is_what_it_was_before_each_invocation() -> None:
    assert wrong((f"""
Kernel k(Graph g) {{ ForAll (i In {items}) {{ {body} }} }}
Program entry(Graph g) {{
  {before}
  Pipe Once {{ for (int j = 0; j < 3; j++) {{ Invoke k(g); total = total & 127; g.node(1).a = 35; }} }}
}}""" for before, items, body in MOVING), WAYS) == {}


def test_a_range_of_a_kernel_that_pushes_block_by_block() -> None:
    assert wrong(["""
Kernel k(Graph g, list<int> l) { ForAll (i In range(total)) { total += 1; if (i % 3 == 0) { l.push((int)i); } } }
Program entry(Graph g) {
  list<int> l;
  total = 300;
  Pipe Once { for (int j = 0; j < 3; j++) { Invoke k(g, l); } }
  s = l.size;
}"""], [f"cc=block {way}" for way in WAYS]) == {}


def test_a_range_of_a_library_object_that_changes() -> None:
    assert wrong(["""
Kernel k(Graph g, AppendOnlyList<int> l) { ForAll (i In range(l.size)) { l.append(2); } }
Program entry(Graph g) {
  AppendOnlyList<int> l;
  for (int j = 0; j < 1500; j++) { l.append(1); }
  Invoke k(g, l);
  s = l.size;
}""", """
Kernel k(Graph g, array<int> x) { ForAll (i In range(x[0])) { x[0] += 1; } }
Program entry(Graph g) { array<int> x; x.resize(2); x[0] = 3000; Invoke k(g, x); s = x[0]; }"""]) == {}


def test_the_range_of_a_second_loop() -> None:
    assert wrong(["""
Kernel k(Graph g) {
  ForAll (n In g.nodes) { total += 50; n.a += 1; }
  ForAll (i In range(total)) { total += 1; }
  if (total > 100) { again: ForAll (i In range(total)) { total += 1; } }
  ForAll (n In g.nodes) { total += n.a; }
}
Program entry(Graph g) { Invoke k(g); }"""]) == {}


def test_a_value_over_a_range_that_changes() -> None:
    assert wrong(["""
Kernel k(Graph g) { ForAll (i In range(total)) { total += 1; ReduceAndReturn(i > 1000); } }
Kernel none(Graph g) { ForAll (i In range((total += 1).old - 10000)) { ReduceAndReturn(true); } }
Program entry(Graph g) {
  total = 7;
  Iterate Until Any k(g) { if (total > 900) { break; } }
  if (Any Invoke k(g)) { s += 1; }
  if (All Invoke none(g)) { s += 2; }
}"""], WAYS) == {}


def test_all_blocks_meet_as_often_in_an_exclusive() -> None:
    assert wrong(["""
Kernel k(Graph g) {
  ForAll (i In range(total)) {
    node n = g.node(i % 40);
    total += 1;
    Exclusive (g, [n]) { n.a = n.a; }
  }
}
Program entry(Graph g) { total = 1500; Invoke k(g); }"""]) == {}


def test_a_range_that_changes_keeps_a_kernel_out_of_a_cuda_graph() -> None:
    text = """Kernel k(Graph g) { ForAll (i In range(total)) { total += 1; } }
Program entry(Graph g) { Pipe Once { Invoke k(g); } }"""
    with pytest.raises(IrglError, match="'k' has barriers of its own, which a kernel in a graph can't have"):
        text_of(text, "entry.pipe1.outline=graph")


@pytest.mark.parametrize("loop", ["ForAll (i In range(total)) { s += 1; }",
                                  "ForAll (n In g.nodes) { total += 1; }",
                                  "ForAll (x In l.items) { l.append(total); }"])
def test_a_range_that_stays_needs_no_barrier(loop: str) -> None:
    text = text_of(f"""Kernel k(Graph g, AppendOnlyList<int> l) {{ {loop} }}
Program entry(Graph g) {{ AppendOnlyList<int> l; Invoke k(g, l); }}""")
    assert "launch_cooperative" not in text
    assert "settled" not in text


def test_a_range_is_computed_once_on_the_cpu() -> None:
    text = """
Kernel k(Graph g) { ForAll (i In range((total -= 6).old & 31)) { s += i; ReduceAndReturn(i > 3); } }
Program entry(Graph g) { total = 29; if (Any Invoke k(g)) { s += 100; } if (All Invoke k(g)) { s += 1000; } }"""
    assert disagreements([RandomProgram(HEAD + text, PATH, {})]) == []


# Arguments

def test_arguments_are_taken_before_the_kernel_changes_them() -> None:
    cases = [("int x, int y", "total, total + 2"), ("long x, int y", "l.size, 1"),
             ("bool x, node y", "total > 3, g.node(total)"), ("int x, int y", "g.node(3).a, (total += 1).old"),
             ("Pair x, int y", "(Pair){total, 1}, (int)g.node(0).a")]
    uses = [("x.first" if "Pair" in p else "x", "y.id" if "node" in p else "y") for p, _ in cases]
    assert wrong((f"""
Kernel bump(Graph g, list<node> l, {params}) {{
  ForAll (n In g.nodes) {{ if ({x} < 20) {{ total += 1; }} l.push(n); n.a += (int)({x}); s += (long)({y}); }}
}}
Program entry(Graph g) {{
  list<node> l;
  Pipe Once {{ for (int i = 0; i < 5; i++) {{ Invoke bump(g, l, {args}); total = total % 4; }} }}
}}""" for (params, args), (x, y) in zip(cases, uses, strict=True)), WAYS, capacity=0) == {}


@pytest.mark.parametrize("word", ["Respawn", "Retry"])
def test_arguments_are_taken_once_for_all_rounds_of_an_invocation(word: str) -> None:
    assert wrong((f"""
Kernel bump(Graph g, list<node> l, long x) {{
  ForAll (n In WL.items) {{
    total += 1;
    n.tries += 1;
    n.a += (int)x;
    l.push(n);
    if (n.tries % 3 != 0) {{ {word} n; }}
  }}
}}
Program entry(Graph g) {{
  list<node> l;
  Pipe Once Initial (g.nodes) {{ Invoke bump(g, l, {argument}); s += total; }}
  Iterate bump(g, l, {argument}) Initial [g.node(1)] {{ total += 1; }}
}}""" for argument in ("total", "total * 2 + 1", "(total += 3).old", "g.node(2).tries", "l.size")), WAYS) == {}


def test_items_come_back_in_a_loop_over_a_value() -> None:
    assert wrong(["""
Kernel k(Graph g, int x) WL list<int> {
  ForAll (i In WL) {
    int y = WL.pop(i);
    s += y * 3 + x;
    total += 1;
    ReduceAndReturn(y == 0);
    if (y > 0) { Respawn (y - 1); }
    if (y > 3) { WL.push(y - 3); }
  }
}
Program entry(Graph g) {
  Iterate Until All k(g, total) Initial [9, 2] { s = s * 5; }
  Iterate While Any k(g, total) Initial [9, 2] { s = s * 7; }
}"""], WAYS) == {}


def test_an_argument_that_the_kernel_leaves_alone_stands_in_the_call() -> None:
    text = text_of("""Kernel k(Graph g, int x) { ForAll (n In g.nodes) { n.a += x; } }
Program entry(Graph g) { Pipe Once { for (int i = 0; i < 3; i++) { Invoke k(g, total); } } }""")
    assert re.search(r"^ *k\(t, c, g, c\.globals->total\);\n *t\.sync\(\);$", text, re.MULTILINE)
    assert "argument" not in text


# Conditions

GROW = """Kernel grow(Graph g, list<node> l) { ForAll (n In g.nodes) { l.push(n); } }
Kernel use(Graph g, list<node> l, list<node> k) { ForAll (n In l.items) { k.push(n); total += 1; } }
"""


@pytest.mark.parametrize("capacity", [0, 1])
def test_a_condition_on_a_list_is_tested_before_a_kernel_pushes_to_it(capacity: int) -> None:
    assert wrong((f"""{GROW}
Program entry(Graph g) {{
  list<node> l;
  list<node> k;
  int i = 0;
  Pipe Once {{ {loop} }}
  s = s * 1000 + l.size + 3 * k.size + i;
}}""" for loop in (
        "while (i < 4) { if (l.size < 100) { Invoke grow(g, l); } s += l.size; i++; }",
        "while (l.size < 100) { Invoke grow(g, l); i++; }",
        "do { Invoke grow(g, k); Invoke use(g, k, l); i++; } while (l.size < 300);",
        "for (int j = 0; j < 9 && l.size < 150; j++) { if (k.size > l.size) { l.swap(k); } Invoke grow(g, k); }",
        "while (i < 3) { if (l.size < 90) { l.swap(k); Invoke grow(g, k); } i++; }",
        "if (l.size == 0) { l.clear(); Invoke grow(g, l); } if (l.size == 40) { l.clear(); } Invoke grow(g, l);",
    )), WAYS, capacity=capacity) == {}


def test_a_kernel_that_pushes_to_a_list_that_nobody_asks_waits_for_none() -> None:
    text = text_of(f"""{GROW}
Program entry(Graph g) {{
  list<node> l;
  list<node> k;
  Pipe Once {{ for (int j = 0; j < 3 && k.size < 9; j++) {{ Invoke grow(g, l); }} }}
}}""")
    assert text.count("t.sync();") == 1
    assert text.index("grow(t, c, g, s.l);") < text.index("t.sync();")


@pytest.mark.parametrize(("between", "barriers"), [("", 2), ("l.clear();", 2), ("h += total;", 3), ("total += 1;", 2)])
def test_threads_that_have_just_met_need_not_meet_again(between: str, barriers: int) -> None:
    text = text_of(f"""{GROW}
Program entry(Graph g) {{
  list<node> l;
  list<node> k;
  int h = 0;
  Pipe Once {{ for (int j = 0; j < 3; j++) {{ Invoke grow(g, l); {between} Invoke use(g, l, k); }} h += total; }}
}}""")
    assert text.count("t.sync();") == barriers


def test_variables_may_be_called_like_members_of_a_loops_state() -> None:
    assert wrong(["""
Kernel k(Graph g, int x, long y) { ForAll (n In g.nodes) { total += x; n.a += (int)y; ReduceAndReturn(x < 0); } }
Program entry(Graph g) {
  int call = 3;
  int at = 2;
  int argument_1_2 = 1;
  int again_1 = 4;
  Iterate While Any k(g, total + call, again_1) { at += 1; }
  Pipe Once { Invoke k(g, total + argument_1_2, at); argument_1_2 += 1; call += 1; }
  s = call * 1000 + at * 100 + argument_1_2 * 10 + again_1;
}"""], WAYS) == {}


# What one thread does where all run the statement

def test_the_program_updates_once_in_a_loop_on_the_gpu() -> None:
    assert wrong((f"""
Kernel k(Graph g, long x, Pair p) {{ ForAll (n In g.nodes) {{ s += x + p.first * 10 + p.second * 100; }} }}
Program entry(Graph g) {{
  total = 5;
  long h = 9;
  Pair p = (Pair){{1, 2}};
  Pipe Once {{ for (int i = 0; i < 3; i++) {{ {statement} Invoke k(g, h, p); }} }}
  s = s * 10 + h + p.first + p.second + g.node(1).a;
}}""" for statement in (
        "h = (total += 1).old;", "h += (total += 1).old;", "h min= (total -= 1).old;",
        "int x = (total += 1).old; h += x;", "if ((total += 1).old < 6) { h += 2; }",
        "while ((total += 1).old < 9) { h += 1; }", "p.first = 7; h += p.first;",
        "Pair q = p; q.second = 5 + i; p = q;", "if (cas(g.node(1).a, 0, 5)) { h += 3; }",
        "for (int j = (total += 1).old; j < 8; j++) { h += j; }", "h += total > 5 ? (total -= 3).old : 1;",
    )), WAYS) == {}


def test_a_kernel_of_several_loops_updates_once_between_them() -> None:
    assert wrong((f"""
Kernel k(Graph g) {{
  int x = 1;
  {statement}
  ForAll (n In g.nodes) {{ n.a += x; }}
  ForAll (n In g.nodes) {{ s += n.a; }}
}}
Program entry(Graph g) {{ total = 5; Invoke k(g); }}""" for statement in (
        "x = (total += 1).old;", "x += (total += 1).old;", "int y = 3; x = (y += 1).old; x += y;", "x = more(2);",
        "if ((total += 1).old < 6) { ForAll (n In g.nodes) { n.a = 1; } }",
        "while (more(1) < 9) { ForAll (n In g.nodes) { n.a += 1; } }",
        "do { ForAll (n In g.nodes) { n.a += 1; } } while (more(1) < 9);",
        "for (int j = more(1); j < more(0) + 2; j++) { ForAll (n In g.nodes) { n.a += j; } }",
        "if (seen() < 9) { ForAll (n In g.nodes) { n.a += 1; total += 1; } }",
        "Pair p = (Pair){1, 2}; p.first = 7; x = p.first;",
        "Pair p = (Pair){1, 2}; if (total > 3) { p.first = 7; s += 1; } x = p.first;",
    )), ["cc=off"]) == {}


def test_a_kernel_of_several_loops_sees_what_it_has_appended() -> None:
    assert wrong((f"""
Kernel k(Graph g, AppendOnlyList<int> l) {{ {statement} ForAll (n In g.nodes) {{ n.a += (int)l.size; }} }}
Program entry(Graph g) {{ AppendOnlyList<int> l; l.append(5); Invoke k(g, l); Invoke k(g, l); s = s * 7 + l.size; }}
""" for statement in (
        "long x = l.append(3); ForAll (n In g.nodes) { s += x + l[x]; }",
        "long x = l.size; ForAll (n In g.nodes) { l.append(1); s += x; }",
        "if (l.size < 9) { ForAll (n In g.nodes) { l.append(1); s += 1; } }",
        "ForAll (n In g.nodes) { l.append(2); } ForAll (x In l.items) { s += x; }",
        "ForAll (n In g.nodes) { l.append(2); } ForAll (n In g.nodes) { For (x In l.items) { s += x; } }",
        "l.append(7); ForAll (x In l.items) { s += x; }",
        "for (int i = 0; i < 3; i++) { ForAll (x In l.items) { l.append(x + 1); } }",
    )), graph=SMALL) == {}


def test_an_argument_that_changes_a_variable_is_taken_once_however_often_items_come_back() -> None:
    assert wrong(["""
Kernel k(Graph g, int x, int y) WL list<node> {
  ForAll (i In WL) {
    node n = WL.pop(i);
    s += x * 100 + y;
    if ((n.tries += 1).old < 3) { Respawn n; }
  }
}
Program entry(Graph g) {
  int h = 1;
  Pipe Once Initial [g.node(1), g.node(2)] { Invoke k(g, (h += 3).old, h); Invoke k(g, h, (h -= 1).old); }
  total = h;
}"""], WAYS) == {}
