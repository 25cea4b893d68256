"""The grammar of expressions and types in a .fal file, and of what comments say to irgl."""

from __future__ import annotations

from irgl.frontends.descent import Descent, Part, Token
from irgl.frontends.falcon import tree as F
from irgl.frontends.falcon.lexer import ABSENT, KINDS, TYPES_ARE, Lexer
from irgl.source import IrglError, Source, Span

#: Operators of two operands, and how tightly they bind.
_BINDS = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
          "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}  # fmt: skip
_UNARY = ("-", "+", "!", "~")
_CLAUSE = "write // irgl: verify NAME(role = value, ...), in one line"


class Expressions(Descent):
    """One rule of the grammar a method. needless: the tags that mean nothing here."""

    def __init__(self, source: Source, part: Part | None = None) -> None:
        self.lexer = Lexer(source, part)
        super().__init__(source, self.lexer)
        self.needless: list[Span] = []

    def name(self, what: str) -> Token:
        """Takes a name of the program's own: `what` is called so."""
        token = self.peek()
        self.refuse_absent()
        if token.kind == "word":
            self.fail(f"'{token.text}' is a word of Falcon's, and can't be the name of {what}", "choose another name")
        if token.kind != "id":
            hint = "there are no pointers" if token.text == "*" else None
            self.fail(f"the name of {what} is missing", hint)
        return self.take()

    def refuse_absent(self) -> None:
        """Raises IrglError for a word of Falcon's or C's that is not supported."""
        token = self.peek()
        if token.kind == "id" and token.text in ABSENT:
            raise IrglError(f"'{token.text}' is not supported", token.span, ABSENT[token.text])

    def gpu(self) -> None:
        """{"<GPU>"}, which says nothing here"""
        while self.at("<") and self.peek(1).text.startswith("GPU") and self.peek(2).text == ">":
            span = self.take().span
            self.take()
            self.take()
            self.needless.append(span.to(self.last))

    def type(self) -> str:
        """int | long | float | double | bool | void | char | Graph | Point | Edge | Set | Collection; <GPU>"""
        self.gpu()
        self.refuse_absent()
        if not self.at(*KINDS):
            self.fail(f"a type is wanted here, not {self.shown(self.peek())}", TYPES_ARE)
        kind = KINDS[self.take().text]
        self.gpu()
        return kind

    def expr(self) -> F.Expr:
        """binary ["?" expr ":" expr]"""
        test = self._binary(1)
        if not self.taken("?"):
            return test
        self.down()
        then = self.expr()
        self.want(":", "behind the first of two values", "write test ? value : other")
        orelse = self.expr()
        self.up()
        return F.Choice(test, then, orelse, span=test.span.to(self.last))

    def _binary(self, least: int) -> F.Expr:
        around = self._depth
        self.down()
        left = self._unary()
        while (op := self.peek().text) in _BINDS and self.peek().kind == "sign" and _BINDS[op] >= least:
            self.take()
            self.down()  # what stands left of it is one deeper
            right = self._binary(_BINDS[op] + 1)
            left = F.Binary(op, left, right, span=left.span.to(right.span))
        self._depth = around
        return left

    def _unary(self) -> F.Expr:
        """("-" | "+" | "!" | "~" | "(" type ")") unary | postfix"""
        token = self.peek()
        if not self.at(*_UNARY) and not (self.at("(") and self.peek(1).kind == "word" and self.peek(1).text in KINDS):
            return self._postfix()
        self.down()
        self.take()
        kind = ""
        if token.text == "(":
            kind = self.type()
            if kind[:1].isupper() or kind in ("void", "char"):
                raise IrglError(f"nothing can be cast to {kind}", token.span.to(self.last), "cast to a number's type")
            self.want(")", "behind the type")
        operand = self._unary()
        self.up()
        span = token.span.to(operand.span)
        return F.Cast(kind, operand, span=span) if kind else F.Unary(token.text, operand, span=span)

    def _postfix(self) -> F.Expr:
        """factor {"." ID ["(" ... ")"] | "[" expr "]"}"""
        found = self._factor()
        while True:
            if self.taken("."):
                word = self.peek()
                if word.kind not in ("id", "word"):
                    self.fail("the name of a property is missing behind '.'")
                self.take()
                if self.at("("):
                    args = self._args(property=word.text in ("addPointProperty", "addEdgeProperty"))
                    found = F.Method(found, word.text, args, span=found.span.to(self.last))
                else:
                    found = F.Member(found, word.text, span=found.span.to(self.last))
            elif self.taken("["):
                index = self.expr()
                self.want("]", "behind the index")
                found = F.Index(found, index, span=found.span.to(self.last))
            else:
                return found

    def _factor(self) -> F.Expr:
        """"(" expr ")" | number | "true" | "false" | ID | ID "(" ... ")\""""
        self.refuse_absent()
        token = self.peek()
        if token.kind == "number":
            self.take()
            behind = self.peek()
            if behind.kind in ("id", "word", "number") and behind.start == token.start + len(token.text):
                raise IrglError(f"'{token.text[:20]}{behind.text[:20]}' is no number", token.span.to(behind.span),
                                "real numbers may end in f; others have no letters behind them")
            return F.Number(token.text, span=token.span)
        if self.taken("true", "false"):
            return F.Truth(token.text == "true", span=token.span)
        if token.kind == "id":
            self.take()
            if self.at("("):
                return F.Call(token.text, self._args(), span=token.span.to(self.last))
            return F.Name(token.text, span=token.span)
        if self.taken("("):
            inner = self.expr()
            self.want(")", "behind the expression",
                      "compare by ==" if self.at("=") else f"'(' stands in line {token.span.line}")
            return inner
        hint = {"++": "write x++; as a statement", "--": "write x--; as a statement", "&": "there are no pointers",
                "*": "there are no pointers", "=": "compare by ==, store by = in a statement",
                "<": "a <GPU> tag stands beside a type",
                "section": "a section stands in parallel sections { ... }"}.get(token.text)
        raise self.mistake(f"a value is wanted here, not {self.shown(token)}", hint)

    def _args(self, property: bool = False) -> tuple[F.Expr, ...]:
        """"(" expr, ... ")"; in addPointProperty and addEdgeProperty the second one is a type"""
        self.want("(", "before the arguments")
        found: list[F.Expr] = []
        while not self.at(")"):
            if property and len(found) == 1:
                begin = self.peek().span
                found.append(F.Name(self.type(), span=begin.to(self.last)))
            else:
                found.append(self.expr())
            if not self.taken(","):
                break
        self.want(")", "behind the arguments")
        return tuple(found)

    def clause(self) -> F.Clause:
        """"verify" ID "(" {ID "=" expr ","} ")" | "tolerance" number"""
        word = self.peek()
        if word.text == "tolerance":
            self.take()
            number = self.peek()
            if number.kind != "number" or number.text[:2] in ("0x", "0X"):
                self.fail("a number is missing behind 'tolerance'", "write // irgl: tolerance 1e-6")
            self.take()
            made: F.Clause = F.Tolerance(number.text, span=word.span.to(number.span))
        elif word.text == "verify":
            self.take()
            name, roles = self.name("a verifier"), []
            self.want("(", f"behind '{name.text}'", _CLAUSE)
            while not self.at(")"):
                role = self.name("a role")
                self.want("=", f"behind the role '{role.text}'", _CLAUSE)
                value = self.expr()
                roles.append(F.Role(role.text, value, span=role.span.to(value.span)))
                if not self.taken(","):
                    break
            self.want(")", "behind the roles", _CLAUSE)
            made = F.Verify(name.text, tuple(roles), span=word.span.to(self.last))
        else:
            raise IrglError("a clause is wanted behind 'irgl:'", word.span, _CLAUSE)
        if self.peek().kind != "end":
            self.fail(f"{self.shown(self.peek())} stands behind the end of the clause", _CLAUSE)
        return made
