"""Random kernels whose result depends on no order: races are declared, and what is declared has one outcome.

In each parallel region every property and scalar plays one part:
    shared   read by anyone, written by nobody
    owned    read and stored by the iteration that owns the item
    + min max | & ^   reduced into by anyone with that operator, read by nobody (floats by min and max alone)
    racy     stored by anyone, always the same value
    locked   added to under the item's lock, by plain loads and stores
What a loop runs over is computed before it: there a kernel may read what its loop updates. Which items are pushed
depends on shared values alone, so that each list holds one multiset. `fixpoint` kernels are the exception: min=, max=
or |= by a monotone function of the same property, repeated until nothing changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from support.choices import Choices
from support.random_expressions import INTS, PAIR, Expressions, Item, Prop, Scope

WHOLE = ("+", "min", "max", "|", "&", "^", "-")
OFTEN = ("+", "^", "+", "min", "-", "max", "^", "|", "&")  # what keeps most of what it is given comes most often
SETS = ("set", "bitmap", "bytemap")
DRAWN = "drawn"  # a helper that changes the first scalar


def parts_of(t: str) -> tuple[str, ...]:
    """The parts a property of type t can play."""
    if t in INTS:
        return ("shared", "owned", *OFTEN, "racy", "locked", "shared", "owned", "shared", "owned")
    if t == "bool":
        return ("shared", "owned", "|", "&", "racy")
    return ("shared", "owned", "min", "max")


@dataclass(slots=True)
class Kernel:
    """One kernel: `worklist` is its WL's type or ''; `lists` what it takes besides: (name, type, mode), mode read,
    push, or grow for a library's list; `turn`, `given`: the numbers that it is given; text is filled at the end."""

    name: str
    worklist: str = ""
    returns: bool = False
    lists: list[tuple[str, str, str]] = field(default_factory=list)
    uses_worklist: bool = False
    turn: str = "turn"
    given: str = "0"
    text: str = ""

    def invocation(self) -> str:
        return f"{self.name}({', '.join(['g', self.turn, self.given, *(name for name, _, _ in self.lists)])})"


@dataclass(slots=True)
class Region:
    """One parallel loop: the part each name plays, and how owned edges are reached."""

    parts: dict[str, str]
    scope: Scope
    edges: str
    budget: int = 16


