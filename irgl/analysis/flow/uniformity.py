"""Which branches all threads of a unit decide alike.

The units are warp, block and grid; what is alike for a grid is so for a block, and for a warp. LEVELS orders them. Some
branches are found to be uniform: by parameters, constants, what the kernel reads and never writes. Others are made so,
by the code that is generated: a ForAll whose schedule gives all threads of the unit the same number of trips, with a
`valid` flag for those without an item. The caller says which those are.

What stands outside every ForAll is said once, for the whole kernel: its branches are uniform for the grid. Code
generation owes that, by one thread's telling the others what it read where the value may change meanwhile.

A value differs where an item does, where it is loaded from what the kernel writes, and where threads came to it on
different ways. Everything is taken for uniform at first, and what is not is spread until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from irgl.analysis.effects.effects import Place, kernel_effects, root_variable
from irgl.analysis.flow.cfg import Cfg, Vertex
from irgl.analysis.flow.control_dependence import Dependences, Point, control_dependence, deciders
from irgl.analysis.flow.dominance import dominators
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import of_vector, variable_of
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

#: From what differs between threads to what is alike for all of them.
LEVELS = ("thread", "warp", "block", "grid")
_NONE, _ALL = 0, 3


@dataclass(frozen=True, slots=True)
class Uniformity:
    """`level`: for every branch the widest unit whose threads decide it alike, `thread` for none."""

    level: dict[Vertex, str]

    def branches(self, unit: str) -> frozenset[Vertex]:
        """The branches that are uniform for a warp, a block or the grid."""
        assert unit in LEVELS[1:], unit
        return frozenset(v for v, level in self.level.items() if LEVELS.index(level) >= LEVELS.index(unit))


def uniformity(checked: Checked, kernel: A.Kernel, cfg: Cfg, made: Mapping[A.ForAll, str] | None = None,
               items: Mapping[A.ForAll, str] | None = None, dependences: Dependences | None = None) -> Uniformity:
    """The level of every branch of a kernel's graph.

    made: the unit for which the schedule of a ForAll makes its trip count uniform. items: the unit whose threads all
    work on the same item of a ForAll (a schedule that gives items to blocks or warps). Others differ by thread.
    """
    iterated = deciders(dependences if dependences is not None else control_dependence(cfg))
    analysis = _Analysis(checked, kernel, cfg, iterated, made or {}, items or {})
    analysis.changed = True
    while analysis.changed:
        analysis.changed = False
        for v in cfg.vertices:
            if v.node is not None and v.kind not in ("join", "do"):
                analysis.vertex(v, v.node)
    return Uniformity({v: LEVELS[analysis.branch.get(v, _ALL)] for v in cfg.branches})


class _Analysis:
    """`branch` and `variable` hold the levels found so far; what is absent is alike for all."""

    def __init__(self, checked: Checked, kernel: A.Kernel, cfg: Cfg, iterated: Mapping[Point, frozenset[Vertex]],
                 made: Mapping[A.ForAll, str], items: Mapping[A.ForAll, str]) -> None:
        self.checked = checked
        self.iterated = iterated
        self.dominance = dominators(cfg)
        self.declared = {checked.symbols[s]: v for s, v in cfg.of.items() if isinstance(s, A.VarDecl)}
        self.made = made
        self.items = items
        self.branch: dict[Vertex, int] = {}
        self.variable: dict[Symbol, int] = {}
        self.changed = False
        # By name alone: two graph variables may hold one graph.
        self.written = _names(kernel_effects(checked, kernel).writes)

    def vertex(self, v: Vertex, node: A.Stmt) -> None:
        """Lowers what a vertex decides and stores."""
        own: A.Stmt | A.Expr | None = node
        if isinstance(node, A.ForAll):
            own = node.iterator
            self._decides(v, LEVELS.index(self.made.get(node, "thread")))
            self._lower(self.checked.symbols[node], LEVELS.index(self.items.get(node, "thread")))
        elif isinstance(node, A.Atomic | A.Exclusive):
            own = node.lock if isinstance(node, A.Atomic) else None
            self._decides(v, _NONE)
        elif isinstance(node, A.For):
            own = node.iterator
            if v.loops:
                self._decides(v, self.level(node.iterator))
                self._lower(self.checked.symbols[node], self.level(node.iterator))
        elif isinstance(node, A.If | A.While | A.DoWhile | A.CFor):
            own = node.test
            if v.loops and own is not None:
                self._decides(v, self.level(own))
        elif v.loops and isinstance(node, A.VarDecl) and node.init is not None:
            self._lower(self.checked.symbols[node], self.level(node.init))
        elif v.loops and isinstance(node, A.Assign):
            self._store(v, node.target, self.level(node.value))
        if v.loops and own is not None:
            for n in walk(own):
                variable = variable_of(self.checked, n.target) if isinstance(n, A.Reduce) else None
                if isinstance(n, A.Reduce) and variable is not None:
                    inner = self.checked.symbols[variable].depth < len(v.loops)
                    self._store(v, n.target, _NONE if inner else self.level(n.value))

    def _store(self, v: Vertex, target: A.Expr, level: int) -> None:
        """A store differs also by the branches between the variable's declaration and itself.

        Those before the declaration are behind all threads that use the variable: they came here by the same ways.
        """
        root = root_variable(target)
        symbol = self.checked.symbols.get(root) if root is not None else None
        if symbol is not None:
            before = self.dominance.of(self.declared[symbol]) if symbol in self.declared else []
            between = [self.branch.get(b, _ALL) for b in self.iterated[v] if b not in before]
            self._lower(symbol, min([level, *between]))

    def _decides(self, v: Vertex, level: int) -> None:
        if level < self.branch.get(v, _ALL):
            self.branch[v] = level
            self.changed = True

    def _lower(self, symbol: Symbol, level: int) -> None:
        if symbol.depth > 0 and level < self.variable.get(symbol, _ALL):
            self.variable[symbol] = level
            self.changed = True

    def level(self, e: A.Node) -> int:
        """The widest unit whose threads get the same value, where they come to `e` together."""
        below = min((self.level(c) for c in children(e)), default=_ALL)
        return min(below, self._own(e))

    def _own(self, e: A.Node) -> int:
        """What an expression adds to its parts."""
        match e:
            case A.Reduce():
                return _NONE
            case A.Call():
                return self._call(e)
            case A.Name():
                symbol = self.checked.symbols.get(e)
                if symbol is None:
                    return _ALL
                if symbol.kind == "global":
                    return self._unwritten("scalar", e.id)
                return self.variable.get(symbol, _ALL)
            case A.Member():
                t = self.checked.types[e.object]
                if isinstance(t, T.NodeT | T.EdgeT):
                    return self._unwritten("node" if isinstance(t, T.NodeT) else "edge", e.name)
                return self._object(e.object)
            case A.MethodCall():
                return self._object(e.object)
            case A.Index() if isinstance(e.object, A.Name) and not of_vector(e, self.checked):
                return min(self._unwritten("element", e.object.id), self._object(e.object))
            case _:
                return _ALL

    def _unwritten(self, kind: str, name: str) -> int:
        return _NONE if (kind, name) in self.written else _ALL

    def _object(self, e: A.Expr) -> int:
        """What a list or object answers: alike while the kernel doesn't change it."""
        t = self.checked.types[e]
        if not is_object(self.checked, t):
            return _ALL
        if not isinstance(e, A.Name) or (isinstance(t, T.Worklist) and t.kind == "scratch"):
            return _NONE
        if e.id == "WL":  # what is pushed goes to another list, but into the buckets themselves
            return _NONE if isinstance(t, T.Worklist) and t.kind == "buckets" else _ALL
        return min(self._unwritten("list", e.id), self._unwritten("object", e.id))

    def _call(self, e: A.Call) -> int:
        function = self.checked.functions.get(e.function)
        if function is None:
            return _NONE if e.function == "cas" else _ALL
        effects = kernel_effects(self.checked, function)
        given = {p.name: a.id for p, a in zip(function.params, e.args, strict=True) if isinstance(a, A.Name)}
        touched = {(kind, given.get(name, name)) for kind, name in _names([*effects.reads, *effects.writes])}
        return _NONE if effects.writes or touched & self.written else _ALL


def _names(places: Iterable[Place]) -> set[tuple[str, str]]:
    return {(p.kind, p.name) for p in places}
