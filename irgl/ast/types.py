"""The types of the language, as values that compare by content."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Auto:
    """The type of a variable that takes its initialiser's."""

    def __str__(self) -> str:
        return "auto"


@dataclass(frozen=True, slots=True)
class Bool:
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Int:
    """A two's complement integer of 8, 16, 32 or 64 bits; arithmetic wraps."""

    bits: int
    signed: bool

    def __str__(self) -> str:
        if self.signed:
            return {32: "int", 64: "long"}.get(self.bits, f"int{self.bits}")
        return f"uint{self.bits}"

    @property
    def max(self) -> int:
        return (1 << (self.bits - self.signed)) - 1

    @property
    def min(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0


@dataclass(frozen=True, slots=True)
class Float:
    """IEEE 754 binary32 or binary64."""

    bits: int

    def __str__(self) -> str:
        return "float" if self.bits == 32 else "double"


@dataclass(frozen=True, slots=True)
class Inf:
    """The type of INF before its context decides: the largest value of an integer type, infinity of a float."""

    def __str__(self) -> str:
        return "INF"


@dataclass(frozen=True, slots=True)
class String:
    def __str__(self) -> str:
        return "string"


@dataclass(frozen=True, slots=True)
class NodeT:
    """A node of the graph that the variable `graph` holds ('' where the context decides)."""

    graph: str = ""

    def __str__(self) -> str:
        return f"node<{self.graph}>" if self.graph else "node"


@dataclass(frozen=True, slots=True)
class EdgeT:
    """An edge. `incoming` ones come from in_edges, know their position in the transpose as well, and are never NONE."""

    incoming: bool = False
    graph: str = ""

    def __str__(self) -> str:
        return f"edge<{self.graph}>" if self.graph else "edge"


@dataclass(frozen=True, slots=True)
class Id:
    """The number of a node or edge: a long that may stand where its node or edge may."""

    of: NodeT | EdgeT

    def __str__(self) -> str:
        return f"{self.of} id"


@dataclass(frozen=True, slots=True)
class Nothing:
    """The type of NONE: no node, no edge."""

    def __str__(self) -> str:
        return "NONE"


@dataclass(frozen=True, slots=True)
class Lock:
    def __str__(self) -> str:
        return "lock"


@dataclass(frozen=True, slots=True)
class Named:
    """A type known by its name alone: a struct or a graph type of the program; `args` for a library type.

    shape: of an array that is a parameter, how many values it has in each direction, where the program says it.
    """

    name: str
    args: tuple[Type, ...] = ()
    shape: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(map(str, self.args))}>" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Priority:
    """What a priority queue goes by: a property of its nodes, divided by `delta`, a variable, where that isn't ''.

    of, owner: the property's type and the graph type that has it, once they are known. Of buckets that stand in for a
    queue: `ran` is the array of what nodes last ran with, '' where nobody has to know; `falls` says that updates make
    the property smaller; `seen`, that it can be told who ran how often, or how many buckets there were; `free`, that
    nodes leave the same in any order; `lazy`, that those to be filed come to the running bucket first; `whole`, that
    each node is in it from the beginning until it runs; `buckets`, how many of them are told apart at most, a power of
    two, and `first`, how many at first, 0: as many.
    """

    property: str
    delta: str = ""
    higher: bool = False
    of: Type | None = field(default=None, compare=False)
    owner: str = field(default="", compare=False)
    ran: str = ""
    falls: bool = True
    seen: bool = False
    free: bool = False
    lazy: bool = False
    whole: bool = False
    buckets: int = 1024
    first: int = 0

    @staticmethod
    def parse(text: str) -> Priority | None:
        """What such a text says, which reads `[lower_first|higher_first] PROPERTY [/ DELTA]`; None: nothing."""
        found = re.fullmatch(r"\s*(?:(lower_first|higher_first)\s+)?([A-Za-z_]\w*)\s*(?:/\s*([A-Za-z_]\w*)\s*)?", text)
        return None if found is None else Priority(found[2], found[3] or "", found[1] == "higher_first")

    def key(self) -> tuple[str, str]:
        """Whose property it is, and which: queues by one are each other's business."""
        return self.owner, self.property

    def is_wide(self) -> bool:
        """Has the property 64 bits? Then its ends, INF and what is no more than -INF, are those of nobody who waits."""
        return isinstance(self.of, Int) and self.of.bits == 64

    def to_front(self) -> bool:
        """Do updates move nodes to buckets that run sooner?"""
        return self.falls != self.higher

    def not_positive(self) -> str:
        """What is said where `delta` isn't a number that divides."""
        return f"'{self.delta}' divides what orders a queue, and has to be positive"

    def __str__(self) -> str:
        return f"{'higher_first ' if self.higher else ''}{self.property}{f' / {self.delta}' if self.delta else ''}"


