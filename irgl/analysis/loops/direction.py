"""Whether a loop over nodes and their out-edges may run from the other ends of the edges, and what that saves.

    ForAll (n In FRONT) {                   ForAll (v In g.nodes) {
        BEFORE                                  ForAll (e In v.in_edges) {
        ForAll (e In n.edges) {      =>             if (front.contains(e.src)) {
            BODY                                        BODY
        }                                           }
    }                                           }
                                            }

Each pair of a node and one of its edges is an iteration of its own, and a ForAll promises no order: that all nodes come
to their inner ForAll first, and the pairs then run by the edges' targets, is one of the orders under which the program
is right already. For that nothing may wait for the inner ForAll, and what an iteration knows by then is kept for each
node. A list that may hold a node twice becomes a set, which holds it once: BODY must change nothing the second time
(repeats.py).

What is gained: v owns what BODY changes, so that BODY must change nothing else but edges, scalars and lists. And where
BODY stands under a condition that only v's own values can change, a node for which it is false needs no edges, and
needs no more of them once it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from irgl.analysis.effects.effects import home_graph, kernel_effects
from irgl.analysis.loops.edge_bodies import EdgeBody, accesses, conjuncts, runs_along
from irgl.analysis.loops.repeats import why_not_twice
from irgl.analysis.names.methods import effect_of, is_object
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import location
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.visit import children, walk

_OUT, _IN = ("edges", "out_edges"), ("in_edges",)


@dataclass(frozen=True, slots=True)
class Turn:
    """How `loop` may be turned round. `graph`: the variable whose nodes it runs over.

    kept: variables of an iteration that BODY reads. guard: conditions under which alone BODY does anything, which only
    the edge's target can change; `leaves`: BODY may make them false. everybody: every node of the graph comes to its
    edges. once: what must hold where a node may stand in the list twice; None: nothing. settled: BODY does anything for
    one edge of a target at most, whichever that is.
    """

    loop: A.ForAll
    inner: A.ForAll
    graph: str
    kept: tuple[Symbol, ...]
    guard: tuple[A.Expr, ...]
    leaves: bool
    everybody: bool
    once: A.Expr | None
    settled: bool = False


def turn_of(checked: Checked, kernel: A.Kernel, loop: A.ForAll, *, by_rounds: bool = False,
            excused: Collection[A.Expr] = ()) -> Turn | str:
    """How an outermost ForAll of a kernel may be turned round, or why it may not.

    by_rounds: it runs over a bucket, round by round, and is written so that each node is run once in a round, or that
    twice is as good. excused: what BODY may change although the edge's target doesn't own it.
    """
    t = checked.types[loop.iterator]
    if not (isinstance(t, T.Range) and isinstance(t.item, T.NodeT)):
        return f"it runs over {T.bare(t)}, not over nodes"
    inner = _inner(checked, loop)
    if isinstance(inner, str):
        return inner
    graph = t.item.graph if t.item.graph else home_graph(checked, kernel.params)
    if not graph:
        return "no parameter of the kernel is the graph of its nodes"
    reason = _why_not_split(checked, kernel, loop, inner, by_rounds)
    if reason is not None:
        return reason
    body = EdgeBody(checked, loop, inner)
    kept = _kept(checked, loop, inner)
    if isinstance(kept, str):
        return kept
    if kept and not _has_arrays(checked):
        return "'array' is a type of the program's own, and what iterations know is kept in irgl's"
    reason = _why_not_owned(checked, body, excused)
    if reason is not None:
        return reason
    why, once = why_not_twice(body)
    if t.distinct or by_rounds:
        only_once = why is None and once is None
        once = None
    elif not _quiet(checked, loop, inner):
        return "its list may hold a node twice, and more than the inner ForAll runs again then: declare it unique"
    elif why is not None:
        return f"its list may hold a node twice, and {why}: declare it unique"
    else:
        only_once = True
    guard = _guard(body)
    written = {a.key for a in body.writes}
    leaves = any(a.key in written for c in guard for a in body.accesses_of(c))
    every = any(s is inner or (isinstance(s, A.Labeled) and s.body is inner) for s in loop.body)
    whole = isinstance(loop.iterator, A.Member) and loop.iterator.name == "nodes"
    jumps = any(isinstance(n, A.Continue) for s in loop.body for n in walk(s))
    settled = leaves and only_once and not kept and not by_rounds and all(_same_for_all(body, s) for s in inner.body)
    return Turn(loop, inner, graph, kept, guard, leaves, every and whole and not jumps, once, settled)


def searches(checked: Checked) -> bool:
    """May loops be turned round, in each of which a node leaves its edges once it is found? O(size of the program)."""
    turns = [turn_of(checked, k, loop) for k in checked.kernels.values() for _, loop in outer_loops(k)]
    return any(isinstance(t, Turn) for t in turns) and all(t.leaves for t in turns if isinstance(t, Turn))


def why_not_again(checked: Checked, loop: A.ForAll) -> tuple[str | None, A.Expr | None]:
    """Why an iteration of a ForAll over nodes may change something when it runs again for its node, or beside another
    for it; and what has to hold before one relies on it, if anything."""
    inner = _inner(checked, loop)
    if isinstance(inner, str):
        return inner, None
    if not _quiet(checked, loop, inner):
        return "more than its inner ForAll would run again", None
    return why_not_twice(EdgeBody(checked, loop, inner), at_once=True)


def _same_for_all(body: EdgeBody, node: A.Node) -> bool:
    """Does a part of the body do the same whichever edge leads to its target, if it uses no variable of the iteration
    around it?"""
    if isinstance(node, A.Member) and body.is_target(node):
        return True
    if isinstance(node, A.Name) and (body.is_edge(node) or body.is_base(node)):
        return False
    return all(_same_for_all(body, child) for child in children(node))


def _inner(checked: Checked, loop: A.ForAll) -> A.ForAll | str:
    """The one ForAll over the out-edges of the loop's node, or why there is none."""
    inside = [n for s in loop.body for n in walk(s)]
    along = [n for n in inside if isinstance(n, A.ForAll) and runs_along(checked, n, loop, _OUT)]
    if len(along) == 1:
        return along[0]
    if along:
        return "two ForAlls over its nodes' edges stand in it"
    if any(isinstance(n, A.For | A.ForAll) and runs_along(checked, n, loop, _IN) for n in inside):
        return "it runs along in-edges as it is written"
    if any(isinstance(n, A.For) and runs_along(checked, n, loop, _OUT) for n in inside):
        return "it walks its nodes' edges in their order, by a For"
    return "no ForAll over all edges of its nodes stands in it"


