"""Lists become a bit or a byte for each node: what holds no node twice anyway may as well be that.

What it does: the lists that are declared `unique list<node>`, and the `set<node>`s, of a group - those that are swapped
with each other, or handed on under another name - are declared as another kind; the text stays.

    Kernel relax(Graph g) WL unique list<node>   =>   Kernel relax(Graph g) WL bitmap<node>

When it applies: to each group that a plan says it of, at a loop that reads or fills one of its lists or for all, where
the program is legal with the other kind, and where nothing put into them may be NONE, which sets refuse.
What it needs and keeps: a checked program; the meaning, except for the order of items, which is that of the nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

from irgl.analysis.check import check
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.methods import effect_of
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.groups import WL, Group, Key, key_of, places
from irgl.analysis.values.none import brings_none
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import transform, walk
from irgl.options import EITHER
from irgl.passes import take_either
from irgl.passes.parts.list_groups import exchangeable, list_groups, said, words
from irgl.plan import Plan
from irgl.source import IrglError

#: The kind in which threads share an array (cpu_rt/queue.hpp).
SHARED = "queue"
_NO_SET = "no list of nodes is declared unique, and none is a set"
Kinds = Mapping[Key, str]


def exchanged(checked: Checked, plan: Plan, among: Collection[str] = DENSE) -> Checked:
    """The program with those kinds of lists, of some, that the plan says, where that is legal.

    Raises IrglError where the plan says two things of one group of lists.
    """
    if not any(kind in among for kind in words(plan)):
        return checked
    kinds = {key: s.kind for s in said(checked, plan) if s.kind in among
             and why_not(checked, s.group, s.kind) is None for key in s.group.keys}
    if not kinds:
        return checked
    made = check(run(checked, kinds), lowered=checked.lowered)
    return replace(made, dedup=checked.dedup, buffer=int(plan.text_of("buffer")) if SHARED in among else 0)


def run(checked: Checked, kinds: Kinds) -> A.Program:
    """The program with lists as the kinds that are said of them."""
    decls: list[A.Decl] = []
    for d in checked.program.decls:
        of = d.name if isinstance(d, A.Kernel | A.Function | A.Entry) else ""
        decls.append(transform(d, partial(_declared, checked, of, kinds)) if of else d)
    return A.Program(tuple(decls), span=checked.program.span)


def _declared(checked: Checked, of: str, kinds: Kinds, n: A.Node) -> A.Node:
    """A part of a declaration, with its lists as other kinds."""
    match n:
        case A.Param(name=word, type=T.Worklist() as t) | A.VarDecl(name=word, type=T.Worklist() as t) if (
                of, word) in kinds:
            return replace(n, type=_as(t, kinds[of, word]))
        case A.Kernel(worklist=None) if kinds.get(WL) == SHARED and checked.facts[of].uses_worklist:
            return replace(n, worklist=_as(checked.facts[of].worklist, SHARED))
        case A.Kernel(worklist=T.Worklist() as t) if WL in kinds:
            return replace(n, worklist=_as(t, kinds[WL]))
        case _:
            return n


def _as(t: T.Worklist, kind: str) -> T.Worklist:
    """A type of lists as another kind, where it may be."""
    if kind == SHARED:
        return replace(t, shared=True) if t.kind == "list" else t
    return T.Worklist(kind, t.item) if exchangeable(t) else t


def reasons(checked: Checked, kinds: Collection[str]) -> dict[str, dict[str, str | None]]:
    """By place, and of these by kind, why no list there may be of it; None: some may. The empty place has all lists,
    and an outermost loop those that it reads or fills."""
    found = [(places(checked, group), {kind: why_not(checked, group, kind) for kind in kinds})
             for group in list_groups(checked)]
    at = [place for k in checked.kernels.values() for place, _ in outer_loops(k)]
    return {place: {kind: _any(kind, [why[kind] for around, why in found if not place or place in around])
                    for kind in kinds}
            for place in ("", *at) if not place or any(place in around for around, _ in found)}


def _any(kind: str, found: list[str | None]) -> str | None:
    """Why none of some groups of lists may be of a kind; None: one may."""
    if kind == "list" or None in found:
        return None
    if kind == SHARED:
        return "the program has no list"
    return next((r for r in found if r != _NO_SET), _NO_SET)


def why_not(checked: Checked, group: Group, kind: str) -> str | None:
    """Why the lists of a group can't be of that kind; None: they can."""
    types = list(_types(checked, group.keys))
    if kind not in DENSE and kind != EITHER:
        return None if any(t.kind == "list" for t in types) else _NO_SET
    if not any(map(exchangeable, types)):
        return _NO_SET
    if kind == EITHER:
        return take_either.why_not(checked, group)
    try:
        made = check(run(checked, dict.fromkeys(group.keys, kind)), lowered=checked.lowered)
    except IrglError as e:
        return f"the program wants a list: {e.message}"
    if _takes_none(made, group.keys):
        return f"a {kind} holds no NONE, which may be put into such a list"
    return None


def _types(checked: Checked, keys: frozenset[Key]) -> Iterator[T.Worklist]:
    """Of which types the lists of a group are."""
    for d in checked.program.decls:
        if isinstance(d, A.Kernel) and WL in keys and checked.facts[d.name].uses_worklist:
            yield checked.facts[d.name].worklist
        if isinstance(d, A.Kernel | A.Function | A.Entry):
            for n in walk(d):
                if isinstance(n, A.VarDecl | A.Param) and isinstance(n.type, T.Worklist) and (d.name, n.name) in keys:
                    yield n.type


def _takes_none(checked: Checked, keys: frozenset[Key]) -> bool:
    """May NONE be put, or come with another list's items, into a list of a group?"""
    return any(brings_none(checked, n) for d in checked.program.decls for n in walk(d)
               if (isinstance(n, A.MethodCall) and key_of(d, n.object) in keys and effect_of(checked, n) != "reads")
               or (WL in keys and isinstance(n, A.InitialItems | A.InitialIterator | A.Respawn | A.Retry)))
