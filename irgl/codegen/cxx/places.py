"""Where values lie in C++, which differs between targets, and how a value of one type stands for one of another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from irgl.analysis.effects.in_edges import weights_of_in_edges
from irgl.analysis.effects.sequence import Clashes, Holder
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.code import CONDITIONAL, PRIMARY, Code
from irgl.codegen.cxx.names import cxx_type, form_of, inner, name, scalar_name


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """The edge of a form that a loop is at: the form in C++, and the property whose values lie beside it, '' for none.

    far, place: the edge's far end and its place in the form, in C++.
    """

    form: str
    weights: str
    far: str = "far"
    place: str = "place"


class PlacesCxx:
    """What all expressions of one function need. `accumulators` are the names that stand for reducers right now."""

    #: May other threads touch at the same time what this does?
    threaded = True

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.owners = Owners(checked)
        self.clashes = Clashes(checked)
        self.computed: dict[A.Expr, str] = {}  # operands that were computed before the rest of their expression
        self.graph = ""
        self.sources: dict[str, int] = {}
        self.accumulators: set[str] = set()
        self.on_host = True
        self.inner = ""  # how the ForAll around runs its nested loops, where that is a constant of the generated text
        self.apart: Collection[A.Node] = ()  # loops over nodes whose threads don't own whole words of a bitmap
        self.placed: dict[Symbol, PlacedEdge] = {}
        self.invoke: Callable[[A.InvokeResult], str] | None = None

    @cached_property
    def in_weights(self) -> frozenset[str]:
        """The weights that lie in the order of in-edges, too."""
        return weights_of_in_edges(self.checked)

    # What differs between targets

    def scalar(self, word: str) -> str:
        """The location of a program scalar."""
        return f"c.{scalar_name(word)}"

    def stored_scalar(self, word: str) -> str:
        """The same where it may change."""
        return self.scalar(word)

    def element(self, graph: str, member: str, index: str) -> str:
        """The location of a node's or an edge's property."""
        return f"{graph}.{member}[{index}]"

    def rows(self, graph: str) -> str:
        """The view of a graph whose rows can be read here."""
        return graph

    def form(self, graph: str, incoming: bool) -> str:
        """The form of a graph's in- or out-edges, where its rows can be read here."""
        return form_of(self.rows(graph), incoming)

    def variable(self, symbol: Symbol) -> str:
        """A local variable or parameter."""
        return name(symbol.name)

    def thread(self) -> str:
        """The thread that runs this, as an argument."""
        return "c.host()" if self.on_host else "t"

    def list_args(self) -> list[str]:
        """What the methods of a worklist take first, those that a thread doesn't call on its own account."""
        return []

    def parallel(self, depth: int) -> str:
        """Do several threads run the ForAll at `depth` and those around it? As a constant of the generated text."""
        return f"IRGL_SHARED({inner(depth)})"

    def is_concurrent(self, e: A.Expr) -> bool:
        """May others change the location while it is read or stored?"""
        return self.threaded and e in self.checked.concurrent

    # Entry points

    def value(self, e: A.Expr, want: T.Type | None = None) -> str:
        """`e` as a value of type `want` (its own type where that is None)."""
        return self.code(e, want).at(CONDITIONAL)

    def truth(self, e: A.Expr) -> str:
        return self.value(e, T.BOOL)

    def code(self, e: A.Expr, want: T.Type | None = None) -> Code:
        t = self.checked.types[e]
        known = self.computed.get(e)
        code = Code(known) if known is not None else self.in_order(e, lambda: self.raw(e))
        if isinstance(t, T.Reduced) and want is not None and known is None:
            return Code(code.at(PRIMARY) + ".changed")
        if isinstance(t, T.EdgeT) and t.incoming and isinstance(want, T.EdgeT) and not want.incoming:
            return Code(f"irgl::id({self.form(self.graph_of(t), True)}, {code.text})")
        if isinstance(t, T.Id) and isinstance(want, T.NodeT | T.EdgeT):
            return Code(f"{cxx_type(want, self.checked)}({code.text})")
        return code

    def in_order(self, e: Holder, write: Callable[[], Code]) -> Code:
        """`e` as `write` has it, its operands one after the other before it where that matters."""
        clashing = self.clashing(e)
        if not clashing:
            return write()
        with self.computing(clashing) as lines:
            # In parentheses, for as an index it would begin an attribute of C++.
            return Code(f"([&] {{ {' '.join(lines)} return {write().text}; }}())")

    def clashing(self, e: Holder) -> list[A.Expr]:
        """The operands of `e` whose order matters, and that are not computed yet."""
        return [x for x in self.clashes.of(e) if x not in self.computed]

    @contextmanager
    def computing(self, operands: Sequence[A.Expr]) -> Iterator[list[str]]:
        """The statements that compute operands; inside, what these are of uses the results."""
        words = {e: f"operand_{i}" for i, e in enumerate(operands)}
        kinds = {e: T.BOOL if isinstance(self.checked.types[e], T.Reduced) else None for e in operands}
        lines = [f"const auto {word} = {self.value(e, kinds[e])};" for e, word in words.items()]
        self.computed |= words
        yield lines
        for e in words:
            del self.computed[e]

    def converted(self, e: A.Expr, want: T.Type) -> str:
        """A value inside braces, where C++ refuses to narrow."""
        own = self.checked.types[e]
        text = self.value(e, want)
        return text if own == want else f"{cxx_type(want, self.checked)}({text})"

    def item(self, e: A.Expr, want: T.Type, at: A.Node) -> str:
        """The node or edge `e` where something of it is used, at `at`: one that may be NONE is looked at first."""
        text = self.value(e, want)
        return self.some(text, at) if e in self.checked.none else text

    def some(self, text: str, at: A.Node) -> str:
        """The item, which is a fault if it is NONE, and then the first."""
        return f"irgl::some(c, {text}, {self.place(at)})"

    def refuse_none(self, items: A.Expr, at: A.Node) -> str:
        """Before a set takes them: NONE among the items of a list is a fault."""
        return f"irgl::refuse_none({(self.list_args() or ['c'])[0]}, {self.iterator(items)}, {self.place(at)})"

    def graph_of(self, t: T.Type) -> str:
        """The graph variable that a node or edge belongs to."""
        graph = t.graph if isinstance(t, T.NodeT | T.EdgeT) else ""
        return name(graph or self.graph)

    def place(self, e: A.Node) -> str:
        """Where a fault is reported: line, column and width of `e` (0: to the end of its line), and its source."""
        if e.span is None:
            return "0"
        s = e.span
        index = self.sources.setdefault(s.source.path, len(self.sources))
        return f"irgl::at({s.line}, {s.column}, {s.width}{f', {index}' if index else ''})"

    # What the classes below it write

    def raw(self, e: A.Expr) -> Code:
        """`e` as it stands, of its own type."""
        raise NotImplementedError

    def iterator(self, e: A.Expr) -> str:
        """The range of a loop. A worklist stands for its items."""
        raise NotImplementedError