def _why_not_split(checked: Checked, kernel: A.Kernel, loop: A.ForAll, inner: A.ForAll,
                   by_rounds: bool) -> str | None:
    """Why not all iterations can come to the inner ForAll before it runs for any."""
    facts = checked.facts[kernel.name]
    if facts.uses_worklist and facts.worklist.kind == "buckets" and not by_rounds:
        return "a bucket may grow while it runs"
    for n in (n for s in loop.body for n in walk(s)):
        match n:
            case A.Retry() | A.Respawn():
                return "its items come back while it runs"
            case A.Atomic() | A.Exclusive():
                return "it takes locks"
            case A.CBlock():
                return "nobody can see what its CBlock does"
            case A.ForAll() if n is not inner and any(m is n for s in inner.body for m in walk(s)):
                return "another ForAll stands in its inner one"
            case _:
                pass
    return _why_not_last(loop.body, inner)


def _why_not_last(stmts: tuple[A.Stmt, ...], inner: A.ForAll) -> str | None:
    """Why an iteration doesn't end with the inner ForAll."""
    at = next(i for i, s in enumerate(stmts) if holds(s, inner))
    if at + 1 < len(stmts):
        return "something follows its inner ForAll, and waits for it"
    match stmts[at]:
        case s if s is inner:
            return None
        case A.If() as s:
            return _why_not_last(s.body if any(holds(x, inner) for x in s.body) else s.orelse, inner)
        case A.Block() as s:
            return _why_not_last(s.body, inner)
        case A.Labeled() as s:
            return _why_not_last((s.body,), inner)
        case _:
            return "another loop stands around its inner ForAll"


