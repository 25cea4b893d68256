"""How much one invocation of a kernel may append to each list, so that there is room before it starts.

The best that is known, in this order:

    static   a formula of sizes: items of the loop, nodes, edges
    trips    the trip counts of nested loops, summed over the items before the round
    spill    nobody knows before: what doesn't fit must be kept elsewhere

A list that keeps each node once never holds more than all nodes. Promises of the program (`unique`) are not relied on.
Where items come back, by Respawn, Retry or to the bucket that runs, a bound holds for one round.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.names.methods import effect_of
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.visit import children, walk

#: The kinds from the best to the worst.
KINDS = ("static", "trips", "spill")
#: What Respawn and Retry append to: no list can be called so.
AGAIN = "(again)"

Loop = A.ForAll | A.For | A.While | A.DoWhile | A.CFor


@dataclass(frozen=True, slots=True)
class Term:
    """`count` appends for each round of the loops `per`, outermost first, or once; `size` is how often, in words."""

    count: int
    per: tuple[Loop, ...]
    kind: str
    size: str


@dataclass(frozen=True, slots=True)
class Bound:
    """What a kernel may append to one list: the sum of its terms, or `limit` where that is less."""

    kind: str
    terms: tuple[Term, ...]
    limit: str | None = None

    def __str__(self) -> str:
        total = " + ".join(t.size if t.count == 1 else f"{t.count} * {t.size}" for t in self.terms)
        if self.limit is None:
            return total
        return self.limit if any(t.kind == "spill" for t in self.terms) else f"min({total}, {self.limit})"


def bounds(checked: Checked, kernel: A.Kernel) -> dict[str, Bound]:
    """The bound for each list that a kernel appends to, by name, WL and AGAIN among them, in the order of the text."""
    counter = _Counter(checked, kernel)
    lists = {p.name: t for p in kernel.params if isinstance(t := checked.symbols[p].type, T.Worklist)}
    lists["WL"] = lists[AGAIN] = checked.facts[kernel.name].worklist
    appended = [p.name for p in kernel_effects(checked, kernel).ways("append") if p.kind == "list"]
    found = {name: counter.bound(name, lists[name]) for name in [*appended, AGAIN] if name in lists}
    return {name: bound for name, bound in found.items() if bound.terms}


def appends_once(checked: Checked, kernel: A.Kernel, loop: A.ForAll, name: str) -> bool:
    """Does each iteration of a loop append to a list once at most, and in no loop of its own?"""
    return _Counter(checked, kernel).count(name, loop.body, ()) in ({}, {(): 1})


_Counts = dict[tuple[Loop, ...], int]


def _sum(a: _Counts, b: _Counts) -> _Counts:
    return {loops: a.get(loops, 0) + b.get(loops, 0) for loops in {**a, **b}}


class _Counter:
    def __init__(self, checked: Checked, kernel: A.Kernel) -> None:
        self.checked = checked
        self.kernel = kernel
        self.repeats = checked.facts[kernel.name].comes_back
        self.own = {n for n in walk(kernel) if isinstance(n, Loop)}
        self.written = {(p.kind, p.name) for p in kernel_effects(checked, kernel).writes}

    def bound(self, name: str, t: T.Worklist) -> Bound:
        counts = self.count(name, self.kernel.body, ())
        terms = tuple(Term(n, per, *self.judged(per)) for per, n in counts.items())
        kind = max((term.kind for term in terms), key=KINDS.index, default="static")
        once = t.kind in ("set", "bitmap", "bytemap") or (t.unique and t.proven)
        limit = f"{self.graph(t)}.num_nodes" if once and name != AGAIN else None
        return Bound("static" if limit is not None else kind, terms, limit)

    def graph(self, t: T.Worklist) -> str:
        named = t.item.graph if isinstance(t.item, T.NodeT) else ""
        return named or next(p.name for p in self.kernel.params
                             if isinstance(p.type, T.Named) and p.type.name in self.checked.graph_types)

    def count(self, name: str, nodes: tuple[A.Node, ...], per: tuple[Loop, ...]) -> _Counts:
        """The appends in `nodes`, by the loops around them; of two ways at most the larger."""
        total: _Counts = {}
        for n in nodes:
            total = _sum(total, self._one(name, n, per))
        return total

    def _one(self, name: str, n: A.Node, per: tuple[Loop, ...]) -> _Counts:
        match n:
            case A.ForAll() | A.For():
                return _sum(self.count(name, (n.iterator,), per), self.count(name, n.body, (*per, n)))
            case A.While() | A.DoWhile() | A.CFor():
                return self.count(name, tuple(children(n)), (*per, n))
            case A.If() | A.Atomic() | A.Exclusive():
                first, second = (self.count(name, way, per) for way in (n.body, n.orelse))
                ways = {loops: max(first.get(loops, 0), second.get(loops, 0)) for loops in first | second}
                before = [c for c in children(n) if c not in n.body and c not in n.orelse]
                return _sum(self.count(name, tuple(before), per), ways)
            case _:
                below = self.count(name, tuple(children(n)), per)
                return _sum(below, self._itself(name, n, per))

    def _itself(self, name: str, n: A.Node, per: tuple[Loop, ...]) -> _Counts:
        """The appends of a statement, or of a call when its arguments are known."""
        match n:
            case A.Retry() | A.Respawn():
                return {per: 1} if name == AGAIN else {}
            case A.MethodCall(object=A.Name(id=called)) if called == name:
                t = self.checked.types[n.object]
                return {per: 1} if isinstance(t, T.Worklist) and effect_of(self.checked, n) == "appends" else {}
            case A.Call() if n.function in self.checked.functions:
                helper = self.checked.functions[n.function]
                total: _Counts = {}
                for p, a in zip(helper.params, n.args, strict=True):
                    if isinstance(a, A.Name) and a.id == name and isinstance(self.checked.types[a], T.Worklist):
                        total = _sum(total, self.count(p.name, helper.body, per))
                return total
            case _:
                return {}

    def judged(self, per: tuple[Loop, ...]) -> tuple[str, str]:
        """How well it is known how often the innermost of the loops runs, and how often that is."""
        if not per:
            return "static", "1"
        outer, inner = per[0], per[1:]
        if not all(isinstance(s, A.ForAll | A.For) and s in self.own for s in per):
            return "spill", "any number"
        assert isinstance(outer, A.ForAll | A.For)
        if not inner:
            return "static", self.size(outer)
        if len(inner) == 1 and isinstance(inner[0], A.ForAll | A.For):
            graph = self.nodes_once(outer)
            if graph is not None and self.over_edges_of(inner[0], outer):
                return "static", f"{graph}.num_edges"
        if all(isinstance(s, A.ForAll | A.For) and self.known_before(s.iterator, per) for s in per):
            texts = [f"{s.var} In {expression(s.iterator)}" for s in per if isinstance(s, A.ForAll | A.For)]
            return "trips", f"trips({', '.join(texts)})"
        return "spill", "any number"

    def size(self, loop: A.ForAll | A.For) -> str:
        """How many items a loop runs over."""
        match loop.iterator:
            case A.Member(name="nodes", object=A.Name(id=graph)):
                return f"{graph}.num_nodes"
            case A.Member(name="edges", object=A.Name(id=graph) as e) if isinstance(self.checked.types[e], T.Named):
                return f"{graph}.num_edges"
            case A.Member(name="items", object=A.Name(id=name)) | A.Name(id=name):
                return f"{name}.size"
            case e:
                return f"size({expression(e)})"

    def nodes_once(self, loop: A.ForAll | A.For) -> str | None:
        """The graph whose nodes a loop runs over, each at most once, whatever the program promises."""
        t = self.checked.types[loop.iterator]
        if not (isinstance(t, T.Range) and isinstance(t.item, T.NodeT)):
            return None
        match loop.iterator:
            case A.Member(name="nodes", object=A.Name(id=graph)):
                return graph
            case A.Member(name="items", object=A.Name() as e):
                listed = self.checked.types[e]
                once = isinstance(listed, T.Worklist) and listed.kind in ("set", "bitmap", "bytemap")
                return self.graph(listed) if isinstance(listed, T.Worklist) and once and not self.repeats else None
            case _:
                return None

    def over_edges_of(self, loop: A.ForAll | A.For, outer: A.ForAll | A.For) -> bool:
        """Does a loop run over edges of the item of `outer`?"""
        iterator = self.meant(loop.iterator)
        while isinstance(iterator, A.MethodCall) and iterator.name == "skip":
            iterator = self.meant(iterator.object)
        if not (isinstance(iterator, A.Member) and iterator.name in ("edges", "out_edges", "in_edges")):
            return False
        node = self.meant(iterator.object)
        return isinstance(node, A.Name) and self.checked.symbols.get(node) is self.checked.symbols[outer]

    def meant(self, e: A.Expr) -> A.Expr:
        """What a variable that is never stored to again stands for."""
        while isinstance(e, A.Name):
            symbol = self.checked.symbols.get(e)
            if symbol is None or symbol.kind != "local" or symbol.assigned or symbol.origin is None:
                break
            e = symbol.origin
        return e

    def known_before(self, e: A.Expr, per: tuple[Loop, ...]) -> bool:
        """Can an iterator be told before the round: from items and what the kernel doesn't write?"""
        given = {self.checked.symbols[s] for s in per if isinstance(s, A.ForAll | A.For)}
        return all(self._known(n, given) for n in walk(e))

    def _known(self, n: A.Node, given: set[Symbol]) -> bool:
        match n:
            case A.Call() | A.Reduce():
                return isinstance(n, A.Call) and n.function in ("min", "max", "abs", "range")
            case A.Member() if isinstance(self.checked.types[n.object], T.NodeT | T.EdgeT):
                kind = "node" if isinstance(self.checked.types[n.object], T.NodeT) else "edge"
                return (kind, n.name) not in self.written
            case A.Member(object=A.Name(id=name)) | A.MethodCall(object=A.Name(id=name)):
                return not {("list", name), ("object", name)} & self.written or name == "WL"
            case A.Index(object=A.Name(id=name)):
                return ("element", name) not in self.written
            case A.Name():
                symbol = self.checked.symbols.get(n)
                if symbol is None or symbol in given:
                    return True
                if symbol.kind == "global":
                    return ("scalar", n.id) not in self.written
                if symbol.kind == "local" and not symbol.assigned and symbol.origin is not None:
                    return all(self._known(m, given) for m in walk(symbol.origin))
                return symbol.kind in ("param", "worklist") and not symbol.assigned
            case _:
                return True
