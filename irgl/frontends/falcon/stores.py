"""What each store of a foreach means, whose iterations run at once.

A plain store stays plain where the iteration owns the place - a property of its own Point or Edge - and under `single`.
Where several iterations may store, it becomes racy if all that is stored there in this foreach is one value; else it is
refused here, with a word for MIN, MAX, ADD and single.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, copied, equal, rebuild, walk
from irgl.frontends.falcon.order import UNDER, InOrder, is_own, items_of, refuse_growth
from irgl.frontends.falcon.unit import OWN, TYPES, Unit
from irgl.frontends.free_names import LocalNames
from irgl.source import IrglError, Span

_APART = "MIN, MAX and ADD take effect each; under single (t) { ... } one iteration at a time stores"
_OTHER = "single holds another Point here: only properties of what it is given are safe under it"


@dataclass(frozen=True, slots=True)
class _Access:
    """what: load, store or update; key: the property's name, or the global's."""

    key: str
    what: str
    node: A.Node
    span: Span
    own: bool
    locked: bool


def settled(loop: A.ForAll, unit: Unit, names: LocalNames) -> A.ForAll:
    """The loop with every store as it is meant. Raises IrglError for stores that race."""
    return _Settling(loop, unit, names).run()


class _Settling:
    def __init__(self, loop: A.ForAll, unit: Unit, names: LocalNames) -> None:
        self.loop, self.names = loop, names
        globals_ = {t.name: TYPES[t.kind] for t in unit.things.values() if t.where == "global"}
        self.properties = {p.name for p in unit.properties}
        self.types = globals_ | {p.name: p.type for p in unit.properties}
        self.globals = globals_.keys() | {n.object.id for n in walk(loop) if isinstance(n, A.MethodCall)
                                          and n.name == "push" and isinstance(n.object, A.Name)}
        over = loop.iterator
        # Of a Graph's Points and Edges each comes once.
        self.item = loop.var if isinstance(over, A.Member) and over.name in ("nodes", "edges") and isinstance(
            over.object, A.Name) and over.object.id == "g" else ""
        self.accesses: list[_Access] = []
        self.inits: dict[str, A.Expr | None] = {}
        self.over: dict[str, str] = {}  # of variables of loops over an iteration's Collections, these
        self.changed: set[str] = set()  # variables, globals and properties
        self.variables: set[str] = set()  # those that hold Points and Edges
        self.held: A.Atomic | A.Exclusive | None = None
        self.points: list[A.Expr] = []  # those that it holds, as far as they stay the same
        self.added: list[tuple[str, A.Expr]] = []  # what a Collection of the iteration's holds here for sure
        self.beside: set[A.Node] = set()  # what stores under `single` to what that does not hold

    def run(self) -> A.ForAll:
        self.variables = {n.name for n in walk(self.loop) if isinstance(n, A.VarDecl) and n.type in (T.NODE, T.EDGE)}
        own = {n.name for n in walk(self.loop) if isinstance(n, A.VarDecl) and n.type == OWN}
        self.loop = InOrder(self.globals, self.item, self.variables, own).run(self.loop)
        for n in walk(self.loop):
            if isinstance(n, A.VarDecl):
                self.inits[n.name] = n.init
            elif isinstance(n, A.For | A.ForAll):
                self.inits[n.var] = None
                if (name := items_of(n)) in own:
                    self.over[n.var] = name
                    refuse_growth(n, name)
            elif isinstance(n, A.Assign | A.Reduce) and isinstance(n.target, A.Name | A.Member):
                self.changed.add(n.target.id if isinstance(n.target, A.Name) else n.target.name)
        self._refuse_two_kinds()
        self._collect(self.loop.iterator, False)
        self._block(self.loop.body, False)
        racy, alone = set[A.Node](), set[A.Node]()
        for key in dict.fromkeys(a.key for a in self.accesses):
            all_ = [a for a in self.accesses if a.key == key]
            racy |= self._judged(key, all_)
            if all(a.own for a in all_) or all(a.locked for a in all_):
                alone |= {a.node for a in all_}

        def marked(n: A.Node) -> A.Node:
            if isinstance(n, A.ExprStmt) and isinstance(n.value, A.Reduce) and n.value.op == "*":
                return self._product(n.value, n.value in alone)
            return replace(n, access="racy") if isinstance(n, A.Assign) and n in racy else rebuild(n, marked)

        return rebuild(self.loop, marked)

    def _product(self, n: A.Reduce, alone: bool) -> A.Stmt:
        """RMUL: a store, or where others may multiply, too, an exchange that is tried again."""
        place, at = n.target, n.span
        if alone or (isinstance(place, A.Name) and place.id not in self.globals):
            return A.Assign(place, A.Binary("*", copied(place), n.value, span=at), "plain", span=at)
        by, seen = self.names.fresh("factor"), self.names.fresh("seen")
        product = A.Binary("*", A.Name(seen, span=at), A.Name(by, span=at), span=at)
        done = A.Call("cas", (copied(place), A.Name(seen, span=at), product), span=at)
        look = A.Assign(A.Name(seen, span=at), A.Relaxed(copied(place), span=at), "plain", span=at)
        assert isinstance(place, A.Name | A.Member)
        t = self.types[place.id if isinstance(place, A.Name) else place.name]
        begin = A.VarDecl(t, by, n.value, span=at), A.VarDecl(t, seen, A.Relaxed(place, span=at), span=at)
        return A.Block((*begin, A.While(A.Unary("!", done, span=at), (look,), span=at)), span=at)

    def _refuse_two_kinds(self) -> None:
        """A Point's lock keeps nobody out who takes a Collection."""
        first = {type(n): n for n in reversed([*walk(self.loop)]) if isinstance(n, UNDER)}
        if len(first) == 2:
            one, two = first[A.Atomic], first[A.Exclusive]
            assert one.span is not None
            raise IrglError(f"single takes a Collection here, and a Point in line {one.span.line}, in one foreach",
                            two.span, "add the Point to a Collection, and take that")

    def _collect(self, n: A.Node, locked: bool) -> None:
        if isinstance(n, A.Assign | A.Reduce):
            self._note(n.target, "store" if isinstance(n, A.Assign) else "update", n, locked)
            for child in (*children(n.target), n.value):
                self._collect(child, locked)
            return
        if isinstance(n, UNDER):
            if isinstance(n, A.Atomic):
                self._collect(n.lock, locked)
            self.held, self.points = n, self._points(n)
            self._block(n.body, True)
            self.held = None
            self._block(n.orelse, locked)
            return
        self._note(n, "load", n, locked)
        if isinstance(n, A.MethodCall) and n.name == "push":
            self._note(n.object, "update", n, locked)
            self._collect(n.args[0], locked)
        elif isinstance(n, A.If):
            self._collect(n.test, locked)
            self._block(n.body, locked)
            self._block(n.orelse, locked)
        else:
            self._block(tuple(children(n)), locked)

    def _block(self, nodes: tuple[A.Node, ...], locked: bool) -> None:
        """Statements one behind the other: what one adds to a Collection is in it for those behind it."""
        before = len(self.added)
        for n in nodes:
            self._collect(n, locked)
            if isinstance(n, A.ExprStmt) and isinstance(n.value, A.MethodCall) and n.value.name == "append":
                assert isinstance(n.value.object, A.Name)
                self.added.append((n.value.object.id, n.value.args[0]))
        del self.added[before:]

    def _note(self, place: A.Node, what: str, node: A.Node, locked: bool) -> None:
        is_property = isinstance(place, A.Member) and place.name in self.properties
        if is_property or (isinstance(place, A.Name) and place.id in self.globals):
            key = place.name if isinstance(place, A.Member) else place.id  # type: ignore[attr-defined]
            assert place.span is not None
            own = is_property and is_own(place, self.item)
            if locked and is_property and not self._holds(place):
                self.beside.add(node)
                locked = False
            self.accesses.append(_Access(key, what, node, place.span, own, locked and is_property))

    def _holds(self, place: A.Node) -> bool:
        """Is the place a property of a Point that `single` holds here?"""
        assert isinstance(place, A.Member)
        point = place.object
        over = self.over.get(point.id) if isinstance(point, A.Name) else None  # to which nothing is stored
        if isinstance(self.held, A.Exclusive) and over == _listed(self.held):
            return True
        return any(equal(self._origin(point), p) for p in self.points)

    def _points(self, held: A.Atomic | A.Exclusive) -> list[A.Expr]:
        if isinstance(held, A.Atomic):
            assert isinstance(held.lock, A.Member)
            points = [held.lock.object]
        else:
            refuse_growth(held, _listed(held))
            points = [e for name, e in self.added if name == _listed(held)]
        return [self._origin(p) for p in points if self._stays(p)]

    def _origin(self, e: A.Expr) -> A.Expr:
        """What is known of a Point: a variable that is stored once is what it was given, if that stays the same."""
        if isinstance(e, A.Member):
            return replace(e, object=self._origin(e.object))
        init = self.inits.get(e.id) if isinstance(e, A.Name) and e.id not in self.changed else None
        return self._origin(init) if init is not None and self._stays(init) else e

    def _stays(self, e: A.Expr) -> bool:
        """Is it one Point as long as the iteration runs?"""
        named = {n.id if isinstance(n, A.Name) else n.name for n in walk(e) if isinstance(n, A.Name | A.Member)}
        asks = any(isinstance(n, A.MethodCall) and n.name != "node" for n in walk(e))
        return not (asks or named & {*self.changed, "size"})

    def _judged(self, key: str, all_: list[_Access]) -> set[A.Node]:
        """The racy stores to one place. Raises IrglError for those that race in earnest."""
        stores = [a for a in all_ if a.what == "store"]
        under_lock = next((a for a in stores if a.locked), None)
        if under_lock is not None:
            for a in all_:
                if not a.locked:
                    raise IrglError(f"'{key}' is touched here without single, under which line {under_lock.span.line} "
                                    "stores it", a.span, _OTHER if a.node in self.beside else
                                    "write single here, too, or do it in a foreach of its own")
            return set()
        updates = [a for a in all_ if a.what == "update"]
        ways = {a.node.op: a for a in updates if isinstance(a.node, A.Reduce)}
        if len(ways) > 1 and not (all(a.own for a in updates) or all(a.locked for a in updates)):
            one, two = [*ways.values()][:2]
            raise IrglError(f"'{key}' is changed here, and in another way in line {one.span.line}, by other iterations",
                            two.span, "which comes first is not said: do one of them in a foreach of its own")
        loads = [a for a in all_ if a.what == "load"]
        far = next((a for a in loads if not a.own), None)
        shared = next((a for a in stores if not a.own), None)
        if shared is None and far is not None and self._are_one(stores):  # to whoever reads it, either value is right
            shared = next(iter(stores), None)
        if stores and (other := next((u for u in updates if not (u.own and shared is None)), None)):
            raise IrglError(f"'{key}' is stored here, and changed by MIN, MAX or ADD in line {other.span.line}, "
                            "by other iterations", stores[0].span, "do one of them in a foreach of its own")
        if shared is not None:
            for a in (shared, *stores):
                assert isinstance(a.node, A.Assign) and isinstance(shared.node, A.Assign)
                if not self._is_one(a.node.value):
                    raise IrglError(f"several iterations may store different values to '{key}'", a.span,
                                    _OTHER if a.node in self.beside else _APART)
                if not equal(a.node.value, shared.node.value):
                    raise IrglError(f"another value is stored to '{key}' than in line {shared.span.line}, by other "
                                    "iterations of this foreach", a.span, _APART)
        writer = next(iter((*stores, *updates)), None)
        if far is not None and writer is not None and (key in self.globals or (stores and shared is None)):
            what = "" if key in self.globals else " of another Point or Edge"
            raise IrglError(f"'{key}'{what} is read here, and stored by other iterations (line {writer.span.line})",
                            far.span, "read it in a foreach of its own, or keep the new value somewhere else"
                            if key in self.types else "add to another Collection, or read it in a foreach of its own")
        return {a.node for a in stores} if shared is not None else set()

    def _are_one(self, stores: list[_Access]) -> bool:
        values = [a.node.value for a in stores if isinstance(a.node, A.Assign)]
        return all(self._is_one(v) and equal(v, values[0]) for v in values)

    def _is_one(self, e: A.Expr) -> bool:
        """Is the value of an expression the same in all iterations?"""
        match e:
            case A.Name(id=name):
                if name in self.changed:
                    return False
                init = self.inits.get(name)
                return name not in self.inits or (init is not None and self._is_one(init))
            case A.IntLit() | A.FloatLit() | A.BoolLit():
                return True
            case A.Member(object=A.Name(id="g")):
                return True
            case A.Unary() | A.Binary() | A.Conditional() | A.Cast() | A.Call() | A.MethodCall(name="node"):
                return all(self._is_one(c) for c in children(e) if isinstance(c, A.Expr))
            case _:
                return False


def _listed(s: A.Exclusive) -> str:
    """The Collection of which `single` takes all Points."""
    (of,) = s.elements
    assert isinstance(of, A.Name)
    return of.id
