"""Statements of a .fal file as irgl's: those of main, and those of each foreach, which becomes a kernel."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.falcon import tree as F
from irgl.frontends.falcon.stores import settled
from irgl.frontends.falcon.unit import ITERATORS, UPDATES, Thing, Unit, called, changed_by, named, walk
from irgl.frontends.falcon.updates import Updates
from irgl.frontends.falcon.values import UNITES, as_kind, unites
from irgl.frontends.free_names import LocalNames
from irgl.source import IrglError, Span

_OVER = "foreach runs over graph.points, graph.edges, point.nbrs, .innbrs, .outnbrs, a Set or a Collection"


class Body(Updates):
    """Lowers statements into `out`. loops: the words of the loops around, within this function; depth: of how many
    foreach; locked: is this under `single`? top: is this main itself, outside of its blocks?"""

    def __init__(self, unit: Unit, names: LocalNames, scopes: list[dict[str, Thing]], host: bool) -> None:
        super().__init__(unit, names, scopes, host)
        self.loops: list[str] = []
        self.depth = 0
        self.locked = False
        self.top = False

    def body(self, stmts: tuple[F.Stmt, ...]) -> tuple[A.Stmt, ...]:
        """The statements of a block, with names of their own."""
        around, self.out, top = self.out, [], self.top
        self.top = False
        self.scopes.append({})
        for s in stmts:
            self.stmt(s)
        self.scopes.pop()
        found, self.out, self.top = tuple(self.out), around, top
        return found

    def stmt(self, s: F.Stmt) -> None:
        span = s.span
        match s:
            case F.Local(var):
                self._local(var)
            case F.Store(place, op, value):
                self.store(place, op, value, span)
            case F.Do(value):
                self._do(value)
            case F.Block(body):
                self.out.append(A.Block(self.body(body), span=span))
            case F.If(test, body, orelse):
                self.out.append(A.If(self.number(test), self.body(body), self.body(orelse), span=span))
            case F.While(test, body):
                self.out.append(A.While(self.number(test), self._loop(body), span=span))
            case F.DoWhile(body, test):
                inner = self._loop(body)
                self.out.append(A.DoWhile(inner, self.number(test), span=span))
            case F.CFor():
                self._for(s)
            case F.Foreach():
                self.out.append(self._kernel(s) if self.host else self.loop(s))
            case F.Single(item, body, orelse):
                self._single(item, body, orelse, span)
            case F.Sections(parts):
                self._sections(parts, span)
            case F.Break() | F.Continue():
                word = "break" if isinstance(s, F.Break) else "continue"
                if not self.loops:
                    raise IrglError(f"'{word}' stands outside every loop", span, "leave it out")
                if word == "break" and self.loops[-1] == "foreach":
                    raise IrglError("'break' ends no foreach whose iterations run at once", span,
                                    "put the rest of the body under an if")
                self.out.append(A.Break(span=span) if word == "break" else A.Continue(span=span))
            case F.Return(value):
                self._return(s, value)

    def _return(self, s: F.Return, value: F.Expr | None) -> None:
        """The end of a function that is called as a statement: what it returns is looked at, and left."""
        func = self.unit.funcs[self.calls[-1]]
        if s is not func.body[-1]:
            raise IrglError("'return' stands before the end of its function", s.span,
                            "write if and else, or end loops by break")
        if value is None:
            return
        if func.kind == "void":
            raise IrglError(f"'{func.name}' returns a value, and is void", value.span, "write its type for void")
        found = self.of_kind(value, func.kind or "int")
        if unites(found):
            self.out.append(A.VarDecl(T.Auto(), self.names.fresh("left"), found, span=s.span))

    def _for(self, s: F.CFor) -> None:
        """What stands in its head is one declaration, or plain stores; what else it begins with goes before it."""
        self.scopes.append({})
        around, self.out = self.out, []
        for first in s.init:
            self.stmt(first)
        begin, self.out = tuple(self.out), around
        test = None if s.test is None else self.number(s.test)
        step = self.body(s.step)
        if not all(map(self._is_plain, step)):
            raise IrglError("'for' steps by a store to a variable, or by MIN, MAX or ADD without a flag",
                            s.step[0].span, "write while (...) { ... }")
        declares = [type(one) for one in begin] == [A.VarDecl] * len(s.init)
        apart = () if declares or all(map(self._is_plain, begin)) else begin
        loop = A.CFor(() if apart else begin, test, step, self._loop(s.body), span=s.span)
        self.out.append(A.Block((*apart, loop), span=s.span) if apart else loop)
        self.scopes.pop()

    def _is_plain(self, s: A.Stmt) -> bool:
        """May a statement stand in the head of a `for`? A store that may become racy can't, nor an RMUL that others do.
        """
        stores = s.value if isinstance(s, A.ExprStmt) and isinstance(s.value, A.Reduce) and s.value.op == "*" else s
        if not isinstance(stores, A.Assign | A.Reduce):
            return isinstance(s, A.ExprStmt)
        return self.host or (isinstance(stores.target, A.Name) and stores.target.id not in self.unit.names.taken)

    def _loop(self, stmts: tuple[F.Stmt, ...], word: str = "while") -> tuple[A.Stmt, ...]:
        self.loops.append(word)
        found = self.body(stmts)
        self.loops.pop()
        return found

    def _local(self, v: F.Var) -> None:
        if v.kind == "Graph":
            self.declare(v.name, self.unit.the_graph(v.span), v.span)
        elif v.kind in ("Set", "Collection"):
            self.many(v)
        else:
            self.new(v.name, v.kind, None if v.init is None else self.of_kind(v.init, v.kind), v.span)

    def _do(self, e: F.Expr) -> None:
        span = e.span
        match e:
            case F.Call(word, args) if word in UPDATES:
                self.update(word, args, span)
            case F.Call(word, args) if word in self.unit.funcs:
                self._inline(self.unit.funcs[word], args, span)
            case F.Call(word) if word.startswith(("cuda", "malloc", "free", "alloc")):
                raise IrglError(f"'{word}' is not supported", span, "irgl manages memory by itself: leave it out")
            case F.Method(of, "addPointProperty" | "addEdgeProperty" | "read" as word, args):
                if not isinstance(of, F.Name) or self.lookup(of.id, span).kind != "Graph":
                    raise IrglError(f"'{word}' is what a Graph has", of.span, "write graph." + word + "(...);")
                if not self.top:
                    raise IrglError(f"'{word}' stands within another statement or function", span,
                                    "write it at the top of main")
                if word == "read":
                    self.read(args, span)
            case F.Call() | F.Method():
                found = self.value(e)
                if found.kind and not (isinstance(e, F.Method) and e.name in UNITES):
                    raise IrglError("this value is used for nothing", span, "store it, or leave it out")
                self.out.append(A.ExprStmt(found.expr, span=span))
            case _:
                raise IrglError("this does nothing", span, "a statement stores, calls, or is a loop or a condition")

    def _inline(self, func: F.Func, args: tuple[F.Expr, ...], span: Span) -> None:
        """The statements of a function stand where it is called. A name that the function leaves alone stands for its
        parameter; every other argument goes to a variable."""
        changed = changed_by(self.unit, func)
        self.unit.spend(sum(1 for _ in walk(func)), span)
        given: dict[str, Thing] = {}
        locals_: list[tuple[F.Param, A.Expr]] = []
        for p, a in self.given(func, args, span):
            value = self.of_kind(a, p.kind)
            word = a.id if isinstance(a, F.Name) and a.id != "MAX_INT" else ""
            thing = self.lookup(word, a.span) if word else None
            steady = p.name not in changed and not (thing is not None and thing.where == "global" and word in changed)
            if thing is not None and thing.kind == p.kind and (
                    steady or p.kind in ("Graph", "Set", "Collection")):
                given[p.name] = thing
            else:
                locals_.append((p, as_kind(value, p.kind, a.span)))
        around, loops, top, calls = self.scopes, self.loops, self.top, self.calls
        self.scopes, self.loops, self.top, self.calls = [given], [], False, (*calls, func.name)
        for p, value in locals_:
            self.new(p.name, p.kind, value, span)
        self.out += self.body(func.body)
        self.scopes, self.loops, self.top, self.calls = around, loops, top, calls

    def _single(self, item: F.Expr, body: tuple[F.Stmt, ...], orelse: tuple[F.Stmt, ...], span: Span) -> None:
        if self.host:
            raise IrglError("'single' stands outside every foreach", span, "main is alone anyway")
        if self.locked:
            raise IrglError("'single' stands under another one", span, "take one Point at a time")
        held = self.value(item)
        point = held.expr if held.kind == "Collection" else self.of_kind(item, "Point")
        if held.kind == "Collection" and isinstance(item, F.Name) and self.lookup(item.id, span).where != "kernel":
            raise IrglError(f"'{item.id}' is main's: single takes all Points of a Collection of the iteration's own",
                            item.span, "declare it within the foreach: Collection (graph) both;")
        if held.kind != "Collection" and not self.unit.lock:
            self.unit.lock = self.unit.property("node", "lock", "single", span)
        self.locked = True
        inner = self.body(body)
        self.locked = False
        after = self.body(orelse)
        if held.kind == "Collection":
            self.out.append(A.Exclusive(A.Name("g", span=span), (point,), inner, after, span=span))
        else:
            lock = A.Member(point, self.unit.lock, span=item.span)
            self.out.append(A.Atomic(lock, inner, after, False, span=span))

    def _sections(self, parts: tuple[F.Stmt, ...], span: Span) -> None:
        """Sections that touch nothing of each other's, which the analysis of the program finds out."""
        if not self.host:
            raise IrglError("'parallel sections' stands in a foreach", span, "iterations are parallel anyway")
        around, loops, self.loops = self.out, self.loops, []
        made = []
        for part in parts:
            self.out = []
            self.stmt(part)
            inner = self.out
            only = inner[0] if len(inner) == 1 else None
            made.append(only if isinstance(only, A.Block) else A.Block(tuple(inner), span=part.span))
        self.out, self.loops = around, loops
        self.out.append(A.Sections(tuple(made), span=span))

    def _kernel(self, s: F.Foreach) -> A.Invoke:
        """A foreach of main's: a kernel, and its Invoke."""
        body = s.body[0] if len(s.body) == 1 else None
        called = body.value if isinstance(body, F.Do) else None
        wanted = f"{s.iterator or 'items'}_{s.span.line}"
        if isinstance(called, F.Call) and called.function in self.unit.funcs:
            wanted = called.function
        inner = Body(self.unit, LocalNames(self.unit, self.names.taken), self.scopes, False)
        inner.calls = self.calls
        loop = settled(inner.loop(s), self.unit, inner.names)
        name = self.unit.names.fresh(wanted)
        graph = A.Param(T.Named("Graph"), "g", None, (), span=s.span)
        self.unit.kernels.append(A.Kernel(name, (graph, *inner.captured.values()), None, (loop,), span=s.span))
        args = [A.Name(word, span=s.span) for word in ("g", *inner.captured)]
        return A.Invoke(name, tuple(args), None, span=s.span)

    def _stays(self, over: F.Expr, body: tuple[F.Stmt, ...]) -> bool:
        """Is this one Point as long as the body runs? Variables may be stored to, but not by the functions it calls."""
        match over:
            case F.Name(word):
                stored = (n.place for s in body for n in walk(s) if isinstance(n, F.Store))
                return not any(isinstance(place, F.Name) and place.id == word for place in stored)
            case F.Member(of, "src" | "dst"):
                return self.value(of).kind == "Edge" and self._stays(of, body)
        return False

    def loop(self, s: F.Foreach) -> A.ForAll:
        """A foreach, within a kernel. What is stored there is not settled yet."""
        span = s.span
        of = self.value(s.over)
        if (of.kind, s.iterator) not in ITERATORS:
            has = f"has no iterator '{s.iterator}'" if s.iterator else "is nothing that foreach runs over"
            raise IrglError(f"{called(of.kind)} {has}", span, _OVER)
        if of.kind == "Point":
            self.unit.ways.setdefault(s.iterator, span)
            self.unit.refuse_both_ways(span)
        neighbours = of.kind == "Point"
        var = self.names.fresh("e" if neighbours else s.var)
        make, way = named(var), None
        if neighbours:
            end = "src" if s.iterator == "innbrs" else "dst"
            way = (var, of.expr, s.iterator) if self._stays(s.over, s.body) else None
            make = lambda at: A.Member(A.Name(var, span=at), end, span=at)  # noqa: E731
        self.scopes.append({})
        kind = "Edge" if s.iterator == "edges" else "Point"
        self.declare(s.var, Thing(kind, "fixed", var, make, way), span)
        when = None if s.when is None else self.number(s.when)
        self.depth += 1
        body = self._loop(s.body, "nested" if self.depth > 1 else "foreach")
        self.depth -= 1
        self.scopes.pop()
        if when is not None:
            body = (A.If(when, body, (), span=when.span),)
        over = A.Name("g", span=span) if of.kind == "Set" else of.expr
        return A.ForAll(var, A.Member(over, ITERATORS[of.kind, s.iterator], span=span), body, span=span)
