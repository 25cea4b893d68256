"""How a kernel says that a node has work: it pushes it to WL, or its value tells that all nodes are to be looked at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from irgl.analysis.idle.again import update_of
from irgl.analysis.names.members import of_wl
from irgl.ast import nodes as A
from irgl.ast.visit import walk


@dataclass(frozen=True, slots=True)
class Told:
    """all: by `ReduceAndReturn(true)` behind an update, or of it, in a kernel over all nodes; or else by
    `WL.push(x)`, in one over its worklist."""

    all: bool

    def node(self, s: A.Stmt) -> A.Expr | bool | None:
        """The node that a statement says it of; True: that whose value has just changed; None: it says nothing."""
        if self.all:
            yes = isinstance(s, A.ReduceAndReturn) and isinstance(s.value, A.BoolLit) and s.value.value
            return True if yes else None
        call = of_wl(s.value, "push") if isinstance(s, A.ExprStmt) else None
        return call.args[0] if call is not None and len(call.args) == 1 else None

    def update(self, s: A.ReduceAndReturn) -> A.Reduce | None:
        """The update by which a statement says it, if that did something."""
        return update_of(s.value) if self.all else None

    def why_apart(self, s: A.Stmt) -> str | None:
        """What is wrong with a statement that says it by itself; None: it says nothing."""
        if self.all and isinstance(s, A.ReduceAndReturn):
            return "ReduceAndReturn tells more than whether an update has changed something"
        pushes = not self.all and self.node(s) is not None
        return "it pushes a node, and no update tells that this has something new to do" if pushes else None

    def why_left(self, loop: A.ForAll, known: Collection[A.Stmt]) -> str | None:
        """What a loop does with its worklist beside what is known of it."""
        calls = [of_wl(s.value, "push") for s in known if isinstance(s, A.ExprStmt)]
        names = {n for e in (*(c.object for c in calls if c is not None), loop.iterator) for n in walk(e)}
        more = any(isinstance(n, A.Name) and n.id == "WL" and n not in names for n in walk(loop))
        return "it does more with its worklist than to push to it" if more else None
