"""What statements of a Program touch, and what kernels and functions they run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from irgl.analysis.effects.effects import Effects, Place, changed_variables, effects_of, home_graph
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: The kinds of places that go by the name of a variable.
_OBJECTS = ("list", "object", "element")


def called(checked: Checked, s: A.Stmt) -> Iterator[A.Node]:
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


class Touched:
    """What the Program's statements touch, each looked at once."""

    def __init__(self, checked: Checked, more: Callable[[A.Stmt], str | None] = lambda _: None) -> None:
        self.checked = checked
        self.more = more
        params = checked.entry.params if checked.entry is not None else ()
        self.home = home_graph(checked, params)
        self.graphs = {p.name for p in params if isinstance(p.type, T.Named)}
        self._known: dict[A.Stmt, Effects] = {}
        body = checked.entry.body if checked.entry is not None else ()
        lists = {checked.symbols[s]: s for s in body if isinstance(s, A.VarDecl) and _is_list(checked, s)}
        self._lists: dict[A.VarDecl, set[A.Stmt]] = {d: set() for d in lists.values()}
        for s in body:
            for v in _variables(checked, s):
                if v in lists:
                    self._lists[lists[v]].add(s)

    def own_lists(self, part: Sequence[A.Stmt]) -> list[A.VarDecl]:
        """The Program's lists that nothing but these statements uses."""
        return [d for d, users in self._lists.items() if users and users <= {*part, d}]

    def effects(self, s: A.Stmt) -> Effects:
        if s not in self._known:
            self._known[s] = effects_of(self.checked, (s,), self.home)
        return self._known[s]

    def objects(self, s: A.Stmt) -> list[str]:
        """The lists and objects that a statement names, also those that it hands to who leaves them alone."""
        return [v.name for v in _variables(self.checked, s) if is_object(self.checked, v.type)]

    def own_names(self, s: A.Stmt) -> set[str]:
        """The lists and objects that are declared in a statement, where it uses no other one of that name."""
        declared = {n for n in walk(s) if isinstance(n, A.VarDecl) and n is not s}
        inside = {self.checked.symbols[n] for n in declared}
        return {n.name for n in declared} - {v.name for v in _variables(self.checked, s) if v not in inside}

    def shared(self, a: A.Stmt, b: A.Stmt, own: Collection[str] = ()) -> str | None:
        """What two statements both touch and one of them changes; None: there is nothing.

        own: the lists and objects that what they stand in has to itself."""
        apart = {*own, *self.own_names(a), *self.own_names(b)}
        for changing, using in ((a, b), (b, a)):
            one = self.effects(using)
            for p in self.effects(changing).writes:
                if p.kind in _OBJECTS and p.name in apart:
                    continue
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


def _is_list(checked: Checked, s: A.VarDecl) -> bool:
    """Does it declare a list, which begins empty?"""
    t = checked.symbols[s].type
    return isinstance(t, T.Worklist) and t.by is None and s.init is None


def _variables(checked: Checked, s: A.Stmt) -> list[Symbol]:
    """The variables of the Program that a statement uses."""
    used = (checked.symbols.get(n) for n in walk(s) if isinstance(n, A.Name))
    return [v for v in used if v is not None and v.kind != "global"]
