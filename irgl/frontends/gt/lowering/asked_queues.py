"""Which queues are asked, or changed, elsewhere than by the one loop that runs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.chains import APPLIES


class AskedQueues:
    """Asks how the functions of a file use its queues. funcs: all of them."""

    def __init__(self, funcs: Mapping[str, G.Func]) -> None:
        self.funcs = funcs
        waiting = [f for f in funcs.values() if f.name == "main" or f.is_export]
        self.hosts: dict[str, G.Func] = {}  # those that main, or an exported function, calls
        while waiting:
            func = waiting.pop()
            if func.name not in self.hosts:
                self.hosts[func.name] = func
                waiting += [funcs[n.function] for n in G.walk(func) if isinstance(n, G.Call) and n.function in funcs]

    def asks(self, queue: str, word: str) -> bool:
        """Does the Program call this method of a queue?"""
        return any(_is_asked(n, queue, word) for f in self.hosts.values() for n in G.walk(f))

    def moves(self, queue: str, word: str) -> bool:
        """Does any function?"""
        return any(_is_asked(n, queue, word) for f in self.funcs.values() for n in G.walk(f))

    def named(self, func: G.Func) -> set[str]:
        """What a function calls methods of, and those that it calls do."""
        found = {n.object.id for n in G.walk(func) if isinstance(n, G.Method) and isinstance(n.object, G.Name)}
        inner = {n.function for n in G.walk(func) if isinstance(n, G.Call)} & self.funcs.keys()
        return found.union(*(self.named(self.funcs[word]) for word in inner))

    def apart(self, queue: str) -> bool:
        """Is a queue asked outside of a loop that takes its buckets, or in it otherwise than such a loop does?"""
        return any(self._apart(queue, f.body) for f in self.hosts.values())

    def _apart(self, queue: str, body: Sequence[G.Stmt]) -> bool:
        for labelled in body:
            s = unlabelled(labelled)
            match s:
                case G.While() if (at := taken(s, queue)) is not None and _applied(s, at) is not None:
                    if self._loop_apart(queue, s, at):
                        return True
                case G.If():
                    if self._used(queue, s.test) or self._apart(queue, s.body) or self._apart(queue, s.orelse):
                        return True
                case G.While() | G.DoWhile():
                    if self._used(queue, s.test) or self._apart(queue, s.body):
                        return True
                case G.For():
                    if self._used(queue, s.low) or self._used(queue, s.high) or self._apart(queue, s.body):
                        return True
                case _ if self._used(queue, s):
                    return True
        return False

    def _loop_apart(self, queue: str, s: G.While, at: G.Var) -> bool:
        if ends(s.test, queue) is None and self._used(queue, s.test):
            return True
        last = _applied(s, at)
        rest = [inner for inner in s.body if inner is not at and inner is not last and not is_end(inner, at, s, queue)]
        return any(self._used(queue, inner, "finishedNode") for inner in rest)

    def _used(self, queue: str, node: G.Node, but: str = "") -> bool:
        for n in G.walk(node):
            if isinstance(n, G.Method) and n.name != but and isinstance(n.object, G.Name) and n.object.id == queue:
                return True
            if isinstance(n, G.Method) and n.name in APPLIES and any(queue in self.named(f) for f in self._given(n)):
                return True
        return False

    def _given(self, e: G.Method) -> Iterator[G.Func]:
        """The functions that an apply names."""
        for arg in e.args:
            word = arg.id if isinstance(arg, G.Name) else arg.function if isinstance(arg, G.Bound) else ""
            if isinstance(arg, G.Index) and isinstance(arg.object, G.Name):
                word = arg.object.id
            if word in self.funcs:
                yield self.funcs[word]

    def given(self, e: G.Method) -> set[str]:
        """What the functions that an apply names call methods of."""
        return set[str]().union(*map(self.named, self._given(e)))


def unlabelled(s: G.Stmt) -> G.Stmt:
    while isinstance(s, G.Labeled):
        s = s.body
    return s


def taken(s: G.While, queue: str) -> G.Var | None:
    """The statement of a loop that takes the queue's next bucket."""
    return next((inner for inner in s.body if isinstance(inner, G.Var) and inner.init is not None
                 and _is_asked(inner.init, queue, "dequeue_ready_set")), None)


def _applied(s: G.While, at: G.Var) -> G.Stmt | None:
    """The statement that applies a function to the bucket's edges."""
    for inner in s.body:
        plain = unlabelled(inner)
        if isinstance(plain, G.ExprStmt) and isinstance(plain.value, G.Method) and (
                plain.value.name == "applyUpdatePriority") and any(
                    isinstance(n, G.Name) and n.id == at.name for n in G.walk(plain)):
            return inner
    return None


def ends(test: G.Expr, queue: str) -> str | None:
    """The method that a loop's condition is the opposite of, finished or finishedNode; None for another condition."""
    match test:
        case G.Binary(op="==", left=inner, right=G.Truth(value=False)) | G.Unary(op="not", operand=inner) | G.Binary(
                op="!=", left=inner, right=G.Truth(value=True)):
            return next((w for w in ("finished", "finishedNode") if _is_asked(inner, queue, w)), None)
        case _:
            return None


def is_end(s: G.Stmt, at: G.Var, loop: G.While, queue: str) -> bool:
    """Is it `if pq.finished() break; end`, behind the statement that takes a bucket?"""
    match s:
        case G.If(test=test, body=(G.Break(),), orelse=()):
            behind = loop.body.index(at) + 1 == loop.body.index(s)
            return behind and (_is_asked(test, queue, "finished") or (
                isinstance(test, G.Binary) and test.op == "==" and isinstance(test.right, G.Truth) and test.right.value
                and _is_asked(test.left, queue, "finished")))
        case _:
            return False


def _is_asked(e: G.Node, queue: str, word: str) -> bool:
    return isinstance(e, G.Method) and e.name == word and isinstance(e.object, G.Name) and e.object.id == queue
