"""Which expressions may be NONE, and what conditions tell of variables: what none.py knows of single expressions."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

#: The variables that may be NONE at one point of a function; None where the control flow doesn't come to.
State = frozenset[Symbol] | None
Fact = tuple[object, ...]

ITEMS: Fact = ("items",)
SETS = ("set", "bitmap", "bytemap", "scratch")  # they hold no NONE
_AGGREGATED = [function for forms in (M.LIST_FORMS, M.AGAIN_FORMS) for level, function in forms if level == "task"]
_INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def join(*states: State) -> State:
    known = [s for s in states if s is not None]
    return frozenset().union(*known) if known else None


def is_item(t: T.Type | None) -> bool:
    """Is a `t` a node or an edge? An id may stand where its item may."""
    return isinstance(t, T.NodeT | T.EdgeT | T.Id | T.Nothing)


class Narrowing:
    """Variables along the control flow, and what tests tell of them."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.state: State = frozenset()
        self.last: dict[A.Expr, bool] = {}  # whether an operand may be NONE, as its evaluation found
        self.guarded: dict[Symbol, set[Symbol]] = {}  # variables that are items wherever a condition holds

    def value(self, e: A.Expr) -> bool:
        """May `e` be NONE? Walks through all of it."""
        raise NotImplementedError

    def branch(self, e: A.Expr) -> tuple[State, State]:
        """The variables where a condition holds, and where it doesn't."""
        match e:
            case A.Unary(op="!"):
                holds, fails = self.branch(e.operand)
                return fails, holds
            case A.Binary(op="&&" | "||"):
                holds, fails = self.branch(e.left)
                self.state = holds if e.op == "&&" else fails
                if self.state is None:
                    return holds, fails
                then, otherwise = self.branch(e.right)
                return (then, join(fails, otherwise)) if e.op == "&&" else (join(holds, then), otherwise)
            case A.BoolLit():
                return (self.state, None) if e.value else (None, self.state)
            case _:
                self.value(e)
                return self.narrowed(e, True), self.narrowed(e, False)

    def narrowed(self, e: A.Expr, holds: bool) -> State:
        assert self.state is not None
        return self.state - self._items(e, holds)

    def _items(self, e: A.Expr, holds: bool, kept: bool = False) -> set[Symbol]:
        """Variables that are no NONE where `e` is `holds`. `kept`: `e` was evaluated before, so only those that never
        change."""
        found: set[Symbol] = set()
        match e:
            case A.Unary(op="!"):
                return self._items(e.operand, not holds, kept)
            case A.Binary(op="&&" | "||") if (e.op == "&&") is holds:
                return self._items(e.left, holds, kept) | self._items(e.right, holds, kept)
            case A.Binary() if e.op in _INVERSE:
                for item in self._compared(e, e.op if holds else _INVERSE[e.op]):
                    symbol = self.variable(item.object if isinstance(item, A.Member) else item)
                    if symbol is not None and not (kept and symbol.assigned):
                        found.add(symbol)
            case A.Name():
                symbol = self.variable(e)
                if symbol is not None and symbol.kind == "local" and not symbol.assigned and symbol.origin is not None:
                    found = self._items(symbol.origin, holds, True)
                    found |= self.guarded.get(symbol, set()) if holds else set()
            case _:
                pass
        return found

    def _compared(self, e: A.Binary, op: str) -> list[A.Expr]:
        """The operands that can't be NONE where `left op right`: NONE comes before every item."""
        types = self.checked.types
        if not (is_item(types[e.left]) and is_item(types[e.right])):
            return []
        left, right = self.last.get(e.left, True), self.last.get(e.right, True)
        found: list[A.Expr] = []
        if op == ">" or (op in ("==", ">=") and not right) or (op == "!=" and _is_none(e.right)):
            found.append(e.left)
        if op == "<" or (op in ("==", "<=") and not left) or (op == "!=" and _is_none(e.left)):
            found.append(e.right)
        return [x for x in found if isinstance(x, A.Name) or (isinstance(x, A.Member) and x.name == "id")]

    def variable(self, e: A.Expr) -> Symbol | None:
        """The variable or parameter that `e` names."""
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        return symbol if symbol is not None and symbol.kind != "global" else None

    def set(self, symbol: Symbol, may: bool) -> None:
        if self.state is not None:
            self.state = self.state | {symbol} if may else self.state - {symbol}


def _is_none(e: A.Expr) -> bool:
    return isinstance(e, A.Name) and e.id == "NONE"


def follows_none(checked: Checked, none: set[A.Node], node: A.Node) -> bool:
    """Does `node` use what may be NONE? A loop around it would go on with another item behind the fault, and may never
    end: so it is left there."""
    functions = checked.functions
    return any(
        n in none
        or (isinstance(n, A.Call) and n.function in functions and follows_none(checked, none, functions[n.function]))
        for n in walk(node)
    )


def leaves_loops(checked: Checked, e: A.Node) -> bool:
    """Does `e` call a helper whose loops a thread leaves where it sees a fault, and so may give each another value?"""
    called = (checked.functions.get(n.function) for n in walk(e) if isinstance(n, A.Call))
    return any((isinstance(n, A.While | A.DoWhile | A.CFor) and follows_none(checked, checked.none, n))
               or (isinstance(n, A.Call) and leaves_loops(checked, n))
               for f in called if f is not None for n in walk(f))


