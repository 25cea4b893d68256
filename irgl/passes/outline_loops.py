"""Iteration outlining: which Pipes and Iterates run as one kernel.

What it does: an outlined loop's host statements and invocations run on the device, by all threads of one cooperative
launch with grid barriers between them, so that a round costs no launch and no copy (Pai and Pingali, 4.1).
When it applies: to the outermost legal loops (analysis/flow/outline.py) that the plan wants.
What it needs and keeps: effects alone; the answer is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.flow.kernels import waits_for_none
from irgl.analysis.flow.outline import OutlineNode, outline_trees
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.fresh import Fresh
from irgl.ast.visit import walk
from irgl.plan import OFF, Plan


def choices(checked: Checked) -> list[tuple[str, A.Iterate | A.Pipe, str | None]]:
    """Each Pipe and Iterate of the Program: its place, itself, and why it can't be outlined (None: it can)."""
    return [(n.path, n.stmt, reason(n)) for root in outline_trees(checked) for n in root.walk()]


def why_no_graph(checked: Checked, loop: A.Iterate | A.Pipe) -> str | None:
    """Why a CUDA graph can't loop over the loop's kernels; None: it can."""
    for n in walk(loop):
        if isinstance(n, A.Invoke | A.Iterate) and not waits_for_none(checked, checked.kernels[n.kernel]):
            return f"'{n.kernel}' has barriers of its own, which a kernel in a graph can't have"
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
    """A loop's kernel: its name, and whether a CUDA graph loops over the loop's kernels instead."""

    name: str
    as_graph: bool


def strategies(checked: Checked, plan: Plan) -> dict[A.Stmt, str]:
    """How each Pipe and Iterate runs that the plan brings to the GPU, by itself or in another: `all` or `graph`."""
    return {n: "graph" if how.as_graph else "all" for loop, how in chosen(checked, plan).items()
            for n in walk(loop) if isinstance(n, A.Iterate | A.Pipe)}


def chosen(checked: Checked, plan: Plan) -> dict[A.Stmt, Outlined]:
    """The loops that the plan outlines, the outermost legal ones."""
    taken: dict[A.Stmt, Outlined] = {}

    def visit(node: OutlineNode) -> None:
        strategy = plan.text_of("outline", node.path)
        if node.legal and strategy != OFF and (strategy != "graph" or why_no_graph(checked, node.stmt) is None):
            taken[node.stmt] = Outlined(_word(checked, node), strategy == "graph")
            return
        for child in node.children:
            visit(child)

    for root in outline_trees(checked):
        visit(root)
    return taken
