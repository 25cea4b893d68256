"""Programs whose rounds lower, raise, join or set values until nothing changes.

Of many one can't tell the rounds in the end, of many one can, by a sum that wraps around, a condition that ends, a node
that isn't pushed.
"""

from __future__ import annotations

from support.choices import Choices
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram

HEAD = """graph Graph {
  node T p = START; node T q = OTHER; node T told = TOLD; node bool on = false; node uint8 seen = 0; node int kept = 3;
  edge int w;
}
int least = INF;
int most = -9;
int bits = 0;
bool any = false;
"""
BEGIN = """Kernel begin(Graph g) {
  ForAll (n In g.nodes) {
    if (hash(n.id) % SPARSE == 0) { n.p = (T)(FIRST); n.q = (T)(hash(n.id + 5) % 7); n.on = true; }
    n.kept = (int)(hash(n.id + 9) % 11) - 2;
  }
}
"""
#: What is offered; V stands for the node's own value, W for a number of the edge.
_OFFERS = ("V", "V + W", "V + 1", "V - 1", "min(V, (T)1000) + W", "max(V, (T)3)", "min(V, (T)e.w)", "V / 2", "V - W",
           "max(V + W, (T)3)", "(V + W) / 2",
           "V + V", "10 - V", "V * 2", "(e.w > 3 ? V : V + 1)", "min(V, n.q) + W", "(T)((long)V + W)", "n.kept + 4",
           "V + n.q", "e.dst.q + W", "V | e.w", "V & 6", "V & n.q")
_WEIGHTS = ("1", "e.w", "(e.w & 7)", "e.w % 3", "e.dst.kept", "(T)2")
#: Conditions before an update; X stands for what is offered.
_GUARDS = ("", "", "", "V < INF", "V != INF", "X >= V", "X <= V", "X < e.dst.p", "X > e.dst.p", "V > 3", "V < 9",
           "V < n.q", "n.q <= V", "e.w > 2", "n.on", "!n.on", "e.dst.kept > 0", "X >= V && X < e.dst.p",
           "V < INF && e.w >= 0", "V > 0 || e.w > 3", "V != 5", "e.dst.q < 4", "X < INF")
_BESIDE = ("", "", "", "", "least min= (int)V;", "most max= (int)V;", "bits |= n.kept & 3;", "racy any = true;",
           "if (V < 9) { racy any = true; }", "if (V > 9) { racy any = true; }", "e.dst.q min= V;", "e.dst.q max= V;",
           "if (e.dst.q max= n.q) { AGAIN }", "if (e.dst.q min= n.q + 1) { AGAIN }", "e.dst.seen |= (uint8)e.w;",
           "racy e.dst.on = true;", "least min= n.kept;", "bits += 1;")
#: Ways to note what a node has offered, and to offer nothing that is no better.
_NOTES = ("if (V < n.told) { n.told = V; TEXT }", "if (n.told > V) { n.told = V; TEXT }",
          "if (V > n.told) { n.told = V; TEXT }", "if (n.on && V < n.told) { n.told = V; TEXT }",
          "if (V <= n.told) { n.told = V; TEXT }", "if (V < n.told) { n.told = n.q; TEXT }",
          "if (n.q < n.told) { n.told = n.q; TEXT }", "if (V < n.told) { n.told = V; TEXT } most max= (int)n.told;")
#: Ways to claim a node.
_CLAIMS = ("if (!e.dst.on) { racy e.dst.on = true; AGAIN }", "if (e.dst.seen == 0) { racy e.dst.seen = 2; AGAIN }",
           "if (cas(e.dst.seen, 0, 7)) { AGAIN }", "if (e.w > 2 && e.dst.seen != 4) { racy e.dst.seen = 4; AGAIN }",
           "if (e.dst.p == START) { racy e.dst.p = (T)step; AGAIN }",
           "if (e.dst.p == START) { racy e.dst.p = V; AGAIN }",
           "if (e.dst.seen == n.seen) { racy e.dst.seen = 1; AGAIN }")


