"""Statements of helpers, kernels and the Program in C++: one function per declaration, the user's names and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from irgl.analysis.effects.sequence import Holder
from irgl.analysis.effects.working import changes_if, own_variables, works
from irgl.analysis.names.methods import of_object
from irgl.analysis.names.symbols import Symbol
from irgl.analysis.names.vectors import variable_of
from irgl.analysis.values.none_values import follows_none
from irgl.analysis.values.overflow import counting
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.expressions import UPDATES
from irgl.codegen.cxx.for_all import counts_of
from irgl.codegen.cxx.names import name, starts_as_none, zero
from irgl.codegen.cxx.sweeps import SweepsCxx
from irgl.frontends.own_headers import BLOCK, BLOCK_END
from irgl.source import is_graphit

#: A member that is less than something. In the head of a `for`, nvcc takes `s.round <` for the beginning of a
#: template's arguments, where a function template of C's library is called as the member is.
_LESS = re.compile(r"(\.|->)\w+ < ")
_COMPOUND = {"+", "-", "*", "|", "&", "^"}


def begins_with_text(s: A.CBlock) -> A.CBlock:
    """A CBlock whose place is where its text begins, which may be lines behind its head."""
    if s.span is None:
        return s
    head, found, _ = s.span.source.text.split("\n", s.span.line - 1)[-1].partition(s.text)
    return replace(s, span=replace(s.span, line=s.span.line + head.count("\n"))) if found else s


class StatementsCxx(SweepsCxx):
    """Writes the statements of one function's body.

    `sequence_args`: who copies the items of a list that a sequential For walks, where that needs anybody. ways: which
    way loops go that a kernel has both ways, in a unit that notes it.
    """

    sequence_args: tuple[str, ...] = ()
    #: Of the loops around of which a profile tells: the variables that an iteration has to itself.
    own: tuple[set[Symbol], ...] = ()
    ways: Mapping[A.Stmt, str] = {}

    def stmt(self, s: A.Stmt) -> None:
        if self.own and self.ex.did and works(self.checked, s, self.own[-1]):
            self.put(f"{self.ex.did} = true;", s)
        match s:
            case A.VarDecl():
                self.variable(s)
            case A.Assign():
                with self._in_order(s, s):
                    self._assign(s)
            case A.ExprStmt():
                self.expression(s)
            case A.Sections():
                self.sections(s)
            case A.Block():
                with self.block("{", s):
                    self.body(s.body)
            case A.If():
                self.either(self.ex.truth(s.test), s.body, s.orelse, s)
            case A.While():
                with self.block(f"while ({self.ex.truth(s.test)}) {{", s):
                    self.loop_body(s, s.body)
            case A.DoWhile():
                with self.block("do {", s, f"}} while ({self.ex.truth(s.test)});"):
                    self.loop_body(s, s.body)
            case A.CFor():
                self._c_for(s)
            case A.For():
                item = self.item_type(s)
                with self.block(f"for ({item} {name(s.var)} : {self._sequence(s)}) {{", s):
                    self.loop_body(s, s.body)
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
                if s in self.ways:
                    self.put(f"irgl::goes(irgl::{self.ways[s]});")
                self.stmt(s.body)
            case A.Atomic():
                self.atomic(s)
            case A.Exclusive():
                self.exclusive(s)
            case A.SyncRunningThreads():
                self.put("// SyncRunningThreads: a for_each ends when all threads have.", s)
            case A.ReduceAndReturn():
                self.put(f"irgl::returned(any, all, {self.ex.truth(s.value)});", s)
            case A.Retry() | A.Respawn():
                assert self.facts is not None
                word = "retry" if isinstance(s, A.Retry) else "respawn"
                rank = self.rank(s) if isinstance(s, A.Respawn) else ""
                self.put(f"wl.{word}(t, {self.ex.value(s.item, self.facts.worklist.item)}{rank});", s)
                if isinstance(s, A.Retry):
                    self.put("return;")
            case A.CBlock():
                self.put(BLOCK)
                self._line = (-1, self._line[1])  # its lines are told by their numbers
                begin = begins_with_text(s)
                for line in s.text.split("\n"):
                    self.put(line.strip(), begin)
                self.put(BLOCK_END)
                self._line = (-1, self._line[1])
            case A.Invoke() | A.Iterate() | A.Pipe():
                self.orchestrate(s)
            case _:
                assert_never(s)

    def orchestrate(self, s: A.Invoke | A.Iterate | A.Pipe) -> None:
        raise AssertionError(f"orchestration outside the Program: {s}")

    def sections(self, s: A.Sections) -> None:
        """One part behind the other."""
        self.body(s.body)

    def loop_body(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...]) -> None:
        self.loops.append(loop)
        of_c = isinstance(loop, A.While | A.DoWhile | A.CFor)
        if of_c and self.watches_faults and follows_none(self.checked, self.checked.none, loop):
            self.leave_if_faulted()
        if loop in self.counted and self.counted[loop].slot >= 0:
            self._counted_body(loop, stmts)
        else:
            self.body(stmts)
        self.loops.pop()

    def _counted_body(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...]) -> None:
        """What one turn of a loop does, of which a profile tells."""
        assert isinstance(loop, A.For | A.ForAll)
        around, word = self.ex.did, f"_i{len(self.own) + 1}"
        kind = "Edge" if self.counts_at_once(loop) else "Iteration"
        self.put(f"irgl::{kind} {word}({counts_of(self.depth)}, {self.counted[loop].slot});")
        self.own = (*self.own, own_variables(self.checked, loop))
        self.ex.did = f"{word}.did"
        self.body(stmts)
        self.own, self.ex.did = self.own[:-1], around

    def rank(self, s: A.Respawn) -> str:
        """By what an item goes before others, as a further argument; '' where that is open."""
        assert self.facts is not None
        found = self.ranks.get(s)
        if found is None or self.facts.worklist.kind == "buckets":
            return ""
        return f", {self.ranked(found, self.ex.location(found.target))}"

    def leave_if_faulted(self) -> None:
        self.put("if (irgl::faulted(c)) break;")

    def _return_value(self, e: A.Expr) -> str:
        return self.ex.value(e, self.returns)

    def variable(self, s: A.VarDecl) -> None:
        symbol = self.checked.symbols[s]
        t = symbol.type
        if isinstance(t, T.Worklist) and t.kind == "scratch":
            self.put(f"auto {name(s.name)} = irgl::scratch_bytemap(t, {self.ex.graph_of(t.item)}.n);", s)
            return
        if isinstance(t, T.Worklist):
            self.put(f"{self.type(t)} {name(s.name)}({', '.join(['c', self.universe(t), *self.buckets_apart(t)])});", s)
            return
        if isinstance(t, T.Range):
            assert s.init is not None
            self.put(f"const auto {name(s.name)} = {self.ex.value(s.init)};", s)
            return
        if isinstance(t, T.Vector):
            first = "" if s.init is None else self.ex.converted(s.init, t.of)
            self.put(f"{self.type(t)} {name(s.name)}{{{first}}};", s)
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
        self.put(f"{self._quiet(symbol)}{const}{self.type(t)} {name(s.name)} = {self.ex.value(s.init, t)};", s)

    def _quiet(self, symbol: Symbol) -> str:
        """What stands before a node that the text may not name: what is asked of it may be known without it."""
        known = (e.object for e in self.ex.computed if isinstance(e, A.Member))
        return "[[maybe_unused]] " if any(self.checked.symbols.get(of) is symbol for of in known) else ""

    def universe(self, t: T.Worklist) -> str:
        """How many different items a list may hold; 0 for one that need not know."""
        graph = t.item.graph if isinstance(t.item, T.NodeT) and t.item.graph else self.ex.graph
        return f"size_t({name(graph)}.n)" if graph else "0"

    def buckets_apart(self, t: T.Worklist) -> list[str]:
        """How many of its buckets lie apart, where the target wants to know."""
        return [] if t.by is None else [str(t.by.buckets), *([str(t.by.first)] if t.by.first else [])]

    @contextmanager
    def _in_order(self, e: Holder, s: A.Stmt) -> Iterator[None]:
        """Where the order of operands matters, they are computed one after the other, in a block of their own."""
        clashing = self.ex.clashing(e)
        if not clashing:
            yield
            return
        with self.ex.computing(clashing) as lines, self.block("{", s):
            for line in lines:
                self.put(line, s)
            yield

    def _assign(self, s: A.Assign) -> None:
        t = self.checked.types[s.target]
        location = self.ex.location(s.target)
        value = self.ex.value(s.value, t)
        if (s.access != "plain" and self.ex.threaded) or self.ex.is_concurrent(s.target):
            self.put(f"irgl::store({location}, {value});", s)
        else:
            self.put(f"{location} = {value};", s)

    def expression(self, s: A.ExprStmt) -> None:
        e = s.value
        if isinstance(e, A.Reduce):
            with self._in_order(e, s):
                self._update(e, s)
        elif isinstance(e, A.Call) and e.function == "print":
            with self._in_order(e, s):
                self.put(f"{self._print(e)};", s)
        elif isinstance(e, A.Call) and e.function == "stop":
            self.put(f"return void(c.fault({self.ex.place(e)} | irgl::stop_fault));", s)
        else:
            self.put(f"{self.ex.value(e)};", s)

    def _update(self, e: A.Reduce, s: A.Stmt) -> None:
        variable = variable_of(self.checked, e.target)
        local = variable is not None and (
            self.checked.symbols[variable].kind != "global" or variable.id in self.ex.accumulators
        )
        t = self.checked.types[e.target]
        plain = local or (self.checked.access.get(e.target, "own") in ("own", "once", "locked")
                          and not self.ex.is_watched(e.target))
        value = self.ex.value(e.value, t)
        location = self.ex.location(e.target)
        modular = self.ex.modular_update(e) if plain and e not in self.counting else None
        if modular is not None:
            self.put(f"irgl::{modular}({location}, {value});", s)
        elif self.ex.did and changes_if(self.checked, e):
            self.put(f"{self.ex.value(e)};", s)
        elif plain and e.op in _COMPOUND and not isinstance(t, T.Bool):
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
        """What the interpreter prints: floating-point numbers by 6 digits, as C++ streams do. A program in a language
        whose programs have stdout to themselves prints there, each line as it comes."""
        formats, args = [], []
        for a in e.args:
            t = self.checked.types[a]
            text = self.ex.value(a, T.EDGE if isinstance(t, T.EdgeT) else None)
            if isinstance(t, T.String):
                formats.append("%s")
                args.append(text)
            elif isinstance(t, T.Float):
                formats.append("%g")
                args.append(f"double({text})")
            elif isinstance(t, T.Bool):
                formats.append("%s")
                args.append(f'({text} ? "true" : "false")')
            elif isinstance(t, T.Int) and not t.signed:
                formats.append("%llu")
                args.append(f"(unsigned long long)({text})")
            else:
                formats.append("%lld")
                args.append(f"(long long)({text})")
        shown = f'"{" ".join(formats)}\\n"{"".join(", " + a for a in args)}'
        if e.span is not None and is_graphit(e.span.source.path):
            return f"fprintf(stdout, {shown}), fflush(stdout)"
        return f"fprintf(stderr, {shown})"

    def _c_for(self, s: A.CFor) -> None:
        self.counting |= counting(self.checked, s)
        init, step = self._one_line(s.init), self._one_line(s.step)
        if init is not None and step is not None:
            test = "" if s.test is None else " " + _apart(self.ex.truth(s.test))
            with self.block(f"for ({init};{test};{' ' * bool(step)}{step}) {{", s):
                self.loop_body(s, s.body)
            return
        # The step is a block of its own, so that `continue` still runs it.
        with self.block("{", s):
            self.body(s.init)
            first, declared = self.flag(f"first_{len(self.loops)}")
            if s.step:
                self.put(f"{declared} = true;")
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
                self.loop_body(s, s.body)

    def flag(self, word: str) -> tuple[str, str]:
        """A truth value that a loop keeps between its turns, and its declaration."""
        return word, f"bool {word}"

    def _one_line(self, stmts: tuple[A.Stmt, ...]) -> str | None:
        """The statements as one C++ statement without its semicolon, where they are at most one."""
        if not stmts:
            return ""
        kept, line, self.lines = self.lines, self._line, []
        self.body(stmts)
        written = [text.strip() for text in self.lines if not text.startswith("#line")]
        self.lines, self._line = kept, line
        return written[0].removesuffix(";") if len(written) == 1 else None

    def _sequence(self, s: A.For) -> str:
        """A range that C++'s own loop can walk."""
        t = self.checked.types[s.iterator]
        text = self.ex.iterator(s.iterator)
        plain = isinstance(t, T.Range) and not of_object(self.checked, s.iterator)
        return text if plain else f"irgl::sequence({', '.join([*self.sequence_args, text])})"


def _apart(test: str) -> str:
    """The condition of a `for` as nvcc reads it."""
    return f"({test})" if _LESS.search(test) else test
