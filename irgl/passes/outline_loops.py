"""Iteration outlining: which Pipes and Iterates may run as one kernel, and which the plan chooses.

What it does: an outlined loop's host statements and invocations run on the device, by all threads of one cooperative launch
with grid barriers between them, so that a round costs no launch and no copy (Pai and Pingali, 4.1).
When it applies: to loops that use nothing which only a host can do; the reason is told for every other.
What it needs and keeps: effects alone. The outermost legal loops are taken; the answer is the same.
"""

from __future__ import annotations

from irgl.analysis.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.plan import OFF, Plan

_HOST_CALLS = {
    "print": "it prints",
    "random": "random() is drawn on the host",
    "oriented": "it makes a graph",
}


def choices(checked: Checked) -> list[tuple[str, A.Iterate | A.Pipe, str | None]]:
    """Each Pipe and Iterate of the Program: its place, itself, and why it can't be outlined (None: it can)."""
    assert checked.entry is not None
    found: list[tuple[str, A.Iterate | A.Pipe, str | None]] = []

    def visit(node: A.Node, place: str, counters: dict[str, int], label: str = "") -> None:
        for child in children(node):
            if isinstance(child, A.Labeled):
                visit(child, place, counters, child.label)
            elif isinstance(child, A.Iterate | A.Pipe):
                word = type(child).__name__.lower()
                counters[word] = counters.get(word, 0) + 1
                own = f"{place}.{label or f'{word}{counters[word]}'}"
                found.append((own, child, refusal(checked, child)))
                visit(A.Block(child.body), own, {})
            else:
                visit(child, place, counters)

    visit(A.Block(checked.entry.body), checked.entry.name, {})
    return found


def chosen(checked: Checked, plan: Plan) -> dict[A.Stmt, str]:
    """The loops that the plan outlines, the outermost legal ones, with the names of the kernels that they become."""
    taken: dict[A.Stmt, str] = {}
    inside: set[A.Node] = set()
    for place, loop, reason in choices(checked):
        if loop in inside or reason is not None or plan.text_of("outline", place) == OFF:
            continue
        taken[loop] = place.replace(".", "_")
        inside |= set(walk(loop))
    return taken


def refusal(checked: Checked, loop: A.Iterate | A.Pipe) -> str | None:
    """Why a loop can't run on the device as a whole; None: it can."""
    inside = [n for s in loop.body for n in walk(s)]
    for n in inside:
        match n:
            case A.Call() if n.function in _HOST_CALLS:
                return f"{_HOST_CALLS[n.function]}{_at(n)}"
            case A.Call() if n.function in checked.functions:
                return f"it calls the helper '{n.function}' on the host{_at(n)}"
            case A.Return():
                return f"it ends the Program{_at(n)}"
            case A.VarDecl() if not _plain(checked.symbols[n].type, checked):
                return f"it declares {n.type} '{n.name}', which the host makes{_at(n)}"
            case A.For():
                return f"a sequential For over items is the host's{_at(n)}"
            case A.MethodCall() if _is_library(checked, checked.types[n.object]):
                return f"the host calls {n.name}() of a library object{_at(n)}"
            case A.CBlock():
                return f"a CBlock is the host's{_at(n)}"
            case _:
                pass
    for kernel in {n.kernel for n in [loop, *inside] if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)}:
        facts = checked.facts[kernel]
        if facts.worklist.kind != "list" and facts.uses_worklist:
            return f"the list of '{kernel}' is {facts.worklist.kind}, which the host advances"
        for p in checked.kernels[kernel].params:
            t = checked.symbols[p].type
            if (isinstance(t, T.Worklist) and t.kind != "list") or _is_library(checked, t):
                return f"'{kernel}' uses the {T.bare(t)} '{p.name}', which the host keeps"
    for n in inside:
        if isinstance(n, A.Name) and isinstance(kept := checked.types.get(n), T.Worklist) and kept.kind != "list":
            return f"'{n.id}' is a {kept.kind}, which the host keeps{_at(n)}"
    return None


def _plain(t: T.Type, checked: Checked) -> bool:
    return T.is_scalar(t) or checked.fields(t) is not None


def _is_library(checked: Checked, t: T.Type) -> bool:
    return isinstance(t, T.Named) and t.name in checked.libraries


def _at(n: A.Node) -> str:
    return f" (line {n.span.line})" if n.span is not None else ""
