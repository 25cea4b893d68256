"""Counting in a scratch set that holds a node's row becomes counting what two rows have in common.

What it does: a scratch set is one thread's on a GPU, which does all that is asked of it, for a hub as well. Rows that
ascend tell the same without it, and its loops run on as many threads as a scheduler gives them.

    scratch<node> marks; For (e In u.edges) { marks.push(e.dst); }
    ForAll (e In u.edges) {                      =>  ForAll (e In u.edges) { sum += common(u, e.dst); }
        ForAll (f In e.dst.edges) { sum += marks.contains(f.dst); } }
    scratch<node> marks; For (e In u.edges) {    =>  ForAll (e In u.edges) {
        if (!(e.dst < u)) { break; }                     if (e.dst < u) { sum += common(u, e.dst, e.dst); }
        For (f In e.dst.edges) {                     }
            if (!(f.dst < e.dst)) { break; } sum += marks.contains(f.dst);
        }
        marks.push(e.dst);
    }

When it applies: for GPUs, where a kernel's graph is always `simple`, and `sorted` or oriented, the kernel has no locks,
nothing else is done to the set, and sums are whole numbers. On a CPU marks are faster.
What it needs and keeps: names that are unique; the meaning, and the paths of loops but for those that are gone.
"""

from __future__ import annotations

from itertools import pairwise

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, rebuild, walk
from irgl.passes.parts.calls import Call

#: Why an option means nothing at a loop that is gone.
WHY = "it became common(...), which searches in rows"
_ROWS = ("edges", "out_edges")
#: What stands in the place of statements.
_Instead = dict[A.Node, tuple[A.Stmt, ...]]


def run(checked: Checked) -> A.Program:
    """The program with its counting loops as searches; the same program where there are none."""
    new = {k: _with(k, found) for k in checked.kernels.values() if (found := _found(checked, k))}
    decls = tuple(new.get(d, d) if isinstance(d, A.Kernel) else d for d in checked.program.decls)
    return A.Program(decls, span=checked.program.span) if new else checked.program


def gone(checked: Checked) -> frozenset[str]:
    """The places of the ForAlls that become searches."""
    return frozenset(paths_of(k)[s] for k in checked.kernels.values() for s in _found(checked, k)
                     if isinstance(s, A.ForAll))


def _with(kernel: A.Kernel, instead: _Instead) -> A.Kernel:
    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        bare = node.body if isinstance(node, A.Labeled) else node
        return instead[bare] if bare in instead else rebuild(node, visit)

    return rebuild(kernel, visit)


def _found(checked: Checked, kernel: A.Kernel) -> _Instead:
    """What stands in the place of which statements of a kernel; other loops keep their paths, or it stays as it is."""
    if "common" in checked.functions or any(isinstance(n, A.Atomic | A.Exclusive) for n in walk(kernel)):
        return {}
    known, found = _in_order(checked, kernel), dict[A.Node, tuple[A.Stmt, ...]]()
    for n in walk(kernel):
        for body in (n.body, n.orelse) if isinstance(n, A.If) else (n.body,) if isinstance(n, A.ForAll) else ():
            for decl, fill in pairwise(body):
                found |= _without(checked, kernel, decl, fill, known)
    made = {s for new in found.values() for s in new}
    before, after = paths_of(kernel), paths_of(_with(kernel, found))
    return found if [path for loop, path in before.items() if isinstance(loop, A.ForAll) and loop not in found] == [
        path for loop, path in after.items() if isinstance(loop, A.ForAll) and loop not in made] else {}


def _in_order(checked: Checked, kernel: A.Kernel) -> set[str]:
    """The graphs of a kernel whose rows ascend and lead to each node once, wherever the Program invokes it."""
    inside = list(walk(checked.entry)) if checked.entry is not None else []
    calls = [n for n in inside if isinstance(n, Call) and n.kernel == kernel.name]
    simple = {checked.symbols[n] for n in inside if isinstance(n, A.Param) and "simple" in n.needs}
    fit = {checked.symbols[n] for n in inside if (isinstance(n, A.Param) and {"simple", "sorted"} <= {*n.needs})
           or (isinstance(n, A.VarDecl) and isinstance(n.init, A.Call) and n.init.function == "oriented"
               and checked.symbols.get(n.init.args[0]) in simple)}
    return {p.name for k, p in enumerate(kernel.params)
            if calls and all(checked.symbols.get(c.args[k]) in fit for c in calls)}


