"""What only kernels have: locks, SyncRunningThreads, ReduceAndReturn's place, Retry and Respawn."""

from __future__ import annotations

from irgl.analysis.names import members as M
from irgl.analysis.names.methods import of_library
from irgl.analysis.names.symbols import fail
from irgl.analysis.types.variables import Variables
from irgl.ast import nodes as A
from irgl.ast import types as T


class Constructs(Variables):
    """Checks where the constructs of kernels stand, and what they are given."""

    def _only_in_forall(self, s: A.Stmt, word: str) -> None:
        if self.ex.place != "kernel":
            fail(f"{word} stands outside a kernel", s, "it belongs in a kernel's ForAll")
        if self.ex.depth == 0:
            fail(f"{word} stands outside every ForAll", s, "it says something of one iteration")

    def _atomic(self, s: A.Atomic) -> None:
        self._only_in_forall(s, "Atomic")
        t = self.ex.type(s.lock)
        if not isinstance(t, T.Lock):
            fail(f"Atomic wants a lock, not {T.bare(t)}", s.lock, "declare a property: node lock guard;")
        if self.locked:
            fail("Atomic stands under another lock", s, "two threads could wait for each other: use one Exclusive")
        self.locked += 1
        self.body(s.body)
        self.locked -= 1
        self.body(s.orelse)

    def _exclusive(self, s: A.Exclusive) -> None:
        self._only_in_forall(s, "Exclusive")
        t = self.ex.type(s.object)
        library = of_library(self.checked, t)
        if library:
            assert isinstance(t, T.Named)
            features = self.checked.libraries[t.name].features
            if not any(isinstance(f, A.Elements) and f.exclusive for f in features):
                fail(
                    f"the elements of {T.bare(t)} have no locks",
                    s.object,
                    "lock nodes that stand for them: Exclusive (g, [n, m])",
                )
        if not library and not (isinstance(t, T.Named) and t.name in self.checked.graph_types):
            fail(
                f"Exclusive wants a graph or a library object, not {T.bare(t)}", s.object, "write Exclusive (g, [n, m])"
            )
        if self.locked:
            fail("Exclusive stands under another lock", s, "take all elements at once")
        for e in s.elements:
            item = self.ex.type(e)
            listed = of_library(self.checked, item)
            if not isinstance(item, T.NodeT) and not (library and T.is_integer(item)) and not listed:
                fail(
                    f"Exclusive locks {'elements by their numbers' if library else 'nodes'}, not {M.a(T.bare(item))}",
                    e,
                    "for edges, lock the node that they leave"
                    if isinstance(item, T.EdgeT)
                    else "write their numbers"
                    if library
                    else "write Exclusive (g, [n, m])",
                )
        self.locked += 1
        self.body(s.body)
        self.locked -= 1
        self.body(s.orelse)

    def _sync(self, s: A.SyncRunningThreads) -> None:
        if self.ex.place != "kernel":
            fail("SyncRunningThreads stands outside a kernel", s, "kernels end with a barrier anyway")
        if self.ex.depth > 0:
            fail(
                "SyncRunningThreads stands in a ForAll",
                s,
                "not every iteration has a thread of its own: put it between two ForAlls",
            )
        if self.loops or len(self.ex.scopes) > 1:
            fail(
                "SyncRunningThreads stands under a condition or loop",
                s,
                "every thread must meet it: put it straight into the kernel's body",
            )

    def _retry(self, s: A.Retry | A.Respawn) -> None:
        word = "Retry" if isinstance(s, A.Retry) else "Respawn"
        self._only_in_forall(s, word)
        assert self.ex.facts is not None
        self.ex.facts.retries = True
        if self.locked:
            fail(f"{word} stands under a lock", s, "set a variable, and retry after the block")
        kind = self.ex.facts.worklist.kind
        if kind in ("buckets", T.QUEUE):
            fail(f"{word} in a kernel on {'a priority queue' if kind == T.QUEUE else kind}", s,
                 "push the item" if kind == T.QUEUE else "push the item with the current priority")
        self.ex.value(s.item, self.ex.facts.worklist.item, word)
        self.ex.at_home(s.item, self.ex.graph)
