"""Whether nobody can tell if a node of a priority queue runs again with what it ran with before.

So it is where an operator does nothing but update_min or update_max of its queue, and min=, max=, &= and |= of the
Program's variables, by values that are the same the second time, under conditions that are the same or have become
false meanwhile, such as `there < e.dst.dist` while dist falls.
What the first run moved is then where the second one would move it, or further on.
"""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.effects.effects import kernel_effects, stored_variables
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.loops.edge_bodies import MIRRORED, conjuncts
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import FLOAT_FUNCTIONS, FLOAT_FUNCTIONS_OF_TWO, update_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: What stands in the way in most cases.
_CHANGES = "what it does depends on what others change meanwhile"
_PURE = ("min", "max", "abs", "hash")
#: Reductions that leave the same when they are done again.
_IDEMPOTENT = ("min", "max", "&", "|")


def why_noticed(checked: Checked, k: A.Kernel, by: T.Priority, falls: bool) -> str | None:
    """What can tell whether a node of the kernel's queue, which goes by `by`, runs again; None: nothing can. falls:
    updates make the property smaller. O(size of the kernel)."""
    loop = only_loop(k)
    if loop is None or not over_wl(loop):
        return f"{k.name} does something beside its ForAll over WL"
    again = _Again(checked, k, by, falls, loop.var)
    again.steady.add(loop.var)
    return again.block(loop.body, True)


def _update(e: A.Node) -> A.MethodCall | None:
    return update_of(e, "update_min", "update_max")


