"""Expressions as .irgl text, with no more parentheses than their meaning needs."""

from __future__ import annotations

import re
from typing import assert_never

from irgl.ast import nodes as A
from irgl.ast import types as T

#: How tightly an expression holds together, loosest first. Binary operators stand between CONDITIONAL and CAST.
ASSIGNMENT, CONDITIONAL, CAST, UNARY, POSTFIX, PRIMARY = 0, 1, 20, 21, 22, 23

BINARY = {
    op: level
    for level, ops in enumerate(
        (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
         ("*", "/", "%")),
        start=2,
    )
    for op in ops
}  # fmt: skip
UNARY_OPS = ("-", "+", "!", "~")
REDUCTIONS = ("+", "-", "|", "&", "^", "min", "max", "xchg", "*", "/", "%", "<<", ">>")


def level(e: A.Expr) -> int:
    """The level of the loosest operator that stands open in the text of `e`."""
    match e:
        case A.Reduce():
            return ASSIGNMENT
        case A.Conditional():
            return CONDITIONAL
        case A.Binary():
            return BINARY[e.op]
        case A.Cast():
            return CAST
        case A.Unary() | A.Relaxed() | A.InvokeResult():
            return UNARY
        case A.IntLit():
            return PRIMARY if e.value >= 0 else UNARY
        case A.StructLit() | A.Call() | A.MethodCall() | A.Member() | A.Index():
            return POSTFIX
        case A.Name() | A.FloatLit() | A.BoolLit() | A.StringLit():
            return PRIMARY
        case _:
            assert_never(e)


def expression(e: A.Expr, least: int = ASSIGNMENT) -> str:
    """The text of `e`, in parentheses where it holds together less than `least`.

    A literal below 0, which no parser makes, is shown with its minus sign.
    """
    text = _text(e)
    return text if level(e) >= least else f"({text})"


def arguments(args: tuple[A.Expr, ...]) -> str:
    """`a, b, c`"""
    return ", ".join(expression(a) for a in args)


def call(function: str, args: tuple[A.Expr, ...]) -> str:
    """`f(a, b)`"""
    return f"{function}({arguments(args)})"


def _text(e: A.Expr) -> str:
    match e:
        case A.Name():
            return e.id
        case A.IntLit():
            return integer(e.value, e.type)
        case A.FloatLit():
            return e.text + ("f" if e.type == T.FLOAT else "")
        case A.BoolLit():
            return "true" if e.value else "false"
        case A.StringLit():
            return quoted(e.value)
        case A.Unary():
            inner = expression(e.operand, CAST)
            # `- -x` is not `--x`.
            return f"{e.op}({inner})" if inner.startswith(e.op) and e.op in "+-" else e.op + inner
        case A.Binary():
            mine = BINARY[e.op]
            return f"{expression(e.left, mine)} {e.op} {expression(e.right, mine + 1)}"
        case A.Conditional():
            return (
                f"{expression(e.test, CONDITIONAL + 1)} ? {expression(e.then)} : {expression(e.orelse, CONDITIONAL)}"
            )
        case A.Cast():
            return f"({e.type}){expression(e.operand, CAST)}"
        case A.StructLit():
            return f"({e.type}){{{arguments(e.values)}}}"
        case A.Call():
            return call(e.function, e.args)
        case A.MethodCall():
            return f"{_object(e.object)}.{call(e.name, e.args)}"
        case A.Member():
            return f"{_object(e.object)}.{e.name}"
        case A.Index():
            return f"{_object(e.object)}[{expression(e.index)}]"
        case A.Relaxed():
            return f"relaxed {expression(e.location, UNARY)}"
        case A.Reduce():
            return f"{expression(e.target, CONDITIONAL)} {e.op}= {expression(e.value)}"
        case A.InvokeResult():
            return f"{e.reduction.capitalize()} Invoke {call(e.kernel, e.args)}"
        case _:
            assert_never(e)


def _object(e: A.Expr) -> str:
    text = expression(e, POSTFIX)
    # `1.x` would read as a number.
    return f"({text})" if isinstance(e, A.IntLit | A.FloatLit) and not text.startswith("(") else text


def integer(value: int, kind: T.Type) -> str:
    """An integer literal that has this very type: `5`, `5u`, `5L`, `5uL`."""
    if value < 0:
        return "-" + integer(-value, kind)
    if not isinstance(kind, T.Int):
        return str(value)
    bits = 64 if value > T.Int(32, kind.signed).max else 32
    suffix = ("" if kind.signed else "u") + ("L" if kind.bits == 64 and bits == 32 else "")
    return f"{value}{suffix}"


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text: str) -> str:
    """A string literal."""
    # A control character as three octal digits: those can't swallow a digit that follows.
    escaped = (_ESCAPES.get(c) or (f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) == 127 else c) for c in text)
    return f'"{"".join(escaped)}"'


def first_word(text: str) -> str:
    """The identifier that a text begins with; '' where it begins with something else."""
    match = re.match(r"[A-Za-z_]\w*", text)
    return match.group() if match is not None else ""
