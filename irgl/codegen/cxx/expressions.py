"""Expressions in C++: structured, with only the parentheses that precedence asks for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import assert_never

from irgl.analysis.effects.working import adds, changes_if
from irgl.analysis.names.vectors import of_vector, variable_of
from irgl.analysis.values.constants import constants
from irgl.analysis.values.overflow import can_overflow
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.code import CONDITIONAL, UNARY, Code, escaped
from irgl.codegen.cxx.helpers import appending
from irgl.codegen.cxx.members import MembersCxx
from irgl.codegen.cxx.names import cxx_type, name, type_name
from irgl.passes.parts.intersections import AUTO, HASH

_PRECEDENCE = {
    **dict.fromkeys(("*", "/", "%"), 12),
    **dict.fromkeys(("+", "-"), 11),
    **dict.fromkeys(("<", "<=", ">", ">="), 9),
    **dict.fromkeys(("==", "!="), 8),
    "&": 7,
    "^": 6,
    "|": 5,
    "&&": 4,
    "||": 3,
}
#: What + - * and += -= *= are called where nothing makes C++'s own wrap around.
_MODULAR = {"+": "plus", "-": "minus", "*": "times"}
_MODULAR_UPDATES = {"+": "plain_add", "-": "plain_sub", "*": "plain_mul"}
UPDATES = {"+": "add", "-": "sub", "|": "or", "&": "and", "^": "xor", "min": "min", "max": "max", "xchg": "xchg"}


class ExpressionsCxx(MembersCxx):
    """Emits the expressions of one function."""

    #: May C++ take for granted that a sum of signed numbers does not overflow? Sums are calls then.
    modular = False
    #: Variables of 32 bits that stay as they are, by which many numbers may be divided; and those by which some are.
    divisors: frozenset[str] = frozenset()
    divided: set[str]
    #: How calls of `common` go through rows: those in loops of kernels, and all others.
    intersections: Mapping[A.Call, str] = MappingProxyType({})
    intersection = AUTO
    #: A call whose value is at hand, and where.
    found: tuple[A.Call, str] | None = None
    #: May threads mark rows for them?
    marks = True
    #: Where an iteration of which a profile tells notes that it did something; '' in all other code.
    did = ""

    @cached_property
    def constants(self) -> Mapping[str, A.Expr]:
        """Program scalars that are numbers of the generated text."""
        return constants(self.checked)

    def raw(self, e: A.Expr) -> Code:
        t = self.checked.types[e]
        match e:
            case A.Name():
                return self._name(e, t)
            case A.IntLit():
                return Code(_integer(e.value, t))
            case A.FloatLit():
                text = e.text if any(c in e.text for c in ".eExX") else e.text + ".0"
                return Code(text + ("f" if e.type == T.FLOAT else ""))
            case A.BoolLit():
                return Code("true" if e.value else "false")
            case A.StringLit():
                return Code(f'"{escaped(e.value)}"')
            case A.Unary():
                return self._unary(e)
            case A.Binary():
                return self._binary(e, t)
            case A.Conditional():
                then, orelse = self._as(e.then, t), self._as(e.orelse, t)
                return Code(
                    f"{self.code(e.test, T.BOOL).at(3)} ? {then.at(CONDITIONAL)} : {orelse.at(CONDITIONAL)}",
                    CONDITIONAL,
                )
            case A.Cast():
                return self._cast(e, t)
            case A.StructLit():
                fields = self.checked.fields(e.type) or {}
                values = ", ".join(self.converted(v, ft) for v, ft in zip(e.values, fields.values(), strict=True))
                return Code(f"{type_name(str(e.type))}{{{values}}}")
            case A.Call():
                return self._call(e, t)
            case A.MethodCall():
                return self._method(e)
            case A.Member():
                return self._member(e)
            case A.Index():
                return self._index(e)
            case A.Relaxed():
                if not self.threaded:
                    return self.code(e.location)
                return self._weight(e.location) or Code(f"irgl::load({self.location(e.location)})")
            case A.Reduce():
                return self._reduce(e)
            case A.InvokeResult():
                assert self.invoke is not None
                return Code(self.invoke(e))
            case _:
                assert_never(e)

    def _name(self, e: A.Name, t: T.Type) -> Code:
        if e.id == "INF":
            return Code(f"irgl::highest<{cxx_type(t, self.checked)}>()")
        if e.id == "NONE":
            return Code(f"{cxx_type(t, self.checked)}(-1)")
        if e.id == "WL":
            return Code("wl")
        symbol = self.checked.symbols[e]
        if symbol.kind == "global" and e.id not in self.accumulators:
            if e.id in self.constants:
                return Code(self.converted(self.constants[e.id], symbol.type))
            location = self.scalar(e.id)
            return Code(f"irgl::load({location})" if self.is_concurrent(e) else location)
        return Code(self.variable(symbol))

    def _unary(self, e: A.Unary) -> Code:
        if e.op == "!":
            return Code("!" + self.code(e.operand, T.BOOL).at(UNARY), UNARY)
        if e.op == "-" and self.modular and can_overflow(self.checked, e):
            wrapping = cxx_type(T.promoted(self.checked.types[e.operand]), self.checked)
            return Code(f"irgl::negative<{wrapping}>({self.value(e.operand)})")
        inner_code = self.code(e.operand).at(UNARY)
        space = " " if inner_code.startswith(e.op) else ""
        return Code(f"{e.op}{space}{inner_code}", UNARY)

    def _binary(self, e: A.Binary, t: T.Type) -> Code:
        if e.op in ("&&", "||"):
            level = _PRECEDENCE[e.op]
            # C++ compilers warn of && inside || without parentheses.
            bind = level if e.op == "&&" else 5
            a, b = self.code(e.left, T.BOOL), self.code(e.right, T.BOOL)
            a_text = a.text if a.level == level else a.at(bind)
            return Code(f"{a_text} {e.op} {b.at(5)}", level)
        left, right = self.checked.types[e.left], self.checked.types[e.right]
        if e.op in ("<<", ">>"):
            function = "shl" if e.op == "<<" else "shr"
            return Code(f"irgl::{function}<{cxx_type(t, self.checked)}>({self.value(e.left)}, {self.value(e.right)})")
        both = T.common(left, right) if T.is_number(left) and T.is_number(right) else None
        if e.op in ("/", "%") and isinstance(t, T.Int) and not (isinstance(e.right, A.IntLit) and e.right.value > 0):
            function = "idiv" if e.op == "/" else "imod"
            if e.op == "/" and t == T.INT and isinstance(e.right, A.Name) and e.right.id in self.divisors:
                self.divided.add(e.right.id)
                return Code(f"irgl::idiv(c, {self.value(e.left)}, divisor_{e.right.id}, {self.place(e)})")
            return Code(
                f"irgl::{function}<{cxx_type(t, self.checked)}>(c, {self.value(e.left)}, {self.value(e.right)}, "
                f"{self.place(e)})"
            )
        if self.modular and e.op in _MODULAR and both is not None and can_overflow(self.checked, e):
            sides = ", ".join(self._operand(x, both, CONDITIONAL) for x in (e.left, e.right))
            return Code(f"irgl::{_MODULAR[e.op]}<{cxx_type(both, self.checked)}>({sides})")
        level = _PRECEDENCE[e.op]
        left_text, right_text = self._operand(e.left, both, level), self._operand(e.right, both, level + 1)
        return Code(f"{left_text} {e.op} {right_text}", level)

    def _operand(self, e: A.Expr, both: T.Type | None, level: int) -> str:
        """An operand, converted where C++ would warn or, for a node's number, where it would not widen."""
        t = self.checked.types[e]
        code = self.code(e, t.of if isinstance(t, T.Reduced) else None)
        if isinstance(both, T.Int) and isinstance(T.promoted(t), T.Int) and T.promoted(t) != both:
            literal = isinstance(e, A.IntLit)
            own = T.promoted(t)
            assert isinstance(own, T.Int)
            if own.signed != both.signed and not literal:
                return f"{cxx_type(both, self.checked)}({code.text})"
        if isinstance(t, T.EdgeT) and t.incoming:
            return self.code(e, T.EDGE).at(level)
        return code.at(level)

    def _as(self, e: A.Expr, t: T.Type) -> Code:
        code = self.code(e, t)
        own = self.checked.types[e]
        if T.is_number(own) and T.is_number(t) and T.promoted(own) != t:
            return Code(f"{cxx_type(t, self.checked)}({code.text})")
        return code

    def _cast(self, e: A.Cast, t: T.Type) -> Code:
        own = self.checked.types[e.operand]
        text = self.value(e.operand, T.BOOL if isinstance(own, T.Reduced) else None)
        target = cxx_type(t, self.checked)
        if isinstance(own, T.Float) and isinstance(t, T.Int):
            return Code(f"irgl::to_int<{target}>({text})")
        return Code(f"{target}({text})")

    def _call(self, e: A.Call, t: T.Type) -> Code:
        f = self.checked.functions.get(e.function)
        if f is not None:
            threads = [self.thread()] if f.name in appending(self.checked) else []
            args = ["c", *threads, *(self.value(a, p.type) for a, p in zip(e.args, f.params, strict=True))]
            return Code(f"{name(e.function)}({', '.join(args)})")
        a = [self.value(x, T.BOOL if isinstance(self.checked.types[x], T.Reduced) else None) for x in e.args]
        target = cxx_type(t, self.checked) if not isinstance(t, T.Range | T.Void) else ""
        match e.function:
            case "min" | "max":
                if isinstance(t, T.EdgeT):
                    a = [self.value(x, T.EDGE) for x in e.args]
                return Code(f"irgl::{e.function}<{target}>({a[0]}, {a[1]})")
            case "abs":
                return Code(f"irgl::abs<{target}>({a[0]})")
            case "hash":
                return Code(f"irgl::hash32({a[0]})")
            case "popcount":
                own = T.promoted(self.checked.types[e.args[0]])
                bits = own.bits if isinstance(own, T.Int) else 64
                return Code(f"irgl::popcount(uint{bits}_t({a[0]}))")
            case "isinf" | "isnan":
                return Code(f"irgl::{e.function}({a[0]})")
            case "cas":
                want = self.checked.types[e.args[0]]
                values = ", ".join(self.converted(x, want) for x in e.args[1:])
                call = f"irgl::{self.updating(e.args[0], 'cas')}({self.location(e.args[0])}, {values}).changed"
                return Code(f"irgl::working({self.did}, {call})" if self.did else call)
            case "common":
                return self._common(e, t)
            case "range":
                bounds = ", ".join(["0"] * (len(a) == 1) + a)
                return Code(f"irgl::range<int64_t>({bounds})")
            case "random":
                return Code(f"c.random({a[0]})")
            case "clock":
                return Code("c.clock()")
            case "oriented" | "print" | "stop" | "auto" | "average_weight" | "max_weight":
                raise AssertionError(e.function)
            case _:
                return Code(f"irgl::{e.function}({', '.join(f'{target}({x})' for x in a)})")

    def _common(self, e: A.Call, t: T.Type) -> Code:
        if self.found is not None and self.found[0] is e:
            return Code(self.found[1])
        word = self.intersections.get(e, self.intersection)
        counts = not isinstance(t, T.Range)
        marks = self.marks and counts and e in self.intersections and word in (AUTO, HASH)
        way = "" if word == AUTO else f"<irgl::{word.capitalize()}>"
        args = [*([self.thread()] if marks else []), *self.common_arguments(e)]
        return Code(f"irgl::{'common' if counts else 'common_nodes'}{way}({', '.join(args)})")

    def rows_of_common(self, e: A.Call) -> str:
        """The graph in which a call of `common` searches."""
        graph = next((x.graph for x in map(self.checked.types.get, e.args) if isinstance(x, T.NodeT)), "")
        return self.rows(self.graph_of(T.NodeT(graph)))

    def common_arguments(self, e: A.Call) -> list[str]:
        """That graph, and the nodes."""
        nodes = [self.item(x, T.NODE, e) for x in e.args[:2]] + [self.value(x, T.NODE) for x in e.args[2:]]
        return [self.rows_of_common(e), *nodes]

    # Updates

    def _reduce(self, e: A.Reduce) -> Code:
        t = self.checked.types[e.target]
        location = self.location(e.target)
        if e.op not in UPDATES:
            raise AssertionError("an update of a local has no value in an expression")
        call = f"irgl::{self._update(e)}({location}, {self.converted(e.value, t)})"
        if self.did and changes_if(self.checked, e):
            return Code(f"irgl::working({self.did}, {call})")
        return Code(f"irgl::adding({self.did}, {call})" if self.did and adds(self.checked, e) else call)

    def modular_update(self, e: A.Reduce) -> str | None:
        """What updates a location of one's own where C++'s own operator would not wrap around; None: that does."""
        t, own = self.checked.types[e.target], self.checked.types[e.value]
        if not (self.modular and isinstance(t, T.Int) and T.is_number(own)):
            return None
        common = T.common(t, own)
        return _MODULAR_UPDATES.get(e.op) if isinstance(common, T.Int) and common.signed else None

    def _update(self, e: A.Reduce) -> str:
        word = UPDATES[e.op]
        variable = variable_of(self.checked, e.target)
        if variable is not None:
            symbol = self.checked.symbols[variable]
            if symbol.kind != "global" or variable.id in self.accumulators:
                return f"plain_{word}"
        return self.updating(e.target, word)

    def updating(self, location: A.Expr, word: str) -> str:
        """The function that does `word` to what an iteration may share with others."""
        match self.checked.access.get(location, "own") if self.threaded else "own":
            case "shared":
                return f"reduce_{word}<IRGL_RACED({self.inner})>" if self.inner else f"atomic_{word}"
            case "outer":
                kind = "watched" if location in self.checked.watched else "reduce"
                return f"{kind}_{word}<{self.parallel(self._owner_depth(location))}>"
            case _:
                return f"watched_{word}<false>" if self.is_watched(location) else f"plain_{word}"

    def is_watched(self, location: A.Expr) -> bool:
        """Does its owner alone update the location, while others may read it?"""
        return self.threaded and location in self.checked.watched

    def _owner_depth(self, location: A.Expr) -> int:
        match location:
            case A.Index(object=A.Member(object=node)) if of_vector(location, self.checked):
                return self.owners.owner(node)
            case A.Member():
                return self.owners.owner(location.object)
            case A.Index():
                return self.owners.of_element(location)
            case _:
                return 1


def _integer(value: int, t: T.Type) -> str:
    if isinstance(t, T.Int) and t.bits == 64:
        return f"{value}{'' if t.signed else 'u'}ll" if value > 2**31 - 1 or not t.signed else f"int64_t({value})"
    return f"{value}u" if isinstance(t, T.Int) and not t.signed else str(value)
