"""Pushes behind a claim: what makes that of all iterations of one invocation only one can push a node.

    if (cas(e.dst.p, W, x)) { set.push(e.dst); }     once p is x it isn't W, if nothing that is stored there is W
    if (e.dst.p min= x) { set.push(e.dst); }         once p is less, x changes nothing, if nothing else is stored there
                                                     and x is one for the whole invocation; max=, |=, &=, xchg=, too
    ForAll (n In g.nodes) { set.push(n); }           its own item, of which there is one
    if (e.dst.p == W) { racy e.dst.p = x; set.push(e.dst); }    no claim, since several see W; but some W has gone

All pushes of a kernel into sets that may be one stand behind claims of one property, each behind one of its own. W is a
number that the text tells, or NONE. Whether x may be W is told by counters.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irgl.analysis.flow.kernels import helpers_of
from irgl.analysis.loops.edge_bodies import conjuncts
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.sets.groups import Group
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, equal, walk

#: Updates that change nothing when they come again.
_ONCE = ("min", "max", "|", "&", "xchg")
#: What stands for NONE among the numbers.
NOTHING = "NONE"


@dataclass(frozen=True, slots=True)
class Claim:
    """How a push is guarded: `way` is cas, changed, own or seen (which is no claim).

    name, type: the property's; wanted, new: W and x; op: the operator of `changed`. There is nothing of these for own.
    """

    kernel: A.Kernel
    way: str
    name: str = ""
    type: T.Type = T.VOID
    wanted: int | str | None = None
    new: A.Expr | None = None
    op: str = ""


def claims_of(checked: Checked, group: Group) -> list[Claim] | str:
    """How the pushes of a group's kernels are guarded, or why nodes may be pushed twice whatever is stored."""
    found: list[Claim] = []
    for kernel, push in group.pushes:
        all_here = [call for k, call in group.pushes if k is kernel]
        if len(all_here) == 1 and _is_own(checked, kernel, push):
            found.append(Claim(kernel, "own"))
            continue
        claim = _claim(checked, kernel, push, all_here)
        if claim is None:
            return f"{kernel.name} pushes without a claim that only one of all can win"
        if any(c.kernel is kernel and (c.name, c.way, c.wanted, c.op) != (
                claim.name, claim.way, claim.wanted, claim.op) for c in found):
            return f"{kernel.name} claims nodes in several ways"
        found.append(claim)
    return found


def writes(checked: Checked, part: A.Node, name: str) -> Iterator[A.Assign | A.Reduce | A.Call]:
    """What writes a property in a part of a program, helpers included."""
    for root in (part, *helpers_of(checked, [part])):
        for n in walk(root):
            target = n.target if isinstance(n, A.Assign | A.Reduce) else (
                n.args[0] if isinstance(n, A.Call) and n.function == "cas" else None)
            while isinstance(target, A.Member | A.Index) and not (
                    isinstance(target, A.Member) and isinstance(checked.types[target.object], T.NodeT)):
                target = target.object
            if isinstance(target, A.Member) and target.name == name:
                assert isinstance(n, A.Assign | A.Reduce | A.Call)
                yield n


def constant(e: A.Expr, t: T.Type) -> int | str | None:
    """The number that an expression of the text is as a `t`, NOTHING for NONE; None: it is no constant."""
    if isinstance(e, A.Name):
        return NOTHING if e.id == "NONE" else t.max if e.id == "INF" and isinstance(t, T.Int) else None
    if isinstance(e, A.BoolLit):
        return int(e.value)
    value = literal_value(e)
    if value is None or not isinstance(t, T.Int | T.Bool):
        return None
    return bool(value) if isinstance(t, T.Bool) else (value - t.min) % 2**t.bits + t.min


