"""What to write for a name that a newcomer brings along: from NetworkX, NumPy, Python or C."""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T

_ENDS = "a neighbour is the end e.dst of an edge e in n.edges; how many there are is n.degree"
_BEFORE = "a node before n is the start e.src of an edge e in n.in_edges; how many there are is n.in_degree"
_DST = "the node that an edge leads to is e.dst"
_SRC = "the node that an edge comes from is e.src"
_EDGE_TO = "the edge from n to m is n.edge_to(m), and NONE where there is none"
_COMMON = "how many neighbours n and m have in common is common(n, m); For (w In common(n, m)) runs over them"
_REVERSE = "the edge of the other direction is e.reverse, in an undirected graph"
_DEGREE = "how many edges a node has is n.degree"
_NODES = "how many nodes there are is g.num_nodes"
_EDGES = "how many edges there are is g.num_edges"

#: By the kind of thing in front of the dot: what people call its members elsewhere.
_MEMBERS: dict[str, dict[str, str]] = {
    "node": {
        **dict.fromkeys(("has_edge", "get_edge", "find_edge", "is_adjacent", "is_neighbor"), _EDGE_TO),
        **dict.fromkeys(("common", "common_neighbors", "common_neighbours"), _COMMON),
        **dict.fromkeys(("neighbors", "neighbours", "neighbor", "adj", "adjacent", "successors", "children", "nbrs"),
                        _ENDS),
        **dict.fromkeys(("in_neighbors", "in_neighbours", "predecessors", "parents"), _BEFORE),
        **dict.fromkeys(("deg", "outdegree", "num_edges", "num_neighbors"), _DEGREE),
        "indegree": "how many edges lead to a node is n.in_degree",
    },
    "edge": {
        **dict.fromkeys(("rev", "reversed", "twin", "opposite", "inverse", "back", "other"), _REVERSE),
        **dict.fromkeys(("target", "to", "dest", "destination", "v", "head"), _DST),
        **dict.fromkeys(("source", "from_", "u", "tail"), _SRC),
    },
    "graph": {
        **dict.fromkeys(("has_edge", "get_edge", "find_edge", "is_adjacent", "is_neighbor"), _EDGE_TO),
        **dict.fromkeys(("common", "common_neighbors", "common_neighbours"), _COMMON),
        **dict.fromkeys(("neighbors", "neighbours", "adj", "successors"), _ENDS),
        **dict.fromkeys(("in_neighbors", "predecessors"), _BEFORE),
        **dict.fromkeys(("V", "vertices", "number_of_nodes", "num_vertices", "order", "n"), _NODES),
        **dict.fromkeys(("E", "number_of_edges", "size", "m"), _EDGES),
        **dict.fromkeys(("degree", "out_degree"), _DEGREE),
    },
    "list": {
        **dict.fromkeys(("empty", "is_empty", "length", "len", "count"), "the number of its items is .size"),
        **dict.fromkeys(("append", "add", "push_back", "put", "insert", "enqueue"), "an item is added by .push(...)"),
    },
}

