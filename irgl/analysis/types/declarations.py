"""Checks what a program declares outside all bodies: names, structs, scalars, graph types and their constants."""

from __future__ import annotations

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked, fail
from irgl.analysis.names.vectors import check_named
from irgl.analysis.types.expressions import Expressions
from irgl.analysis.types.statements import Statements
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import takes_weights


def check_names(checked: Checked) -> None:
    """No declaration takes a word of the language; results are told apart by their names."""
    named: list[A.Function | A.Kernel | A.Global] = [
        *checked.functions.values(),
        *checked.kernels.values(),
        *checked.globals.values(),
    ]
    for decl in named:
        if decl.name in M.WORDS:
            fail(f"'{decl.name}' has a meaning of its own", decl, "choose another name")
    for graph in checked.graph_types.values():
        owners: dict[str, str] = {}
        for p in graph.properties:
            if p.name in checked.globals:
                fail(
                    f"'{p.name}' is a program scalar already: results are told apart by their names",
                    p,
                    "choose another name",
                )
            if owners.setdefault(p.name, p.owner) != p.owner:
                fail(
                    f"'{p.name}' is a node property and an edge property: results are told apart by their names",
                    p,
                    "choose another name",
                )
    for library in checked.libraries.values():
        features: list[A.Attribute | A.Method | A.Iterator] = [
            f for f in library.features if isinstance(f, A.Attribute | A.Method | A.Iterator)
        ]
        names = [feature.name for feature in features]
        for feature in features:
            if names.count(feature.name) > 1:
                fail(f"{library.name} has two features '{feature.name}'", feature, "choose another name")
            if isinstance(feature, A.Method):
                _forms(feature)


def _forms(method: A.Method) -> None:
    """The aggregated forms of a method that a library declares."""
    levels = [form.level for form in method.forms]
    for form in method.forms:
        if levels.count(form.level) > 1:
            fail(f"'{method.name}' has two forms {form.level}(...)", form, "leave one out")
        if method.effect != "appends":
            fail(f"'{method.name}' {method.effect}: only what appends has aggregated forms", form,
                 "write `appends` before the method, or leave its forms out")


def check_types(checked: Checked) -> None:
    ex = Expressions(checked, "constant", None)
    st = Statements(checked, ex, T.VOID)
    for struct in checked.structs.values():
        names = [f.name for f in struct.fields]
        for f in struct.fields:
            if names.count(f.name) > 1:
                fail(f"struct {struct.name} has two fields '{f.name}'", f, "choose another name")
            if not T.is_scalar(f.type):
                fail(f"a field can't be {T.bare(f.type)}", f, "fields are numbers, bools, nodes and edges")
            if isinstance(f.type, T.NodeT | T.EdgeT) and f.type.graph:
                fail(f"a field can't be {f.type}", f, f"write {T.bare(f.type)}: all items of a struct are of one graph")
    for g in checked.globals.values():
        if not isinstance(g.type, T.Int | T.Float | T.Bool):
            fail(f"program scalar '{g.name}' can't be {T.bare(g.type)}", g, "scalars are numbers and bools")
        if g.init is not None:
            _constant(ex, g.init, g.type, f"'{g.name}'")
    for graph in checked.graph_types.values():
        seen: set[tuple[str, str]] = set()
        weights = [p for p in graph.properties if takes_weights(p)]
        for p in graph.properties:
            if (p.owner, p.name) in seen:
                fail(f"{graph.name} declares {p.owner} property '{p.name}' twice", p, "leave one out")
            seen.add((p.owner, p.name))
            _property(st, p)
        if len(weights) > 1:
            fail(
                f"two edge properties take the file's weights: '{weights[0].name}' and '{weights[1].name}'",
                weights[1],
                "give all but one an initial value",
            )
        if weights and not isinstance(weights[0].type, T.Int | T.Float):
            fail(
                f"'{weights[0].name}' takes the file's weights and can't be {T.bare(weights[0].type)}",
                weights[0],
                "make it a number, or give it an initial value",
            )


def _property(st: Statements, p: A.Property) -> None:
    table = (
        ("id", "edges", "out_edges", "in_edges", "degree", "out_degree", "in_degree")
        if p.owner == "node"
        else ("src", "dst", "id")
    )
    if p.name in table:
        fail(f"every {p.owner} has '{p.name}' already", p, "choose another name")
    t = st.resolve(p.type, p)
    if isinstance(t, T.Vector):
        _vector(p, t)
        t = t.of
    if p.axis is not None:
        if p.owner != "node" or not isinstance(t, T.Float):
            fail("coordinates are floating-point numbers of nodes", p, f"write node double {p.name} = coordinate(0);")
        if p.axis not in (0, 1):
            fail(f"coordinate({p.axis}): nodes lie in a plane, and have coordinates 0 and 1", p,
                 "declare an input, and give its values")
    if not (T.is_scalar(t) or isinstance(t, T.Lock) or st.checked.fields(t) is not None):
        fail(f"a property can't be {T.bare(t)}", p, "properties are numbers, bools, nodes, edges, structs and locks")
    if p.given and not isinstance(t, T.Int | T.Float | T.Bool | T.NodeT):
        hint = "declare one input for each field" if st.checked.fields(t) is not None else "leave `input` out"
        fail(f"an input can't be {M.a(T.bare(t))}: inputs are numbers, bools and nodes", p, hint)
    if p.init is not None:
        if isinstance(t, T.Lock):
            fail("a lock starts free", p, "leave the initial value out")
        _constant(st.ex, p.init, t, f"'{p.name}'")


def _vector(p: A.Property, t: T.Vector) -> None:
    """A property of several values."""
    if p.owner != "node":
        fail("only properties of nodes have several values", p, "declare one property of edges for each")
    check_named(t, p)
    if not isinstance(t.of, T.Int | T.Float | T.Bool):
        fail(f"'{p.name}' can't have several values that are {T.bare(t.of)}", p, "they are numbers or bools")
    if not 1 <= t.length <= T.LONGEST:
        fail(f"a property of {t.length} values", p, f"a node has from 1 to {T.LONGEST}")
    if p.axis is not None:
        fail("a coordinate is one number", p, f"write node double {p.name} = coordinate({p.axis});")


def _constant(ex: Expressions, e: A.Expr, t: T.Type, what: str) -> None:
    match e:
        case A.Name(id="INF" | "NONE") | A.IntLit() | A.FloatLit() | A.BoolLit():
            pass
        case A.Unary() | A.Cast():
            ex.type(e)
            _constant(ex, e.operand, ex.type(e.operand, t), what)
        case A.Binary(op="/" | "%") if not isinstance(e.right, A.FloatLit) and not (
            isinstance(e.right, A.IntLit) and e.right.value > 0
        ):
            fail("a constant is divided by a plain number above 0", e.right, "compute it in the Program or in a kernel")
        case A.Binary():
            _constant(ex, e.left, ex.type(e.left), what)
            _constant(ex, e.right, ex.type(e.right), what)
        case A.StructLit():
            for v in e.values:
                _constant(ex, v, ex.type(v), what)
        case _:
            fail(f"{what} wants a constant", e, "compute it in the Program or in a kernel")
    ex.value(e, t, what)
