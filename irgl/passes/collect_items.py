"""What a loop puts into a list is marked first, a bit or a byte for each node, and put there behind the loop.

What it does: a second loop gathers the nodes that are marked, in their order, so that what comes next finds neighbours
side by side; and the first one appends nothing, which takes counters that all threads share (the unfused frontiers of
A. R. Brahmakshatriya, Universal Graph Framework, MIT 2020).

    ForAll (n In each.items) {            bytemap<node> marks;
        ForAll (e In n.edges) {           loop1: ForAll (n In each.items) {
            if (...) {                        ForAll (e In n.edges) { if (...) { e.dst joins marks } }
                e.dst joins WL       =>   }
            }                             loop1_gather: ForAll (v In marks.items) { v joins WL }
        }                                 marks.clear();
    }

When it applies: to outermost ForAlls that the plan says it of, where nodes are put into a list in which none is twice:
it is declared unique, or a set, or each iteration puts its own node there, once.
What it needs and keeps: a checked program, and a check as `lowered`; the meaning, but for the order of a list's items.
Every outermost ForAll of a kernel that is changed gets its path's last word as a label, so that paths stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.check import check
from irgl.analysis.effects.bounds import appends_once
from irgl.analysis.effects.effects import home_graph
from irgl.analysis.names.members import DENSE, adder
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.values.none import brings_none
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, walk
from irgl.passes.parts.replacing import fresh_in, replaced
from irgl.plan import Plan

OPTION = "collect"


def why_not(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> str | None:
    """Why what an outermost ForAll of a kernel puts into a list can't be marked first; None: it can."""
    found = list(_puts(checked, kernel, loop))
    if not found:
        return "it fills no list"
    if checked.facts[kernel.name].comes_back:
        return "items come back within the round"
    for word, t, call in found:
        if not isinstance(t.item, T.NodeT):
            return f"'{word}' holds {T.bare(t.item)}s, not nodes"
        if t.kind in DENSE:
            return f"in '{word}' each node has a place already"
        if t.kind not in ("list", "set"):
            return f"'{word}' is a {t.kind}, whose items have an order"
        if not (t.unique or t.kind == "set" or _once(checked, kernel, loop, call)):
            return f"'{word}' may hold a node twice: declare it unique"
        if not (t.item.graph or home_graph(checked, kernel.params)):
            return "no parameter of the kernel is the graph of its nodes"
    if _takes_none(checked, kernel, loop):
        return "NONE may be put into what it fills, and is nowhere marked"
    return None


def run(checked: Checked, plan: Plan) -> Checked:
    """The program whose loops mark first as the plan says, where that is legal; the same where none does."""
    decls: list[A.Decl] = []
    for decl in checked.program.decls:
        if isinstance(decl, A.Kernel):
            kinds = {loop: kind for place, loop in outer_loops(decl)
                     if (kind := plan.text_of(OPTION, place)) in DENSE and why_not(checked, decl, loop) is None}
            decl = _marking(checked, decl, kinds) if kinds else decl
        decls.append(decl)
    if all(a is b for a, b in zip(decls, checked.program.decls, strict=True)):
        return checked
    marking = check(A.Program(tuple(decls), span=checked.program.span), lowered=True)
    marking.dedup = checked.dedup
    return marking


def _takes_none(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> bool:
    """May NONE come to marks?"""
    decls = tuple(_marking(checked, d, {loop: DENSE[0]}) if d is kernel else d for d in checked.program.decls)
    marking = check(A.Program(decls, span=checked.program.span), lowered=True)
    return any(brings_none(marking, n) for n in walk(marking.kernels[kernel.name])
               if isinstance(n, A.MethodCall) and isinstance(t := marking.types.get(n.object), T.Worklist)
               and t.kind in DENSE and n.name == adder(t))


def _puts(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> Iterator[tuple[str, T.Worklist, A.MethodCall]]:
    """What a loop puts into lists: by which name, of what type, and the call."""
    facts = checked.facts[kernel.name]
    for n in walk(loop):
        if isinstance(n, A.MethodCall) and isinstance(n.object, A.Name):
            word = n.object.id
            t = facts.worklist if word == "WL" and facts.uses_worklist else checked.types.get(n.object)
            if isinstance(t, T.Worklist) and t.kind != "scratch" and n.name == adder(t):
                yield word, t, n


def _once(checked: Checked, kernel: A.Kernel, loop: A.ForAll, call: A.MethodCall) -> bool:
    """Does each iteration put its own node there, once at most, and no other iteration has it?"""
    t = checked.types[loop.iterator]
    own = len(call.args) == 1 and isinstance(call.args[0], A.Name) and call.args[0].id == loop.var
    assert isinstance(call.object, A.Name)
    return own and isinstance(t, T.Range) and t.distinct and appends_once(checked, kernel, loop, call.object.id)


def _marking(checked: Checked, kernel: A.Kernel, kinds: dict[A.ForAll, str]) -> A.Kernel:
    fresh = fresh_in(checked, kernel)
    return replaced(kernel, {loop: lambda loop, label: _gathered(checked, kernel, loop, label, kinds[loop], fresh)
                             for loop in kinds})


def _gathered(checked: Checked, kernel: A.Kernel, loop: A.ForAll, label: str, kind: str,
              fresh: Fresh) -> Iterator[A.Stmt]:
    """The marks of each list, the loop that makes them, and those that gather."""
    at, marks, calls = loop.span, {}, {}
    for word, t, call in _puts(checked, kernel, loop):
        assert isinstance(t.item, T.NodeT)
        if word not in marks:
            of = T.Worklist(kind, T.NodeT(t.item.graph or home_graph(checked, kernel.params)))
            marks[word] = fresh.bare("marks"), of, t
            yield A.VarDecl(of, marks[word][0], None, span=at)
        calls[call] = marks[word]

    def marked(node: A.Node) -> A.Node:
        if not (isinstance(node, A.MethodCall) and node in calls):
            return rebuild(node, marked)
        name, of, _ = calls[node]
        return A.MethodCall(A.Name(name, span=node.span), adder(of), node.args, span=node.span)

    yield A.Labeled(label, rebuild(loop, marked), span=at)
    for word, (name, _, t) in marks.items():
        node = fresh.bare("v")
        put = A.MethodCall(A.Name(word, span=at), adder(t), (A.Name(node, span=at),), span=at)
        items = A.Member(A.Name(name, span=at), "items", span=at)
        gather = A.ForAll(node, items, (A.ExprStmt(put, span=at),), span=at)
        yield A.Labeled(fresh.bare(f"{label}_gather"), gather, span=at)
        yield A.ExprStmt(A.MethodCall(A.Name(name, span=at), "clear", (), span=at), span=at)
