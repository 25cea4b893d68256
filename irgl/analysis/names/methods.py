"""The methods of every type that has some: the language's own, and those that a library's header declares."""

from __future__ import annotations

from functools import lru_cache

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T


def methods_of(checked: Checked, t: T.Type, graph: str = "") -> dict[str, M.Signature]:
    """The methods of a value of type `t`; `graph` is the variable's name where it is a graph."""
    found = _declared(checked, t, graph)
    return found | _aggregated(found) if checked.lowered else found


def _aggregated(methods: dict[str, M.Signature]) -> dict[str, M.Signature]:
    """The aggregated forms of methods: room for a number of items (where it begins), and one item at its place.

    Room in buckets is that of a priority.
    """
    found: dict[str, M.Signature] = {}
    for m in methods.values():
        again = M.AGAIN_FORMS if m.forms == M.LIST_FORMS else ()
        for level, function in (*m.forms, *again):
            task = level == "task"
            params = (T.LONG, *m.params) if task else (T.LONG, *m.params[1:]) if again else (T.LONG,)
            found[function] = M.Signature(params, T.VOID if task else T.LONG, "appends")
    return found


def _declared(checked: Checked, t: T.Type, graph: str) -> dict[str, M.Signature]:
    match t:
        case T.Worklist():
            return M.worklist_methods(t)
        case T.Range() if isinstance(t.item, T.EdgeT):
            return {"skip": M.Signature((T.LONG,), t, "reads"), "when": M.Signature((T.BOOL,), t, "reads")}
        case T.NodeT():
            return M.node_methods(t.graph)
        case T.Named() if t.name in checked.graph_types:
            return M.graph_methods(graph)
        case T.Named() if t.name in checked.libraries:
            return _of_header(checked.libraries[t.name], t)
        case _:
            return {}


@lru_cache(maxsize=256)
def _of_header(library: A.Library, t: T.Named) -> dict[str, M.Signature]:
    """The methods that a library's header declares, for an instance. Whoever gets them changes nothing of them."""
    return {
        f.name: M.Signature(
            tuple(_of_instance(library, p.type, t) for p in f.params),
            _of_instance(library, f.returns, t),
            f.effect,
            tuple((form.level, form.function) for form in f.forms),
        )
        for f in library.features
        if isinstance(f, A.Method)
    }


def library_type(checked: Checked, t: T.Type, instance: T.Named) -> T.Type:
    """A type of a library's header with the instance's arguments in the place of its parameters."""
    return _of_instance(checked.libraries[instance.name], t, instance)


def _of_instance(library: A.Library, t: T.Type, instance: T.Named) -> T.Type:
    if isinstance(t, T.Named) and t.name in library.params:
        return instance.args[library.params.index(t.name)]
    if isinstance(t, T.Named) and t.args:
        return T.Named(t.name, tuple(_of_instance(library, a, instance) for a in t.args))
    return t


def effect_of(checked: Checked, e: A.MethodCall) -> str:
    """What a checked method call does to its object: reads, writes or appends."""
    return methods_of(checked, checked.types[e.object])[e.name].effect


def of_library(checked: Checked, t: T.Type) -> bool:
    """Is a `t` an object of a library?"""
    return isinstance(t, T.Named) and t.name in checked.libraries


def stays(checked: Checked, t: T.Type) -> bool:
    """Is a `t` an object of a library, of which what kernels take holds until the Program changes it?"""
    return (isinstance(t, T.Named) and t.name in checked.libraries
            and any(isinstance(f, A.Stays) for f in checked.libraries[t.name].features))


def is_object(checked: Checked, t: T.Type) -> bool:
    """Is a `t` something that methods change: a worklist or an object of a library?"""
    return isinstance(t, T.Worklist) or of_library(checked, t)


def of_object(checked: Checked, e: A.Expr) -> bool:
    """Is a range the items of such a thing, and not what a graph or a node has?"""
    if isinstance(e, A.Name):
        symbol = checked.symbols.get(e)
        return (symbol is not None and isinstance(symbol.type, T.Range) and symbol.origin is not None
                and of_object(checked, symbol.origin))
    return (isinstance(e, A.Member) and isinstance(checked.types.get(e), T.Range)
            and is_object(checked, checked.types[e.object]))
