"""Cooperative conversion: appends of several threads take one atomic together.

What it does: an append to a structure whose library declares aggregated forms becomes a reservation of room, made by
all threads of a unit at once, and one task per item that fills its place. Where a parallel loop over edges appends in
each iteration, and these edges may be looked up once more, room for all is reserved before it; where it appends under a
condition, room is reserved at the end of the operator, which all threads of the unit reach. Which structure it is makes
no difference: the forms' names come from its declaration.

    ForAll (e In n.edges) {                         ForAll (e In n.edges) {
        if (e.dst.p == INF) {                           long count_1 = 0;  node item_1 = NONE;
            list.append(e.dst);                         if (e.dst.p == INF) { count_1 = 1; item_1 = e.dst; }
        }                                     =>        long place_1 = list.reserve_block(count_1);
    }                                                   if (count_1 != 0) { list.put(place_1, item_1); }
                                                    }

When it applies: to the appends that `levels` gives a level. Not where the append's value is used, where it stands in a
sequential loop or under a lock, or where the operator also reads the structure: it would see the items come later.
What it needs and keeps: loops that all threads reach together (guard_loops). Nothing in the operator can see whether an
item was appended earlier or later, so that only the order of the items changes, which was free before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from irgl.analysis.effects.effects import by_kind, changed_variables, effects_of, home_graph, kernel_effects
from irgl.analysis.names import members as M
from irgl.analysis.names.methods import methods_of
from irgl.analysis.names.once import once
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import children, rebuild, walk

#: The annotation of each level.
FORMS = {"thread": "thread", "warp": "warp", "block": "threadblock"}


@dataclass(frozen=True, slots=True)
class Site:
    """An append: the statement, the structure, what is appended, the aggregated forms by annotation, and its loop.

    countable: does each iteration append? apart: is its place that of a bucket, which is its last argument?
    """

    stmt: A.Stmt
    object: A.Expr
    args: tuple[A.Expr, ...]
    params: tuple[T.Type, ...]
    forms: Mapping[str, str]
    loop: A.ForAll
    countable: bool
    apart: bool = False


@once
def sites(checked: Checked, kernel: A.Kernel) -> list[Site]:
    """The appends of a kernel that have aggregated forms, in the order of the text."""
    found: list[Site] = []

    def visit(node: A.Node, loop: A.ForAll | None, top: bool) -> None:
        if isinstance(node, A.Stmt) and loop is not None:
            site = _site(checked, kernel, node, loop, top)
            if site is not None:
                found.append(site)
        for child in children(node):
            if isinstance(child, A.ForAll):
                for s in child.body:
                    visit_in(s, child)
            else:
                visit(child, loop, False)

    def visit_in(s: A.Stmt, loop: A.ForAll) -> None:
        if isinstance(s, A.ForAll):
            for inner in s.body:
                visit_in(inner, s)
        else:
            visit(s, loop, True)

    for s in kernel.body:
        visit(A.Block((s,)), None, False)
    return found


def _site(checked: Checked, kernel: A.Kernel, s: A.Stmt, loop: A.ForAll, top: bool) -> Site | None:
    countable = top and _over_out_edges(checked, loop) and _stays(checked, kernel, loop.iterator)
    if isinstance(s, A.Respawn):
        t = checked.facts[kernel.name].worklist
        forms = dict(M.AGAIN_FORMS) if t.kind == "list" else {}
        return Site(s, A.Name("WL", span=s.span), (s.item,), (t.item,), forms, loop, False) if forms else None
    if not isinstance(s, A.ExprStmt) or not isinstance(s.value, A.MethodCall):
        return None
    call = s.value
    signature = methods_of(checked, checked.types[call.object]).get(call.name)
    if signature is None or not signature.forms or is_own(checked, call.object):
        return None
    of = checked.types[call.object]
    apart = isinstance(of, T.Worklist) and of.kind == "buckets"
    forms = dict(signature.forms)
    return Site(s, call.object, call.args, signature.params, forms, loop, countable and not apart, apart)


def appends_of_use(checked: Checked, kernel: A.Kernel) -> Iterator[A.ForAll]:
    """The loops in which an append that has aggregated forms gives a value that is used."""

    def visit(node: A.Node, loop: A.ForAll | None) -> Iterator[A.ForAll]:
        if isinstance(node, A.MethodCall) and loop is not None:
            signature = methods_of(checked, checked.types[node.object]).get(node.name)
            if signature is not None and signature.forms and not is_own(checked, node.object):
                yield loop
        for child in children(node.value if isinstance(node, A.ExprStmt) else node):
            yield from visit(child, node if isinstance(node, A.ForAll) else loop)

    yield from visit(kernel, None)


def is_read_beside(checked: Checked, operator: A.ForAll, site: Site) -> bool:
    """Does the operator use the structure otherwise than to append, so that it sees whether an item is there yet?"""
    if not isinstance(site.object, A.Name) or site.object not in checked.symbols:
        return False
    symbol = checked.symbols[site.object]
    methods = methods_of(checked, checked.types[site.object])
    appends = {n.value.object for n in walk(operator) if isinstance(n, A.ExprStmt) and isinstance(n.value, A.MethodCall)
               and n.value.name in methods and methods[n.value.name].forms}
    return any(isinstance(n, A.Name) and checked.symbols.get(n) is symbol and n not in appends for n in walk(operator))


def _over_out_edges(checked: Checked, loop: A.ForAll) -> bool:
    t = checked.types[loop.iterator]
    return isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and not t.item.incoming


def _stays(checked: Checked, kernel: A.Kernel, e: A.Expr) -> bool:
    """May `e` be computed several times? That changes nothing, and no thread of the kernel changes what it reads."""
    effects = effects_of(checked, [e], home_graph(checked, kernel.params))
    if effects.writes or effects.host or changed_variables(checked, [e]):
        return False
    return by_kind(effects.reads).isdisjoint(by_kind(kernel_effects(checked, kernel).writes))


def run(checked: Checked, levels: Mapping[A.Stmt, str]) -> A.Program:
    """The program with the appends in `levels` (statement to thread, warp or block) aggregated."""

    def decl(node: A.Node) -> A.Node:
        return _Aggregator(checked, node, levels).kernel() if isinstance(node, A.Kernel) else node

    return rebuild(checked.program, decl)


class _Aggregator:
    def __init__(self, checked: Checked, kernel: A.Kernel, levels: Mapping[A.Stmt, str]) -> None:
        self.checked = checked
        self.whole = kernel
        self.home = home_graph(checked, kernel.params)
        self.sites = {s.stmt: s for s in sites(checked, kernel) if s.stmt in levels}
        self.levels = levels
        self.fresh = Fresh(checked.program, kernel)
        self.numbers = 0

    def kernel(self) -> A.Kernel:
        return rebuild(self.whole, self._visit) if self.sites else self.whole

    def _visit(self, node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        return self._loop(node) if isinstance(node, A.ForAll) else rebuild(node, self._visit)

    def _loop(self, loop: A.ForAll) -> A.Node | tuple[A.Stmt, ...]:
        """The loop with its appends aggregated, and the reservations that stand before it."""
        body: list[A.Stmt] = []
        first: list[A.Stmt] = []
        before: list[A.Stmt] = []
        last: list[A.Stmt] = []
        for s in loop.body:
            site = self.sites.get(s)
            if site is not None and site.countable and loop is not self._outermost(loop):
                made, s = self._countable(site, loop)
                before += made
                body.append(s)
            else:
                new = self._conditional(s, first, last)
                body += new if isinstance(new, tuple) else [new]
        made_loop = A.ForAll(loop.var, loop.iterator, (*first, *body, *last), span=loop.span)
        return (*before, made_loop) if before else made_loop

    def _outermost(self, loop: A.ForAll) -> A.ForAll | None:
        return loop if self.checked.symbols[loop].depth <= 1 else None

    def _countable(self, site: Site, loop: A.ForAll) -> tuple[list[A.Stmt], A.Stmt]:
        """Room for one item per edge, reserved before the loop."""
        k, at = self._number("count_#", "start_#", "base_#"), site.stmt.span
        edges = loop.iterator
        size: A.Expr = A.Member(edges, "size", span=at)
        count, start, base = (A.Name(f"{stem}_{k}", span=at) for stem in ("count", "start", "base"))
        plain = edges
        while isinstance(plain, A.MethodCall) and plain.name == "when":
            plain = plain.object
        first = A.Member(A.Index(plain, A.IntLit(0, T.INT, span=at), span=at), "id", span=at)
        zero = A.Cast(T.LONG, A.IntLit(0, T.INT, span=at), span=at)
        some = A.Binary("!=", count, A.IntLit(0, T.INT, span=at), span=at)
        offset = A.Conditional(some, A.Binary("-", start, first, span=at), zero, span=at)
        before: list[A.Stmt] = [
            A.VarDecl(T.LONG, count.id, size, span=at),
            A.VarDecl(T.LONG, start.id, self._reserve(site, count), span=at),
            A.VarDecl(T.LONG, base.id, offset, span=at),
        ]
        place = A.Binary("+", base, A.Member(A.Name(loop.var, span=at), "id", span=at), span=at)
        return before, self._put(site, place, site.args)

    def _conditional(self, s: A.Stmt, first: list[A.Stmt], last: list[A.Stmt]) -> A.Stmt | tuple[A.Stmt, ...]:
        """A statement of the operator: its appends only say what they append, and `last` appends it."""
        site = self.sites.get(s)
        if site is not None:
            return self._noted(site, first, last)
        match s:
            case A.If():
                return A.If(s.test, self._all(s.body, first, last), self._all(s.orelse, first, last), span=s.span)
            case A.Block():
                return A.Block(self._all(s.body, first, last), span=s.span)
            case A.ForAll():
                new = self._loop(s)
                assert isinstance(new, A.Stmt | tuple)
                return new
            case A.Labeled() if isinstance(s.body, A.ForAll):
                new = self._loop(s.body)
                if isinstance(new, tuple):
                    return (*new[:-1], A.Labeled(s.label, new[-1], span=s.span))
                assert isinstance(new, A.Stmt)
                return A.Labeled(s.label, new, span=s.span)
            case _:
                return s

    def _all(self, stmts: tuple[A.Stmt, ...], first: list[A.Stmt], last: list[A.Stmt]) -> tuple[A.Stmt, ...]:
        made: list[A.Stmt] = []
        for s in stmts:
            new = self._conditional(s, first, last)
            made += new if isinstance(new, tuple) else [new]
        return tuple(made)

    def _noted(self, site: Site, first: list[A.Stmt], last: list[A.Stmt]) -> tuple[A.Stmt, ...]:
        items = ["item_#", *(f"item_#_{i}" for i in range(1, len(site.args)))]
        k, at = self._number("count_#", "place_#", *items), site.stmt.span
        count, place = A.Name(f"count_{k}", span=at), A.Name(f"place_{k}", span=at)
        names = [A.Name(item.replace("#", str(k)), span=at) for item in items]
        first.append(A.VarDecl(T.LONG, count.id, A.IntLit(0, T.INT, span=at), span=at))
        first += [A.VarDecl(self._named(t), n.id, None, span=at) for n, t in zip(names, site.params, strict=True)]
        some = A.Binary("!=", count, A.IntLit(0, T.INT, span=at), span=at)
        into = names[-1:] if site.apart else []
        last.append(A.VarDecl(T.LONG, place.id, self._reserve(site, count, *into), span=at))
        last.append(A.If(some, (self._put(site, place, tuple(names)),), (), span=at))
        note = A.Assign(count, A.IntLit(1, T.INT, span=at), "plain", span=at)
        return (note, *(A.Assign(n, a, "plain", span=at) for n, a in zip(names, site.args, strict=True)))

    def _named(self, t: T.Type) -> T.Type:
        """The type of an item as it is declared: of which graph it is goes without saying for the kernel's first."""
        if isinstance(t, T.NodeT | T.EdgeT) and t.graph == self.home:
            return T.NODE if isinstance(t, T.NodeT) else T.EDGE
        return t

    def _number(self, *patterns: str) -> int:
        """The next number, with which all of these are new names (ast/fresh.py)."""
        self.numbers = self.fresh.number(patterns, self.numbers + 1)
        return self.numbers

    def _reserve(self, site: Site, count: A.Expr, *into: A.Expr) -> A.MethodCall:
        form = site.forms[FORMS[self.levels[site.stmt]]]
        return A.MethodCall(site.object, form, (count, *into), span=site.stmt.span)

    def _put(self, site: Site, place: A.Expr, items: tuple[A.Expr, ...]) -> A.Stmt:
        at = site.stmt.span
        return A.ExprStmt(A.MethodCall(site.object, site.forms["task"], (place, *items), span=at), span=at)


def level_of(checked: Checked, e: A.Expr | None) -> str | None:
    """Of a call of an aggregated form: the annotation that names it; None for anything else."""
    if not isinstance(e, A.MethodCall):
        return None
    methods = methods_of(checked, checked.types[e.object]).values()
    again = M.AGAIN_FORMS if isinstance(checked.types[e.object], T.Worklist) else ()
    return next((level for level, f in (*(form for m in methods for form in m.forms), *again) if f == e.name), None)


def reserves(checked: Checked, e: A.Expr | None) -> bool:
    """Is this a reservation, which all threads of a unit make together?"""
    return level_of(checked, e) not in (None, "task")


def in_plain_flow(operator: A.ForAll, site: Site) -> bool:
    """Does the append stand in its operator under conditions alone: no sequential loop, no lock?"""

    def below(stmts: tuple[A.Stmt, ...]) -> bool:
        for s in stmts:
            if s is site.stmt:
                return True
            if isinstance(s, A.If) and (below(s.body) or below(s.orelse)):
                return True
            if isinstance(s, A.Block) and below(s.body):
                return True
        return False

    return below(operator.body)

