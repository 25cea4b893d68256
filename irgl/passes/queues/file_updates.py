"""A priority queue becomes buckets, in which nodes are filed when they move, and skipped where they no longer are.

What it does: an update changes the property and files the node in its new bucket. An array has what each node last ran
with: a node whose property is still the same isn't in the queue, and an entry in a bucket that the node has left is
none. So each filing of a node runs it once, and nothing stale is run. A bucket without anybody in it is passed over
before anybody notices (cpu_rt/queue.hpp, cuda_rt/queue.cuh).

    Kernel relax(Graph g, int delta)                    Kernel relax(Graph g, int delta, array<long> dist_ran)
        WL priority_queue<node>(dist / delta) {             WL buckets<node> {
      ForAll (n In WL.items) {                            ForAll (n In WL.items) {
                                                            long with = n.dist;
                                                            if (!(dist_ran[n.id] min= with)) { continue; }
        ForAll (e In n.edges) {                     =>      ForAll (e In n.edges) {
          WL.update_min(e.dst, n.dist + e.length);            int to = n.dist + e.length;
        }                                                     if (e.dst.dist min= to) { WL.push(e.dst, to / delta); }
      }                                                     }
    }                                                     }
                                                        }

When it applies: to every kernel on a priority queue, and to the Pipes and Iterates that run one: before them the array
is made anew.
What it needs and keeps: any program that checks; its meaning. An update may stand as a statement, as the condition of
an `if` or the last part of one joined by &&, or make a bool variable; a property moves one way in all of the Program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied, rebuild, transform, walk
from irgl.frontends.imports import LIBRARY
from irgl.frontends.text.load import load_text
from irgl.passes.parts.calls import Call, called_with
from irgl.passes.queues.moves import falls, refuse_others
from irgl.passes.queues.updates import Updates, bucket, never
from irgl.source import Span

ARRAY = T.Named("array", (T.LONG,))


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel on a queue: its graph, and the parameter that is the array."""

    kernel: A.Kernel
    by: T.Priority
    graph: str


def run(program: A.Program) -> A.Program:
    """The program without priority queues; the same where there are none."""
    if not any(isinstance(d, A.Kernel) and _queue(d) is not None for d in program.decls):
        return program
    checked = check(program)
    on = {k.name: _Kernel(k, by, _graph(checked, k)) for k in checked.kernels.values()
          if checked.facts[k.name].uses_worklist and (by := _queue(k)) is not None}
    down = {by.property: falls(by.property, [k.kernel for k in on.values() if k.by.property == by.property])
            for by in (k.by for k in on.values())}
    decls: list[A.Decl] = []
    for decl in program.decls:
        match decl:
            case A.Kernel(name=name) if name in on:
                decls.append(_with_buckets(checked, on[name], down[on[name].by.property]))
            case A.Entry():
                refuse_others(checked, {name: k.by for name, k in on.items()})
                decls.append(_running(checked, decl, on, down, decls))
            case _:
                decls.append(decl)
    if not any(isinstance(d, A.Library) and d.name == "array" for d in decls):
        file = LIBRARY / "array.irgl"
        decls = [*load_text(file.read_text(encoding="utf-8"), str(file)).decls, *decls]
    return A.Program(tuple(decls), span=program.span)


def _queue(k: A.Kernel) -> T.Priority | None:
    t = k.worklist
    return t.by if isinstance(t, T.Worklist) and t.kind == T.QUEUE else None


def _graph(checked: Checked, k: A.Kernel) -> str:
    """The parameter whose nodes a kernel's queue holds."""
    item = checked.facts[k.name].worklist.item
    assert isinstance(item, T.NodeT)
    return item.graph


# Kernels


def _with_buckets(checked: Checked, on: _Kernel, falling: bool) -> A.Kernel:
    kernel, fresh = on.kernel, Fresh(checked.program, on.kernel)
    ran = fresh.bare(f"{on.by.property}_ran")
    updates = Updates(checked, on.by, ran, falling, fresh)

    def rewritten(stmts: Sequence[A.Stmt]) -> tuple[A.Stmt, ...]:
        block = rebuild(A.Block(tuple(stmts)), visit)
        assert isinstance(block, A.Block)
        return block.body

    def visit(node: A.Node) -> A.Node | Sequence[A.Node]:
        if isinstance(node, A.Stmt):
            made = updates.instead(node, rewritten)
            if made is not None:
                return made
        if isinstance(node, A.ForAll) and over_wl(node):
            inner = rebuild(node, visit)
            assert isinstance(inner, A.ForAll)
            return replace(inner, body=(*_claim(node, on.by, ran, falling, fresh), *inner.body))
        return rebuild(node, visit)

    new = rebuild(transform(kernel, updates.asked), visit)
    assert isinstance(new, A.Kernel)
    t = kernel.worklist
    assert isinstance(t, T.Worklist)
    by = replace(on.by, ran=ran, falls=falling)
    params = (*kernel.params, A.Param(ARRAY, ran, None, (), span=kernel.span))
    return replace(new, params=params, worklist=replace(t, kind="buckets", by=by))


def _claim(loop: A.ForAll, by: T.Priority, ran: str, falling: bool, fresh: Fresh) -> tuple[A.Stmt, ...]:
    """What an iteration asks first: is its node here, and has it not run since it was filed?"""
    at = loop.iterator.span
    word = fresh.bare("with")
    node = A.Name(loop.var, span=at)
    made = A.VarDecl(T.LONG, word, A.Member(node, by.property, span=at), span=at)
    leave: tuple[A.Stmt, ...] = (A.Continue(span=at),)
    tests: list[A.Stmt] = [made]
    if falling == by.higher:  # it may have moved on to a later bucket
        here = bucket(by, A.Name(word, span=at))
        later = A.Binary(">", here, A.Member(A.Name("WL", span=at), "priority", span=at), span=at)
        tests.append(A.If(later, leave, (), span=at))
    place = A.Index(A.Name(ran, span=at), A.Member(A.Name(loop.var, span=at), "id", span=at), span=at)
    claim = A.Reduce("min" if falling else "max", place, A.Name(word, span=at), span=at)
    return (*tests, A.If(A.Unary("!", claim, span=at), leave, (), span=at))


