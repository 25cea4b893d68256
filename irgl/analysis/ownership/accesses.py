"""What the iterations of a ForAll touch: every load, store and update of shared memory, with who owns it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irgl.analysis.names.symbols import Checked
from irgl.analysis.names.vectors import of_vector
from irgl.analysis.ownership.own import is_own
from irgl.analysis.ownership.owners import NOBODY, WHOLE, Owned, Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children

Key = tuple[str, str, str]


@dataclass(eq=False, slots=True)
class Access:
    """One access: kind is load, store or update, how is plain, racy or relaxed; `owner` the depth that owns it or 0.

    way: how the owner's item leads there (owners.py).
    """

    key: Key
    kind: str
    how: str
    status: str
    expr: A.Expr
    where: A.Node
    under_lock: bool
    loops: tuple[A.ForAll, ...]
    owner: int
    way: str

    def is_guarded(self) -> bool:
        """Does a lock keep others away meanwhile? From updates it need not."""
        return self.under_lock and self.kind != "update" and self.key[1] != "scalar"

    def share(self) -> None:
        """Anyone may touch it."""
        self.status, self.owner = "locked" if self.is_guarded() else "shared", 0


@dataclass(eq=False, slots=True)
class Push:
    """A push to a list, or a call that may push there, in how many ForAlls it stands."""

    call: A.Call | A.MethodCall
    list: A.Expr
    item: A.Expr | None
    depth: int


class Walker:
    """Collects the accesses below statements; `known` keeps those of helpers."""

    def __init__(self, checked: Checked, owners: Owners, known: dict[tuple[str, bool], list[Access]]) -> None:
        self.checked = checked
        self.owners = owners
        self.known = known
        self.found: list[Access] = []
        self.pushes: list[Push] = []
        self.depth = 0
        self.fixed = ""
        self.locked = 0
        self.loops: tuple[A.ForAll, ...] = ()

    def collect(self, stmts: tuple[A.Stmt, ...], depth: int, fixed: str) -> list[Access]:
        """The accesses under `stmts`; every status is `fixed` unless that is empty."""
        self.depth, self.fixed = depth, fixed
        for s in stmts:
            self.visit(s)
        return self.found

    def visit(self, node: A.Node) -> None:
        match node:
            case A.ForAll():
                self.visit(node.iterator)
                self.depth += 1
                outside, self.loops = self.loops, (*self.loops, node)
                for s in node.body:
                    self.visit(s)
                self.loops = outside
                self.depth -= 1
            case A.Atomic() | A.Exclusive():
                for e in node.elements if isinstance(node, A.Exclusive) else children(node.lock):
                    self.visit(e)
                self.locked += 1
                for s in node.body:
                    self.visit(s)
                self.locked -= 1
                for s in node.orelse:
                    self.visit(s)
            case A.Assign():
                self.parts(node.target)
                self.record(node.target, "store", node.access, node)
                self.visit(node.value)
            case A.Reduce():
                self.parts(node.target)
                self.record(node.target, "update", "plain", node)
                self.visit(node.value)
            case A.Relaxed():
                self.parts(node.location)
                self.record(node.location, "load", "relaxed", node)
            case A.Call():
                self._call(node)
            case A.MethodCall():
                self._method(node)
            case A.CBlock():
                for e in node.reads:
                    self.record(e, "load", "relaxed", node)
                for e in node.writes:
                    self.record(e, "store", "relaxed", node)
            case A.Member() | A.Name() | A.Index():
                self.parts(node)
                self.record(node, "load", "plain", node)
            case _:
                for child in children(node):
                    self.visit(child)

    def parts(self, e: A.Expr) -> None:
        if of_vector(e, self.checked):  # which reads nothing of the property's other values
            self.parts(e.object)
            self.visit(e.index)
            return
        for child in children(e):
            self.visit(child)

    def _call(self, node: A.Call) -> None:
        args = node.args
        if node.function == "cas":
            self.parts(args[0])
            self.record(args[0], "update", "plain", node)
            args = args[1:]
        for a in args:
            self.visit(a)
            if isinstance(self.checked.types.get(a), T.Worklist):
                self.pushes.append(Push(node, a, None, self.depth))
        f = self.checked.functions.get(node.function)
        if f is not None and (self.depth > 0 or self.fixed == "shared"):
            given = {p.name: a for p, a in zip(f.params, node.args, strict=True) if isinstance(a, A.Name)}
            for access in self._below(f):
                element = access.key[1] == "element" and access.key[2] in given
                self.found.append(self._of_given(access, given[access.key[2]]) if element else access)

    def _of_given(self, access: Access, given: A.Name) -> Access:
        """What a helper does to an element of the object that it is given here."""
        own = is_own(self.checked, given) and self.checked.symbols[given].depth == self.depth
        return replace(access, key=self._element(given), status="own" if own else access.status,
                       owner=self.depth if own else access.owner, loops=self.loops if own else access.loops,
                       way=WHOLE if own else access.way)

    def _below(self, f: A.Function) -> list[Access]:
        """What a helper touches when iterations call it, each place once, under its parameters' names."""
        summary = f.name, self.locked > 0
        if summary not in self.known:
            inner = Walker(self.checked, self.owners, self.known)
            inner.locked = self.locked
            found = {(a.key, a.kind, a.how, a.expr): a for a in inner.collect(f.body, 0, "shared")}
            self.known[summary] = list(found.values())
        return self.known[summary]

    def _method(self, node: A.MethodCall) -> None:
        t = self.checked.types[node.object]
        if isinstance(t, T.Worklist) and node.name == "push":
            self.pushes.append(Push(node, node.object, node.args[0], self.depth))
        for child in children(node):
            self.visit(child)

    def record(self, e: A.Expr, kind: str, how: str, where: A.Node) -> None:
        found = self._key(e)
        if found is None:
            return
        key, item = found
        status, owned = self.fixed, NOBODY
        if not status:
            if self.depth == 0:
                status = "once"
            else:
                owned = self._owned(e, item)
                status = "own" if owned.depth == self.depth else "outer" if owned.depth else "shared"
        access = Access(key, kind, how, status, e, where, self.locked > 0, self.loops, *owned)
        if status in ("shared", "outer") and access.is_guarded():
            access.status = "locked"
        self.found.append(access)

    def _owned(self, e: A.Expr, item: A.Expr | None) -> Owned:
        if isinstance(e, A.Index) and not of_vector(e, self.checked):
            return self.owners.owned_element(e, self.depth)
        if item is None:
            return NOBODY
        owned, t = self.owners.owned(item), self.checked.types[item]
        # Edges of another graph are other edges: two ways that differ in nothing else don't meet.
        return Owned(owned.depth, owned.way.replace(f"<{t.graph}>", "")) if isinstance(t, T.EdgeT) else owned

    def _key(self, e: A.Expr) -> tuple[Key, A.Expr | None] | None:
        types = self.checked.types
        match e:
            case A.Index() if of_vector(e, self.checked):
                return self._key(e.object)
            case A.Member():
                t = types.get(e.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    owner = "node" if isinstance(t, T.NodeT) else "edge"
                    names = {
                        g.name
                        for g in self.checked.graph_types.values()
                        if self.checked.property_of(g.name, owner, e.name) is not None
                    }
                    if names:
                        return (",".join(sorted(names)), owner, e.name), e.object
                return None
            case A.Name():
                symbol = self.checked.symbols.get(e)
                return (("", "scalar", e.id), None) if symbol is not None and symbol.kind == "global" else None
            case A.Index():
                return (self._element(e.object), e.index) if isinstance(types.get(e.object), T.Named) else None
            case _:
                return None

    def _element(self, e: A.Expr) -> Key:
        """The key of an object's elements: of an iteration's own nobody else has any, whatever it is called."""
        t = str(self.checked.types[e])
        own = f" {id(self.checked.symbols[e])}" if is_own(self.checked, e) else ""
        return t + own, "element", e.id if isinstance(e, A.Name) else t
