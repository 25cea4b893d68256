"""The grammar: pycparser's recursive descent for C, with IrGL's declarations, statements and updates hooked in.

Hooks hand over `Parsed` nodes, which carry finished nodes of our own syntax; `Lowering` turns everything else that
pycparser made into ours. pycparser's nodes never leave this package.
"""

from __future__ import annotations

from typing import Any, NoReturn

from pycparser import c_ast
from pycparser.c_parser import CParser

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.lexer import Lexer, blank_comments, refuse_foreign, set_raw_blocks_aside
from irgl.frontends.lower import Lowering, Parsed
from irgl.source import IrglError, Source, Span

NEEDS = ("directed", "undirected", "simple", "sorted", "weighted", "transpose")
_REDUCTIONS = ("min", "max", "xchg")


class Grammar(CParser):  # type: ignore[misc]
    """Parses one source. `known` are type names that imports have declared; `generics` their library types."""

    def __init__(self, source: Source, known: set[str], generics: set[str]) -> None:
        super().__init__(lexer=Lexer)
        self.source = source
        self._last: Any = None
        self._ranges: dict[int, tuple[Any, Any]] = {}
        self._keep: list[Any] = []
        self.lower = Lowering(self._span_of)
        assert isinstance(self.clex, Lexer)
        self.clex.generics |= {*T.KINDS, "node", "edge", *generics}
        self._known = set(T.NAMES) - {"void", "float", "double", "_Bool"} | known

    def program(self) -> A.Program:
        """The whole source. Raises IrglError at the first thing that is not part of the language."""
        text, self._raw = set_raw_blocks_aside(self.source, blank_comments(self.source))
        refuse_foreign(self.source, text)
        try:
            tree = self.parse(text, self.source.path)
        except RecursionError:
            raise IrglError("nested too deeply", None, "split the expression or the block", file=self.source.path) from None
        decls: list[A.Decl] = []
        for item in tree.ext:
            decls.extend(self.lower.declaration(item))
        return A.Program(tuple(decls), span=Span(self.source, 1, 1, 1, 1))

    # Positions

    def _advance(self) -> Any:
        self._last = super()._advance()
        return self._last

    def _token_span(self, first: Any, last: Any = None) -> Span:
        last = first if last is None else last
        lines = last.value.split("\n")
        end = last.column + len(last.value) if len(lines) == 1 else len(lines[-1]) + 1
        return Span(self.source, first.lineno, first.column, last.lineno + len(lines) - 1, end)

    def _spanned(self, node: Any, first: Any) -> Any:
        if node is not None and first is not None and self._last is not None:
            self._ranges[id(node)] = (first, self._last)
            self._keep.append(node)
        return node

    def _span_of(self, node: c_ast.Node) -> Span:
        found = self._ranges.get(id(node))
        if found is not None:
            return self._token_span(*found)
        spans = [self._span_of(child) for _, child in node.children()]
        coord = node.coord
        if coord is not None:
            spans.append(Span(self.source, coord.line, coord.column or 1, coord.line, (coord.column or 1) + 1))
        if not spans:
            return Span(self.source, 1, 1, 1, 2)
        first = min(spans, key=lambda s: (s.line, s.column))
        return first.to(max(spans, key=lambda s: (s.end_line, s.end_column)))

    def _parse_error(self, msg: str, coord: Any) -> NoReturn:
        line, column = getattr(coord, "line", None), getattr(coord, "column", None)
        if line is None:
            self._fail_at_end()
        text = self.source.line(line)
        column = column or 1
        if msg.startswith("before: "):
            word = msg.removeprefix("before: ")
            raise IrglError(f"syntax error before '{word}'", self._word(line, column, word), self._hint(line, column))
        word = text[column - 1 : column]
        raise IrglError(msg[:1].lower() + msg[1:], self._word(line, column, word or " "), None)

    def _word(self, line: int, column: int, word: str) -> Span:
        return Span(self.source, line, column, line, column + max(1, len(word)))

    def _fail_at_end(self) -> NoReturn:
        lines = self.source.text.rstrip().split("\n")
        where = Span(self.source, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 2)
        raise IrglError("the text ends in the middle of something", where, "is a '}' or a ';' missing?")

    def _hint(self, line: int, column: int) -> str | None:
        before = self.source.line(line)[: column - 1].strip()
        if not before and self._last is not None and self._last.value not in (";", "{", "}"):
            return "is a ';' missing at the end of the line before?"
        return None

    def _expect(self, token_type: str) -> Any:
        if self._peek() is None:
            self._fail_at_end()
        return super()._expect(token_type)

    # Words

    def _is_type_in_scope(self, name: str) -> bool:
        if "<" in name or name in self._known:
            return all(scope.get(name, True) for scope in self._scope_stack)
        return bool(super()._is_type_in_scope(name))

    def _at_word(self, *words: str, k: int = 1) -> bool:
        token = self._peek(k)
        return token is not None and token.type in ("ID", "TYPEID") and token.value in words

    def _take_word(self, *words: str) -> Any:
        if not self._at_word(*words):
            self._unexpected(" or ".join(f"'{w}'" for w in words))
        return self._advance()

    def _unexpected(self, wanted: str) -> NoReturn:
        token = self._peek()
        if token is None:
            self._fail_at_end()
        raise IrglError(f"expected {wanted}, found '{token.value}'", self._token_span(token), None)

    def _take_name(self, what: str) -> str:
        token = self._peek()
        if token is None:
            self._fail_at_end()
        if token.type != "ID":
            kind = "a type" if token.type == "TYPEID" else "no name"
            raise IrglError(f"expected the name of {what}, found '{token.value}'", self._token_span(token),
                            f"'{token.value}' is {kind}")
        name: str = self._advance().value
        return name

    def _expression(self) -> A.Expr:
        return self.lower.expr(self._parse_assignment_expression())

    def _type(self) -> T.Type:
        first = self._peek()
        spec, saw_type, _ = self._parse_declaration_specifiers(allow_no_type=True)
        if not saw_type and not spec["type"]:
            if first is None:
                self._fail_at_end()
            raise IrglError(f"expected a type, found '{first.value}'", self._token_span(first), "is it declared above?")
        return self.lower.specifier(spec, self._token_span(first, self._last))

    def _stmts(self) -> tuple[A.Stmt, ...]:
        """The statements of a `{ block }`."""
        if self._peek_type() != "LBRACE":
            self._unexpected("'{'")
        return self.lower.body(self._parse_compound_statement())

    # Declarations

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        first = self._peek()
        if first is None:
            self._fail_at_end()
        second = self._peek_type(2)
        if first.type in ("ID", "TYPEID"):
            handler = {
                "import": self._import if second == "STRING_LITERAL" else None,
                "graph": self._graph_type if second in ("ID", "TYPEID") else None,
                "library": self._library if second in ("ID", "TYPEID") else None,
                "Kernel": self._kernel if second in ("ID", "TYPEID") else None,
                "Program": self._entry if second in ("ID", "TYPEID") else None,
            }.get(first.value)
            if handler is not None:
                self._advance()
                return [Parsed(handler(first))]
        if first.type in ("ID", "INT_CONST_DEC") and not self._starts_declaration():
            hint = "a program holds graph types, structs, scalars, functions, kernels and one Program"
            if first.value in ("Graph", "kernel", "program", "ForAll", "Pipe", "Iterate", "Invoke"):
                hint = {"Graph": "declare it first: graph Graph { node int level = INF; }",
                        "kernel": "it is spelt Kernel", "program": "it is spelt Program"}.get(
                            first.value, "statements stand in a Kernel or in the Program")
            raise IrglError(f"'{first.value}' does not begin a declaration", self._token_span(first), hint)
        nodes: list[c_ast.Node] = super()._parse_external_declaration()
        for node in nodes:
            self._spanned(node, first)
            if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Struct):
                self._known.add(node.type.name)
        return nodes

    def _import(self, first: Any) -> A.Decl:
        token = self._advance()
        self._expect("SEMI")
        return A.Import(token.value[1:-1], span=self._token_span(first, token))

    def _declare_type(self, what: str) -> str:
        token = self._peek()
        if token is not None and token.type == "TYPEID":
            raise IrglError(f"'{token.value}' is a type already", self._token_span(token), "choose another name")
        name = self._take_name(what)
        self._known.add(name)
        return name

    def _graph_type(self, first: Any) -> A.Decl:
        name = self._declare_type("a graph type")
        span = self._token_span(first, self._last)
        self._expect("LBRACE")
        properties = []
        while not self._accept("RBRACE"):
            start = self._peek()
            if not self._at_word("node", "edge"):
                raise IrglError(f"expected 'node' or 'edge', found '{start.value}'" if start else "missing '}'",
                                self._token_span(start) if start else span,
                                "a property reads: node int level = INF;")
            owner = self._advance().value
            kind = self._type()
            while True:
                at = self._peek()
                prop = self._take_name("a property")
                init = self._expression() if self._accept("EQUALS") else None
                properties.append(A.Property(owner, kind, prop, init, span=self._token_span(at)))
                if not self._accept("COMMA"):
                    break
            self._expect("SEMI")
        self._accept("SEMI")
        return A.GraphType(name, tuple(properties), span=span)

    def _params(self, entry: bool) -> tuple[A.Param, ...]:
        self._expect("LPAREN")
        params: list[A.Param] = []
        while self._peek_type() != "RPAREN":
            if params:
                self._expect("COMMA")
            needs = []
            while entry and self._at_word(*NEEDS) and self._peek_type(2) in ("ID", "TYPEID"):
                needs.append(self._advance().value)
            kind = self._type()
            at = self._peek()
            name = self._take_name("a parameter")
            default = self._default() if entry and self._accept("EQUALS") else None
            params.append(A.Param(kind, name, default, tuple(needs), span=self._token_span(at)))
        self._expect("RPAREN")
        return tuple(params)

    def _default(self) -> A.Expr:
        first = self._accept("AUTO")
        if first is None:
            return self._expression()
        if not self._accept("LPAREN"):
            raise IrglError("auto needs the value to use until a tuner knows better", self._token_span(first),
                            "write auto(EXPRESSION)")
        value = self._expression()
        self._expect("RPAREN")
        return A.Call("auto", (value,), span=self._token_span(first, self._last))

    def _scoped(self, params: tuple[A.Param, ...]) -> None:
        self._push_scope()
        for p in params:
            self._add_identifier(p.name, None)

    def _kernel(self, first: Any) -> A.Decl:
        name = self._take_name("a kernel")
        span = self._token_span(first, self._last)
        params = self._params(entry=False)
        worklist = None
        if self._at_word("WL"):
            self._advance()
            worklist = self._type()
        self._scoped(params)
        body = self._stmts()
        self._pop_scope()
        return A.Kernel(name, params, worklist, body, span=span)

    def _entry(self, first: Any) -> A.Decl:
        name = self._take_name("a program")
        span = self._token_span(first, self._last)
        params = self._params(entry=True)
        clauses: list[A.Clause] = []
        while self._peek_type() != "LBRACE":
            clauses.append(self._clause())
        self._scoped(params)
        body = self._stmts()
        self._pop_scope()
        return A.Entry(name, params, tuple(clauses), body, span=span)

    def _clause(self) -> A.Clause:
        first = self._take_word("verify", "tolerance", "any_valid")
        if first.value == "any_valid":
            return A.AnyValid(span=self._token_span(first))
        if first.value == "tolerance":
            return A.Tolerance(self._expression(), span=self._token_span(first, self._last))
        verifier = self._take_name("a verifier")
        roles: list[A.Role] = []
        self._expect("LPAREN")
        while not self._accept("RPAREN"):
            if roles:
                self._expect("COMMA")
            at = self._peek()
            role = self._take_name("a role")
            self._expect("EQUALS")
            roles.append(A.Role(role, self._expression(), span=self._token_span(at, self._last)))
        return A.Verify(verifier, tuple(roles), span=self._token_span(first, self._last))

    def _library(self, first: Any) -> A.Decl:
        generic = self._advance().value
        name, _, rest = generic.partition("<")
        params = tuple(p for p in rest.rstrip(">").split(", ") if p)
        span = self._token_span(first, self._last)
        header = self._expect("STRING_LITERAL").value[1:-1]
        self._known |= {name, *params}
        assert isinstance(self.clex, Lexer)
        self._expect("LBRACE")
        features: list[A.Feature] = []
        while not self._accept("RBRACE"):
            features.append(self._feature())
        self._accept("SEMI")
        self._known -= set(params)
        return A.Library(name, params, header, tuple(features), span=span)

    def _feature(self) -> A.Feature:
        first = self._peek()
        if self._at_word("iterator") or self._at_word("elements"):
            word = self._advance().value
            item = self._type()
            if word == "elements":
                self._expect("SEMI")
                return A.Elements(item, span=self._token_span(first, self._last))
            name = self._take_name("an iterator")
            self._expect("SEMI")
            return A.Iterator(item, name, span=self._token_span(first, self._last))
        effect = self._advance().value if self._at_word("reads", "writes", "appends") else "reads"
        kind = self._type()
        name = self._take_name("a feature")
        if self._accept("SEMI"):
            return A.Attribute(kind, name, span=self._token_span(first, self._last))
        params = self._params(entry=False)
        forms = []
        while not self._accept("SEMI"):
            level = self._take_word("thread", "warp", "threadblock", "task")
            self._expect("LPAREN")
            function = self._take_name("an aggregated form")
            self._expect("RPAREN")
            forms.append(A.Cooperative(level.value, function, span=self._token_span(level, self._last)))
        return A.Method(kind, name, params, effect, tuple(forms), span=self._token_span(first, self._last))

    def _parse_declaration(self) -> list[c_ast.Node]:
        if self._peek_type() != "AUTO":
            nodes: list[c_ast.Node] = super()._parse_declaration()
            return nodes
        self._advance()
        at = self._peek()
        name = self._take_name("a variable")
        if not self._accept("EQUALS"):
            raise IrglError(f"'{name}' has neither type nor value", self._token_span(at),
                            "give it a type, or a first value")
        init = self._expression()
        self._expect("SEMI")
        self._add_identifier(name, None)
        return [Parsed(A.VarDecl(T.AUTO, name, init, span=self._token_span(at)))]

    # Statements

    def _parse_statement(self) -> c_ast.Node:
        first = self._peek()
        if first is not None and first.type in ("ID", "TYPEID"):
            handler = self._statement_hook(first)
            if handler is not None:
                self._advance()
                return self._spanned(Parsed(handler(first)), first)
        if first is not None and first.type in ("SWITCH", "GOTO", "CASE", "DEFAULT"):
            raise IrglError(f"'{first.value}' is not part of the language", self._token_span(first),
                            "write it with if, while, break and continue")
        return self._spanned(super()._parse_statement(), first)

    def _statement_hook(self, first: Any) -> Any:
        second = self._peek(2)
        after = second.type if second is not None else ""
        call, name = after == "LPAREN", after in ("ID", "TYPEID")
        match first.value:
            case "ForAll" | "For" if call:
                return self._loop
            case "ReduceAndReturn" if call:
                return self._reduce_and_return
            case "Atomic" if call:
                return self._atomic
            case "Exclusive" if call:
                return self._exclusive
            case "SyncRunningThreads" if after in ("SEMI", "LPAREN"):
                return self._sync
            case "Retry" | "Respawn" if name or call:
                return self._retry
            case "Invoke" if name:
                return self._invoke
            case "Iterate" if name:
                return self._iterate
            case "Pipe" if name or after == "LBRACE":
                return self._pipe
            case "CBlock" if name or after == "LBRACE":
                return self._cblock
            case "racy" if name:
                return self._access
            case "relaxed" if name:
                return self._relaxed_statement
            case _:
                return None

    def _loop(self, first: Any) -> A.Stmt:
        self._expect("LPAREN")
        if first.value == "For" and self._peek_type(2) not in ("ID", "TYPEID"):
            raise IrglError("For runs over an iterator", self._token_span(first), "C's loop is spelt for")
        self._push_scope()
        var = self._take_name("the loop's variable")
        self._take_word("In")
        iterator = self._expression()
        self._expect("RPAREN")
        span = self._token_span(first, self._last)
        self._add_identifier(var, None)
        body = self.lower.body(self._parse_statement())
        self._pop_scope()
        return (A.ForAll if first.value == "ForAll" else A.For)(var, iterator, body, span=span)

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
        while self._accept("COMMA"):
            items.append(self._expression())
        self._expect("RBRACKET")
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

    def _call(self) -> tuple[str, tuple[A.Expr, ...]]:
        kernel = self._take_name("a kernel")
        self._expect("LPAREN")
        args: list[A.Expr] = []
        while self._peek_type() != "RPAREN":
            if args:
                self._expect("COMMA")
            args.append(self._expression())
        self._expect("RPAREN")
        return kernel, tuple(args)

    def _invoke(self, first: Any) -> A.Stmt:
        kernel, args = self._call()
        span = self._token_span(first, self._last)
        self._expect("SEMI")
        return A.Invoke(kernel, args, span=span)

    def _initial(self) -> A.Initial | None:
        if not self._at_word("Initial"):
            return None
        first = self._advance()
        if self._peek_type() == "LBRACKET":
            return A.InitialItems(self._bracketed(), span=self._token_span(first, self._last))
        return A.InitialIterator(self._in_parens(), span=self._token_span(first, self._last))

    def _iterate(self, first: Any) -> A.Stmt:
        mode, reduction = "worklist", ""
        if self._at_word("While", "Until"):
            mode = self._advance().value.lower()
            reduction = self._take_word("Any", "All").value.lower()
        elif self._at_word("Any", "All") and self._peek_type(2) == "ID":
            raise IrglError(f"Iterate {self._peek().value} says neither While nor Until", self._token_span(first),
                            f"write Iterate While {self._peek().value} ...")
        kernel, args = self._call()
        initial = self._initial()
        span = self._token_span(first, self._last)
        body = () if self._accept("SEMI") else self._stmts()
        return A.Iterate(mode, reduction, kernel, args, initial, body, span=span)

    def _pipe(self, first: Any) -> A.Stmt:
        once = self._at_word("Once")
        if once:
            self._advance()
        initial = self._initial()
        span = self._token_span(first, self._last)
        return A.Pipe(once, initial, self._stmts(), span=span)

    def _cblock(self, first: Any) -> A.Stmt:
        if self._peek_type() == "LBRACE":
            return A.Block(self._stmts(), span=self._token_span(first))
        sets: dict[str, list[A.Expr]] = {"reads": [], "writes": []}
        while self._at_word("reads", "writes"):
            chosen = sets[self._advance().value]
            self._expect("LPAREN")
            while not self._accept("RPAREN"):
                if chosen:
                    self._accept("COMMA")
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

    def _relaxed_statement(self, first: Any) -> A.Stmt:
        return self._access(first)

    # Expressions

    def _parse_assignment_expression(self) -> c_ast.Node:
        first = self._peek()
        left = self._parse_conditional_expression()
        if self._at_word(*_REDUCTIONS) and self._peek_type(2) == "EQUALS":
            op = self._advance().value
            self._advance()
            right = self._parse_assignment_expression()
            node = A.Reduce(op, self.lower.expr(left), self.lower.expr(right), span=self._token_span(first, self._last))
            return self._spanned(Parsed(node), first)
        if self._is_assignment_op():
            op = self._advance().value
            right = self._parse_assignment_expression()
            return self._spanned(c_ast.Assignment(op, left, right, left.coord), first)
        return self._spanned(left, first)

    def _parse_conditional_expression(self) -> c_ast.Node:
        first = self._peek()
        return self._spanned(super()._parse_conditional_expression(), first)

    def _parse_unary_expression(self) -> c_ast.Node:
        first = self._peek()
        if self._at_word("Any", "All"):
            second = self._peek(2)
            wrapped = second is not None and second.type == "LPAREN" and self._at_word("Invoke", k=3)
            if wrapped or (second is not None and second.value == "Invoke" and self._peek_type(3) == "ID"):
                reduction = self._advance().value.lower()
                if wrapped:
                    self._advance()
                self._advance()
                kernel, args = self._call()
                if wrapped:
                    self._expect("RPAREN")
                node = A.InvokeResult(reduction, kernel, args, span=self._token_span(first, self._last))
                return self._spanned(Parsed(node), first)
        if self._at_word("relaxed") and self._peek_type(2) == "ID":
            self._advance()
            inner = self._parse_unary_expression()
            node2 = A.Relaxed(self.lower.expr(inner), span=self._token_span(first, self._last))
            return self._spanned(Parsed(node2), first)
        return self._spanned(super()._parse_unary_expression(), first)

    def _parse_postfix_expression(self) -> c_ast.Node:
        first = self._peek()
        return self._spanned(super()._parse_postfix_expression(), first)

    def _parse_primary_expression(self) -> c_ast.Node:
        first = self._peek()
        if first is not None and first.type in ("SIZEOF", "_ALIGNOF"):
            raise IrglError(f"'{first.value}' is not part of the language", self._token_span(first), None)
        return self._spanned(super()._parse_primary_expression(), first)

    def _parse_cast_expression(self) -> c_ast.Node:
        first = self._peek()
        return self._spanned(super()._parse_cast_expression(), first)
