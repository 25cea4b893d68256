"""What each update of a program is in generated code - plain or atomic - and what made it so.

An update is a store to what outlives its iteration, a reduction or a push. Whether it takes an atomic operation follows
from who owns its location (analysis/ownership) and from how many threads run a nested loop's iterations, which a target
and a plan settle (`Setting`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from irgl.analysis.names.members import AGAIN_FORMS, LIST_FORMS
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import location
from irgl.analysis.ownership.own import own_types
from irgl.analysis.ownership.owners import APPENDED, WHOLE, Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.visit import children, walk
from irgl.source import Span

#: What an update is: no more than it says; one atomic operation; one where threads share its loop, and else plain; one
#: atomic store, behind an atomic load where it hangs on what was there.
PLAIN, ATOMIC, EITHER, STORE = "plain", "atomic", "atomic where shared", "atomic store"

#: Appends that several threads, or several turns of one, make together, by whom.
_TOGETHER = {name: unit for unit, name in (*LIST_FORMS, *AGAIN_FORMS) if unit != "task"}
_UNITS = {"thread": "what the thread appends in the loop", "warp": "all threads of a warp",
          "threadblock": "all threads of a block"}


class Way(NamedTuple):
    """What an update is, and why."""

    how: str
    why: str


class Update(NamedTuple):
    """place: the path of the loop around it, else the name of its kernel or helper. text: `e.dst.sum +=`."""

    place: str
    text: str
    line: int | None
    how: str
    why: str

    def __str__(self) -> str:
        return f"{self.text}{f' (line {self.line})' if self.line is not None else ''}: {self.how}, {self.why}"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a target and a plan say of updates.

    nested: of nested loops, what an update in them of what an iteration around them owns is; `{owner}` in a reason is
    what it owns. combined: the variables that threads combine apart in a loop, each with the way they do. pushes: by
    kind of list; `own` is a bitmap's by whole words, `again` what items that come back take. pulled: the paths of loops
    that were turned to pull. apart: loops over nodes whose threads don't own whole words of a bitmap. fenced: what is
    done under a lock is atomic, too. claims: where claims stand in the program that are stores (sets/store_claims.py).
    """

    nested: Mapping[A.ForAll, Way]
    combined: Mapping[A.ForAll, Mapping[Symbol, str]]
    pushes: Mapping[str, Way]
    pulled: Collection[str] = ()
    apart: Collection[A.ForAll] = ()
    fenced: bool = False
    claims: Collection[Span] = ()


#: What is said of loops of which a setting says nothing.
_BY_ONE = Way(PLAIN, "{owner} belongs to its thread, which runs all iterations of the inner loop")


