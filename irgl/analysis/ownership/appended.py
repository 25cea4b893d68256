"""Elements that another iteration may just be appending: they are not there yet.

An object of a library may be read while iterations append to it: what it had before stays where it is, and what an
iteration appended it may use. The position of what another one appends an iteration can learn only from memory that
both touch at once, from the object's size, or by counting on from where its own stands: an index that comes from there
is refused, whatever variable, element or property has held it. A lock is no such memory, for it keeps the order; nor is
what an item or an earlier kernel says.
"""

from __future__ import annotations

from irgl.analysis.names.methods import effect_of, of_library
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

#: What holds a value: a variable, an object for its elements, or (of a node?, its name) for a property.
Place = Symbol | tuple[bool, str]

_HINT = "use it in a later ForAll; keep the position of what the iteration itself appends in a variable"


def check_appended(checked: Checked) -> None:
    """Raises IrglError for an element, or a loop over items, that may meet what another iteration appends."""
    if any(isinstance(f, A.Elements) for library in checked.libraries.values() for f in library.features):
        for kernel in checked.kernels.values():
            for loop in (n for n in walk(kernel) if isinstance(n, A.ForAll)):
                _Operator(checked, loop).judge()


class _Operator:
    """A ForAll's body with the helpers that it calls: which objects grow in it, what may hold others' positions.

    growing: those that the iterations share, helpers' parameters for them included.
    appended: helpers' parameters that are appended to, whatever they are given.
    unsure: places that may hold, and helpers that may return, another iteration's position.
    placed: those that may hold or return one of an append of the iteration's own.
    """

    def __init__(self, checked: Checked, loop: A.ForAll) -> None:
        self.checked = checked
        self.nodes: list[A.Node] = []
        self._collect(loop.body, set())
        self.own = {checked.symbols[n] for n in self.nodes if isinstance(n, A.VarDecl)}
        self.params = {checked.symbols[p] for f in self.nodes if isinstance(f, A.Function) for p in f.params}
        self.growing: set[Symbol] = set()
        self.appended: set[Symbol] = set()
        self.unsure: set[Place | A.Function] = set()
        self.placed: set[Place | A.Function] = set()
        before = -1
        while before != (before := len(self.growing) + len(self.appended) + len(self.unsure) + len(self.placed)):
            for n in self.nodes:
                self._spread(n)

    def judge(self) -> None:
        """Raises IrglError for the first element that may not be there yet."""
        for n in self.nodes:
            match n:
                case A.Index(object=A.Name(id=name)) if self._grows(n.object) and self._unsure(n.index):
                    fail(f"this element of '{name}' may be one that another iteration is just appending", n, _HINT)
                case A.For(iterator=items) | A.ForAll(iterator=items):
                    if isinstance(items, A.Member) and isinstance(items.object, A.Name) and self._grows(items.object):
                        fail(f"the items of '{items.object.id}' are read while other iterations append to it", n,
                             "do it in a ForAll of its own, behind this one")
                case _:
                    pass

    def _collect(self, stmts: tuple[A.Stmt, ...], seen: set[A.Function]) -> None:
        """The nodes below, and the helpers that are called there with theirs."""
        for n in (n for s in stmts for n in walk(s)):
            self.nodes.append(n)
            f = self.checked.functions.get(n.function) if isinstance(n, A.Call) else None
            if f is not None and f not in seen:
                seen.add(f)
                self.nodes.append(f)
                self._collect(f.body, seen)

    def _spread(self, n: A.Node) -> None:
        match n:
            case A.VarDecl() if n.init is not None:
                self._set(n, n.init)
            case A.For() | A.ForAll():
                self._set(n, n.iterator)
            case A.Assign():
                self._set(n.target, n.value)
            case A.Reduce():
                self._set(n.target, n.value)
                place = self._place(n.target)
                if place in self.placed:  # it counts on
                    self.unsure.add(place)
            case A.While() | A.DoWhile() | A.CFor() if n.test is not None and self._unsure(n.test):
                for inner in walk(n):  # how often it runs, what it counts tells
                    if isinstance(inner, A.Assign | A.Reduce):
                        self._set(inner.target, n.test)
            case A.Function():
                returned = [r.value for r in walk(n) if isinstance(r, A.Return) and r.value is not None]
                if any(self._unsure(v) for v in returned):
                    self.unsure.add(n)
                if any(self._placed(v) for v in returned):
                    self.placed.add(n)
            case A.Call(function=name) if name in self.checked.functions:
                for p, a in zip(self.checked.functions[name].params, n.args, strict=True):
                    self._set(p, a)
                    self._give(self.checked.symbols[p], a)
            case A.MethodCall(object=A.Name() as o) if self._is_object(o) and effect_of(self.checked, n) == "appends":
                self._append(self.checked.symbols[o])
                for a in n.args:
                    self._set(o, a)
            case _:
                pass

    def _set(self, target: A.Node, value: A.Expr) -> None:
        place = self._place(target)
        if place is not None and self._unsure(value):
            self.unsure.add(place)
        if place is not None and self._placed(value):
            self.placed.add(place)

    def _place(self, target: A.Node) -> Place | None:
        """Where a value is kept: all elements of an object are one place, and so are all of a property."""
        match target:
            case A.Member(object=o, name=name) if isinstance(self.checked.types.get(o), T.NodeT | T.EdgeT):
                return isinstance(self.checked.types[o], T.NodeT), name
            case A.Member(object=o) | A.Index(object=o):
                return self._place(o)
            case _:
                return self.checked.symbols.get(target)

    def _append(self, o: Symbol) -> None:
        if o in self.params:
            self.appended.add(o)
        elif o not in self.own:
            self.growing.add(o)

    def _give(self, p: Symbol, given: A.Expr) -> None:
        """A helper's parameter and the object that it is given: what grows under one name does so under the other."""
        if isinstance(given, A.Name) and self._is_object(given):
            if p in self.appended:
                self._append(self.checked.symbols[given])
            if self._grows(given):
                self.growing.add(p)
            for held in (self.unsure, self.placed):
                if p in held:
                    held.add(self.checked.symbols[given])

    def _is_object(self, e: A.Expr) -> bool:
        """Is it an object with elements without locks? One whose elements have locks says itself what may be read."""
        t = self.checked.types.get(e)
        if not isinstance(t, T.Named) or not of_library(self.checked, t):
            return False
        return any(isinstance(f, A.Elements) and not f.exclusive for f in self.checked.libraries[t.name].features)

    def _grows(self, e: A.Expr) -> bool:
        return isinstance(e, A.Name) and self.checked.symbols.get(e) in self.growing

    def _unsure(self, e: A.Expr) -> bool:
        """May the value be, or tell, another iteration's position?"""
        if e in self.checked.concurrent or self._place(e) in self.unsure:
            return True
        below = [c for c in children(e) if isinstance(c, A.Expr)]
        match e:
            case A.MethodCall() if self._is_object(e.object) and effect_of(self.checked, e) == "appends":
                return False
            case A.Call() if e.function in self.checked.functions:
                return self.checked.functions[e.function] in self.unsure
            case A.Member() | A.MethodCall() if self._is_object(e.object):
                return self._grows(e.object)
            case A.Call(function="cas"):
                return True
            case A.Binary() | A.Unary() | A.Call() if any(self._placed(c) for c in below):
                return True
            case _:
                return any(self._unsure(c) for c in below)

    def _placed(self, e: A.Expr) -> bool:
        """May the value be the position of an append of the iteration's own, neither more nor less?"""
        match e:
            case A.MethodCall() if self._grows(e.object) and effect_of(self.checked, e) == "appends":
                return True
            case A.Call():
                return self.checked.functions.get(e.function) in self.placed
            case A.Cast() | A.Conditional() | A.StructLit() | A.Relaxed():
                return any(self._placed(c) for c in children(e) if isinstance(c, A.Expr))
            case _:
                return self._place(e) in self.placed
