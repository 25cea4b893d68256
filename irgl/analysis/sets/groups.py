"""Lists and sets that are one thing to whoever wants to declare them otherwise: swapped, or handed on under another
name.

    Kernel step(Graph g, set<node> now, set<node> later) {...}
    Program main(Graph g) { set<node> a; set<node> b; ... Invoke step(g, a, b); a.swap(b); }      a, b, now, later

A variable is known by its declaration and its name, which is there once after `unique_names`; the implicit lists of all
kernels are one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

Key = tuple[str, str]
Among = Callable[[T.Type | None], bool]
Call = A.Invoke | A.Iterate | A.InvokeResult

#: The implicit lists.
WL: Key = ("", "WL")
#: What neither asks for an order nor for who is in it.
_PLAIN = ("push", "clear", "swap")


@dataclass(eq=False, slots=True)
class Group:
    """keys: the variables. uses: what names them, with where it stands. pushes: those of kernels."""

    keys: frozenset[Key]
    uses: list[tuple[A.Decl, A.MethodCall]] = field(default_factory=list)

    @property
    def pushes(self) -> list[tuple[A.Kernel, A.MethodCall]]:
        """What kernels push."""
        return [(d, call) for d, call in self.uses if isinstance(d, A.Kernel) and call.name == "push"]


def is_set(t: T.Type | None) -> bool:
    """Is it the type of a set?"""
    return isinstance(t, T.Worklist) and t.kind == "set"


def groups(checked: Checked, among: Among = is_set) -> list[Group]:
    """The sets of a program, or what else of its lists `among` says, in the order of their first declarations."""
    kinds = dict.fromkeys(_declared(checked, among))
    above: dict[Key, Key] = {key: key for key in kinds}

    def top(key: Key) -> Key:
        while above[key] != key:
            key = above[key]
        return key

    def join(a: Key | None, b: Key | None) -> None:
        if a in above and b in above:
            above[top(b)] = top(a)

    for d in _bodies(checked):
        for n in walk(d):
            match n:
                case A.Invoke() | A.Iterate() | A.InvokeResult():
                    for p, a in zip(checked.kernels[n.kernel].params, n.args, strict=True):
                        join((n.kernel, p.name), key_of(d, a))
                case A.Call() if n.function in checked.functions:
                    for p, a in zip(checked.functions[n.function].params, n.args, strict=True):
                        join((n.function, p.name), key_of(d, a))
                case A.MethodCall(name="swap" | "stack" | "unstack"):
                    join(key_of(d, n.object), key_of(d, n.args[0]))
                case _:
                    pass
    together: dict[Key, list[Key]] = {}
    for key in kinds:
        together.setdefault(top(key), []).append(key)
    found = [Group(frozenset(keys)) for keys in together.values()]
    for group in found:
        group.uses = [(d, n) for d in _bodies(checked) for n in walk(d)
                      if isinstance(n, A.MethodCall) and key_of(d, n.object) in group.keys]
    return found


def places(checked: Checked, group: Group) -> list[str]:
    """The outermost loops of kernels that read or fill a list of a group."""
    return [place for k in checked.kernels.values() for place, loop in outer_loops(k)
            if any(key_of(k, n) in group.keys for n in walk(loop))]


def key_of(d: A.Decl, e: A.Node) -> Key | None:
    """The variable that an expression of a declaration names."""
    if not isinstance(e, A.Name) or not isinstance(d, A.Kernel | A.Function | A.Entry):
        return None
    return WL if e.id == "WL" else (d.name, e.id)


def calls(checked: Checked) -> Iterator[Call]:
    """Where the Program invokes kernels."""
    for n in (() if checked.entry is None else walk(checked.entry)):
        if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult):
            yield n


def _bodies(checked: Checked) -> Iterator[A.Kernel | A.Function | A.Entry]:
    yield from (d for d in checked.program.decls if isinstance(d, A.Kernel | A.Function | A.Entry))


def _declared(checked: Checked, among: Among) -> Iterator[Key]:
    for d in _bodies(checked):
        if isinstance(d, A.Kernel) and (facts := checked.facts[d.name]).uses_worklist and among(facts.worklist):
            yield WL
        for n in walk(d):
            if isinstance(n, A.Param | A.VarDecl) and among(n.type):
                yield d.name, n.name


def why_set(checked: Checked, group: Group) -> str | None:
    """Why sets have to stay sets, whatever comes into them; None: nothing of that kind is known."""
    entry = checked.entry
    graphs = [n for n in (() if entry is None else walk(entry))
              if isinstance(n, A.Param | A.VarDecl) and str(n.type) in checked.graph_types]
    if len(graphs) != 1:
        return "the Program has several graphs, whose nodes have the same numbers"
    names = {d for d, _ in group.keys}
    if entry is not None and any((entry.name, p.name) in group.keys for p in entry.params):
        return "the caller fills one"
    if any(f in names for f in checked.functions):
        return "a helper gets one"
    if WL in group.keys and any(f.retries for f in checked.facts.values()):
        return "items come back to WL while it runs"
    for d, call in group.uses:
        if isinstance(d, A.Function):
            return "a helper gets one"
        if isinstance(d, A.Entry) and key_of(d, call.object) == WL:
            return f"the Program calls '{call.name}' of WL"
        if call.name not in _PLAIN:
            return f"'{call.name}' asks what is in one" if call.name == "contains" else f"'{call.name}' fills one"
        if isinstance(d, A.Kernel) and call.name != "push":
            return f"a kernel calls '{call.name}' of one"
        if any(n in checked.none for n in (call, call.object, *call.args)):
            return "NONE may be pushed, which a set refuses"
    others = [n for d in _bodies(checked) for n in walk(d) if isinstance(n, A.MethodCall) and n.name == "swap"
              and key_of(d, n.object) not in group.keys and key_of(d, n.args[0]) in group.keys]
    if others:
        return "it is swapped with another list"
    if WL in group.keys and any(n in checked.none or any(i in checked.none for i in getattr(n, "items", ()))
                                for n in _initials(checked)):
        return "NONE may be pushed, which a set refuses"
    return None


def _initials(checked: Checked) -> Iterator[A.Node]:
    for n in (() if checked.entry is None else walk(checked.entry)):
        if isinstance(n, A.InitialItems | A.InitialIterator):
            yield n


def initial_may_repeat(checked: Checked) -> bool:
    """May WL begin with a node that is in it twice?"""
    for n in _initials(checked):
        if isinstance(n, A.InitialItems) and len(n.items) > 1:
            return True
        if isinstance(n, A.InitialIterator):
            t = checked.types[n.iterator]
            if not (isinstance(t, T.Range) and t.distinct):
                return True
    return False