# The Program


def _running(checked: Checked, entry: A.Entry, on: dict[str, _Kernel], down: dict[str, bool],
             decls: list[A.Decl]) -> A.Entry:
    """The Program with the arrays, which it gives to the kernels, and makes anew before each loop. Adds kernels for
    that to `decls`."""
    fresh = Fresh(checked.program, entry)
    arrays: dict[tuple[str, str], str] = {}
    anew: dict[str, str] = {}
    at = entry.span

    def array(call: Call) -> tuple[str, str]:
        """The array that an invoked kernel is given, and the graph that it is for."""
        k = on[call.kernel]
        given = {p.name: a for p, a in zip(k.kernel.params, call.args, strict=True)}[k.graph]
        assert isinstance(given, A.Name)
        key = given.id, k.by.property
        if key not in arrays:
            arrays[key] = fresh.bare(f"{k.by.property}_ran")
        return arrays[key], given.id

    def begin(s: A.Stmt) -> tuple[A.Stmt, ...]:
        call = next((n for n in walk(s) if isinstance(n, Call) and n.kernel in on), None)
        if call is None:
            return ()
        k = on[call.kernel]
        word, graph = array(call)
        graph_type = str(next(p.type for p in k.kernel.params if p.name == k.graph))
        if k.by.property not in anew:
            anew[k.by.property] = fresh.bare(f"begin_{k.by.property}_ran")
            decls.append(_anew(anew[k.by.property], graph_type, down[k.by.property], s.span))
        first = A.Invoke(anew[k.by.property], (A.Name(graph, span=s.span), A.Name(word, span=s.span)), span=s.span)
        by = checked.lists[s].by
        return (first,) if by is None or not by.delta else (_positive(by, s.span), first)

    def visit(node: A.Node, inside: bool) -> A.Node | tuple[A.Node, ...]:
        outermost = not inside and node in checked.lists
        asked = finished(node)
        if asked is not None:
            return asked
        if isinstance(node, A.Labeled):
            made = visit(node.body, inside)
            *before, last = made if isinstance(made, tuple) else (made,)
            return (*before, replace(node, body=last))  # type: ignore[arg-type]
        new = rebuild(node, lambda n: visit(n, inside or outermost))
        first = begin(node) if outermost and isinstance(node, A.Stmt) else ()
        return (*first, new) if first else new

    def finished(node: A.Node) -> A.Expr | None:
        """`WL.finished(n)`: it has run, and nobody has moved it since."""
        if not isinstance(node, A.MethodCall) or node.name != "finished" or not _is_wl(node.object):
            return None
        t = checked.types[node.object]
        assert isinstance(t, T.Worklist) and t.by is not None and isinstance(t.item, T.NodeT)
        where, n = node.span, node.args[0]
        word = arrays[t.item.graph, t.by.property]

        def ran() -> A.Expr:
            return A.Index(A.Name(word, span=where), A.Member(copied(n), "id", span=where), span=where)

        same = A.Binary("==", ran(), A.Member(copied(n), t.by.property, span=where), span=where)
        return A.Binary("&&", A.Binary("!=", ran(), never(down[t.by.property], where), span=where), same, span=where)

    for n in walk(entry):
        if isinstance(n, Call) and n.kernel in on:
            array(n)
    body: list[A.Stmt] = []
    for s in entry.body:
        made = visit(s, False)
        body += made if isinstance(made, tuple) else (made,)  # type: ignore[arg-type]
    new = called_with(replace(entry, body=tuple(body)),
                      lambda call: (A.Name(array(call)[0], span=call.span),) if call.kernel in on else ())
    first: list[A.Stmt] = []
    for (graph, _), word in arrays.items():
        size = A.Member(A.Name(graph, span=at), "num_nodes", span=at)
        resize = A.MethodCall(A.Name(word, span=at), "resize", (size,), span=at)
        first += [A.VarDecl(ARRAY, word, None, span=at), A.ExprStmt(resize, span=at)]
    return replace(new, body=(*first, *new.body))


def _is_wl(e: A.Expr) -> bool:
    return isinstance(e, A.Name) and e.id == "WL"


def _positive(by: T.Priority, at: Span | None) -> A.Stmt:
    """Nothing runs where the queue would be divided by another number."""
    test = A.Binary("<=", A.Name(by.delta, span=at), A.IntLit(0, T.INT, span=at), span=at)
    told = A.Call("stop", (A.StringLit(by.not_positive(), span=at),), span=at)
    return A.If(test, (A.ExprStmt(told, span=at),), (), span=at)


def _anew(name: str, graph_type: str, falling: bool, at: Span | None) -> A.Kernel:
    """The kernel after which no node has run."""
    place = A.Index(A.Name("ran", span=at), A.Member(A.Name("n", span=at), "id", span=at), span=at)
    store = A.Assign(place, never(falling, at), "plain", span=at)
    loop = A.ForAll("n", A.Member(A.Name("g", span=at), "nodes", span=at), (store,), span=at)
    params = A.Param(T.Named(graph_type), "g", None, (), span=at), A.Param(ARRAY, "ran", None, (), span=at)
    return A.Kernel(name, params, None, (loop,), span=at)
