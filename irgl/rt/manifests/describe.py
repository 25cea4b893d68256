"""From a compiled unit to its manifest: the syntax trees that a caller needs become formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from irgl.analysis.effects.inputs import changed_inputs
from irgl.analysis.names.conversions import graph_of
from irgl.analysis.names.given import given_item
from irgl.analysis.names.stops import stops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.units import atomic_units
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.properties import takes_weights
from irgl.ast.visit import walk
from irgl.driver import GraphParam as UnitGraph
from irgl.driver import Unit
from irgl.rt.manifests import formula as F
from irgl.rt.manifests.manifest import FormNeed, Formula, GraphParam, Manifest, Param, Property, Scheduled, Site
from irgl.source import IrglError


def manifest_of(unit: Unit, plan: str, schedule: Scheduled | None = None, loads: str = "") -> Manifest:
    """The manifest of a unit. loads: the name of the graph that the program loads by itself.

    Raises IrglError for a default, role or tolerance that can't be computed before a run.
    """
    lower = _Lower(unit.checked)
    clauses = unit.entry.clauses
    verify = next((c for c in clauses if isinstance(c, A.Verify)), None)
    tolerance = next((c.value for c in clauses if isinstance(c, A.Tolerance)), None)
    nothing = F.Scope({}, {})
    return Manifest(
        program=unit.entry.name,
        path=unit.sources[0].path,
        graphs=tuple(_graph(lower, g) for g in unit.graph_params),
        mesh=unit.mesh,
        params=tuple(replace(_param(lower, unit.graph_params[0].name if unit.graph_params else "", *p),
                             variable=_variable(unit.entry, p[0])) for p in unit.params),
        order=tuple(p.name for p in unit.entry.params),
        scalars=tuple((name, _type_name(t)) for name, t in unit.globals),
        structs={
            name: tuple((_type_name(f.type), f.name) for f in s.fields) for name, s in unit.checked.structs.items()
        },
        units=tuple(_units(unit)),
        verifier=None if verify is None else verify.verifier,
        roles={} if verify is None else {r.name: lower.role(r.value) for r in verify.roles},
        tolerance=None if tolerance is None else float(F.value(lower.value(tolerance), nothing, "tolerance")),
        any_valid=any(isinstance(c, A.AnyValid) for c in clauses),
        plan=plan,
        schedule=schedule,
        applied=unit.applied,
        not_applicable=unit.not_applicable,
        sources=tuple(s.path for s in unit.sources),
        stops=tuple(stops(unit.checked.program, [s.path for s in unit.sources])),
        fingerprint=unit.fingerprint,
        files=unit.files,
        numbered=unit.numbered,
        rounds=unit.rounds,
        sites=None if unit.sites is None else tuple(Site(**asdict(s)) for s in unit.sites),
        text=unit.text,
        loads=loads,
        used=dict(_used(unit)),
        searches=unit.searches,
        spreads=unit.spreads,
        gathers=unit.gathers,
    )


def _units(unit: Unit) -> Iterator[tuple[str, int, int, int, int]]:
    paths = [s.path for s in unit.sources]
    for name, s in atomic_units(unit.checked).items():
        yield name, paths.index(s.source.path), s.line, s.column, s.width


def _used(unit: Unit) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    """Where the parameters that are arguments by number are asked for first, and the first graph: in the Program."""
    paths = [s.path for s in unit.sources]
    places = {p.name: p.span for p in unit.entry.params if unit.graph_params and p.name == unit.graph_params[0].name}
    for n in (n for s in unit.entry.body for n in walk(s)):
        if isinstance(n, A.Name) and n.id.startswith("argv") and any(p.name == n.id for p in unit.entry.params):
            places.setdefault(n.id, n.span)
    for name, s in places.items():
        if s is not None and s.source.path in paths:
            yield name, (paths.index(s.source.path), s.line, s.column, s.width)


def _graph(lower: _Lower, g: UnitGraph) -> GraphParam:
    properties = []
    changed = changed_inputs(lower.checked)
    for p in g.type.properties:
        weights = takes_weights(p)
        inf = p.init is not None and any(isinstance(n, A.Name) and n.id == "INF" for n in walk(p.init))
        t, length = T.of_each(p.type), p.type.length if isinstance(p.type, T.Vector) else 0
        default = None if p.init is None or not p.given else lower.as_type(p.init, t)
        properties.append(Property(p.owner, _type_name(t), p.name, weights, inf, p.given,
                                   p.given and p.name in changed, default, p.axis, length))
    n = g.needs
    forms = tuple(FormNeed("in" if f.incoming else "out", f.form, f.options, _type_name(f.weights) if f.weights else "",
                           f.numbered, f.part, f.copied, f.touched) for f in g.forms)
    return GraphParam(g.name, n.directed, n.simple, n.sorted, n.weighted, n.transpose, n.in_edge, n.in_weights,
                      tuple(properties), forms, g.ends, g.in_ends)


def _variable(entry: A.Entry, name: str) -> str:
    """The first variable that takes the value of a parameter argv1, argv2, ..., whose own name says nothing; ''."""
    for n in walk(entry) if name.startswith("argv") else ():
        match n:
            case A.VarDecl(name=variable, init=A.Name(id=of)) if of == name:
                return variable
            case A.Assign(target=A.Name(id=variable), value=A.Name(id=of)) if of == name:
                return variable
    return ""


def _param(lower: _Lower, home: str, name: str, t: T.Type, default: A.Expr | None) -> Param:
    graph = (t.graph if t.graph else home) if isinstance(t, T.NodeT) else ""
    item = given_item(lower.checked, t)
    if item is not None:
        of = (graph_of(item) or home) if isinstance(item, T.NodeT) else ""
        unique = isinstance(t, T.Worklist) and t.unique
        shape = t.shape if isinstance(t, T.Named) else ()
        each = None if default is None else lower.as_type(default, item)
        return Param(name, _type_name(t), of, each, "" if default is None else dump(default), _type_name(item), unique,
                     shape=shape)
    if default is None:
        return Param(name, _type_name(t), graph, None, "")
    formula = lower.as_type(default, t)
    if isinstance(default, A.Call) and default.function == "auto" and isinstance(t, T.Int | T.Float):
        formula = ["tuned", _type_name(t), lower.value(default)]
    return Param(name, _type_name(t), graph, formula, dump(default))


def _type_name(t: T.Type) -> str:
    return str(T.LONG if isinstance(t, T.Id) else T.bare(t))


class _Lower:
    """Expressions of parameters, roles and clauses as formulas."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.properties = {p.name for g in checked.graph_types.values() for p in g.properties}

    def role(self, e: A.Expr) -> Formula:
        if isinstance(e, A.Name) and e.id in self.properties:
            return ["name", e.id]
        if isinstance(e, A.Name) and e.id == "INF" and isinstance(self._type(e), T.Inf):
            raise IrglError("INF has no type here", e.span, "write (int)INF")
        return self.value(e)

    def as_type(self, e: A.Expr, t: T.Type) -> Formula:
        return ["convert", _type_name(t), self.value(e)] if isinstance(t, T.Int | T.Float | T.Bool) else self.value(e)

    def value(self, e: A.Expr) -> Formula:
        match e:
            case A.IntLit() | A.BoolLit():
                return ["const", e.value]
            case A.FloatLit():
                return ["convert", _type_name(e.type), ["const", float(e.text.rstrip("fFlL"))]]
            case A.Name():
                return self._name(e)
            case A.Cast():
                return self.as_type(e.operand, e.type)
            case A.Unary(op="!"):
                return ["not", self.value(e.operand)]
            case A.Unary():
                t = self._type(e)
                return ["negate", e.op, _type_name(t), self.as_type(e.operand, t)]
            case A.Binary():
                return self._binary(e)
            case A.Conditional():
                t = self._type(e)
                return ["choose", self.value(e.test), self.as_type(e.then, t), self.as_type(e.orelse, t)]
            case A.Member(object=A.Name(id=graph), name="num_nodes" | "num_edges"):
                return ["size", graph, e.name]
            case A.MethodCall(object=A.Name(id=graph), name="node" | "nodes", args=(index,)):
                return ["node", graph, self.value(index)]
            case A.Call():
                return self._call(e)
            case _:
                raise self._refused(e)

    def _name(self, e: A.Name) -> Formula:
        match e.id:
            case "INF":
                return ["inf", _type_name(self._type(e))]
            case "NONE":
                return ["none"]
            case "first":
                t = self._type(e)
                assert isinstance(t, T.NodeT)
                return ["first", t.graph]
            case _:
                return ["name", e.id]

    def _binary(self, e: A.Binary) -> Formula:
        if e.op in ("&&", "||"):
            return ["and" if e.op == "&&" else "or", self.value(e.left), self.value(e.right)]
        left, right = self._type(e.left), self._type(e.right)
        if not T.is_number(left) or not T.is_number(right):
            return ["compare", e.op, self.value(e.left), self.value(e.right)]
        if e.op in ("<<", ">>"):
            t = self._type(e)
            return ["arith", e.op, _type_name(t), self.as_type(e.left, t), self.value(e.right)]
        t = T.common(left, right)
        operands = [self.as_type(e.left, t), self.as_type(e.right, t)]
        if e.op in ("==", "!=", "<", "<=", ">", ">="):
            return ["compare", e.op, *operands]
        return ["arith", e.op, _type_name(t), *operands]

    def _call(self, e: A.Call) -> Formula:
        late = ("random", "clock", "oriented", "range", "cas", "print", "stop")
        if e.function in self.checked.functions or e.function in late:
            raise self._refused(e)
        if e.function == "auto":
            return self.value(e.args[0])
        if e.function in ("average_weight", "max_weight"):
            graph = e.args[0]
            if not isinstance(graph, A.Name):
                raise self._refused(graph)
            return ["weights", e.function, graph.id]
        of: list[Any] = [self._type(a) for a in e.args]
        t = self._type(e)
        if e.function in ("min", "max"):
            return ["call", e.function, [_type_name(t)] * 2, _type_name(t), *(self.as_type(a, t) for a in e.args)]
        return ["call", e.function, [_type_name(o) for o in of], _type_name(t), *(self.value(a) for a in e.args)]

    def _type(self, e: A.Expr) -> T.Type:
        return self.checked.types[e]

    def _refused(self, e: A.Expr) -> IrglError:
        return IrglError("this can't be computed before the program runs", e.span,
                         "use numbers, earlier parameters, the graph's size, average_weight or max_weight")
