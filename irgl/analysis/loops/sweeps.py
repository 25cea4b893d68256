"""Whether a loop over nodes and their edges may take the edges of many nodes together, in the order of a form.

    ForAll (n In g.nodes) {              all nodes:  BEFORE
        BEFORE                           all edges:  BODY, in any order
        ForAll (e In n.edges) {    =>    all nodes:  BEHIND
            BODY
        }
        BEHIND
    }

A ForAll promises no order of its iterations, inner ones included: that all nodes come to their inner ForAll before it
runs for any, and leave it when it has run for all, is one of the orders under which the program is right already. What
an iteration knows when it comes to its edges is kept for each node, and what BODY combines for it is combined there.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.effects.effects import effects_of, home_graph
from irgl.analysis.flow.guards import can_guard
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.properties import takes_weights
from irgl.ast.visit import children, walk

#: What a node's edges are called.
ALONG = ("edges", "out_edges", "in_edges")
#: What can be done about a list, where plans have that option.
WAY_OUT = "; frontier=bitmap makes a set of a unique list"


@dataclass(frozen=True, slots=True)
class Sweep:
    """A loop over nodes with its inner one. graph: the variable whose edges they are; incoming: the in-edges.

    members: the set that the loop runs over; None: all nodes. kept: variables that are declared before the inner ForAll
    and used in it or behind it; `inside` are those that it uses.
    """

    loop: A.ForAll
    inner: A.ForAll
    graph: str
    incoming: bool
    members: A.Expr | None
    kept: tuple[Symbol, ...]
    inside: tuple[Symbol, ...]


def sweep_of(checked: Checked, kernel: A.Kernel, inner: A.ForAll) -> Sweep | str:
    """How a nested ForAll may be swept with the loop around it, or why it may not."""
    loops = (n for n in walk(kernel) if isinstance(n, A.ForAll) and n is not inner)
    around = [n for n in loops if any(m is inner for m in walk(n))]
    if len(around) != 1:
        return "it stands in a loop that is nested itself"
    loop = around[0]
    return _why_not_over(checked, loop) or _of(checked, kernel, loop, inner)


def _why_not_over(checked: Checked, loop: A.ForAll) -> str | None:
    """Why the loop around does not run over all nodes, or a set of them."""
    t = checked.types[loop.iterator]
    if isinstance(t, T.Range) and isinstance(t.item, T.NodeT):
        e = loop.iterator
        if isinstance(e, A.Member) and e.name == "nodes":
            return None
        of = checked.types[e.object] if isinstance(e, A.Member) and e.name == "items" else None
        if not isinstance(of, T.Worklist):
            return "the loop around it runs over nodes that a variable or a node names"
        t = of
    if isinstance(t, T.Worklist) and isinstance(t.item, T.NodeT):
        if t.kind in DENSE:
            return None
        if t.kind == "list":
            return f"the loop around it runs over a list, which can't be asked for a node{WAY_OUT}"
        return f"the loop around it runs over {t.kind}, which can't be asked for a node"
    return f"the loop around it runs over {T.bare(t)}, not over nodes"


def _of(checked: Checked, kernel: A.Kernel, loop: A.ForAll, inner: A.ForAll) -> Sweep | str:
    symbol = checked.symbols[loop]
    along = _edges_of(inner.iterator)
    if along is None or not isinstance(along.object, A.Name) or checked.symbols.get(along.object) is not symbol:
        return "it does not run over all edges of its loop's node"
    if not can_guard(loop, inner):
        return "a sequential loop or a lock stands around it"
    reason = _why_not_together(checked, kernel, loop, inner)
    if reason is not None:
        return reason
    node = symbol.type
    assert isinstance(node, T.NodeT)
    graph = node.graph or home_graph(checked, kernel.params)
    if graph not in [p.name for p in kernel.params]:
        return "no parameter of the kernel is the graph of its nodes"
    if makes_graphs(checked):
        return "the Program makes a graph of another, and forms are built before it runs"
    kept = _kept(checked, loop, inner)
    if isinstance(kept, str):
        return kept
    iterator = loop.iterator
    whole = isinstance(iterator, A.Member) and iterator.name == "nodes"
    members = None if whole else iterator.object if isinstance(iterator, A.Member) else iterator
    reason = None if members is None else _why_not_asked(checked, kernel, loop, members)
    if reason is not None:
        return reason
    return Sweep(loop, inner, graph, along.name == "in_edges", members, *kept)


def _edges_of(e: A.Expr) -> A.Member | None:
    """A node's edges, which may hang on a condition (guard_loops)."""
    if isinstance(e, A.MethodCall) and e.name == "when":
        e = e.object
    return e if isinstance(e, A.Member) and e.name in ALONG else None


def _why_not_together(checked: Checked, kernel: A.Kernel, loop: A.ForAll, inner: A.ForAll) -> str | None:
    """Why not all iterations can come to the inner ForAll before it runs for any."""
    facts = checked.facts[kernel.name]
    if facts.uses_worklist and facts.worklist.kind == "buckets":
        return "a bucket may grow while it runs"
    within = set(walk(inner))
    for n in (n for s in loop.body for n in walk(s)):
        match n:
            case _ if (reason := of_whole_iterations(n)) is not None:
                return reason
            case A.ForAll() if n is not inner:
                return f"another ForAll stands {'in it' if n in within else 'beside it'}"
            case A.Member() if n.name == "reverse" and n in within:
                return "it asks for an edge's reverse"
            case A.Name() if n in within and _is_own_of_iteration(checked, n):
                return f"it uses '{n.id}', an object of its iteration"
            case _:
                pass
    return None


