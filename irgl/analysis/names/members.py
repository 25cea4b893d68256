"""The members and methods that the language itself gives to graphs, nodes, edges, ranges and worklists."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TypeGuard

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.notation import FREE

ITEM = T.Named("ITEM")

#: What a list offers instead of one append after the other: room for several, then each item at its place.
LIST_FORMS = (("thread", "reserve_one"), ("warp", "reserve_warp"), ("threadblock", "reserve_block"), ("task", "put"))
#: The same for items that come back within the invocation.
AGAIN_FORMS = (("thread", "again_one"), ("warp", "again_warp"), ("threadblock", "again_block"), ("task", "put_again"))

#: What moves a node of a priority queue.
UPDATES = ("update_min", "update_max", "update_sum")
#: Lists that hold each item once. Sets answer membership; `count` knows its size only.
SETS = ("set", "bitmap", "bytemap")
#: Those with a place for every node.
DENSE = SETS[1:]


@dataclass(frozen=True, slots=True)
class Signature:
    """A method: parameter types, what it returns, and its effect on the object (reads, writes, appends)."""

    params: tuple[T.Type, ...]
    returns: T.Type
    effect: str
    forms: tuple[tuple[str, str], ...] = ()  # aggregated forms: (level, function); see passes/aggregate_appends.py


def graph_members(graph: str, lowered: bool = False) -> dict[str, T.Type]:
    """lowered: those, too, that only the compiler writes, for GPUs."""
    return {
        **({"max_degree": T.LONG} if lowered else {}),
        "nodes": T.Range(T.NodeT(graph), True),
        "edges": T.Range(T.EdgeT(graph=graph), True),
        "num_nodes": T.LONG,
        "num_edges": T.LONG,
        "directed": T.BOOL,
    }


def graph_methods(graph: str) -> dict[str, Signature]:
    node, edge = T.NodeT(graph), T.EdgeT(graph=graph)
    return {
        "node": Signature((T.LONG,), node, "reads"),
        "nodes": Signature((T.LONG,), node, "reads"),
        "edge": Signature((T.LONG,), edge, "reads"),
    }


def node_members(graph: str) -> dict[str, T.Type]:
    out = T.Range(T.EdgeT(graph=graph), True)
    return {
        "id": T.Id(T.NodeT(graph)),
        "edges": out,
        "out_edges": out,
        "in_edges": T.Range(T.EdgeT(True, graph), True),
        "degree": T.LONG,
        "out_degree": T.LONG,
        "in_degree": T.LONG,
    }


def edge_members(graph: str) -> dict[str, T.Type]:
    return {"src": T.NodeT(graph), "dst": T.NodeT(graph), "id": T.Id(T.EdgeT(graph=graph))}


#: The edge of the other direction; a program may have a property of that name instead.
REVERSE = "reverse"


def is_reverse(e: A.Node, checked: Checked) -> TypeGuard[A.Member]:
    """Is it the edge of the other direction, in a checked program?"""
    return (isinstance(e, A.Member) and e.name == REVERSE and isinstance(checked.types.get(e.object), T.EdgeT)
            and not checked.has_property("edge", REVERSE))


def node_methods(graph: str) -> dict[str, Signature]:
    return {"edge_to": Signature((T.NodeT(graph),), T.EdgeT(graph=graph), "reads")}


def worklist_members(t: T.Worklist) -> dict[str, T.Type]:
    if t.kind == "scratch":
        return {}
    if t.kind == T.QUEUE:
        return {"priority": T.LONG if t.by is None or t.by.of is None else t.by.of, "items": T.Range(t.item, False),
                "empty": T.BOOL}
    members: dict[str, T.Type] = {"size": T.LONG}
    if t.kind == "buckets":
        members["priority"] = T.LONG
        members |= {"empty": T.BOOL} if t.by is not None else {}
    if t.kind != "count":
        members["items"] = T.Range(t.item, t.unique or t.kind in SETS)
    return members


def of_wl(node: A.Node, *names: str) -> A.MethodCall | None:
    """The call of one of these methods of a kernel's own worklist; None: it is something else."""
    if isinstance(node, A.MethodCall) and node.name in names and isinstance(node.object, A.Name):
        return node if node.object.id == "WL" else None
    return None


def update_of(e: A.Node, *names: str) -> A.MethodCall | None:
    """The update of a priority queue whose value, or whether it changed anything, an expression is."""
    return of_wl(e.object if isinstance(e, A.Member) and e.name == "changed" else e, *names)


