"""Iteration outlining: which Pipes and Iterates run as one kernel.

What it does: an outlined loop's host statements and invocations run on the device, by all threads of one cooperative
launch with grid barriers between them, so that a round costs no launch and no copy (Pai and Pingali, 4.1).
When it applies: to the outermost legal loops (analysis/outline.py) that the plan wants.
What it needs and keeps: effects alone; the answer is the same.
"""

from __future__ import annotations

from irgl.analysis.outline import OutlineNode, outline_trees
from irgl.analysis.symbols import Checked
from irgl.ast import nodes as A
from irgl.plan import OFF, Plan


def choices(checked: Checked) -> list[tuple[str, A.Iterate | A.Pipe, str | None]]:
    """Each Pipe and Iterate of the Program: its place, itself, and why it can't be outlined (None: it can)."""
    return [(n.path, n.stmt, reason(n)) for root in outline_trees(checked) for n in root.walk()]


def reason(node: OutlineNode) -> str | None:
    """The first thing in a loop, or in those nested in it, that wants the host."""
    return next((str(r) for n in node.walk() for r in n.refusals), None)


def chosen(checked: Checked, plan: Plan) -> dict[A.Stmt, str]:
    """The loops that the plan outlines, the outermost legal ones, with the names of the kernels that they become."""
    taken: dict[A.Stmt, str] = {}

    def visit(node: OutlineNode) -> None:
        if node.legal and plan.text_of("outline", node.path) != OFF:
            taken[node.stmt] = node.path.replace(".", "_")
            return
        for child in node.children:
            visit(child)

    for root in outline_trees(checked):
        visit(root)
    return taken
