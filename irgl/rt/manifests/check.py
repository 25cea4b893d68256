"""Is what a cache kept a manifest? Its fields have their types, its formulas their shapes, whatever JSON it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]

#: What stands behind a formula's kind: t a text, v a value, f a formula, l a list of texts, * formulas to the end.
_SHAPES = {
    "const": "v", "inf": "t", "none": "", "name": "t", "first": "t", "size": "tt", "node": "tf", "weights": "tt",
    "and": "ff", "or": "ff", "choose": "fff", "tuned": "tf", "convert": "tf", "not": "f", "negate": "ttf",
    "arith": "ttff", "compare": "tff", "call": "tlt*",
}  # fmt: skip
#: No formula of a program is nested deeper: its parser would have refused it.
_DEPTH = 200
_VALUES = (bool, int, float)


def is_text(x: Any) -> bool:
    return isinstance(x, str)


def is_flag(x: Any) -> bool:
    return isinstance(x, bool)


def is_number(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def is_formula(x: Any, depth: int = _DEPTH) -> bool:
    if not isinstance(x, list) or not x or not is_text(x[0]) or x[0] not in _SHAPES or depth == 0:
        return False
    shape, parts = _SHAPES[x[0]], x[1:]
    if shape.endswith("*"):
        shape = shape[:-1] + "f" * (len(parts) - len(shape) + 1)
    if len(parts) != len(shape):
        return False
    checks: dict[str, Check] = {"t": is_text, "v": lambda y: isinstance(y, _VALUES), "l": each(is_text),
                                "f": lambda y: is_formula(y, depth - 1)}
    return all(checks[kind](part) for kind, part in zip(shape, parts, strict=True))


def one_of(*words: str | None) -> Check:
    return lambda x: (x is None or is_text(x)) and x in words


def perhaps(check: Check) -> Check:
    return lambda x: x is None or check(x)


def each(check: Check) -> Check:
    return lambda x: isinstance(x, list | tuple) and all(map(check, x))


def row(*checks: Check) -> Check:
    return lambda x: (isinstance(x, list | tuple) and len(x) == len(checks)
                      and all(c(y) for c, y in zip(checks, x, strict=True)))


def table(check: Check) -> Check:
    return lambda x: isinstance(x, dict) and all(map(is_text, x)) and all(map(check, x.values()))


def record(**fields: Check) -> Check:
    return lambda x: isinstance(x, dict) and x.keys() == fields.keys() and all(c(x[n]) for n, c in fields.items())


PROPERTY = record(owner=one_of("node", "edge"), type=is_text, name=is_text, weights=is_flag, inf=is_flag, given=is_flag,
                  changed=is_flag, default=perhaps(is_formula), axis=perhaps(is_number), length=is_number)
FORM = record(edges=one_of("in", "out"), form=is_text, options=each(row(is_text, is_text)), weights=is_text,
              numbered=is_flag, part=is_number, copied=is_number, touched=is_number)
GRAPH = record(name=is_text, directed=perhaps(is_flag), simple=is_flag, sorted=is_flag,
               weighted=perhaps(is_text), transpose=is_flag, in_edge=is_flag, in_weights=is_flag,
               properties=each(PROPERTY), forms=each(FORM), ends=is_flag, in_ends=is_flag)
PARAM = record(name=is_text, type=is_text, graph=is_text, default=perhaps(is_formula), shown=is_text,
               item=is_text, unique=is_flag, variable=is_text, shape=each(is_number))
SCHEDULED = record(plan=is_text, delta=is_text, not_applicable=each(is_text),
                   labels=each(row(is_text, each(is_text))))
SITE = record(kind=one_of("rounds", "kernel", "loop", "inner"), place=is_text, file=is_text, line=is_number,
              over=is_text, of=is_number, slot=is_number)
PAIR = row(is_text, is_text)
MANIFEST = record(
    version=is_number, program=is_text, path=is_text, graphs=each(GRAPH), mesh=is_text, params=each(PARAM),
    order=each(is_text), scalars=each(PAIR), structs=table(each(PAIR)),
    units=each(row(is_text, is_number, is_number, is_number, is_number)), verifier=perhaps(is_text),
    roles=table(is_formula), tolerance=perhaps(lambda x: is_number(x) or isinstance(x, float)), any_valid=is_flag,
    plan=is_text, schedule=perhaps(SCHEDULED), applied=each(is_text), not_applicable=each(is_text),
    sources=each(is_text), numbered=is_text,
    stops=each(row(is_number, is_number, is_number, is_text)),
    fingerprint=is_text, files=table(is_text), rounds=perhaps(each(is_text)), sites=perhaps(each(SITE)), text=is_text,
    loads=is_text, used=table(row(is_number, is_number, is_number, is_number)), searches=is_flag, spreads=each(is_text),
    gathers=each(is_text))
