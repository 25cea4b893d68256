"""What the reference interpreter works on besides numbers: nodes, edges, graphs, and places to store into.

NONE is None; a struct is a tuple of its fields; an id (`n.id`) stays its node until a number is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from irgl.ast import types as T
from irgl.reference.arithmetic import Fault, arith, compare, to_float, to_int, update_types, wrap

Array = np.ndarray[Any, Any]


class GraphLike(Protocol):
    """Compressed sparse rows: row[n+1], dst[m] of integers; weight[m] or None."""

    @property
    def row(self) -> Array: ...
    @property
    def dst(self) -> Array: ...
    @property
    def weight(self) -> Array | None: ...
    @property
    def directed(self) -> bool: ...


class Node(NamedTuple):
    graph: Graph
    id: int


class Edge(NamedTuple):
    """An edge by its place in `dst`, however it was reached."""

    graph: Graph
    id: int


class Reduction(NamedTuple):
    """The value of an update."""

    old: Any
    changed: bool


def key(v: Any) -> Any:
    """What a value is compared by: items by id, NONE as -1, structs field by field."""
    if isinstance(v, Node | Edge):
        return v.id
    if isinstance(v, tuple):
        return tuple(key(x) for x in v)
    return -1 if v is None else v


def convert(v: Any, to: T.Type) -> Any:
    """A value where a `to` is wanted: C's conversions, float to integer saturating."""
    if isinstance(v, Reduction):
        v = v.changed
    if not isinstance(to, T.Bool | T.Int | T.Float):
        return v
    v = key(v)
    if isinstance(to, T.Bool):
        return v != 0
    if isinstance(to, T.Float):
        return to_float(v, to)
    return to_int(v, to) if isinstance(v, float) else wrap(int(v), to)


def number(v: Any) -> Any:
    """A value as the number it stands for: an update for whether it changed something, an item for its id."""
    return key(v.changed if isinstance(v, Reduction) else v)


def binary(op: str, a: Any, b: Any, of: tuple[T.Type, T.Type], t: T.Type) -> Any:
    """a op b of types `of`: arithmetic in type `t`, or a comparison in the common type. Items compare by id."""
    if t != T.BOOL:
        return arith(op, convert(a, t), convert(b, T.LONG if op in ("<<", ">>") else t), t)
    if T.is_number(of[0]) and T.is_number(of[1]):
        a, b = convert(a, T.common(*of)), convert(b, T.common(*of))
    return compare(op, number(a), number(b))


def update(op: str, old: Any, value: Any, of: tuple[T.Type, T.Type]) -> tuple[Any, Reduction]:
    """What a location of type of[0] holds after `op= value`, and the update's own value."""
    if op in ("min", "max", "xchg"):
        new = convert(value, of[0])
        if (op == "min" and not key(new) < key(old)) or (op == "max" and not key(old) < key(new)):
            new = old
    else:
        whole, part = update_types(op, *of)
        new = convert(arith(op, convert(old, whole), convert(value, part), whole), of[0])
    return new, Reduction(old, not _same(key(old), key(new)))


def _same(a: Any, b: Any) -> bool:
    """As the generated code compares them, by their bits: NaN is NaN, and 0.0 is not -0.0."""
    if isinstance(a, float) and isinstance(b, float) and (a == 0 or a != a):
        return b != b if a != a else a == b and math.copysign(1, a) == math.copysign(1, b)
    return bool(a == b)


class Graph:
    """A graph with its properties: `of_node` and `of_edge` map a property's name to one value per node or edge."""

    def __init__(self, type_name: str, raw: GraphLike) -> None:
        self.type = type_name
        self.row = [int(x) for x in raw.row]
        self.dst = [int(x) for x in raw.dst]
        self.num_nodes, self.num_edges = len(self.row) - 1, len(self.dst)
        self.directed = bool(raw.directed)
        self.max_degree = max((b - a for a, b in pairwise(self.row)), default=0)
        self.weights = [1] * self.num_edges if raw.weight is None else raw.weight.tolist()
        self.src = [n for n in range(self.num_nodes) for _ in range(self.row[n], self.row[n + 1])]
        self.incoming = self._incoming()
        self.of_node: dict[str, list[Any]] = {}
        self.of_edge: dict[str, list[Any]] = {}

    def _incoming(self) -> list[list[Edge]]:
        """The in-edges of each node: by source, or those of an undirected graph in the order of the node's edges."""
        found: list[list[Edge]] = [[] for _ in range(self.num_nodes)]
        edges = range(self.num_edges)
        if self.directed:
            for e in edges:
                found[self.dst[e]].append(Edge(self, e))
            return found
        there = sorted(edges, key=lambda e: (self.src[e], self.dst[e], self.weights[e]))
        back = sorted(edges, key=lambda e: (self.dst[e], self.src[e], self.weights[e]))
        for _, turned in sorted(zip(there, back, strict=True)):
            found[self.dst[turned]].append(Edge(self, turned))
        return found

    def node_at(self, i: int) -> Node:
        if not 0 <= i < self.num_nodes:
            raise Fault(f"there is no node {i}: the graph has {self.num_nodes}")
        return Node(self, i)

    def edge_at(self, i: int) -> Edge:
        if not 0 <= i < self.num_edges:
            raise Fault(f"there is no edge {i}: the graph has {self.num_edges}")
        return Edge(self, i)

    @property
    def nodes(self) -> list[Node]:
        return [Node(self, i) for i in range(self.num_nodes)]

    @property
    def edges(self) -> list[Edge]:
        return [Edge(self, i) for i in range(self.num_edges)]

    def out(self, n: int) -> list[Edge]:
        return [Edge(self, i) for i in range(self.row[n], self.row[n + 1])]


