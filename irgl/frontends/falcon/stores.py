"""What each store of a foreach means, whose iterations run at once.

A plain store stays plain where the iteration owns the place - a property of its own Point or Edge - and under `single`.
Where several iterations may store, it becomes racy if all that is stored there in this foreach is one value; else it is
refused here, with a word for MIN, MAX, ADD and single. A foreach within another one, which Falcon runs in turn, is run
at once, too, where nobody can tell: not where it stores to what the iteration around it has for its own, reads there
what it updates, has a flag that tells which iteration changed something, breaks off, or has to do with `single`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, equal, rebuild, walk
from irgl.frontends.falcon.unit import Unit
from irgl.source import IrglError, Span

_APART = "MIN, MAX and ADD take effect each; under single (t) { ... } one iteration at a time stores"
_OTHER = "single holds another Point here: only its properties are safe under it"


@dataclass(frozen=True, slots=True)
class _Access:
    """what: load, store or update; key: the property's name, or the global's."""

    key: str
    what: str
    node: A.Node
    span: Span
    own: bool
    locked: bool


def settled(loop: A.ForAll, unit: Unit) -> A.ForAll:
    """The loop with every store as it is meant. Raises IrglError for stores that race."""
    found = _Settling(loop, unit)
    return found.run()


class _Settling:
    def __init__(self, loop: A.ForAll, unit: Unit) -> None:
        self.loop = loop
        self.globals = {t.name for t in unit.things.values() if t.where == "global"}
        self.properties = {name for name, _ in (*unit.points.values(), *unit.edges.values())}
        over = loop.iterator
        # Of a Graph's Points and Edges each comes once.
        self.item = loop.var if isinstance(over, A.Member) and over.name in ("nodes", "edges") and isinstance(
            over.object, A.Name) and over.object.id == "g" else ""
        self.accesses: list[_Access] = []
        self.inits: dict[str, A.Expr | None] = {}
        self.changed: set[str] = set()
        self.variables: set[str] = set()  # those that hold Points and Edges
        self.held: A.Atomic | None = None
        self.beside: set[A.Node] = set()  # what stores under `single` to what that does not hold

    def run(self) -> A.ForAll:
        self.variables = {n.name for n in walk(self.loop) if isinstance(n, A.VarDecl) and n.type in (T.NODE, T.EDGE)}
        self.loop = rebuild(self.loop, lambda n: self._in_order(n, False))
        for n in walk(self.loop):
            if isinstance(n, A.VarDecl):
                self.inits[n.name] = n.init
            elif isinstance(n, A.For | A.ForAll):
                self.inits[n.var] = None
            elif isinstance(n, A.Assign | A.Reduce) and isinstance(n.target, A.Name):
                self.changed.add(n.target.id)
        for s in self.loop.body:
            self._collect(s, False)
        racy: set[A.Node] = set()
        for key in dict.fromkeys(a.key for a in self.accesses):
            racy |= self._judged(key, [a for a in self.accesses if a.key == key])

        def marked(n: A.Node) -> A.Node:
            return replace(n, access="racy") if isinstance(n, A.Assign) and n in racy else rebuild(n, marked)

        return rebuild(self.loop, marked)

    def _in_order(self, s: A.Node, locked: bool) -> A.Node:
        """A statement in which every inner loop that has to is sequential."""
        locked = locked or isinstance(s, A.Atomic)
        s = rebuild(s, lambda n: self._in_order(n, locked))
        if isinstance(s, A.ForAll) and (locked or self._wants_order(s)):
            return A.For(s.var, s.iterator, s.body, span=s.span)
        return s

    def _wants_order(self, loop: A.ForAll) -> bool:
        nodes = [*walk(loop)]
        local = self.globals | {n.name for n in nodes if isinstance(n, A.VarDecl)}
        changes = [n for n in nodes if isinstance(n, A.Assign | A.Reduce)]
        targets = [n.target for n in changes]
        updated = {t.name for t in targets if isinstance(t, A.Member) and self._may_be_own(t)}
        read = {n.name for n in nodes if isinstance(n, A.Member) and n not in targets and self._may_be_own(n)}
        return (
            any(isinstance(n.target, A.Name) and n.target.id not in local for n in changes)
            or any(isinstance(n, A.Assign) and self._may_be_own(n.target) for n in changes)
            or bool(read & updated)
            or any(map(self._tells_order, nodes))
            or any(isinstance(n, A.Atomic) for n in nodes)  # its iterations would keep each other out
            or any(_breaks(s) for s in loop.body)
        )

    def _tells_order(self, n: A.Node) -> bool:
        """Does a flag tell which iterations changed something? Not a global, nor a property of what they change."""
        if not (isinstance(n, A.If) and isinstance(n.test, A.Reduce) and isinstance(n.body[0], A.Assign)):
            return False
        flag, place = n.body[0].target, n.test.target
        if isinstance(flag, A.Name):
            return flag.id not in self.globals
        return not (isinstance(flag, A.Member) and isinstance(place, A.Member) and equal(flag.object, place.object))

    def _is_own(self, place: A.Node) -> bool:
        return isinstance(place, A.Member) and isinstance(place.object, A.Name) and place.object.id == self.item != ""

    def _may_be_own(self, place: A.Node) -> bool:
        return self._is_own(place) or (isinstance(place, A.Member) and isinstance(place.object, A.Name)
                                       and place.object.id in self.variables)

    def _collect(self, n: A.Node, locked: bool) -> None:
        if isinstance(n, A.Assign | A.Reduce):
            self._note(n.target, "store" if isinstance(n, A.Assign) else "update", n, locked)
            for child in (*children(n.target), n.value):
                self._collect(child, locked)
            return
        if isinstance(n, A.Atomic):
            self._collect(n.lock, locked)
            self.held = n
            for s in n.body:
                self._collect(s, True)
            self.held = None
            for s in n.orelse:
                self._collect(s, locked)
            return
        self._note(n, "load", n, locked)
        for child in children(n):
            self._collect(child, locked)

    def _note(self, place: A.Node, what: str, node: A.Node, locked: bool) -> None:
        is_property = isinstance(place, A.Member) and place.name in self.properties
        if is_property or (isinstance(place, A.Name) and place.id in self.globals):
            key = place.name if isinstance(place, A.Member) else place.id  # type: ignore[attr-defined]
            assert place.span is not None
            own = is_property and self._is_own(place)
            if locked and is_property and what != "load" and not self._holds(place):
                self.beside.add(node)
                locked = False
            self.accesses.append(_Access(key, what, node, place.span, own, locked and is_property))

    def _holds(self, place: A.Node) -> bool:
        """Is the place the property of the Point that `single` holds here?"""
        assert self.held is not None and isinstance(self.held.lock, A.Member) and isinstance(place, A.Member)
        of = self.held.lock.object
        stored = {n.target.id for s in self.held.body for n in walk(s)
                  if isinstance(n, A.Assign | A.Reduce) and isinstance(n.target, A.Name)}
        return equal(place.object, of) and not any(isinstance(n, A.Name) and n.id in stored for n in walk(of))

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
                            far.span, "read it in a foreach of its own, or keep the new value somewhere else")
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


def _breaks(s: A.Node) -> bool:
    """Does a statement break off the loop in whose body it stands?"""
    if isinstance(s, A.Break):
        return True
    return not isinstance(s, A.While | A.DoWhile | A.CFor | A.For | A.ForAll) and any(map(_breaks, children(s)))
