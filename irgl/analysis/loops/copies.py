"""What a loop over edges reads of their far ends, and what of that may be copied to each edge's place in a form."""

from __future__ import annotations

from irgl.analysis.effects.effects import effects_of
from irgl.analysis.loops.far_ends import ROWS, members_there
from irgl.analysis.loops.sweeps import Sweep
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T

NOTHING = "it reads no property of its edges' far ends that its loop leaves as it is"


def copied(checked: Checked, sweep: Sweep) -> dict[str, list[A.Member]]:
    """By property, where a sweep reads it of a far end; the loop changes it of no node."""
    written = {place.name for place in effects_of(checked, sweep.loop.body).writes if place.kind == "node"}
    found: dict[str, list[A.Member]] = {}
    for e in members_there(checked, sweep.inner):
        if e.name not in ROWS and e.name not in written and not isinstance(checked.types[e], T.Vector):
            found.setdefault(e.name, []).append(e)
    return found


def bytes_of(checked: Checked, sweep: Sweep) -> int:
    """What the copies take for each edge."""
    return sum(size_of(checked, members[0]) for members in copied(checked, sweep).values())


def touched(checked: Checked, loop: A.ForAll) -> int:
    """The bytes of all that a loop over edges uses of each of their far ends."""
    return sum({e.name: size_of(checked, e) for e in members_there(checked, loop)}.values())


def size_of(checked: Checked, e: A.Expr) -> int:
    """The bytes of what a property holds, at most."""
    t = checked.types[e]
    if isinstance(t, T.Vector):
        return t.length * _bytes(checked, t.of)
    return _bytes(checked, t)


def _bytes(checked: Checked, t: T.Type) -> int:
    if isinstance(t, T.Int | T.Float):
        return max(1, t.bits // 8)
    return 1 if isinstance(t, T.Bool) else 8 * max(1, len(checked.fields(t) or ()))
