"""Values of formulas: defaults of parameters, roles of verifiers, tolerances. The arithmetic is the language's own.

A formula is a list (so that JSON can keep it):
  ["const", value] ["inf", type] ["name", name] ["first", graph] ["none"] ["size", graph, "num_nodes"|"num_edges"]
  ["node", graph, index] ["weights", function, graph] ["convert", type, x] ["negate", op, type, x] ["not", x]
  ["arith", op, type, x, y] ["compare", op, x, y] ["and"|"or", x, y] ["choose", test, x, y]
  ["call", function, [argument types], type, arguments...]
  ["tuned", type, x]: x, which a plan may scale, as that type
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from irgl.ast import types as T
from irgl.reference import arithmetic as N
from irgl.rt.manifests.manifest import Formula
from irgl.source import IrglError


class GraphLike(Protocol):
    """What a formula may ask of a graph."""

    @property
    def num_nodes(self) -> int: ...
    @property
    def num_edges(self) -> int: ...
    @property
    def weight(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What names stand for: graphs, and values (numbers, dense ids with -1 for NONE, arrays).

    factor: what the plan multiplies tuning parameters by.
    """

    graphs: Mapping[str, GraphLike]
    values: Mapping[str, Any]
    factor: Fraction = Fraction(1)


def type_named(name: str) -> T.Type:
    """A scalar type by the name that the language gives it."""
    for t in (T.INT, T.LONG, *T.NAMES.values()):
        if str(t) == name:
            return t
    raise AssertionError(name)


def value(formula: Formula, scope: Scope, what: str) -> Any:
    """The value of a formula. Raises IrglError, naming `what`, where it divides by zero."""
    try:
        return _value(formula, scope)
    except N.Fault as fault:
        raise IrglError(f"{what}: {fault}", hint="give another value on the command line") from None


def converted(x: Any, type_name: str) -> Any:
    """A number as a value of a type: saturating from floats, wrapping between integers."""
    t = type_named(type_name)
    match t:
        case T.Bool():
            return bool(x)
        case T.Int():
            return N.to_int(x, t) if isinstance(x, float) else N.wrap(int(x), t)
        case T.Float():
            return N.to_float(x, t)
        case _:
            return x


def _value(formula: Formula, scope: Scope) -> Any:
    kind, *rest = formula
    match kind:
        case "const":
            return rest[0]
        case "inf":
            return N.infinity(type_named(rest[0]))
        case "none":
            return -1
        case "name":
            return scope.values[rest[0]]
        case "first":
            return 0 if scope.graphs[rest[0]].num_nodes > 0 else -1
        case "size":
            return int(getattr(scope.graphs[rest[0]], rest[1]))
        case "node":
            return _node(_value(rest[1], scope), scope.graphs[rest[0]].num_nodes)
        case "weights":
            return _weights(rest[0], scope.graphs[rest[1]].weight)
        case "and":
            return bool(_value(rest[0], scope)) and bool(_value(rest[1], scope))
        case "or":
            return bool(_value(rest[0], scope)) or bool(_value(rest[1], scope))
        case "choose":
            return _value(rest[1] if _value(rest[0], scope) else rest[2], scope)
        case _:
            return _arithmetic(kind, rest, scope)


def _arithmetic(kind: str, rest: list[Any], scope: Scope) -> Any:
    match kind:
        case "tuned":
            return _tuned(_value(rest[1], scope), rest[0], scope.factor)
        case "convert":
            return converted(_value(rest[1], scope), rest[0])
        case "not":
            return not _value(rest[0], scope)
        case "negate":
            return N.negate(rest[0], _value(rest[2], scope), type_named(rest[1]))
        case "arith":
            return N.arith(rest[0], _value(rest[2], scope), _value(rest[3], scope), type_named(rest[1]))
        case "compare":
            return N.compare(rest[0], _value(rest[1], scope), _value(rest[2], scope))
        case "call":
            name, of, t, *args = rest
            return N.function(name, [_value(a, scope) for a in args], [type_named(o) for o in of], type_named(t))
        case _:
            raise AssertionError(kind)


def _tuned(x: Any, type_name: str, factor: Fraction) -> Any:
    """`factor` times a positive number, as a value of the type; whole numbers stay 1 at least, and in range."""
    t = type_named(type_name)
    if factor == 1 or not x > 0:
        return converted(x, type_name)
    if not isinstance(t, T.Int):
        return converted(float(x) * factor.numerator / factor.denominator, type_name)
    if isinstance(x, int):
        return max(1, min(x * factor.numerator // factor.denominator, t.max))
    return max(1, N.to_int(x * factor.numerator / factor.denominator, t))


def _node(index: int, count: int) -> int:
    if not 0 <= index < count:
        raise N.Fault(f"there is no node {index} in a graph of {count}")
    return index


def _weights(function: str, weight: Any) -> Any:
    """average_weight (a double) or max_weight (a long); 1 without edges or without weights."""
    if weight is None or len(weight) == 0:
        return 1.0 if function == "average_weight" else 1
    if function == "average_weight":
        return float(np.sum(weight, dtype=np.float64) / len(weight))
    top = weight.max()
    return N.to_int(float(top), T.LONG) if weight.dtype.kind == "f" else int(top)
