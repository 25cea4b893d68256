"""What names mean: symbols, the tables of a program's declarations, and what checking a program yields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import IrglError, Span


def fail(message: str, node: A.Node, hint: str | None = None) -> NoReturn:
    raise IrglError(message, node.span, hint)


@dataclass(eq=False, slots=True)
class Symbol:
    """One variable: `kind` is local, loop, param, global or worklist; `depth` how many ForAlls are around it.

    `origin` is the expression that a never-reassigned local stands for, or the iterator of a loop variable.
    `home` is the graph whose nodes and edges a struct's variable holds ('': none yet).
    """

    name: str
    type: T.Type
    kind: str
    depth: int = 0
    span: Span | None = None
    origin: A.Expr | None = None
    loop: A.ForAll | A.For | None = None
    assigned: bool = False
    home: str = ""


@dataclass(slots=True)
class KernelFacts:
    """How a kernel uses its implicit worklist and its value; `worklist` is the list's type.

    retries: may it Respawn or Retry items? drains: does it run a bucket until nothing is left of it, and push to it?
    together: is all of it a round, which comes again for what was pushed meanwhile? So it is where passes have made
    several ForAlls of the one over the bucket.
    """

    worklist: T.Worklist
    reads: bool = False
    pushes: bool = False
    retries: bool = False
    drains: bool = False
    together: bool = False
    asks: bool = False
    returns: bool = False

    @property
    def uses_worklist(self) -> bool:
        return self.ends_round or self.asks

    @property
    def comes_back(self) -> bool:
        """Does its ForAll run again for items that come back within an invocation?"""
        return self.retries or self.drains

    @property
    def ends_round(self) -> bool:
        """Does what was pushed become the list behind it? Not behind a kernel that only asks what is in WL."""
        return self.reads or self.pushes or self.retries


@dataclass(slots=True)
class Checked:
    """A program with what checking found. Tables are keyed by node identity.

    types: every expression's type (INF and NONE have their context's).
    params: the types that each method call's arguments are converted to.
    symbols: what each Name, VarDecl, loop and Param stands for.
    access: for each location: own, outer, shared, once, locked or local (see ownership.py).
    none: the operands of accesses that may be NONE, and loops over such items (see none.py).
    combined: what each ForAll's iterations combine, with the reducer (see combines.py).
    lists: the type of the lists that an outermost Pipe or Iterate makes, with the Program's own graph variables.
    compound: the operator of each assignment that is written as `X *= v` (see compound.py).
    concurrent: locations whose loads and stores meet other threads' and so are relaxed atomics.
    watched: those of them that their owner updates, and nobody else writes, where they belong to an iteration at all.
    """

    program: A.Program
    graph_types: dict[str, A.GraphType] = field(default_factory=dict)
    structs: dict[str, A.Struct] = field(default_factory=dict)
    libraries: dict[str, A.Library] = field(default_factory=dict)
    functions: dict[str, A.Function] = field(default_factory=dict)
    kernels: dict[str, A.Kernel] = field(default_factory=dict)
    globals: dict[str, A.Global] = field(default_factory=dict)
    entry: A.Entry | None = None
    types: dict[A.Expr, T.Type] = field(default_factory=dict)
    params: dict[A.MethodCall, tuple[T.Type, ...]] = field(default_factory=dict)
    symbols: dict[A.Node, Symbol] = field(default_factory=dict)
    facts: dict[str, KernelFacts] = field(default_factory=dict)
    access: dict[A.Expr, str] = field(default_factory=dict)
    lists: dict[A.Stmt, T.Worklist] = field(default_factory=dict)
    compound: dict[A.Assign, str] = field(default_factory=dict)
    concurrent: set[A.Expr] = field(default_factory=set)
    watched: set[A.Expr] = field(default_factory=set)
    none: set[A.Node] = field(default_factory=set)
    combined: dict[A.ForAll, list[tuple[Symbol, str]]] = field(default_factory=dict)
    buffer: int = 0  # items that a thread collects for a list that all threads share; 0: each thread has a list
    dedup: str = "flags"  # how a set knows that a node is in it: a byte, a bit or a round's number for each
    lowered: bool = False  # may it use what only the compiler writes: aggregated forms of methods?
    found: dict[object, Any] | None = field(default=None, repr=False)  # see once.py; None: the tables are being made

    def property_of(self, graph_type: str, owner: str, name: str) -> A.Property | None:
        """The declared property `name` of a graph type's nodes or edges."""
        for p in self.graph_types[graph_type].properties:
            if p.owner == owner and p.name == name:
                return p
        return None

    def has_property(self, owner: str, name: str) -> bool:
        """Does any graph type declare it?"""
        return any(self.property_of(g, owner, name) is not None for g in self.graph_types)

    def fields(self, t: T.Type) -> dict[str, T.Type] | None:
        """A struct type's fields, in order."""
        if isinstance(t, T.Named) and t.name in self.structs:
            return {f.name: f.type for f in self.structs[t.name].fields}
        return None


def collect(program: A.Program) -> Checked:
    """The tables of a program's declarations. Raises IrglError for a name declared twice or two entries."""
    checked = Checked(program)
    seen: dict[str, Span | None] = {}
    for decl in program.decls:
        if isinstance(decl, A.Import):
            raise AssertionError("imports are resolved before checking")
        name = decl.name
        if name in seen and not isinstance(decl, A.Entry):
            first = seen[name]
            raise IrglError(f"'{name}' is declared twice", decl.span, f"the first is at {first}" if first else None)
        if not isinstance(decl, A.Entry):
            seen[name] = decl.span
        match decl:
            case A.GraphType():
                checked.graph_types[name] = decl
            case A.Struct():
                checked.structs[name] = decl
            case A.Library():
                checked.libraries[name] = decl
            case A.Function():
                checked.functions[name] = decl
            case A.Kernel():
                checked.kernels[name] = decl
            case A.Global():
                checked.globals[name] = decl
            case A.Constant():
                raise AssertionError("constants are put in their places before checking")
            case A.Entry():
                if checked.entry is not None:
                    raise IrglError("a second Program", decl.span, f"the first is at {checked.entry.span}; keep one")
                checked.entry = decl
    return checked


def wants_node(p: A.Param) -> bool:
    """Must this parameter of a Program be a node? The others that may be one are NONE by their default."""
    default = () if p.default is None else walk(p.default)
    return isinstance(p.type, T.NodeT) and not any(isinstance(e, A.Name) and e.id == "NONE" for e in default)
