"""Schedules of GPUs, which are objects: what their calls say."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from irgl.frontends.gt.schedules import values as V
from irgl.frontends.gt.schedules.grammar import HYBRID, SIMPLE
from irgl.frontends.gt.schedules.tree import Call, Declared, OnObject, Value, Word
from irgl.source import IrglError

PUSH, PULL = "PUSH", "PULL"
BALANCES = ("VERTEX_BASED", "TWC", "TWCE", "ETWC", "WM", "CM", "STRICT", "EDGE_ONLY")
CREATIONS = ("FUSED", "UNFUSED_BITMAP", "UNFUSED_BOOLMAP")
SETS = ("BOOLMAP", "BITMAP")
_SWITCHED = ("DISABLED", "ENABLED")
EDGE_ONLY, BLOCKED = "EDGE_ONLY", "BLOCKED"
_CRITERION = "INPUT_VERTEXSET_SIZE"

#: A call: its first word, what that is, further words, and how it is written.
_CALLS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "configDirection": ((PUSH, PULL), "direction", "(PUSH), or (PULL, BITMAP)"),
    "configFrontierCreation": (CREATIONS, "frontier creation", "(FUSED)"),
    "configDeduplication": (_SWITCHED, "deduplication", "(ENABLED, FUSED)"),
    "configLoadBalance": (BALANCES, "load balance", "(TWCE), or (EDGE_ONLY, BLOCKED, 65536)"),
    "configKernelFusion": (_SWITCHED, "kernel fusion", "(ENABLED)"),
    "configBooleanType": (SETS, "boolean type", "(BITMAP)"),
}
DELTA = "configDelta"


@dataclass(frozen=True, slots=True)
class Simple:
    """What the calls on an object say, the later ones where several say the same: by the names of the calls."""

    calls: Mapping[str, Call] = field(default_factory=dict)

    def word(self, name: str, at: int = 0) -> str:
        """A word that a call says; '' where it doesn't."""
        call = self.calls.get(name)
        value = call.args[at] if call is not None and len(call.args) > at else None
        return value.name if isinstance(value, Word) else ""

    @property
    def pulls(self) -> bool:
        return self.word("configDirection") == PULL


@dataclass(frozen=True, slots=True)
class Hybrid:
    """`small` while the frontier is at most `share` of the vertices, else `large`."""

    share: str
    small: Simple
    large: Simple
    made: Declared


class Objects:
    """The objects of a schedule, as its statements make and change them; used: the names of those that are applied, or
    are part of others."""

    def __init__(self) -> None:
        self.known: dict[str, Simple | Hybrid] = {}
        self.declared: dict[str, Declared] = {}
        self.used: set[str] = set()

    def declare(self, d: Declared) -> None:
        """Makes an object. Raises IrglError."""
        name = d.name.name
        if name in self.known:
            raise IrglError(f"there is a `{name}` already", d.name.span,
                            f"it is declared in line {self.declared[name].span.line}")
        self.known[name] = self._made(d)
        self.declared[name] = d

    def _made(self, d: Declared) -> Simple | Hybrid:
        kind = d.kind.name
        if d.like is not None:
            found = self.get(d.like)
            if isinstance(found, Hybrid) != (kind == HYBRID):
                raise IrglError(f"`{d.like.name}` is a {HYBRID if kind == SIMPLE else SIMPLE}", d.like.span)
            return found
        if kind == SIMPLE:
            if d.args:
                raise IrglError(f"a {SIMPLE} is made without values", d.span, f"{SIMPLE} {d.name.name};")
            return Simple()
        return self._hybrid(d)

    def _hybrid(self, d: Declared) -> Hybrid:
        usage = f"{HYBRID} {d.name.name}({_CRITERION}, 0.03, s1, s2);"
        if d.args is None:
            raise IrglError(f"a {HYBRID} is made of a criterion, a threshold and two objects", d.span, usage)
        if len(d.args) != 4:
            raise IrglError(f"a {HYBRID} is made of 4 values, and is given {len(d.args)}", d.span, usage)
        V.word(d.args[0], (_CRITERION,), "criterion")
        share = V.part(d.args[1], "a threshold")
        halves = []
        for value in d.args[2:]:
            half = self.get(value)
            if isinstance(half, Hybrid):
                raise IrglError(f"a {HYBRID} is made of two objects of {SIMPLE}", value.span, usage)
            halves.append(half)
        return Hybrid(share, halves[0], halves[1], d)

    def get(self, value: Value) -> Simple | Hybrid:
        """The object that a name means here. Raises IrglError."""
        if not isinstance(value, Word):
            raise IrglError("expected the name of an object", value.span, "it stands without quotes")
        found = self.known.get(value.name)
        if found is None:
            near = difflib.get_close_matches(value.name, self.known, 1)
            make = f"{SIMPLE} {value.name}; in front of this makes one"
            raise IrglError(f"there is no object `{value.name}` here", value.span,
                            f"did you mean {near[0]}?" if near else make)
        self.used.add(value.name)
        return found

    def change(self, on: OnObject) -> None:
        """Does what a call says of an object. Raises IrglError."""
        used = on.name.name in self.used
        old = self.get(on.name)
        if not used:
            self.used.discard(on.name.name)  # a call by itself has no effect
        if isinstance(old, Hybrid):
            raise IrglError(f"`{on.name.name}` is a {HYBRID}, of which nothing can be configured", on.call.span,
                            "configure the objects that it is made of, in front of it")
        _check(on.call)
        self.known[on.name.name] = replace(old, calls={**old.calls, on.call.name.name: on.call})


def _check(call: Call) -> None:
    """Raises IrglError for what isn't a call on an object."""
    name, args = call.name.name, call.args
    if name == DELTA:
        V.check_count(call, args, 1, 1, f'{DELTA}(4), or {DELTA}("argv[3]")')
        if V.argument(args[0]) is None:
            V.whole(args[0], "a delta")
        return
    if name not in _CALLS:
        names = (*_CALLS, DELTA)
        near = difflib.get_close_matches(name, names, 1)
        raise IrglError(f"a {SIMPLE} has no call `{name}`", call.name.span,
                        f"did you mean {near[0]}?" if near else f"its calls are {', '.join(names)}")
    words, what, usage = _CALLS[name]
    V.check_count(call, args, 1, {"configLoadBalance": 3, "configDirection": 2, "configDeduplication": 2}.get(name, 1),
                  f"{name}{usage}")
    first = V.word(args[0], words, what)
    if name == "configDirection" and len(args) > 1:
        V.word(args[1], SETS, "representation of a frontier")
    elif name == "configDeduplication" and len(args) > 1:
        V.word(args[1], ("UNFUSED", "FUSED"), "strategy of deduplication")
    elif name == "configLoadBalance" and len(args) > 1:
        _check_blocking(first, args, f"{name}{usage}")


def _check_blocking(balance: str, args: tuple[Value, ...], usage: str) -> None:
    blocking = V.word(args[1], (BLOCKED, "UNBLOCKED"), "blocking")
    if blocking == BLOCKED and balance != EDGE_ONLY:
        raise IrglError(f"{BLOCKED} goes with {EDGE_ONLY}, and not with {balance}", args[1].span, usage)
    if blocking == BLOCKED and len(args) == 2:
        raise IrglError(f"{BLOCKED} wants a number: the vertices of a segment", args[1].span, usage)
    if len(args) > 2:
        V.whole(args[2], "a number of vertices")
