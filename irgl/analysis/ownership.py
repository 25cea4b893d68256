"""Which iteration may touch a location, and so which updates need atomics and which accesses race.

A location belongs to an iteration when no other iteration of the same ForAll can reach it *by ownership*: the item of a
distinct range, the edges of an owned node, the node that an owned edge starts from, and names for these. Names such as
`dst` mean nothing here; only where an item comes from does.

Each top-level ForAll of a kernel, with the helpers that it calls, is a region. For every location in it:

    own     the innermost iteration around it owns it       plain access
    outer   an enclosing iteration owns it                  plain while the inner loop is serial, else atomic
    shared  anyone may touch it                             updates are atomic
    locked  stored or loaded under Atomic or Exclusive      plain
    once    outside every ForAll, or in the Program         plain

An owned location that other iterations also write is shared; one that they read is `concurrent`, as every shared
location that the region writes: its loads and stores are relaxed atomics. Whatever is left over is a race that nobody
declared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from irgl.analysis.conversions import PACKED_HINT, packed_bytes
from irgl.analysis.symbols import Checked, Symbol, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children

Key = tuple[str, str, str]

_EDGE_RANGES = ("edges", "out_edges", "in_edges")


@dataclass(eq=False, slots=True)
class Access:
    """One access: kind is load, store or update, how is plain, racy or relaxed; `owner` the depth that owns it or 0."""

    key: Key
    kind: str
    how: str
    status: str
    expr: A.Expr
    incoming: bool
    where: A.Node
    under_lock: bool
    loops: tuple[A.ForAll, ...]
    owner: int


def check_ownership(checked: Checked) -> None:
    """Fills `checked.access` and `checked.concurrent`. Raises IrglError for an undeclared race."""
    owners = Owners(checked)
    known: dict[tuple[str, bool], list[Access]] = {}
    for function in checked.functions.values():
        _note(checked, _Walker(checked, owners, known).collect(function.body, 0, "once"), "once")
    for kernel in checked.kernels.values():
        for region in _regions(kernel.body):
            walker = _Walker(checked, owners, known)
            _judge(checked, walker.collect((region,), 0, ""))
    if checked.entry is not None:
        _note(checked, _Walker(checked, owners, known).collect(checked.entry.body, 0, "once"), "once")


def _note(checked: Checked, accesses: list[Access], status: str) -> None:
    for a in accesses:
        checked.access.setdefault(a.expr, status)


def _regions(stmts: tuple[A.Stmt, ...]) -> list[A.Stmt]:
    """A kernel's top-level statements, those inside plain control flow one by one."""
    found: list[A.Stmt] = []
    for s in stmts:
        match s:
            case A.Block() | A.While() | A.DoWhile() | A.CFor() | A.For():
                found += _regions(s.body)
            case A.If():
                found += _regions(s.body) + _regions(s.orelse)
            case A.Labeled():
                found += _regions((s.body,))
            case _:
                found.append(s)
    return found


