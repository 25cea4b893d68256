"""Which respawned items are best run first: those whose value has just become the least, or the greatest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, walk


def ranks(checked: Checked, k: A.Kernel) -> dict[A.Respawn, A.Reduce]:
    """By Respawn: the update of its item's own property that it stands under, `if (x.p min= v) { Respawn x; }`.

    Whoever is given a least value passes on what is no less, in most algorithms: so the item whose value is least then
    keeps it, and is run but once, as in Dijkstra's algorithm. Only numbers are ranked, and only by properties that the
    kernel changes by that one operation: then each Respawn takes its item nearer to an end, so that the order starves
    nobody. A kernel that also pushes to WL, for a later round, orders its work itself (near and far piles): what it
    respawns is near already, and is left in the order in which it comes, which costs least. O(size of the kernel).
    """
    ops: dict[str, set[str]] = {}
    for n in walk(k):
        if isinstance(n, A.Reduce) and isinstance(n.target, A.Member):
            ops.setdefault(n.target.name, set()).add(n.op)
        elif isinstance(n, A.Assign) and isinstance(n.target, A.Member):
            ops.setdefault(n.target.name, set()).add("=")
        elif isinstance(n, A.Call) and n.function == "cas" and isinstance(n.args[0], A.Member):
            ops.setdefault(n.args[0].name, set()).add("cas")
    found = {} if any(_orders(n) for n in walk(k)) else dict(_in(k.body, ()))
    ranked = {s: r for s, r in found.items() if _ranks(checked, r) and ops[_property(r)] == {r.op}}
    every = sum(isinstance(n, A.Respawn) for n in walk(k))  # one without a rank might wait for what others do
    return ranked if len(ranked) == every and len({_property(r) for r in ranked.values()}) == 1 else {}


def drops_overtaken(k: A.Kernel, ranked: dict[A.Respawn, A.Reduce]) -> bool:
    """Is it enough to run an item with the last value that it came back with, and not with those before?

    So it is where the kernel does nothing but update that one property, each time with the item's Respawn, by a value
    that is reckoned from the iteration's own item: what it does with an overtaken item is then what it does with the
    last value, and doing that twice in a row changes nothing the second time. O(size of the kernel).
    """
    loop = only_loop(k)
    if len(ranked) != 1 or loop is None:
        return False
    (spawn, update), = ranked.items()
    p = _property(update)
    assert isinstance(update.target, A.Member)
    tested: set[A.Node] = set()
    own = {loop.var}
    for n in walk(loop):
        if isinstance(n, A.If):
            tested |= {*walk(n.test)} - {*walk(update.value)}
            if update in {*walk(n.test)} and (n.body != (spawn,) or n.orelse):
                return False
        if isinstance(n, A.VarDecl) and isinstance(n.init, A.MethodCall) and n.init.name == "pop":
            own.add(n.name)
    for n in walk(loop):
        if isinstance(n, A.Member) and n.name == p and n is not update.target:
            mine = isinstance(n.object, A.Name) and n.object.id in own
            if not mine and not (n in tested and equal(n.object, update.target.object)):
                return False
        elif n is not update and _acts(n):
            return False
    return True


def _acts(n: A.Node) -> bool:
    """May it change something, or run long?"""
    if isinstance(n, A.MethodCall | A.Call):
        return (n.name if isinstance(n, A.MethodCall) else n.function) not in _QUIET
    return isinstance(n, _EFFECTS)


_EFFECTS = (A.Reduce, A.Assign, A.Retry, A.ReduceAndReturn, A.Atomic, A.Exclusive, A.While, A.DoWhile, A.CFor)
_QUIET = {"pop", "min", "max", "abs", "hash"}


def _orders(n: A.Node) -> bool:
    """Does this say what runs when, or might it do anything?"""
    return of_wl(n, "push") is not None or isinstance(n, A.CBlock)


def _in(stmts: Sequence[A.Node], under: tuple[A.Reduce, ...]) -> Iterator[tuple[A.Respawn, A.Reduce]]:
    """The Respawns below, each with the nearest update of its item that holds there."""
    for s in stmts:
        if isinstance(s, A.Respawn):
            for r in under:
                if isinstance(r.target, A.Member) and equal(r.target.object, s.item):
                    yield s, r
                    break
        elif isinstance(s, A.If):
            yield from _in(s.body, (*_holding(s.test), *under))
            yield from _in(s.orelse, under)
        elif isinstance(s, A.Labeled):
            yield from _in((s.body,), under)
        elif isinstance(s, A.ForAll | A.For | A.While | A.DoWhile | A.CFor | A.Block | A.Atomic | A.Exclusive):
            yield from _in(s.body, under)


def _holding(test: A.Expr) -> Iterator[A.Reduce]:
    """The updates that changed something where `test` is true."""
    if isinstance(test, A.Binary) and test.op == "&&":
        yield from _holding(test.left)
        yield from _holding(test.right)
    elif isinstance(test, A.Member) and test.name == "changed":
        yield from _holding(test.object)
    elif isinstance(test, A.Reduce) and test.op in ("min", "max"):
        yield test


def _ranks(checked: Checked, r: A.Reduce) -> bool:
    target = r.target
    return (isinstance(target, A.Member) and isinstance(checked.types[target.object], T.NodeT | T.EdgeT)
            and isinstance(checked.types[target], T.Int | T.Float))


def _property(r: A.Reduce) -> str:
    assert isinstance(r.target, A.Member)
    return r.target.name