def node_member(n: Node, name: str) -> Any:
    """A member that the language gives to every node, or its property."""
    match name:
        case "id":
            return n
        case "edges" | "out_edges":
            return n.graph.out(n.id)
        case "in_edges":
            return n.graph.incoming[n.id]
        case "degree" | "out_degree":
            return n.graph.row[n.id + 1] - n.graph.row[n.id]
        case "in_degree":
            return len(n.graph.incoming[n.id])
        case _:
            return n.graph.of_node[name][n.id]


def edge_member(e: Edge, name: str) -> Any:
    match name:
        case "id":
            return e
        case "src":
            return Node(e.graph, e.graph.src[e.id])
        case "dst":
            return Node(e.graph, e.graph.dst[e.id])
        case "reverse" if name not in e.graph.of_edge:
            src = e.graph.src[e.id]
            return e.graph.incoming[src][e.id - e.graph.row[src]]
        case _:
            return e.graph.of_edge[name][e.id]


def member(o: Any, name: str) -> Any:
    """`o.name` of anything but a struct. Raises Fault where o is NONE; the id of NONE is NONE's."""
    if isinstance(o, Node):
        return node_member(o, name)
    if isinstance(o, Edge):
        return edge_member(o, name)
    if o is None and name != "id":
        raise Fault(f"this is NONE: it has no '{name}'")
    if isinstance(o, list | range):
        return len(o)
    return None if o is None else getattr(o, name)


def common(n: Node | None, m: Node | None, *below: Node | None) -> list[Node]:
    """The nodes that both n and m have edges to, each once, by number; those below another node, where one is given.
    Raises Fault where one of the two is NONE."""
    if n is None or m is None:
        raise Fault("this is NONE: it has no neighbours")
    both = {n.graph.dst[e.id] for e in n.graph.out(n.id)} & {m.graph.dst[e.id] for e in m.graph.out(m.id)}
    return [Node(n.graph, w) for w in sorted(both) if all(b is not None and w < b.id for b in below)]


def edge_to(n: Node | None, m: Node | None) -> Edge | None:
    """The first edge from n to m; None: there is none. Raises Fault where one of the two is NONE."""
    if n is None or m is None:
        raise Fault("this is NONE: no edge leads to it or from it")
    return next((e for e in n.graph.out(n.id) if n.graph.dst[e.id] == m.id), None)


def method(o: Any, name: str, args: list[Any]) -> Any:
    """`o.name(args)`."""
    if name == "edge_to" and (o is None or isinstance(o, Node)):
        return edge_to(o, args[0])
    if isinstance(o, Graph):
        return (o.edge_at if name == "edge" else o.node_at)(key(args[0]))
    if isinstance(o, list):
        assert name == "skip"
        return o[max(args[0], 0) :]
    return getattr(o, name)(*args)


def property_place(o: Any, name: str) -> tuple[list[Any], int]:
    """Where a node's or edge's property is kept. Raises Fault where o is NONE."""
    if o is None:
        raise Fault(f"this is NONE: it has no '{name}'")
    return (o.graph.of_node if isinstance(o, Node) else o.graph.of_edge)[name], o.id


def element_place(o: Any, index: int) -> tuple[Any, int]:
    """Where element `index` of an edge range or a library object is. Raises Fault where there is none."""
    if not isinstance(o, list):
        box, at = o.element_place(index)
        return box, at
    if not 0 <= index < len(o):
        raise Fault(f"there is no edge {index} here: there are {len(o)}")
    return o, index


def check_index(index: Any, size: int, what: str) -> int:
    """An index of `size` things called `what`. Raises Fault for one that does not exist."""
    index = key(index)
    if not 0 <= index < size:
        raise Fault(f"there is no {what} {index}: there are {size}")
    return int(index)


class FieldOf:
    """A struct's field as a place: storing replaces the struct with a changed copy."""

    def __init__(self, place: tuple[Any, Any], index: int) -> None:
        self.place, self.index = place, index

    def __getitem__(self, _: Any) -> Any:
        box, at = self.place
        return box[at][self.index]

    def __setitem__(self, _: Any, value: Any) -> None:
        box, at = self.place
        old = box[at]
        box[at] = (*old[: self.index], value, *old[self.index + 1 :])


def shown(v: Any) -> str:
    """A value as print writes it."""
    if isinstance(v, bool):
        return "true" if v else "false"
    return f"{v:g}" if isinstance(v, float) else str(key(v))


def dtype(t: T.Type, fields: dict[str, T.Type] | None) -> Any:
    """The numpy dtype that results of type `t` are shown in: nodes and edges as int64 ids, NONE as -1."""
    if fields is not None:
        return np.dtype([(name, dtype(f, None)) for name, f in fields.items()])
    if isinstance(t, T.Int | T.Float):
        return np.dtype(f"{'float' if isinstance(t, T.Float) else 'int' if t.signed else 'uint'}{t.bits}")
    return np.dtype(np.bool_ if isinstance(t, T.Bool | T.Lock) else np.int64)


def to_array(values: Iterable[Any], t: T.Type, fields: dict[str, T.Type] | None) -> Array:
    if isinstance(t, T.Vector):
        return np.array(list(values), dtype(t.of, None)).reshape(-1, t.length)
    return np.array([key(v) for v in values], dtype(t, fields))