class Values(Narrowing):
    """Expressions. `found` are the operands of accesses that may be NONE, the pushes and loops of such items."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked)
        self.facts: set[Fact] = set()
        self.found: set[A.Node] = set()

    def fact(self, key: Fact, may: bool = True) -> None:
        if may:
            self.facts.add(key)

    def use(self, e: A.Expr) -> None:
        """Something of the item `e` is used."""
        if self.value(e):
            self.found.add(e)

    def value(self, e: A.Expr) -> bool:
        may = self.last[e] = self._value(e)
        return may

    def _value(self, e: A.Expr) -> bool:
        match e:
            case A.Name():
                symbol = self.checked.symbols.get(e)
                if e.id == "NONE" or symbol is None:
                    return e.id == "NONE"
                if symbol.kind == "global":
                    return ("scalar", symbol.name) in self.facts
                return symbol in (self.state or ())
            case A.Binary(op="&&" | "||") | A.Unary(op="!"):
                self.state = join(*self.branch(e))
                return False
            case A.Conditional():
                return self._conditional(e)
            case A.StructLit():
                fields = self.checked.fields(e.type) or {}
                for name, v in zip(fields, e.values, strict=True):
                    self.fact(("field", str(e.type), name), self.value(v) and is_item(fields[name]))
                return False
            case A.Call():
                return self._call(e)
            case A.MethodCall():
                return self._method(e)
            case A.Member() | A.Index():
                return self.place(e)
            case A.Relaxed():
                return self.place(e.location)
            case A.Reduce():
                before, value = self.place(e.target), self.value(e.value)
                self.store(e.target, (before and value) if e.op == "max" else before or value)
                return before
            case A.InvokeResult():
                self.call(self.checked.kernels[e.kernel].params, e.args)
                return False
            case _:
                may = [self.value(c) for c in children(e) if isinstance(c, A.Expr)]
                return any(may) and is_item(self.checked.types[e])

    def _conditional(self, e: A.Conditional) -> bool:
        may, after = False, []
        states = self.branch(e.test)
        for self.state, part in zip(states, (e.then, e.orelse), strict=True):
            may |= self.state is not None and self.value(part)
            after.append(self.state)
        self.state = join(*after)
        return may

    def place(self, e: A.Expr) -> bool:
        """May what a location holds be NONE? Walks through its parts."""
        match e:
            case A.Member():
                t = self.checked.types[e.object]
                if isinstance(t, T.Reduced) or e.name == "id":
                    return self.value(e.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    self.use(e.object)
                    return ("node" if isinstance(t, T.NodeT) else "edge", e.name) in self.facts
                self.value(e.object)
                library = isinstance(t, T.Named) and t.name in self.checked.libraries
                return ("field", str(t), e.name) in self.facts or (library and is_item(self.checked.types[e]))
            case A.Index():
                self.value(e.object)
                self.value(e.index)
                return is_item(self.checked.types[e]) and not isinstance(self.checked.types[e.object], T.Range)
            case _:
                return self.value(e)

    def store(self, e: A.Expr, may: bool) -> None:
        """A location is given a value."""
        may = may and is_item(self.checked.types[e])
        match e:
            case A.Name():
                symbol = self.variable(e)
                if symbol is None:
                    self.fact(("scalar", e.id), may)
                else:
                    self.set(symbol, may)
                    self.fact(("assigned", symbol), may)
            case A.Member():
                t = self.checked.types[e.object]
                owner = "node" if isinstance(t, T.NodeT) else "edge" if isinstance(t, T.EdgeT) else ""
                self.fact((owner, e.name) if owner else ("field", str(t), e.name), may)
            case _:
                pass  # an element of an array may always be NONE

    def call(self, params: Iterable[A.Param], args: Iterable[A.Expr]) -> None:
        for p, a in zip(params, args, strict=True):
            self.fact(("param", self.checked.symbols[p]), self.value(a) and is_item(p.type))

    def _call(self, e: A.Call) -> bool:
        f = self.checked.functions.get(e.function)
        if f is not None:
            self.call(f.params, e.args)
            return ("returns", f.name) in self.facts
        if e.function == "common":
            for a in e.args[:2]:
                self.use(a)
            for a in e.args[2:]:  # nothing is below NONE
                self.value(a)
            return False
        if e.function == "cas":
            self.place(e.args[0])
        may = [self.value(a) for a in e.args]
        if e.function == "cas":
            self.store(e.args[0], may[2])
        return is_item(self.checked.types[e]) and (all(may) if e.function == "max" else any(may))

    def _method(self, e: A.MethodCall) -> bool:
        t = self.checked.types[e.object]
        if isinstance(t, T.Range) and e.name == "when":
            known, before = set(self.found), self.state
            self.value(e.object)
            if self.found != known:
                self.found = known | {e}
            self.state = before
            self.state, otherwise = self.branch(e.args[0])
            if self.state is not None:
                self.value(e.object)
            self.state = join(self.state, otherwise)
            return False
        if isinstance(t, T.NodeT):
            for item in (e.object, *e.args):
                self.use(item)
            return e.name == "edge_to"
        self.value(e.object)
        may = [self.value(a) and is_item(self.checked.types[a]) for a in e.args]
        if not isinstance(t, T.Worklist):
            library = isinstance(t, T.Named) and t.name in self.checked.libraries
            return library and is_item(self.checked.types[e])
        if t.kind in SETS:
            self.found.update(a for a, none in zip(e.args, may, strict=True) if none)
            if e.name == "update" and ITEMS in self.facts:
                self.found.add(e)
        else:
            self.fact(ITEMS, any(none and self._pushed(e, a) for a, none in zip(e.args, may, strict=True)))
        return e.name == "pop" and ITEMS in self.facts

    def _pushed(self, call: A.MethodCall, e: A.Expr) -> bool:
        """May the item of an append be NONE? That of an aggregated form is a variable that is set where it is used."""
        symbol = self.variable(e) if call.name in _AGGREGATED else None
        return symbol is None or symbol.origin is not None or ("assigned", symbol) in self.facts