def of_whole_iterations(n: A.Node) -> str | None:
    """Why a loop that does this takes its iterations one by one, whole; None: it needn't for this."""
    match n:
        case A.Retry() | A.Respawn():
            return "its items come back while it runs"
        case A.Atomic() | A.Exclusive():
            return "its loop takes locks"
        case A.CBlock():
            return "nobody can see what a CBlock in its loop does"
        case _:
            return None


def _is_own_of_iteration(checked: Checked, n: A.Name) -> bool:
    t = checked.types.get(n)
    return is_own(checked, n) or (isinstance(t, T.Worklist) and t.kind == "scratch")


def makes_graphs(checked: Checked) -> bool:
    """Does the Program make a graph of another?"""
    return checked.entry is not None and any(
        isinstance(n, A.Call) and n.function == "oriented" for n in walk(checked.entry))


def _why_not_asked(checked: Checked, kernel: A.Kernel, loop: A.ForAll, members: A.Expr) -> str | None:
    """Why the loop can't run over all nodes and ask for each whether it is in the set."""
    facts = checked.facts[kernel.name]
    if facts.returns:
        return "its kernel tells whether its set holds any node"
    if not isinstance(members, A.Name):
        return "the set that the loop runs over has no name"
    if members.id == "WL":  # what is pushed goes into the next one
        return None if facts.pushes else "its kernel pushes nothing, and a list that is only asked stays as it is"
    if any(p.kind == "list" and p.name == members.id for p in effects_of(checked, loop.body).writes):
        return "the loop changes the set that it runs over"
    return None


def _kept(checked: Checked, loop: A.ForAll, inner: A.ForAll) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]] | str:
    """The variables of an iteration that outlive its way to the inner ForAll, and those that this uses."""
    before, behind = _sides(loop.body, inner)
    inside = {checked.symbols[n] for n in walk(inner) if isinstance(n, A.VarDecl)}
    early = {checked.symbols[n] for n in before if isinstance(n, A.VarDecl)} - inside

    def used(nodes: list[A.Node]) -> list[Symbol]:
        return [s for n in nodes if isinstance(n, A.Name) and (s := checked.symbols.get(n)) in early and s is not None]

    condition = inner.iterator.args if isinstance(inner.iterator, A.MethodCall) else ()
    in_it = used([n for s in (*condition, *inner.body) for n in walk(s)])
    both = tuple(dict.fromkeys([*in_it, *used(behind)]))
    for symbol in both:
        t = symbol.type
        if not (T.is_scalar(t) or isinstance(t, T.Id) or checked.fields(t) is not None):
            word = written(symbol.name, symbol.span)
            return f"'{word}', which is used in it or behind it, can't be kept for each node"
    return both, tuple(dict.fromkeys(in_it))


def _sides(stmts: tuple[A.Stmt, ...], inner: A.ForAll) -> tuple[list[A.Node], list[A.Node]]:
    """All that stands before the inner ForAll in the text, and all that stands behind it; it may stand in both."""
    before: list[A.Node] = []
    behind: list[A.Node] = []
    reached = False

    def visit(n: A.Node) -> None:
        nonlocal reached
        if n is inner:
            reached = True
            return
        (behind if reached else before).append(n)
        for child in children(n):
            visit(child)

    for s in stmts:
        visit(s)
    return before, behind


def weight_of(checked: Checked, inner: A.ForAll) -> A.Property | None:
    """The weights that the loop reads of its edges, where they may lie in the form's own order: nobody changes them."""
    stored = {n.target.name for n in walk(checked.program) if isinstance(n, A.Assign | A.Reduce)
              and isinstance(n.target, A.Member)}
    for n in (n for s in inner.body for n in walk(s)):
        p = _weight(checked, n, inner)
        if p is not None and p.name not in stored:
            return p
    return None


def _weight(checked: Checked, n: A.Node, inner: A.ForAll) -> A.Property | None:
    if not (isinstance(n, A.Member) and _is_edge(checked, n.object, inner)):
        return None
    return next((p for g in checked.graph_types.values() for p in g.properties
                 if p.owner == "edge" and p.name == n.name and takes_weights(p)), None)


def _is_edge(checked: Checked, e: A.Node, inner: A.ForAll) -> bool:
    return isinstance(e, A.Name) and checked.symbols.get(e) is checked.symbols[inner]


def asks_number(checked: Checked, inner: A.ForAll) -> bool:
    """Does the loop use its edges for more than their ends and those weights?"""
    weight = weight_of(checked, inner)

    def asks(n: A.Node) -> bool:
        if isinstance(n, A.Member) and _is_edge(checked, n.object, inner):
            return n.name not in ("src", "dst") and (weight is None or n.name != weight.name)
        return _is_edge(checked, n, inner) or any(map(asks, children(n)))

    return any(asks(s) for s in inner.body)
