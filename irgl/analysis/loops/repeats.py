"""Does the body of a loop over edges change nothing when it runs for an edge a second time?

The second time is thought to come right behind the first, which is one of the orders that a ForAll may take. It changes
nothing where the body

    stands under a condition that it makes false itself:    if (e.dst.p == INF) { racy e.dst.p = level; ... }
    goes on only where an update did something:             if (e.dst.p min= x) { ... }
                                                            if (cas(e.dst.p, INF, x)) { ... }
    or does only what twice is as good as once:             e.dst.p min= x;   racy e.dst.p = x;   a set's push

with an x, and conditions, that the body changes nothing of. Whether `level` makes `p == INF` false nobody knows before
the program runs: the condition with the new value in it is then asked there.
"""

from __future__ import annotations

from irgl.analysis.loops.edge_bodies import EdgeBody, conjuncts
from irgl.analysis.names.vectors import location
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.visit import copied, equal, walk

#: Updates of which the second changes nothing.
_ONCE = ("min", "max", "|", "&")
_SETS = ("set", "bitmap", "bytemap")
_TURNED = {"<": ">", ">": "<"}


def why_not_twice(body: EdgeBody, *, at_once: bool = False) -> tuple[str | None, A.Expr | None]:
    """Why a second time may change something; and what the program must ask before it relies on it, if anything.

    at_once: the second time may also run beside the first, where both find a condition true that each makes false.
    """
    found = _Twice(body, at_once)
    reason = found.stmts(body.inner.body)
    if reason is None:
        several = [key for key, parts in found.parts.items() if len(parts) > 1]
        reason = f"its inner ForAll writes '{several[0][2]}' in two ways" if several else None
    test: A.Expr | None = None
    for t in found.tests:
        test = t if test is None else A.Binary("&&", test, t, span=t.span)
    return reason, test


