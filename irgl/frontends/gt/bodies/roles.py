"""Who owns what in an applied function, and so how its plain stores are meant.

A function that is applied runs once for each edge or vertex, in any order. What it stores plainly is

    x[src] = ...    its own vertex's: plain. Of a loop over edges the edges of one source then go in turn.
    x[dst] = c      of one value for all, nothing of the edge's other end in it: racy
    x[dst] = src    under a condition that tests just x[dst], which the store makes false: one of them wins (cas)
    x[dst] = ...    else any of them: relaxed, and the program's answer is one of several

Loads of what others' iterations store plainly, or relaxed, are relaxed. Whether irgl agrees is checked again by its own
ownership analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from irgl.ast import nodes as A
from irgl.ast.visit import copied, equal, walk
from irgl.source import Span

_PURE = ("abs", "floor", "log", "max", "min")
Store = A.Assign | A.Reduce | A.Call


@dataclass(frozen=True, slots=True)
class Tracked:
    """The property whose changes are asked for, and the set that their vertices go to."""

    property: str
    output: str


@dataclass
class Roles:
    """body: of one iteration over vertices; what it does for each edge stands in a ForAll. own: the variable of its
    vertex. edge: of its edge, '' where it has none; far: how the edge's other end is called. scalars: the program's.

    in_turn: the edges of a vertex go in turn. chosen: a store of which any may stay. stores: by the names of properties
    and scalars, whose they are. access: how stores are meant that aren't plain: racy, relaxed, or `cas` from a value.
    relaxed, owned: what is stored so, and what is stored by its own iteration. defined: what variables are made of.
    """

    body: tuple[A.Stmt, ...]
    own: str
    edge: str
    far: str
    scalars: frozenset[str]
    in_turn: bool = False
    chosen: Span | None = None
    stores: dict[str, list[tuple[str, Store]]] = field(default_factory=dict)
    relaxed: set[str] = field(default_factory=set)
    owned: set[str] = field(default_factory=set)
    access: dict[A.Assign, str | A.Expr] = field(default_factory=dict)
    defined: dict[str, list[A.Expr | None]] = field(default_factory=dict)

    def judge(self) -> None:
        """Finds out how each store is meant."""
        self._collect()
        self._judge(self.body, (), along=False)
        for name, found in self.stores.items():
            if name in self.owned and any(who != "own" for who, _ in found):
                self.relaxed.add(name)

    # What is stored

    def _collect(self) -> None:
        for s in self.body:
            for n in walk(s):
                target = n.target if isinstance(n, A.Assign | A.Reduce) else None
                if isinstance(n, A.Call) and n.function == "cas":
                    target = n.args[0]
                if isinstance(n, A.VarDecl):
                    self.defined.setdefault(n.name, []).append(n.init)
                elif isinstance(target, A.Name) and target.id not in self.scalars:
                    self.defined.setdefault(target.id, []).append(None)
                elif target is not None:
                    assert isinstance(n, A.Assign | A.Reduce | A.Call)
                    self.stores.setdefault(name_of(target), []).append((self.who(target), n))

    def who(self, target: A.Expr) -> str:
        """own, far, other or scalar."""
        match target:
            case A.Index(object=A.Member() as row):
                return self.who(row)
            case A.Name():
                return "scalar"
            case A.Member(object=A.Name(id=word)) if word == self.own:
                return "own"
            case A.Member(object=A.Member(object=A.Name(id=edge), name=end)) if edge == self.edge and end == self.far:
                return "far"
            case _:
                return "other"

    def _judge(self, stmts: Sequence[A.Stmt], guards: tuple[A.Expr, ...], along: bool) -> None:
        """along: these statements run for each edge."""
        for s in stmts:
            match s:
                case A.Assign() if not (isinstance(s.target, A.Name) and s.target.id not in self.scalars):
                    self._judge_store(s, guards, along)
                case A.If():
                    self._judge(s.body, (*guards, *_conjuncts(s.test)), along)
                    self._judge(s.orelse, guards, along)
                case A.ForAll():
                    self._judge(s.body, guards, along=True)
                case A.Block() | A.While() | A.DoWhile() | A.CFor() | A.For():
                    self._judge(s.body, guards, along)
                case _:
                    pass

    def _judge_store(self, s: A.Assign, guards: tuple[A.Expr, ...], along: bool) -> None:
        name, who = name_of(s.target), self.who(s.target)
        alone = len(self.stores[name]) == 1
        if who == "own" and not along:
            self.owned.add(name)
            return
        if alone and self.same_for_all(s.value, who) and (who != "other" or self.same_for_all(s.value, "")):
            self.access[s] = "racy"
            return
        if who == "own":
            self.in_turn = True
            self.owned.add(name)
            return
        tested = next((c for g in guards if (c := self._tested(g, s.target)) is not None), None)
        if who == "far" and alone and tested is not None:
            self.access[s] = copied(tested)
        else:
            self.access[s] = "relaxed"
            self.relaxed.add(name)
        self.chosen = self.chosen if self.chosen is not None else s.span

    def _tested(self, guard: A.Expr, target: A.Expr) -> A.Expr | None:
        """The value that a condition finds at `target`, where it asks for nothing else."""
        span = guard.span
        match guard:
            case A.Binary(op="=="):
                for one, other in ((guard.left, guard.right), (guard.right, guard.left)):
                    if equal(one, target) and self.same_for_all(other, ""):
                        return other
            case A.Unary(op="!", operand=operand) if equal(operand, target):
                return A.BoolLit(False, span=span)
            case _ if equal(guard, target):
                return A.BoolLit(True, span=span)
        return None

    def same_for_all(self, e: A.Expr, who: str) -> bool:
        """Is it one value for all iterations that store to one place, which is `who`'s ('': whatever the place)?"""
        match e:
            case A.IntLit() | A.FloatLit() | A.BoolLit():
                return True
            case A.Name() if e.id == self.own:
                return who == "own"
            case A.Name() if e.id == self.edge:
                return False
            case A.Name() if e.id in self.scalars:
                return e.id not in self.stores
            case A.Name() if e.id in self.defined:
                init = self.defined[e.id]
                return len(init) == 1 and init[0] is not None and self.same_for_all(init[0], who)
            case A.Name():  # a parameter of the kernel
                return True
            case A.Member(object=A.Name(id=edge)) if edge == self.edge and self.edge:
                return who == "far" and e.name == self.far
            case A.Member(name="priority"):
                return True
            case A.Member():
                return e.name not in self.stores and self.same_for_all(e.object, who)
            case A.Index(object=A.Member() as row):
                return self.same_for_all(row, who) and self.same_for_all(e.index, who)
            case A.Index(object=A.Name(id=array)):
                return array not in self.stores and self.same_for_all(e.index, who)
            case A.MethodCall(name="node", args=(at,)):
                return self.same_for_all(at, who)
            case A.Unary() | A.Cast():
                return self.same_for_all(e.operand, who)
            case A.Binary():
                return self.same_for_all(e.left, who) and self.same_for_all(e.right, who)
            case A.Call() if e.function in _PURE:
                return all(self.same_for_all(arg, who) for arg in e.args)
            case _:
                return False


def name_of(e: A.Node) -> str:
    """The property, scalar or array that a location is of."""
    if isinstance(e, A.Index):
        return name_of(e.object)
    return e.name if isinstance(e, A.Member) else e.id if isinstance(e, A.Name) else ""


def of_node(target: A.Expr) -> bool:
    """Is it a property's, or one of its values?"""
    return isinstance(target.object if isinstance(target, A.Index) else target, A.Member)


def _conjuncts(test: A.Expr) -> tuple[A.Expr, ...]:
    if isinstance(test, A.Binary) and test.op == "&&":
        return (*_conjuncts(test.left), *_conjuncts(test.right))
    return (test,)