def updates(checked: Checked, setting: Setting) -> list[Update]:
    """Every update in kernels and helpers, in the order of the text."""
    return [u for d in checked.program.decls if isinstance(d, A.Kernel | A.Function)
            for u in _Teller(checked, setting, d).told()]


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around an update: its ForAlls from the outermost on, and what threads combine in them, and how."""

    place: str
    loops: tuple[A.ForAll, ...] = ()
    combined: Mapping[Symbol, str] = field(default_factory=dict)
    locked: bool = False


class _Teller:
    """Tells the updates of one kernel or helper."""

    def __init__(self, checked: Checked, setting: Setting, decl: A.Kernel | A.Function) -> None:
        self.checked, self.setting, self.decl = checked, setting, decl
        self.owners = Owners(checked)
        self.paths = paths_of(decl) if isinstance(decl, A.Kernel) else {}

    def told(self) -> Iterator[Update]:
        for s in self.decl.body:
            yield from self._below(s, _Around(self.decl.name))

    def _below(self, n: A.Node, at: _Around) -> Iterator[Update]:
        if isinstance(n, A.ForAll):
            yield from self._below(n.iterator, at)
            combined = {**at.combined, **self.setting.combined.get(n, {})}
            inside = replace(at, place=self.paths[n], loops=(*at.loops, n), combined=combined)
            for s in n.body:
                yield from self._below(s, inside)
            return
        if isinstance(n, A.Atomic | A.Exclusive):
            for s in n.body:
                yield from self._below(s, replace(at, locked=True))
            for s in n.orelse:
                yield from self._below(s, at)
            return
        found = self._update(n, at)
        if found is not None:
            text, way = found
            yield Update(at.place, text, n.span.line if n.span is not None else None, *way)
        for child in children(n):
            yield from self._below(child, at)

    def _update(self, n: A.Node, at: _Around) -> tuple[str, Way] | None:
        match n:
            case A.Assign() if n.target in self.checked.access:
                word = "" if n.access == "plain" else f"{n.access} "
                return f"{word}{expression(n.target)} =", self._store(n, at)
            case A.Reduce():
                return f"{expression(n.target)} {n.op}=", self._reduction(n.target, at)
            case A.Call(function="cas"):
                return f"cas({expression(n.args[0])}, ...)", self._reduction(n.args[0], at)
            case A.Retry() | A.Respawn():
                word = type(n).__name__
                return f"{word} {expression(n.item)}", self.setting.pushes["again"]
            case A.MethodCall() if isinstance(t := self.checked.types.get(n.object), T.Worklist):
                way = self._push(n, t, at)
                return None if way is None else (f"{expression(n.object)}.push(...)", way)
            case _:
                return None

    # What updates are

    def _store(self, n: A.Assign, at: _Around) -> Way:
        if self.setting.fenced and at.locked and not isinstance(n.target, A.Name):
            return Way(STORE, "it goes past the processor's cache, for whoever takes the lock next")
        if n.access != "plain":
            of = location(self.checked, n.target)
            if at.loops and isinstance(of, A.Member) and self.owners.owner(of.object):
                alone = f"{expression(of.object)} belongs to its thread{self._pulled(at)}"
                return Way(STORE, f"{alone}, and others may look meanwhile, as {n.access} says")
            if n.span is not None and n.span in self.setting.claims:
                return Way(STORE, "whoever stores last has claimed it: several may push it, at no harm (dedup=auto)")
            return Way(STORE, f"several iterations may store there at once, as {n.access} says")
        if n.target in self.checked.concurrent:
            return Way(STORE, "other iterations may touch it meanwhile")
        return Way(PLAIN, self._why_alone(n.target, at))

    def _reduction(self, e: A.Expr, at: _Around) -> Way:
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        if symbol is not None and symbol in at.combined:
            return Way(PLAIN, at.combined[symbol])
        if symbol is not None and symbol.kind != "global":
            return Way(PLAIN, "a variable of its iteration")
        status = self.checked.access.get(e, "own")
        if status == "outer":
            return self._of_owner(e, at)
        if status == "shared" and self.setting.fenced and self._is_given(e):
            return Way(EITHER, "the object may be the own one of whichever iteration calls the helper")
        if status == "shared":
            return Way(ATOMIC, self._why_shared(e, at))
        if e in self.checked.watched:
            return Way(STORE, f"{self._why_alone(e, at)}, and others only read it")
        if self.setting.fenced and at.locked and symbol is None:
            return Way(ATOMIC, "it goes past the processor's cache, for whoever takes the lock next")
        return Way(PLAIN, self._why_alone(e, at))

    def _of_owner(self, e: A.Expr, at: _Around) -> Way:
        """An update of what an iteration around the loop owns: as the loops in between are run."""
        of = location(self.checked, e)
        owner = expression(of.object) if isinstance(of, A.Member | A.Index) else expression(e)
        way = self._below_owner(owner, self._depth(e), at)
        return Way(way.how, f"{way.why}, and others only read it") if e in self.checked.watched else way

    def _below_owner(self, owner: str, depth: int, at: _Around) -> Way:
        """What is the iteration's at a depth, in the loops below it: as they are run."""
        ways = [self.setting.nested.get(loop, _BY_ONE) for loop in at.loops[depth:]]
        way = next((w for how in (ATOMIC, EITHER) for w in ways if w.how == how), ways[-1] if ways else _BY_ONE)
        return Way(way.how, way.why.format(owner=owner) + self._pulled(at))

    def _push(self, n: A.MethodCall, t: T.Worklist, at: _Around) -> Way | None:
        if n.name in _TOGETHER:
            return Way(ATOMIC, f"one operation for {_UNITS[_TOGETHER[n.name]]}")
        if n.name != "push":
            return None
        if t.kind == "scratch":
            return Way(PLAIN, "the set is its iteration's own")
        status, item = self.checked.access.get(n), n.args[0]
        if status in ("own", "outer") and t.kind == "bitmap" and self._walks_words(item):
            own = self.setting.pushes["own"]
            return own if status == "own" or own.how != PLAIN else self._below_owner(expression(item), 1, at)
        plain = not self.setting.fenced and self.checked.dedup != "bitmap"  # others have bits of the word
        if status in ("own", "outer") and t.kind == "set" and self.owners.owner(item) == 1 and plain:
            alone = Way(PLAIN, f"{expression(item)} belongs to its thread{self._pulled(at)}")
            return alone if status == "own" else self._below_owner(expression(item), 1, at)
        return self.setting.pushes["shared" if t.shared else t.kind]

    # Why

    def _why_alone(self, e: A.Expr, at: _Around) -> str:
        """Why no other iteration touches a location meanwhile."""
        status, e = self.checked.access.get(e, "own"), location(self.checked, e)
        if status == "locked":
            return "a lock keeps other iterations away"
        if status == "once" or not at.loops:
            return "it stands outside of all ForAlls"
        if isinstance(e, A.Index):
            way = self.owners.owned_element(e, len(at.loops)).way
            if way == WHOLE:
                return f"'{expression(e.object)}' is an object of its iteration"
            return ("nobody knows of the element yet but the iteration that appends it" if way == APPENDED else
                    "no other iteration has this index")
        owner = expression(e.object) if isinstance(e, A.Member) else expression(e)
        return f"{owner} belongs to its thread{self._pulled(at)}"

    def _pulled(self, at: _Around) -> str:
        return ", since its loop pulls" if at.loops and self.paths[at.loops[0]] in self.setting.pulled else ""

    def _why_shared(self, e: A.Expr, at: _Around) -> str:
        """Why other iterations may touch a location meanwhile."""
        e = location(self.checked, e)
        match e:
            case A.Member() if not at.loops:
                return "iterations that call the helper may have the same node or edge"
            case A.Member() if self.owners.owner(e.object):
                other = self._elsewhere(e)
                line = f" (line {other.span.line})" if other is not None and other.span is not None else ""
                return f"others come to it, too{'' if other is None else f', as {expression(other)}'}{line}"
            case A.Member() if self._is_far_end(e.object):
                return "edges of several nodes lead there"
            case A.Member():
                kind = "edge" if isinstance(self.checked.types[e.object], T.EdgeT) else "node"
                return f"other iterations may have the same {kind}"
            case A.Index():
                return "other iterations may have the same index"
            case _:
                return "all iterations share it"

    def _elsewhere(self, e: A.Member) -> A.Member | None:
        """Where the kernel touches the same property of a node or edge that no iteration owns."""
        kind = type(self.checked.types[e.object])
        return next((m for m in walk(self.decl) if isinstance(m, A.Member) and m.name == e.name
                     and isinstance(self.checked.types.get(m.object), kind) and not self.owners.owner(m.object)), None)

    def _is_far_end(self, e: A.Expr) -> bool:
        """Is it an end of an edge, itself or by a name?"""
        while isinstance(e, A.Name):
            symbol = self.checked.symbols.get(e)
            if symbol is None or symbol.assigned or symbol.origin is None:
                return False
            e = symbol.origin
        return isinstance(e, A.Member) and e.name in ("src", "dst")

    def _depth(self, e: A.Expr) -> int:
        e = location(self.checked, e)
        if isinstance(e, A.Member):
            return self.owners.owner(e.object)
        return self.owners.of_element(e) if isinstance(e, A.Index) else 1

    def _is_given(self, e: A.Expr) -> bool:
        """Is it an element of an object that a helper is given, which may be an iteration's own?"""
        symbol = self.checked.symbols.get(e.object) if isinstance(e, A.Index) and isinstance(e.object, A.Name) else None
        return symbol is not None and symbol.kind == "param" and symbol.type in own_types(self.checked)

    def _walks_words(self, e: A.Expr) -> bool:
        """Is it the item of a loop over all nodes, whose threads have whole words of a bitmap each?"""
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        loop = symbol.loop if symbol is not None else None
        return (loop is not None and loop not in self.setting.apart and isinstance(loop.iterator, A.Member)
                and loop.iterator.name == "nodes")
