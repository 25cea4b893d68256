"""Random functions of GraphIt's whose effects depend on no order, over vectors that are stored one way only in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from support import gt_pieces as P
from support.choices import Choices
from support.gt_numbers import COMPARES, FLOATS, KINDS, WHOLE, converted
from support.gt_pieces import E, Local, S, World


@dataclass(frozen=True)
class Vector:
    """shown: what it is called where it is written; role: '' of any use, `chosen` of which any value may stay, `far` a
    vertex each."""

    name: str
    kind: str
    role: str = ""
    shown: str = ""

    def at(self, vertex: E) -> E:
        return P.element(self.kind, self.shown or self.name, self.name, vertex)


#: A function that expressions call: its name, what it takes (int or Vertex) and gives, and what that is.
Helper = tuple[str, str, str, Callable[[World, Any], Any]]


@dataclass
class Scope:
    """What expressions may ask: vertices, other numbers, vectors; helpers: functions of a vertex or a number."""

    c: Choices
    vertices: list[E]
    numbers: list[E]
    vectors: list[Vector]
    edges: list[str] = field(default_factory=list)
    helpers: list[Helper] = field(default_factory=list)

    def vertex(self) -> E:
        far = [v for v in self.vectors if v.role == "far"]
        if far and self.c.chance(15):
            return self.c.pick(far).at(self.c.pick(self.vertices))
        return self.c.pick(self.vertices)

    def leaf(self, small: bool) -> E:
        """small: a number that a float holds exactly."""
        c = self.c
        constants = [P.literal("int", t, int(t)) for t in ("1", "0", "2", "7", "3")]
        options: list[E] = [c.pick(constants), c.pick(constants)]
        if self.vertices:
            options.append(self.vertex())
        mixed = c.chance(10)
        some = [n for n in self.numbers if (n.kind in FLOATS or n.text.startswith("weight") if small else
                                            mixed or n.kind not in FLOATS)]
        options += [c.pick(some)] * 2 if some else []
        mine = [v for v in self.vectors if (v.kind in (*FLOATS, "bool") if small else mixed or v.kind not in FLOATS)]
        options += [c.pick(mine).at(self.vertex())] * 3 if mine and self.vertices else []
        if self.edges and self.vertices and c.chance(30):
            options.append(self._degree() if c.chance(60) else self._shared())
        if small:
            options.append(c.pick([P.literal("double", t, float(t)) for t in ("0.5", "2.0", "1.25", "1e1")]))
        elif c.chance(5):
            options.append(P.literal("int", "2147483647", 2147483647))
        return c.pick(options)

    def _degree(self) -> E:
        name, at = self.c.pick(self.edges), self.c.pick(self.vertices)
        reverse = name == "back"
        return E("int", f"{name}.getOutDegree({at.text})", P.ATOM,
                 lambda w, my: sum(1 for _ in w.edges_of(at.value(w, my), reverse)))

    def _shared(self) -> E:
        one, other = self.c.pick(self.vertices), self.c.pick(self.vertices)
        return E("int", f"intersectNeighbor(edges, {one.text}, {other.text})", P.ATOM, lambda w, my: len(
            set(w.neighbours(one.value(w, my))) & set(w.neighbours(other.value(w, my)))))

    def number(self, depth: int = 2, *, small: bool = False) -> E:
        c = self.c
        if depth == 0 or c.chance(30):
            return self.leaf(small)
        kind = c.below(12)
        if kind < 6:
            return P.infix(c.pick("+-"), self.number(depth - 1, small=small), self.number(depth - 1, small=small))
        if kind == 6:
            right = c.pick([P.literal("double", "0.5", 0.5), P.literal("int", "2", 2)]) if small else self.number(0)
            return P.infix("*", self.number(depth - 1, small=small), right)
        if kind == 7:
            right = P.literal("double", "2.0", 2.0) if small else P.literal("int", *c.pick([("3", 3), ("2", 2)]))
            return P.infix("/", self.number(depth - 1, small=small), right)
        if kind == 8:
            return P.negated(self.number(depth - 1, small=small))
        if kind == 9:
            a, b = self.number(depth - 1, small=small), self.number(0, small=small)
            both = P.infix("+", a, b)
            return E(both.kind, f"max({a.text}, {b.text})", P.ATOM, lambda w, my: max(
                converted(a.value(w, my), both.kind), converted(b.value(w, my), both.kind)))
        if kind == 10 and small:
            a = self.number(depth - 1, small=True)
            name, meant = c.pick((("fabs", abs), ("floor", lambda x: float(x // 1)), ("to_double", float)))
            result = "float" if a.kind == "float" and name != "to_double" else "double"
            return P.called(result, name, [a], lambda _, x: meant(converted(x, result)))  # type: ignore[operator]
        if kind == 11 and self.helpers and not small:
            name, takes, gives, meant = c.pick(self.helpers)
            if takes == "int":
                return P.called(gives, name, [self.number(1)], lambda w, x: meant(w, converted(x, "int")))
            if self.vertices:
                return P.called(gives, name, [self.vertex()], meant)
        return self.leaf(small)

    def of(self, kind: str, depth: int = 2) -> E:
        """A number that may be stored as one of a kind, combined with others in any order."""
        return self.truth() if kind == "bool" else self.number(depth, small=kind in FLOATS)

    def truth(self, depth: int = 2) -> E:
        c = self.c
        kind = c.below(8)
        if depth == 0 or kind < 3:
            small = c.chance(30)
            return P.infix(c.pick(COMPARES), self.number(1, small=small), self.number(1, small=small))
        if kind < 5:
            return P.infix(c.pick(("and", "or", "xor")), self.truth(depth - 1), self.truth(depth - 1))
        if kind == 5:
            return P.inverted(self.truth(depth - 1))
        bools = [v for v in self.vectors if v.kind == "bool"]
        if bools and self.vertices:
            one = c.pick(bools).at(self.vertex())
            value = c.chance(50)
            said = P.literal("bool", str(value).lower(), value)
            return P.infix(c.pick(("==", "!=")), one, said) if kind == 6 else one
        return P.literal("bool", "true", True)


@dataclass
class Function:
    """params: what it is given; bound: what is bound to it, by the text and the meaning of what stands there. touched:
    what it stores; chosen: it stores one of several values."""

    name: str
    params: list[str]
    body: S
    touched: set[str]
    bound: list[tuple[str, str, E | Vector]] = field(default_factory=list)
    result: tuple[str, str] | None = None
    chosen: Vector | None = None
    kinds: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        brackets = "[" + ", ".join(f"{n} : {t}" for n, t, _ in self.bound) + "]" if self.bound else ""
        kinds = [*("Vertex" for _ in self.params[:2]), "int"] if not self.kinds else self.kinds
        given = ", ".join(f"{p} : {k}" for p, k in zip(self.params, kinds, strict=False))
        gives = f" -> {self.result[0]} : {self.result[1]}" if self.result else ""
        return [f"func {self.name}{brackets}({given}){gives}", *self.body.lines, "end", ""]

    def named(self) -> str:
        if not self.bound:
            return self.name
        return f"{self.name}[{', '.join(b.name if isinstance(b, Vector) else b.text for _, _, b in self.bound)}]"

    def begun(self, w: World, at: Local) -> Local:
        """What its names mean at first, where it is applied."""
        return {n: converted(b.value(w, at), t) for n, t, b in self.bound if isinstance(b, E)}

    def holds(self, w: World, given: Local, v: int) -> bool:
        """What it says of a vertex."""
        at = {**given, self.params[0]: v}
        self.body.run(w, at)
        assert self.result is not None
        return bool(at[self.result[0]])


UPDATES = {**dict.fromkeys(WHOLE, ("+=", "min=", "max=", "asyncMin=", "asyncMax=")),
           **dict.fromkeys(FLOATS, ("+=", "min=", "max=")), "bool": ("+=",)}


def update(scope: Scope, vector: Vector, at: E) -> S:
    """A reduction, as an operator or by its function."""
    c, place = scope.c, vector.at(at)
    op, value = c.pick(UPDATES[vector.kind]), scope.of(vector.kind)
    made = P.stored(place, op, value, P.to_element(vector.name, at))
    if vector.kind in (*WHOLE, "double") and op in ("+=", "min=") and c.chance(25):
        word = "atomicAdd" if op == "+=" else "writeMin"
        return S((f"{word}({vector.shown or vector.name}, {at.text}, {value.text});",), made.run)
    return made


def same_for_all(scope: Scope, vector: Vector, at: E) -> S:
    """A plain store of one value for all that store to a place."""
    there = Scope(scope.c, [at], [n for n in scope.numbers if not n.text.startswith(("weight", "t"))], scope.vectors)
    return P.stored(vector.at(at), "=", there.of(vector.kind), P.to_element(vector.name, at))


def in_turn(scope: Scope, vector: Vector, own: E) -> S:
    """A store of what a vertex has and its edges bring, one after the other."""
    c, place, put = scope.c, vector.at(own), P.to_element(vector.name, own)
    value = scope.of(vector.kind)
    if value.kind == vector.kind and vector.kind in WHOLE and c.chance(50):
        return P.when(P.infix(c.pick("<>"), place, value), [P.stored(place, "=", value, put)])
    return P.stored(place, "=", P.infix("or" if vector.kind == "bool" else "+", place, value), put)


def once(vector: Vector, other: Vector, at: E, name: str) -> Sequence[S]:
    """What follows the one change that a vertex's value sees: whoever makes it does the same."""
    place = vector.at(at)

    def run(w: World, my: Local) -> None:
        old, v = place.value(w, my), at.value(w, my)
        my[name] = w.store(vector.name, v, min(old, converted(-3, vector.kind)))

    first = S((f"var {name} : bool = writeMin({vector.shown or vector.name}, {at.text}, -3);",), run)
    then = P.stored(other.at(at), "+=", P.literal("int", "1", 1), P.to_element(other.name, at))
    return [first, P.when(P.local("bool", name), [then])]


assert set(UPDATES) == set(KINDS)
