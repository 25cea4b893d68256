"""Programs whose loop runs while any node of all has work: searches by level, relaxations, labels that spread.

Each leaves the same in any order of a round's iterations, but for how many rounds there are; where that is settled,
too, it is part of the answer.
"""

from __future__ import annotations

from support.choices import Choices
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram

HEAD = """graph Graph { node T p = START; node T q = END; node bool on = false; node int kept = 3; edge int w; }
long rounds = 0;
long visits = 0;
int moved = 1;
int turn = 0;
"""
BEGIN = """Kernel begin(Graph g) {
  ForAll (n In g.nodes) {
    if (hash(n.id) % SPARSE == 0) { n.p = (T)(hash(n.id + 5) % 7); n.on = true; }
  }
}
"""


def _weight(c: Choices) -> str:
    return c.pick(("1", "e.w", "e.w % 3 + 1", "(e.w & 7)", "e.dst.kept"))


def _told(c: Choices, update: str, yes: str) -> str:
    """An update with what happens where it did something."""
    return c.pick((f"if ({update}) {{ {yes} }}", f"if (({update}).changed) {{ {yes} }}",
                   f"if (e.w >= 0 && ({update})) {{ {yes} }}"))


def _levels(c: Choices, yes: str) -> tuple[str, str]:
    """A search by levels, some of whose nodes have numbers to begin with."""
    less, step = c.pick((("step - 1", "step"), ("step", "step + 1"), ("step + 2", "step + 3")))
    test = c.pick((f"n.p == {less}", f"{less} == n.p && n.kept == 3"))
    return (f"if ({test}) {{ visits += 1; ForAll (e In n.edges) {{ "
            f"if (e.dst.p == INF) {{ racy e.dst.p = {step}; {yes} }} }} }}"), "min"


def _relaxed(c: Choices, yes: str) -> tuple[str, str]:
    """A relaxation that notes with what its node ran last."""
    op = c.pick(("min", "max"))
    less = "<" if op == "min" else ">"
    value = f"here + {_weight(c)}" if op == "min" else "min(here + 1, (T)9)"
    update = f"e.dst.p {op}= (T)({value})"
    test = c.pick((f"here {less} n.q", f"n.q {'>' if op == 'min' else '<'} here", "here != n.q"))
    before = f"if ((T)({value}) {less} e.dst.p) " if c.chance(30) else ""
    told = f"{before}{{ {_told(c, update, yes)} }}"
    return f"T here = n.p; if ({test}) {{ n.q = here; ForAll (e In n.edges) {{ {told} }} }}", op


def _spread(c: Choices, yes: str) -> tuple[str, str]:
    """Labels that spread, asked for anew each time."""
    op = c.pick(("min", "max"))
    less = "<" if op == "min" else ">"
    value = f"(T)(min(n.p, (T)1000) + {_weight(c)})" if op == "min" else "(T)min(n.p + 1, (T)9)"
    before = f"if ({value} {less} e.dst.p) " if c.chance(40) else ""
    guard = c.pick(("", "if (n.p == START) { continue; } ", "if (n.kept > 2 && n.p != START) "))
    return f"{guard}ForAll (e In n.edges) {{ {before}{{ {_told(c, f'e.dst.p {op}= {value}', yes)} }} }}", op


def rounds(c: Choices) -> RandomProgram:
    """A program, its graph, and no parameters."""
    flag = c.chance(40)
    yes = c.pick(("racy moved = 1;", "racy moved = 5;")) if flag else "ReduceAndReturn(true);"
    kind = c.below(3)
    body, op = (_levels, _relaxed, _spread)[kind](c, yes)
    t = "int" if kind == 0 else c.pick(("int", "long", "double"))
    start = "INF" if op == "min" else "0"
    count = "rounds++;" if kind == 0 else ""
    shared = kind == 0 and c.chance(50)
    step = _step(c) if kind == 0 else "step++;"
    loop = _flagged(c, count, step) if flag else f"Iterate While Any k(g, step) {{ {step} {count} }}"
    first = f"step = {c.pick(('1', '0', '3'))};"
    if shared:  # all kernels see the number
        body, loop = body.replace("step", "turn"), loop.replace("k(g, step)", "k(g, 0)").replace("step", "turn")
    first = first.replace("step", "turn") if shared else f"int {first}"
    text = (f"{HEAD}{BEGIN}Kernel k(Graph g, int step) {{ ForAll (n In g.nodes) {{ {body} }} }}\n"
            f"Program p(Graph g) {{ Invoke begin(g); {first} {loop} }}")
    text = text.replace("START", start).replace("END", "INF" if op == "min" else "-1")
    text = text.replace("SPARSE", c.pick(("3", "1", "8"))).replace("T here", f"{t} here").replace("(T)", f"({t})")
    text = text.replace("node T", f"node {t}")
    return RandomProgram(text, _graph(c), {})


def _step(c: Choices) -> str:
    """How a number of the round goes on, mostly by one."""
    return c.pick(("step++;", "step = step + 1;", "step += 1 + (int)(rounds % 2);", "step += 2;", "step--;",
                   "if (rounds % 3 == 1) { rounds++; continue; } step++;", "if (step < 6) { step += 1; }"))


def _flagged(c: Choices, count: str, step: str) -> str:
    if "continue" in step:
        step = "step++;"
    return c.pick((f"while (moved) {{ moved = 0; Invoke k(g, step); {step} {count} }}",
                   f"while (true) {{ moved = 0; Invoke k(g, step); {count} if (moved == 0) {{ break; }} {step} }}",
                   f"do {{ moved = 0; {count} Invoke k(g, step); {step} }} while (moved != 0);"))


def _graph(c: Choices) -> SmallGraph:
    n = c.pick((1, 2, 5, 12, 30, 0))
    arcs = [(c.below(n), c.below(n), c.below(12)) for _ in range(c.below(3 * n + 1))] if n else []
    if n > 5 and c.chance(40):
        arcs += [(i, i + 1, c.below(9)) for i in range(n - 1)]
    return from_arcs(n, arcs)