@dataclass(frozen=True, slots=True)
class Worklist:
    """A worklist or node set: kind is list, set, bitmap, bytemap, count, buckets, priority_queue or scratch.

    proven: the compiler knows that it is unique, where else the program promises it. shared: all threads fill one
    array, where else each has its own; which of them is no part of what it means. by: what a priority_queue goes by,
    and the buckets that stand in for one (passes/queues/file_updates.py).
    """

    kind: str
    item: Type
    unique: bool = False
    proven: bool = False
    shared: bool = field(default=False, compare=False)
    by: Priority | None = None

    def __str__(self) -> str:
        by = f"({self.by})" if self.by is not None and self.kind == QUEUE else ""
        return f"{'unique ' if self.unique else ''}{self.kind}<{self.item}>{by}"


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a worklist: what ForAll over the list itself yields, and pop takes."""

    list: Worklist

    def __str__(self) -> str:
        return f"position in {self.list}"


@dataclass(frozen=True, slots=True)
class Range:
    """What ForAll and For run over. `distinct`: no item comes twice."""

    item: Type
    distinct: bool

    def __str__(self) -> str:
        return f"range of {self.item}"


#: No property has more values for each node.
LONGEST = 1024


@dataclass(frozen=True, slots=True)
class Vector:
    """`length` values of type `of`, counted from 0: what a property of nodes may be for each, or a variable.

    named: the constant that says how many there are, until its value is put there; '' behind that. A parameter's rows
    are vectors themselves.
    """

    of: Type
    length: int
    named: str = ""

    def __str__(self) -> str:
        return declaration(self, "").replace(" ", "", 1)


@dataclass(frozen=True, slots=True)
class Reduced:
    """The value of a reduction: .old and .changed; a truth value by itself (did it change?)."""

    of: Type

    def __str__(self) -> str:
        return f"reduction of {self.of}"


Type = (
    Void
    | Auto
    | Bool
    | Int
    | Float
    | Inf
    | String
    | NodeT
    | EdgeT
    | Id
    | Nothing
    | Lock
    | Named
    | Worklist
    | Position
    | Range
    | Vector
    | Reduced
)

VOID, AUTO, BOOL, INF, STRING, NODE, EDGE, NOTHING, LOCK = (
    Void(),
    Auto(),
    Bool(),
    Inf(),
    String(),
    NodeT(),
    EdgeT(),
    Nothing(),
    Lock(),
)
IN_EDGE = EdgeT(incoming=True)
INT, LONG, UINT, ULONG = Int(32, True), Int(64, True), Int(32, False), Int(64, False)
FLOAT, DOUBLE = Float(32), Float(64)

QUEUE = "priority_queue"
KINDS = ("list", "set", "bitmap", "bytemap", "count", "buckets", QUEUE, "scratch")

#: Words that name a type without arguments.
NAMES: dict[str, Type] = {
    "void": VOID,
    "bool": BOOL,
    "_Bool": BOOL,
    "float": FLOAT,
    "double": DOUBLE,
    "node": NODE,
    "edge": EDGE,
    "lock": LOCK,
    **{f"int{b}": Int(b, True) for b in (8, 16, 32, 64)},
    **{f"uint{b}": Int(b, False) for b in (8, 16, 32, 64)},
    **{f"int{b}_t": Int(b, True) for b in (8, 16, 32, 64)},
    **{f"uint{b}_t": Int(b, False) for b in (8, 16, 32, 64)},
}


def bare(t: Type) -> Type:
    """`t` without the graph that its nodes and edges belong to, as messages show it."""
    match t:
        case NodeT():
            return NODE
        case EdgeT():
            return EDGE
        case Id():
            return Id(NODE if isinstance(t.of, NodeT) else EDGE)
        case Range():
            return Range(bare(t.item), t.distinct)
        case Reduced():
            return Reduced(bare(t.of))
        case Worklist():
            return replace(t, item=bare(t.item))
        case Position():
            return Position(replace(t.list, item=bare(t.list.item)))
        case Named():
            return Named(t.name, tuple(map(bare, t.args)))
        case _:
            return t


def beside(t: Type, other: Type) -> str:
    """`t` as a message shows it where it also names `other`: with the graph only where that is the difference."""
    return str(t) if bare(t) == bare(other) else str(bare(t))


def declaration(t: Type, name: str) -> str:
    """`t` and the name of what is declared so: a vector's length stands behind that."""
    lengths = ""
    while isinstance(t, Vector):
        lengths += f"[{t.named or t.length}]"
        t = t.of
    return f"{t} {name}{lengths}"


def of_each(t: Type) -> Type:
    """The type of each value of a property: of one that has several for each node, what they are."""
    return t.of if isinstance(t, Vector) else t


def is_number(t: Type) -> bool:
    """Can `t` take part in arithmetic? (ids count: they are longs)"""
    return isinstance(t, Int | Float | Bool | Id)


def is_integer(t: Type) -> bool:
    return isinstance(t, Int | Bool | Id)


def is_scalar(t: Type) -> bool:
    """May a variable, a field or a property hold a `t`?"""
    return isinstance(t, Int | Float | Bool | NodeT | EdgeT)


def promoted(t: Type) -> Type:
    """C's integer promotions; an id is a long."""
    if isinstance(t, Id):
        return LONG
    if isinstance(t, Bool) or (isinstance(t, Int) and t.bits < 32):
        return INT
    return t


def common(a: Type, b: Type) -> Type:
    """C's usual arithmetic conversions of two numbers."""
    a, b = promoted(a), promoted(b)
    if isinstance(a, Float) or isinstance(b, Float):
        return DOUBLE if DOUBLE in (a, b) else FLOAT
    assert isinstance(a, Int) and isinstance(b, Int)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b
