"""Expressions and types in the notation for Python (docs/python.md)."""

from __future__ import annotations

import json
import keyword
from dataclasses import dataclass, field
from typing import assert_never

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import integer

#: How tightly Python holds an expression together, loosest first.
TERNARY, NOT, COMPARE, UNARY, POSTFIX, PRIMARY = 1, 4, 5, 12, 14, 15
BINARY = {"||": 2, "&&": 3, **dict.fromkeys(("==", "!=", "<", ">", "<=", ">="), COMPARE), "|": 6, "^": 7, "&": 8,
          "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11}  # fmt: skip
_WORDS = {"||": "or", "&&": "and"}
REDUCTIONS = {"+": "add", "-": "sub", "|": "bit_or", "&": "bit_and", "^": "bit_xor", "min": "min", "max": "max",
              "xchg": "xchg", "*": "mul", "/": "div", "%": "mod", "<<": "shl", ">>": "shr"}  # fmt: skip
#: Functions that Python has under the same name; the others are irgl's.
_BUILTIN = ("min", "max", "abs", "pow", "range", "hash", "print")
_OURS = ("sqrt", "cbrt", "exp", "expm1", "log", "log2", "log10", "log1p", "floor", "ceil", "trunc", "sin", "cos", "tan",
         "asin", "acos", "atan", "sinh", "cosh", "tanh", "atan2", "hypot", "isinf", "isnan", "popcount", "cas",
         "random", "oriented", "average_weight", "max_weight", "coordinate", "stop", "common", "clock")  # fmt: skip
_TYPES: dict[T.Type, str] = {T.INT: "int", T.DOUBLE: "float", T.BOOL: "bool", T.FLOAT: "irgl.float32",
                             T.AUTO: "irgl.auto", T.LOCK: "irgl.lock", T.VOID: "None"}  # fmt: skip


def spelt(name: str) -> str:
    """A name as Python can have it: its keywords get an underscore."""
    return f"{name}_" if keyword.iskeyword(name) else name


def type_and_lengths(t: T.Type) -> list[str]:
    """A type as an annotation, and behind it how many of its values a vector has, how many of these a vector of
    vectors."""
    lengths = []
    while isinstance(t, T.Vector):
        lengths.append(t.named or str(t.length))
        t = t.of
    return [type_text(t), *lengths]


def type_text(t: T.Type) -> str:
    """A type as an annotation."""
    if t in _TYPES:
        return _TYPES[t]
    match t:
        case T.Worklist():
            kind = t.kind if t.kind in ("list", "set") else f"irgl.{t.kind}"
            by = f', "{t.by}"' if t.by is not None and t.kind == T.QUEUE else ""
            text = f"{kind}[{type_text(t.item)}{by}]"
            return f"irgl.unique[{text}]" if t.unique else text
        case T.NodeT() | T.EdgeT():
            word = "irgl.node" if isinstance(t, T.NodeT) else "irgl.edge"
            return f'{word}["{t.graph}"]' if t.graph else word
        case T.Vector():
            return f"irgl.vector[{', '.join(type_and_lengths(t))}]"
        case T.Named():
            return t.name if not t.args else f"{t.name}[{', '.join(map(type_text, t.args))}]"
        case _:
            return f"irgl.{t}"


@dataclass(slots=True)
class Writer:
    """What a text's names are: `own` are declared somewhere in it, `lists` of them are worklists; `functions` are the
    program's; `wl` is the parameter that a kernel's own list is called."""

    own: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    wl: str = "wl"
    lists: set[str] = field(default_factory=set)

    def expr(self, e: A.Expr, least: int = 0) -> str:
        """The text of `e`, in parentheses where it holds together less than `least`."""
        text, level = self._text(e)
        return text if level >= least else f"({text})"

    def args(self, nodes: tuple[A.Expr, ...]) -> str:
        return ", ".join(self.expr(n) for n in nodes)

    def iterator(self, e: A.Expr) -> str:
        """What a loop runs over: a list itself yields its positions, its name alone its items."""
        match e:
            case A.Name(id=name) if name in self.lists:
                return f"{self.expr(e)}.positions"
            case A.Member(object=A.Name(id=name) as of, name="items") if name in self.lists:
                return self.expr(of)
        return self.expr(e)

    def call(self, kernel: str, args: tuple[A.Expr, ...], queue: str | None = None) -> str:
        given = [self.args(args)] if args else []
        given += [f"wl={spelt(queue)}"] if queue is not None else []
        return f"{spelt(kernel)}({', '.join(given)})"

    def _text(self, e: A.Expr) -> tuple[str, int]:
        match e:
            case A.Name():
                return self._name(e.id), PRIMARY
            case A.IntLit():
                text = integer(e.value, e.type)
                return (text, PRIMARY) if text.isdigit() else (f'irgl.literal("{text}")', POSTFIX)
            case A.FloatLit():
                return (f'irgl.literal("{e.text}f")', POSTFIX) if e.type == T.FLOAT else (e.text, PRIMARY)
            case A.BoolLit():
                return str(e.value), PRIMARY
            case A.StringLit():
                return json.dumps(e.value, ensure_ascii=False), PRIMARY
            case A.Unary(op="!"):
                return f"not {self.expr(e.operand, NOT)}", NOT
            case A.Unary():
                return f"{e.op}{self.expr(e.operand, UNARY)}", UNARY
            case A.Binary():
                return self._binary(e)
            case A.Conditional():
                test, then = self.expr(e.test, TERNARY + 1), self.expr(e.then, TERNARY + 1)
                return f"{then} if {test} else {self.expr(e.orelse, TERNARY)}", TERNARY
            case A.Cast():
                if isinstance(e.type, T.Int | T.Float | T.Bool) or e.type in (T.NODE, T.EDGE):
                    return f"{type_text(e.type)}({self.expr(e.operand)})", POSTFIX
                return f"irgl.cast({type_text(e.type)}, {self.expr(e.operand)})", POSTFIX
            case A.StructLit():
                return f"{type_text(e.type)}({self.args(e.values)})", POSTFIX
            case A.Call():
                return f"{self._function(e.function)}({self.args(e.args)})", POSTFIX
            case A.MethodCall():
                return f"{self._object(e.object)}.{spelt(e.name)}({self.args(e.args)})", POSTFIX
            case A.Member():
                return f"{self._object(e.object)}.{spelt(e.name)}", POSTFIX
            case A.Index():
                return f"{self._object(e.object)}[{self.expr(e.index)}]", POSTFIX
            case A.Relaxed():
                return f"irgl.relaxed.load({self.expr(e.location)})", POSTFIX
            case A.Reduce():
                return f"irgl.reduce.{REDUCTIONS[e.op]}({self.expr(e.target)}, {self.expr(e.value)})", POSTFIX
            case A.InvokeResult():
                return f"{e.reduction}({self.call(e.kernel, e.args)})", POSTFIX
            case _:
                assert_never(e)

    def _name(self, name: str) -> str:
        if name == "WL":
            return self.wl
        if name in self.own:
            return spelt(name)
        if name == "NONE":
            return "None"
        return f"irgl.{name}" if name in ("INF", "first") else spelt(name)

    def _function(self, name: str) -> str:
        if name not in self.functions and (name in _OURS or name == "auto" or (name in _BUILTIN and name in self.own)):
            return f"irgl.{name}"
        return spelt(name)

    def _binary(self, e: A.Binary) -> tuple[str, int]:
        mine = BINARY[e.op]
        # Python's comparisons chain: one inside another needs its parentheses on both sides.
        left = self.expr(e.left, mine + (mine == COMPARE))
        right = self.expr(e.right, mine + 1)
        if isinstance(e.right, A.Name) and right == "None" and e.op in ("==", "!="):
            return f"{left} {'is' if e.op == '==' else 'is not'} None", mine
        return f"{left} {_WORDS.get(e.op, e.op)} {right}", mine

    def _object(self, e: A.Expr) -> str:
        text = self.expr(e, POSTFIX)
        return f"({text})" if isinstance(e, A.IntLit | A.FloatLit) else text
