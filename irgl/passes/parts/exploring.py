"""Beamer's rule of when a loop pulls: by the edges that no round had before, which the Program keeps count of.

Beamer, Asanovic and Patterson, Direction-optimizing breadth-first search, SC 2012. Two numbers go from round to round,
in scalars of the Program that no caller sees: the edges left, and whether the last round pulled. They begin anew before
the innermost loop of the Program that invokes the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import children, copied, rebuild
from irgl.passes.parts.calls import Call

_LOOPS = (A.Iterate, A.Pipe, A.While, A.DoWhile, A.CFor, A.For)


@dataclass(frozen=True, slots=True)
class State:
    """What a loop of a kernel keeps: `left` and `pulled` are scalars, `graph` is the kernel's parameter."""

    kernel: str
    graph: str
    left: str
    pulled: str


class Exploring:
    """The states of a program's loops."""

    def __init__(self, program: A.Program) -> None:
        fresh = Fresh(program, program)
        fresh.taken.update(p.name for d in program.decls if isinstance(d, A.GraphType) for p in d.properties)
        self._fresh = fresh.bare
        self.states: list[State] = []

    def state(self, kernel: A.Kernel, label: str, graph: str) -> State:
        """A new one, of the loop that is called `label`."""
        word = f"{kernel.name}_{label}"
        self.states.append(State(kernel.name, graph, self._fresh(f"{word}_left"), self._fresh(f"{word}_pulled")))
        return self.states[-1]

    def kept(self, program: A.Program) -> A.Program:
        """The program that has the states, and begins them."""
        if not self.states:
            return program
        zero = A.IntLit(0, T.INT, span=program.span)
        scalars = [A.Global(T.LONG, word, copied(zero), True, span=program.span)
                   for s in self.states for word in (s.left, s.pulled)]
        decls = tuple(self._beginning(program, d) if isinstance(d, A.Entry) else d for d in program.decls)
        return replace(program, decls=(*decls, *scalars))

    def _beginning(self, program: A.Program, entry: A.Entry) -> A.Entry:
        kernels = {d.name: d for d in program.decls if isinstance(d, A.Kernel)}
        first: dict[A.Node, dict[State, A.Expr]] = {}
        for place, call in _places(entry, None, None):
            for s in self.states:
                if s.kernel == call.kernel:
                    at = [p.name for p in kernels[s.kernel].params].index(s.graph)
                    first.setdefault(place, {})[s] = call.args[at]

        def visit(node: A.Node) -> A.Node | tuple[A.Node, ...]:
            new = rebuild(node, visit)
            return (*(n for s, graph in first[node].items() for n in _begun(s, graph)), new) if node in first else new

        new = visit(entry)
        assert isinstance(new, A.Entry)
        return new


def _begun(s: State, graph: A.Expr) -> Iterator[A.Stmt]:
    """No edge was looked at, and no round pulled."""
    at = graph.span
    edges, nodes = (A.Member(copied(graph), word, span=at) for word in ("num_edges", "num_nodes"))
    yield A.Assign(A.Name(s.left, span=at), A.Binary("+", edges, nodes, span=at), "plain", span=at)
    yield A.Assign(A.Name(s.pulled, span=at), A.IntLit(0, T.INT, span=at), "plain", span=at)


def _places(node: A.Node, loop: A.Node | None, stmt: A.Node | None) -> Iterator[tuple[A.Node, Call]]:
    """Each invocation, with the statement before which its rounds begin: the innermost loop, or else its own; `loop`
    and `stmt` are those around the node."""
    for child in children(node):
        here = node if isinstance(node, A.Labeled) else child  # a label goes with what it names
        around = here if isinstance(child, _LOOPS) else loop
        within = here if isinstance(child, A.Stmt) else stmt
        place = around or within
        if isinstance(child, Call) and place is not None:
            yield place, child
        yield from _places(child, around, within)
