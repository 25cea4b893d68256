"""Iteration outlining: which loops of the Program run as one kernel.

What it does: an outlined loop's host statements and invocations run on the device, by all threads of one cooperative
launch with grid barriers between them, so that a round costs no launch and no copy (Pai and Pingali, 4.1).
When it applies: to the outermost legal loops (analysis/flow/outline.py) that the plan wants.
What it needs and keeps: effects alone; the answer is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass

from irgl.analysis.flow.kernels import waits_for_none
from irgl.analysis.flow.outline import LOOPS, Loop, OutlineNode, fills, outline_trees
from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import children, walk
from irgl.options import OFF
from irgl.plan import Plan


def choices(checked: Checked) -> list[tuple[str, Loop, str | None]]:
    """Each loop of the Program that invokes kernels: its place, itself, and why it can't be outlined (None: it can)."""
    return [(n.path, n.stmt, reason(n)) for root in outline_trees(checked) for n in root.walk()]


def why_no_graph(checked: Checked, loop: Loop, waiting: Collection[str]) -> str | None:
    """Why a CUDA graph can't loop over the loop's kernels; None: it can. `waiting`: kernels whose threads wait for each
    other under the plan."""
    calls = [n for n in walk(loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
    for call in calls:
        if call.kernel in waiting or not waits_for_none(checked, checked.kernels[call.kernel]):
            return f"'{call.kernel}' has barriers of its own, which a kernel in a graph can't have"
    for n in walk(loop):
        if fills(n, checked):
            return f"between kernels of a graph one thread runs, and {n.name}() is done by many"
    used = [facts.worklist for call in calls if (facts := checked.facts[call.kernel]).uses_worklist]
    for t in (*used, *(checked.types.get(n) for n in walk(loop) if isinstance(n, A.Name))):
        if isinstance(t, T.Worklist) and t.kind in M.SETS:
            return f"between kernels of a graph one thread runs, which would empty the {t.kind} word by word"
        if isinstance(t, T.Worklist) and t.kind == "buckets":
            return "between kernels of a graph one thread runs, which would look through all that waits by itself"
    return None


def _word(checked: Checked, node: OutlineNode) -> str:
    """What begins the names of all that is made of a loop."""
    assert checked.entry is not None
    word, taken = node.path.replace(".", "_"), Fresh(checked.program, checked.entry).taken
    while any(name == word or name.startswith(f"{word}_") for name in taken):
        word += "_"
    return word


def reason(node: OutlineNode) -> str | None:
    """The first thing in a loop, or in those nested in it, that wants the host."""
    return next((str(r) for n in node.walk() for r in n.refusals), None)


@dataclass(frozen=True, slots=True)
class Outlined:
    """A loop's kernel: its name, its blocks (as the plan says), and whether a CUDA graph loops over the loop's kernels
    instead."""

    name: str
    blocks: str
    as_graph: bool


def strategies(checked: Checked, plan: Plan, waiting: Collection[str]) -> dict[A.Stmt, str]:
    """How each loop runs that the plan brings to the GPU, by itself or in another: `all` or `graph`."""
    return {n: "graph" if how.as_graph else "all" for loop, how in chosen(checked, plan, waiting).items()
            for n in walk(loop) if isinstance(n, LOOPS)}


def chosen(checked: Checked, plan: Plan, waiting: Collection[str]) -> dict[A.Stmt, Outlined]:
    """The loops that the plan outlines, the outermost legal ones."""
    taken: dict[A.Stmt, Outlined] = {}

    def visit(node: OutlineNode) -> None:
        strategy = plan.text_of("outline", node.path)
        refused = strategy == "graph" and why_no_graph(checked, node.stmt, waiting) is not None
        if node.legal and strategy != OFF and not refused:
            taken[node.stmt] = Outlined(_word(checked, node), plan.text_of("blocks", node.path), strategy == "graph")
            return
        for child in node.children:
            visit(child)

    for root in outline_trees(checked):
        visit(root)
    return taken


def launched(checked: Checked, outlined: Container[A.Stmt]) -> set[str]:
    """The kernels that the host launches by themselves: those invoked outside every outlined loop."""
    found: set[str] = set()

    def visit(node: A.Node) -> None:
        if isinstance(node, A.Stmt) and node in outlined:
            return
        if isinstance(node, A.Invoke | A.Iterate | A.InvokeResult):
            found.add(node.kernel)
        for child in children(node):
            visit(child)

    if checked.entry is not None:
        visit(checked.entry)
    return found
