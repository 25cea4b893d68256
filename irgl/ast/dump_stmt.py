"""Statements as .irgl text: lists of lines, not yet indented."""

from __future__ import annotations

from typing import assert_never

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import CONDITIONAL, arguments, call, expression, first_word

INDENT = "    "

#: Words that begin a statement of the language: an expression statement that begins with one is put in parentheses.
STATEMENT_WORDS = frozenset(
    ("ForAll", "For", "ReduceAndReturn", "Atomic", "Exclusive", "SyncRunningThreads", "Retry", "Respawn", "Invoke",
     "Iterate", "Pipe", "Sections", "CBlock", "racy", "relaxed")
)  # fmt: skip


def initialiser(value: A.Expr | None) -> str:
    """`= value`, or nothing."""
    return "" if value is None else f" = {expression(value)}"


def braced(head: str, body: tuple[A.Stmt, ...], tail: str = "") -> list[str]:
    """The lines of `head { body } tail`."""
    lead = f"{head} " if head else ""
    if not body:
        return [f"{lead}{{}}{tail}"]
    return [f"{lead}{{", *_indented(body), f"}}{tail}"]


def _indented(body: tuple[A.Stmt, ...]) -> list[str]:
    return [INDENT + line for s in body for line in statement(s)]


def _then(lines: list[str], head: str, body: tuple[A.Stmt, ...]) -> list[str]:
    """`lines`, whose last is a closing brace, with one more branch."""
    more = braced(f"{lines[-1]} {head}", body)
    return [*lines[:-1], *more]


def statement(s: A.Stmt) -> list[str]:
    """The lines of a statement, not indented."""
    match s:
        case A.VarDecl():
            return [f"{T.declaration(s.type, s.name)}{initialiser(s.init)};"]
        case A.Assign():
            if s.access == "plain":
                return [f"{_simple(s)};"]
            return [f"{s.access} {expression(s.target, CONDITIONAL)} = {expression(s.value)};"]
        case A.ExprStmt():
            return [f"{_simple(s)};"]
        case A.Block():
            return braced("", s.body)
        case A.If():
            return _if(s)
        case A.While():
            return braced(f"while ({expression(s.test)})", s.body)
        case A.DoWhile():
            return braced("do", s.body, f" while ({expression(s.test)});")
        case A.CFor():
            init = _for_init(s.init)
            test = "" if s.test is None else f" {expression(s.test)}"
            step = "".join(f"{', ' if i else ' '}{_simple(x)}" for i, x in enumerate(s.step))
            return braced(f"for ({init};{test};{step})", s.body)
        case A.For():
            return braced(f"For ({s.var} In {expression(s.iterator)})", s.body)
        case A.ForAll():
            return braced(f"ForAll ({s.var} In {expression(s.iterator)})", s.body)
        case A.Break():
            return ["break;"]
        case A.Continue():
            return ["continue;"]
        case A.Return():
            return ["return;" if s.value is None else f"return {expression(s.value)};"]
        case A.Labeled():
            first, *rest = statement(s.body)
            return [f"{s.label}: {first}", *rest]
        case A.Atomic():
            lines = braced(f"Atomic ({expression(s.lock)})", s.body)
            return lines if s.blocking else _then(lines, "Else", s.orelse)
        case A.Exclusive():
            lines = braced(f"Exclusive ({expression(s.object)}, [{arguments(s.elements)}])", s.body)
            return lines if not s.orelse else _then(lines, "Else", s.orelse)
        case A.SyncRunningThreads():
            return ["SyncRunningThreads;"]
        case A.ReduceAndReturn():
            return [f"ReduceAndReturn({expression(s.value)});"]
        case A.Retry():
            return [f"Retry {_item(s.item)};"]
        case A.Respawn():
            return [f"Respawn {_item(s.item)};"]
        case A.CBlock():
            newline = "\n" if "\n" in s.text else ""
            # One "line" whatever it holds: its text stays as it is, to the letter.
            return [f"CBlock reads({arguments(s.reads)}) writes({arguments(s.writes)}) {{{newline}{s.text}}}"]
        case A.Invoke():
            on = "" if s.queue is None else f" WL {s.queue}"
            return [f"Invoke {call(s.kernel, s.args)}{on};"]
        case A.Iterate():
            mode = "" if s.mode == "worklist" else f"{s.mode.capitalize()} {s.reduction.capitalize()} "
            head = f"Iterate {mode}{call(s.kernel, s.args)}{initial(s.initial, ' ')}"
            return braced(head, s.body) if s.body else [f"{head};"]
        case A.Pipe():
            return braced(f"Pipe{' Once' if s.once else ''}{initial(s.initial, ' ')}", s.body)
        case A.Sections():
            return braced("Sections", s.body)
        case _:
            assert_never(s)


def _item(e: A.Expr) -> str:
    """What stands after Retry or Respawn: those words are only words of the language before a name or a `(`."""
    text = expression(e)
    return text if first_word(text) or text.startswith("(") else f"({text})"


def _if(s: A.If) -> list[str]:
    lines = braced(f"if ({expression(s.test)})", s.body)
    if not s.orelse:
        return lines
    if len(s.orelse) == 1 and isinstance(s.orelse[0], A.If):
        first, *rest = _if(s.orelse[0])
        return [*lines[:-1], f"{lines[-1]} else {first}", *rest]
    return _then(lines, "else", s.orelse)


def _simple(s: A.Stmt) -> str:
    """A store or an expression, without `;`."""
    match s:
        case A.Assign():
            return f"{_leading(s.target, CONDITIONAL)} = {expression(s.value)}"
        case A.ExprStmt(value=A.Reduce() as r):
            return f"{_leading(r.target, CONDITIONAL)} {r.op}= {expression(r.value)}"
        case A.ExprStmt():
            return _leading(s.value, 0)
        case _:
            raise AssertionError(f"{type(s).__name__} is no expression statement")


def _leading(e: A.Expr, least: int) -> str:
    """An expression at the start of a statement."""
    text = expression(e, least)
    return f"({text})" if first_word(text) in STATEMENT_WORDS else text


def _for_init(init: tuple[A.Stmt, ...]) -> str:
    if not init:
        return ""
    if isinstance(init[0], A.VarDecl):
        decls = [s for s in init if isinstance(s, A.VarDecl)]
        return f"{init[0].type} " + ", ".join(f"{d.name}{initialiser(d.init)}" for d in decls)
    return ", ".join(map(_simple, init))


def initial(i: A.Initial | None, lead: str = "") -> str:
    """`Initial [...]` or `Initial (...)`, with `lead` before it; "" for none."""
    match i:
        case None:
            return ""
        case A.InitialItems():
            return f"{lead}Initial [{arguments(i.items)}]"
        case A.InitialIterator():
            return f"{lead}Initial ({expression(i.iterator)})"
        case _:
            assert_never(i)
