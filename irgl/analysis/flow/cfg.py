"""The control-flow graph of a kernel: what a thread may execute after what.

One vertex for each plain statement, each test (if, while, lock) and each loop's header; a join where the ways of a test
meet again; Start and Exit. Statements that nothing leads to have no vertex. Every vertex is reached from Start and
reaches Exit: a loop without a test is given the edge out of it that it never takes.

Atomic and Exclusive are tests: threads are in their bodies at different times, as if they had decided differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from irgl.ast import nodes as A


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """A point of the graph: `kind` is start, exit, statement, if, atomic, exclusive, forall, for, while, do or join.

    `node` is its statement: for a join the test whose ways meet, for a `do` (where a do-while begins) its loop, whose
    test is a vertex of kind `while`. `name` counts in the order of the text from 0. `loops` are the ForAlls around it.
    """

    kind: str
    name: str
    node: A.Stmt | None = None
    loops: tuple[A.ForAll, ...] = ()

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """From one vertex to another; of a source that decides, `label` says when: true false, body done, held missed."""

    source: Vertex
    target: Vertex
    label: str = ""

    def __repr__(self) -> str:
        return f"{self.source}->{self.target}"


@dataclass(eq=False)
class Cfg:
    """`of` finds a statement's vertex (a loop's header, a test), `joins` where the ways of a test meet again."""

    name: str
    start: Vertex
    exit: Vertex
    vertices: list[Vertex]
    edges: list[Edge]
    of: dict[A.Stmt, Vertex] = field(default_factory=dict)
    joins: dict[A.Stmt, Vertex] = field(default_factory=dict)

    @cached_property
    def out(self) -> dict[Vertex, list[Edge]]:
        """The edges that leave each vertex."""
        found: dict[Vertex, list[Edge]] = {v: [] for v in self.vertices}
        for e in self.edges:
            found[e.source].append(e)
        return found

    @cached_property
    def into(self) -> dict[Vertex, list[Edge]]:
        """The edges that enter each vertex."""
        found: dict[Vertex, list[Edge]] = {v: [] for v in self.vertices}
        for e in self.edges:
            found[e.target].append(e)
        return found

    @property
    def branches(self) -> list[Vertex]:
        """The vertices that more than one edge leaves."""
        return [v for v in self.vertices if len(self.out[v]) > 1]


def control_flow(kernel: A.Kernel) -> Cfg:
    """The control-flow graph of a kernel."""
    return flow_of(kernel.name, kernel.body)


def flow_of(name: str, body: tuple[A.Stmt, ...]) -> Cfg:
    """The control-flow graph of a sequence of statements as they stand in a kernel."""
    start, end = Vertex("start", "Start"), Vertex("exit", "Exit")
    builder = _Builder(Cfg(name, start, end, [start], []))
    open_ends = builder.body(body, [(start, "")])
    cfg = builder.cfg
    cfg.vertices.append(end)
    builder.connect(open_ends, end)
    return cfg


#: Edges whose target is not known yet.
_Ends = list[tuple[Vertex, str]]


@dataclass(slots=True)
class _Frame:
    """A loop that is being built: where `break` and `continue` in it come from."""

    loop: A.Stmt
    breaks: _Ends = field(default_factory=list)
    continues: _Ends = field(default_factory=list)


class _Builder:
    def __init__(self, cfg: Cfg) -> None:
        self.cfg = cfg
        self.frames: list[_Frame] = []

    def connect(self, ends: _Ends, target: Vertex) -> None:
        self.cfg.edges += [Edge(source, target, label) for source, label in ends]

    def vertex(self, kind: str, node: A.Stmt, ends: _Ends) -> Vertex:
        loops = tuple(f.loop for f in self.frames if isinstance(f.loop, A.ForAll))
        v = Vertex(kind, str(len(self.cfg.vertices) - 1), node, loops)
        self.cfg.vertices.append(v)
        if kind not in ("join", "do"):
            self.cfg.of[node] = v
        elif kind == "join":
            self.cfg.joins[node] = v
        self.connect(ends, v)
        return v

    def body(self, stmts: Iterable[A.Stmt], ends: _Ends) -> _Ends:
        for s in stmts:
            if not ends:
                break
            ends = self.statement(s, ends)
        return ends

    def statement(self, s: A.Stmt, ends: _Ends) -> _Ends:
        match s:
            case A.Labeled():
                return self.statement(s.body, ends)
            case A.Block():
                return self.body(s.body, ends)
            case A.If():
                return self.test(s, "if", s.body, s.orelse, ("true", "false"), ends)
            case A.Atomic() | A.Exclusive():
                return self.test(s, type(s).__name__.lower(), s.body, s.orelse, ("held", "missed"), ends)
            case A.ForAll() | A.For() | A.While():
                return self.loop(s, self.vertex(type(s).__name__.lower(), s, ends), s.body, ())
            case A.CFor():
                ends = self.body(s.init, ends)
                return self.loop(s, self.vertex("while", s, ends), s.body, s.step)
            case A.DoWhile():
                return self.do_while(s, ends)
            case A.Break():
                self.frames[-1].breaks += ends
                return []
            case A.Continue():
                self.frames[-1].continues += ends
                return []
            case A.Retry():
                at = self.vertex("statement", s, ends)
                next(f for f in reversed(self.frames) if isinstance(f.loop, A.ForAll)).continues.append((at, ""))
                return []
            case A.Pipe() | A.Iterate() | A.Invoke() | A.Return():
                raise AssertionError(f"a {type(s).__name__} in a kernel")
            case _:
                return [(self.vertex("statement", s, ends), "")]

    def test(self, s: A.Stmt, kind: str, body: tuple[A.Stmt, ...], orelse: tuple[A.Stmt, ...],
             labels: tuple[str, str], ends: _Ends) -> _Ends:
        at = self.vertex(kind, s, ends)
        after = self.body(body, [(at, labels[0])]) + self.body(orelse, [(at, labels[1])])
        return [(self.vertex("join", s, after), "")] if after else []

    def loop(self, s: A.Stmt, header: Vertex, body: tuple[A.Stmt, ...], step: tuple[A.Stmt, ...]) -> _Ends:
        frame = _Frame(s)
        self.frames.append(frame)
        ends = self.body(body, [(header, "body")])
        ends = self.body(step, ends + frame.continues)
        self.frames.pop()
        self.connect(ends, header)
        return [(header, "done"), *frame.breaks]

    def do_while(self, s: A.DoWhile, ends: _Ends) -> _Ends:
        first = self.vertex("do", s, ends)
        frame = _Frame(s)
        self.frames.append(frame)
        ends = self.body(s.body, [(first, "")]) + frame.continues
        self.frames.pop()
        if not ends:
            return frame.breaks  # the test is never reached
        test = self.vertex("while", s, ends)
        self.cfg.edges.append(Edge(test, first, "body"))
        return [(test, "done"), *frame.breaks]
