"""The grammar of expressions and types, from what binds least to what binds most."""

from __future__ import annotations

from irgl.frontends.gt import tree as G
from irgl.frontends.gt.base import Base
from irgl.frontends.gt.lexer import LEFT_OVER
from irgl.source import IrglError, Span

_SCALARS = ("int", "uint", "uint_64", "float", "double", "bool", "string")
#: Operators of two operands, and how tightly they bind; `not` stands between comparisons and sums.
_BINDS = {"or": 1, "and": 2, "xor": 3, "==": 4, "!=": 4, "<": 4, ">": 4, "<=": 4, ">=": 4,
          "+": 6, "-": 6, "*": 7, "/": 7}  # fmt: skip
_NOT, _MINUS = 5, 8
_TYPES = ("types: int, uint, uint_64, float, double, bool, string, an element, vertexset, edgeset, vector, list, "
          "priority_queue")
_CALLED = ("intersection", "intersectNeighbor")


class Expressions(Base):
    """expr, postfix, factor and type of the grammar."""

    def expr(self, least: int = 1) -> G.Expr:
        """or < and < xor < comparisons < not < (+ -) < (* /) < - < postfix"""
        self.down()
        token = self.peek()
        left: G.Expr
        if self.taken("not"):
            operand = self.expr(_NOT)
            left = G.Unary("not", operand, span=token.span.to(operand.span))
        elif self.taken("-"):
            operand = self.expr(_MINUS)
            left = G.Unary("-", operand, span=token.span.to(operand.span))
        else:
            left = self._postfix()
        around = self._depth
        while (op := self.peek().text) in _BINDS and self.peek().kind in ("word", "sign") and _BINDS[op] >= least:
            self.take()
            right = self.expr(_BINDS[op] + 1)
            self.down()  # what stands left of it is one deeper
            left = G.Binary(op, left, right, span=left.span.to(right.span))
        self._depth = around - 1
        return left

    def _postfix(self) -> G.Expr:
        """factor {"." method | "[" expr "]"}"""
        found = self._factor()
        while True:
            if self.taken("."):
                word = self.peek()
                if word.kind not in ("id", "word"):
                    self.fail("the name of a method is missing behind '.'")
                self.take()
                args = self._args(f"behind '{word.text}'", f"a method is called with parentheses: {word.text}(...)")
                found = G.Method(found, word.text, args, word.span, span=found.span.to(self.last))
            elif self.taken("["):
                index = self.expr()
                self.want("]", "behind the index")
                found = G.Index(found, index, span=found.span.to(self.last))
            else:
                return found

    def _factor(self) -> G.Expr:
        """"(" expr ")" | literal | "{" expr, ... "}" | ID | call | "new" type "(" ... ")" | "load" "(" expr ")\""""
        token = self.peek()
        match token.kind, token.text:
            case "number", text:
                self.take()
                return G.Number(text, text.isdigit(), span=token.span)
            case "text", text:
                self.take()
                return G.Text(text[1:-1], span=token.span)
            case "word", "true" | "false":
                self.take()
                return G.Truth(token.text == "true", span=token.span)
            case "sign", "(":
                self.take()
                inner = self.expr()
                self.want(")", "behind the expression", f"'(' stands in line {token.span.line}")
                return inner
            case "sign", "{":
                self.take()
                values = self._listed("}", "behind the values")
                return G.Several(values, span=token.span.to(self.last))
            case "word", "new":
                self.take()
                made = self.type()
                args = self._args("behind the type", "write new vertexset{Vertex}(0)")
                return G.New(made, args, span=token.span.to(self.last))
            case "word", "load":
                self.take()
                args = self._args("behind 'load'", "write load(argv[1])")
                if len(args) != 1:
                    raise IrglError(f"load takes one file, not {len(args)}", token.span.to(self.last),
                                    "write load(argv[1])")
                return G.Load(args[0], span=token.span.to(self.last))
            case "id", _:
                return self._named(token.span)
            case "word", text if text in _CALLED:
                self.take()
                return G.Call(text, None, self._args(f"behind '{text}'", None), span=token.span.to(self.last))
        if token.kind == "word" and token.text in LEFT_OVER:
            self.left_over(token)
        hint = _INSTEAD.get(token.text)
        if token.text == "=" and (sign := self.source.text[token.start - 1]) in "-*/":
            hint = f"there is no {sign}=: write x = x {sign} y"
        before = self.source.text[max(0, token.start - 20):token.start].rstrip()
        if (token.text == "+" and before.endswith("+")) or before.endswith("--"):
            hint = "there is no ++ and no --: write x += 1 or x = x - 1"
        elif before.endswith("{"):
            hint = "blocks have no braces: they begin behind the test and end with `end`"
        raise self.mistake(f"a value is wanted here, not {self.shown(token)}", hint)

    def _named(self, span: Span) -> G.Expr:
        """ID | ID ["[" expr, ... "]"] "(" ... ")" | ID "[" expr, expr, ... "]" """
        word = self.take().text
        if self.at("("):
            return G.Call(word, None, self._args(f"behind '{word}'", None), span=span.to(self.last))
        if not self.at("["):
            return G.Name(word, span=span)
        self.take()
        name_end = span
        bound = self._listed("]", f"behind what stands in the brackets of '{word}'")
        if self.at("("):
            return G.Call(word, bound, self._args(f"behind '{word}[...]'", None), span=span.to(self.last))
        if len(bound) == 1:
            return G.Index(G.Name(word, span=name_end), bound[0], span=span.to(self.last))
        if not bound:
            raise IrglError("an index is missing between the brackets", span.to(self.last), f"write {word}[v]")
        return G.Bound(word, bound, span=span.to(self.last))

    def _args(self, where: str, hint: str | None) -> tuple[G.Expr, ...]:
        self.want("(", where, hint)
        return self._listed(")", "behind the arguments")

    def _listed(self, close: str, where: str) -> tuple[G.Expr, ...]:
        found: list[G.Expr] = []
        while not self.at(close):
            found.append(self.expr())
            if not self.taken(","):
                break
        self.want(close, where)
        return tuple(found)

    def type(self) -> G.Type:
        """int ... string | ID | vertexset{ID} | edgeset{ID}(ID, ID [, weight]) | vector... | list{type} | queue"""
        self.down()
        found = self._type()
        self.up()
        return found

    def _type(self) -> G.Type:
        token = self.peek()
        span = token.span
        if token.kind == "id" or (token.kind == "word" and token.text in _SCALARS):
            self.take()
            return G.NamedType(token.text, span=span)
        if self.taken("vertexset"):
            return G.SetType(self._of_element("vertexset{Vertex}"), span=span.to(self.last))
        if self.taken("edgeset"):
            return self._edges(span)
        if self.taken("vector"):
            return self._vector(span)
        if self.taken("list"):
            self.want("{", "behind 'list'", "write list{vertexset{Vertex}}")
            of = self.type()
            self.want("}", "behind the type of the list's items")
            return G.ListType(of, span=span.to(self.last))
        if self.taken("priority_queue"):
            element = self._of_element("priority_queue{Vertex}(int)")
            self.want("(", "behind 'priority_queue{...}'", "write priority_queue{Vertex}(int)")
            of = self.type()
            self.want(")", "behind the type of priorities")
            return G.QueueType(element, of, span=span.to(self.last))
        if token.kind == "word" and token.text in LEFT_OVER:
            self.left_over(token)
        raise self.mistake(f"a type is wanted here, not {self.shown(token)}", _TYPES)

    def _edges(self, span: Span) -> G.EdgesType:
        element = self._of_element("edgeset{Edge}(Vertex, Vertex)")
        self.want("(", "behind 'edgeset{...}'", "write edgeset{Edge}(Vertex, Vertex)")
        ends = [self.name("an element").text]
        self.want(",", "between the elements of an edge's ends", "write edgeset{Edge}(Vertex, Vertex)")
        ends.append(self.name("an element").text)
        weight = None
        if self.taken(","):
            found = self.type()
            if not isinstance(found, G.NamedType) or found.name not in _SCALARS[:-2]:
                raise IrglError("weights are numbers", found.span, "write edgeset{Edge}(Vertex, Vertex, int)")
            weight = found
        self.want(")", "behind the ends of an edge")
        return G.EdgesType(element, tuple(ends), weight, span=span.to(self.last))

    def _vector(self, span: Span) -> G.VectorType:
        element, size = "", None
        if self.taken("["):
            size = self.expr()
            self.want("]", "behind the length of a vector")
        else:
            element = self._of_element("vector{Vertex}(int)")
        self.want("(", "behind 'vector'", "write vector{Vertex}(int)")
        of = self.type()
        self.want(")", "behind the type of a vector's values")
        return G.VectorType(element, size, of, span=span.to(self.last))

    def _of_element(self, usage: str) -> str:
        self.want("{", f"behind '{usage.split('{')[0]}'", f"write {usage}")
        name = self.name("an element").text
        self.want("}", "behind the element", f"write {usage}")
        return name


_INSTEAD = {"return": "a function's result is the variable behind ->", "=": "compare by ==, store by = in a statement",
            "!": "write `not`", "+": "numbers have no sign +", "end": None}
