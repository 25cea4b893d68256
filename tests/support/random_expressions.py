"""Random well-typed expressions of the language, as text, over what a scope lets them read.

Divisors are never zero, nodes that are followed are never NONE, and there is no exp, log or pow, whose last bit belongs
to the machine's library. So an expression has one value everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from support.choices import Choices

INTS = ("int", "long", "int8", "int16", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("double", "float")
PAIR = "Pair"


@dataclass(frozen=True, slots=True)
class Prop:
    """A property: owner is node or edge; type one of INTS, FLOATS, bool, node, Pair."""

    owner: str
    name: str
    type: str
    init: str | None


@dataclass(frozen=True, slots=True)
class Item:
    """A node or edge in reach; own: the loop at `depth` owns it; safe text, never NONE."""

    text: str
    owner: str
    own: int = 0


@dataclass(slots=True)
class Scope:
    """What can be read at one point: variables by type, items, properties of any item, those of own items, sets."""

    vars: list[tuple[str, str]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    shared: list[Prop] = field(default_factory=list)
    owned: list[Prop] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    graph: str = "g"
    locals: list[tuple[str, str]] = field(default_factory=list)
    outer: set[str] = field(default_factory=set)  # the variables of blocks around that the block may hide

    def inner(self, parallel: bool = False) -> Scope:
        """The scope of a block; `locals`, which may be assigned, end at a parallel loop."""
        kept = [] if parallel else list(self.locals)
        outer = {name for name, _ in self.vars}
        return Scope(list(self.vars), list(self.items), self.shared, self.owned, self.sets, self.graph, kept, outer)

    def readable(self, types: tuple[str, ...]) -> list[str]:
        """Texts of all variables and property accesses of one of the types."""
        found = [name for name, t in self.vars if t in types]
        for item in self.reachable():
            props = self.shared + (self.owned if item.own else [])
            found += [f"{item.text}.{p.name}" for p in props if p.owner == item.owner and p.type in types]
        return found

    def reachable(self) -> list[Item]:
        edges = [i for i in self.items if i.owner == "edge"]
        return self.items + [Item(f"{e.text}.{end}", "node") for e in edges for end in ("dst", "src")]

    def nodes(self) -> list[str]:
        return [i.text for i in self.reachable() if i.owner == "node"]


@dataclass(slots=True)
class Expressions:
    """Makes expressions from choices; helpers are functions `int NAME(int, int)` that may be called."""

    c: Choices
    helpers: list[str] = field(default_factory=list)

    def of(self, t: str, s: Scope, depth: int = 2) -> str:
        """An expression that converts to type t without being refused."""
        if t in FLOATS:
            return f"({t})({self.floating(s, depth)})"
        if t == "bool":
            return self.boolean(s, depth)
        if t == "node":
            return self.node(s)
        if t == PAIR:
            return f"({PAIR}){{{self.of('int', s, depth - 1)}, {self.of('int', s, depth - 1)}}}"
        return f"({t})({self.integer(s, depth)})"

    def node(self, s: Scope) -> str:
        return self.c.pick(s.nodes() or ["NONE"])

    def integer(self, s: Scope, depth: int = 2) -> str:
        c = self.c
        if depth <= 0 or c.chance(25):
            return self._integer_leaf(s)
        a = self.integer(s, depth - 1)
        match c.below(13):
            case 0:
                return f"({a} {c.pick(('+', '-', '*'))} {self.integer(s, depth - 1)})"
            case 1:
                return f"({a} {c.pick(('&', '|', '^'))} {self.integer(s, depth - 1)})"
            case 2:
                return f"({a} {c.pick(('/', '%'))} (({self.integer(s, depth - 1)} & 7) + 1))"
            case 3:
                return f"({a} {c.pick(('/', '%'))} {c.pick(('3', '(-1)', '(-7)', '2u'))})"
            case 4:
                return f"({a} {c.pick(('<<', '>>'))} {self._integer_leaf(s)})"
            case 5:
                return f"({self.boolean(s, depth - 1)} ? {a} : {self.integer(s, depth - 1)})"
            case 6:
                return f"({c.pick(INTS)})({a})"
            case 7:
                return f"({c.pick(('-', '~', '+'))}{a})"
            case 8:
                return f"{c.pick(('min', 'max'))}({a}, {self.integer(s, depth - 1)})"
            case 9:
                return f"{c.pick(('abs', 'popcount'))}({a})"
            case 10:
                return f"(hash({a}) & 255)"
            case 11 if self.helpers:
                b = self.integer(s, depth - 1)
                return f"{c.pick(self.helpers)}((int)({a}), (int)({b}))"
            case _:
                return f"({c.pick(INTS)})({self.floating(s, depth - 1)})"

    def _integer_leaf(self, s: Scope) -> str:
        c = self.c
        options = s.readable((*INTS, "bool"))
        pairs = s.readable((PAIR,))
        whole = [name for name, t in s.locals if t in INTS]
        if whole and c.chance(10):  # what stands beside it may read the same variable, or change it again
            op = c.pick(("+", "-", "min", "max", "^"))
            return f"({c.pick(whole)} {op}= {c.between(1, 9)}).{c.pick(('old', 'old', 'changed'))}"
        if options and c.chance(60):
            return c.pick(options)
        if pairs and c.chance(40):
            return f"{c.pick(pairs)}.{c.pick(('key', 'val'))}"
        if s.items and c.chance(40):
            item = c.pick(s.items)
            members = ("id", "degree", "in_degree") if item.owner == "node" else ("id", "dst.id", "src.degree")
            return f"{item.text}.{c.pick(members)}"
        return c.pick(
            (
                "1",
                "0",
                "2",
                "7",
                "(-3)",
                "100",
                "65535",
                "2147483647",
                "0xffu",
                "4000000000u",
                "1099511627776",
                "(int)INF",
                f"{s.graph}.num_nodes" if s.graph else "5",
            )
        )

    def boolean(self, s: Scope, depth: int = 2) -> str:
        c = self.c
        known = s.readable(("bool",))
        match c.below(8) if depth > 0 else 0:
            case 1:
                return f"({self.boolean(s, depth - 1)} {c.pick(('&&', '||'))} {self.boolean(s, depth - 1)})"
            case 2:
                return f"(!{self.boolean(s, depth - 1)})"
            case 3:
                return f"({self.floating(s, depth - 1)} {c.pick(('<', '>=', '=='))} {self.floating(s, depth - 1)})"
            case 4 if s.nodes():
                other = c.pick([*s.nodes(), *s.readable(("node",)), "NONE"])
                return f"({c.pick(s.nodes())} {c.pick(('==', '!=', '<'))} {other})"
            case 5 if s.readable(("int", "long", "double")):
                return f"({c.pick(s.readable(('int', 'long', 'double')))} {c.pick(('==', '<'))} INF)"
            case 6 if s.sets and s.nodes():
                return f"{c.pick(s.sets)}.contains({c.pick(s.nodes())})"
            case 7 if known:
                return c.pick(known)
            case _:
                op = c.pick(("<", ">", "==", "!=", "<=", ">="))
                return f"({self.integer(s, depth - 1)} {op} {self.integer(s, depth - 1)})"

    def floating(self, s: Scope, depth: int = 2) -> str:
        c = self.c
        known = s.readable(FLOATS)
        if depth <= 0 or c.chance(25):
            if known and c.chance(60):
                return c.pick(known)
            return c.pick(("0.5", "2.0", "(-1.5)", "0.25f", f"({c.pick(FLOATS)})({self._integer_leaf(s)})"))
        a = self.floating(s, depth - 1)
        match c.below(6):
            case 0:
                return f"({a} {c.pick(('+', '-', '*'))} {self.floating(s, depth - 1)})"
            case 1:
                return f"({a} / {c.pick(('4.0', '3.0', '(-2.0f)', '10.0'))})"
            case 2:
                return f"({self.boolean(s, depth - 1)} ? {a} : {self.floating(s, depth - 1)})"
            case 3:
                return f"{c.pick(('min', 'max'))}({a}, {self.floating(s, depth - 1)})"
            case 4:
                return f"{c.pick(('floor', 'ceil', 'abs'))}({a})"
            case _:
                return f"({c.pick(FLOATS)})({self.integer(s, depth - 1)})"
