"""Whether the nodes of a priority queue leave the same, in whatever order they run.

So it is where an operator does nothing but update_min or update_max of its queue, and a run with the best value that a
node ever has moves each other node at least as far as runs with worse values do: what an update takes never gets worse
when the node's own value gets better, and its conditions stay true then. The last run of each node is the one that
counts, and the end is the one fixpoint.

    int there = here + e.length;                             grows with `here`, the node's own value
    if (there >= here && there < e.dst.dist) { ... }         it hasn't wrapped around; it moves its node
"""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.effects.effects import kernel_effects, stored_variables
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.loops.edge_bodies import MIRRORED, conjuncts
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal

#: More sums one after the other might wrap around to where they began.
_SUMS = 2


def any_order(checked: Checked, k: A.Kernel, by: T.Priority, falls: bool) -> bool:
    """Does the kernel on a queue by `by` leave the same in any order? falls: updates make the property smaller.

    O(size of the kernel).
    """
    loop = only_loop(k)
    return loop is not None and _AnyOrder(checked, k, by, falls, loop.var).block(loop.body, ())


class _AnyOrder:
    """sums: of variables that grow with the node's own value, how often something steady was added to that; those that
    don't hang on it are steady. own: variables that hold it."""

    def __init__(self, checked: Checked, k: A.Kernel, by: T.Priority, falls: bool, node: str) -> None:
        self.checked, self.by, self.falls, self.node = checked, by, falls, node
        self.written = {(p.kind, p.name) for p in kernel_effects(checked, k).writes}
        self.stored = {v.name for v in stored_variables(checked, [k])}
        self.steady = {p.name for p in k.params} - self.stored
        self.sums: dict[str, int] = {}
        self.own: set[str] = set()

    def block(self, stmts: Sequence[A.Stmt], holds: tuple[A.Expr, ...]) -> bool:
        """holds: conditions under which these run."""
        return all(self._statement(s, holds) for s in stmts)

    def _statement(self, s: A.Stmt, holds: tuple[A.Expr, ...]) -> bool:
        match s:
            case A.VarDecl(name=name, init=init) if init is not None and name not in self.stored:
                found, own = self._grows(init), self._is_own(init)
                self._begins(name)
                if own:
                    self.own.add(name)
                if found is not None and found >= 0:
                    self.sums[name] = found
                elif found is not None:
                    self.steady.add(name)
                return found is not None
            case A.ExprStmt(value=A.MethodCall() as call):
                return self._moves(call, holds)
            case A.If(test=test, body=(), orelse=()) if (split := _last(test)) is not None:
                return self._moves(split[-1], (*holds, *split[:-1]))
            case A.If(test=test, body=body, orelse=orelse):
                steady = self._grows(test) == -1
                return self.block(body, holds if steady else (*holds, *conjuncts(test))) and (
                    not orelse or (steady and self.block(orelse, holds)))
            case A.ForAll(var=var, iterator=over, body=body) | A.For(var=var, iterator=over, body=body):
                self._begins(var)
                self.steady.add(var)
                return self._grows(over) == -1 and self.block(body, holds)
            case A.Block(body=body):
                return self.block(body, holds)
            case A.Labeled(body=inner):
                return self._statement(inner, holds)
            case _:
                return False

    def _begins(self, word: str) -> None:
        """A variable, of whose name another may have been, in a block before."""
        self.steady.discard(word)
        self.sums.pop(word, None)
        self.own.discard(word)

    def _moves(self, call: A.Expr, holds: tuple[A.Expr, ...]) -> bool:
        update = of_wl(call, "update_min" if self.falls else "update_max")
        if update is None:
            return False
        node, value = update.args
        sums = self._grows(value)
        if self._grows(node) != -1 or sums is None or sums > _SUMS:
            return False
        if sums >= 0 and self.checked.types[value] != self.by.of:
            return False  # as the property has it, it may be another number
        whole = sums <= 0 or any(self._hasnt_wrapped(test, value) for test in holds)
        return whole and all(self._stays(test, node, value) for test in holds)

    def _stays(self, test: A.Expr, node: A.Expr, value: A.Expr) -> bool:
        """Is a condition still true when the node's own value gets better?"""
        if self._grows(test) == -1 or self._hasnt_wrapped(test, value):
            return True
        match test:
            case A.Binary(op=op, left=left, right=right) if op in MIRRORED:
                ours, place, op = (left, right, op) if equal(left, value) else (right, left, MIRRORED[op])
                place = place.location if isinstance(place, A.Relaxed) else place
                better = op.startswith("<" if self.falls else ">")
                return (better and equal(ours, value) and isinstance(place, A.Member)
                        and place.name == self.by.property and equal(place.object, node))
            case _:
                return False

    def _hasnt_wrapped(self, test: A.Expr, value: A.Expr) -> bool:
        """Does it say that a value is no better than the node's own?"""
        match test:
            case A.Binary(op=op, left=left, right=right) if op in MIRRORED:
                op = op if equal(left, value) else MIRRORED[op]
                ours, own = (left, right) if equal(left, value) else (right, left)
                return equal(ours, value) and self._is_own(own) and op.startswith(">" if self.falls else "<")
            case _:
                return False

    def _is_own(self, e: A.Expr) -> bool:
        match e:
            case A.Name(id=word):
                return word in self.own
            case A.Member(object=A.Name(id=word), name=name):
                return word == self.node and name == self.by.property
            case _:
                return False

    def _grows(self, e: A.Expr) -> int | None:
        """How many sums are made of the node's own value; -1: it is steady; None: nobody knows how it hangs on that."""
        if self._is_own(e):
            return 0
        match e:
            case A.Name(id="INF" | "NONE"):
                return -1
            case A.Name(id=word):
                known = word in self.steady or word == self.node or (
                    word in self.checked.globals and ("scalar", word) not in self.written)
                return -1 if known else self.sums.get(word)
            case A.Member(object=A.Name(id="WL")):
                return None
            case A.Member(object=of, name=name):
                if {("node", name), ("edge", name)} & self.written or self._is_property(e):
                    return None
                return self._grows(of) if self._grows(of) == -1 else None
            case A.Binary(op=op, left=left, right=right):
                return self._binary(op, self._grows(left), self._grows(right), right)
            case A.Call(function="min" | "max" as word, args=args):
                found = [self._grows(a) for a in args]
                most = None if None in found else max(x for x in found if x is not None)
                hides = word == ("max" if self.falls else "min")  # a sum that has wrapped around
                return None if hides and most is not None and most > 0 else most
            case A.Call(function="abs" | "hash", args=args):
                return -1 if all(self._grows(a) == -1 for a in args) else None
            case A.Cast(operand=inner) | A.Unary(operand=inner):
                return -1 if self._grows(inner) == -1 else None
            case _:
                return -1 if literal_value(e) is not None or isinstance(e, A.BoolLit | A.FloatLit) else None

    def _is_property(self, e: A.Member) -> bool:
        return e.name == self.by.property and isinstance(self.checked.types.get(e.object), T.NodeT)

    def _binary(self, op: str, left: int | None, right: int | None, by: A.Expr) -> int | None:
        if left is None or right is None:
            return None
        if left == right == -1:
            return -1
        if (op == "+" and -1 in (left, right)) or (op == "-" and right == -1):
            return max(left, right) + 1
        return left if op == "/" and (literal_value(by) or 0) > 0 else None


def _last(test: A.Expr) -> tuple[A.Expr, ...] | None:
    """The parts of a condition whose last one is a call; None: that is none."""
    parts = tuple(conjuncts(test))
    return parts if isinstance(parts[-1], A.MethodCall) else None
