"""The builder's declarations (irgl/builder.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import declared
from irgl.frontends.calls.expressions import Value, checked, expression, here
from irgl.frontends.calls.statements import Body, statements
from irgl.source import IrglError

__all__ = [
    "any_valid", "attribute", "constant", "edge_property", "elements", "entry", "function", "graph", "import_",
    "iterator", "kernel", "library", "library_method", "node_property", "own", "param", "scalar", "stays",
    "struct", "tolerance", "verify",
]  # fmt: skip


def import_(path: str) -> A.Import:
    """`import "path";`"""
    return A.Import(path, span=here())


def struct(type_name: str, fields: Mapping[str, T.Type]) -> A.Struct:
    """A struct of named fields."""
    made = tuple(checked(A.Field(kind, field, span=here())) for field, kind in fields.items())
    return checked(A.Struct(type_name, made, span=here()))


def graph(type_name: str, properties: Iterable[A.Property]) -> A.GraphType:
    """A graph type with these properties."""
    return checked(A.GraphType(type_name, tuple(properties), span=here()))


def node_property(prop: str, kind: T.Type, init: Value | None = None, *, given: bool = False) -> A.Property:
    """`node kind prop = init;` given: the caller gives its values, `input node kind prop;`."""
    return checked(declared("node", kind, prop, None if init is None else expression(init), given, here()))


def edge_property(prop: str, kind: T.Type, init: Value | None = None, *, given: bool = False) -> A.Property:
    """`edge kind prop = init;` The one number without a first value takes the weights. given: the caller gives it."""
    return checked(declared("edge", kind, prop, None if init is None else expression(init), given, here()))


def scalar(variable: str, kind: T.Type, init: Value | None = None) -> A.Global:
    """A program scalar."""
    return checked(A.Global(kind, variable, None if init is None else expression(init), False, span=here()))


def constant(variable: str, value: int) -> A.Constant:
    """`const int variable = value;` Raises IrglError for a value that is no whole number from 0 to 2147483647."""
    if not isinstance(value, int) or not 0 <= value <= T.INT.max:
        raise IrglError(f"constant '{variable}' can't be {value}", here(), "it is a whole number from 0 to 2147483647")
    return checked(A.Constant(variable, value, span=here()))


def param(variable: str, kind: T.Type, default: Value | None = None, needs: Iterable[str] = ()) -> A.Param:
    """A parameter; a default and what is asked of the graph are for entries."""
    value = None if default is None else expression(default)
    return checked(A.Param(kind, variable, value, tuple(needs), span=here()))


def function(called: str, params: Iterable[A.Param], returns: T.Type, body: Body) -> A.Function:
    """A helper function."""
    return checked(A.Function(returns, called, tuple(params), statements(body), span=here()))


def kernel(called: str, params: Iterable[A.Param], body: Body, worklist: T.Type | None = None) -> A.Kernel:
    """A kernel; worklist: the kind of its own list, where that is not list<node>."""
    return checked(A.Kernel(called, tuple(params), worklist, statements(body), span=here()))


def entry(called: str, params: Iterable[A.Param], body: Body, clauses: Iterable[A.Clause] = ()) -> A.Entry:
    """The Program."""
    return checked(A.Entry(called, tuple(params), tuple(clauses), statements(body), span=here()))


def verify(verifier: str, roles: Mapping[str, Value]) -> A.Verify:
    """`verify verifier(role = value, ...)`"""
    made = tuple(checked(A.Role(role, expression(value), span=here())) for role, value in roles.items())
    return checked(A.Verify(verifier, made, span=here()))


def tolerance(value: Value) -> A.Tolerance:
    """`tolerance value`"""
    return A.Tolerance(expression(value), span=here())


def any_valid() -> A.AnyValid:
    """`any_valid`: of several right answers a run may give any."""
    return A.AnyValid(span=here())


def library(type_name: str, header: str, features: Iterable[A.Feature], params: Iterable[str] = ()) -> A.Library:
    """A type of a C++ header."""
    return checked(A.Library(type_name, tuple(params), header, tuple(features), span=here()))


def attribute(called: str, kind: T.Type) -> A.Attribute:
    """A number that an object of the library has."""
    return checked(A.Attribute(kind, called, span=here()))


def iterator(called: str, item: T.Type) -> A.Iterator:
    """What a loop can run over."""
    return checked(A.Iterator(item, called, span=here()))


def elements(item: T.Type, exclusive: bool = False) -> A.Elements:
    """What `object[i]` is; exclusive: each of them has a lock, for Exclusive."""
    return A.Elements(item, exclusive, span=here())


def own() -> A.Own:
    """A thread of a GPU can have such an object for itself, declared inside a ForAll."""
    return A.Own(span=here())


def stays() -> A.Stays:
    """What kernels take of such an object holds until the Program changes it: loops on a GPU may keep it."""
    return A.Stays(span=here())


def library_method(called: str, params: Iterable[A.Param], returns: T.Type, effect: str = "reads",
                   forms: Iterable[tuple[str, str]] = ()) -> A.Method:  # fmt: skip
    """A method; effect: reads, writes or appends; forms: (level, function) of its aggregated forms."""
    made = tuple(checked(A.Cooperative(level, form, span=here())) for level, form in forms)
    return checked(A.Method(returns, called, tuple(params), effect, made, span=here()))
