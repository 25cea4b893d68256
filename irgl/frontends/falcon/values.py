"""Expressions of a .fal file as irgl's."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, equal, walk
from irgl.frontends.falcon import tree as F
from irgl.frontends.falcon.unit import ITERATORS, MAX_INT, NUMBERS, TYPES, UPDATES, Thing, Unit, called, near
from irgl.frontends.free_names import LocalNames
from irgl.frontends.literals import floating, integer
from irgl.source import IrglError, Span

_FUNCTIONS = ("abs", "sqrt", "pow", "exp", "log", "floor", "ceil")
_OCTAL = frozenset("01234567")
#: What changes a graph, which is not supported.
_CHANGES = ("addPoint", "addEdge", "delPoint", "delEdge", "deletePoint", "deleteEdge")
UNITES = ("unite", "Union", "union")
#: What Sets and Collections can do: how many Points it is given, irgl's word, and the kind of the value.
_DOES = {"Set": {"find": (1, "find", "Point"), "same": (2, "same", "number"),
                 **dict.fromkeys(UNITES, (2, "unite", "number"))},
         "Collection": {"add": (1, "push", ""), "clear": (0, "clear", "")}}  # fmt: skip
READ = "write graph.read(argv[1]); before it"


class Value(NamedTuple):
    """kind is number, Point, Edge, Graph, Set, Collection, argv, or '' where there is no value."""

    expr: A.Expr
    kind: str


class Values:
    """Lowers expressions of main (`host`) or of a foreach. captured: main's variables that a foreach is given."""

    def __init__(self, unit: Unit, names: LocalNames, scopes: list[dict[str, Thing]], host: bool) -> None:
        self.unit, self.names, self.scopes, self.host = unit, names, scopes, host
        self.captured: dict[str, A.Param] = {}
        self.calls: tuple[str, ...] = ()

    def lookup(self, word: str, span: Span) -> Thing:
        for scope in (*reversed(self.scopes), self.unit.things):
            if word in scope:
                thing = scope[word]
                if thing.where == "main" and not self.host:
                    self.captured.setdefault(thing.name, A.Param(TYPES[thing.kind], thing.name, None, (), span=span))
                return thing
        if word == "argc":
            raise IrglError("'argc' is not supported", span, "each argv[k] that main asks for has to be given")
        if word == "argv":
            raise IrglError("'argv' is main's alone", span, "write main(int argc, char *argv[]), and read it there")
        known = {w for scope in (*self.scopes, self.unit.things) for w in scope}
        hint = "write it as a property: point." + word if word in self.unit.points else near(word, known)
        raise IrglError(f"'{word}' is not declared", span, hint)

    def number(self, e: F.Expr) -> A.Expr:
        return self.of_kind(e, "number")

    def of_kind(self, e: F.Expr, kind: str) -> A.Expr:
        """The value of an expression that has to be of a kind: int and others are all numbers."""
        wanted = "number" if kind in NUMBERS else kind
        found = self.value(e)
        if found.kind != wanted:
            hint = {"argv": "write atoi(argv[k])", "Point": "numbers are its properties"}.get(found.kind)
            raise IrglError(f"{called(wanted)} is wanted here, and this is {called(found.kind)}", e.span, hint)
        return found.expr

    def value(self, e: F.Expr) -> Value:
        span = e.span
        match e:
            case F.Name("MAX_INT"):
                return Value(A.IntLit(MAX_INT, T.INT, span=span), "number")
            case F.Name(word):
                thing = self.lookup(word, span)
                if thing.kind == "Graph" and not self.unit.read:
                    raise IrglError(f"'{word}' has no Points yet", span, READ)
                return Value(thing.make(span), "number" if thing.kind in NUMBERS else thing.kind)
            case F.Number(text):
                real = not text.isdigit() and text[:2] not in ("0x", "0X")
                if text.isdigit() and text[0] == "0" and not _OCTAL.issuperset(text):
                    raise IrglError(f"'{text[:40]}' is no number: one that begins with 0 is octal", span,
                                    "leave the 0 out")
                return Value(floating(text, span) if real else integer(text, span), "number")
            case F.Truth(value):
                return Value(A.BoolLit(value, span=span), "number")
            case F.Unary(op, operand):
                inner = self.number(operand)
                return Value(inner if op == "+" else A.Unary(op, inner, span=span), "number")
            case F.Binary(op, left, right):
                first = self.value(left)
                kind = first.kind if op in ("==", "!=") and first.kind in ("Point", "Edge") else "number"
                before = first.expr if kind == first.kind else self.number(left)
                return Value(A.Binary(op, before, self.of_kind(right, kind), span=span), "number")
            case F.Choice(test, then, orelse):
                chosen = self.value(then)
                other = self.of_kind(orelse, chosen.kind)
                return Value(A.Conditional(self.number(test), chosen.expr, other, span=span), chosen.kind)
            case F.Cast(word, operand):
                return Value(A.Cast(TYPES[word], self.number(operand), span=span), "number")
            case F.Call(word, args):
                return self._call(word, args, span)
            case F.Method(of, word, args):
                return self._method(of, word, args, span)
            case F.Member(of, word):
                return self._member(of, word, span)
            case F.Index(F.Member(of, "points"), index):
                self.of_kind(of, "Graph")
                graph = A.Name("g", span=span)
                return Value(A.MethodCall(graph, "node", (self.number(index),), span=span), "Point")
            case F.Index(of, _) if isinstance(of, F.Name) and self.lookup(of.id, of.span).kind == "argv":
                raise IrglError("a number is wanted here, and this is a text", span, "write atoi(argv[k])")
            case F.Index():
                raise IrglError("nothing has an index here but points and argv", span, "write graph.points[i]")

    def _call(self, word: str, args: tuple[F.Expr, ...], span: Span) -> Value:
        if word in UPDATES:
            raise IrglError(f"{word} is a statement, and has no value", span,
                            f"write {word}(place, value, flag); the flag becomes 1 where it changes something")
        if word in ("atoi", "atof") and word not in self.unit.funcs:
            k = argument(args[0] if len(args) == 1 else None)
            if k is None or k == self.unit.read or not isinstance(args[0], F.Index):
                raise IrglError(f"{word} wants one of argv", span, "write atoi(argv[2]); the graph is read, too")
            self.of_argv(args[0])
            param = A.Param(T.INT if word == "atoi" else T.DOUBLE, f"argv{k}", None, (), span=span)
            if self.unit.arguments.setdefault(k, param).type != param.type:
                raise IrglError(f"argv[{k}] is a whole number and a real one", span, "use atoi alone, or atof alone")
            if not self.host:
                self.captured.setdefault(param.name, A.Param(param.type, param.name, None, (), span=span))
            return Value(A.Name(param.name, span=span), "number")
        if word in self.unit.funcs:
            func = self.unit.funcs[word]
            match func.body:
                case (F.Return(value=result),) if result is not None and func.kind not in ("", "void"):
                    return self._inlined(func, args, result, span)
            raise IrglError(f"'{word}' has no value, or is more than `return value;`", span,
                            "a function in an expression is one return; others are called as statements")
        if word not in _FUNCTIONS:
            raise IrglError(f"there is no function '{word}'", span, near(word, (*self.unit.funcs, *_FUNCTIONS)))
        return Value(A.Call(word, tuple(self.number(a) for a in args), span=span), "number")

    def _inlined(self, func: F.Func, args: tuple[F.Expr, ...], result: F.Expr, span: Span) -> Value:
        """The value of a function that is one expression, in which arguments stand for parameters."""
        things: dict[str, Thing] = {}
        for p, a in self.given(func, args, span):
            value = as_kind(self.of_kind(a, p.kind), p.kind, a.span)
            if unites(value):
                raise IrglError("a function of one return may look at this several times", a.span,
                                "store it first: bool joined = set.unite(p, q);")
            way = self.lookup(a.id, a.span).way if isinstance(a, F.Name) and p.kind == "Point" else None
            things[p.name] = Thing(p.kind, "fixed", p.name, self._again(value), way)
        around, self.scopes, self.calls = (self.scopes, self.calls), [things], (*self.calls, func.name)
        found = self.of_kind(result, func.kind)
        self.scopes, self.calls = around
        return Value(as_kind(found, func.kind, span), "number" if func.kind in NUMBERS else func.kind)

    def _again(self, e: A.Expr) -> Callable[[Span], A.Expr]:
        """Writes an expression wherever it is wanted."""
        size = sum(1 for _ in walk(e))

        def make(span: Span) -> A.Expr:
            self.unit.spend(size, span)
            return copied(e)

        return make

    def given(self, func: F.Func, args: tuple[F.Expr, ...], span: Span) -> list[tuple[F.Param, F.Expr]]:
        """Parameters with their arguments. Raises IrglError where they don't match, and where a function calls itself.
        """
        if func.name in self.calls:
            raise IrglError(f"'{func.name}' calls itself", span, "functions can't: write a loop")
        if len(args) != len(func.params):
            raise IrglError(f"'{func.name}' is given {len(args)} of {len(func.params)} arguments", span,
                            f"it takes {', '.join(f'{p.kind} {p.name}' for p in func.params) or 'none'}")
        self.unit.called.add(func.name)
        self.unit.spend(10, span)
        return list(zip(func.params, args, strict=True))

    def _method(self, of: F.Expr, word: str, args: tuple[F.Expr, ...], span: Span) -> Value:
        if word in _CHANGES:
            raise IrglError(f"'{word}' is not supported", span,
                            "graphs stay as they are read: mark Points and Edges by a property")
        base = self.value(of)
        if base.kind in _DOES:
            return self._of_many(of, base, word, args, span)
        self.of_kind(of, "Graph")
        if word != "getweight":
            raise IrglError(f"a Graph has no '{word}' with a value", span, "write graph.getweight(p, t)")
        if len(args) != 2:
            raise IrglError(f"getweight takes two Points, not {len(args)}", span, "write graph.getweight(p, t)")
        first, second = (self.of_kind(a, "Point") for a in args)
        weight = self.unit.asked_weight(span)
        for near_end, far_end, ways in ((first, args[1], ("outnbrs", "nbrs")), (second, args[0], ("innbrs", "nbrs"))):
            way = self.lookup(far_end.id, span).way if isinstance(far_end, F.Name) else None
            if way is not None and way[2] in ways and equal(way[1], near_end):
                return Value(A.Member(A.Name(way[0], span=span), weight, span=span), "number")
        edge = A.MethodCall(first, "edge_to", (second,), span=span)
        return Value(A.Member(edge, weight, span=span), "number")

    def _of_many(self, of: F.Expr, base: Value, word: str, args: tuple[F.Expr, ...], span: Span) -> Value:
        """What a Set or Collection does."""
        if word not in _DOES[base.kind]:
            known = ", ".join(w for w in _DOES[base.kind] if w not in UNITES[1:])
            raise IrglError(f"a {base.kind} has no '{word}(...)'", span, f"it has {known}" +
                            (", and .size" if base.kind == "Collection" else ""))
        count, ours, kind = _DOES[base.kind][word]
        if len(args) != count:
            raise IrglError(f"'{word}' takes {('nothing', 'one Point', 'two Points')[count]}, not {len(args)}", span)
        points = [self.of_kind(a, "Point") for a in args]
        if ours == "clear" and not self.host:
            raise IrglError("'clear' stands in a foreach", span,
                            "write it in main; a Collection that an iteration declares is empty each time")
        if base.kind == "Set":
            points = [A.Member(p, "id", span=p.span) for p in points]
        elif ours == "push" and isinstance(of, F.Name) and self.lookup(of.id, span).where == "kernel":
            ours = "append"
        made = A.MethodCall(base.expr, ours, tuple(points), span=span)
        if kind == "Point":
            made = A.MethodCall(A.Name("g", span=span), "node", (made,), span=span)
        return Value(made, kind)

    def _member(self, of: F.Expr, word: str, span: Span) -> Value:
        base = self.value(of)
        if base.kind == "Collection" and word == "size":
            return Value(A.Cast(T.INT, A.Member(base.expr, word, span=span), span=span), "number")
        if (base.kind, word) in ITERATORS:
            raise IrglError(f"'{word}' is what foreach runs over", span, f"write foreach (t In ... .{word})")
        if base.kind == "Graph" and word in ("npoints", "nedges"):
            count = A.Member(base.expr, "num_nodes" if word == "npoints" else "num_edges", span=span)
            return Value(A.Cast(T.INT, count, span=span), "number")
        if base.kind == "Edge" and word in ("src", "dst"):
            return Value(A.Member(base.expr, word, span=span), "Point")
        known = {"Point": self.unit.points, "Edge": self.unit.edges}.get(base.kind, {})
        if base.kind == "Edge" and word == "weight":
            return Value(A.Member(base.expr, self.unit.asked_weight(span), span=span), "number")
        if word not in known:
            hint = near(word, known)
            if hint is None and base.kind in ("Point", "Edge"):
                hint = f"declare it in main: graph.add{base.kind}Property({word}, int);"
            raise IrglError(f"{called(base.kind)} has no '{word}'", span, hint)
        name, kind = known[word]
        return Value(A.Member(base.expr, name, span=span), "number" if kind in NUMBERS else kind)

    def of_argv(self, e: F.Index) -> None:
        """Raises IrglError where this is no argument of main's."""
        if not isinstance(e.object, F.Name) or self.lookup(e.object.id, e.object.span).kind != "argv":
            raise IrglError("this is none of the program's arguments", e.span, "write argv[1]")


def argument(e: F.Expr | None) -> int | None:
    """The k of argv[k], from 1 to 99; None where an expression is something else."""
    match e:
        case F.Index(F.Name(), F.Number(text)) if text.isdigit() and text[0] != "0" and len(text) <= 2:
            return int(text)
    return None


def as_kind(e: A.Expr, kind: str, span: Span) -> A.Expr:
    """A value as a parameter or function of a type has it."""
    return A.Cast(TYPES[kind], e, span=span) if kind in NUMBERS else e


def unites(e: A.Node) -> bool:
    """Does an expression unite sets, which each look at it would do again?"""
    return any(isinstance(n, A.MethodCall) and n.name == "unite" for n in walk(e))