class Owners:
    """Tells the depth of the ForAll whose iteration owns a node, an edge or an index; 0 for none."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked

    def owner(self, e: A.Expr) -> int:
        match e:
            case A.Name():
                symbol = self.checked.symbols.get(e)
                return 0 if symbol is None else self._symbol(symbol)
            case A.Member(name="id"):
                return self.owner(e.object)
            case A.Member(name="src" | "dst"):
                return self._end(e)
            case A.MethodCall(name="pop"):
                t = self.checked.types[e.object]
                return self.owner(e.args[0]) if isinstance(t, T.Worklist) and t.unique else 0
            case A.MethodCall(name="node" | "nodes" | "edge"):
                return self.owner(e.args[0])
            case A.Index() if isinstance(self.checked.types[e.object], T.Range):
                base = self._base(e.object)
                return self.owner(base) if base is not None else 0
            case _:
                return 0

    def base_of_edge(self, e: A.Expr) -> tuple[A.Expr, bool] | None:
        """The node whose range an edge variable runs over, and whether that range is of incoming edges."""
        if not isinstance(e, A.Name):
            return None
        symbol = self.checked.symbols.get(e)
        if symbol is None or symbol.loop is None:
            return None
        iterator = self._through(symbol.loop.iterator)
        base = self._base(iterator)
        t = self.checked.types[symbol.loop.iterator]
        incoming = isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and t.item.incoming
        return None if base is None else (base, incoming)

    def _end(self, e: A.Member) -> int:
        found = self.base_of_edge(e.object)
        if found is None:
            return 0
        base, incoming = found
        return self.owner(base) if (e.name == "dst") == incoming else 0

    def _through(self, e: A.Expr) -> A.Expr:
        """The iterator that a never-reassigned local names."""
        if isinstance(e, A.Name):
            symbol = self.checked.symbols.get(e)
            if symbol is not None and symbol.kind == "local" and not symbol.assigned and symbol.origin is not None:
                return self._through(symbol.origin)
        return e

    def _base(self, iterator: A.Expr) -> A.Expr | None:
        iterator = self._through(iterator)
        if isinstance(iterator, A.MethodCall) and iterator.name == "skip":
            return self._base(iterator.object)
        if isinstance(iterator, A.Member) and iterator.name in _EDGE_RANGES:
            t = self.checked.types[iterator.object]
            return iterator.object if isinstance(t, T.NodeT) else None
        return None

    def _symbol(self, symbol: Symbol) -> int:
        if symbol.kind == "local":
            return 0 if symbol.assigned or symbol.origin is None else self.owner(symbol.origin)
        if symbol.loop is None:
            return 0
        parallel = isinstance(symbol.loop, A.ForAll)
        base = self._base(symbol.loop.iterator)
        if base is not None:
            of_base = self.owner(base)
            # A ForAll between the base's owner and this one has iterations that all reach the same edges.
            return symbol.depth if of_base and parallel and of_base == symbol.depth - 1 else of_base
        t = self.checked.types[symbol.loop.iterator]
        distinct = not isinstance(t, T.Range) or t.distinct
        return 1 if parallel and distinct and symbol.depth == 1 else 0


class _Walker:
    def __init__(self, checked: Checked, owners: Owners, known: dict[tuple[str, bool], list[Access]]) -> None:
        self.checked = checked
        self.owners = owners
        self.known = known
        self.found: list[Access] = []
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
        f = self.checked.functions.get(node.function)
        if f is not None and (self.depth > 0 or self.fixed == "shared"):
            given = {p.name: a.id for p, a in zip(f.params, node.args, strict=True) if isinstance(a, A.Name)}
            for access in self._below(f):
                of, kind, name = access.key
                self.found.append(replace(access, key=(of, kind, given.get(name, name) if kind == "element" else name)))

    def _below(self, f: A.Function) -> list[Access]:
        """What a helper touches when iterations call it, each place once, under its parameters' names."""
        summary = f.name, self.locked > 0
        if summary not in self.known:
            inner = _Walker(self.checked, self.owners, self.known)
            inner.locked = self.locked
            found = {(a.key, a.kind, a.how, a.expr): a for a in inner.collect(f.body, 0, "shared")}
            self.known[summary] = list(found.values())
        return self.known[summary]

    def _method(self, node: A.MethodCall) -> None:
        t = self.checked.types[node.object]
        pushes = isinstance(t, T.Worklist) and t.kind != "scratch" and node.name == "push"
        if pushes and self.depth and self.owners.owner(node.args[0]) == 1:
            self.checked.access[node] = "own"
        for child in children(node):
            self.visit(child)

    def record(self, e: A.Expr, kind: str, how: str, where: A.Node) -> None:
        found = self._key(e)
        if found is None:
            return
        key, item = found
        status, owner = self.fixed, 0
        if not status:
            if self.depth == 0:
                status = "once"
            else:
                owner = self.owners.owner(item) if item is not None else 0
                status = "own" if owner == self.depth else "outer" if owner else "shared"
        if self.locked and status in ("shared", "outer") and kind != "update" and key[1] != "scalar":
            status = "locked"
        self.found.append(
            Access(key, kind, how, status, e, self._incoming(item), where, self.locked > 0, self.loops, owner)
        )

    def _incoming(self, item: A.Expr | None) -> bool:
        t = self.checked.types.get(item) if item is not None else None
        return isinstance(t, T.EdgeT) and t.incoming

    def _key(self, e: A.Expr) -> tuple[Key, A.Expr | None] | None:
        types = self.checked.types
        match e:
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
                t = types.get(e.object)
                if isinstance(t, T.Named):
                    name = e.object.id if isinstance(e.object, A.Name) else str(t)
                    return (str(t), "element", name), e.index
                return None
            case _:
                return None


def _judge(checked: Checked, accesses: list[Access]) -> None:
    by_key: dict[Key, list[Access]] = {}
    for a in accesses:
        by_key.setdefault(a.key, []).append(a)
    for key, group in by_key.items():
        _judge_key(checked, key, group)


