"""Remedies that messages name, by the types that do not fit."""

from __future__ import annotations

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked
from irgl.ast import types as T

#: How each builtin reads.
SIGNATURES = {
    "min": "min(a, b)",
    "max": "max(a, b)",
    "pow": "pow(base, exponent)",
    "atan2": "atan2(y, x)",
    "hypot": "hypot(x, y)",
    "cas": "cas(LOCATION, EXPECTED, NEW)",
    "range": "range(n) or range(low, high)",
    "oriented": "Graph h = oriented(g);",
    "random": "random(n): 0 to n - 1",
    "clock": "clock()",
    "stop": 'stop("the reason")',
    "common": "common(n, m) or common(n, m, below)",
    **{name: f"{name}(x)" for name in (*M.FLOAT_FUNCTIONS, "abs", "isinf", "isnan", "hash", "popcount", "auto")},
    **{name: f"{name}(g)" for name in ("average_weight", "max_weight")},
}


def number_from(checked: Checked, t: T.Type) -> str | None:
    """How a `t` becomes a number, or stands in one's place."""
    match t:
        case T.NodeT() | T.EdgeT():
            return "its number is .id"
        case T.Reduced():
            return "write .old for the value before the update, .changed for whether it did anything"
        case T.Inf():
            return "INF needs a type here: write (int)INF"
        case T.Nothing():
            return "NONE is no node or edge: only nodes and edges are compared with it"
        case T.Worklist() if t.kind == T.QUEUE:
            return "whether nobody waits in it is .empty"
        case T.Worklist():
            return "the number of its items is .size"
        case T.Range():
            return "the number of edges is n.degree, of nodes g.num_nodes"
        case T.Lock():
            return "a lock has no value: take it by Atomic (n.lock) { ... }"
        case T.String():
            return "strings are printed, and nothing else"
        case T.Void():
            return "this gives no value"
        case T.Named() if t.name in checked.graph_types:
            return "a graph has g.num_nodes and g.num_edges"
        case T.Named() if t.name in checked.libraries:
            return f"{M.a(T.bare(t))} is an object: use what it has, such as .size or an element"
        case T.Named():
            return "take one of its fields"
        case _:
            return None


def conversion(checked: Checked, graph: str, t: T.Type, expected: T.Type) -> str | None:
    """How a `t` becomes an `expected`; `graph` is the graph variable in scope."""
    match expected, t:
        case T.Position(), _:
            return "pop takes the variable of a loop over the list itself: ForAll (i In WL) { node n = WL.pop(i); }"
        case T.Int(), T.Float():
            return f"write ({expected})(...) to cut its fraction off"
        case ((T.Int() | T.Float()), _) if T.is_number(t):
            return f"it may not fit: write ({expected})(...) to convert it"
        case ((T.Int() | T.Float()), T.Nothing()):
            return "NONE is no node or edge: write a number, or INF"
        case T.NodeT(), T.EdgeT():
            return "an edge has two: .src and .dst"
        case ((T.NodeT() | T.EdgeT()), T.Inf()):
            return "write NONE for no node or edge"
        case ((T.NodeT() | T.EdgeT()), (T.NodeT() | T.EdgeT())) if T.bare(t) == T.bare(expected):
            return "a node of one graph is none of another: take the one with the number that you mean, h.node(...)"
        case T.NodeT(), _ if T.is_integer(t):
            return f"{graph or 'g'}.node(...) gives the node with that number"
        case T.EdgeT(), _ if T.is_integer(t):
            return f"{graph or 'g'}.edge(...) gives the edge with that number"
        case T.Worklist(), T.Worklist() if T.bare(t.item) == T.bare(expected.item):
            if t.kind != expected.kind:
                return "declare the list of that kind, or fill one by update"
            return (
                f"declare the list as {T.bare(expected)}: a promise that no item comes twice"
                if expected.unique
                else None
            )
        case T.Worklist(), _:
            return f"declare one in the Program: {T.bare(expected)} NAME;"
        case T.Named(), _ if t != expected and checked.fields(expected) is not None:
            return f"write ({expected}){{...}}"
        case T.Named(), _ if expected.name in checked.libraries:
            return f"declare one in the Program: {T.bare(expected)} NAME;"
        case T.Named(), _ if expected.name in checked.graph_types:
            return f"give it a graph variable of type {expected}"
        case _:
            return number_from(checked, t)
