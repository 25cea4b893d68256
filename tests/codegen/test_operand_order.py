"""Operands are computed from left to right on every target, where C++ leaves it open."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.awkward_graphs import directed
from support.tables import found_and_wanted, numbered, scalars

from irgl.driver import compile as compile_unit

GRAPH = directed(5, [(0, 1), (1, 2), (2, 3), (3, 4), (1, 1), (0, 4)])
HEAD = """
graph Graph { node int b = 0; node int c = 0; node lock guard; } struct Pair { int x; int y; };
long s = 0; int t = 0;
int add(int x, int y) { return x * 100 + y; }
int bump(int k) { t += k; return t; }
int turn(Pair p) { return p.x * 10 + p.y; }
Pair pair(int k) { Pair p; t += k; p.x = t; p.y = k; return p; }
"""
#: In an operator, on variables of its own and properties of its node.
OPERATOR = {
    "sum": "int i = 1; s += (i += 1).old * 10 + (i += 2).old;",
    "properties": "s += (n.b += 1).old * 10 + (n.b += 2).old;",
    "arguments": "int i = 1; s += add((i += 1).old, (i += 2).old);",
    "a changed argument": "int i = 1; s += add((i += 1).old, i);",
    "a changed operand": "int i = 1; s += (i += 3).old - i;",
    "minimum": "int i = 1; s += min((i += 1).old, i) + max(i, (i += 7).old);",
    "nested": "int i = 1; s += add(add((i += 1).old, i), add(i, (i += 5).old)) - add(i, (i max= 20).old);",
    "update": "int i = 1; n.b += (i += 1).old * i; s += n.b;",
    "changed": "int i = 1; s += add((i += 0).changed, (i += 2).changed) + add((i min= 1).old, (i max= 9).old);",
    "comparison": "int i = 1; if ((i += 1).old < i) { s += 1; } if (i > (i += 5).old) { s += 10; }",
    "division": "int i = 7; s += (i += 1).old / i + i % (i -= 2).old;",
    "shift": "int i = 2; s += (i += 1).old << i;",
    "exchange": "int i = 1; if (cas(n.c, (i += -1).old - 1, i)) { s += 1; } s += n.c;",
    "condition": "int i = 1; s += (i > 0 ? (i += 1).old : 0) - i;",
    "under a lock": "int i = 0; Atomic (n.guard) { g.node((i += 1).old).c = (i += 3).old; } Else { } s += i;",
}
#: At the Program's own level.
PROGRAM = {
    "calls": "s = bump(1) * 10 + bump(2);",
    "calls as arguments": "s = add(bump(1), bump(2));",
    "a scalar": "s = t * 1000 + bump(3) * 10 + t;",
    "structs": "s = turn(pair(1)) * 1000 + turn(pair(2));",
    "elements": "array<long> z; z.resize(9); int i = 1; z[(i += 1).old] += (i += 2).old; s = z[1] * 10 + z[2];",
    "of a kernel": "Invoke k(g, bump(1), bump(2));",
    "of an outlined kernel": "Pipe Once { Invoke k(g, (t += 1).old, (t += 2).old); Invoke k(g, t, (t += 4).old); }",
    "of a kernel's value": "if (Any Invoke j(g, bump(1), bump(2))) { s += 1; }",
    "of a kernel of rounds": "Iterate While Any j(g, bump(1), bump(2)) { s += 1000; }",
}
#: At a kernel's own level, which all threads run together: one of them changes what they share, each its variables.
KERNEL = {word: body for word, body in OPERATOR.items() if "n." not in body} | {
    "own in an update": "int i = 0; s += (i += 1).old + 7; s += (s += (i += 4).old).old; s += i * 100;",
    "own in a declaration": "int i = 0; long y = (s += (i += 1).old + 2).old; s = y + i * 10 + s * 100;",
    "own in a call": "int i = 3; int z = bump((i += 2).old); s = z + i * 100; t = 0;",
    "own in a condition": "int i = 1; if ((s += (i += 1).old).changed && (s += (i += 4).old).old > 0) i += 9; s += i;",
    "own in one of two": "int i = 1; long w = i > 0 ? (s += (i += 1).old).old : 9; s += w + i * 10;",
    "own in a loop": "int i = 0; while ((s += (i += 1).old).old < 20) { s += 1; } s += i * 100;",
    "own in a property": "int i = 0; g.node(0).c += (i += 2).old; s = (g.node(0).c max= (i += 9).old).old + i;",
    "own in a store": "int i = 0; s = (i += 5).old + 1; s += i;",
    "a range": "int i = 3; ForAll (n In range((s += (i += 1).old).old + 2)) { s += 1; } s += i * 10;",
}
#: In a loop of the Program that may run as one kernel.
LOOP = {word: f"Pipe Once {{ {body} Invoke j(g, 1, 2); }}" for word, body in KERNEL.items() if word != "a range"}
PLANS = ["outline=off block=32", "np=fg cc=block outline=all block=64", "outline=graph block=32"]


def text_of(bodies: Mapping[str, str], where: str) -> str:
    """A program of all bodies, each with a scalar of its own for what it finds; `where` they stand."""
    made = [numbered(body, i) for i, body in enumerate(bodies.values())]
    kernels = ["""Kernel k(Graph g, int x, int y) { ForAll (n In g.nodes) { s += x * 100 + y; } }
Kernel j(Graph g, int x, int y) { ForAll (n In g.nodes) { ReduceAndReturn (x * 10 + y < 30); } }"""]
    if where != "Program":
        loop = "ForAll (n In g.nodes) {"
        around = (f"{loop} ", " }") if where == "operator" else ("", f" {loop} n.b = 1; }}")
        kernels = [f"Kernel k{i}(Graph g) {{ {around[0]}{body}{around[1]} }}" for i, body in enumerate(made)]
        made = [f"Invoke k{i}(g);" for i in range(len(made))]
    main = "\n".join(f"{{ {body} }}" for body in made)
    return "\n".join(['import "array.irgl";', scalars(len(bodies)), HEAD, *kernels,
                      f"Program main(Graph g) {{ {main} }}\n"])


@pytest.mark.parametrize(("plan", "target"), [("default", "cpu"), *((plan, "simt") for plan in PLANS)])
@pytest.mark.parametrize(("bodies", "where"), [(OPERATOR, "operator"), (KERNEL, "kernel"), (PROGRAM, "Program"),
                                               (LOOP, "Program")], ids=["operators", "kernels", "Program", "loops"])
def test_operands_are_computed_from_left_to_right(bodies: Mapping[str, str], where: str, plan: str,
                                                  target: str) -> None:
    text = text_of(bodies, where)
    found, wanted = found_and_wanted(text, plan, target, GRAPH, [*bodies, "s", "t"])
    assert found.scalars == wanted.scalars


def test_operands_that_do_not_touch_each_other_stand_as_they_are() -> None:
    text = text_of({"": "int i = 1; int j = 2; s += (i += 1).old * 10 + (j += 2).old + n.b;"}, "operator")
    assert "operand_" not in compile_unit("p.irgl", text=text).text