def _judge_key(checked: Checked, key: Key, group: list[Access]) -> None:
    writes = [a for a in group if a.kind != "load"]
    both_ways = key[1] == "edge" and len({a.incoming for a in group if a.status in ("own", "outer")}) > 1
    if both_ways and writes:
        for a in group:
            if a.status in ("own", "outer"):
                a.status = "shared"
    shared_writes = [a for a in writes if a.status == "shared"]
    shared_loads = [a for a in group if a.kind == "load" and a.status == "shared"]
    owned_stores = [a for a in writes if a.status == "own" and a.kind == "store" and a.how == "plain"]
    name = key[2]
    for a in writes:
        if a.kind == "store" and a.how == "plain" and a.status in ("shared", "outer"):
            _refuse_store(key, a)
    if owned_stores:
        if shared_writes:
            fail(
                f"other iterations also write '{name}': this plain store races with them",
                owned_stores[0].where,
                "write relaxed before the store, or make both reductions",
            )
        # An outer iteration owns what this loads, but the inner loop's other iterations store it.
        inside = [
            a
            for a in group
            if a.kind == "load"
            and a.status == "outer"
            and any(a.loops[: len(s.loops)] == s.loops for s in owned_stores if len(s.loops) > a.owner)
        ]
        for a in shared_loads + inside:
            if a.how == "plain":
                span = owned_stores[0].where.span
                what = "another element of" if key[1] == "element" else ""
                fail(
                    f"{what} '{name}' is read while the iteration that owns it stores it".strip()
                    if what
                    else f"'{name}' of another item is read while its own iteration stores it",
                    a.where,
                    "write relaxed to declare the race, or keep the new value "
                    f"in a second {'array' if what else 'property'}{f': line {span.line} stores it' if span else ''}",
                )
    _judge_locks(key, group)
    if key[1] == "scalar" and shared_writes:
        for a in shared_loads:
            if a.how == "plain":
                fail(
                    f"'{name}' is read while the same ForAll updates it",
                    a.where,
                    "read it after the ForAll, or write relaxed to take any value",
                )
    concurrent = bool(writes) and any(a.status in ("shared", "locked", "outer") for a in group)
    mixed = any(a.status == "locked" and a.kind != "load" for a in group) and any(not a.under_lock for a in group)
    for a in group:
        if (shared_writes or mixed) and a.status in ("own", "outer"):
            a.status = "shared"
        previous = checked.access.get(a.expr)
        order = ("once", "own", "locked", "outer", "shared")
        if previous is None or order.index(previous) < order.index(a.status):
            checked.access[a.expr] = a.status
        if concurrent and (a.status != "locked" or mixed):
            checked.concurrent.add(a.expr)
            _refuse_torn(checked, key, a)


def _judge_locks(key: Key, group: list[Access]) -> None:
    """What iterations store under a lock is neither read nor stored without one, unless that is declared."""
    stores = [a for a in group if a.status == "locked" and a.kind == "store"]
    if not stores:
        return
    line = f" (line {stores[0].where.span.line})" if stores[0].where.span else ""
    for a in group:
        if a.how == "plain" and a.kind != "update" and not a.under_lock:
            what = "is stored" if a.kind == "store" else "is read"
            fail(
                f"{_called(key)} {what} here without the lock under which other iterations store it{line}",
                a.where,
                "take the lock here too, or write relaxed to declare the race",
            )


def _refuse_torn(checked: Checked, key: Key, a: Access) -> None:
    """A struct that several iterations touch at once must be one atomic unit."""
    t = checked.types[a.expr]
    fields = checked.fields(t)
    if fields is not None and packed_bytes(fields) is None:
        fail(
            f"several iterations touch {_called(key)} at once, and {t} is no unit of an atomic load or store",
            a.where,
            PACKED_HINT,
        )


def _called(key: Key) -> str:
    return f"an element of '{key[2]}'" if key[1] == "element" else f"'{key[2]}'"


def _refuse_store(key: Key, a: Access) -> None:
    what = _called(key)
    if key[1] == "scalar":
        fail(
            f"a ForAll stores into the program scalar {what}",
            a.where,
            "reduce into it: += min= max= |= &=, or write racy if all store one value",
        )
    of = "" if key[1] == "element" else f" of this {key[1]}"
    if a.status == "outer":
        same = f"{what} of the same {key[1]}" if of else f"the same element of '{key[2]}'"
        fail(
            f"every iteration of the inner ForAll stores {same}",
            a.where,
            "write racy if all store one value, relaxed if any will do, or a reduction",
        )
    fail(
        f"several iterations may store {what}{of}: the race is not declared",
        a.where,
        "write racy if all store one value, relaxed if any will do, or a reduction such as min=",
    )
