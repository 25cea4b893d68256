"""What is known of a .fal file while it is lowered: what its names mean, and what the program has so far."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.falcon import tree as F
from irgl.frontends.free_names import GlobalNames, Names
from irgl.frontends.trees import below
from irgl.source import IrglError, Span

TYPES: dict[str, T.Type] = {"int": T.INT, "long": T.LONG, "float": T.FLOAT, "double": T.DOUBLE, "bool": T.BOOL,
                            "Point": T.NODE, "Edge": T.EDGE,
                            "Set": T.Named("union_find"), "Collection": T.Worklist("list", T.NODE)}  # fmt: skip
NUMBERS = ("int", "long", "float", "double", "bool")
#: What an iteration has for a Collection of its own.
OWN = T.Named("AppendOnlyList", (T.NODE,))
#: What foreach runs over, by kind and the word behind the dot, and what irgl calls it.
ITERATORS = {("Graph", "points"): "nodes", ("Graph", "edges"): "edges", ("Point", "outnbrs"): "edges",
             ("Point", "nbrs"): "edges", ("Point", "innbrs"): "in_edges", ("Set", ""): "nodes",
             ("Collection", ""): "items"}  # fmt: skip
#: What the paper's algorithm 3 stores where no path leads: one more edge doesn't wrap around.
MAX_INT = 1234567890
UPDATES = {"MIN": "min", "MAX": "max", "ADD": "+", "RADD": "+", "RMUL": "*"}
#: How many nodes of the tree copies of functions and their arguments may come to.
_MOST = 50_000
#: What every node and edge of irgl's has already.
_TAKEN = ("id", "edges", "out_edges", "in_edges", "degree", "out_degree", "in_degree", "neighbors", "in_neighbors",
          "edge_to", "src", "dst", "reverse")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Thing:
    """What a name means. where: global, main, kernel (a variable of an iteration's), fixed (it can't be stored to) or
    graph. name: irgl's own name of it. make: writes it. way: of a neighbour the edge that leads there, the Point whose
    neighbour it is, and the iterator; None where that Point may change."""

    kind: str
    where: str
    name: str
    make: Callable[[Span], A.Expr]
    way: tuple[str, A.Expr, str] | None = None


@dataclass
class Unit:
    """things: globals. points, edges: properties, by Falcon's names, with irgl's and their kinds. arguments: the
    parameters of the Program that argv[k] goes to. graphs: how many are declared. read: the k of the argv[k] that names
    the graph; read_at: where. lock, weight: the properties that `single` and weights ask for, '' where nobody does.
    spent: what calls have put in their places so far. called: the functions that stand there. ways: the iterators of
    Points, and where each stands first."""

    file: F.File
    funcs: dict[str, F.Func] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    points: dict[str, tuple[str, str]] = field(default_factory=dict)
    edges: dict[str, tuple[str, str]] = field(default_factory=dict)
    properties: list[A.Property] = field(default_factory=list)
    kernels: list[A.Kernel] = field(default_factory=list)
    arguments: dict[int, A.Param] = field(default_factory=dict)
    graphs: int = 0
    read: int = 0
    read_at: Span | None = None
    lock: str = ""
    weight: str = ""
    needs: set[str] = field(default_factory=set)
    ways: dict[str, Span] = field(default_factory=dict)
    spent: int = 0
    called: set[str] = field(default_factory=set)
    locals: set[str] = field(default_factory=set)
    names: Names = field(init=False)
    property_names: Names = field(init=False)

    def __post_init__(self) -> None:
        words = frozenset((*(v.name for v in self.file.globals), *(f.name for f in self.file.funcs)))
        self.names = GlobalNames(self.locals, words)
        self.names.taken |= {"union_find", OWN.name}
        self.property_names = Names(_TAKEN)

    def spend(self, size: int, span: Span) -> None:
        """Counts what calls put in their places. Raises IrglError where that is more than a program may come to."""
        self.spent += size
        if self.spent > _MOST:
            raise IrglError("the functions that are called here come to too many copies", span,
                            "call them less often, or from a loop")

    def refuse_both_ways(self, span: Span) -> None:
        """`nbrs` makes all edges go both ways. Raises IrglError where others of a Point's iterators stand beside it."""
        if "nbrs" in self.ways:
            self.needs.add("undirected")
            if other := next((word for word in self.ways if word != "nbrs"), None):
                raise IrglError(f"'{other}' stands beside 'nbrs', for which all edges go both ways", span,
                                f"write one of them: {other} in line {self.ways[other].line}, or nbrs in line "
                                f"{self.ways['nbrs'].line}")

    def the_graph(self, span: Span) -> Thing:
        """What a Graph is called that is declared here. Raises IrglError for a second one."""
        self.graphs += 1
        if self.graphs > 1:
            raise IrglError("a second graph is not supported", span, "a program reads one graph, in main")
        return Thing("Graph", "graph", "g", named("g"))

    def property(self, owner: str, kind: str, wanted: str, span: Span, init: A.Expr | None = None) -> str:
        """A new property of nodes or edges."""
        name = self.property_names.fresh(wanted)
        t: T.Type = T.LOCK if kind == "lock" else TYPES[kind]
        self.properties.append(A.Property(owner, t, name, init, False, None, span=span))
        return name

    def global_names(self) -> AbstractSet[str]:
        return self.names.taken | self.funcs.keys()

    def asked_weight(self, span: Span) -> str:
        if not self.weight:
            self.weight = self.property("edge", "int", "weight", span)
            self.needs.add("weighted")
        return self.weight


def called(kind: str) -> str:
    """How messages call what is of a kind."""
    return {"": "nothing", "number": "a number", "Edge": "an Edge", "argv": "a text"}.get(kind, f"a {kind}")


def named(name: str) -> Callable[[Span], A.Expr]:
    return lambda span: A.Name(name, span=span)


def near(word: str, known: Collection[str]) -> str | None:
    """A hint where a name is like one that is known."""
    found = difflib.get_close_matches(word, known, 1)
    return f"did you mean '{found[0]}'?" if found else None


def walk(node: F.Node) -> Iterator[F.Node]:
    """A node and all below it, from left to right."""
    return below(node, F.Node)


def changed_by(unit: Unit, func: F.Func, seen: set[str] | None = None) -> set[str]:
    """The names that a function, or one that it calls, stores to."""
    seen = seen if seen is not None else set()
    found: set[str] = set()
    if func.name in seen:
        return found
    seen.add(func.name)
    for n in walk(func):
        if isinstance(n, F.Store) and isinstance(n.place, F.Name):
            found.add(n.place.id)
        elif isinstance(n, F.Call) and n.function in UPDATES:
            found |= {a.id for a in n.args if isinstance(a, F.Name)}
        elif isinstance(n, F.Call) and n.function in unit.funcs:
            found |= changed_by(unit, unit.funcs[n.function], seen)
    return found