def gives_position(e: A.Expr) -> TypeGuard[A.MethodCall]:
    """Is it the method of a library that gives the position of what it appends (docs/language.md)?"""
    return isinstance(e, A.MethodCall) and e.name == "append"


def adder(t: T.Worklist) -> str:
    """The method that puts one item into such a list."""
    return next(name for name, method in worklist_methods(t).items() if method.effect == "appends")


def worklist_methods(t: T.Worklist) -> dict[str, Signature]:
    if t.kind == "scratch":
        return {
            "push": Signature((t.item,), T.VOID, "appends"),
            "contains": Signature((t.item,), T.BOOL, "reads"),
            "clear": Signature((), T.VOID, "appends"),
        }
    if t.kind == T.QUEUE:
        of = T.LONG if t.by is None or t.by.of is None else t.by.of
        return {
            "push": Signature((t.item,), T.VOID, "appends"),
            "update_min": Signature((t.item, of), T.Reduced(of), "appends"),
            "update_max": Signature((t.item, of), T.Reduced(of), "appends"),
            "update_sum": Signature((t.item, T.LONG, of), T.Reduced(of), "appends"),
            "pop": Signature((T.Position(t),), t.item, "reads"),
            "finished": Signature((t.item,), T.BOOL, "reads"),
        }
    methods = {
        "push": Signature((t.item, T.LONG) if t.kind == "buckets" else (t.item,), T.VOID, "appends",
                          LIST_FORMS if t.kind in ("list", "buckets") else ()),
        "clear": Signature((), T.VOID, "writes"),
        "swap": Signature((t,), T.VOID, "writes"),
    }
    if t.kind != "count":
        methods["update"] = Signature((T.Worklist("list", t.item),), T.VOID, "writes")
    if t.kind == "list":
        methods["stack"] = methods["unstack"] = Signature((t,), T.VOID, "writes")
    if t.kind in ("list", "buckets"):
        methods["pop"] = Signature((T.Position(t),), t.item, "reads")
    if t.kind == "buckets" and t.by is not None:
        methods["early"] = Signature((t.item,), T.BOOL, "reads")
    if t.kind in SETS:
        methods["contains"] = Signature((t.item,), T.BOOL, "reads")
    return methods


#: Functions of one number that give a floating point value of the argument's width (double for integers).
FLOAT_FUNCTIONS = ("sqrt", "cbrt", "exp", "expm1", "log", "log2", "log10", "log1p", "floor", "ceil", "trunc", "sin",
                   "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
#: The same of two numbers.
FLOAT_FUNCTIONS_OF_TWO = ("pow", "atan2", "hypot")

#: Everything that can be called by name without being declared.
FUNCTIONS = (
    *FLOAT_FUNCTIONS,
    *FLOAT_FUNCTIONS_OF_TWO,
    "min",
    "max",
    "abs",
    "isinf",
    "isnan",
    "hash",
    "popcount",
    "cas",
    "range",
    "oriented",
    "random",
    "clock",
    "print",
    "stop",
    "average_weight",
    "max_weight",
    "auto",
    "common",
    "dot",
    "sum",
)


def is_common(e: A.Node, helpers: Container[str]) -> TypeGuard[A.Call]:
    """Is it a call of the language's `common`, and of no helper of that name?"""
    return isinstance(e, A.Call) and e.function == "common" and e.function not in helpers


#: Names that nothing declared may have.
WORDS = ("INF", "NONE", "WL", "first", "true", "false", *(f for f in FUNCTIONS if f not in FREE))

#: What the compiler owns, and operators may not name.
DEVICE_WORDS = ("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize")
DEVICE_PREFIXES = (
    "__shfl",
    "__ballot",
    "__any",
    "__all",
    "__sync",
    "__activemask",
    "atomic",
    "__thread",
    "__match",
    "__popc",
    "__ldg",
    "omp_",
    "__shared__",
)


def is_device_word(name: str) -> bool:
    return name in DEVICE_WORDS or (name.startswith(DEVICE_PREFIXES) and name != "atomic")


def a(what: object) -> str:
    """`what` with its article, for messages."""
    word = str(what)
    if word in ("NONE", "INF", "void"):
        return word
    return f"{'an' if word[:1] in 'aeio' else 'a'} {word}"


def nearest(name: str, names: Iterable[str]) -> str | None:
    """A hint that names the closest known word, if one is close."""
    close = difflib.get_close_matches(name, list(names), 1)
    return f"did you mean '{close[0]}'?" if close else None
