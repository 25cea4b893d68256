"""Which statements of a Program have nothing to do with each other, and may run side by side.

They are those that run kernels: an Invoke, an Iterate, a Pipe, a loop around these, each as a whole. What stands
between two of them, such as a search's first distance, goes with the second; variables that it declares come before
both. What one of them writes the other neither reads nor writes, whatever either may be given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from irgl.analysis.effects.touched import Touched, called
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import line_of, walk

#: What a statement may not do beside others, by the call that does it.
_HOST = {"print": "it prints", "random": "it draws random numbers", "clock": "it reads the clock",
         "oriented": "it makes a graph"}
_RUNS = (A.Invoke, A.InvokeResult, A.Iterate, A.Pipe)
#: As many as cpu_rt/beside.hpp takes at once.
MOST = 16


@dataclass(slots=True)
class Group:
    """Parts of the Program that may run side by side, in the order of the text: each one statement that runs kernels,
    behind those that stand between it and the part before. declared: of these the variables, which come before all.
    own: of each part the lists that nobody else uses, wherever the Program declares them."""

    parts: list[list[A.Stmt]]
    own: list[list[A.VarDecl]]
    declared: list[A.Stmt] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Grouped:
    """The groups of a Program, and of each statement that runs kernels why it is not in that of the one before it."""

    groups: list[Group]
    reasons: dict[A.Stmt, str]


def places(checked: Checked) -> dict[A.Stmt, str]:
    """The statements of the Program that run kernels, with their paths: where they have none, that of the first in them
    which does."""
    entry = checked.entry
    at = paths_of(entry) if entry is not None else {}
    found = {s: next((at[n] for n in walk(s) if n in at), None) for s in (entry.body if entry is not None else ())
             if any(isinstance(n, _RUNS) for n in walk(s))}
    return {s: place for s, place in found.items() if place is not None}


def grouped(checked: Checked, wanted: Callable[[str], bool] | None = None,
            at: Mapping[A.Stmt, str] | None = None, more: Callable[[A.Stmt], str | None] = lambda _: None) -> Grouped:
    """What of the Program may run side by side; wanted: whether a statement at that place is to, with those before.

    at: the places, where the Program has come to others meanwhile. more: why the target runs a statement beside no
    other; None: it does."""
    at = places(checked) if at is None else at
    entry = checked.entry
    touched = Touched(checked, more)
    found = Grouped([], {})
    between: list[A.Stmt] = []
    for s in entry.body if entry is not None else ():
        if s not in at:
            between.append(s)
            continue
        reason = "nothing runs before it" if not found.groups else _why_no_part(touched, s, (*between, s))
        if reason is None and wanted is not None and not wanted(at[s]):
            reason = "the plan has it wait"
        if reason is None:
            reason = _why_apart(touched, found.groups[-1], between, s)
        if reason is None:
            own = touched.own_lists((*between, s))
            declared = [b for b in between if isinstance(b, A.VarDecl) and b not in own]
            found.groups[-1].parts.append([*(b for b in between if not isinstance(b, A.VarDecl)), s])
            found.groups[-1].own.append(own)
            found.groups[-1].declared += declared
        else:
            found.groups.append(Group([[s]], [touched.own_lists((s,))]))
            found.reasons[s] = reason
        between = []
    return found


def _why_apart(touched: Touched, group: Group, between: Sequence[A.Stmt], s: A.Stmt) -> str | None:
    """Why a statement, and those that part it from a group, can't run beside that; None: they can."""
    if len(group.parts) == MOST:
        return f"{MOST} run side by side before it"
    first = group.parts[0][0]
    alone = _why_no_part(touched, first, (first,))
    if alone is not None:
        return f"of what stands before it (line {line_of(first)}): {alone}"
    for b in between:
        why = why_alone(touched, b, (*between, s))
        if why is not None:
            return f"of what stands between them (line {line_of(b)}): {why}"
        if isinstance(b, A.VarDecl) and _may_fail(touched.checked, b):
            return f"line {line_of(b)} declares a variable whose value may be an error"
    for k, b in enumerate(between):
        behind = [x for x in between[:k] if not isinstance(x, A.VarDecl) and touched.shared(x, b) is not None]
        if isinstance(b, A.VarDecl) and behind:
            return f"line {line_of(b)} declares a variable behind line {line_of(behind[0])}, whose value it has"
    for other in (x for part in group.parts for x in part):
        for one in (*between, s):
            shared = touched.shared(other, one)
            if shared is not None:
                return f"line {line_of(other)} and line {line_of(one)} have {shared} in common"
    return None


def _why_no_part(touched: Touched, s: A.Stmt, part: Sequence[A.Stmt]) -> str | None:
    """Why a statement that runs kernels is no part by itself; None: it is one."""
    while isinstance(s, A.Labeled):
        s = s.body
    return "it declares a variable" if isinstance(s, A.VarDecl) else why_alone(touched, s, part)


def why_alone(touched: Touched, s: A.Stmt, part: Sequence[A.Stmt]) -> str | None:
    """Why a statement of a part can run beside no other; None: it can."""
    if any(isinstance(n, A.Return) for n in walk(s)):
        return "the program may end in it"
    if any(isinstance(n, A.Sections) for n in walk(s)):
        return "it has sections of its own"
    checked = touched.checked
    inside = [n for part in (s, *called(checked, s)) for n in walk(part)]
    effects = touched.effects(s)
    refused = touched.more(s)
    if refused is not None:
        return refused
    host = next((word for word in effects.host if word in _HOST), None)
    if host is not None:
        return _HOST[host]
    if any(isinstance(n, A.CBlock) for n in inside):
        return "it has C++ of the program's own"
    if any(isinstance(n, A.Exclusive) for n in inside):
        return "it locks elements"
    names = {n.name for n in inside if isinstance(n, A.Member)}
    locks = {p.name for g in checked.graph_types.values() for p in g.properties if isinstance(p.type, T.Lock)}
    if names & locks:
        return f"it locks {min(names & locks)}"
    own = {n.name for n in walk(s) if isinstance(n, A.VarDecl)} | {"WL"}
    own |= {d.name for d in touched.own_lists(part)}
    objects = [p.name for p in (*effects.reads, *effects.writes) if p.kind in ("list", "object", "element")]
    used = next((name for name in (*objects, *touched.objects(s)) if name not in own), None)
    return None if used is None else f"it uses {used}, which all threads have together"


def _may_fail(checked: Checked, s: A.VarDecl) -> bool:
    """May its value be an error, which would then come before those of what stands in front of it?"""
    for n in walk(s):
        match n:
            case A.Binary(op="/" | "%") | A.Reduce(op="/" | "%") if not isinstance(checked.types[n], T.Float):
                by = n.right if isinstance(n, A.Binary) else n.value
                if not isinstance(by, A.IntLit) or by.value == 0:
                    return True
            case A.Index() | A.MethodCall():
                return True
            case A.Call() if n.function in checked.functions:
                return True
    return any(n in checked.none for n in walk(s))