class _Twice:
    """tests: what is left to ask. parts: for each place the statements that write it."""

    def __init__(self, body: EdgeBody, at_once: bool) -> None:
        self.body = body
        self.at_once = at_once
        self.checked = body.checked
        self.written = {a.key for a in body.writes}
        self.tests: list[A.Expr] = []
        self.parts: dict[tuple[str, str, str], dict[A.Stmt, None]] = {}

    def stmts(self, stmts: tuple[A.Stmt, ...]) -> str | None:
        return next((reason for s in stmts if (reason := self.stmt(s)) is not None), None)

    def stmt(self, s: A.Stmt) -> str | None:
        match s:
            case A.VarDecl():
                ok = s.init is None or self.stable(s.init)
                return None if ok else f"'{written(s.name, s.span)}' may be another the second time"
            case A.Block():
                return self.stmts(s.body)
            case A.If() if self._ends_itself(s):
                if self.at_once and not _takes(s.test):
                    return self.stmts(s.body)
                self._note(s)
                return None
            case A.If() if self.stable(s.test):
                reason = self.stmts(s.body)
                return reason if reason is not None else self.stmts(s.orelse)
            case A.If():
                return "nothing tells that its condition is false the second time"
            case A.Assign():
                self._note(s)
                ok = self.stable(s.value) and self._same_place(s.target)
                return None if ok else "it may store something else the second time"
            case A.ReduceAndReturn():
                return None if self.stable(s.value) else "ReduceAndReturn may get another value the second time"
            case A.ExprStmt(value=A.Reduce() as r):
                self._note(s)
                if self._is_local(r.target) and self.stable(r.value):
                    return None
                ok = r.op in _ONCE and self.stable(r.value) and self._same_place(r.target)
                return None if ok else f"{r.op}= may change something the second time"
            case A.ExprStmt(value=A.MethodCall() as call):
                t = self.checked.types[call.object]
                ok = isinstance(t, T.Worklist) and t.kind in _SETS and all(self.stable(a) for a in call.args)
                return None if ok and call.name == "push" else f"{call.name} adds an item each time"
            case _:
                return "its inner ForAll holds what may do something else the second time"

    def stable(self, e: A.Expr) -> bool:
        """Does it change nothing, and is it the same the second time?"""
        return self.body.is_quiet(e) and not any(a.key in self.written for a in self.body.accesses_of(e))

    def _same_place(self, target: A.Expr) -> bool:
        if isinstance(target, A.Index) and not self.stable(target.index):
            return False
        of = location(self.checked, target)
        return self._is_local(target) or not isinstance(of, A.Member) or self.stable(of.object)

    def _is_local(self, target: A.Expr) -> bool:
        if not isinstance(target, A.Name):
            return False
        symbol = self.checked.symbols[target]
        return symbol.kind == "local" and any(
            self.checked.symbols.get(n) is symbol for s in self.body.inner.body for n in walk(s)
            if isinstance(n, A.VarDecl)
        )

    def _note(self, s: A.Stmt) -> None:
        inside = set(walk(s))
        for a in self.body.writes:
            if a.expr in inside:
                self.parts.setdefault(a.key, {})[s] = None

    def _ends_itself(self, s: A.If) -> bool:
        """Is the condition false once the statement has run?"""
        if s.orelse or self._leaks(s):
            return False
        tests = list(conjuncts(s.test))
        *before, last = tests
        update = last.object if isinstance(last, A.Member) and last.name == "changed" else last
        if isinstance(update, A.Reduce):
            once = update.op in _ONCE and self.stable(update.value) and self._same_place(update.target)
            return once and all(self.body.is_quiet(c) for c in before) and self._writes(s, update.target) == 1
        if isinstance(last, A.Call) and last.function == "cas":
            return all(self.body.is_quiet(c) for c in before) and self._claimed(last)
        if not all(self.body.is_quiet(c) for c in tests):
            return False
        return any(self._made_false(c, x) for c in tests for x in s.body)

    def _claimed(self, claim: A.Call) -> bool:
        """`cas(e.dst.p, x, y)`, which fails the second time unless x is y."""
        target, wanted, new = claim.args
        if not isinstance(target, A.Member) or not self.body.is_target(target.object):
            return False
        if self._writes(A.Block(self.body.inner.body), target) != 1:
            return False
        if not all(self.body.is_uniform(e) and self.body.is_harmless(e) for e in (wanted, new)):
            return False
        if not isinstance(T.bare(self.checked.types[target]), T.Int):
            return False  # of a number that is not its own equal nothing is told by comparing it
        self.tests.append(A.Binary("!=", *(self._as(target, e) for e in (wanted, new)), span=claim.span))
        return True

    def _as(self, target: A.Expr, e: A.Expr) -> A.Expr:
        """A copy of what is stored into `target`, as it lies there."""
        kind = T.bare(self.checked.types[target])
        same = kind == T.bare(self.checked.types[e])
        return copied(e) if same else A.Cast(kind, copied(e), span=e.span)

    def _leaks(self, s: A.If) -> bool:
        """Does it leave something in a variable around it, or leave the iteration?"""
        inside = {self.checked.symbols[n] for n in walk(s) if isinstance(n, A.VarDecl)}
        for n in walk(s):
            if isinstance(n, A.Continue | A.Break):
                return True
            if isinstance(n, A.Assign | A.Reduce) and isinstance(n.target, A.Name):
                symbol = self.checked.symbols[n.target]
                if symbol.kind == "local" and symbol.depth > 0 and symbol not in inside:
                    return True
        return False

    def _writes(self, s: A.Stmt, target: A.Expr) -> int:
        """How many accesses in `s` write the property that `target` is."""
        key = next((a.key for a in self.body.writes if a.expr is target), None)
        inside = set(walk(s))
        return sum(a.key == key and a.expr in inside for a in self.body.writes)

    def _made_false(self, c: A.Expr, s: A.Stmt) -> bool:
        """Does `s`, which runs wherever `c` holds, make `c` false?"""
        update = s.value if isinstance(s, A.ExprStmt | A.ReduceAndReturn) else None
        if isinstance(update, A.Reduce):
            return self._overtaken(c, update)
        if not isinstance(s, A.Assign) or not isinstance(s.target, A.Member) or not self._target_alone(c, s.target):
            return False
        if self._writes(A.Block(self.body.inner.body), s.target) != 1:
            return False
        if self._takes_none_away(c, s):
            return True
        if not (self.body.is_uniform(s.value) and self.body.is_harmless(s.value) and self.body.is_harmless(c)):
            return False
        if not T.is_number(self.checked.types[s.target]):
            return False
        self.tests.append(self._afterwards(c, s.target, s.value))
        return True

    def _overtaken(self, c: A.Expr, update: A.Reduce) -> bool:
        """`x < e.dst.p` before `e.dst.p min= x`, or the other way round with max."""
        if not isinstance(c, A.Binary) or c.op not in _TURNED:
            return False
        for op, near, far in ((c.op, c.left, c.right), (_TURNED[c.op], c.right, c.left)):
            if op != {"min": "<", "max": ">"}.get(update.op) or not equal(near, update.value):
                continue
            far = far.location if isinstance(far, A.Relaxed) else far
            types = self.checked.types
            same = T.bare(types[near]) == T.bare(types[update.target])
            if equal(far, update.target) and same and self.stable(near) and self._same_place(update.target):
                return self._writes(A.Block(self.body.inner.body), update.target) == 1
        return False

    def _target_alone(self, c: A.Expr, target: A.Member) -> bool:
        """Does `c` ask for nothing of the edge's target but this property, and for nothing of other nodes?"""
        if not self.body.is_target(target.object) or not self.body.is_of_target(c):
            return False
        found = [n for n in walk(c) if isinstance(n, A.Member) and self.body.is_target(n.object)]
        return bool(found) and all(n.name == target.name for n in found) and not self._names_itself(c)

    def _names_itself(self, c: A.Expr) -> bool:
        """Does `c` use the target otherwise than to ask for its properties?"""
        objects = {n.object for n in walk(c) if isinstance(n, A.Member)}
        return any(self.body.is_target(n) and n not in objects for n in walk(c))

    def _takes_none_away(self, c: A.Expr, s: A.Assign) -> bool:
        """`e.dst.p == NONE` before a node is stored there."""
        if not (isinstance(c, A.Binary) and c.op == "==" and self.body.is_base(s.value)):
            return False
        none = any(isinstance(x, A.Name) and x.id == "NONE" for x in (c.left, c.right))
        return none and self.body.loop not in self.checked.none

    def _afterwards(self, c: A.Expr, target: A.Member, value: A.Expr) -> A.Expr:
        """That `c` is false with the new value in the place of the property."""
        def instead(n: A.Node) -> A.Node | None:
            place = n.location if isinstance(n, A.Relaxed) else n
            if isinstance(place, A.Member) and self.body.is_target(place.object):
                return self._as(target, value)
            return None

        return A.Unary("!", copied(c, instead), span=c.span)


def _takes(test: A.Expr) -> bool:
    """Does a condition itself change what makes it false the second time?"""
    *_, last = conjuncts(test)
    update = last.object if isinstance(last, A.Member) and last.name == "changed" else last
    return isinstance(update, A.Reduce) or (isinstance(update, A.Call) and update.function == "cas")
