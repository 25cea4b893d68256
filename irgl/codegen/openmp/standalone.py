"""The main of a stand-alone program: the skeleton is templates/main.cpp.j2, its values are computed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from irgl.analysis.effects.inputs import changed_inputs
from irgl.analysis.names.given import given_item
from irgl.analysis.names.stops import stops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.types.entry import is_mesh
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import takes_weights
from irgl.ast.visit import walk
from irgl.codegen.cxx.code import Code, escaped
from irgl.codegen.cxx.expressions import ExpressionsCxx
from irgl.codegen.cxx.names import cxx_type, name, property_name, scalar_name
from irgl.codegen.openmp.unit import graph_type, template
from irgl.source import IrglError, is_graphit


class _Defaults(ExpressionsCxx):
    """Expressions of parameters' defaults, which may ask the file of a graph."""

    def _call(self, e: A.Call, t: T.Type) -> Code:
        if e.function in ("average_weight", "max_weight"):
            return Code(f"_{self.value(e.args[0])}_file.{e.function}(c)")
        return super()._call(e, t)


def emit_main(checked: Checked, needs: dict[str, dict[str, object]], limits: dict[str, int],
              sources: Sequence[str], plan: str = "", factor: Fraction = Fraction(1),
              variants: Sequence[str] = ()) -> str:
    """The frame that makes a unit a stand-alone program. `needs` per graph: its words in irgl/standalone.py.

    limits: numbers of the plan that the unit is given when it runs; `plan` is the text of it, where it has any.
    factor: what it multiplies defaults by that are left to tuning. variants: what each of the unit's is, where it has
    several.
    """
    entry = checked.entry
    assert entry is not None
    for p in (p for g in checked.graph_types.values() for p in g.properties):
        if p.given and isinstance(p.type, T.Vector):
            raise IrglError(f"a stand-alone program reads one value of each node, and '{p.name}' has {p.type.length}",
                            p.span, "run it by irglc run, or from Python")
    for q in entry.params:
        if isinstance(q.type, T.Named) and q.type.shape:
            raise IrglError(f"a stand-alone program reads lists of any length, and '{q.name}' is of a shape", q.span,
                            "run it by irglc run, or from Python")
    ex = _Defaults(checked)
    ex.sources = {path: i for i, path in enumerate(sources)}
    graphs = [p for p in entry.params if _graph(checked, p) is not None]
    ex.graph = graphs[0].name if graphs else ""
    meshes = [p for p in entry.params if is_mesh(checked, p.type)]
    return template("main.cpp.j2").render(
        graphs=[
            {"name": name(p.name), "number": k, "word": p.name, "properties": graph_type(checked, ex, g, []).properties,
             **needs[p.name]}
            for k, p in enumerate(graphs)
            if (g := _graph(checked, p)) is not None
        ],
        meshed=bool(meshes),
        own_stdout=entry.span is not None and is_graphit(entry.span.source.path),  # as irglc run has it
        params=[_param(checked, ex, p, factor) for p in entry.params if _graph(checked, p) is None and p not in meshes],
        globals=[
            {"name": scalar_name(g.name), "type": cxx_type(g.type, checked), "word": g.name}
            for g in checked.globals.values() if not g.hidden
        ],
        shown=list(_shown(checked, graphs)),
        files=any(p.given for g in checked.graph_types.values() for p in g.properties)
        or any(given_item(checked, p.type) is not None for p in entry.params),
        sources=[escaped(path) for path in sources],
        stops=[{"source": source, "line": line, "column": column, "text": escaped(text)}
               for source, line, column, text in stops(checked.program, sources)],
        plan=plan,
        variants=list(variants),
        **limits,
    )


def _graph(checked: Checked, p: A.Param) -> A.GraphType | None:
    return checked.graph_types.get(p.type.name) if isinstance(p.type, T.Named) else None


def _param(checked: Checked, ex: ExpressionsCxx, p: A.Param, factor: Fraction) -> dict[str, object]:
    default = p.default
    t = checked.symbols[p].type
    tuned = isinstance(default, A.Call) and default.function == "auto"
    if isinstance(default, A.Call) and tuned:
        default = default.args[0]
    item = given_item(checked, t)
    graph = ex.graph_of(t if item is None else item)
    if item is not None:
        init = ""
    elif isinstance(default, A.Name) and default.id == "first":
        init = f"{graph}.n > 0 ? 0 : -1"
    else:
        init = "0" if default is None else ex.value(default, t)
        if tuned and factor != 1 and isinstance(t, T.Int | T.Float):
            init = f"irgl::tuned<{cxx_type(t, checked)}>({init}, {factor.numerator}, {factor.denominator})"
    return {
        "name": name(p.name),
        "word": p.name,
        "type": cxx_type(t if item is None else item, checked),
        "is_list": item is not None,
        "unique": isinstance(t, T.Worklist) and t.unique,
        "is_node": isinstance(t if item is None else item, T.NodeT),
        "required": default is None,
        "graph": graph,
        "init": init,
    }


def _shown(checked: Checked, graphs: list[A.Param]) -> Iterator[dict[str, str]]:
    """What is told of each property, or of each field of one that is a struct, under the names that irglc run gives."""
    changed = changed_inputs(checked)
    for at, p in enumerate(graphs):
        graph = _graph(checked, p)
        assert graph is not None
        for q in graph.properties:
            if isinstance(q.type, T.Lock) or takes_weights(q) or (q.given and q.name not in changed):
                continue
            array = f"_{property_name(q.name)}_of_{at}"
            word = q.name if at == 0 and q.name not in checked.globals else f"{p.name}.{q.name}"
            fields = checked.fields(q.type)
            if fields is None:
                inf = q.init is not None and any(isinstance(n, A.Name) and n.id == "INF" for n in walk(q.init))
                several = f" - {q.type.length}" if isinstance(q.type, T.Vector) else ""
                yield {"word": word, "size": f"{array}.size(){several}",
                       **_counted(q.type, name(p.name), f"{array}[_i]", inf)}
            for field, t in (fields or {}).items():
                element = f"{array}[_i].{name(field)}"
                yield {"word": f"{word}.{field}", "size": f"{array}.size()",
                       **_counted(t, name(p.name), element, inf=False)}


def _counted(t: T.Type, graph: str, element: str, inf: bool) -> dict[str, str]:
    if isinstance(t, T.NodeT):
        return {"counted": "known", "value": f"_{graph}_file.to_file_id({element})"}
    if isinstance(t, T.EdgeT):
        return {"counted": "known", "value": element}
    return {"counted": "below_inf" if inf else "all", "value": element}
