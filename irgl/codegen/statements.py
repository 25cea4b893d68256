"""Statements of helpers, kernels and the Program in C++: one function per declaration, the user's names and lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from irgl.analysis.none_values import follows_none
from irgl.analysis.symbols import Checked, KernelFacts, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.expressions import UPDATES, ExpressionsCxx
from irgl.codegen.names import cxx_type, inner, name, property_name, scalar_name, starts_as_none, zero

_COMPOUND = {"+", "-", "*", "|", "&", "^"}


class StatementsCxx:
    """Writes the lines of one function's body; `facts` are its kernel's."""

    watches_faults = True  # loops that may not end behind a fault ask for one

    def __init__(self, checked: Checked, facts: KernelFacts | None) -> None:
        self.checked = checked
        self.facts = facts
        self.ex = ExpressionsCxx(checked)
        self.lines: list[str] = []
        self.indent = 1
        self.loops: list[A.Stmt] = []
        self.depth = 0
        self.held = 0
        self.returns: T.Type = T.VOID
        self._line = (-1, "")

    # Text

    def put(self, text: str, node: A.Node | None = None) -> None:
        """One line of C++, after a #line where the source's line changes."""
        if node is not None and node.span is not None:
            path = node.span.source.path
            if (node.span.line, path) != self._line:
                shown = f' "{path}"' if path != self._line[1] else ""
                self.lines.append(f"#line {node.span.line}{shown}")
                self._line = (node.span.line, path)
        self.lines.append("  " * self.indent + text)

    @contextmanager
    def block(self, head: str, node: A.Node | None = None, tail: str = "}") -> Iterator[None]:
        self.put(head, node)
        self.indent += 1
        yield
        self.indent -= 1
        self.put(tail)

    def body(self, stmts: tuple[A.Stmt, ...]) -> None:
        for s in stmts:
            self.stmt(s)

    def type(self, t: T.Type) -> str:
        return cxx_type(t, self.checked)

    # Statements

    def stmt(self, s: A.Stmt) -> None:
        match s:
            case A.VarDecl():
                self.variable(s)
            case A.Assign():
                self._assign(s)
            case A.ExprStmt():
                self.expression(s)
            case A.Block():
                with self.block("{", s):
                    self.body(s.body)
            case A.If():
                self._if(s)
            case A.While():
                with self.block(f"while ({self.ex.truth(s.test)}) {{", s):
                    self._loop(s, s.body)
            case A.DoWhile():
                with self.block("do {", s, f"}} while ({self.ex.truth(s.test)});"):
                    self._loop(s, s.body)
            case A.CFor():
                self._c_for(s)
            case A.For():
                item = self._item_type(s)
                with self.block(f"for ({item} {name(s.var)} : {self._sequence(s)}) {{", s):
                    self._loop(s, s.body)
            case A.ForAll():
                self.for_all(s)
            case A.Break():
                self.put("break;", s)
            case A.Continue():
                self.put("return;" if isinstance(self.loops[-1], A.ForAll) else "continue;", s)
            case A.Return():
                self.put("return;" if s.value is None else f"return {self._return_value(s.value)};", s)
            case A.Labeled():
                self.put(f"// {s.label}:")
                self.stmt(s.body)
            case A.Atomic():
                self._atomic(s)
            case A.Exclusive():
                self._exclusive(s)
            case A.SyncRunningThreads():
                self.put("// SyncRunningThreads: a for_each ends when all threads have.", s)
            case A.ReduceAndReturn():
                self.put(f"any |= {self.ex.truth(s.value)};", s)
                self.put(f"all &= {self.ex.truth(s.value)};")
            case A.Retry() | A.Respawn():
                assert self.facts is not None
                word = "retry" if isinstance(s, A.Retry) else "respawn"
                self.put(f"wl.{word}(t, {self.ex.value(s.item, self.facts.worklist.item)});", s)
                if isinstance(s, A.Retry):
                    self.put("return;")
            case A.CBlock():
                for line in s.text.split("\n"):
                    self.put(line.strip(), s)
            case A.Invoke() | A.Iterate() | A.Pipe():
                self.orchestrate(s)
            case _:
                assert_never(s)

    def orchestrate(self, s: A.Invoke | A.Iterate | A.Pipe) -> None:
        raise AssertionError(f"orchestration outside the Program: {s}")

    def _loop(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...]) -> None:
        self.loops.append(loop)
        of_c = isinstance(loop, A.While | A.DoWhile | A.CFor)
        if of_c and self.watches_faults and follows_none(self.checked, self.checked.none, loop):
            self.put("if (irgl::faulted(c)) break;")
        self.body(stmts)
        self.loops.pop()

    def _return_value(self, e: A.Expr) -> str:
        return self.ex.value(e, self.returns)

    def variable(self, s: A.VarDecl) -> None:
        symbol = self.checked.symbols[s]
        t = symbol.type
        if isinstance(t, T.Worklist) and t.kind == "scratch":
            self.put(f"auto {name(s.name)} = irgl::scratch_bytemap(t, {self.ex.graph_of(t.item)}.n);", s)
            return
        if isinstance(t, T.Range):
            assert s.init is not None
            self.put(f"const auto {name(s.name)} = {self.ex.value(s.init)};", s)
            return
        const = "" if symbol.assigned or s.init is None else "const "
        if isinstance(t, T.Named) and t.name in self.checked.libraries:
            given = [zero(a, self.checked) for a in t.args if starts_as_none(a, self.checked)]
            self.put(f"{self.type(t)} {name(s.name)}({', '.join(['c', *given])});", s)
            return
        if s.init is None:
            plain = "{}" if self.checked.fields(t) is not None else " = 0"
            first = f" = {zero(t, self.checked)}" if starts_as_none(t, self.checked) else plain
            self.put(f"{self.type(t)} {name(s.name)}{first};", s)
            return
        self.put(f"{const}{self.type(t)} {name(s.name)} = {self.ex.value(s.init, t)};", s)

    def _assign(self, s: A.Assign) -> None:
        t = self.checked.types[s.target]
        location = self.ex.location(s.target)
        value = self.ex.value(s.value, t)
        if s.access != "plain" or s.target in self.checked.concurrent:
            self.put(f"irgl::store({location}, {value});", s)
        else:
            self.put(f"{location} = {value};", s)

    def expression(self, s: A.ExprStmt) -> None:
        e = s.value
        if isinstance(e, A.Reduce):
            self._update(e, s)
        elif isinstance(e, A.Call) and e.function == "print":
            self.put(f"{self._print(e)};", s)
        elif isinstance(e, A.Call) and e.function == "stop":
            self.put(f"return void(c.fault({self.ex.place(e)} | irgl::stop_fault));", s)
        else:
            self.put(f"{self.ex.value(e)};", s)

    def _update(self, e: A.Reduce, s: A.Stmt) -> None:
        local = isinstance(e.target, A.Name) and (
            self.checked.symbols[e.target].kind != "global" or e.target.id in self.ex.accumulators
        )
        t = self.checked.types[e.target]
        plain = local or self.checked.access.get(e.target, "own") in ("own", "once", "locked")
        value = self.ex.value(e.value, t)
        location = self.ex.location(e.target)
        if plain and e.op in _COMPOUND and not isinstance(t, T.Bool):
            self.put(f"{location} {e.op}= {value};", s)
        elif plain and e.op in ("|", "&") and isinstance(t, T.Bool):
            self.put(f"{location} {e.op}= {self.ex.truth(e.value)};", s)
        elif e.op in UPDATES:
            self.put(f"{self.ex.value(e)};", s)
        else:
            self._divide_or_shift(e, t, location, s)

    def _divide_or_shift(self, e: A.Reduce, t: T.Type, location: str, s: A.Stmt) -> None:
        own = self.checked.types[e.value]
        value = self.ex.value(e.value)
        if isinstance(t, T.Float) or isinstance(own, T.Float):
            self.put(f"{location} {e.op}= {value};", s)
            return
        function = {"/": "idiv", "%": "imod", "<<": "shl", ">>": "shr", "+": "", "*": ""}[e.op]
        if function in ("shl", "shr"):
            call = f"irgl::{function}<{self.type(T.promoted(t))}>({location}, {value})"
        else:
            call = f"irgl::{function}<{self.type(T.common(t, own))}>(c, {location}, {value}, {self.ex.place(e)})"
        self.put(f"{location} = {self.type(t)}({call});", s)

    def _print(self, e: A.Call) -> str:
        formats, args = [], []
        for a in e.args:
            t = self.checked.types[a]
            text = self.ex.value(a, T.EDGE if isinstance(t, T.EdgeT) else None)
            if isinstance(t, T.String):
                formats.append("%s")
                args.append(text)
            elif isinstance(t, T.Float):
                formats.append("%.9g" if t.bits == 32 else "%.17g")
                args.append(f"double({text})")
            else:
                formats.append("%lld")
                args.append(f"(long long)({text})")
        return f'fprintf(stderr, "{" ".join(formats)}\\n"{"".join(", " + a for a in args)})'

    def _if(self, s: A.If) -> None:
        self.put(f"if ({self.ex.truth(s.test)}) {{", s)
        self.indent += 1
        self.body(s.body)
        self.indent -= 1
        if s.orelse:
            self.put("} else {")
            self.indent += 1
            self.body(s.orelse)
            self.indent -= 1
        self.put("}")

    def _c_for(self, s: A.CFor) -> None:
        init, step = self._one_line(s.init), self._one_line(s.step)
        if init is not None and step is not None:
            test = "" if s.test is None else " " + self.ex.truth(s.test)
            with self.block(f"for ({init};{test};{' ' * bool(step)}{step}) {{", s):
                self._loop(s, s.body)
            return
        # The step is a block of its own, so that `continue` still runs it.
        with self.block("{", s):
            self.body(s.init)
            first = "first_" + str(len(self.loops))
            if s.step:
                self.put(f"bool {first} = true;")
            test = self.ex.truth(s.test) if s.test is not None else "true"
            with self.block("for (;;) {"):
                if s.step:
                    self.put(f"if (!{first}) {{")
                    self.indent += 1
                    self.body(s.step)
                    self.indent -= 1
                    self.put("}")
                    self.put(f"{first} = false;")
                self.put(f"if (!({test})) break;")
                self._loop(s, s.body)

    def _one_line(self, stmts: tuple[A.Stmt, ...]) -> str | None:
        """The statements as one C++ statement without its semicolon, where they are at most one."""
        if not stmts:
            return ""
        kept, line, self.lines = self.lines, self._line, []
        self.body(stmts)
        written = [text.strip() for text in self.lines if not text.startswith("#line")]
        self.lines, self._line = kept, line
        return written[0].removesuffix(";") if len(written) == 1 else None

    # Loops over iterators

    def _item_type(self, s: A.For | A.ForAll) -> str:
        return self.type(self.checked.symbols[s].type)

    def _sequence(self, s: A.For) -> str:
        """A range that C++'s own loop can walk."""
        t = self.checked.types[s.iterator]
        text = self.ex.iterator(s.iterator)
        plain = isinstance(t, T.Range) and not self._over_list(s.iterator)
        return text if plain else f"irgl::sequence({text})"

    def _over_list(self, iterator: A.Expr) -> bool:
        if isinstance(iterator, A.Member):
            t = self.checked.types[iterator.object]
            return isinstance(t, T.Worklist) or (isinstance(t, T.Named) and t.name in self.checked.libraries)
        return isinstance(self.checked.types[iterator], T.Worklist)

    def for_all(self, s: A.ForAll) -> None:
        """A ForAll is a call of for_each with the operator as a lambda (cpu_rt/executor.hpp)."""
        combined = self.checked.combined[s]
        outermost = self.depth == 0
        self.depth += 1
        self.ex.on_host = False
        before = set(self.ex.accumulators)
        targets = [self._combined_target(symbol) for symbol, _ in combined]
        reducers = [f"irgl::{how}({target})" for (_, how), target in zip(combined, targets, strict=True)]
        accumulators = [f"{self.type(symbol.type)}& {name(symbol.name)}" for symbol, _ in combined]
        if any(isinstance(n, A.ReduceAndReturn) for n in walk(s)):
            value = "value." if outermost else ""
            reducers += [f"irgl::any({value}any)", f"irgl::all({value}all)"]
            accumulators += ["bool& any", "bool& all"]
        self.ex.accumulators |= {symbol.name for symbol, _ in combined}
        again = outermost and self.facts is not None and self.facts.retries
        if outermost and self.facts is not None and self.facts.returns:
            self.put(f"value.items = value.items || irgl::has_items({self.ex.iterator(s.iterator)});", s)
        self.put("", s)
        head = len(self.lines) - 1
        operator = self._operator(s)
        uses = "\n".join(operator)
        params = [
            f"irgl::Thread&{' t' if _uses_word(uses, 't') else ''}",
            f"auto&{' ' + inner(self.depth) if _uses_word(uses, inner(self.depth)) else ''}",
            f"{self._item_type(s)} {name(s.var)}" if _uses_word(uses, name(s.var)) else self._item_type(s),
            *accumulators,
        ]
        target = "irgl::for_each(c" if outermost else f"{inner(self.depth - 1)}.for_each(t"
        capture = self._captures(s, uses) if outermost else "&"
        arguments = ", ".join([target, self._range(s, outermost), *reducers])
        self.lines[head] += f"{'do ' if again else ''}{arguments}, [{capture}]({', '.join(params)}) {{"
        self.lines += operator
        self.put("});")
        if again:
            self.put("while (wl.more());")
        self.ex.accumulators = before
        self.depth -= 1
        self.ex.on_host = self.depth == 0

    def _combined_target(self, symbol: Symbol) -> str:
        if symbol.kind == "global" and symbol.name not in self.ex.accumulators:
            return f"c.{scalar_name(symbol.name)}"
        return name(symbol.name)

    def _operator(self, s: A.ForAll) -> list[str]:
        kept, self.lines = self.lines, []
        self.indent += 1
        self._loop(s, s.body)
        self.indent -= 1
        operator, self.lines = self.lines, kept
        return operator

    def _captures(self, s: A.ForAll, uses: str) -> str:
        """Everything by value, so that each thread works on its own copies; the context and lists by reference."""
        references = ["&c"] if _uses_word(uses, "c") else []
        if _uses_word(uses, "wl"):
            references.append("&wl")
        shared: dict[str, None] = {}
        own = {self.checked.symbols[n] for n in walk(s) if isinstance(n, A.VarDecl)}
        for n in walk(s):
            if isinstance(n, A.Name) and (symbol := self.checked.symbols.get(n)) is not None and symbol not in own:
                t = symbol.type
                library = isinstance(t, T.Named) and t.name in self.checked.libraries
                if (isinstance(t, T.Worklist) and t.kind != "scratch") or library:
                    shared[name(symbol.name)] = None
        return ", ".join(["=", *references, *(f"&{n}" for n in shared if _uses_word(uses, n))])

    def _range(self, s: A.ForAll, outermost: bool) -> str:
        text = self.ex.iterator(s.iterator)
        if not outermost:
            return text
        weight = _edge_loop(s, self.checked)
        if weight is None or s in self.checked.none:  # NONE has no edges to count
            return f"irgl::costly({text}, 4)" if self._walks(s) else text
        parallel, graph, incoming = weight
        word = "by" if parallel else "even"
        return f"irgl::{word}_{'in' if incoming else 'out'}({name(graph or self.ex.graph)}, {text})"

    def _walks(self, s: A.Node) -> bool:
        """Does an iteration loop on its own account (a while, or a helper with one), so that it costs several edges?"""
        functions = self.checked.functions
        return any(
            isinstance(n, A.While | A.DoWhile)
            or (isinstance(n, A.Call) and n.function in functions and self._walks(functions[n.function]))
            for n in walk(s)
        )

    # Locks

    def _atomic(self, s: A.Atomic) -> None:
        assert isinstance(s.lock, A.Member)
        item = s.lock.object
        t = self.checked.types[item]
        locks = f"*{self.ex.graph_of(t)}.{property_name(s.lock.name)}"
        index = self.ex.item(item, T.NODE if isinstance(t, T.NodeT) else T.EDGE, s.lock)
        self.held += 1
        held = f"held_{self.held}"
        with self.block("{", s):
            if s.blocking:
                self.put(f"irgl::Lock {held}({locks}, t, size_t({index}));")
                self.body(s.body)
            else:
                self.put(f"irgl::TryLock {held}({locks}, t, size_t({index}));")
                self._locked(held, s.body, s.orelse)

    def _exclusive(self, s: A.Exclusive) -> None:
        t = self.checked.types[s.object]
        library = isinstance(t, T.Named) and t.name in self.checked.libraries
        owner = self.ex.value(s.object)
        self.held += 1
        held = f"held_{self.held}"
        with self.block("{", s):
            self.put(f"irgl::Exclusive {held}({owner + '.locks()' if library else '*' + owner + '.exclusive'}, t);")
            for e in s.elements:
                item = self.checked.types[e]
                value = self.ex.item(e, item, s)
                if isinstance(item, T.Named):
                    self.put(f"for (int64_t k = 0; k < {value}.size(); ++k) {held}.add({value}[k]);")
                else:
                    self.put(f"{held}.add({value});")
            self._locked(held, s.body, s.orelse)

    def _locked(self, held: str, body: tuple[A.Stmt, ...], orelse: tuple[A.Stmt, ...]) -> None:
        self.put(f"if ({held}) {{")
        self.indent += 1
        self.body(body)
        self.indent -= 1
        if orelse:
            self.put("} else {")
            self.indent += 1
            self.body(orelse)
            self.indent -= 1
        self.put("}")


def _edge_loop(s: A.ForAll, checked: Checked) -> tuple[bool, str, bool] | None:
    """Whether `s` runs over nodes and loops over their edges: (in parallel?, graph, incoming?); parallel ones first."""
    item = checked.symbols[s].type
    item = item.list.item if isinstance(item, T.Position) else item
    if not isinstance(item, T.NodeT):
        return None
    found: list[tuple[bool, str, bool]] = []
    for n in walk(s):
        if isinstance(n, A.For | A.ForAll) and n is not s:
            t = checked.types[n.iterator]
            if isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and t.item.graph == item.graph:
                found.append((isinstance(n, A.ForAll), item.graph, t.item.incoming))
    return max(found, key=lambda f: f[0], default=None)


def _uses_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        before = text[at - 1] if at > 0 else " "
        after = text[at + len(word)] if at + len(word) < len(text) else " "
        if not (before.isalnum() or before in "_.") and not (after.isalnum() or after == "_"):
            return True
        at = text.find(word, at + 1)
    return False