def _claim(checked: Checked, kernel: A.Kernel, push: A.MethodCall, pushes: list[A.MethodCall]) -> Claim | None:
    """The innermost claim around a push, between which no loop stands."""
    inner: A.Node = push
    for n in reversed(_around(kernel, push)):
        match n:
            case A.If():
                inside = {x for s in n.body for x in walk(s)}
                if push in inside and sum(call in inside for call in pushes) == 1:
                    for c in conjuncts(n.test):
                        claim = _guard(checked, kernel, c, n.body, push.args[0])
                        if claim is not None:
                            return claim
            case A.Block() | A.Labeled() | A.ExprStmt():
                pass
            case _:
                return None
        inner = n
    assert inner is not push
    return None


def _is_own(checked: Checked, kernel: A.Kernel, push: A.MethodCall) -> bool:
    """Does an iteration push its own node, once, which is another in each, and is the loop the only one around?"""
    named = _named(checked, push.args[0])
    loop = named[1].loop if named is not None and not named[0] else None
    if loop is None or checked.facts[kernel.name].comes_back:
        return False
    t = checked.types[loop.iterator]
    plain = (A.Kernel, A.If, A.Block, A.Labeled, A.ExprStmt)
    alone = all(n is loop or isinstance(n, plain) for n in _around(kernel, push))
    return isinstance(t, T.Range) and t.distinct and isinstance(t.item, T.NodeT) and alone


def _around(root: A.Node, node: A.Node) -> list[A.Node]:
    """The nodes around a node, outermost first."""
    for child in children(root):
        if child is node:
            return [root]
        if (found := _around(child, node)):
            return [root, *found]
    return []


def _guard(checked: Checked, kernel: A.Kernel, c: A.Expr, body: tuple[A.Stmt, ...], node: A.Expr) -> Claim | None:
    """What a condition claims of a node before `body`."""
    update = c.object if isinstance(c, A.Member) and c.name == "changed" else c
    wanted: A.Expr | None
    match update:
        case A.Call(function="cas", args=(A.Member() as target, wanted, new)):
            way, op = "cas", ""
        case A.Reduce(target=A.Member() as target, op=op, value=new) if op in _ONCE and _uniform(checked, new):
            way, wanted = "changed", None
        case A.Binary(op="==", left=left, right=wanted):
            place = left.location if isinstance(left, A.Relaxed) else left
            stores = [s for s in body if isinstance(s, A.Assign) and equal(s.target, place)]
            if not stores or not isinstance(stores[0].target, A.Member):
                return None
            way, op, target, new = "seen", "", stores[0].target, stores[0].value
        case _:
            return None
    t = checked.types[target]
    value = None if wanted is None else constant(wanted, t)
    known = isinstance(t, T.Int | T.Bool) if wanted is None else value is not None
    if not known or not isinstance(checked.types[target.object], T.NodeT) or not _same(checked, target.object, node):
        return None
    return Claim(kernel, way, target.name, t, value, new, op)


def _same(checked: Checked, a: A.Expr, b: A.Expr) -> bool:
    """Are they one node, whatever happens in between?"""
    one = _named(checked, a)
    return one is not None and one == _named(checked, b)


def _named(checked: Checked, e: A.Expr) -> tuple[str, Symbol] | None:
    """What never changes of an iteration: its item, a variable, or an end of its edge."""
    if isinstance(e, A.Member) and e.name in ("src", "dst"):
        edge = _named(checked, e.object)
        return None if edge is None else (f"{edge[0]}.{e.name}", edge[1])
    symbol = checked.symbols.get(e) if isinstance(e, A.Name) else None
    if symbol is None or symbol.assigned or symbol.kind not in ("loop", "local", "param"):
        return None
    known = _named(checked, symbol.origin) if symbol.kind == "local" and symbol.origin is not None else None
    return ("", symbol) if known is None else known


def _uniform(checked: Checked, e: A.Expr) -> bool:
    """Is it the same in a whole invocation?"""
    if isinstance(e, A.Name):
        symbol = checked.symbols.get(e)
        return symbol is None or (symbol.kind == "param" and not symbol.assigned)
    simple = isinstance(e, A.IntLit | A.BoolLit | A.Unary | A.Binary | A.Cast)
    return simple and all(_uniform(checked, x) for x in children(e) if isinstance(x, A.Expr))