class _Again:
    """steady: variables that have the same value the second time. moved: those that tell what an update changed."""

    def __init__(self, checked: Checked, k: A.Kernel, by: T.Priority, falls: bool, own: str) -> None:
        self.checked, self.by, self.falls = checked, by, falls
        writes = kernel_effects(checked, k).writes
        self.written = {(p.kind, p.name) for p in writes}
        self.stored = {v.name for v in stored_variables(checked, [k])}
        self.steady, self.moved = {p.name for p in k.params} - self.stored, set[str]()
        self.own = own
        self.ways = _ways(checked, k)

    def block(self, stmts: Sequence[A.Stmt], steady: bool) -> str | None:
        """steady: whether these run the second time, too, is as steady as what they do."""
        return next((why for s in stmts if (why := self.statement(s, steady)) is not None), None)

    def statement(self, s: A.Stmt, steady: bool) -> str | None:
        match s:
            case A.VarDecl(init=init):
                return self._variable(s, init)
            case A.ExprStmt(value=value) if _update(value) is not None:
                return self._moves(value)
            case A.ExprStmt(value=A.Reduce(op=op, target=A.Name(id=word), value=value)) if (
                    op in _IDEMPOTENT and word in self.checked.globals and self._is_steady(value)):
                return None
            case A.If(test=test, body=body, orelse=orelse) if _update([*conjuncts(test)][-1]) is not None:
                *asked, update = conjuncts(test)
                known = all(self._is_steady(t) or self._ends(t) for t in asked)
                why = self._moves(update) if known else _CHANGES
                return why or self._once(body) or self._quiet(orelse)
            case A.If(test=test, body=body, orelse=orelse) if self._is_steady(test):
                return self.block(body, steady) or self.block(orelse, steady)
            case A.If(test=test, body=body, orelse=orelse) if self._ends(test):
                return self.block(body, False) or self._quiet(orelse)
            case A.If(test=test, body=body, orelse=orelse):
                return (None if self._reads(test) else _CHANGES) or self._quiet(body) or self._quiet(orelse)
            case A.ForAll(body=body) | A.For(body=body):
                if not self._is_steady(s.iterator):
                    return "it runs over what changes"
                self.moved.discard(s.var)
                self.steady.add(s.var)
                return self.block(body, steady)
            case A.Block(body=body):
                return self.block(body, steady)
            case A.Labeled(body=inner):
                return self.statement(inner, steady)
            case A.Continue() | A.Break():
                return None if steady else "an iteration ends early where others change the reason"
            case A.Assign(target=target, access="racy", value=value) if self._is_literal(value) and (
                    isinstance(target, A.Name) or (isinstance(target, A.Member) and self._is_steady(target.object))):
                return None
            case _:
                return "it does more than to update its queue"

    def _variable(self, s: A.VarDecl, init: A.Expr | None) -> str | None:
        self.steady.discard(s.name)  # of that name another may have been, in a block before
        self.moved.discard(s.name)
        if init is not None and _update(init) is not None:
            self.moved.add(s.name)
            return self._moves(init)
        if init is not None and self._is_steady(init) and s.name not in self.stored:
            self.steady.add(s.name)
            return None
        return None if init is None or self._reads(init) else "it does more than to update its queue"

    def _moves(self, e: A.Expr) -> str | None:
        call = _update(e)
        assert call is not None
        steady = all(map(self._is_steady, call.args))
        return None if steady else "by what it updates its queue may change meanwhile"

    def _once(self, stmts: Sequence[A.Stmt]) -> str | None:
        """What runs the first time alone: it must not change what runs behind it."""
        nodes = [n for s in stmts for n in walk(s)]
        ends = any(isinstance(n, A.Continue | A.Break) for n in nodes)
        kept = ends or stored_variables(self.checked, stmts)
        return "what it does behind an update depends on whether that moved its node" if kept else None

    def _quiet(self, stmts: Sequence[A.Stmt]) -> str | None:
        """What runs the second time perhaps, and the first time not."""
        for n in (n for s in stmts for n in walk(s)):
            if isinstance(n, A.Stmt) and not isinstance(n, A.VarDecl | A.If | A.Block | A.ExprStmt):
                return _CHANGES
            if isinstance(n, A.Reduce | A.MethodCall | A.Call | A.Index) and not self._reads(n):
                return _CHANGES
        return None

    def _reads(self, e: A.Expr) -> bool:
        return all(isinstance(n, A.Name | A.Member | A.Relaxed | A.Binary | A.Unary | A.Conditional | A.Cast)
                   or (isinstance(n, A.Call) and n.function in _PURE) or self._is_literal(n) for n in walk(e))

    def _is_literal(self, e: A.Node) -> bool:
        number = isinstance(e, A.Expr) and literal_value(e) is not None
        return number or isinstance(e, A.BoolLit | A.IntLit | A.FloatLit)

    def _is_steady(self, e: A.Expr) -> bool:
        match e:
            case A.Name(id="INF" | "NONE"):
                return True
            case A.Name(id=word):
                known = word in self.checked.globals and ("scalar", word) not in self.written
                return word in self.steady or known
            case A.Member(object=A.Name(id="WL")):
                return False
            case A.Member(object=of, name=word):
                if word == self.by.property and isinstance(self.checked.types.get(of), T.NodeT):
                    return isinstance(of, A.Name) and of.id == self.own
                return self._is_steady(of) and not {("node", word), ("edge", word)} & self.written
            case A.Binary(left=left, right=right):
                return self._is_steady(left) and self._is_steady(right)
            case A.Unary(operand=inner) | A.Cast(operand=inner):
                return self._is_steady(inner)
            case A.Conditional(test=test, then=then, orelse=other):
                return all(map(self._is_steady, (test, then, other)))
            case A.Call(function=name, args=args):
                return self._gives_the_same(name) and all(map(self._is_steady, args))
            case _:
                return self._is_literal(e)

    def _gives_the_same(self, function: str) -> bool:
        """Does a function give the same for the same arguments? A helper may read what the kernel doesn't change."""
        if function in _PURE or function in (*FLOAT_FUNCTIONS, *FLOAT_FUNCTIONS_OF_TWO):
            return True
        helper = self.checked.functions.get(function)
        if helper is None or any(isinstance(n, A.MethodCall | A.Index | A.CBlock) for n in walk(helper)):
            return False
        effects = kernel_effects(self.checked, helper)
        changed = {*self.written, ("node", self.by.property)}
        return not (effects.writes or effects.host or changed & {(p.kind, p.name) for p in effects.reads}) and all(
            self._gives_the_same(n.function) for n in walk(helper) if isinstance(n, A.Call))

    def _ends(self, test: A.Expr) -> bool:
        """May it be true and then false, but not the other way?"""
        match test:
            case A.Name(id=word) if word in self.moved:
                return True
            case A.Binary(op="&&" | "||", left=left, right=right):
                return all(self._ends(x) or self._is_steady(x) for x in (left, right))
            case A.Binary(op=op, left=left, right=right) if op in MIRRORED:
                value, place = (left, right) if self._falls(right) is not None else (right, left)
                op = op if place is right else MIRRORED[op]
                falls = self._falls(place)
                return falls is not None and self._is_steady(value) and op.startswith("<" if falls else ">")
            case A.Binary(op="==", left=place, right=A.Name(id="INF")):
                return self._falls(place) is True
            case _:
                return False

    def _falls(self, e: A.Expr) -> bool | None:
        """Does a value become smaller alone, or larger alone? It is the property of some node, by which the queue goes,
        or a variable of the Program; None: it is neither."""
        e = e.location if isinstance(e, A.Relaxed) else e
        if isinstance(e, A.Name):
            return self.ways.get(e.id)
        goes = (isinstance(e, A.Member) and e.name == self.by.property and self._is_steady(e.object)
                and not (isinstance(e.object, A.Name) and e.object.id == self.own))
        return self.falls if goes else None


def _ways(checked: Checked, k: A.Kernel) -> dict[str, bool]:
    """The variables of the Program that a kernel changes by min= alone, with True, or by max= alone, with False."""
    elsewhere = {p.name for f in checked.functions.values() for p in kernel_effects(checked, f).writes}
    changed = {p.name for p in kernel_effects(checked, k).writes if p.kind == "scalar"} - elsewhere
    ops: dict[str, set[str]] = {word: set() for word in changed & checked.globals.keys()}
    for n in walk(k):
        match n:
            case A.Reduce(op=op, target=A.Name(id=word)) if word in ops:
                ops[word].add(op)
            case A.Assign(target=A.Name(id=word)) | A.Call(function="cas", args=(A.Name(id=word), *_)) if word in ops:
                ops[word].add("=")
            case A.CBlock():
                return {}
            case _:
                pass
    return {word: found == {"min"} for word, found in ops.items() if found in ({"min"}, {"max"})}
