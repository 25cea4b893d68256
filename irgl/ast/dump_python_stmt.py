"""Statements in the notation for Python: lists of lines, not yet indented."""

from __future__ import annotations

import json
from typing import assert_never

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_python_expr import BINARY, Writer, spelt, type_text
from irgl.ast.visit import walk

INDENT = "    "
_LOOPS = (A.While, A.DoWhile, A.CFor, A.For, A.ForAll, A.Iterate, A.Pipe)


class StatementWriter(Writer):
    """parallel: in a kernel, where a loop is parallel unless it says that it is not."""

    def __init__(self, own: set[str], functions: set[str], wl: str, lists: set[str]) -> None:
        super().__init__(own, functions, wl, lists)
        self.parallel = False

    def stored(self, body: tuple[A.Stmt, ...], scalars: set[str]) -> list[str]:
        """The line that says which program scalars a function stores to, if any."""
        names = {
            n.target.id
            for s in body
            for n in walk(s)
            if (isinstance(n, A.Assign) or (isinstance(n, A.Reduce) and n.op in BINARY))
            and isinstance(n.target, A.Name)
        } & scalars
        return [f"{INDENT}global {', '.join(map(spelt, sorted(names)))}"] if names else []

    def indented(self, body: tuple[A.Stmt, ...]) -> list[str]:
        return [INDENT + line for s in body for line in self.statement(s)] or [f"{INDENT}pass"]

    def _headed(self, head: str, body: tuple[A.Stmt, ...]) -> list[str]:
        return [f"{head}:", *self.indented(body)]

    def statement(self, s: A.Stmt) -> list[str]:
        """The lines of a statement, not indented."""
        match s:
            case A.VarDecl(init=None) if isinstance(s.type, T.Worklist) or (
                isinstance(s.type, T.Named) and s.type.args
            ):
                return [f"{spelt(s.name)} = {type_text(s.type)}()"]
            case A.VarDecl():
                return [f"{spelt(s.name)}: {type_text(s.type)}" + ("" if s.init is None else f" = {self.expr(s.init)}")]
            case A.Assign():
                value = self.expr(s.value)
                return [f"{self.expr(s.target)} = {value if s.access == 'plain' else f'irgl.{s.access}({value})'}"]
            case A.ExprStmt(value=A.Reduce() as r) if r.op in BINARY and isinstance(
                r.target, A.Name | A.Member | A.Index
            ):
                return [f"{self.expr(r.target)} {r.op}= {self.expr(r.value)}"]
            case A.ExprStmt():
                return [self.expr(s.value)]
            case A.Block() | A.Sections():
                return self._headed(f"with irgl.{'block' if isinstance(s, A.Block) else 'sections'}()", s.body)
            case A.If():
                return self._if(s)
            case A.While():
                return self._headed(f"while {self.expr(s.test)}", s.body)
            case A.DoWhile():
                return self._headed(f"while irgl.do_while({self.expr(s.test)})", s.body)
            case A.CFor():
                return self._headed(self._c_for(s), s.body)
            case A.For():
                over = self.iterator(s.iterator)
                return self._headed(
                    f"for {spelt(s.var)} in {f'irgl.serial({over})' if self.parallel else over}", s.body
                )
            case A.ForAll():
                return self._headed(f"for {spelt(s.var)} in {self.iterator(s.iterator)}", s.body)
            case A.Break():
                return ["break"]
            case A.Continue():
                return ["continue"]
            case A.Return():
                return ["return" if s.value is None else f"return {self.expr(s.value)}"]
            case A.Labeled():
                return [f'with irgl.label("{s.label}"):', *(INDENT + line for line in self.statement(s.body))]
            case A.Atomic():
                head = f"irgl.atomic({self.expr(s.lock)})"
                return (
                    self._headed(f"with {head}", s.body) if s.blocking else self._either(f"if {head}", s.body, s.orelse)
                )
            case A.Exclusive():
                head = f"irgl.exclusive({self.expr(s.object)}, [{self.args(s.elements)}])"
                return self._either(f"{'if' if s.orelse else 'with'} {head}", s.body, s.orelse)
            case A.SyncRunningThreads():
                return ["irgl.sync_running_threads()"]
            case A.ReduceAndReturn():
                return [f"irgl.reduce_and_return({self.expr(s.value)})"]
            case A.Retry():
                return [f"irgl.retry({self.expr(s.item)})"]
            case A.Respawn():
                return [f"irgl.respawn({self.expr(s.item)})"]
            case A.CBlock():
                text = json.dumps(s.text, ensure_ascii=False)
                return [f"irgl.c_block({text}, reads=[{self.args(s.reads)}], writes=[{self.args(s.writes)}])"]
            case A.Invoke():
                return [self.call(s.kernel, s.args, s.queue)]
            case A.Iterate():
                return self._iterate(s)
            case A.Pipe():
                given = ["once=True"] * s.once + self._initial(s.initial)
                return self._headed(f"{_heading(s.body)} irgl.pipe({', '.join(given)})", s.body)
            case _:
                assert_never(s)

    def _either(self, head: str, body: tuple[A.Stmt, ...], orelse: tuple[A.Stmt, ...]) -> list[str]:
        lines = self._headed(head, body)
        return lines if not orelse else [*lines, *self._headed("else", orelse)]

    def _if(self, s: A.If) -> list[str]:
        lines = self._headed(f"if {self.expr(s.test)}", s.body)
        if len(s.orelse) == 1 and isinstance(s.orelse[0], A.If):
            first, *rest = self._if(s.orelse[0])
            return [*lines, f"el{first}", *rest]
        return lines if not s.orelse else [*lines, *self._headed("else", s.orelse)]

    def _iterate(self, s: A.Iterate) -> list[str]:
        inner = self.call(s.kernel, s.args)
        word = "iterate" if s.mode == "worklist" else f"iterate_{s.mode}"
        given = [inner if s.mode == "worklist" else f"{s.reduction}({inner})", *self._initial(s.initial)]
        head = f"irgl.{word}({', '.join(given)})"
        return self._headed(f"{_heading(s.body)} {head}", s.body) if s.body else [head]

    def _initial(self, i: A.Initial | None) -> list[str]:
        match i:
            case None:
                return []
            case A.InitialItems():
                return [f"initial=[{self.args(i.items)}]"]
            case A.InitialIterator():
                return [f"initial={self.iterator(i.iterator)}"]
            case _:
                assert_never(i)

    def _c_for(self, s: A.CFor) -> str:
        test = "None" if s.test is None else self.expr(s.test)
        variables = [d for d in s.init if isinstance(d, A.VarDecl)]
        if not variables:
            lists = [
                f"{name}=[{', '.join(map(self._effect, part))}]"
                for name, part in (("first", s.init), ("then", s.step))
                if part
            ]
            return f"while irgl.c_while({', '.join([test, *lists])})"
        match s:
            case A.CFor(
                init=[A.VarDecl(name=name, init=start)],
                test=A.Binary(op="<", left=A.Name(id=same), right=end),
                step=[A.ExprStmt(value=A.Reduce(op="+", target=A.Name(id=stepped), value=by))],
            ) if name == same == stepped and start is not None:
                one = isinstance(by, A.IntLit) and by.value == 1 and by.type == T.INT
                words = [
                    type_text(variables[0].type),
                    self.expr(start),
                    self.expr(end),
                    *([] if one else [self.expr(by)]),
                ]
                return f"for {spelt(name)} in irgl.c_range({', '.join(words)})"
        starts = ["..." if d.init is None else self.expr(d.init) for d in variables]
        steps = [self._next(d.name, step) for d, step in zip(variables, s.step, strict=False)]
        plain = len(s.step) == len(variables) and None not in steps
        then = _tuple([str(w) for w in steps]) if plain else f"[{', '.join(map(self._effect, s.step))}]"
        names = ", ".join(spelt(d.name) for d in variables)
        test = test if s.test is None else f"lambda {names}: {test}"
        first = f"{type_text(variables[0].type)}, {_tuple(starts)}"
        return f"for {names} in irgl.c_for({first}, {test}, lambda {names}: {then})"

    def _next(self, name: str, s: A.Stmt) -> str | None:
        """The next value of a loop's variable, where a step says no more than that."""
        match s:
            case A.ExprStmt(value=A.Reduce(op=op, target=A.Name(id=same), value=value)) if (
                same == name and op in BINARY
            ):
                return self.expr(A.Binary(op, A.Name(name), value))
            case A.Assign(target=A.Name(id=same), value=value, access="plain") if same == name:
                own = isinstance(value, A.Binary) and isinstance(value.left, A.Name) and value.left.id == name
                return None if own else self.expr(value)
        return None

    def _effect(self, s: A.Stmt) -> str:
        """A store or an update as an expression, as it stands in the head of C's loop."""
        match s:
            case A.Assign():
                return f"irgl.assign({self.expr(s.target)}, {self.expr(s.value)})"
            case A.ExprStmt():
                return self.expr(s.value)
        raise AssertionError(f"a {type(s).__name__} in the head of a loop")


def _tuple(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"({', '.join(words)})"


def _heading(body: tuple[A.Stmt, ...]) -> str:
    """`while` for a body that leaves the construct, which Python allows in loops only, else `with`."""
    stack: list[A.Stmt] = list(body)
    while stack:
        s = stack.pop()
        if isinstance(s, A.Break | A.Continue):
            return "while"
        if not isinstance(s, _LOOPS):
            for name in ("body", "orelse"):
                inner = getattr(s, name, ())
                stack.extend(inner if isinstance(inner, tuple) else (inner,))
    return "with"
