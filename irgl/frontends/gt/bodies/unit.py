"""What is known of a .gt file while it is lowered: what its names mean, and what the program has so far."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import GlobalNames, Names
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.source import IrglError, Span

#: What every node has already.
_OF_NODES = frozenset(("id", "edges", "out_edges", "in_edges", "degree", "out_degree", "in_degree", "neighbors",
                       "in_neighbors", "edge_to"))


@dataclass(frozen=True, slots=True)
class Thing:
    """What a name means: `what` is number, vertex (a node of irgl's), vector, set, all (the set of all vertices),
    counted (a bucket of which only the size is known), neighbours (of the vertex that `make` writes), edges, list,
    array or queue.

    name: irgl's own name of it. make: writes it as an expression, where it is a number or a vertex. reverse: edges that
    are transposed. span: where it is declared. fixed: it can't be stored to.
    """

    what: str
    kind: K.Kind
    name: str
    make: Callable[[Span], A.Expr] | None = None
    reverse: bool = False
    span: Span | None = None
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """What became of a statement that is labelled: `path` is its labels, outermost first, joined by colons; `kind` is
    apply, vertices, while, for, statement; place: the name by which plans know it ('' where they don't)."""

    path: str
    kind: str
    place: str
    span: Span


@dataclass
class Unit:
    """properties ... helpers: what the program declares so far. arguments: the numbers of argv[k] that are numbers, and
    what they go to.
    graph: the number of the argument, or the path, that the graph is loaded from. weight: the edge property with
    the file's weights; delta: the parameter that makes buckets wider; '' where nobody asks for one. places: what became
    of labels. any_valid: where an answer is one of several, the first place. arrays: are there any? everybody: the
    kernel that adds all vertices to a set, once there is one. list_sizes: by the names of lists, the variables of the
    Program's that have how many elements are in them. notes: what a strict check tells, by places. scalars: the consts
    that are numbers; numbers: those that are whole ones, and that nobody changes."""

    file: G.File
    name: str
    elements: frozenset[str] = frozenset()
    funcs: dict[str, G.Func] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    properties: list[A.Property] = field(default_factory=list)
    globals: list[A.Global] = field(default_factory=list)
    helpers: list[A.Function] = field(default_factory=list)
    kernels: list[A.Kernel] = field(default_factory=list)
    arguments: dict[int, str] = field(default_factory=dict)
    graph: tuple[str | int, Span] | None = None
    weight: str = ""
    delta: str = ""
    places: list[Place] = field(default_factory=list)
    any_valid: Span | None = None
    arrays: bool = False
    locals: set[str] = field(default_factory=set)
    everybody: str = ""
    list_sizes: dict[str, str] = field(default_factory=dict)
    notes: list[tuple[Span, str]] = field(default_factory=list)
    scalars: frozenset[str] = frozenset()
    numbers: dict[str, int] = field(default_factory=dict)
    names: Names = field(init=False)
    property_names: Names = field(init=False)

    def __post_init__(self) -> None:
        words = frozenset((*(c.name for c in self.file.consts), *(f.name for f in self.file.funcs)))
        self.numbers = steady_numbers(self.file)
        self.scalars = frozenset(c.name for c in self.file.consts if isinstance(c.type, G.NamedType))
        self.names = GlobalNames(self.locals, words)
        self.property_names = Names(_OF_NODES, reserved=words)

    def global_names(self) -> AbstractSet[str]:
        return self.names.taken | self.funcs.keys() | self.scalars

    def function(self, name: str, span: Span) -> G.Func:
        """The function of a name; IrglError where there is none."""
        if name not in self.funcs:
            near = difflib.get_close_matches(name, self.funcs, 1)
            raise IrglError(f"there is no function '{name}'", span, f"did you mean '{near[0]}'?" if near else None)
        found = self.funcs[name]
        if found.is_extern:
            raise IrglError(f"'{name}' is an extern function, C++ against GraphIt's own run time, and can't be linked",
                            span, "write it in this file as a func")
        return found

    def resolve(self, t: G.Type) -> K.Kind:
        return K.resolve(t, self.elements, self.numbers)

    def argument(self, k: int) -> str:
        """The parameter of the Program that argv[k] is given as."""
        return self.arguments.setdefault(k, f"argv{k}")


def steady_numbers(file: G.File) -> dict[str, int]:
    """The consts that are declared as whole numbers, and that no function stores to."""
    stored = {n.place.id for f in file.funcs for n in G.walk(f)
              if isinstance(n, G.Assign) and isinstance(n.place, G.Name)}
    return {c.name: int(c.init.text[:9]) for c in file.consts if isinstance(c.init, G.Number) and c.init.whole
            and isinstance(c.type, G.NamedType) and c.name not in stored}


def vertex(word: str, kind: K.Kind) -> Thing:
    """A variable of irgl's that is a node."""
    return Thing("vertex", kind, word, lambda s: A.Name(word, span=s))


def name(word: str, span: Span) -> A.Name:
    return A.Name(word, span=span)


def integer(value: int, span: Span) -> A.IntLit:
    return A.IntLit(value, T.INT, span=span)


def graph_param(span: Span) -> A.Param:
    return A.Param(T.Named("Graph"), "g", None, (), span=span)


def set_param(word: str, span: Span) -> A.Param:
    return A.Param(T.Worklist("set", T.NODE), word, None, (), span=span)


def node_of(number: A.Expr, span: Span) -> A.Expr:
    """The node with a number."""
    return A.MethodCall(name("g", span), "node", (number,), span=span)


def member(thing: A.Expr, word: str, span: Span) -> A.Member:
    return A.Member(thing, word, span=span)
