"""The constructs of the language in Python: `with irgl.pipe():`, `if irgl.atomic(lock): ... else: ...` and others."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.python.expressions import Expressions
from irgl.frontends.python.names import Names
from irgl.source import Span

_CLAUSES = ("verify", "tolerance", "any_valid")
_BLOCKS = {
    "pipe": "with irgl.pipe():",
    "block": "with irgl.block():",
    "sections": "with irgl.sections():",
    "label": 'with irgl.label("name"):',
    "atomic": "with irgl.atomic(n.lock):, or if irgl.atomic(n.lock): ... else: ...",
    "exclusive": "with irgl.exclusive(g, [n, m]):, or if ... else: ...",
}


class Constructs(Expressions, ABC):
    """role: what the body is part of, kernel, function or program. stored: the scalars that it has said to store to."""

    def __init__(self, names: Names, role: str, worklist: str = "") -> None:
        super().__init__(names)
        self.role = role
        self.stored: set[str] = set()
        self.worklist = worklist

    @abstractmethod
    def body(self, nodes: list[ast.stmt]) -> tuple[A.Stmt, ...]: ...

    # Iterators

    def iterator(self, node: ast.expr) -> A.Expr:
        """What a loop runs over: a list's name stands for its items, its `positions` for the list itself."""
        span = self.places.span(node)
        match node:
            case ast.Name(id=name) if self._is_list(name) or self._is_named(name, "library"):
                return A.Member(self.expr(node), "items", span=span)
            case ast.Attribute(value=ast.Name(id=name) as of, attr="positions") if self._is_list(name):
                return self.expr(of)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="edges" | "in_edges" | "out_edges" as which),
                args=[of],
                keywords=[],
            ) if self._is_named(name, "graph"):
                return A.Member(self.expr(of), which, span=span)  # g.edges(n)
            case ast.List() | ast.Tuple():
                raise self.places.refused(
                    "a loop runs over no listed values", node, "push them to a list, or write them one by one"
                )
        return self.expr(node)

    def _is_list(self, name: str) -> bool:
        return name == self.worklist or isinstance(self.local_type(name), T.Worklist)

    def _is_named(self, name: str, kind: str) -> bool:
        of = self.local_type(name)
        return isinstance(of, T.Named) and (kind, of.name) in self.names.declared.values()

    # Statements that are calls

    def statement_call(self, node: ast.expr) -> A.Stmt | None:
        """The statement that a call is; None where it is an expression like others."""
        if not isinstance(node, ast.Call):
            return None
        word, span = self.word(node.func), self.places.span(node)
        if word is None:
            called = (
                node.func.id
                if isinstance(node.func, ast.Name)
                else node.func.attr
                if (
                    isinstance(node.func, ast.Attribute)
                    and isinstance(node.func.value, ast.Name)
                    and node.func.value.id in self.names.includes
                )
                else ""
            )
            if self.names.kind(called) == "kernel" and not self.is_local(called):
                return self._invoke(node, called, span)
            return None
        match word:
            case "sync_running_threads":
                self.arguments(node, 0)
                return A.SyncRunningThreads(span=span)
            case "reduce_and_return":
                return A.ReduceAndReturn(self.expr(self.arguments(node, 1)[0]), span=span)
            case "retry" | "respawn":
                item = self.expr(self.arguments(node, 1)[0])
                return (A.Retry if word == "retry" else A.Respawn)(item, span=span)
            case "c_block":
                return self._c_block(node, span)
            case "iterate" | "iterate_while" | "iterate_until":
                return self._iterate(word, node, [], span)
            case _ if word in _CLAUSES:
                raise self.places.refused(f"'{word}' stands first in the body of a program", node)
            case _ if word in _BLOCKS:
                raise self.places.refused(f"'{word}' heads a block", node, f"write {_BLOCKS[word]}")
        return None

    def _invoke(self, node: ast.Call, called: str, span: Span) -> A.Stmt:
        """A call of a kernel; its own worklist may be given by name: a queue that is a variable."""
        queue: str | None = None
        match node.keywords:
            case [ast.keyword(arg="wl", value=ast.Name(id=word))]:
                queue, node = word, ast.copy_location(ast.Call(node.func, node.args, []), node)
        kernel, args = self.kernel_call(node, called)
        return A.Invoke(kernel, args, queue, span=span)

    def _c_block(self, node: ast.Call, span: Span) -> A.Stmt:
        named = self.keywords(node, {"reads", "writes"})
        match node.args:
            case [ast.Constant(value=str(text))]:
                reads, writes = (self.exprs(_listed(named.get(name))) for name in ("reads", "writes"))
                return A.CBlock(reads, writes, text.strip("\n"), span=span)
        raise self.places.refused(
            "the text of a C block stands in one string",
            node,
            'write irgl.c_block("C text", reads=[n.p], writes=[n.q])',
        )

    def keywords(self, node: ast.Call, known: set[str]) -> dict[str, ast.expr]:
        for k in node.keywords:
            if k.arg not in known:
                raise self.places.refused(
                    f"'{ast.unparse(node.func)}' takes no '{k.arg or '**'}'",
                    k.value,
                    "it takes " + " and ".join(sorted(known)),
                )
        return {str(k.arg): k.value for k in node.keywords}

    # Orchestration

    def orchestration(self, node: ast.expr, body: list[ast.stmt], span: Span) -> A.Stmt | None:
        """The Pipe or Iterate that heads a block; None where something else does."""
        call = self.called(node, "pipe", "iterate", "iterate_while", "iterate_until")
        if call is None:
            return None
        word = str(self.word(call.func))
        return self._pipe(call, body, span) if word == "pipe" else self._iterate(word, call, body, span)

    def _pipe(self, call: ast.Call, body: list[ast.stmt], span: Span) -> A.Stmt:
        named = self.keywords(call, {"once", "initial"})
        if call.args:
            raise self.places.refused(
                "a pipe is told what it begins with by name", call.args[0], "write irgl.pipe(initial=[src])"
            )
        once = named.get("once")
        if once is not None and not (isinstance(once, ast.Constant) and isinstance(once.value, bool)):
            raise self.places.refused("'once' is True or False", once)
        said = isinstance(once, ast.Constant) and once.value is True
        return A.Pipe(said, self._initial(named), self.body(body), span=span)

    def _iterate(self, word: str, call: ast.Call, body: list[ast.stmt], span: Span) -> A.Stmt:
        named = self.keywords(call, {"initial"})
        if len(call.args) != 1:
            raise self.places.refused(f"'{word}' takes the call of a kernel", call, f"write irgl.{_ITERATE[word]}")
        inner, reduction = call.args[0], ""
        if word != "iterate":
            value = self.called(inner, "any", "all")
            if value is None:
                raise self.places.refused("whose value: any or all?", inner, f"write irgl.{_ITERATE[word]}")
            reduction, inner = str(self.word(value.func)), self.arguments(value, 1)[0]
        kernel, args = self.kernel_call(inner, word)
        mode = {"iterate": "worklist", "iterate_while": "while", "iterate_until": "until"}[word]
        return A.Iterate(mode, reduction, kernel, args, self._initial(named), self.body(body), span=span)

    def _initial(self, named: dict[str, ast.expr]) -> A.Initial | None:
        given = named.get("initial")
        if given is None:
            return None
        span = self.places.span(given)
        if isinstance(given, ast.List):
            if not given.elts:
                raise self.places.refused("no first items", given, "leave initial= out, or list some")
            return A.InitialItems(self.exprs(given.elts), span=span)
        return A.InitialIterator(self.iterator(given), span=span)

    # Blocks

    def with_block(self, node: ast.With) -> A.Stmt:
        item = node.items[0]
        if len(node.items) > 1 or item.optional_vars is not None:
            raise self.places.refused(
                "one construct heads a block, without 'as'",
                node.items[-1].optional_vars or node.items[1].context_expr,
                "write with irgl.pipe():",
            )
        call = item.context_expr
        word = self.word(call.func) if isinstance(call, ast.Call) else None
        span = self.places.head(node, call)
        made = self.orchestration(call, node.body, span)
        if made is not None:
            return made
        if not isinstance(call, ast.Call) or word not in _BLOCKS:
            raise self.places.refused(
                "this heads no block of a program",
                call,
                "with takes irgl.pipe(), iterate(...), sections(), atomic(...), exclusive(...), label(...) or "
                "block()",
            )
        if word == "block":
            self.arguments(call, 0)
            return A.Block(self.body(node.body), span=span)
        if word == "sections":
            self.arguments(call, 0)
            return self._sections(node, span)
        if word == "label":
            return self._label(call, node, span)
        return self.lock(call, node, node.body, None)

    def _sections(self, node: ast.With, span: Span) -> A.Stmt:
        parts = [(one, s) for one in node.body for s in self.body([one])]
        other = next((one for one, s in parts if not isinstance(s, A.Block)), None)
        if other is not None:
            raise self.places.refused("a section is a block", other, "write with irgl.block():")
        return A.Sections(tuple(s for _, s in parts), span=span)

    def _label(self, call: ast.Call, node: ast.With, span: Span) -> A.Stmt:
        match self.arguments(call, 1):
            case [ast.Constant(value=str(name))] if name.isidentifier():
                inner = self.body(node.body)
                if len(inner) != 1 or isinstance(inner[0], A.VarDecl):
                    raise self.places.refused("a label names one statement", call, "declarations take no label")
                return A.Labeled(name, inner[0], span=span)
        raise self.places.refused("a label is a name in quotes", call, 'write with irgl.label("outer"):')

    def lock(
        self, call: ast.Call, node: ast.With | ast.If, body: list[ast.stmt], orelse: list[ast.stmt] | None
    ) -> A.Stmt:
        """Atomic or Exclusive; `orelse` None: headed by with, which waits for an Atomic."""
        span = self.places.head(node, call)
        if self.word(call.func) == "atomic":
            place = self.expr(self.arguments(call, 1)[0])
            return A.Atomic(place, self.body(body), self.body(orelse or []), orelse is None, span=span)
        if len(call.args) != 2 or call.keywords or not _listed(call.args[1]):
            raise self.places.refused(
                "'exclusive' takes an object and its elements", call, "write irgl.exclusive(g, [n, m])"
            )
        held, elements = self.expr(call.args[0]), self.exprs(_listed(call.args[1]))
        return A.Exclusive(held, elements, self.body(body), self.body(orelse or []), span=span)


_ITERATE = {
    "iterate": "iterate(kernel(g), initial=[src])",
    "iterate_while": "iterate_while(any(kernel(g)))",
    "iterate_until": "iterate_until(all(kernel(g)))",
}


def _listed(node: ast.expr | None) -> list[ast.expr]:
    return [] if node is None else list(node.elts) if isinstance(node, ast.List | ast.Tuple) else [node]
