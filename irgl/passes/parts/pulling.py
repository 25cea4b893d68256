"""The text of a loop that pulls along in-edges, made of one along out-edges (turn_direction.py)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from irgl.analysis.loops.direction import Turn, holds
from irgl.analysis.loops.edge_bodies import EdgeBody, conjuncts
from irgl.analysis.names.members import DENSE, adder
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied, walk
from irgl.passes.parts.either_loops import list_of
from irgl.passes.parts.exploring import Exploring
from irgl.passes.parts.shares import Shares, where_enough, with_edges
from irgl.source import Span
from irgl.switches import BEAMER, EDGES, Switch

Stmts = tuple[A.Stmt, ...]


@dataclass(frozen=True, slots=True)
class How:
    """switch: from which share of the graph's edges or nodes on a loop pulls, None: always. on_gpu: edges are counted
    only where there may be as many, and what is found is appended behind a node's edges, by all threads together.
    member: the kind of the set of nodes that pulling loops ask; asked: instead of that, where all nodes of the loop are
    in what can be asked itself."""

    switch: Switch | None
    on_gpu: bool
    member: str
    asked: A.Name | None = None


class Pulling:
    """Writes the loops of one kernel. Their labels are `labels`; new names are found beside all that it holds."""

    def __init__(self, checked: Checked, kernel: A.Kernel, labels: Iterable[str], exploring: Exploring) -> None:
        self.checked = checked
        self.kernel, self.exploring = kernel, exploring
        self.facts = checked.facts[kernel.name]
        fresh = Fresh(checked.program, kernel)
        fresh.taken.update(labels)
        self._fresh = fresh.bare
        self.shares = Shares(fresh.bare)

    def turned(self, turn: Turn, how: How, label: str) -> Stmts:
        """What stands in the place of the loop: the pulling one, or both with the condition that chooses."""
        self.at: Span | None = turn.loop.span
        tests = [] if turn.once is None else [turn.once]
        count: Stmts = ()
        many = ""  # a variable for how many nodes come to their edges, if that is of use
        whole = isinstance(turn.loop.iterator, A.Member) and turn.loop.iterator.name == "nodes"
        empty = self.facts.returns and not whole  # a round without items must stay one
        if how.switch is not None and how.switch.of == BEAMER and not turn.everybody:
            count, pulls = self._explored(turn, how.switch, label)
            tests.insert(0, pulls)
        elif (how.switch is not None and not turn.everybody) or empty:
            work, of = self._fresh("work"), how.switch.of if how.switch is not None else EDGES
            if how.asked is not None and not how.on_gpu and self._may_swap(turn, how.asked):
                many = self._fresh("many") if of == EDGES else work
            least = self._int(0) if how.switch is None else self.shares.least(turn.graph, how.switch, self.at)
            estimated = how.on_gpu and how.switch is not None and not whole
            if estimated:
                count = (A.VarDecl(T.LONG, enough := self._fresh("enough"), least, span=self.at),)
                least = self._name(enough)
            count += self._count(turn, work, self._fresh(f"{label}_work"), of, least if estimated else None,
                                 many if many != work else "")
            tests.insert(0, self._binary(">", self._name(work), copied(least)))
        front = self._fresh(f"{label}_front")
        if not tests:
            pull = self._pull(turn, how, label, front, "")
            return pull if len(pull) == 1 else (A.Block(pull, span=self.at),)
        test = tests[0] if len(tests) == 1 else self._binary("&&", *tests)
        pull = self._pull(turn, how, self._fresh(f"{label}_pull"), front, many)
        return (*count, A.If(test, pull, (self._labeled(label, turn.loop),), span=self.at))

    # The nodes of the loop as it was

    def _explored(self, turn: Turn, switch: Switch, label: str) -> tuple[Stmts, A.Expr]:
        """By Beamer's rule: what counts, and the condition under which the round pulls."""
        state = self.exploring.state(self.kernel, label, turn.graph)
        work, many, pulls = (self._fresh(word) for word in ("work", "many", "pulls"))
        counting = self._count(turn, work, self._fresh(f"{label}_work"), EDGES, None, many)
        alpha, beta = (self._int(number) for number in switch.numbers)
        falls = self._binary(">", self._name(many), self._binary("/", self._member(turn.graph, "num_nodes"), beta))
        grows = self._binary(">", self._name(work), self._binary("/", self._name(state.left), alpha))
        pulled = self._binary("!=", self._name(state.pulled), self._int(0))
        test = A.Conditional(pulled, falls, grows, span=self.at)
        less = A.Call("max", (self._binary("-", self._name(state.left), self._name(work)), self._int(0)), span=self.at)
        return (*counting, A.VarDecl(T.BOOL, pulls, test, span=self.at),
                A.Assign(self._name(state.left), less, "plain", span=self.at),
                A.Assign(self._name(state.pulled), A.Cast(T.LONG, self._name(pulls), span=self.at), "plain",
                         span=self.at)), self._name(pulls)

    def _count(self, turn: Turn, work: str, label: str, of: str, estimated: A.Expr | None,
               many: str = "") -> Stmts:
        """How many nodes the loop runs over, with their edges where these are meant, as far as that is known without
        changing anything; `estimated`: only where it may be more; `many`: a variable for how many nodes, too."""
        loop = turn.loop
        one = self._int(1)
        total = with_edges(loop.var, turn.inner.iterator.span) if of == EDGES else one
        end = tuple(A.ExprStmt(A.Reduce("+", self._name(word), value, span=self.at), span=self.at)
                    for word, value in ((work, total), (many, copied(one))) if word)
        first = tuple(A.VarDecl(T.LONG, word, self._int(0), span=self.at) for word in (work, many) if word)
        body = self._before(turn, loop.body, end, quiet=True)
        if of != EDGES and len(body) == 1 and body[0] is end[0] and self._is_list(loop):
            return (A.VarDecl(T.LONG, work, A.Member(copied(loop.iterator), "size", span=self.at), span=self.at),)
        counting: A.Stmt = self._labeled(label, A.ForAll(loop.var, copied(loop.iterator), body, span=self.at))
        if estimated is None:
            return (*first, counting)
        many_items = A.Member(copied(loop.iterator), "size", span=self.at)
        return (*first, where_enough(counting, many_items, turn.graph, of, estimated))

    def _is_list(self, loop: A.ForAll) -> bool:
        """Does it run over the items of a list, which knows how many there are?"""
        t = list_of(self.checked, self.kernel, loop)
        return t is not None and t.kind == "list"

    def _before(self, turn: Turn, stmts: Stmts, end: Stmts, quiet: bool = False) -> Stmts:
        """An iteration with `end` in the place of its edges; `quiet`: already before the first effect or loop, and
        without what only these ask for."""
        done: list[A.Stmt] = []
        for s in stmts:
            if s is turn.inner:
                return (*(_without_values(done) if quiet else done), *end)
            if not holds(s, turn.inner):
                if quiet and not self._is_quiet(turn, s):
                    return (*_without_values(done), *end)
                done.append(copied(s))
                continue
            match s:
                case A.If() if quiet and not EdgeBody(self.checked, turn.loop, turn.inner).is_quiet(s.test):
                    return (*_without_values(done), *end)
                case A.If() if any(holds(x, turn.inner) for x in s.body):
                    other = () if quiet else tuple(copied(x) for x in s.orelse)
                    inside = self._before(turn, s.body, end, quiet)
                    return (*done, A.If(copied(s.test), inside, other, span=s.span))
                case A.If():
                    inside = self._before(turn, s.orelse, end, quiet)
                    other = () if quiet else tuple(copied(x) for x in s.body)
                    if other:
                        return (*done, A.If(copied(s.test), other, inside, span=s.span))
                    return (*done, A.If(A.Unary("!", copied(s.test), span=s.span), inside, (), span=s.span))
                case A.Block():
                    return (*done, A.Block(self._before(turn, s.body, end, quiet), span=s.span))
                case A.Labeled():
                    return (*done, *self._before(turn, (s.body,), end, quiet))
                case _:
                    raise AssertionError(s)
        raise AssertionError("the inner loop is gone")

    def _is_quiet(self, turn: Turn, s: A.Stmt) -> bool:
        """Does it only compute something for its own iteration, without a loop?"""
        body = EdgeBody(self.checked, turn.loop, turn.inner)
        match s:
            case A.VarDecl():
                return s.init is None or body.is_quiet(s.init)
            case A.Assign(target=A.Name() as target):
                return self.checked.symbols[target].kind == "local" and body.is_quiet(s.value)
            case A.If():
                return body.is_quiet(s.test) and all(self._is_quiet(turn, x) for x in (*s.body, *s.orelse))
            case A.Continue():
                return True
            case _:
                return False

    def _may_swap(self, turn: Turn, asked: A.Name) -> bool:
        """May a set that is made take the place of the loop's own, where all nodes of that come to their edges?"""
        def plain(stmts: Stmts) -> bool:
            for s in stmts:
                if s is turn.inner:
                    return True
                if holds(s, turn.inner):
                    body = EdgeBody(self.checked, turn.loop, turn.inner)
                    return isinstance(s, A.If) and body.is_quiet(s.test) and plain(
                        s.body if any(holds(x, turn.inner) for x in s.body) else s.orelse)
                if not isinstance(s, A.VarDecl) or not self._is_quiet(turn, s):
                    return False
            return False

        t = list_of(self.checked, self.kernel, turn.loop)
        named = any(isinstance(n, A.Name) and n.id == asked.id for n in walk(turn.inner))  # it would find it empty
        return (t is not None and t.kind in DENSE and asked.id != "WL" and not turn.kept and not named
                and plain(turn.loop.body))

    # The nodes that pull

    def _pull(self, turn: Turn, how: How, label: str, front_label: str, many: str) -> Stmts:
        loop = turn.loop
        if how.asked is not None and not turn.kept and turn.loop.body == (turn.inner,):
            return (self._labeled(label, self._by_target(turn, how, how.asked, {})),)
        front = "" if turn.everybody else self._fresh("front")
        kept = {symbol: self._fresh(f"{symbol.name}_of") for symbol in turn.kept}
        made: list[A.Stmt] = []
        end: list[A.Stmt] = []
        me = self._name(loop.var)
        if front:
            kind = T.Worklist(how.member if not many else self._kind_of(turn), T.NodeT(turn.graph))
            made.append(A.VarDecl(kind, front, None, span=self.at))
            end.append(A.ExprStmt(A.MethodCall(self._name(front), adder(kind), (me,), span=turn.inner.iterator.span),
                                  span=self.at))
        distinct = self.checked.types[loop.iterator]
        access = "plain" if isinstance(distinct, T.Range) and distinct.distinct else "racy"
        for symbol, array in kept.items():
            size = (self._member(turn.graph, "num_nodes"),)
            made.append(A.VarDecl(T.Named("array", (_type(symbol),)), array, None, span=self.at))
            made.append(A.ExprStmt(A.MethodCall(self._name(array), "resize", size, span=self.at), span=self.at))
            place = A.Index(self._name(array), A.Member(self._name(loop.var), "id", span=self.at), span=self.at)
            end.append(A.Assign(place, self._name(symbol.name), access, span=self.at))
        before = self._before(turn, loop.body, tuple(end))
        asked = self._name(front) if front else None
        pull = self._labeled(label, self._by_target(turn, how, asked, kept))
        if not before:
            return (*made, pull)
        filling = self._labeled(front_label, A.ForAll(loop.var, copied(loop.iterator), before, span=self.at))
        if not many or asked is None or how.asked is None:
            return (*made, filling, pull)
        every, there = self._fresh("every"), A.Member(copied(how.asked), "size", span=self.at)
        swap = A.ExprStmt(A.MethodCall(asked, "swap", (copied(how.asked),), span=self.at), span=self.at)
        return (*made, A.VarDecl(T.BOOL, every, self._binary("==", self._name(many), there), span=self.at),
                A.If(self._name(every), (swap,), (filling,), span=self.at), pull,
                A.If(self._name(every), (copied(swap),), (), span=self.at))

    def _kind_of(self, turn: Turn) -> str:
        t = list_of(self.checked, self.kernel, turn.loop)
        assert t is not None
        return t.kind

    def _by_target(self, turn: Turn, how: How, front: A.Name | None, kept: dict[Symbol, str]) -> A.ForAll:
        inner = turn.inner
        body = EdgeBody(self.checked, turn.loop, inner)
        target = self._fresh(f"{inner.var}_dst")

        def instead(n: A.Node) -> A.Node | None:
            if isinstance(n, A.Member) and body.is_target(n):
                return A.Name(target, span=n.span)
            if isinstance(n, A.Name) and body.is_base(n):
                return A.Member(A.Name(inner.var, span=n.span), "src", span=n.span)
            return None

        def guard() -> A.Expr:
            tests = [copied(c, lambda n: A.Name(target, span=n.span) if body.is_target(n) else None)
                     for c in turn.guard]
            return self._all(tests)

        stmts: Stmts = tuple(
            A.VarDecl(_type(s), s.name, A.Index(self._name(array), A.Member(A.Member(
                self._name(inner.var), "src", span=self.at), "id", span=self.at), span=self.at), span=self.at)
            for s, array in kept.items()
        )
        behind: Stmts = ()
        found = ""
        if turn.guard:
            *before, last = inner.body
            assert isinstance(last, A.If)
            does = tuple(copied(s, instead) for s in last.body)
            if how.on_gpu and turn.settled:
                does, behind = self._appending_behind(does, target, found := self._fresh("found"))
            if turn.leaves:
                done = A.Unary("!", guard(), span=last.test.span)
                does = (*does, A.If(done, (A.Break(span=last.span),), (), span=last.test.span))
            rest = [copied(c, instead) for c in list(conjuncts(last.test))[len(turn.guard):]]
            stmts = (*stmts, *(copied(s, instead) for s in before))
            stmts = (*stmts, A.If(self._all(rest), does, (), span=last.span)) if rest else (*stmts, *does)
        else:
            stmts = (*stmts, *(copied(s, instead) for s in inner.body))
        if front is not None:
            source = A.Member(self._name(inner.var), "src", span=self.at)
            stmts = (A.If(A.MethodCall(copied(front), "contains", (source,), span=self.at), stmts, (), span=self.at),)
        kind = A.For if turn.leaves else A.ForAll
        edges = A.Member(self._name(target), "in_edges", span=inner.iterator.span)
        whole: Stmts = (kind(inner.var, edges, stmts, span=inner.span),)
        if behind:
            first = A.VarDecl(T.BOOL, found, A.BoolLit(False, span=self.at), span=self.at)
            whole = (first, *whole, A.If(self._name(found), behind, (), span=self.at))
        if turn.guard:
            whole = (A.If(guard(), whole, (), span=inner.span),)
        return A.ForAll(target, self._member(turn.graph, "nodes"), whole, span=self.at)

    def _appending_behind(self, does: Stmts, target: str, found: str) -> tuple[Stmts, Stmts]:
        """What an edge does once at most, without its appends of the target, and these; a flag tells of them."""
        behind = tuple(s for s in does if _appends(s, target))
        if not behind:
            return does, ()
        tell = A.Assign(self._name(found), A.BoolLit(True, span=self.at), "plain", span=self.at)
        return (*(s for s in does if s not in behind), tell), behind

    # Small parts, which stand where the loop does

    def _name(self, word: str) -> A.Name:
        return A.Name(word, span=self.at)

    def _int(self, value: int) -> A.IntLit:
        return A.IntLit(value, T.INT, span=self.at)

    def _member(self, of: str, name: str) -> A.Member:
        return A.Member(self._name(of), name, span=self.at)

    def _binary(self, op: str, left: A.Expr, right: A.Expr) -> A.Binary:
        return A.Binary(op, left, right, span=self.at)

    def _all(self, tests: list[A.Expr]) -> A.Expr:
        test = tests[0]
        for t in tests[1:]:
            test = A.Binary("&&", test, t, span=t.span)
        return test

    def _labeled(self, label: str, loop: A.ForAll) -> A.Labeled:
        return A.Labeled(label, loop, span=self.at)


def _without_values(stmts: list[A.Stmt]) -> Stmts:
    """Quiet statements, where nobody asks for the values that they compute."""
    return () if all(isinstance(s, A.VarDecl) for s in stmts) else tuple(stmts)


def _appends(s: A.Stmt, target: str) -> bool:
    """Does a statement push that node?"""
    match s:
        case A.ExprStmt(value=A.MethodCall(name="push", args=(A.Name(id=word),))):
            return word == target
        case _:
            return False


def _type(symbol: Symbol) -> T.Type:
    """The type in which a variable is kept."""
    match symbol.type:
        case T.Id():
            return T.LONG
        case T.EdgeT() as t:
            return T.EdgeT(False, t.graph)
        case t:
            return t