def merges(c: Choices) -> RandomProgram:
    """A program, its graph, and no parameters."""
    t = c.pick(("int", "int", "long", "double", "uint32", "int8", "float"))
    op = c.pick(("min", "min", "max", "|", "&") if t not in ("double", "float") else ("min", "max"))
    text = _offers(c, t, op) if c.chance(80) else f"ForAll (e In n.edges) {{ {c.pick(_CLAIMS)} {_beside(c)} }}"
    sweeps = c.chance(30)
    again = "ReduceAndReturn(true);" if sweeps else c.pick(("WL.push(e.dst);",) * 9 + ("WL.push(n);",))
    kind = c.pick(("list", "list", "set", "bitmap"))
    host = "Iterate While Any k(g, step);" if sweeps else c.pick((
        f"Iterate k(g, step) Initial {c.pick(('[src, src]', '(g.nodes)'))};",
        "Pipe Initial (g.nodes) { Invoke k(g, step); }"))
    own = c.pick(("n.p", "here"))
    before = f"{t} here = n.p; " if own == "here" else ""
    if c.chance(30):
        text, kind = c.pick(_NOTES).replace("TEXT", text), "set"
    body = (before + text).replace("AGAIN", again).replace("V", own)
    over, wl = ("g.nodes", "") if sweeps else ("WL.items", f" WL {kind}<node>")
    whole = (f"{HEAD}Kernel k(Graph g, int step){wl} {{ ForAll (n In {over}) {{ {body} }} }}\n{BEGIN}"
             f"Program fix(weighted Graph g, node src = first) {{ int step = {c.pick(('2', '0'))}; Invoke begin(g); "
             f"{host} }}\n")
    start = {"min": "INF", "max": "0", "|": "0", "&": "127"}[op]
    first = c.pick(("hash(n.id + 5) % 7", "INF - 2", "(long)(hash(n.id + 5) % 9) - 4", "100 + hash(n.id) % 30"))
    whole = whole.replace("FIRST", first).replace("START", start).replace("OTHER", c.pick(("INF", "0", "4")))
    whole = whole.replace("TOLD", c.pick(("INF", "0", "4", start)))
    whole = whole.replace("SPARSE", c.pick(("2", "1", "4")))
    whole = whole.replace("(T)", f"({t})").replace("node T", f"node {t}")
    return RandomProgram(whole, graph(c), {})


def _offers(c: Choices, t: str, op: str) -> str:
    """A loop over edges that offers their far ends something."""
    value = c.pick(_OFFERS).replace("W", c.pick(_WEIGHTS))
    named = c.chance(60)
    what = "there" if named else f"({t})({value})" if c.chance(60) else value
    guard = c.pick(_GUARDS).replace("X", what if named else f"({t})({value})")
    update = c.pick(("(e.dst.p OP= X)", "(e.dst.p OP= X).changed")).replace("OP", op).replace("X", what)
    told = c.pick((f"if ({guard} && {update}) {{ AGAIN }}" if guard else f"if ({update}) {{ AGAIN }}",
                   f"if ({guard or 'true'}) {{ if ({update}) {{ AGAIN }} }}",
                   f"if ({update}) {{ AGAIN {'AGAIN' if c.chance(10) else ''} }}",
                   f"if ({update}) {{ if ({guard or 'e.w > 1'}) {{ AGAIN }} }}" if c.chance(30) else
                   f"if ({update}) {{ AGAIN }}"))
    loop = f"ForAll (e In n.edges) {{ {f'{t} there = ({t})({value}); ' if named else ''}{told} {_beside(c)} }}"
    outer = c.pick(_GUARDS) if c.chance(30) else ""
    return loop if not outer or "X" in outer or "e." in outer else f"if ({outer}) {{ {loop} }}"


def _beside(c: Choices) -> str:
    return c.pick(_BESIDE)


def graph(c: Choices) -> SmallGraph:
    """Some have a long path, on which rounds matter; weights may be negative or large."""
    n = c.pick((1, 2, 5, 9, 14, 0))
    large = c.chance(15)
    arcs = [(c.below(n), c.below(n), c.below(12) - 2 * c.chance(20)) for _ in range(c.below(3 * n + 1))] if n else []
    arcs = [(a, b, 2**31 - 1 - abs(w) if large and c.chance(30) else w) for a, b, w in arcs]
    if n > 4 and c.chance(60):
        arcs += [(i, i + 1, c.below(9)) for i in range(n - 1)]
    return from_arcs(n, arcs)
