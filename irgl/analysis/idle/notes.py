"""Nodes that note which of their values they have offered, and offer none that is no better.

    if (here < n.q) { n.q = here; ... }          here: n.p, which is lowered alone

When two iterations of one node may run at once, the note has to be asked and taken in one step: `n.q min= here`. To
whoever finds it taken another iteration has come before, with the same value or a better one, and offers that; the one
with the last value of all takes it, or finds what stood there before all rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irgl.analysis.idle.one_way import FALLS, RISES, OneWay, readings
from irgl.analysis.loops.edge_bodies import accesses
from irgl.analysis.names.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, equal, walk


@dataclass(frozen=True, slots=True)
class Note:
    """`store` notes a value of the property `of`; update: the same in one step, which tells whether it was news. held:
    the variable that holds that value; None: it is read from the node."""

    store: A.Assign
    of: str
    update: A.Reduce
    held: Symbol | None


def note_of(values: OneWay, s: A.If, test: A.Expr) -> Note | None:
    """What a statement notes first, if the last part of its condition, `test`, asks for that. O(size of the loop)."""
    first = s.body[0] if s.body and not s.orelse else None
    first = first.body if isinstance(first, A.Labeled) else first
    if not isinstance(first, A.Assign) or first.access != "plain" or not isinstance(test, A.Binary):
        return None
    own = values.values()
    for noted, value, op in ((test.right, test.left, test.op), (test.left, test.right, _MIRRORED.get(test.op, ""))):
        place, of = own.own(first.target), own.own(value)
        if place is not first.target or of is None or op not in _UPDATES:
            continue
        way, word = _UPDATES[op]
        kinds = {T.bare(values.checked.types[e]) for e in (noted, value, place, first.value, of)}
        if (values.ways.get(("node", of.name)) == way and equal(noted, place) and equal(value, first.value)
                and len(kinds) == 1 and _alone(values, place.name, (noted, place))):
            update = A.Reduce(word, copied(place), copied(first.value), span=first.span)
            return Note(first, of.name, update, values.checked.symbols[value] if isinstance(value, A.Name) else None)
    return None


def reads_earlier(values: OneWay, note: Note, behind: Sequence[A.Stmt]) -> bool:
    """Does what is done behind a note go by a value of the node's that was read before, and isn't the one noted? A
    better one may have come between them, of which nobody then makes an offer."""
    inside, symbols = [n for s in behind for n in walk(s)], values.checked.symbols
    known = {note.held, *(symbols[n] for n in inside if isinstance(n, A.VarDecl))}
    return any(isinstance(n, A.Name) and (symbol := symbols.get(n)) is not None and symbol.kind == "local"
               and symbol not in known and any(True for _ in readings(values, n)) for n in inside)


_MIRRORED = {"<": ">", ">": "<"}
#: How a value goes that may only be noted when it stands so beside the note, and the update that takes it.
_UPDATES = {"<": (FALLS, "min"), ">": (RISES, "max")}


def _alone(values: OneWay, name: str, known: Sequence[A.Expr]) -> bool:
    """Is nothing else in the loop done with a property?"""
    return all(any(a.expr is e for e in known) for a in accesses(values.checked, values.loop.body)
               if a.key[1:] == ("node", name))
