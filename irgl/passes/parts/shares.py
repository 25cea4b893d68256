"""What a loop's work has to exceed, as a plan's `switch` says, and how a kernel knows it (turn_direction.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.passes.parts.calls import called_with
from irgl.plan import Plan
from irgl.source import IrglError, Span
from irgl.switches import EDGES, Switch, switch_in

_OPTION = "switch"


class Shares:
    """Writes shares of a graph into one kernel; given: its new parameters, by those of the Program whose values they
    are."""

    def __init__(self, fresh: Callable[[str], str]) -> None:
        self._fresh = fresh
        self.given: dict[str, str] = {}

    def least(self, graph: str, switch: Switch, at: Span | None) -> A.Expr:
        """How much has to be exceeded; at: where the loop stands."""
        def nodes_or_edges(name: str) -> A.Expr:
            return A.Member(A.Name(graph, span=at), name, span=at)

        share = self._share(nodes_or_edges("num_edges" if switch.of == EDGES else "num_nodes"), switch, at)
        if switch.of != EDGES:
            return share
        half = A.Binary("/", nodes_or_edges("num_nodes"), A.IntLit(2, T.INT, span=at), span=at)
        return A.Call("max", (share, half), span=at)

    def _share(self, whole: A.Expr, switch: Switch, at: Span | None) -> A.Expr:
        if switch.param:
            if switch.param not in self.given:
                self.given[switch.param] = self._fresh(switch.param)
            factor = A.Name(self.given[switch.param], span=at)
            return A.Cast(T.LONG, A.Binary("*", factor, A.Cast(T.DOUBLE, whole, span=at), span=at), span=at)
        if switch.share.numerator != 1:
            whole = A.Binary("*", whole, A.IntLit(switch.share.numerator, T.INT, span=at), span=at)
        if switch.share.denominator != 1:
            whole = A.Binary("/", whole, A.IntLit(switch.share.denominator, T.INT, span=at), span=at)
        return whole


def with_edges(node: str, at: Span | None) -> A.Expr:
    """A node's work: itself and its edges."""
    return A.Binary("+", A.Member(A.Name(node, span=at), "degree", span=at), A.IntLit(1, T.INT, span=at), span=at)


def where_enough(counting: A.Stmt, many: A.Expr, graph: str, of: str, least: A.Expr) -> A.Stmt:
    """What counts the work of so many nodes, only where that may be more than `least`: on a GPU it takes a barrier."""
    at = counting.span
    if of == EDGES:
        widest = A.Member(A.Name(graph, span=at), "max_degree", span=at)
        most = A.Binary("+", widest, A.IntLit(1, T.INT, span=at), span=at)
        many = A.Binary("*", many, most, span=at)
    return A.If(A.Binary(">", many, least, span=at), (counting,), (), span=at)


def check_parameters(checked: Checked, plan: Plan) -> None:
    """Raises IrglError for a parameter that the plan takes a share from, and the Program lacks or has of another type.
    """
    for key, text in plan.settings:
        if key.rpartition(".")[2] == _OPTION and (name := switch_in(text).param):
            params = checked.entry.params if checked.entry is not None else ()
            fit = [p.name for p in params if isinstance(checked.symbols[p].type, T.Float)]
            if name in fit:
                continue
            other = next((p for p in params if p.name == name), None)
            reason = (f"the Program has no parameter `{name}`" if other is None else
                      f"`{name}` is a {T.bare(checked.symbols[other].type)}, and a share is a float or a double")
            raise IrglError(f"`{key}={text}`: {reason}", None if other is None else other.span,
                            f"parameters that can be a share: {', '.join(fit) or 'none'}")


def handed(checked: Checked, program: A.Program, given: Mapping[str, Mapping[str, str]]) -> A.Program:
    """The program whose kernels, by name, get what they want to know of the Program's parameters; it stops where one
    of these is no share. `given`: by kernel, its parameters by those of the Program."""
    if not given:
        return program
    decls: list[A.Decl] = []
    for decl in program.decls:
        if isinstance(decl, A.Kernel) and decl.name in given:
            added = tuple(A.Param(_type(checked, of), name, None, (), span=decl.span)
                          for of, name in given[decl.name].items())
            decl = replace(decl, params=(*decl.params, *added))
        elif isinstance(decl, A.Entry):
            names = dict.fromkeys(of for params in given.values() for of in params)
            decl = called_with(decl, lambda call: tuple(
                A.Name(of, span=call.span) for of in given.get(call.kernel, ())))
            decl = replace(decl, body=(*(_stops(decl, name) for name in names), *decl.body))
        decls.append(decl)
    return A.Program(tuple(decls), span=program.span)


def _type(checked: Checked, param: str) -> T.Type:
    assert checked.entry is not None
    return next(checked.symbols[p].type for p in checked.entry.params if p.name == param)


def _stops(entry: A.Entry, param: str) -> A.Stmt:
    """Ends the Program where a parameter is no number from 0 to 1."""
    at = next(p.span for p in entry.params if p.name == param)

    def bound(op: str, number: str) -> A.Expr:
        return A.Binary(op, A.Name(param, span=at), A.FloatLit(number, T.DOUBLE, span=at), span=at)

    inside = A.Binary("&&", bound(">=", "0.0"), bound("<=", "1.0"), span=at)
    why = A.StringLit(f"`{param}` is a share of the graph, under this plan: it takes a number from 0 to 1", span=at)
    return A.If(A.Unary("!", inside, span=at), (A.ExprStmt(A.Call("stop", (why,), span=at), span=at),), (), span=at)
