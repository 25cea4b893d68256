"""The grammar of IrGL's own statements: parallel loops, locks, orchestration, marked stores, opaque blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from irgl.ast import nodes as A
from irgl.ast.visit import children
from irgl.frontends.neighbors import over_edges
from irgl.frontends.text.expressions import Expressions
from irgl.frontends.text.spelling import USAGE
from irgl.source import IrglError

_LOOPS = (A.While, A.DoWhile, A.CFor, A.For, A.ForAll, A.Iterate, A.Pipe)


class Constructs(Expressions):
    #: The raw bodies of CBlocks, by the position of the `;` that stands for each.
    _raw: dict[tuple[int, int], str]

    def _stmts(self) -> tuple[A.Stmt, ...]:
        """The statements of a `{ block }`."""
        return self.lower.body(self._parse_compound_statement())

    def _loop(self, first: Any) -> A.Stmt:
        self._expect("LPAREN")
        if first.value == "For" and not (self._at_word("In", k=2) or self._peek_type(2) in ("ID", "TYPEID")):
            raise IrglError("For runs over an iterator", self._token_span(first), "C's loop is spelt for")
        self._push_scope()
        var = self._take_name("the loop's variable", None if not self._starts_type() or self._peek_type(2) != "ID"
                              else f"the iterator says the type: {first.value} (n In g.nodes)")
        self._take_word("In")
        iterator = self._expression()
        self._expect("RPAREN")
        span = self._token_span(first, self._last)
        self._add_identifier(var, None)
        body = self.lower.body(self._parse_statement())
        self._pop_scope()
        return over_edges((A.ForAll if first.value == "ForAll" else A.For)(var, iterator, body, span=span))

    def _in_parens(self) -> A.Expr:
        self._expect("LPAREN")
        value = self._expression()
        self._expect("RPAREN")
        return value

    def _reduce_and_return(self, first: Any) -> A.Stmt:
        value = self._in_parens()
        self._expect("SEMI")
        return A.ReduceAndReturn(value, span=self._token_span(first, self._last))

    def _else(self) -> tuple[bool, tuple[A.Stmt, ...]]:
        if self._peek_type() == "ELSE":
            raise IrglError("the other branch of a lock is spelt Else", self._token_span(self._peek()), None)
        if not self._at_word("Else"):
            return False, ()
        self._advance()
        return True, self._stmts()

    def _atomic(self, first: Any) -> A.Stmt:
        lock = self._in_parens()
        span = self._token_span(first, self._last)
        body = self._stmts()
        has_else, orelse = self._else()
        return A.Atomic(lock, body, orelse, not has_else, span=span)

    def _exclusive(self, first: Any) -> A.Stmt:
        self._expect("LPAREN")
        target = self._expression()
        if self._peek_type() == "RPAREN":
            self._unexpected("','", f"it reads: {USAGE['Exclusive']}")
        self._expect("COMMA")
        elements = self._bracketed() if self._peek_type() == "LBRACKET" else (self._expression(),)
        self._expect("RPAREN")
        span = self._token_span(first, self._last)
        body = self._stmts()
        _, orelse = self._else()
        return A.Exclusive(target, elements, body, orelse, span=span)

    def _bracketed(self) -> tuple[A.Expr, ...]:
        self._expect("LBRACKET")
        items = [self._expression()]
        while self._accept("RBRACKET") is None:
            self._comma("]")
            items.append(self._expression())
        return tuple(items)

    def _sync(self, first: Any) -> A.Stmt:
        if self._accept("LPAREN"):
            self._expect("RPAREN")
        self._expect("SEMI")
        return A.SyncRunningThreads(span=self._token_span(first))

    def _retry(self, first: Any) -> A.Stmt:
        item = self._expression()
        self._expect("SEMI")
        return (A.Retry if first.value == "Retry" else A.Respawn)(item, span=self._token_span(first, self._last))

    def _invoke(self, first: Any) -> A.Stmt:
        if self._at_word("Any", "All") and self._peek_type(2) == "ID":
            word = self._peek().value
            raise IrglError(f"{word} stands before Invoke, where its value is used", self._token_span(self._peek()),
                            f"write {word} Invoke {self._peek(2).value}(...)")
        kernel, args = self._kernel_call()
        queue = None
        if self._at_word("WL"):
            self._advance()
            queue = self._take_name("the queue that is its WL", f"write Invoke {kernel}(...) WL queue;")
        span = self._token_span(first, self._last)
        self._expect("SEMI")
        return A.Invoke(kernel, args, queue, span=span)

    def _initial(self) -> A.Initial | None:
        if not self._at_word("Initial"):
            return None
        first = self._advance()
        if self._peek_type() == "LBRACKET":
            return A.InitialItems(self._bracketed(), span=self._token_span(first, self._last))
        if self._peek_type() != "LPAREN":
            self._unexpected("'[' or '('", "Initial [item, item], or Initial (iterator)")
        return A.InitialIterator(self._in_parens(), span=self._token_span(first, self._last))

    def _iterate(self, first: Any) -> A.Stmt:
        mode, reduction = "worklist", ""
        until: A.Expr | None = None
        if self._at_word("Until") and self._peek_type(2) == "LPAREN":
            at = self._advance()
            until = self._in_parens()
            end = A.If(until, (A.Break(span=until.span),), (), span=self._token_span(at, self._last))
        elif self._at_word("While", "Until"):
            word = self._advance().value
            mode = word.lower()
            reduction = self._take_word("Any", "All", hint=f"it reads: Iterate {word} Any KERNEL(ARGUMENTS) {{ ... }}")
            reduction = reduction.value.lower()
        elif self._at_word("Any", "All") and self._peek_type(2) == "ID":
            word = self._peek().value
            raise IrglError(f"Iterate {word} says neither While nor Until", self._token_span(first, self._peek()),
                            f"write Iterate While {word} ...")
        kernel, args = self._kernel_call()
        initial = self._initial()
        span = self._token_span(first, self._last)
        body = () if self._accept("SEMI") else self._stmts()
        if until is not None:
            past = _continues(body)
            if past is not None:
                raise IrglError("this continue would pass by what Until asks", past.span, "use if and else")
            body = (*body, end)
        return A.Iterate(mode, reduction, kernel, args, initial, body, span=span)

    def _pipe(self, first: Any) -> A.Stmt:
        once = self._at_word("Once")
        if once:
            self._advance()
        initial = self._initial()
        span = self._token_span(first, self._last)
        return A.Pipe(once, initial, self._stmts(), span=span)

    def _sections(self, first: Any) -> A.Stmt:
        span, usage = self._token_span(first, self._last), f"it reads: {USAGE['Sections']}"
        if self._peek_type() != "LBRACE":
            self._unexpected("'{'", usage)
        self._expect("LBRACE")
        parts = []
        while self._accept("RBRACE") is None:
            if self._peek_type() != "LBRACE":
                self._unexpected("'{' or '}'", usage)
            at = self._token_span(self._peek())
            parts.append(A.Block(self._stmts(), span=at))
        return A.Sections(tuple(parts), span=span)

    def _cblock(self, first: Any) -> A.Stmt:
        if self._peek_type() == "LBRACE":
            return A.Block(self._stmts(), span=self._token_span(first))
        sets: dict[str, list[A.Expr]] = {"reads": [], "writes": []}
        self._take_word("reads", "writes")
        self._tokens.reset(self._tokens.mark() - 1)
        while self._at_word("reads", "writes"):
            chosen = sets[self._advance().value]
            self._expect("LPAREN")
            while not self._accept("RPAREN"):
                if chosen and self._last.type != "LPAREN":
                    self._comma(")")
                chosen.append(self._expression())
        end = self._expect("SEMI")
        raw = self._raw.get((end.lineno, end.column))
        if raw is None:
            raise IrglError("CBlock without a body", self._token_span(first), "write { C text } after its sets")
        return A.CBlock(tuple(sets["reads"]), tuple(sets["writes"]), raw, span=self._token_span(first))

    def _access(self, first: Any) -> A.Stmt:
        tree = self._parse_assignment_expression()
        self._expect("SEMI")
        if not isinstance(tree, c_ast.Assignment) or tree.op != "=":
            raise IrglError(f"{first.value} marks a store", self._token_span(first, self._last),
                            f"write {first.value} LOCATION = VALUE;")
        return A.Assign(self.lower.expr(tree.lvalue), self.lower.expr(tree.rvalue), first.value,
                        span=self._token_span(first, self._last))


def _continues(stmts: Iterable[A.Node]) -> A.Continue | None:
    """The first Continue that means the loop of these statements."""
    for s in stmts:
        if isinstance(s, A.Continue):
            return s
        inner = None if isinstance(s, _LOOPS) else _continues(children(s))
        if inner is not None:
            return inner
    return None
