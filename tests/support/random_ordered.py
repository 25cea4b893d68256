"""Random programs on priority queues, whose answers, rounds included, depend on no order inside a bucket."""

from __future__ import annotations

import re
from dataclasses import replace

from support.choices import Choices
from support.random_graphs import SmallGraph, from_arcs
from support.random_programs import RandomProgram

#: What a move along an edge comes to, with the way that it goes: by words of the node behind and of the edge.
_FALLING = ("{n}.p + e.length", "max({n}.p, e.length)", "{n}.p + abs(e.length - 20)", "{n}.p / 2 + e.length * 3")
_RISING = ("min({n}.p, e.length)", "{n}.p - abs(e.length)", "min({n}.p - 1, e.length * 2)")


def ordered(c: Choices) -> RandomProgram:
    """A program of one queue: nodes that move others, unseen or not, or peel them, or come back themselves."""
    kind = c.pick(("moves", "moves", "moves", "quiet", "quiet", "peels", "peels", "returns"))
    made = {"moves": _moving, "quiet": _quiet, "peels": _peeling, "returns": _returning}[kind](c)
    return _held(made) if c.chance(25) else made


def _held(made: RandomProgram) -> RandomProgram:
    """The same program, whose queue is a variable: a `while` asks what its Iterate or Pipe would."""
    by = re.search(r"priority_queue<node>(\([^)]*\))", made.text)
    loop = re.search(r"  (?:Iterate (?:Until \((?P<until>.*)\) )?(?P<call>\w+\([^)]*\))|Pipe) "
                     r"Initial (?P<first>\S.*\]|\([^)]*\)) \{(?P<body>.*)\}\n", made.text)
    assert by is not None and loop is not None, made.text
    first = loop["first"]
    pushed = "For (n In g.nodes) { queue.push(n); }" if first == "(g.nodes)" else " ".join(
        f"queue.push({n.strip()});" for n in first.strip("[]").split(","))
    body = re.sub(r"Invoke (\w+\([^)]*\));", r"Invoke \1 WL queue;", loop["body"])
    call = f"Invoke {loop['call']} WL queue;" if loop["call"] else ""
    leave = f" if ({loop['until'].replace('WL.', 'queue.')}) {{ break; }}" if loop["until"] else ""
    text = f"  priority_queue<node>{by[1]} queue;\n  {pushed}\n  while (!queue.empty) {{ {call}{body}{leave} }}\n"
    return replace(made, text=made.text[:loop.start()] + text + made.text[loop.end():])


def _graph(c: Choices) -> SmallGraph:
    nodes = c.pick((2, 5, 9, 17, 33))
    arcs = [(c.below(nodes), c.below(nodes), c.below(60)) for _ in range(c.pick((0, 1, 3, 5)) * nodes)]
    return from_arcs(nodes, arcs)


def _by(c: Choices, coarse: bool, higher: bool) -> str:
    way = "higher_first " if higher else c.pick(("", "lower_first "))
    return f"{way}p{' / delta' if coarse else ''}"


def _moving(c: Choices) -> RandomProgram:
    falling, coarse = c.chance(60), c.chance(60)
    op, value = ("min", c.pick(_FALLING)) if falling else ("max", c.pick(_RISING))
    there, edges = c.pick((("e.dst", "edges"), ("e.src", "in_edges")))
    moved = f"WL.update_{op}({there}, {value.format(n='n')})"
    update = c.pick((f"{moved};", f"if ({moved}) {{ changed |= true; }}", f"bool did = {moved}; changed |= did;",
                     f"if (e.length % 7 != 3 && {moved}) {{ changed |= true; }}",
                     f"int was = {moved}.old; met += was == {'INF' if falling else '-INF'};",
                     f"node to = {there}; int with = {value.format(n='n')}; WL.update_{op}(to, with);"))
    until = c.pick(("", "", "Until (WL.finished(t)) "))
    first = c.pick(("[s]", "[s, t]", "[s]"))
    start = "s.p = 0; t.p = 11;" if falling else "s.p = 90; t.p = 40;"
    init = "INF" if falling else "-INF"
    return RandomProgram(f"""graph Graph {{ node int p = {init}; edge int length; }}
int turns = 0; bool changed = false; long last = 0; long met = 0;
Kernel move(Graph g, int delta) WL priority_queue<node>({_by(c, coarse, not falling)}) {{
  ForAll (n In WL.items) {{
    last {'max' if falling else 'min'}= WL.priority;
    ForAll (e In n.{edges}) {{ {update} }}
  }}
}}
Program main(weighted Graph g, node s = first, node t = first, int delta = 1) {{
  {start}
  Iterate {until}move(g, delta) Initial {first} {{ turns++; }}
}}
""", graph := _graph(c), {"delta": c.pick((1, 2, 7, 16, 1 << 30)), "s": c.below(graph.num_nodes),
                          "t": c.below(graph.num_nodes)})


