"""Arrays that the Program has of a value for each node, and gives to kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, walk
from irgl.passes.parts.calls import Call, called_with
from irgl.source import Span


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a kernel is given: an array<of> for the nodes of its parameter `graph`, called `stem` if that is free.

    Kernels with the same stem are given the same array, where they are invoked with the same graph.
    """

    graph: str
    stem: str
    of: T.Type


class NodeArrays:
    """The arrays of a Program: `wanted` is by kernel. words: their names, by the graph in the Program and the stem."""

    def __init__(self, checked: Checked, entry: A.Entry, wanted: Mapping[str, Wanted], fresh: Fresh) -> None:
        self.checked, self.entry, self.wanted, self.fresh = checked, entry, wanted, fresh
        self.words: dict[tuple[str, str], str] = {}
        self.types: dict[tuple[str, str], T.Type] = {}
        for n in walk(entry):
            if isinstance(n, Call) and n.kernel in wanted:
                self.of(n)

    def of(self, call: Call) -> tuple[str, str]:
        """The array that an invoked kernel is given, and the graph that it is for."""
        want = self.wanted[call.kernel]
        params = self.checked.kernels[call.kernel].params
        given = {p.name: a for p, a in zip(params, call.args, strict=True)}[want.graph]
        assert isinstance(given, A.Name)
        key = given.id, want.stem
        if key not in self.words:
            self.words[key], self.types[key] = self.fresh.bare(want.stem), T.Named("array", (want.of,))
        return self.words[key], given.id

    def given(self, entry: A.Entry) -> A.Entry:
        """The Program that has the arrays, and gives them to kernels."""
        handed = called_with(entry, lambda call: (
            A.Name(self.of(call)[0], span=call.span),) if call.kernel in self.wanted else ())
        own = {p.name for p in entry.params}
        first = [s for graph in dict.fromkeys(graph for graph, _ in self.words) if graph in own
                 for s in self._made(graph, entry.span)]

        def visit(node: A.Node) -> A.Node | tuple[A.Node, ...]:
            new = rebuild(node, visit)
            made = tuple(self._made(node.name, node.span)) if isinstance(node, A.VarDecl) else ()
            return (new, *made) if made else new

        found = rebuild(handed, visit)
        return replace(found, body=(*first, *found.body))

    def _made(self, graph: str, at: Span | None) -> Iterator[A.Stmt]:
        """The arrays for the nodes of a graph variable, as it is known."""
        for (of, stem), word in self.words.items():
            if of == graph:
                size = A.Member(A.Name(graph, span=at), "num_nodes", span=at)
                resize = A.MethodCall(A.Name(word, span=at), "resize", (size,), span=at)
                yield A.VarDecl(self.types[of, stem], word, None, span=at)
                yield A.ExprStmt(resize, span=at)
