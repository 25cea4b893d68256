"""What may be done to a worklist or library object while loops run over it or iterations read it.

A ForAll sees its lists as they were when it began: a list that its iterations push to can't be read by them too.
Nothing is added to a list while a sequential loop runs over it. Helper functions count with what they are given. The
implicit WL is two lists, one to read and one to push to, and buckets keep what is pushed apart: they are excused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from irgl.analysis.names.methods import effect_of, is_object
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.analysis.names.vectors import location
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk


@dataclass(frozen=True, slots=True)
class _Use:
    """What is done to the object called `name`: ask (contains), look (items, size), append or change."""

    name: str
    what: str
    where: A.Node
    own: Symbol | None = None  # the object, if it is an iteration's own


def check_lists(checked: Checked) -> None:
    """Raises IrglError where a list changes under a loop or an iteration that reads it."""
    uses = _Uses(checked)
    for kernel in checked.kernels.values():
        for forall in _outermost(kernel):
            _parallel([u for u in uses.below(forall) if not uses.is_apart(u, forall)])
    bodies: list[A.Node] = [*checked.functions.values(), *checked.kernels.values()]
    for body in [*bodies, *([checked.entry] if checked.entry is not None else [])]:
        for loop in (n for n in walk(body) if isinstance(n, A.For)):
            _sequential(uses, loop)


def _outermost(node: A.Node) -> Iterator[A.ForAll]:
    for child in children(node):
        if isinstance(child, A.ForAll):
            yield child
        else:
            yield from _outermost(child)


def _parallel(found: list[_Use]) -> None:
    grown = {u.name: u for u in found if u.what == "append"}
    for u in found:
        if u.what == "change":
            fail(
                f"this changes '{u.name}' as a whole, in every iteration of a ForAll",
                u.where,
                "do it in the Program, between kernels",
            )
        if u.what == "ask" and u.name in grown:
            fail(
                f"'{u.name}' is asked and pushed to by the same ForAll",
                u.where,
                "what is in it would depend on the order: push to another list, or use a property",
            )
        if u.what == "look" and u.name in grown:
            fail(
                f"'{u.name}' is read and pushed to by the same ForAll",
                u.where,
                "push to another list, and swap the two in the Program",
            )


def _sequential(uses: _Uses, loop: A.For) -> None:
    over = uses.object_of(loop.iterator)
    if over is None:
        return
    for s in loop.body:
        for u in uses.below(s):
            if u.name == over and u.what in ("append", "change"):
                fail(
                    f"'{over}' changes while a loop runs over it",
                    u.where,
                    "push to another list, and swap the two afterwards",
                )


class _Uses:
    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.known: dict[A.Node, list[_Use]] = {}

    def below(self, node: A.Node) -> Iterator[_Use]:
        """The uses of named objects in `node`, calls of helpers included, in source order."""
        for n in walk(node):
            match n:
                case A.ForAll() | A.For():
                    yield from self._use(n.iterator, "look", n)
                case A.Member():
                    yield from self._use(n.object, "look", n)
                case A.MethodCall():
                    word = {"reads": "ask" if n.name == "contains" else "", "appends": "append", "writes": "change"}
                    if is_object(self.checked, self.checked.types[n.object]) and (
                        what := word[effect_of(self.checked, n)]
                    ):
                        yield from self._use(n.object, what, n)
                        if n.name in ("swap", "unstack"):
                            yield from self._use(n.args[0], what, n)
                case A.Call() if n.function in self.checked.functions:
                    yield from self._called(self.checked.functions[n.function], n, n.args)
                case A.Invoke() | A.Iterate() | A.InvokeResult():
                    yield from self._called(self.checked.kernels[n.kernel], n, n.args)
                case _:
                    pass

    def _called(self, f: A.Function | A.Kernel, call: A.Node, args: tuple[A.Expr, ...]) -> Iterator[_Use]:
        if f not in self.known:
            found = {(u.name, u.what): u for s in f.body for u in self.below(s)}
            self.known[f] = list(found.values())
        given = {p.name: a for p, a in zip(f.params, args, strict=True) if isinstance(a, A.Name)}
        for u in self.known[f]:
            if u.name in given:
                a = given[u.name]
                yield replace(u, name=a.id, where=call, own=self._own(a))

    def _own(self, e: A.Expr) -> Symbol | None:
        return self.checked.symbols[e] if is_own(self.checked, e) else None

    def is_apart(self, use: _Use, operator: A.ForAll) -> bool:
        """Is it an iteration's own object that is used, by that iteration and not by a ForAll's inside of it?"""
        if use.own is None:
            return False
        nested = (n for n in walk(operator) if isinstance(n, A.ForAll))
        depth = sum(any(n is use.where for n in walk(loop)) for loop in nested)
        return depth == use.own.depth

    def _use(self, e: A.Expr, what: str, where: A.Node) -> Iterator[_Use]:
        name = self._named(e)
        # A library says by its effects what may happen at once: only changes as a whole are ours to refuse.
        if name is not None and (what == "change" or isinstance(self.checked.types[e], T.Worklist)):
            yield _Use(name, what, where, self._own(e))

    def _named(self, e: A.Expr) -> str | None:
        """The name of a worklist or object whose reads and changes can meet."""
        t = self.checked.types[e]
        if not isinstance(e, A.Name) or e.id == "WL" or not is_object(self.checked, t):
            return None
        return None if isinstance(t, T.Worklist) and t.kind in ("buckets", "scratch") else e.id

    def object_of(self, iterator: A.Expr) -> str | None:
        """The list that a loop runs over, also by way of a variable that names its items."""
        if isinstance(iterator, A.Name):
            symbol = self.checked.symbols.get(iterator)
            if symbol is not None and symbol.kind == "local" and symbol.origin is not None:
                return self.object_of(symbol.origin)
            return self._named(iterator)
        return self._named(iterator.object) if isinstance(iterator, A.Member) else None


def if_unique(checked: Checked, stored: A.Expr) -> str:
    """What else a message names, where an iteration stores to an item of a list that may hold it twice."""
    of = location(checked, stored)
    owner = of.object if isinstance(of, A.Member) else None
    symbol = checked.symbols.get(owner) if isinstance(owner, A.Name) else None
    match symbol.origin if symbol is not None else None:
        case A.MethodCall(object=of, name="pop") | A.Member(object=of, name="items"):
            t = checked.types.get(of)
            if isinstance(t, T.Worklist) and t.kind == "list" and not t.unique:
                return f"; or where no item comes twice declare the list: unique {T.bare(t)}"
    return ""
