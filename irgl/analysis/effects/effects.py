"""What statements read and write: of properties, program scalars, lists, library objects, and variables around them.

Kernels, helper functions and host statements have effects in the same form, so that a back end may order, overlap,
outline or copy by them. What a helper or a kernel does to its parameters counts as done to what it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from irgl.analysis.names.methods import effect_of, is_object
from irgl.analysis.names.once import once
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import of_vector
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Something that outlives a statement: `kind` is node, edge (a property), scalar, list, object or element.

    `of` is the graph variable of a property, the variable of an object's elements, otherwise empty.
    """

    kind: str
    of: str
    name: str

    def __str__(self) -> str:
        return f"{self.of}.{self.kind}.{self.name}" if self.kind in ("node", "edge") else f"{self.kind} {self.name}"


@dataclass(slots=True)
class Effects:
    """`first`: for each place and way, where it is first touched that way, in the order of the text.

    The ways: `load`; `store`; `update`, which loads and stores, atomically where needed; `append` to a list or object;
    `change` of a list or object as a whole. `host` holds the calls that only a host can do: print, random, oriented.
    """

    first: dict[tuple[Place, str], A.Node] = field(default_factory=dict)
    host: dict[str, A.Call] = field(default_factory=dict)

    def ways(self, *ways: str) -> list[Place]:
        """The places touched in one of these ways, in the order of the text."""
        return list(dict.fromkeys(place for place, way in self.first if way in ways))

    @property
    def reads(self) -> list[Place]:
        return self.ways("load", "update")

    @property
    def writes(self) -> list[Place]:
        return self.ways("store", "update", "append", "change")


@dataclass(frozen=True, slots=True)
class Closure:
    """The variables from outside a body that it uses: loop variables, locals and parameters, in the order of the text.

    `reads` it only reads, `reduces` it combines (see combines.py), `stores` it assigns otherwise.
    """

    reads: list[Symbol]
    reduces: list[Symbol]
    stores: list[Symbol]


_HOST = ("print", "stop", "random", "clock", "oriented")
_WAYS = {"reads": "load", "appends": "append", "writes": "change"}


def effects_of(checked: Checked, nodes: Iterable[A.Node], home: str = "") -> Effects:
    """The effects of statements or expressions; `home` is the graph variable that nodes without one belong to."""
    walker = _Walker(checked, home)
    for n in nodes:
        walker.visit(n)
    return walker.found


@once
def kernel_effects(checked: Checked, kernel: A.Kernel | A.Function) -> Effects:
    """The effects of a kernel or helper function, under its parameters' names."""
    return effects_of(checked, kernel.body, home_graph(checked, kernel.params))


def home_graph(checked: Checked, params: Iterable[A.Param]) -> str:
    """The first graph parameter: nodes that name no graph are its nodes."""
    graphs = (p.name for p in params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types)
    return next(graphs, "")


def closure(checked: Checked, loop: A.ForAll) -> Closure:
    """The variables around a ForAll that its operator uses."""
    inside: set[Symbol] = {checked.symbols[loop]}
    reduced: dict[Symbol, None] = {}
    stored: dict[Symbol, None] = {}
    used: dict[Symbol, None] = {}

    def visit(n: A.Node) -> None:
        if isinstance(n, A.VarDecl | A.For | A.ForAll):
            inside.add(checked.symbols[n])
        if isinstance(n, A.Assign | A.Reduce):
            root = root_variable(n.target)
            if root is not None:
                (reduced if isinstance(n, A.Reduce) else stored)[checked.symbols[root]] = None
        if isinstance(n, A.Name) and (symbol := checked.symbols.get(n)) is not None and symbol.kind != "global":
            used[symbol] = None
        for child in children(n):
            visit(child)

    for s in loop.body:
        visit(s)
    outer = [s for s in used if s not in inside]
    return Closure(
        [s for s in outer if s not in reduced and s not in stored],
        [s for s in outer if s in reduced and s not in stored],
        [s for s in outer if s in stored],
    )


def root_variable(target: A.Expr) -> A.Name | None:
    """The variable that a store to `x`, to a field of it or to one of its values changes; None for anything else."""
    while isinstance(target, A.Member | A.Index):
        target = target.object
    return target if isinstance(target, A.Name) else None


def stored_variable(checked: Checked, target: A.Expr) -> Symbol | None:
    """The variable of a function that a store to it, to one of its fields or of its several values changes; None for
    what others share."""
    while (isinstance(target, A.Member) and checked.fields(checked.types[target.object]) is not None) or (
            isinstance(target, A.Index) and isinstance(checked.types[target.object], T.Vector)):
        target = target.object
    symbol = checked.symbols.get(target) if isinstance(target, A.Name) else None
    return None if symbol is None or symbol.kind == "global" else symbol


def stored_in(nodes: Iterable[A.Node]) -> Iterator[A.Expr]:
    """The locations that statements, or the expressions in them, assign, update or exchange."""
    for n in (n for node in nodes for n in walk(node)):
        match n:
            case A.Assign() | A.Reduce():
                yield n.target
            case A.Call(function="cas"):
                yield n.args[0]
            case _:
                pass


def stored_variables(checked: Checked, nodes: Iterable[A.Node]) -> list[Symbol]:
    """The variables of a function that statements or expressions change, in the order of the text."""
    changed = (stored_variable(checked, target) for target in stored_in(nodes))
    return list(dict.fromkeys(v for v in changed if v is not None))