def holds(s: A.Node, inner: A.Node) -> bool:
    """Is `inner` a part of `s`, or `s` itself?"""
    return any(n is inner for n in walk(s))


def _kept(checked: Checked, loop: A.ForAll, inner: A.ForAll) -> tuple[Symbol, ...] | str:
    """The variables of the outer iteration that the inner ForAll uses, or which of them can't be kept."""
    inside = {checked.symbols[n] for n in walk(inner) if isinstance(n, A.VarDecl)}
    mine = {checked.symbols[n] for s in loop.body for n in walk(s) if isinstance(n, A.VarDecl)} - inside
    combined = [written(s.name, s.span) for s, _ in checked.combined[inner] if s in mine]
    if combined:
        return f"its inner ForAll reduces into '{combined[0]}', a variable of the iteration around it"
    used = [checked.symbols[n] for s in inner.body for n in walk(s)
            if isinstance(n, A.Name) and checked.symbols.get(n) in mine]
    for symbol in used:
        t = symbol.type
        if not (T.is_scalar(t) or isinstance(t, T.Id) or checked.fields(t) is not None):
            return f"its inner ForAll uses '{written(symbol.name, symbol.span)}', which can't be kept for each node"
    return tuple(dict.fromkeys(used))


def _has_arrays(checked: Checked) -> bool:
    """Is irgl's type of arrays there, or may it come in?"""
    library = checked.libraries.get("array")
    return library.header == "array.hpp" if library is not None else not any(
        not isinstance(d, A.Import | A.Entry) and d.name == "array" for d in checked.program.decls)


def _why_not_owned(checked: Checked, body: EdgeBody, excused: Collection[A.Expr]) -> str | None:
    """Why a node would change more than its own values if it ran BODY for the edges that come in to it."""
    for a in (a for a in body.writes if a.expr not in excused):
        _, kind, name = a.key
        of = location(checked, a.expr)
        own = isinstance(of, A.Member) and (
            body.is_target(of.object) if kind == "node" else kind == "edge" and body.is_edge(of.object))
        if kind != "scalar" and not own:
            return f"its inner ForAll changes '{name}' elsewhere than at the edge's target"
    if any(isinstance(n, A.MethodCall) and is_object(checked, checked.types[n.object])
           and effect_of(checked, n) == "writes" for s in body.inner.body for n in walk(s)):
        return "its inner ForAll changes an object as a whole"
    return None


def _quiet(checked: Checked, loop: A.ForAll, inner: A.ForAll) -> bool:
    """Does an iteration do nothing but come to its inner ForAll?"""
    inside = set(walk(inner))
    if any(a.kind != "load" and a.expr not in inside for a in accesses(checked, loop.body)):
        return False
    for n in (n for s in loop.body for n in walk(s)):
        if n in inside:
            continue
        if isinstance(n, A.ReduceAndReturn):
            return False
        if isinstance(n, A.MethodCall) and is_object(checked, checked.types[n.object]):
            scratch = isinstance(t := checked.types[n.object], T.Worklist) and t.kind == "scratch"
            if effect_of(checked, n) != "reads" and not scratch:
                return False
        if isinstance(n, A.Call) and n.function in checked.functions and (
                kernel_effects(checked, checked.functions[n.function]).writes):
            return False
    return True


def _guard(body: EdgeBody) -> tuple[A.Expr, ...]:
    """The leading conditions of BODY that are the target's alone."""
    test = body.only_test()
    if test is None or any(isinstance(n, A.Continue) for s in body.inner.body for n in walk(s)):
        return ()
    found: list[A.Expr] = []
    for c in conjuncts(test.test):
        if not (body.is_of_target(c) and body.is_harmless(c)):
            break
        found.append(c)
    return tuple(found)
