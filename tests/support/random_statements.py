"""The statements of random kernels: variables and control flow, and all that random_memory.py adds."""

from __future__ import annotations

import re
from dataclasses import replace

from support.random_expressions import FLOATS, INTS, Item, Scope
from support.random_kernels import WHOLE
from support.random_memory import Memory

_LOCAL = ("int", "long", "double", "float", "bool", "uint8", "int16", "uint32", "uint64")
#: Which variables one of a block inside may have the name of.
_CAN_BE_HIDDEN = re.compile(r"(?:v|a|own|taken)\d+$|turn$|given$|before$")
#: How names of variables begin: also as those that the compiler makes.
_STEMS = ("v", "v", "v", "v", "v", "v", "count_", "item_", "place_", "operand_", "held_", "valid")


class Kernels(Memory):
    """KernelMaker with every kind of statement."""

    def statement(self, s: Scope, depth: int) -> None:
        options = (
            self.declare,
            self.reduce,
            self.inner_forall,
            self.update,
            self.choose,
            self.store,
            self.push,
            self.reduce_scalar,
            self.accumulate,
            self.sequential,
            self.counted,
            self.skip,
            self.racy,
            self.locked,
            self.scratch,
            self.respawn,
            self.inner_forall,
            self.reduce,
            self.push,
            self.store,
            self.reduce,
            self.accumulate,
            self.reduce_scalar,
            self.inner_forall,
            self.store,
        )
        self.c.pick(options)(s, depth)

    # Variables

    def declare(self, s: Scope, _: int) -> None:
        t = self.c.pick(_LOCAL)
        kept = {name for name, _, _ in self.accumulators}
        outer = [name for name, _ in s.vars if name in s.outer - kept and _CAN_BE_HIDDEN.match(name)]
        name = self.c.pick(outer) if outer and self.c.chance(8) else self.fresh(self.c.pick(_STEMS))
        self.put(f"{t} {name} = {self.e.of(t, s)};")
        s.outer.discard(name)
        s.vars = [v for v in s.vars if v[0] != name] + [(name, t)]
        s.locals = [v for v in s.locals if v[0] != name] + [(name, t)]

    def update(self, s: Scope, depth: int) -> None:
        if not s.locals:
            return self.declare(s, depth)
        name, t = self.c.pick(s.locals)
        if t in FLOATS:
            self.put(f"{name} {self.c.pick(('+', '-', '*', 'min', 'max'))}= {self.e.of(t, s)};")
        elif t == "bool":
            self.put(f"{name} {self.c.pick(('|', '&', '^'))}= {self.e.boolean(s)};")
        elif self.c.chance(20):
            self.put(f"{name} {self.c.pick(('/', '%'))}= (({self.e.integer(s)} & 3) + 1);")
        elif self.c.chance(20):
            self.put(f"{name} = {self.e.of(t, s)};")
        else:
            self.put(f"{name} {self.c.pick((*WHOLE, '*', '<<', '>>'))}= {self.e.of(t, s)};")
        return None

    def accumulate(self, s: Scope, depth: int) -> None:
        """Into a variable of an enclosing iteration."""
        if not self.accumulators:
            return self.reduce_scalar(s, depth)
        name, t, op = self.c.pick(self.accumulators)
        return self.put(f"{name} {op}= {self.e.of(t, s)};")

    # Control

    def choose(self, s: Scope, depth: int) -> None:
        self.put(f"if ({self.e.boolean(s)}) {{")
        self.body(s.inner(), depth)
        if self.c.chance(40):
            self.lines.append("  " * (self.level - 1) + "} else {")
            self.body(s.inner(), depth)
        self.put("}")

    def skip(self, s: Scope, _: int) -> None:
        self.put(f"if ({self.e.boolean(s)}) continue;")

    def counted(self, s: Scope, depth: int) -> None:
        j, inner = self.fresh("j"), s.inner()
        inner.vars.append((j, "int"))
        bound = self.c.pick(("2", "1", "3", "((int)turn & 3)"))
        match self.c.below(3):
            case 0:
                self.put(f"for (int {j} = 0; {j} < {bound}; {j}++) {{")
                self.body(inner, depth)
                self.put("}")
            case 1:
                self.put(f"int {j} = {bound};")
                self.put(f"while ({j} > 0) {{")
                self.put(f"{j}--;")
                self.body(inner, depth)
                self.put("}")
            case _:
                self.put(f"int {j} = 0;")
                self.put("do {")
                self.put(f"{j} += 1;")
                self.body(inner, depth)
                self.put(f"}} while ({j} < {bound});")

    def edges_of(self, s: Scope, depth: int, parallel: bool) -> tuple[str, int]:
        """An edge range, and the depth that owns its edges (0: nobody)."""
        nodes = [i for i in s.reachable() if i.owner == "node"]
        if not nodes:
            return "g.edges", 0
        node, way = self.c.pick(nodes), self.c.pick(("edges", "in_edges", "out_edges"))
        mine = node.own == depth and way.removeprefix("out_") == self.r.edges
        text = f"{node.text}.{way}"
        if self.c.chance(20):
            text += self.c.pick((f".skip({self.e.of('long', s, 0)})", f".when({self.e.boolean(s)})"))
        if self.c.chance(10):
            name = self.fresh("es")
            self.put(f"auto {name} = {text};")
            text = name
        return text, depth + parallel if mine else 0

    def sequential(self, s: Scope, depth: int) -> None:
        var, inner = self.fresh("f"), s.inner()
        text, own = self.edges_of(s, depth, False)
        if self.c.chance(20):
            text, own = self.c.pick((f"range(({self.e.integer(s)} & 3))", "range(1, 3)")), -1
        self.put(f"For ({var} In {text}) {{")
        if own == -1:
            inner.vars.append((var, "long"))
        else:
            inner.items.append(Item(var, "edge", own))
        if self.c.chance(50):
            self.put(f"if ({self.e.boolean(inner)}) break;")
        self.body(inner, depth)
        self.put("}")

    def inner_forall(self, s: Scope, depth: int) -> None:
        if depth >= 3:
            return self.reduce(s, depth)
        before = list(self.accumulators)
        for _ in range(self.c.below(3)):
            t = self.c.pick(("int", "long", "uint8", "uint32", "double", "bool"))
            op = self.c.pick(WHOLE[:5] if t in INTS else ("|", "&") if t == "bool" else ("min", "max"))
            name = self.fresh("a")
            self.put(f"{t} {name} = {self.e.of(t, s, 1)};")
            self.accumulators.append((name, t, op))
        var, inner = self.fresh("e"), s.inner(parallel=True)
        text, own = self.edges_of(s, depth, True)
        if self.c.chance(12):
            text = self.c.pick(("g.nodes", f"range({self.e.integer(s)} & 7)"))
            inner_item = Item(var, "node") if text == "g.nodes" else None
        else:
            inner_item = Item(var, "edge", own)
            if own:  # an edge that the iteration had to itself may now be another one's
                inner.items = [replace(i, own=0) if i.owner == "edge" else i for i in inner.items]
        self.put(f"ForAll ({var} In {text}) {{")
        if inner_item is None:
            inner.vars.append((var, "long"))
        else:
            inner.items.append(inner_item)
        self.body(inner, depth + 1)
        self.put("}")
        s.vars += [(name, t) for name, t, _ in self.accumulators[len(before) :]]
        self.accumulators = before
        return None