def changed_variables(checked: Checked, nodes: Sequence[A.Node]) -> list[Symbol]:
    """The same, without those that they declare."""
    inside = {checked.symbols[n] for node in nodes for n in walk(node) if isinstance(n, A.VarDecl | A.For)}
    return [v for v in stored_variables(checked, nodes) if v not in inside]


def by_kind(places: Iterable[Place]) -> set[tuple[str, str]]:
    """Places by what they are, whatever graph or object they are of: that may go by several names.

    Without the implicit WL, which is read and pushed to as two lists.
    """
    return {(p.kind, p.name) for p in places} - {("list", "WL")}


class _Walker:
    def __init__(self, checked: Checked, home: str) -> None:
        self.checked = checked
        self.home = home
        self.found = Effects()

    def visit(self, n: A.Node) -> None:
        match n:
            case A.Assign():
                self._below(n.target)
                self._visit_all((n.value,))
                self._touch(n.target, "store", n)
            case A.Reduce():
                self._below(n.target)
                self.visit(n.value)
                self._touch(n.target, "update", n)
            case A.Call():
                self._call(n)
            case A.MethodCall():
                if n.name != "swap":
                    self._visit_all(n.args)
                self._method(n)
            case A.Invoke() | A.InvokeResult() | A.Iterate():
                self._arguments(n.args)
                kernel = self.checked.kernels[n.kernel]
                self._called(kernel_effects(self.checked, kernel), kernel.params, n.args, n)
                if isinstance(n, A.Iterate):
                    self._visit_all((*((n.initial,) if n.initial is not None else ()), *n.body))
            case A.Exclusive():
                self._visit_all((*n.elements, *n.body, *n.orelse))
            case A.Retry() | A.Respawn():
                self.visit(n.item)
                self._add(Place("list", "", "WL"), "append", n)
            case A.CBlock():
                for e, way in [*((e, "load") for e in n.reads), *((e, "store") for e in n.writes)]:
                    self._below(e)
                    self._touch(e, way, n)
            case A.Member() | A.Name() | A.Index():
                self._below(n)
                self._touch(n, "load", n)
            case _:
                self._below(n)

    def _visit_all(self, nodes: Iterable[A.Node]) -> None:
        for n in nodes:
            self.visit(n)

    def _arguments(self, args: Iterable[A.Expr]) -> None:
        """Of lists and objects it is what they are given to that touches them."""
        self._visit_all(a for a in args if not (isinstance(a, A.Name) and self.place(a) is not None
                                                and is_object(self.checked, self.checked.types[a])))

    def _below(self, n: A.Node) -> None:
        if of_vector(n, self.checked):
            self._below(n.object)
            self.visit(n.index)
            return
        self._visit_all(children(n))

    def _add(self, place: Place, way: str, where: A.Node) -> None:
        self.found.first.setdefault((place, way), where)

    def _touch(self, e: A.Expr, way: str, where: A.Node) -> None:
        place = self.place(e)
        if place is not None:
            self._add(place, way, where)

    def place(self, e: A.Expr) -> Place | None:
        """The place that a location is: a property, a program scalar, a list that is named, an object's elements."""
        types = self.checked.types
        match e:
            case A.Index() if of_vector(e, self.checked):
                return self.place(e.object)
            case A.Member():
                t = types.get(e.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    kind = "node" if isinstance(t, T.NodeT) else "edge"
                    if any(self.checked.property_of(g, kind, e.name) for g in self.checked.graph_types):
                        return Place(kind, t.graph or self.home, e.name)
                return None
            case A.Name():
                symbol = self.checked.symbols.get(e)
                if symbol is not None and symbol.kind == "global":
                    return Place("scalar", "", e.id)
                t = types.get(e)
                if t is not None and is_object(self.checked, t):
                    return Place("list" if isinstance(t, T.Worklist) else "object", "", e.id)
                return None
            case A.Index() if isinstance(e.object, A.Name) and isinstance(types.get(e.object), T.Named):
                return Place("element", e.object.id, e.object.id)
            case _:
                return None

    def _method(self, n: A.MethodCall) -> None:
        if not is_object(self.checked, self.checked.types[n.object]):
            self.visit(n.object)
            return
        self._touch(n.object, _WAYS[effect_of(self.checked, n)], n)
        if n.name in ("swap", "unstack"):
            self._touch(n.args[0], "change", n)

    def _call(self, n: A.Call) -> None:
        args = n.args
        if n.function == "cas":
            self._below(args[0])
            self._touch(args[0], "update", n)
            args = args[1:]
        self._arguments(args)
        if n.function in _HOST:
            self.found.host.setdefault(n.function, n)
        function = self.checked.functions.get(n.function)
        if function is not None:
            self._called(kernel_effects(self.checked, function), function.params, n.args, n)

    def _called(self, effects: Effects, params: Iterable[A.Param], args: Iterable[A.Expr], where: A.Node) -> None:
        params = tuple(params)
        given = {p.name: a.id for p, a in zip(params, args, strict=True) if isinstance(a, A.Name)}
        handed = {"WL", *(p.name for p in params)}
        if isinstance(where, A.Invoke) and where.queue is not None:
            given["WL"] = where.queue
        for place, way in effects.first:
            lasting = place.kind not in ("list", "object", "element")
            if not lasting and place.name not in handed:  # what it declares for itself
                continue
            name = place.name if lasting else given.get(place.name, place.name)
            self._add(Place(place.kind, given.get(place.of, place.of), name), way, where)