_OF_LISTS = ("push", "pop", "node", "edge", "nodes", "edges", "update", "swap", "clear", "contains", "append", "size")
_NONE = "write NONE for no node or edge"
_INF = "write INF, the largest number of a type"
_NO_LIBRARY = "a program is compiled and calls no library: write min(a, b), abs(x), sqrt(x), ..., or a loop"
_NAMES = {
    "True": "write true", "False": "write false",
    **dict.fromkeys(("None", "NULL", "null", "nullptr", "nil"), _NONE),
    **dict.fromkeys(("INFINITY", "inf", "infinity", "INT_MAX", "FLT_MAX", "LONG_MAX", "UINT_MAX"), _INF),
    **dict.fromkeys(("np", "numpy", "nx", "networkx", "math", "scipy", "torch", "self"), _NO_LIBRARY),
}  # fmt: skip
_FUNCTIONS = {
    "len": "how many edges a node has is n.degree, nodes a graph g.num_nodes, items a list .size",
    **dict.fromkeys(("printf", "puts", "cout", "echo"), "write print(x), in the Program"),
    **dict.fromkeys(("malloc", "calloc", "new"), 'import "array.irgl" and declare an array<T> in the Program'),
    **dict.fromkeys(("fmin", "fminf", "minimum"), "write min(a, b)"),
    **dict.fromkeys(("fmax", "fmaxf", "maximum"), "write max(a, b)"),
    **dict.fromkeys(("fabs", "fabsf"), "write abs(x)"), **dict.fromkeys(("sqrtf",), "write sqrt(x)"),
    **dict.fromkeys(("common_neighbors", "common_neighbours", "intersection", "intersect"), _COMMON),
    **dict.fromkeys(("has_edge", "is_edge", "edge_to", "edge_between"), _EDGE_TO),
    **dict.fromkeys(("sort", "sorted", "qsort"), "an array is sorted in place: a.sort();"),
    **dict.fromkeys(("rand", "randint", "randrange"), "write random(n): 0 to n - 1"),
    **dict.fromkeys(("sum", "any", "all", "enumerate", "zip", "map", "reversed"),
                    "write a loop, and an update such as += or min= in it"),
}  # fmt: skip


def member(checked: Checked, t: T.Type, name: str) -> str | None:
    """What to write for `name` behind a `t`."""
    found = _MEMBERS.get(_kind(checked, t), {}).get(name)
    if found is None and _kind(checked, t) == "graph":
        return _property(checked, name)
    return found


def _kind(checked: Checked, t: T.Type) -> str:
    match t:
        case T.NodeT():
            return "node"
        case T.EdgeT():
            return "edge"
        case T.Worklist():
            return "list"
        case T.Named() if t.name in checked.graph_types:
            return "graph"
        case _:
            return ""


def _property(checked: Checked, name: str) -> str | None:
    """That a name is a property, which stands behind a node or an edge."""
    for graph in checked.graph_types.values():
        for p in graph.properties:
            if p.name == name:
                one = p.owner[0]
                return f"'{name}' is a property of {p.owner}s: write {one}.{name} for {'a' if one == 'n' else 'an'} " \
                       f"{p.owner} {one}"
    return None


def variable(checked: Checked, name: str, ended: Symbol | None) -> str | None:
    """What to do about a variable that is not known here. ended: a loop's variable of that name, whose loop is over."""
    if ended is not None:
        line = f", line {ended.span.line}" if ended.span is not None else ""
        return f"'{name}' is known only inside its loop{line}: use it there, or keep a value of it in a variable before"
    return _NAMES.get(name) or _property(checked, name)


def owner_of(checked: Checked, name: str, wanted: str) -> str | None:
    """What to do about an unknown `name` in `name.wanted`: the loop that gives such a node or edge."""
    owners = {p.owner for g in checked.graph_types.values() for p in g.properties if p.name == wanted}
    if owners == {"edge"} or wanted in ("src", "dst"):
        return f"an edge is known inside a loop over edges: ForAll ({name} In n.edges) {{ ... }}"
    if owners == {"node"} or wanted in ("edges", "in_edges", "out_edges", "degree"):
        return f"a node is known inside a loop over nodes: ForAll ({name} In g.nodes) {{ ... }}"
    return None


def library(called: str) -> str | None:
    """What to write for the call of something behind an unknown name; None for what lists and graphs have."""
    return None if called in _OF_LISTS else _NO_LIBRARY


def function(name: str, args: tuple[A.Expr, ...]) -> str | None:
    """What to write for a function that the language lacks."""
    match name, args:
        case "len", (A.Member(object=A.Name(id=n), name="edges" | "out_edges" | "neighbors"),):
            return f"write {n}.degree"
        case "len", (A.Member(object=A.Name(id=n), name="in_edges"),):
            return f"write {n}.in_degree"
        case "len", (A.Member(object=A.Name(id=g), name="nodes"),):
            return f"write {g}.num_nodes"
        case "coordinate", _:
            return "a node's property begins with it, and with nothing else: node double x = coordinate(0);"
        case _:
            return _FUNCTIONS.get(name)
