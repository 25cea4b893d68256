"""Random programs whose kernels push along the edges of their nodes: what a plan's direction may turn round.

The first kind is random_kernels.py's, with each kernel's loop made to end in a ForAll over its node's edges. The second
claims nodes level by level, whatever order claims them in, under conditions of every form that can be told to end
themselves, and of some that can't.
"""

from __future__ import annotations

from support.choices import Choices
from support.random_expressions import Item, Scope
from support.random_graphs import random_graph
from support.random_kernels import SETS
from support.random_parts import RandomProgram
from support.random_programs import Maker
from support.random_statements import Kernels


class PushingKernels(Kernels):
    """Kernels over nodes: some statements, then perhaps under a condition the loop over the node's edges."""

    def iterator(self, var: str) -> tuple[str, str]:
        kind = self.kernel.worklist.split("<")[0]
        if self.kernel.uses_worklist and kind in SETS:
            return f"ForAll ({var} In WL.items) {{", "own node"
        if self.kernel.uses_worklist and self.kernel.worklist == "list<node>":
            return f"ForAll ({var} In WL) {{", "position"
        read = [name for name, _, mode in self.kernel.lists if mode == "read"]
        if not self.kernel.uses_worklist and read and self.c.chance(30):
            of = next(t for name, t, _ in self.kernel.lists if name == read[0])
            return f"ForAll ({var} In {read[0]}.items) {{", "own node" if of.split("<")[0] in SETS else "node"
        if self.kernel.uses_worklist and kind:
            return super().iterator(var)
        return f"ForAll ({var} In g.nodes) {{", "own node"

    def body(self, s: Scope, depth: int) -> None:
        if depth != 1 or not s.items or s.items[-1].owner != "node" or self.level > 2:
            return super().body(s, depth)
        node = s.items[-1]
        for _ in range(self.c.pick((0, 0, 1, 2))):
            self.c.pick((self.declare, self.declare, self.store, self.reduce, self.push, self.skip, self.update))(s, 1)
        guarded = self.c.chance(40)
        if guarded:
            self.put(f"if ({self.e.boolean(s)}) {{")
        edge, inner = self.fresh("e"), s.inner(parallel=True)
        inner.items.append(Item(edge, "edge", 2 if node.own == 1 and self.r.edges == "edges" else 0))
        inner.items.append(Item(f"{edge}.dst", "node"))
        self.put(f"ForAll ({edge} In {node.text}.edges) {{")
        for _ in range(self.c.pick((1, 2, 3))):
            self.c.pick((self.declare, self.reduce, self.racy, self.push, self.reduce_scalar, self.skip, self.reduce,
                         self.store, self.choose, self.sequential))(inner, 2)
        self.put("}")
        if guarded:
            self.put("}")
        return None


class PushingMaker(Maker):
    """Programs of such kernels."""

    kernel_maker = PushingKernels


#: What marks a node: type and first value, the condition, and what then makes it false; P is the mark.
_CLAIMS = (
    ("int", "INF", "P == INF", "racy P = level;"),
    ("int", "INF", "INF == P", "racy P = level;"),
    ("long", "-1", "P < 0", "racy P = level;"),
    ("int", "INF", "P > level", "P min= level;"),
    ("int", "INF", "(P min= level)", ""),
    ("int", "-1", "relaxed P == -1", "relaxed P = level;"),
    ("uint8", "0", "P != 7", "racy P = 7;"),
    ("int", "0", "P < 6 && P != level", "racy P = level;"),
    ("int", "INF", "level < P", "ReduceAndReturn(P min= level);"),
    ("bool", "false", "!P", "racy P = true;"),
    ("double", "INF", "level + 0.5 < P", "P min= level + 0.5;"),
)


def claims(c: Choices) -> RandomProgram:
    """A search by levels: whoever claims a node marks it alike, and to be told of it twice changes nothing."""
    t, first, test, store = c.pick(_CLAIMS)
    target = c.pick(("e.dst", "v"))
    alias = "node v = e.dst; " if target == "v" else ""
    before = c.pick(("", "", "e.dst.degree >= 0 && ", "(e.w & 3) != 3 && ", "n.id >= 0 && "))
    after = c.pick(("", "", " && (e.w & 1) == 0", " && e.dst.degree > 1", " && n.degree < 4", " && e.dst != n"))
    if test.endswith(")"):
        after = ""  # nothing is asked behind an update
    mine, far = ("int mine = level * 3; ", " e.dst.far max= mine;") if c.chance(40) else ("", "")
    claim = f"{alias}if ({before}{test}{after}) {{ {store} found.push(e.dst);{far} }}".replace("P", f"{target}.mark")
    kind, over, outer = c.pick((("list", "now.items", ""), ("set", "now.items", ""), ("bitmap", "now.items", ""),
                                ("list", "now.items", "if (n.degree > 1) "),
                                ("set", "g.nodes", "if (now.contains(n)) ")))
    return RandomProgram(f"""graph Graph {{ node {t} mark = {first}; node int far = 0; node int seen = 0; edge int w; }}
long reached = 0;
Kernel claim(Graph g, int level, {kind}<node> now, {kind}<node> found) {{
  ForAll (n In {over}) {{
    {mine}{outer}{{ ForAll (e In n.edges) {{ {claim} }} }}
  }}
}}
Kernel tell(Graph g, int level, {kind}<node> now) {{
  ForAll (n In now.items) {{ n.seen max= level; }}
}}
Kernel total(Graph g) {{ ForAll (n In g.nodes) {{ reached += n.seen; }} }}
Program search(Graph g, node src = first) {{
  {kind}<node> now;
  {kind}<node> found;
  if (g.num_nodes > 0) {{
    now.push(src);
    now.push(src);
  }}
  for (int level = {c.pick(("1", "1", "INF", "5"))}; level != 8 && now.size > 0; level++) {{
    found.clear();
    Invoke claim(g, level, now, found);
    Invoke tell(g, level, found);
    now.swap(found);
    if (level < 0 || level == INF) {{ break; }}
  }}
  Invoke total(g);
}}
""", random_graph(c), {})
