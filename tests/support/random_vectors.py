"""Random typed programs of whole vectors: properties, inputs, variables, parameters and rows of them, in arithmetic,
updates and reductions, whose result depends on no order.

In each kernel every property plays one part:
    shared   read by anyone, written by nobody
    owned    read and written by the iteration that owns the node
    + min max |  updated at the far ends of edges by that operator, read by nobody (floats: by + in one property alone,
             whose values are whole and small, by min and max in the rest)
What a nested loop reduces into is declared in front of it; floats add up small whole numbers, so that no order shows.
No divisor is zero, and no index outside. Expressions have types: what may lose something is cast, others are at times.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from support.choices import Choices
from support.random_graphs import random_graph
from support.random_programs import RandomProgram

INTS = ("int", "long", "int8", "int16", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float", "double")
TYPES = ("float", "double", "int", "float", "long", "bool", *INTS)
#: What a property, a variable or a parameter is.
LENGTHS = (3, 1, 2, 5, 16, 17)
#: The wider one, of two numbers in arithmetic.
_WIDER = ("int", "uint32", "long", "uint64", "float", "double")
_DTYPES = {"bool": "bool", "int": "int32", "long": "int64", "float": "float32", "double": "float64"}
#: The float that nodes add to at the far ends of edges, and nothing else writes.
NEAR = "near"
#: The deepest that blocks stand in each other.
DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Vector:
    """Something of several values: its text, the type and the number of these; `rows`: it is so many rows of them."""

    text: str
    type: str
    length: str
    rows: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """An expression and its type."""

    text: str
    type: str


@dataclass(slots=True)
class Scope:
    """What can be read at one point, and of it what can be written; `kept`: numbers that may change."""

    vectors: list[Vector] = field(default_factory=list)
    writable: list[Vector] = field(default_factory=list)
    numbers: list[Value] = field(default_factory=list)
    kept: list[Value] = field(default_factory=list)

    def inner(self, parallel: bool = False) -> Scope:
        """The scope of a block; a parallel loop writes no variable from outside."""
        kept = ([], []) if parallel else (list(self.writable), list(self.kept))
        return Scope(list(self.vectors), kept[0], list(self.numbers), kept[1])


def promoted(t: str) -> str:
    return t if t in _WIDER else "int"


def common(a: str, b: str) -> str:
    """The type of a sum."""
    return max(promoted(a), promoted(b), key=_WIDER.index)


def random_vectors(c: Choices) -> RandomProgram:
    """A program of whole vectors, and what it runs on."""
    return _Maker(c).make()


class _Maker:
    def __init__(self, c: Choices) -> None:
        self.c = c
        self.sizes = {"K": c.pick(LENGTHS), "L": c.pick(LENGTHS), "R": c.pick((2, 1, 3, 5))}
        self.lines: list[str] = []
        self.level = 0
        self.names = 0
        self.asked = False  # is what is written asked behind something else, so that nothing can be computed before?
        self.helpers: list[tuple[str, str, str]] = []  # name, type, what it is given
        self.depth = 0

    def make(self) -> RandomProgram:
        c = self.c
        lengths = ("K", "K", "K", "L", "R")
        self.props = [Vector(f"p{i}", c.pick(TYPES), c.pick(lengths)) for i in range(c.between(2, 5))]
        self.inputs = [Vector(f"in{i}", c.pick(TYPES), c.pick(lengths)) for i in range(c.below(3))]
        self.near = Vector(NEAR, c.pick(FLOATS), "K")
        self.plain = [Value(f"q{i}", c.pick(TYPES)) for i in range(c.below(3))]
        self.params = [Vector(f"v{i}", c.pick(TYPES), c.pick(lengths)) for i in range(c.below(3))]
        self.params += [Vector(f"w{i}", c.pick(TYPES), c.pick(lengths), "R") for i in range(c.below(3))]
        kernels = [f"work{i}" for i in range(c.between(1, 3))]
        for i in range(c.below(3)):
            self.helper(f"help{i}")
        for name in kernels:
            self.kernel(name)
        return self.whole(kernels)

    # Text

    def put(self, text: str) -> None:
        """One line, indented by the braces before it."""
        self.level -= text.startswith("}")
        self.lines.append("  " * self.level + text)
        self.level += text.endswith("{")

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def whole(self, kernels: list[str]) -> RandomProgram:
        c, graph = self.c, random_graph(self.c)
        head = [f"const int {name} = {size};" for name, size in self.sizes.items()]
        head += ['import "array.irgl";', "graph Graph {"]
        given: dict[str, Any] = {}
        for p in (*self.props, self.near):
            first = "0" if p.text == NEAR else self.first(p.type)
            head.append(f"  node {p.type} {p.text}[{self.size(p.length)}]{f' = {first}' if first else ''};")
        for p in self.inputs:
            head.append(f"  input node {p.type} {p.text}[{p.length}];")
            given[p.text] = self.given((graph.num_nodes, self.sizes[p.length]), p.type)
        head += [f"  node {q.type} {q.text} = {self.first(q.type) or '0'};" for q in self.plain]
        head += [f"  edge {c.pick(('int', 'float', 'long'))} weight;", "}", "long total = 3; bool any_one = false;"]
        params = ["Graph g"]
        for v in self.params:
            rows = (self.sizes[v.rows],) if v.rows else ()
            default = ""
            if c.chance(30):
                default = f" = {'true' if v.type == 'bool' else c.pick(('1', '0', '3'))}"
            if not default or c.chance(50):
                given[v.text] = self.given((*rows, self.sizes[v.length]), v.type)
            params.append(f"{self.declared(v)}{default}")
        params.append("int extra = 5")
        handed = ", ".join(["g", *(v.text for v in self.params), "extra"])
        host = [f"  Invoke {name}({handed});" for name in kernels]
        if c.chance(40):
            host.append(f"  for (int r = 0; r < 2; r++) {{ Invoke {c.pick(kernels)}({handed}); }}")
        tail = [f"Program entry({', '.join(params)}) {{", *host, "}"]
        return RandomProgram("\n".join([*head, *self.lines, *tail]) + "\n", graph, given)

    def size(self, name: str) -> str:
        """A length, by its name or as a number."""
        return name if self.c.chance(70) else str(self.sizes[name])

    def declared(self, v: Vector) -> str:
        rows = f"[{self.size(v.rows)}]" if v.rows else ""
        return f"{v.type} {v.text}{rows}[{self.size(v.length)}]"

    def given(self, shape: tuple[int, ...], t: str) -> np.ndarray[Any, Any]:
        """Values of the caller's, small, with halves where the type has them."""
        flat = [self.c.between(0 if t.startswith("u") else -4, 9) for _ in range(int(np.prod(shape)))]
        values = np.array(flat).reshape(shape)
        return (values > 2 if t == "bool" else values / 2 if t in FLOATS else values).astype(_DTYPES.get(t, t))

    def first(self, t: str) -> str:
        return self.c.pick(("", "true", "false") if t == "bool" else ("0", "", "1", "7", "INF"))

    # Helpers and kernels

    def helper(self, name: str) -> None:
        """A function that is given parameters of several values, and a number."""
        c = self.c
        known = [v for v in self.params if c.chance(60)]
        t = c.pick(TYPES)
        head = ", ".join([*map(self.declared, known), "int at"])
        self.put(f"{t} {name}({head}) {{")
        s = Scope(list(known), [], [Value("at", "int")], [])
        own = Vector(self.fresh("own"), t, c.pick(("K", "L")))
        self.put(f"{self.declared(own)}{c.pick(('', ' = 1' if t != 'bool' else ' = true'))};")
        s.vectors.append(own)
        s.writable.append(own)
        for _ in range(c.between(1, 3)):
            self.statement(s, "")
        self.put(f"return {own.text}[{self.index(s, own.length)}];")
        self.put("}")
        self.helpers.append((name, t, ", ".join(v.text for v in known)))

    def kernel(self, name: str) -> None:
        c = self.c
        head = ", ".join(["Graph g", *map(self.declared, self.params), "int extra"])
        self.put(f"Kernel {name}({head}) {{")
        if c.chance(20):
            self.asked = True  # no vector is declared here
            self.put(f"int before = {self.cast('int', self.number(Scope([], [], [Value('extra', 'int')])))};")
            self.asked = False
        for _ in range(c.pick((1, 1, 2))):
            self.region()
        self.put("}")

    def region(self) -> None:
        """A loop over all nodes."""
        c = self.c
        parts = {p.text: c.pick(self.parts_of(p)) for p in self.props} | {NEAR: c.pick(("+", "shared", "+"))}
        self.far = [(p, parts[p.text]) for p in (*self.props, self.near) if parts[p.text] not in ("shared", "owned")]
        self.shared = [p for p in (*self.props, self.near) if parts[p.text] == "shared"] + self.inputs
        owned = [p for p in self.props if parts[p.text] == "owned"]
        self.put("ForAll (n In g.nodes) {")
        s = Scope(list(self.params), [], [Value("extra", "int"), Value("n.degree", "long"), Value("n.id", "long")], [])
        s.vectors += [Vector(f"n.{p.text}", p.type, p.length) for p in (*self.shared, *owned)]
        s.writable += [Vector(f"n.{p.text}", p.type, p.length) for p in owned]
        s.numbers += [Value(f"n.{q.text}", q.type) for q in self.plain]
        s.kept += [Value(f"n.{q.text}", q.type) for q in self.plain]
        for _ in range(c.between(1, 6)):
            self.statement(s, "n")
        self.put("}")

    def parts_of(self, p: Vector) -> tuple[str, ...]:
        whole = ("+", "min", "max", "|") if p.type in INTS else ("min", "max") if p.type in FLOATS else ("|",)
        return ("owned", "owned", "shared", "owned", *whole)

    # Statements

    def statement(self, s: Scope, node: str) -> None:
        """One statement, where `node` says what the iteration is that it stands in ('': none)."""
        options = [self.declare, self.declare, self.assign, self.update, self.update, self.one_value, self.one_value]
        if self.depth < DEEPEST:
            options += [self.branch, self.counted, self.repeated]
        self.c.pick(options if not node else [*options, self.edges, self.edges, self.contribute])(s, node)

    def block(self, s: Scope, node: str, number: Value | None = None) -> None:
        inner = s.inner()
        if number is not None:
            inner.numbers.append(number)
        self.depth += 1
        for _ in range(self.c.between(1, 2)):
            self.statement(inner, node)
        self.depth -= 1

    def declare(self, s: Scope, node: str) -> None:  # noqa: ARG002
        c, length, name = self.c, self.length(s), self.fresh("x")
        if c.chance(25):  # a number
            found = self.number(s)
            t = c.pick((found.type, c.pick(TYPES)))
            auto = t == found.type and c.chance(50)
            self.put(f"{'auto' if auto else t} {name} = {found.text if auto else self.cast(t, found)};")
            s.numbers.append(Value(name, t))
            s.kept.append(Value(name, t))
            return
        match c.below(4):
            case 0:
                made = Vector(name, c.pick(TYPES), length)
                self.put(f"{self.declared(made)};")
            case 1:
                made = Vector(name, c.pick(TYPES), length)
                self.put(f"{self.declared(made)} = {self.cast(made.type, self.number(s))};")
            case 2:
                value = self.vector(s, length)
                made = Vector(name, value.type, length)
                self.put(f"auto {name} = {value.text};")
            case _:
                made = Vector(name, c.pick(TYPES), length)
                self.put(f"{self.declared(made)} = {self.cast(made.type, self.vector(s, length))};")
        s.vectors.append(made)
        s.writable.append(made)

    def assign(self, s: Scope, node: str) -> None:
        if not s.writable:
            self.declare(s, node)
            return
        v = self.c.pick(s.writable)
        self.put(f"{v.text} = {self.cast(v.type, self.any_of(s, v.length))};")

    def update(self, s: Scope, node: str) -> None:
        if not s.writable:
            self.declare(s, node)
            return
        v = self.c.pick(s.writable)
        self.put(self.updated(v.text, v.type, self.any_of(s, v.length)))

    def updated(self, target: str, t: str, value: Value) -> str:
        """The statement of an update by an operator that the type has."""
        if t == "bool":
            return f"{target} {self.c.pick(('|=', '&=', '^='))} {self.cast(t, value)};"
        ops = ["+=", "-=", "min=", "max=", "*="] + (["|=", "&=", "^="] if t in INTS else [])
        op = self.c.pick(ops)
        if op == "*=" and (promoted(t) != t or "hash(" in target):  # such an update needs a place that no call finds
            op = "+="
        return f"{target} {op} {self.cast(t, value)};"

    def one_value(self, s: Scope, node: str) -> None:
        """A store to, or an update of, one value, or a number."""
        if s.kept and self.c.chance(30):
            x = self.c.pick(s.kept)
            at, t = x.text, x.type
        elif s.writable:
            v = self.c.pick(s.writable)
            at, t = f"{v.text}[{self.index(s, v.length)}]", v.type
        else:
            self.declare(s, node)
            return
        value = self.number(s)
        self.put(f"{at} = {self.cast(t, value)};" if self.c.chance(50) else self.updated(at, t, value))

    def contribute(self, s: Scope, node: str) -> None:  # noqa: ARG002
        """To what all iterations share."""
        if self.c.chance(40):
            self.put(f"any_one |= {self.condition(s)};")
        else:
            self.put(f"total {self.c.pick(('+=', '-='))} {self.cast('long', self.number(s))};")

    def branch(self, s: Scope, node: str) -> None:
        self.put(f"if ({self.condition(s)}) {{")
        self.block(s, node)
        if self.c.chance(40):
            self.put("} else {")
            self.block(s, node)
        self.put("}")

    def counted(self, s: Scope, node: str) -> None:
        """A loop over the values of vectors, or over rows."""
        name, length = self.fresh("k"), self.c.pick(("K", "L", "R"))
        self.put(f"For ({name} In range({self.size(length)})) {{")
        inner = s.inner()
        inner.numbers.append(Value(name, f"below {length}"))
        self.block(inner, node)
        self.put("}")

    def repeated(self, s: Scope, node: str) -> None:
        name = self.fresh("j")
        if self.c.chance(50):
            self.put(f"for (int {name} = 0; {name} < {self.c.pick(('2', 'R', '1'))}; {name}++) {{")
            self.block(s, node, Value(name, "int"))
        else:
            self.put(f"int {name} = 0;")
            self.put(f"while ({name} < 2) {{")
            self.put(f"{name} += 1;")
            self.block(s, node, Value(name, "int"))
        self.put("}")

    def edges(self, s: Scope, node: str) -> None:
        """A loop along edges, over whose iterations vectors are reduced, and updates of the nodes at the far ends."""
        if node != "n":
            self.update(s, node)
            return
        c = self.c
        there, along = c.pick((("dst", "edges"), ("src", "in_edges")))
        sums = []
        for _ in range(c.below(4)):
            t = c.pick(TYPES)
            made, op = Vector(self.fresh("sum"), t, self.length(s)), c.pick(self.far_ops(t))
            first = "" if c.chance(30) else " = true" if t == "bool" else c.pick((" = 0", " = 1", " = 3"))
            self.put(f"{self.declared(made)}{first};")
            sums.append((made, op))
        self.put(f"ForAll (e In n.{along}) {{")
        inner = s.inner(parallel=True)
        inner.vectors += [Vector(f"e.{there}.{p.text}", p.type, p.length) for p in self.shared]
        inner.numbers += [Value("(int)e.weight", "int"), Value(f"e.{there}.degree", "long"), Value("e.id", "long")]
        # What the iteration around may write, its own edges' iterations may not read of far ends, but of n they may.
        for _ in range(c.below(3)):
            self.declare(inner, "e")
        far = [(Vector(f"e.{there}.{p.text}", p.type, p.length), op) for p, op in self.far]
        for target, op in [*sums, *(f for f in far if c.chance(50))]:
            if c.chance(25):
                self.put(f"if ({self.condition(inner)}) {{")
                self.reduce(inner.inner(), target, op)
                self.put("}")
            else:
                self.reduce(inner, target, op)
        if c.chance(20):
            self.contribute(inner, "e")
        self.put("}")
        s.vectors += [v for v, _ in sums]
        s.writable += [v for v, _ in sums]

    def far_ops(self, t: str) -> tuple[str, ...]:
        if t in FLOATS:
            return ("+", "min", "max", "-")
        return ("|", "&") if t == "bool" else ("+", "-", "min", "max", "|", "&")

    def reduce(self, s: Scope, v: Vector, op: str) -> None:
        """A contribution to a vector, or to one of its values."""
        at, value = v.text, self.any_of(s, v.length)
        if self.c.chance(25):
            at, value = f"{v.text}[{self.index(s, v.length)}]", self.number(s)
        if v.type in FLOATS and op in "+-":
            value = Value(f"({v.type})({self.whole_number(value)} & 15)", v.type)
        self.put(f"{at} {op}= {self.cast(v.type, value)};")

    def whole_number(self, v: Value) -> str:
        return v.text if v.type in INTS else f"(int)({v.text})"

    # Expressions

    def length(self, s: Scope) -> str:
        known = [v.length for v in s.vectors]
        return self.c.pick(known) if known and self.c.chance(70) else self.c.pick(("K", "L"))

    def cast(self, t: str, v: Value) -> str:
        """What converts to a type without being refused."""
        if v.type == t and self.c.chance(70):
            return v.text
        return f"({t})({v.text})"

    def any_of(self, s: Scope, length: str) -> Value:
        """A vector, or a number for all values."""
        return self.number(s) if self.c.chance(20) else self.vector(s, length)

    def vector(self, s: Scope, length: str, depth: int = 2) -> Value:
        c = self.c
        if depth <= 0 or c.chance(20):
            return self.vector_leaf(s, length)
        a = self.vector(s, length, depth - 1)
        match c.below(10):
            case 0 | 1:
                return self.arithmetic(a, self.beside(s, length, depth - 1))
            case 2:
                return self.arithmetic(self.number(s, depth - 1), a)
            case 3:
                return self.divided(a, self.beside(s, length, depth - 1))
            case 4:
                b = self.beside(s, length, depth - 1)
                return Value(f"{c.pick(('min', 'max'))}({a.text}, {b.text})", common(a.type, b.type))
            case 5:
                return Value(f"abs({a.text})", promoted(a.type))
            case 6:
                test = self.condition(s)
                around, self.asked = self.asked, True
                b = self.beside(s, length, depth - 1)
                self.asked = around
                x, y = (a, b) if c.chance(50) else (b, a)
                return Value(f"({test} ? {x.text} : {y.text})", common(a.type, b.type))
            case 7:
                t = a.type if a.type in FLOATS else "double"
                return Value(f"{c.pick(('sqrt', 'floor'))}({a.text if c.chance(30) else f'abs({a.text})'})", t)
            case 8:
                t = c.pick(TYPES)
                return Value(f"({t})({a.text})", t)
            case _:
                op = c.pick(("-", "+", "~") if a.type not in FLOATS else ("-", "+"))
                return Value(f"({op}{a.text})", promoted(a.type))

    def vector_leaf(self, s: Scope, length: str) -> Value:
        c = self.c
        known = [v for v in s.vectors if v.length == length]
        if not known:
            t = c.pick(TYPES)
            name = self.fresh("x")
            self.put(f"{t} {name}[{self.size(length)}] = {self.cast(t, self.number(s, 0))};")
            s.vectors.append(made := Vector(name, t, length))
            return Value(made.text, t)
        v = c.pick(known)
        return Value(f"{v.text}[{self.index(s, v.rows)}]" if v.rows else v.text, v.type)

    def beside(self, s: Scope, length: str, depth: int) -> Value:
        return self.number(s, depth) if self.c.chance(35) else self.vector(s, length, depth)

    def arithmetic(self, a: Value, b: Value) -> Value:
        t = common(a.type, b.type)
        ops = ("+", "-", "*") if t in FLOATS else ("+", "-", "*", "&", "|", "^")
        return Value(f"({a.text} {self.c.pick(ops)} {b.text})", t)

    def divided(self, a: Value, b: Value) -> Value:
        t = common(a.type, b.type)
        if t in FLOATS:
            return Value(f"({a.text} / (abs({b.text}) + 1))", t)
        return Value(f"({a.text} {self.c.pick(('/', '%'))} (({b.text} & 7) + 1))", t)

    def number(self, s: Scope, depth: int = 2) -> Value:
        c = self.c
        if depth <= 0 or c.chance(25):
            return self.number_leaf(s)
        match c.below(7):
            case 0:
                return self.arithmetic(self.number(s, depth - 1), self.number(s, depth - 1))
            case 1:
                return self.divided(self.number(s, depth - 1), self.number(s, depth - 1))
            case 2:
                a, b = self.number(s, depth - 1), self.number(s, depth - 1)
                return Value(f"{c.pick(('min', 'max'))}({a.text}, {b.text})", common(a.type, b.type))
            case 3 if not self.asked:
                return self.summed(s)
            case 4 if self.helpers and s.numbers and all(v in s.vectors for v in self.params):
                name, t, handed = c.pick(self.helpers)
                at = self.cast("int", self.number(s, 0))
                return Value(f"{name}({handed}{', ' if handed else ''}{at})", t)
            case 5:
                t = c.pick(TYPES)
                return Value(f"({t})({self.number(s, depth - 1).text})", t)
            case _:
                return self.number_leaf(s)

    def summed(self, s: Scope) -> Value:
        length = self.length(s)
        a = self.vector(s, length, 1)
        if self.c.chance(50):
            return Value(f"sum({a.text})", promoted(a.type))
        b = self.vector(s, length, 1)
        return Value(f"dot({a.text}, {b.text})", common(a.type, b.type))

    def number_leaf(self, s: Scope) -> Value:
        c = self.c
        if s.vectors and c.chance(50):
            v = c.pick(s.vectors)
            row = f"[{self.index(s, v.rows)}]" if v.rows else ""
            return Value(f"{v.text}{row}[{self.index(s, v.length)}]", v.type)
        if s.numbers and c.chance(60):
            x = c.pick(s.numbers)
            return Value(x.text, "long" if x.type.startswith("below") else x.type)
        return c.pick((Value("1", "int"), Value("0.5", "double"), Value("2.0f", "float"), Value("K", "int"),
                       Value("(-3)", "int"), Value("true", "bool"), Value("100", "int"), Value("7u", "uint32"),
                       Value("1099511627776", "long"), Value("R", "int"), Value("(-1.5)", "double")))

    def index(self, s: Scope, length: str) -> str:
        """One that is there."""
        c = self.c
        counted = [x.text for x in s.numbers if x.type == f"below {length}"]
        if counted and c.chance(70):
            return c.pick(counted)
        if s.numbers and c.chance(25):
            x = c.pick(s.numbers)
            return f"hash((long)({x.text})) % {self.size(length)}"
        if c.chance(20):
            return f"{length} - 1"
        return str(c.below(self.sizes[length]))

    def condition(self, s: Scope) -> str:
        a, b = self.number(s, 1), self.number(s, 0)
        test = f"{a.text} {self.c.pick(('<', '>', '==', '!=', '<=', '>='))} {b.text}"
        if self.c.chance(20):
            around, self.asked = self.asked, True
            test += f" {self.c.pick(('&&', '||'))} {self.number(s, 1).text} > {self.number(s, 0).text}"
            self.asked = around
        return f"({test})"
