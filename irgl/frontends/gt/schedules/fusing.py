"""Calls that make one of several: of vectors, which lie side by side, and of loops and functions, which stay two."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from irgl.frontends.gt.schedules import values as V
from irgl.frontends.gt.schedules.labels import FOR
from irgl.frontends.gt.schedules.reading import Reading
from irgl.frontends.gt.schedules.tree import Call, Many, Value
from irgl.source import IrglError


def _fields(r: Reading, call: Call) -> None:
    """Vectors whose values lie side by side."""
    args = call.args
    if len(args) == 1 and isinstance(args[0], Many):
        args = args[0].items
    if len(args) < 2:
        raise IrglError("one vector by itself lies side by side with nothing", call.span,
                        'fuseFields("a", "b"), or fuseFields({"a", "b", "c"})')
    said: list[str] = []
    for value in args:
        if _vector(r, value) in said:
            raise IrglError(f"`{V.text(value, 'a vector')}` is named twice", value.span, "leave one of them out")
        said.append(_vector(r, value))
    names = [r.labelled.vectors[vector] for vector in said if r.labelled.vectors[vector]]
    for vector in said:
        if not r.labelled.vectors[vector]:
            r.words.refuse(call, f"`{vector}` is no array of its own, which could lie beside others")
    if len(names) > 1:
        r.words.say("", (), "pack", "+".join(names), call)


def _vector(r: Reading, value: Value) -> str:
    said = V.text(value, "a vector")
    if said not in r.labelled.vectors:
        near = difflib.get_close_matches(said, r.labelled.vectors, 1)
        there = ", ".join(r.labelled.vectors) or "none"
        raise IrglError(f"there is no vector of vertices `{said}`", value.span,
                        f"did you mean {near[0]}?" if near else f"there are: {there}")
    return said


def _loops(r: Reading, call: Call) -> None:
    V.check_count(call, call.args, 3, 3, "fuseForLoop(label, label, new label)")
    found = [path for value in call.args[:2] for path in r.meant(value)]
    if all(r.takes(call, path, (FOR,), "iterations") for path in found):
        r.words.refuse(call, "two loops run one after the other; what is said of the new label holds for both")
    r.paths.make(V.text(call.args[2], "a label"), found)


def _split(r: Reading, call: Call) -> None:
    V.check_count(call, call.args, 5, 5, "splitForLoop(label, new label, new label, n, n)")
    found = r.meant(call.args[0])
    for number in call.args[3:]:
        V.whole(number, "a number of iterations", 0)
    if all(r.takes(call, path, (FOR,), "iterations") for path in found):
        r.words.refuse(call, "a loop stays one; what is said of the new labels holds for all of it")
    for value in call.args[1:3]:
        r.paths.make(V.text(value, "a label"), found)


def _functions(r: Reading, call: Call) -> None:
    V.check_count(call, call.args, 3, 3, "fuseApplyFunctions(label, label, name)")
    for value in call.args[:2]:
        r.meant(value)
    V.text(call.args[2], "a function's name")
    r.words.refuse(call, "two applies run one after the other, each with its function")


#: By their names.
FUSING: dict[str, Callable[[Reading, Call], None]] = {
    "fuseFields": _fields, "fuseForLoop": _loops, "splitForLoop": _split, "fuseApplyFunctions": _functions}
