"""Lists become a bit or a byte for each node: what holds no node twice anyway may as well be that.

What it does: every list that is declared `unique list<node>`, and every `set<node>`, is declared as another kind; the
text stays.

    Kernel relax(Graph g) WL unique list<node>   =>   Kernel relax(Graph g) WL bitmap<node>

When it applies: where the program is legal with the other kind, for all of these lists together, since they may be
swapped and handed on, and where nothing put into them may be NONE, which sets refuse.
What it needs and keeps: a checked program; the meaning, except for the order of items, which is that of the nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.methods import effect_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.values.none import brings_none
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import transform, walk
from irgl.plan import Plan
from irgl.source import IrglError

#: The kind in which threads share an array (cpu_rt/queue.hpp).
SHARED = "queue"


def run(checked: Checked, kind: str) -> A.Program:
    """The program with its unique lists of nodes as that kind."""

    def other(t: T.Type) -> T.Type:
        return T.Worklist(kind, t.item) if isinstance(t, T.Worklist) and _exchangeable(t) else t

    def rewrite(n: A.Node) -> A.Node:
        match n:
            case A.VarDecl() | A.Param() if other(n.type) != n.type:
                return replace(n, type=other(n.type))
            case A.Kernel() if n.worklist is not None and other(n.worklist) != n.worklist:
                return replace(n, worklist=other(n.worklist))
            case _:
                return n

    return transform(checked.program, rewrite)


def exchanged(checked: Checked, plan: Plan) -> Checked:
    """The program with the kind of lists that the plan says, where that is legal."""
    kind = plan.text_of("frontier")
    if kind in DENSE and why_not(checked, kind) is None:
        return check(run(checked, kind), lowered=checked.lowered)
    return checked


def why_not(checked: Checked, kind: str) -> str | None:
    """Why no list of the program may be of that kind; None: some may."""
    types = list(_types(checked.program))
    if kind == SHARED:
        lists = [t for t in types if isinstance(t, T.Worklist) and t.kind == "list"]
        lists += [f.worklist for f in checked.facts.values() if f.uses_worklist and f.worklist.kind == "list"]
        return None if lists else "the program has no list"
    if not any(isinstance(t, T.Worklist) and _exchangeable(t) for t in types):
        return "no list of nodes is declared unique, and none is a set"
    try:
        exchanged = check(run(checked, kind), lowered=checked.lowered)
    except IrglError as e:
        return f"the program wants a list: {e.message}"
    if _takes_none(exchanged):
        return f"a {kind} holds no NONE, which may be put into such a list"
    return None


def _exchangeable(t: T.Worklist) -> bool:
    return (t.kind == "set" or (t.kind == "list" and t.unique)) and isinstance(t.item, T.NodeT)


def _types(program: A.Program) -> Iterator[T.Type | None]:
    for n in walk(program):
        if isinstance(n, A.VarDecl | A.Param):
            yield n.type
        if isinstance(n, A.Kernel):
            yield n.worklist


def _takes_none(checked: Checked) -> bool:
    """May NONE be put, or come with another list's items, into any set?"""
    return any(
        brings_none(checked, n)
        for n in walk(checked.program)
        if (isinstance(n, A.MethodCall) and effect_of(checked, n) != "reads")
        or isinstance(n, A.InitialItems | A.InitialIterator | A.Respawn | A.Retry)
    )
