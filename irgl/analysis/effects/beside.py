"""Which statements of a Program have nothing to do with each other, and may run side by side.

They are those that run kernels: an Invoke, an Iterate, a Pipe, a loop around these, each as a whole. What stands
between two of them, such as a search's first distance, goes with the second; variables that it declares come before
both. What one of them writes the other neither reads nor writes, whatever either may be given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from irgl.analysis.effects.effects import Effects, Place, changed_variables, effects_of, home_graph
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: What a statement may not do beside others, by the call that does it.
_HOST = {"print": "it prints", "random": "it draws random numbers", "clock": "it reads the clock",
         "oriented": "it makes a graph"}
_RUNS = (A.Invoke, A.InvokeResult, A.Iterate, A.Pipe)
#: As many as cpu_rt/beside.hpp takes at once.
_MOST = 16


@dataclass(slots=True)
class Group:
    """Parts of the Program that may run side by side, in the order of the text: each one statement that runs kernels,
    behind those that stand between it and the part before. declared: of these the variables, which come before all."""

    parts: list[list[A.Stmt]]
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


def grouped(checked: Checked, wanted: Callable[[str], bool] | None = None) -> Grouped:
    """What of the Program may run side by side; wanted: whether a statement at that place is to, with those before."""
    at = places(checked)
    entry = checked.entry
    touched = _Touched(checked)
    found = Grouped([], {})
    between: list[A.Stmt] = []
    for s in entry.body if entry is not None else ():
        if s not in at:
            between.append(s)
            continue
        reason = "nothing runs before it" if not found.groups else _why_no_part(touched, s)
        if reason is None and wanted is not None and not wanted(at[s]):
            reason = "the plan has it wait"
        if reason is None:
            reason = _why_apart(touched, found.groups[-1], between, s)
        if reason is None:
            declared = [b for b in between if isinstance(b, A.VarDecl)]
            found.groups[-1].parts.append([*(b for b in between if b not in declared), s])
            found.groups[-1].declared += declared
        else:
            found.groups.append(Group([[s]]))
            found.reasons[s] = reason
        between = []
    return found


def _why_apart(touched: _Touched, group: Group, between: Sequence[A.Stmt], s: A.Stmt) -> str | None:
    """Why a statement, and those that part it from a group, can't run beside that; None: they can."""
    if len(group.parts) == _MOST:
        return f"{_MOST} run side by side before it"
    first = group.parts[0][0]
    alone = _why_no_part(touched, first)
    if alone is not None:
        return f"of what stands before it (line {_line(first)}): {alone}"
    for b in between:
        why = _why_alone(touched, b)
        if why is not None:
            return f"of what stands between them (line {_line(b)}): {why}"
        if isinstance(b, A.VarDecl) and _may_fail(touched.checked, b):
            return f"line {_line(b)} declares a variable whose value may be an error"
    for k, b in enumerate(between):
        behind = [x for x in between[:k] if not isinstance(x, A.VarDecl) and touched.shared(x, b) is not None]
        if isinstance(b, A.VarDecl) and behind:
            return f"line {_line(b)} declares a variable behind line {_line(behind[0])}, whose value it has"
    for other in (x for part in group.parts for x in part):
        for one in (*between, s):
            shared = touched.shared(other, one)
            if shared is not None:
                return f"line {_line(other)} and line {_line(one)} have {shared} in common"
    return None


def _why_no_part(touched: _Touched, s: A.Stmt) -> str | None:
    """Why a statement that runs kernels is no part by itself; None: it is one."""
    while isinstance(s, A.Labeled):
        s = s.body
    return "it declares a variable" if isinstance(s, A.VarDecl) else _why_alone(touched, s)


def _why_alone(touched: _Touched, s: A.Stmt) -> str | None:
    """Why a statement can run beside no other; None: it can."""
    if any(isinstance(n, A.Return) for n in walk(s)):
        return "the program may end in it"
    checked = touched.checked
    inside = [n for part in (s, *_called(checked, s)) for n in walk(part)]
    effects = touched.effects(s)
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
    for p in (*effects.reads, *effects.writes):
        if p.kind in ("list", "object", "element") and p.name not in own:
            return f"it uses {p.name}, which all threads have together"
    return None


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


def _called(checked: Checked, s: A.Stmt) -> Iterator[A.Node]:
    """The kernels and functions that a statement runs, those that they call, too."""
    found: dict[str, A.Kernel | A.Function] = {}
    waiting: list[A.Node] = [s]
    while waiting:
        for n in walk(waiting.pop()):
            of = (checked.kernels.get(n.kernel) if isinstance(n, A.Invoke | A.InvokeResult | A.Iterate) else
                  checked.functions.get(n.function) if isinstance(n, A.Call) else None)
            if of is not None and of.name not in found:
                found[of.name] = of
                waiting.append(of)
    yield from found.values()


class _Touched:
    """What the Program's statements touch, each looked at once."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        params = checked.entry.params if checked.entry is not None else ()
        self.home = home_graph(checked, params)
        self.graphs = {p.name for p in params if isinstance(p.type, T.Named)}
        self._known: dict[A.Stmt, Effects] = {}

    def effects(self, s: A.Stmt) -> Effects:
        if s not in self._known:
            self._known[s] = effects_of(self.checked, (s,), self.home)
        return self._known[s]

    def shared(self, a: A.Stmt, b: A.Stmt) -> str | None:
        """What two statements both touch and one of them changes; None: there is nothing."""
        for changing, using in ((a, b), (b, a)):
            one = self.effects(using)
            for p in self.effects(changing).writes:
                if any(_same(p, q, self.graphs) for q in (*one.reads, *one.writes)):
                    return str(p)
        for changing, using in ((a, b), (b, a)):
            both = {*changed_variables(self.checked, [changing])} & {*_variables(self.checked, using)}
            if both:
                return next(v.name for v in both)
        return None


def _same(p: Place, q: Place, graphs: set[str]) -> bool:
    """May two places be one? Properties of two graphs that the Program is given are not."""
    if (p.kind, p.name) != (q.kind, q.name) or p.name == "WL":  # which each has of its own
        return False
    return not (p.kind in ("node", "edge") and p.of != q.of and p.of in graphs and q.of in graphs)


def _variables(checked: Checked, s: A.Stmt) -> list[Symbol]:
    """The variables of the Program that a statement uses."""
    used = (checked.symbols.get(n) for n in walk(s) if isinstance(n, A.Name))
    return [v for v in used if v is not None and v.kind != "global"]


def _line(s: A.Stmt) -> int:
    return s.span.line if s.span is not None else 0