def _without(checked: Checked, kernel: A.Kernel, decl: A.Stmt, fill: A.Stmt, known: set[str]) -> _Instead:
    """How a kernel does without the set that `decl` declares and `fill` fills."""
    if not (isinstance(decl, A.VarDecl) and isinstance(decl.type, T.Worklist) and decl.type.kind == "scratch"
            and isinstance(fill, A.For) and isinstance(fill.iterator, A.Member) and fill.iterator.name in _ROWS):
        return {}
    of, u, (limit, body) = checked.symbols[decl], fill.iterator.object, _until(fill)
    match body:
        case (*before, A.ExprStmt(A.MethodCall(A.Name() as to, "push", (end,)))) if (
                checked.symbols[to] is of and _is_end(end, fill) and _is_item(checked, u)
                and isinstance(t := checked.types[u], T.NodeT)
                and (t.graph or home_graph(checked, kernel.params)) in known):
            pass
        case _:
            return {}
    sums: dict[A.Stmt, A.Stmt] = {n: s for n in walk(kernel) if isinstance(n, A.For | A.ForAll)
                                  and (s := _sum(checked, n, of, u)) is not None}
    if not sums or sum(isinstance(n, A.Name) and checked.symbols.get(n) is of for n in walk(kernel)) != len(sums) + 1:
        return {}
    if not before and limit is None:
        return {decl: (), fill: ()} | {loop: (s,) for loop, s in sums.items()}
    below = _until(before[0])[0] if before == [*sums] and isinstance(before[0], A.For) else None
    if below is None or not _is_end(below, fill) or not (limit is None or _is_item(checked, limit)):
        return {}  # only of nodes below this one, which all are marked by now
    first = sums[before[0]]
    new = first if limit is None else A.If(A.Binary("<", end, limit, span=limit.span), (first,), (), span=fill.span)
    return {decl: (), fill: (A.ForAll(fill.var, fill.iterator, (new,), span=fill.span),)}


def _until(loop: A.For | A.ForAll) -> tuple[A.Expr | None, tuple[A.Stmt, ...]]:
    """The node at which a loop over a row ends, which itself it leaves out; None: it has no such end. And the rest."""
    match loop.body:
        case (A.If(A.Unary("!", A.Binary("<", end, limit)), (A.Break(),), ()), *rest) if _is_end(end, loop):
            return limit, tuple(rest)
    return None, loop.body


def _sum(checked: Checked, loop: A.For | A.ForAll, of: Symbol, u: A.Expr) -> A.Stmt | None:
    """What adds up as a loop does which ends of a row are in the set of the row of u."""
    limit, body = _until(loop)
    match loop.iterator, body:
        case (A.Member(m, "edges" | "out_edges"), (A.ExprStmt(A.Reduce("+", target, A.MethodCall(
                A.Name() as asked, "contains", (end,)))) as s,)):
            if (checked.symbols[asked] is of and _is_end(end, loop) and checked.types[m] == checked.types[u]
                    and all(_is_item(checked, n) and not _is_end(n, loop) for n in (m, limit or m))
                    and isinstance(checked.types[target], T.Int)
                    and all(isinstance(n, A.Name | A.Member) and n not in checked.none
                            and not (isinstance(n, A.Name) and n.id == loop.var) for n in walk(target))):
                both = A.Call("common", (copied(u), m, *(() if limit is None else (limit,))), span=s.span)
                return A.ExprStmt(A.Reduce("+", target, both, span=s.span), span=s.span)
    return None


def _is_end(e: A.Expr, loop: A.For | A.ForAll) -> bool:
    return isinstance(e, A.Member) and e.name == "dst" and isinstance(e.object, A.Name) and e.object.id == loop.var


def _is_item(checked: Checked, e: A.Expr) -> bool:
    """Is it a node that a loop runs over, or the far end of such an edge, which stay what they are?"""
    name = e.object if isinstance(e, A.Member) and e.name == "dst" else e
    symbol = checked.symbols.get(name) if isinstance(name, A.Name) else None
    return (symbol is not None and symbol.loop is not None and not symbol.assigned and e not in checked.none
            and isinstance(checked.types[e], T.NodeT))