class KernelMaker(ABC):
    """Makes kernels over the given properties and scalars (name, type); what stands in loops is for a subclass."""

    r: Region

    def __init__(self, c: Choices, props: list[Prop], scalars: list[tuple[str, str]], helpers: list[str]) -> None:
        self.c, self.props, self.scalars = c, props, scalars
        self.e = Expressions(c, helpers)
        self.kernel = Kernel("")
        self.lines: list[str] = []
        self.names = 0
        self.level = 0
        self.accumulators: list[tuple[str, str, str]] = []
        self.drawing = False  # may it call DRAWN?

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def put(self, text: str) -> None:
        """One line, indented by the braces before it."""
        self.level -= text.startswith("}")
        self.lines.append("  " * self.level + text)
        self.level += text.endswith("{")

    def make(self, kernel: Kernel) -> Kernel:
        """Fills in `kernel.text`."""
        self.kernel, self.lines, self.names, self.level = kernel, [], 0, 0
        params = ["Graph g", "int turn", "long given", *(f"{t} {name}" for name, t, _ in kernel.lists)]
        suffix = f" WL {kernel.worklist}" if kernel.worklist else ""
        self.put(f"Kernel {kernel.name}({', '.join(params)}){suffix} {{")
        once = Scope([("turn", "int"), ("given", "long"), *self.scalars])
        once.vars += [(f"{name}.size", "long") for name, _, mode in kernel.lists if mode == "grow"]
        if self.c.chance(30):
            self.put(f"long before = {self.updated() if self.c.chance(20) else self.e.of('long', once)};")
            once.vars.append(("before", "long"))
        if self.scalars and self.c.chance(15):
            name, t = self.c.pick(self.scalars)
            self.put(f"{name} = {self.e.of(t, once)};")
        if self.drawing and self.c.chance(20):
            self.put(f"{PAIR} begun = {DRAWN}({self.c.between(1, 9)});")
            once.vars.append(("begun", PAIR))
        if not kernel.worklist and self.c.chance(15):
            self.own_updates(once)
        regions = self.c.pick((1, 1, 2)) if not kernel.worklist else 1
        for i in range(regions):
            if i and self.c.chance(50):
                self.put("SyncRunningThreads;")
            around = "" if kernel.worklist or self.c.chance(80) else self.around(once)
            if around:
                self.put(around)
            if around.startswith("for") and self.c.chance(50):
                self.put(f"if ({self.e.boolean(once)}) {{ {self.c.pick(('break', 'continue'))}; }}")
            sums = self.sums() if self.c.chance(15) else []
            self.region([v for v in once.vars if v not in self.scalars and not v[0].endswith(".size")], sums)
            for name, _, op in sums:
                into, kind = self.c.pick([(n, k) for n, k in self.scalars if k in INTS])
                self.put(f"{into} {op}= ({kind}){name};")
            if around:
                self.put("}")
        self.put("}")
        kernel.text = "\n".join(self.lines)
        return kernel

    def own_updates(self, once: Scope) -> None:
        """A variable that changes within updates of scalars, which one thread does: all have it afterwards."""
        whole = [(name, t) for name, t in self.scalars if t in INTS]
        if not whole:
            return
        own, taken = self.fresh("own"), self.fresh("taken")
        self.put(f"int {own} = {self.c.between(0, 9)}; long {taken} = 1;")
        for _ in range(self.c.between(1, 3)):
            into, t = self.c.pick(whole)
            step = f"({t})(({own} {self.c.pick(('+', '-', 'max', '^'))}= {self.c.between(1, 9)}).old)"
            update = f"{into} {self.c.pick(('+', '-', 'xchg', 'max'))}= {step}"
            match self.c.below(5):
                case 0:
                    self.put(f"{into} += {step};")
                case 1:
                    self.put(f"{into} = ({t})({step} + 1);")
                case 2:
                    self.put(f"if (({update}).changed) {{ {own} += 3; }}")
                case 3:
                    self.put(f"{taken} = {own} > 4 ? (long)(({update}).old) : {self.e.integer(once)};")
                case _:
                    self.put(f"{taken} += (long)(({update}).old) & 255;")
        once.vars += [(own, "int"), (taken, "long")]

    def updated(self) -> str:
        """An update of a scalar as a value, or a number: it is to happen once, whoever asks for it."""
        open_ones = [name for name, t in self.scalars if t in INTS]
        if not open_ones:
            return "7"
        name, op = self.c.pick(open_ones), self.c.pick(("+", "-", "xchg", "max"))
        return f"(long)(({name} {op}= {self.c.between(1, 9)}).old)"

    def sums(self) -> list[tuple[str, str, str]]:
        """Variables of the kernel's own that the iterations of its next loop reduce into."""
        if not any(t in INTS for _, t in self.scalars):
            return []
        found = [(self.fresh("sum"), "long", self.c.pick(WHOLE[:5])) for _ in range(self.c.pick((1, 2, 9)))]
        for name, t, _ in found:
            self.put(f"{t} {name} = {self.c.between(0, 9)};")
        return found

    def around(self, s: Scope) -> str:
        """The head of what a parallel loop stands in, which may ask for what that changes."""
        match self.c.below(3):
            case 0:
                return f"if ({self.e.boolean(s)}) {{"
            case 1:
                name = self.fresh("j")
                return f"for (int {name} = 0; {name} < ({self.e.integer(s)} & 3); {name}++) {{"
            case _:
                return f"if (({self.updated()} & 3) != 1) {{"

    # Regions

    def region(self, known: list[tuple[str, str]], sums: list[tuple[str, str, str]]) -> None:
        c = self.c
        parts = {p.name: c.pick(parts_of(p.type)) for p in self.props}
        parts |= {p.name: "shared" for p in self.props if p.init is None}
        parts |= {name: c.pick(("shared", *(OFTEN if t in INTS else ("min", "max")))) for name, t in self.scalars}
        shared = [p for p in self.props if parts[p.name] == "shared"]
        owned = [p for p in self.props if parts[p.name] == "owned"]
        scope = Scope(known + [s for s in self.scalars if parts[s[0]] == "shared"], [], shared, owned)
        scope.sets = [name for name, t, mode in self.kernel.lists if mode == "read" and t.split("<")[0] in SETS]
        self.r = Region(parts, scope, c.pick(("edges", "in_edges")))
        var, self.accumulators = self.fresh("n"), list(sums)
        line, item = self.iterator(var)
        self.put(line)
        inner = scope.inner()
        self.open_item(inner, var, item)
        if item == "position" and inner.items and c.chance(20):
            self.exclusively(inner)
        if self.kernel.returns:
            self.put(f"ReduceAndReturn({self.e.boolean(inner)});")
        self.body(inner, 1)
        self.ending(inner)
        self.put("}")

    def exclusively(self, s: Scope) -> None:
        """A first statement that retries the item when a lock is taken by another, before it has done anything."""
        locked = [p for p in self.props if self.r.parts[p.name] == "locked" and p.owner == "node"]
        if s.items[-1].owner != "node" or not locked:
            return
        p, item, done = self.c.pick(locked), s.items[-1].text, self.fresh("done")
        self.put(f"bool {done} = false;")
        self.put(f"Exclusive (g, [{item}]) {{")
        self.put(f"{item}.{p.name} = ({p.type})({item}.{p.name} + 1);")
        self.put(f"{done} = true;")
        self.put("}")
        self.put(f"if (!{done}) Retry {item};")

    def iterator(self, var: str) -> tuple[str, str]:
        """The outermost loop's first line, and what its variable is: node, own node, own edge, range, or a position."""
        c = self.c
        kind = self.kernel.worklist.split("<")[0]
        if kind in SETS and self.kernel.uses_worklist:
            return f"ForAll ({var} In WL.items) {{", "own node"
        if kind and self.kernel.uses_worklist:
            return f"ForAll ({var} In WL) {{", "position"
        read = [(name, t) for name, t, mode in self.kernel.lists if mode == "read"]
        if read and c.chance(50):
            name, t = c.pick(read)
            if t.split("<")[0] in SETS:
                return f"ForAll ({var} In {name}.items) {{", "own node"
            return f"ForAll ({var} In {name}.items) {{", "node"
        grown = [name for name, _, mode in self.kernel.lists if mode == "grow"]
        if grown and c.chance(30):
            return f"ForAll ({var} In {c.pick(grown)}.items) {{", "range"
        match c.below(6):
            case 0 | 1:
                return f"ForAll ({var} In g.nodes) {{", "own node"
            case 2:
                return f"ForAll ({var} In g.edges) {{", "own edge"
            case 3:
                return f"ForAll ({var} In range(g.num_nodes)) {{", "number"
            case _:
                return f"ForAll ({var} In range({self.bound()})) {{", "range"

    def bound(self) -> str:
        """How far a range goes: often as far as something that its own loop changes."""
        moved = [name for name, _ in self.scalars if self.r.parts[name] != "shared"]
        grown = [name for name, _, mode in self.kernel.lists if mode == "grow"]
        numbers = [p.name for p in self.props if p.owner == "node" and p.type in INTS]
        changed = [name for name in numbers if self.r.parts[name] != "shared"]
        match self.c.below(7):
            case 1 | 2 if grown:
                return f"{self.c.pick(grown)}.size & 63"
            case 1 | 2 | 3 if moved:
                return f"(long)({self.c.pick(moved)}) & 63"
            case 4 if changed:
                return f"g.num_nodes == 0 ? 3 : (long)(g.node(0).{self.c.pick(changed)}) & 63"
            case 5:
                return f"{self.updated()} & 31"
            case _:
                return self.c.pick(("3", "0", "1", "40"))

    def open_item(self, s: Scope, var: str, item: str) -> None:
        """Declares what the outermost loop's variable stands for."""
        if item == "own node":
            s.items.append(Item(var, "node", 1))
        elif item == "node":
            s.items.append(Item(var, "node"))
        elif item == "own edge":
            s.items.append(Item(var, "edge", 1))
            self.r.edges = "edges"
        elif item == "range":
            s.vars.append((var, "long"))
        elif item == "number":
            self.put(f"node v_{var} = g.node({var});")
            s.items.append(Item(f"v_{var}", "node", 1))
            s.vars.append((var, "long"))
        else:
            t = self.kernel.worklist.split("<")[1].rstrip(">")
            self.put(f"{t} x_{var} = WL.pop({var});")
            if t in ("node", "edge"):
                s.items.append(Item(f"x_{var}", t))
            else:
                s.vars.append((f"x_{var}", t))

    # Bodies

    def body(self, s: Scope, depth: int) -> None:
        """One to five statements; `depth` ForAlls are around them."""
        for _ in range(self.c.between(1, 5)):
            if self.r.budget <= 0:
                break
            self.r.budget -= 1
            self.statement(s, depth)

    @abstractmethod
    def statement(self, s: Scope, depth: int) -> None: ...

    @abstractmethod
    def ending(self, s: Scope) -> None:
        """What comes last in an iteration."""
