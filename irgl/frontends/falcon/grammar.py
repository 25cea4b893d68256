"""The grammar of .fal files: declarations and statements."""

from __future__ import annotations

from irgl.frontends.falcon import tree as F
from irgl.frontends.falcon.expressions import Expressions
from irgl.frontends.falcon.lexer import KINDS, TYPES_ARE
from irgl.source import IrglError, Source, Span

_STORES = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_SECTIONS = "write parallel sections { section { ... } section { ... } }"


def parse(source: Source) -> tuple[F.File, tuple[Span, ...]]:
    """The syntax of a .fal file, and its tags that mean nothing. Raises IrglError at the first mistake."""
    grammar = Grammar(source)
    return grammar.file(), tuple(grammar.needless)


class Grammar(Expressions):
    """One rule of the grammar a method."""

    def file(self) -> F.File:
        """{declaration ";" | [type] ID "(" {type ID ","} ")" block}"""
        first, found, funcs = self.peek().span, list[F.Var](), list[F.Func]()
        while self.peek().kind != "end":
            self.refuse_absent()
            kind = ""
            if self.at(*KINDS, "<"):
                kind = self.type()
            elif self.peek().kind != "id":
                self.fail(f"a declaration is wanted here, not {self.shown(self.peek())}",
                          "a '}' may be too many before it" if self.at("}") else "a file holds globals and functions")
            if self.peek(1).text == "(" and self.peek().kind == "id":
                funcs.append(self._function(kind))
            elif not kind:
                self.fail(f"'{self.peek().text}' has no type", f"write int {self.peek().text};")
            else:
                found += self._vars(kind)
        clauses: list[F.Clause] = []
        for part in self.lexer.notes:
            made = Expressions(self.source, part).clause()
            if other := next((c for c in clauses if type(c) is type(made)), None):
                raise IrglError("a second clause of its kind", made.span, f"the first is in line {other.span.line}")
            clauses.append(made)
        return F.File(tuple(found), tuple(funcs), tuple(clauses), span=first)

    def _function(self, kind: str) -> F.Func:
        name = self.name("a function")
        self.take()
        params: list[F.Param] = []
        if self.at("void") and self.peek(1).text == ")":
            self.take()
        while not self.at(")"):
            params.append(self._param())
            if not self.taken(","):
                break
        self.want(")", "behind the parameters")
        if not self.at("{"):
            self.fail(f"the body of '{name.text}' is missing", "write { statements } behind the parameters")
        return F.Func(kind, name.text, tuple(params), self._block(), span=name.span)

    def _param(self) -> F.Param:
        """type ["(" ID ")"] ID | "char" "*" "argv" "[" "]\""""
        kind, stars = self.type(), 0
        while self.taken("*"):
            stars += 1
        self._of_graph()
        name = self.name("a parameter")
        if self.taken("["):
            self.want("]", "behind '['")
            stars += 1
        if stars != (2 if kind == "char" else 0) or kind == "void":
            raise IrglError(f"'{name.text}' has a type that parameters can't have", name.span,
                            "there are no pointers and arrays but char *argv[]")
        return F.Param(kind, name.text, span=name.span)

    def _of_graph(self) -> None:
        """["(" ID ")"]: of which graph a Point or Edge is"""
        self.gpu()
        if self.taken("("):
            self.name("a graph")
            self.want(")", "behind the graph's name")
            self.gpu()

    def _vars(self, kind: str) -> list[F.Var]:
        """["(" ID ")"] ID ["=" expr] {"," ...} ";\""""
        found: list[F.Var] = []
        if kind in ("void", "char"):
            self.fail(f"there are no variables of type {kind}", TYPES_ARE)
        while True:
            self._of_graph()
            name = self.name("a variable")
            if self.at("["):
                self.fail("there are no arrays", "use a property of Points")
            init = self.expr() if self.taken("=") else None
            found.append(F.Var(kind, name.text, init, span=name.span))
            if not self.taken(","):
                break
        self._semicolon("the declaration")
        return found

    def _block(self) -> tuple[F.Stmt, ...]:
        opened = self.take().span
        self.down()
        found: list[F.Stmt] = []
        while not self.at("}"):
            if self.peek().kind == "end":
                raise IrglError("'{' without its '}'", opened, "close the block")
            found += self.stmts()
        self.take()
        self.up()
        return tuple(found)

    def _body(self) -> tuple[F.Stmt, ...]:
        """A block, or one statement."""
        if self.at("{"):
            return self._block()
        if self.at(*KINDS):
            self.fail("a declaration can't stand alone here", "write { and } around it")
        self.down()
        found = self.stmts()
        self.up()
        return tuple(found)

    def stmts(self) -> list[F.Stmt]:
        """One statement, or the several of a declaration of several names."""
        self.refuse_absent()
        if self.at(*KINDS, "<"):
            return [F.Local(v, span=v.span) for v in self._vars(self.type())]
        return [] if self.taken(";") else [self._stmt()]

    def _stmt(self) -> F.Stmt:
        token = self.peek()
        span = token.span
        match token.text if token.kind in ("word", "sign") else "":
            case "{":
                return F.Block(self._block(), span=span)
            case "if":
                test = self._test()
                return F.If(test, self._body(), self._else(), span=span.to(test.span))
            case "while":
                test = self._test()
                return F.While(test, self._body(), span=span.to(test.span))
            case "do":
                self.take()
                body = self._body()
                if not self.at("while"):
                    self.fail("'while' is missing behind `do { ... }`", "write do { ... } while (condition);")
                test = self._test()
                self._semicolon("do")
                return F.DoWhile(body, test, span=span)
            case "for":
                return self._for()
            case "foreach":
                return self._foreach()
            case "single":
                test = self._test()
                return F.Single(test, self._body(), self._else(), span=span.to(test.span))
            case "parallel" | "Parallel":
                return self._sections()
            case "break" | "continue":
                self.take()
                self._semicolon(f"'{token.text}'")
                return F.Break(span=span) if token.text == "break" else F.Continue(span=span)
            case "return":
                self.take()
                value = None if self.at(";") else self.expr()
                self._semicolon("'return'")
                return F.Return(value, span=span)
            case "else":
                self.fail("'else' belongs to no if", "is there a '}' or ';' before it that is too many?")
        made = self._simple()
        self._semicolon("the statement")
        return made

    def _simple(self) -> F.Stmt:
        """expr ["=" expr | "+=" expr | ... | "++" | "--"] | ("++" | "--") expr"""
        step = self.take() if self.at("++", "--") else None
        place = self.expr()
        if step is None and self.at("++", "--"):
            step = self.take()
        if step is None and not self.at(*_STORES):
            return F.Do(place, span=place.span)
        op = step if step is not None else self.take()
        if not isinstance(place, F.Name | F.Member):
            raise IrglError("nothing can be stored here", place.span, "a place is a variable, or a property of a Point")
        value = F.Number("1", span=op.span) if step is not None else self.expr()
        sign = op.text[0] if step is not None else op.text[:-1]
        return F.Store(place, sign, value, span=place.span.to(value.span))

    def _test(self) -> F.Expr:
        word = self.take()
        self.want("(", f"behind '{word.text}'", f"write {word.text} (...)")
        test = self.expr()
        self.want(")", f"behind what '{word.text}' is given", "compare by ==" if self.at("=") else None)
        return test

    def _else(self) -> tuple[F.Stmt, ...]:
        return self._body() if self.taken("else") else ()

    def _for(self) -> F.CFor:
        """"for" "(" [declaration | simple] ";" [expr] ";" [simple] ")" body"""
        span = self.take().span
        self.want("(", "behind 'for'", "write for (int i = 0; i < 10; i++)")
        init: list[F.Stmt] = []
        if self.at(*KINDS, "<"):
            init = self.stmts()
        elif not self.taken(";"):
            init = [self._simple()]
            self._semicolon("what 'for' begins with")
        test = None if self.at(";") else self.expr()
        self._semicolon("the condition")
        step = [] if self.at(")") else [self._simple()]
        self.want(")", "behind what 'for' is given")
        return F.CFor(tuple(init), test, tuple(step), self._body(), span=span)

    def _foreach(self) -> F.Foreach:
        """"foreach" "(" ID "In" expr ["." ID] ")" ["(" expr ")"] body"""
        span = self.take().span
        self.want("(", "behind 'foreach'", "write foreach (p In graph.points)")
        name = self.name("a variable")
        if self.peek().text not in ("In", "in", "IN"):
            self.fail(f"'In' is missing behind '{name.text}'", f"write foreach ({name.text} In graph.points)")
        self.take()
        over = self.expr()
        self.want(")", "behind what foreach runs over")
        when = None
        if self.taken("("):
            when = self.expr()
            self.want(")", "behind the condition of foreach")
        of, iterator = (over.object, over.name) if isinstance(over, F.Member) else (over, "")
        return F.Foreach(name.text, of, iterator, when, self._body(), span=span.to(over.span))

    def _sections(self) -> F.Sections:
        """"parallel" "sections" "{" {"section" block} "}\""""
        span, parts = self.take().span, list[F.Stmt]()
        if not self.taken("sections", "Sections"):
            self.fail("'sections' is missing behind 'parallel'", _SECTIONS)
        self.want("{", "behind 'parallel sections'", _SECTIONS)
        while not self.taken("}"):
            part = self.want("section", "in 'parallel sections'", _SECTIONS)
            if not self.at("{"):
                self.fail("'{' is missing behind 'section'", _SECTIONS)
            parts.append(F.Block(self._block(), span=part.span))
        return F.Sections(tuple(parts), span=span)

    def _semicolon(self, what: str) -> None:
        if not self.taken(";"):
            self.fail(f"';' is missing behind {what}")
