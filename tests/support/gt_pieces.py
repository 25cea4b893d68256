"""Pieces of GraphIt's programs: each is its text and what it means, run by plain Python, one edge after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.gt_numbers import COMPARES, common, computed, converted, updated
from support.random_graphs import SmallGraph

Local = dict[str, Any]
STEPS = 60_000


class TooLong(Exception):
    """A program that multiplies its work beyond reason."""


class Leave(Exception):
    """A loop is left."""


@dataclass
class World:
    """What a program changes, and its graph. kept: its list of numbers. tracked: the vector whose changes are followed;
    changed: its vertices."""

    graph: SmallGraph
    args: dict[str, int]
    vectors: dict[str, list[Any]] = field(default_factory=dict)
    scalars: Local = field(default_factory=dict)
    printed: list[Any] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)
    tracked: str = ""
    changed: set[int] = field(default_factory=set)
    steps: int = 0

    @property
    def nodes(self) -> range:
        return range(self.graph.num_nodes)

    def edges_of(self, v: int, reverse: bool) -> Iterator[tuple[int, int]]:
        """The other end and the weight of each edge that leaves v, or comes to it."""
        g = self.graph
        for s in self.nodes if reverse else (v,):
            for i in range(int(g.row[s]), int(g.row[s + 1])):
                if not reverse or g.dst[i] == v:
                    yield (s if reverse else int(g.dst[i])), 1 if g.weight is None else int(g.weight[i])

    def neighbours(self, v: int) -> list[int]:
        return [u for u, _ in self.edges_of(v, False)]

    def store(self, vector: str, v: int, value: Any) -> bool:
        """Was another value there?"""
        differs = bool(self.vectors[vector][v] != value)
        self.vectors[vector][v] = value
        if differs and vector == self.tracked:
            self.changed.add(v)
        return differs


@dataclass(frozen=True)
class E:
    """An expression. level: how tightly its outermost operator binds."""

    kind: str
    text: str
    level: int
    value: Callable[[World, Local], Any]

    def within(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class S:
    """A statement, as lines."""

    lines: tuple[str, ...]
    run: Callable[[World, Local], None]


ATOM = 9
_LEVELS = {"or": 1, "and": 2, "xor": 3, **dict.fromkeys(COMPARES, 4), "+": 6, "-": 6, "*": 7, "/": 7}
_LOGIC: dict[str, Callable[[bool, Callable[[], bool]], bool]] = {
    "or": lambda a, b: a or b(), "and": lambda a, b: a and b(), "xor": lambda a, b: a != b()}


def literal(kind: str, text: str, value: Any) -> E:
    return E(kind, text, 8 if text.startswith("-") else ATOM, lambda _w, _my: value)


def local(kind: str, name: str) -> E:
    return E(kind, name, ATOM, lambda _, at: at[name])


def scalar(kind: str, name: str) -> E:
    return E(kind, name, ATOM, lambda w, _: w.scalars[name])


def element(kind: str, shown: str, vector: str, at: E) -> E:
    """vector[at]; shown: what the vector is called here."""
    return E(kind, f"{shown}[{at.text}]", ATOM, lambda w, my: w.vectors[vector][at.value(w, my)])


def called(kind: str, function: str, args: Sequence[E], value: Callable[..., Any]) -> E:
    return E(kind, f"{function}({', '.join(a.text for a in args)})", ATOM,
             lambda w, my: value(w, *(a.value(w, my) for a in args)))


def infix(op: str, a: E, b: E) -> E:
    level = _LEVELS[op]
    text = f"{a.within(level)} {op} {b.within(level + 1)}"
    if op in _LOGIC:
        logic = _LOGIC[op]
        return E("bool", text, level, lambda w, my: logic(bool(a.value(w, my)), lambda: bool(b.value(w, my))))
    kind = "bool" if op in COMPARES else common(a.kind, b.kind)
    return E(kind, text, level, lambda w, my: computed(op, a.value(w, my), b.value(w, my), a.kind, b.kind))



def negated(a: E) -> E:
    kind = "int" if a.kind == "bool" else a.kind
    return E(kind, f"-{a.within(ATOM)}", 8, lambda w, my: converted(-converted(a.value(w, my), kind), kind))


def inverted(a: E) -> E:
    return E("bool", f"not {a.within(5)}", 5, lambda w, my: not a.value(w, my))


# Statements


def block(body: Sequence[S]) -> S:
    """Statements, further to the right."""
    def run(w: World, at: Local) -> None:
        for s in body:
            w.steps += 1
            if w.steps > STEPS:
                raise TooLong
            s.run(w, at)

    return S(tuple(f"    {line}" for s in body for line in s.lines), run)


def declared(kind: str, name: str, init: E, spelled: str = "") -> S:
    def run(w: World, at: Local) -> None:
        at[name] = converted(init.value(w, at), kind)

    return S((f"var {name} : {spelled or kind} = {init.text};",), run)


def stored(place: E, op: str, value: E, put: Callable[[World, Local, Any], Any]) -> S:
    """place op value; put: stores it."""
    def run(w: World, at: Local) -> None:
        new = converted(value.value(w, at), place.kind)
        put(w, at, new if op == "=" else updated(op, place.value(w, at), new, place.kind))

    return S((f"{place.text} {op} {value.text};",), run)


def to_local(name: str) -> Callable[[World, Local, Any], None]:
    def put(_: World, at: Local, value: Any) -> None:
        at[name] = value

    return put


def to_scalar(name: str) -> Callable[[World, Local, Any], None]:
    def put(w: World, _: Local, value: Any) -> None:
        w.scalars[name] = value

    return put


def to_element(vector: str, at: E) -> Callable[[World, Local, Any], Any]:
    return lambda w, my, value: w.store(vector, at.value(w, my), value)


def when(test: E, body: Sequence[S], orelse: Sequence[S] = (), also: tuple[E, Sequence[S]] | None = None) -> S:
    """if, with an elif and an else where there are any."""
    yes, no = block(body), block(orelse)
    other = block(also[1]) if also is not None else None

    def run(w: World, at: Local) -> None:
        if test.value(w, at):
            yes.run(w, at)
        elif also is not None and other is not None and also[0].value(w, at):
            other.run(w, at)
        else:
            no.run(w, at)

    middle = (f"elif {also[0].text}", *other.lines) if also is not None and other is not None else ()
    return S((f"if {test.text}", *yes.lines, *middle, *(("else", *no.lines) if orelse else ()), "end"), run)


def counted(name: str, low: E, high: E, body: Sequence[S], word: str = "for") -> S:
    inner = block(body)

    def run(w: World, at: Local) -> None:
        at[name] = low.value(w, at)
        try:
            while at[name] < high.value(w, at):
                inner.run(w, at)
                at[name] += 1
        except Leave:
            pass

    return S((f"{word} {name} in {low.text}:{high.text}", *inner.lines, "end"), run)


def repeated(test: E, body: Sequence[S], *, first: bool = False) -> S:
    """while; first: do ... end while."""
    inner = block(body)

    def run(w: World, at: Local) -> None:
        try:
            if first:
                inner.run(w, at)
            while test.value(w, at):
                inner.run(w, at)
        except Leave:
            pass

    if first:
        return S(("do", *inner.lines, f"end while {test.within(ATOM)};"), run)
    return S((f"while ({test.text})", *inner.lines, "end"), run)


def asked(text: str) -> S:
    """What is true is printed."""
    return S((f"print {text};",), lambda w, _: w.printed.append("1"))


def left() -> S:
    def run(_: World, _at: Local) -> None:
        raise Leave

    return S(("break;",), run)
