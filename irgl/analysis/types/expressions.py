"""Types of expressions: names looked up, operators resolved, INF and NONE given the type of their context."""

from __future__ import annotations

from irgl.analysis.names import hints, remedies
from irgl.analysis.names import members as M
from irgl.analysis.names.conversions import graph_of, literal_value
from irgl.analysis.names.symbols import fail
from irgl.analysis.types.calls import Calls
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import IrglError

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_ARITHMETIC = ("+", "-", "*", "/")
_INTEGER_ONLY = ("%", "&", "|", "^", "<<", ">>")


class Expressions(Calls):
    """Types the expressions of one function, kernel or entry."""

    def _type(self, e: A.Expr) -> T.Type:
        match e:
            case A.Name():
                return self._name(e)
            case A.IntLit() | A.FloatLit():
                return e.type
            case A.BoolLit():
                return T.BOOL
            case A.StringLit():
                return T.STRING
            case A.Unary():
                return self._unary(e)
            case A.Binary():
                return self._binary(e)
            case A.Conditional():
                return self._conditional(e)
            case A.Cast():
                return self._cast(e)
            case A.StructLit():
                return self._struct_literal(e)
            case A.Call():
                return self.call(e)
            case A.MethodCall():
                return self.method(e)
            case A.Member():
                return self.member(e)
            case A.Index():
                return self.index(e)
            case A.Relaxed():
                if not self.is_location(e.location):
                    self.type(e.location)
                    fail("relaxed marks the load of a property, scalar or element", e, "write relaxed n.property")
                return self.type(e.location)
            case A.Reduce():
                return self.reduce(e)
            case A.InvokeResult():
                if self.place != "entry" or self.invoke is None:
                    fail("a kernel can't invoke a kernel", e, "invoke both from the Program")
                self.invoke(e)
                return T.BOOL
            case _:
                raise AssertionError(e)

    def _name(self, e: A.Name) -> T.Type:
        match e.id:
            case "INF":
                return T.INF
            case "NONE":
                return T.NOTHING
            case "WL":
                return self._implicit_worklist(e)
            case "first" if self.place == "constant":
                return T.NodeT(self.graph)
        if M.is_device_word(e.id):
            fail(f"'{e.id}' names the machine's threads", e, "the compiler owns those: iterate with ForAll")
        symbol = self.lookup(e.id)
        if symbol is None:
            if e.id in self.checked.functions or e.id in self.checked.kernels or e.id in M.FUNCTIONS:
                fail(
                    f"'{e.id}' is a {'kernel' if e.id in self.checked.kernels else 'function'}, not a variable",
                    e,
                    f"write Invoke {e.id}(...) in the Program"
                    if e.id in self.checked.kernels
                    else f"call it: {e.id}(...)",
                )
            if e.id == "first":
                fail(
                    "'first' stands only in the default of a parameter",
                    e,
                    "write node src = first in the Program's head",
                )
            fail(
                f"'{e.id}' is not declared",
                e,
                remedies.variable(self.checked, e.id, self.ended.get(e.id))
                or M.nearest(e.id, self.visible())
                or f"declare it first: int {e.id} = 0;",
            )
        if isinstance(symbol.type, T.Vector) and e is not self.indexed:
            fail("a vector can't stand here", e, f"name one of its values: {e.id}[k]")
        if symbol in self.reducing and self.depth > symbol.depth:
            fail(f"'{e.id}' is read while a ForAll reduces into it", e, "read it after the ForAll")
        self.checked.symbols[e] = symbol
        return symbol.type

    def _implicit_worklist(self, e: A.Name) -> T.Type:
        if self.facts is None and self.queue is not None:
            return self.queue
        if self.facts is None:
            fail("WL stands for a kernel's own worklist", e, "name the list: list<node> front;")
        return self.facts.worklist

    def _unary(self, e: A.Unary) -> T.Type:
        if e.op == "!":
            self.truth(e.operand, "'!'")
            return T.BOOL
        t = self.type(e.operand)
        if e.op == "-" and isinstance(t, T.Inf):
            return t
        if not T.is_number(t) or (e.op == "~" and isinstance(t, T.Float)):
            hint = "convert it to an integer" if isinstance(t, T.Float) else hints.number_from(self.checked, t)
            fail(f"'{e.op}' has no meaning for {T.bare(t)}", e, hint)
        return T.promoted(t)

    def _binary(self, e: A.Binary) -> T.Type:
        if e.op in ("&&", "||"):
            self.truth(e.left, f"'{e.op}'")
            self.truth(e.right, f"'{e.op}'")
            return T.BOOL
        left, right = self.type(e.left), self.type(e.right)
        if e.op in _ARITHMETIC and _is_open((e.left, e.right), (left, right)):
            return T.INF
        left = self._settle_beside(e.left, left, right)
        right = self._settle_beside(e.right, right, left)
        if isinstance(left, T.Inf) or isinstance(right, T.Inf):
            fail("INF needs a type here", e, "write (int)INF, or compare it with a variable")
        if e.op in _COMPARISONS and self._comparable_items(left, right):
            self._one_graph(e, left, right)
            return T.BOOL
        if not T.is_number(left) or not T.is_number(right):
            culprit = e.right if T.is_number(left) else e.left
            t = right if T.is_number(left) else left
            hint = hints.number_from(self.checked, t)
            fail(f"'{e.op}' has no meaning for {T.bare(left)} and {T.bare(right)}", culprit, hint)
        if e.op in _INTEGER_ONLY and (isinstance(left, T.Float) or isinstance(right, T.Float)):
            fail(f"'{e.op}' wants integers", e, "convert the operands: (long)(...)")
        if e.op in _COMPARISONS:
            return T.BOOL
        if e.op in ("<<", ">>"):
            return T.promoted(left)
        return T.common(left, right)

    def _conditional(self, e: A.Conditional) -> T.Type:
        self.truth(e.test, "the condition of '?:'")
        a, b = self.type(e.then), self.type(e.orelse)
        if _is_open((e.then, e.orelse), (a, b)):
            return T.INF
        a = self._settle_beside(e.then, a, b)
        b = self._settle_beside(e.orelse, b, a)
        if T.is_number(a) and T.is_number(b):
            return T.BOOL if isinstance(a, T.Bool) and isinstance(b, T.Bool) else T.common(a, b)
        if isinstance(a, T.Inf | T.Nothing) and a == b:
            return a
        if isinstance(a, T.EdgeT) and isinstance(b, T.EdgeT):
            self._one_graph(e, a, b)
            return T.EdgeT(a.incoming and b.incoming, a.graph)
        if isinstance(a, T.NodeT) and isinstance(b, T.NodeT):
            self._one_graph(e, a, b)
            return a
        if a == b and self.checked.fields(a) is not None:
            self.at_home(e.orelse, e.then)
            return a
        if T.bare(a) == T.bare(b):
            fail(f"'?:' can't choose between two of type {T.bare(a)}", e, "write if and else")
        raise IrglError(
            f"the branches of '?:' are {T.bare(a)} and {T.bare(b)}",
            e.span,
            "both must be numbers, nodes, edges or one struct",
        )

    def _cast(self, e: A.Cast) -> T.Type:
        t = self.type(e.operand, e.type)
        if not T.is_number(t) or not isinstance(e.type, T.Int | T.Float | T.Bool):
            hint = hints.conversion(self.checked, self.graph, t, e.type)
            if isinstance(e.operand, A.StringLit) and e.operand.value.lstrip("+-").lower() in ("inf", "infinity"):
                hint = "write INF"
            fail(f"{T.bare(t)} can't be converted to {T.bare(e.type)}", e, hint)
        return e.type

    def _struct_literal(self, e: A.StructLit) -> T.Type:
        fields = self.checked.fields(e.type)
        if fields is None:
            fail(
                f"{e.type} is not a struct",
                e,
                f"write ({e.type})(...) to convert a number" if T.is_number(e.type) else None,
            )
        if len(fields) != len(e.values):
            fail(
                f"{e.type} has {len(fields)} field{'s' * (len(fields) != 1)}, not {len(e.values)}",
                e,
                f"they are {', '.join(f'{t} {name}' for name, t in fields.items())}",
            )
        home = ""  # the graph of all its nodes and edges
        for value, (name, t) in zip(e.values, fields.items(), strict=True):
            self.value(value, self.of_graph(t, home), f"field '{name}'")
            home = home or graph_of(self.checked.types[value])
        return e.type


def _is_open(pair: tuple[A.Expr, A.Expr], types: tuple[T.Type, T.Type]) -> bool:
    """Is one of the two INF, and the other a bare whole number, which doesn't say what INF is?"""
    inf = [isinstance(t, T.Inf) for t in types]
    return inf != [True, True] and any(inf) and literal_value(pair[inf.index(False)]) is not None
