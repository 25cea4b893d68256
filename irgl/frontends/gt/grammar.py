"""The grammar of .gt files: declarations and statements."""

from __future__ import annotations

from irgl.frontends.gt import tree as G
from irgl.frontends.gt.clauses import clauses
from irgl.frontends.gt.expressions import Expressions
from irgl.frontends.gt.lexer import LEFT_OVER
from irgl.source import IrglError, Source, Span

_UPDATES = ("=", "+=", "min=", "max=", "asyncMin=", "asyncMax=")
#: What may begin a declaration, and therefore stands in no function.
_DECLARES = ("element", "const", "extern", "export", "func")


def parse(source: Source) -> G.File:
    """The syntax of a .gt file. Raises IrglError at the first mistake."""
    return Grammar(source).file()


class Grammar(Expressions):
    """One rule of the grammar a method."""

    def file(self) -> G.File:
        """{element | const | extern | func} ["schedule:" {command}]"""
        elements: list[G.Element] = []
        consts: list[G.Const] = []
        funcs: list[G.Func] = []
        schedule = None
        first = self.peek().span
        while self.peek().kind != "end":
            token = self.peek()
            if self.at("element"):
                elements.append(self._element())
            elif self.at("const"):
                consts.append(self._const())
            elif self.at("extern", "export", "func"):
                funcs.append(self._function())
            elif self.at_schedule():
                schedule = self._schedule()
                break
            elif self.at("end"):
                self.fail("'end' closes nothing", "each func, if, while, for and do has one `end`")
            elif token.kind == "word" and token.text in LEFT_OVER:
                self.left_over(token)
            else:
                self.fail(f"a declaration is wanted here, not {self.shown(token)}",
                          "a file holds element, const, extern func, func, export func, and `schedule:` at the end"
                          if not self.at("var") else "a variable outside of functions is a const, and may be changed")
        said = clauses(self.source, self.lexer.notes)
        return G.File(tuple(elements), tuple(consts), tuple(funcs), schedule, said, span=first)

    def _element(self) -> G.Element:
        """"element" ID "end\""""
        self.take()
        name = self.name("an element")
        self.want("end", f"behind 'element {name.text}'")
        return G.Element(name.text, span=name.span)

    def _const(self) -> G.Const:
        """"const" ID ":" type ["=" expr] ";\""""
        self.take()
        name, kind = self._typed("a const")
        init = self.expr() if self.taken("=") else None
        self._semicolon("const")
        return G.Const(name.name, kind, init, span=name.span)

    def _function(self) -> G.Func:
        """["export"] "func" ID [functor] params [result] {stmt} "end" | "extern" "func" ID params [result] ";\""""
        is_export, is_extern = self.taken("export"), self.taken("extern")
        opened = self.peek().span
        self.want("func", "behind 'export'" if is_export else "behind 'extern'")
        name = self.name("a function")
        bound = self._params("[", "]") if self.at("[") else ()
        if not self.at("("):
            self.fail(f"'(' is missing behind the name of '{name.text}'", f"write func {name.text}(v : Vertex)")
        params = self._params("(", ")")
        result = None
        if self.taken("->"):
            result, kind = self._typed("a result")
            result = G.Param(result.name, kind, span=result.span)
        body: tuple[G.Stmt, ...] = ()
        if is_extern:
            self._semicolon("extern func")
        else:
            body = self._body(f"func {name.text}", opened)
            self.take()
            self.taken(";")
        return G.Func(name.text, bound, params, result, body, is_export, is_extern, span=name.span)

    def _params(self, begin: str, close: str) -> tuple[G.Param, ...]:
        self.want(begin, "before the parameters")
        found: list[G.Param] = []
        while not self.at(close):
            if self.at("inout"):
                self.left_over(self.peek())
            name, kind = self._typed("a parameter")
            found.append(G.Param(name.name, kind, span=name.span))
            if not self.taken(","):
                break
        self.want(close, "behind the parameters")
        return tuple(found)

    def _typed(self, what: str) -> tuple[G.Param, G.Type]:
        """ID ":" type"""
        name = self.name(what)
        self.want(":", f"behind '{name.text}'", f"write {name.text} : int")
        kind = self.type()
        return G.Param(name.text, kind, span=name.span), kind

    def _schedule(self) -> G.Schedule:
        self.take()
        colon = self.take()
        return G.Schedule(self.lexer.rest(colon.start + 1), colon.start + 1, span=colon.span)

    # Statements

    def _body(self, what: str, opened: Span, *closing: str) -> tuple[G.Stmt, ...]:
        """Statements up to `end` or another word of `closing`, which is left to be taken."""
        self.down()
        found: list[G.Stmt] = []
        while not self.at("end", *closing):
            if self.peek().kind == "end" or self.at(*_DECLARES) or self.at_schedule():
                missing = f"'end' is missing: `{what}` in line {opened.line} has none"
                raise IrglError(missing, opened, self.slanted or "each func, if, while, for and do ends with `end`")
            found.append(self._stmt())
        if self.at("end"):
            self.note_slant(what, opened, self.peek().span)
        self.up()
        return tuple(found)

    def _stmt(self) -> G.Stmt:
        """{"#" ID "#"} plain"""
        if not self.at("#"):
            return self._plain()
        self.down()
        self.take()
        label = self.name("a label")
        self.want("#", f"behind the label '{label.text}'", f"write #{label.text}# before the statement")
        body = self._stmt()
        self.up()
        return G.Labeled(label.text, body, span=label.span)

    def _plain(self) -> G.Stmt:
        token = self.peek()
        span = token.span
        match token.text if token.kind == "word" else "":
            case "var":
                self.take()
                name, kind = self._typed("a variable")
                init = self.expr() if self.taken("=") else None
                self._semicolon("var")
                return G.Var(name.name, kind, init, span=name.span)
            case "if":
                return self._if("if")
            case "while":
                self.take()
                test = self.expr()
                body = self._body("while", span)
                self._end()
                return G.While(test, body, span=span.to(test.span))
            case "do":
                self.take()
                body = self._body("do", span)
                self._end()
                self.want("while", "behind `do ... end`", "write do ... end while condition;")
                test = self.expr()
                self._semicolon("while")
                return G.DoWhile(body, test, span=span)
            case "for" | "par_for":
                return self._for()
            case "print" | "println":
                self.take()
                value = self.expr()
                self._semicolon("print")
                return G.Print(value, span=span.to(value.span))
            case "delete":
                self.take()
                name_ = self.name("a variable")
                self._semicolon("delete")
                return G.Delete(name_.text, span=name_.span)
            case "break":
                self.take()
                self._semicolon("break")
                return G.Break(span=span)
            case "return":
                self.fail("a function has no 'return'", "its result is the variable behind ->: store it there")
            case "elif" | "else":
                self.fail(f"'{token.text}' belongs to no if", "is there an `end` before it that is too many?")
            case "const":
                self.fail("a const stands outside of functions", "write var")
        return self._simple()

    def _simple(self) -> G.Stmt:
        """place ("=" | "+=" | ...) expr ";" | expr ";\""""
        value = self.expr()
        op = self.peek()
        if not self.at(*_UPDATES):
            if op.text in ("min", "max") and self.peek(1).text == "=":
                raise IrglError(f"'{op.text} =' is two words here", op.span, f"write {op.text}= without the blank")
            self._semicolon("the statement")
            return G.ExprStmt(value, span=value.span)
        self.take()
        if not isinstance(value, G.Name | G.Index):
            raise IrglError("nothing can be stored here", value.span, "a place is a variable, or vector[index]")
        new = self.expr()
        self._semicolon("the statement")
        return G.Assign(value, op.text, new, span=value.span.to(new.span))

    def _if(self, word: str) -> G.If:
        """"if" expr {stmt} {"elif" expr {stmt}} ["else" {stmt}] "end\""""
        span = self.take().span
        test = self.expr()
        body = self._body(word, span, "elif", "else")
        orelse: tuple[G.Stmt, ...] = ()
        if self.at("elif"):
            self.down()
            orelse = (self._if("elif"),)
            self.up()
        elif self.at("else"):
            opened = self.take().span
            orelse = self._body("else", opened)
            self._end()
        else:
            self._end()
        return G.If(test, body, orelse, span=span.to(test.span))

    def _for(self) -> G.For:
        """("for" | "par_for") ID "in" expr ":" expr [";"] {stmt} "end\""""
        word = self.take()
        name = self.name("a variable")
        self.want("in", f"behind '{name.text}'", f"write {word.text} {name.text} in 0:10")
        low = self.expr()
        self.want(":", "between the first value and the end", f"write {word.text} {name.text} in 0:10")
        high = self.expr()
        self.taken(";")
        body = self._body(word.text, word.span)
        self._end()
        return G.For(name.text, low, high, body, word.text == "par_for", span=word.span.to(high.span))

    def _end(self) -> None:
        self.take()
        self.taken(";")

    def _semicolon(self, what: str) -> None:
        if not self.taken(";"):
            self.fail(f"';' is missing behind {what}", "compare by ==" if self.peek().text == "=" else None)
