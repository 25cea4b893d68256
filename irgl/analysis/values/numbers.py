"""Do the numbers of nodes and edges reach a program's answer?

Where they don't, nodes are mere places: the program follows edges, loads and stores properties, keeps nodes in lists
and asks whether two are the same. Numbered otherwise, the graph then gives the same values at the same nodes, so that a
plan may lay the nodes out in memory as it likes. The order of the edges in each row is left as it is: a sequential loop
over a node's edges, and `n.edges[k]`, may depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.effects.sorted_rows import looks_up
from irgl.analysis.names.symbols import Checked
from irgl.analysis.refusal import Refusal
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

_ORDERS = ("<", "<=", ">", ">=")
_NODE_EDGES = ("edges", "out_edges", "in_edges")


def why_numbered(checked: Checked) -> Refusal | None:
    """The first thing, in the order of the text, that makes an answer depend on numbers; None: there is none."""
    for decl in checked.program.decls:
        match decl:
            case A.Library():
                return Refusal(f"nobody can see what {decl.name}'s header does with the numbers of nodes",
                               "use properties and lists", decl)
            case A.Kernel() | A.Function() | A.Entry():
                for node in _told(decl):
                    found = _refused(checked, node)
                    if found is not None:
                        return found
    return _of_several_graphs(checked)


def _told(decl: A.Kernel | A.Function | A.Entry) -> Iterator[A.Node]:
    """What of a declaration runs. Defaults and clauses of a Program are worked out before and after, as numbered."""
    yield from decl.params
    for s in decl.body:
        yield from walk(s)


def _refused(checked: Checked, n: A.Node) -> Refusal | None:
    types = checked.types
    match n:
        case A.Param() if "sorted" in n.needs:
            return Refusal("it asks for neighbours that ascend by number", "leave `sorted` out", n)
        case A.Member(name="id") if isinstance(types[n], T.Id):
            return Refusal(f"it asks for the number of {_item(types[n])}", "keep what you need in a property", n)
        case A.MethodCall(name="node" | "nodes" | "edge") if _is_graph(checked, types[n.object]):
            return Refusal(f"it names {_item(types[n])} by its number", "take a parameter, or an item of a loop", n)
        case A.Binary(left=a, right=b) if n.op in _ORDERS and _is_item(types[a], types[b]):
            return Refusal(f"`{n.op}` compares numbers of {_items(types[a], types[b])}", "compare a property", n)
        case A.Call(function="min" | "max") if _is_item(types[n]):
            return Refusal(f"{n.function} compares numbers of {_items(types[n])}", "compare a property", n)
        case A.Reduce(op="min" | "max") if _holds_item(checked, types[n.target]):
            return Refusal(f"{n.op}= compares numbers of {_items(types[n.target])}", "compare a property", n)
        case A.Call() | A.MethodCall() if looks_up(checked, n):
            return Refusal("it looks up edges in rows that ascend by number", "leave the order as given", n)
        case A.Call(function="oriented"):
            return Refusal("oriented() goes by number between nodes of one degree", "leave it out", n)
        case A.Call(function="print") if any(_is_item(types[a]) for a in n.args):
            return Refusal("it prints numbers of nodes or edges", "print a property", n)
        case A.For() if looks_up(checked, n.iterator):
            return _refused(checked, n.iterator)
        case A.For() if _item_range(types[n.iterator]) and not _of_one_node(checked, n.iterator):
            return Refusal("a sequential loop goes by number", "write ForAll", n)
        case A.Index() if _item_range(types[n.object]) and not _of_one_node(checked, n.object):
            return Refusal("it names an edge by its number", "take it from its node: n.edges[k]", n)
        case A.MethodCall(name="skip") if not _of_one_node(checked, n.object):
            return Refusal("skip goes by number here", "skip a node's edges: n.edges.skip(k)", n)
        case A.CBlock():
            return Refusal("nobody can see what a CBlock does with numbers of nodes", "write it in IrGL", n)
        case _:
            return None


def _of_several_graphs(checked: Checked) -> Refusal | None:
    """With several graphs, a node must be known to be one of a certain graph: each is numbered for itself."""
    entry = checked.entry
    graphs = [p for p in entry.params if _is_graph(checked, p.type)] if entry is not None else []
    if len(graphs) < 2:
        return None
    for struct in checked.structs.values():
        if any(_is_item(f.type) for f in struct.fields):
            return Refusal("a struct does not tell of which graph its nodes are", "use properties", struct)
    for e, t in checked.types.items():
        none = isinstance(e, A.Name) and e.id == "NONE"
        if isinstance(t, T.NodeT | T.EdgeT) and not t.graph and not none:
            return Refusal(f"nothing tells of which graph this {T.bare(t)} is", "give the function its graph", e)
    return None


def _is_graph(checked: Checked, t: T.Type) -> bool:
    return isinstance(t, T.Named) and t.name in checked.graph_types


def _is_item(*types: T.Type) -> bool:
    return any(isinstance(t, T.NodeT | T.EdgeT | T.Id) for t in types)


def _holds_item(checked: Checked, t: T.Type) -> bool:
    fields = checked.fields(t)
    return _is_item(t) if fields is None else _is_item(*fields.values())


def _item_range(t: T.Type) -> bool:
    return isinstance(t, T.Range) and _is_item(t.item)


def _of_one_node(checked: Checked, e: A.Expr) -> bool:
    """Is a range of edges that of one node, whose order is the row's?"""
    while isinstance(e, A.MethodCall) and e.name in ("skip", "when"):
        e = e.object
    return isinstance(e, A.Member) and e.name in _NODE_EDGES and isinstance(checked.types[e.object], T.NodeT)


def _item(t: T.Type) -> str:
    inner = t.of if isinstance(t, T.Id) else t
    return "a node" if isinstance(inner, T.NodeT) else "an edge"


def _items(*types: T.Type) -> str:
    t = next((t for t in types if _is_item(t)), None)
    return "nodes or edges" if t is None else "nodes" if _item(t) == "a node" else "edges"