def _quiet(c: Choices) -> RandomProgram:
    """Nodes that do nothing but move others, also in front of the bucket that runs: nobody sees who runs again."""
    falling, coarse, higher = c.chance(60), c.chance(60), c.chance(20)
    op, value = ("min", c.pick((*_FALLING, "max(0, {n}.p - e.length)"))) if falling else ("max", c.pick(_RISING))
    there, edges = c.pick((("e.dst", "edges"), ("e.src", "in_edges")))
    moved, worse = f"WL.update_{op}({there}, to);", "<" if falling else ">"
    whole = f"{worse[::-1].translate(str.maketrans('<>', '><'))}= n.p"  # it hasn't wrapped around
    update = c.pick((moved, f"if (to {worse} {there}.p) {{ {moved} }}", f"if ({there}.p {worse} to) {{ {moved} }}",
                     f"if (to {whole}) {{ {moved} }}", f"if (to {whole} && to {worse} {there}.p) {{ {moved} }}",
                     f"if (to {worse}= relaxed {there}.p && e.length != 3) {{ {moved} }}",
                     f"bool did = WL.update_{op}({there}, to); if (did) {{ racy odd = true; }}",
                     f"if (e.length % 5 == 2) {{ racy odd = true; }} else {{ {moved} }}"))
    by = _by(c, coarse, not falling if c.chance(80) else higher)
    init, best = ("INF", 2147483647) if falling else ("-INF", -2147483647)
    of_s, of_t = ("s.p = 60;", "t.p = 90;") if falling else ("s.p = 90;", "t.p = 40;")
    start, first = c.pick(((of_s, "[s]"), (of_s, "[s]"), (of_s + of_t, "[s, t]"), (of_s + of_t, "[s]")))
    until = c.pick(("", "Until (WL.finished(t)) ", "Until (WL.finished(t) || turns > 3) "))
    noted = c.pick(("", f"foremost {op}= to; "))
    given, param = c.pick((("", ""), ("", ""), (", turns", ", int turn")))
    update = f"if (e.length % 3 != turn % 3) {{ {update} }}" if given else update
    return RandomProgram(f"""graph Graph {{ node int p = {init}; edge int length; }}
bool odd = false; int turns = 0; int foremost = {best};
Kernel move(Graph g, int delta{param}) WL priority_queue<node>({by}) {{
  ForAll (n In WL.items) {{
    ForAll (e In n.{edges}) {{ int to = {value.format(n='n')}; {noted}{update} }}
  }}
}}
Program main(weighted Graph g, node s = first, node t = first, int delta = 1) {{
  {start}
  Iterate {until}move(g, delta{given}) Initial {first} {{ {c.pick(("turns++;", "turns++;", ""))} }}
}}
""", graph := _graph(c), {"delta": c.pick((1, 2, 7, 16, 1 << 30)), "s": c.below(graph.num_nodes),
                          "t": c.below(graph.num_nodes)})


def _peeling(c: Choices) -> RandomProgram:
    limit = c.pick(("WL.priority", "WL.priority", "(int)max(3, WL.priority)"))
    there, edges = c.pick((("e.dst", "edges"), ("e.src", "in_edges")))
    moved = f"WL.update_sum({there}, -{c.pick((1, 1, 2, 5))}, {limit})"
    update = c.pick((f"{moved};", f"if ({moved}) {{ moves += 0; }}",
                     f"int was = {moved}.old; if (was > {limit}) {{ moves += 1; }}"))
    return RandomProgram(f"""graph Graph {{ node int p = 0; node int runs = 0; edge int length; }}
int turns = 0; long moves = 0;
Kernel begin(Graph g, int more) {{ ForAll (n In g.nodes) {{ n.p = (int)n.degree + (int)(n.id * more % 5); }} }}
Kernel peel(Graph g) WL priority_queue<node>(p) {{
  ForAll (n In WL.items) {{
    n.runs += 1;
    ForAll (e In n.{edges}) {{ {update} }}
  }}
}}
Program main(weighted Graph g, int more = 0) {{
  Invoke begin(g, more);
  Iterate peel(g) Initial (g.nodes) {{ turns++; }}
}}
""", _graph(c), {"more": c.below(4)})


def _returning(c: Choices) -> RandomProgram:
    """Nodes move themselves, away from the front or towards it, or are filed again by another kernel."""
    higher, coarse = c.chance(50), c.chance(50)
    move = c.pick((f"WL.update_min(n, n.p - {c.between(1, 9)});", f"WL.update_sum(n, -{c.between(1, 5)}, -20);")
                  if c.chance(50) else
                  (f"WL.update_max(n, n.p + {c.between(1, 9)});", f"WL.update_sum(n, {c.between(1, 5)}, 70);"))
    again = c.pick(("again.push(n);", "WL.push(n);", ""))
    order = c.pick(("Invoke run(g, delta, again); Invoke file(g, delta, again);",
                    "Invoke file(g, delta, again); again.clear(); Invoke run(g, delta, again);"))
    by = _by(c, coarse, higher)
    return RandomProgram(f"""graph Graph {{ node int p = 0; node int runs = 0; edge int length; }}
int turns = 0; long order = 0;
Kernel begin(Graph g, int by) {{ ForAll (n In g.nodes) {{ n.p = (int)(n.id * by % 50); }} }}
Kernel run(Graph g, int delta, list<node> again) WL priority_queue<node>({by}) {{
  ForAll (n In WL.items) {{
    int times = (n.runs += 1).old;
    order += (n.id + 1) * (WL.priority + 3);
    if (times < {c.between(0, 3)}) {{ {move} }} else if (times < {c.between(1, 5)}) {{ {again} }}
  }}
}}
Kernel file(Graph g, int delta, list<node> again) WL priority_queue<node>({by}) {{
  ForAll (n In again.items) {{ WL.push(n); }}
}}
Program main(weighted Graph g, int delta = 1, int by = 7) {{
  list<node> again;
  Invoke begin(g, by);
  Pipe Initial (g.nodes) {{ {order} again.clear(); turns++; }}
}}
""", _graph(c), {"delta": c.pick((1, 3, 16, 1 << 30)), "by": c.between(1, 20)})
