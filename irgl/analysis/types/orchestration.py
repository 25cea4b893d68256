"""Invoke, Iterate and Pipe: kernels, their arguments and the worklists that they share."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from irgl.analysis.names import members as M
from irgl.analysis.names.conversions import arguments, bind, graph_of, same_graph
from irgl.analysis.names.homes import holds_items
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import KernelFacts, fail
from irgl.analysis.types.constructs import Constructs
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


class Orchestration(Constructs):
    """Checks what runs kernels."""

    def _loop_body(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...], *, own_scope: bool = True) -> None:
        self.loops.append(loop)
        self.body(stmts, own_scope=own_scope)
        self.loops.pop()

    def _orchestration(self, s: A.Invoke | A.Iterate | A.Pipe) -> None:
        word = type(s).__name__
        if self.ex.place != "entry":
            fail(f"{word} stands in a {self.ex.place}", s, "kernels are orchestrated by the Program")
        match s:
            case A.Invoke():
                facts = self.invocation(s)
                if s.queue is None:
                    self._wants_lists(s, facts)
                else:
                    self._on_queue(s, s.queue, facts)
            case A.Iterate():
                facts = self.invocation(s)
                if s.mode == "worklist" and not facts.ends_round:
                    fail(
                        f"Iterate without a worklist: '{s.kernel}' neither takes nor makes work",
                        s,
                        "write Iterate While Any, or use WL in the kernel",
                    )
                if s.mode != "worklist" and not facts.returns:
                    fail(f"'{s.kernel}' returns no value to test", s, "use ReduceAndReturn in the kernel")
                lists = self._lists((s,))
                if s.initial is not None and not lists:
                    fail(
                        "no kernel here uses the list that Initial fills",
                        s.initial,
                        "leave Initial out, or use WL in the kernel",
                    )
                if lists:
                    self._initial(s, *lists[0])
                if not self.pipes and s.initial is None and facts.reads:
                    fail(f"nothing fills the worklist of '{s.kernel}'", s, "write Initial [...] or put it in a Pipe")
                self._inside(s, lists)
            case A.Pipe():
                self._pipe(s)
            case _:
                assert_never(s)

    def _invoke_result(self, e: A.InvokeResult) -> None:
        facts = self.invocation(e)
        if not facts.returns:
            fail(f"'{e.kernel}' returns no value to test", e, "use ReduceAndReturn in the kernel")
        self._wants_lists(e, facts)

    def _pipe(self, s: A.Pipe) -> None:
        lists = self._lists(s.body)
        if not s.once and not self.pipes and not any(self.checked.facts[_kernel_of(n)].ends_round for n, _ in lists):
            fail(
                "a looping Pipe whose kernels neither take nor make work would never end",
                s,
                "write while (...) or Pipe Once",
            )
        if not s.once and not self.pipes and s.initial is None:
            fail(
                "an outermost looping Pipe starts with an empty worklist",
                s,
                "write Pipe Initial [...], or put it in a Pipe Once after a kernel that fills the list",
            )
        if s.initial is not None:
            if not lists:
                fail(
                    "no kernel here uses the list that Initial fills",
                    s.initial,
                    "leave Initial out, or use WL in the kernel",
                )
            self._initial(s, *lists[0])
        self._inside(s, lists)

    def _inside(self, s: A.Pipe | A.Iterate, lists: list[tuple[A.Node, T.Worklist]]) -> None:
        """The body of an outermost Pipe or Iterate, all of whose kernels share lists, or of one inside it."""
        if lists and not self.pipes:
            self.checked.lists[s] = lists[0][1]
            for node, t in lists[1:]:
                (first, kind), name = lists[0], _kernel_of(node)
                ours, theirs = self._given(first), self._given(node)
                if kind == t and holds_items(self.checked, t.item) and not same_graph(ours, theirs):
                    fail(
                        f"kernels of one {type(s).__name__} share lists, but the nodes in those of "
                        f"'{_kernel_of(first)}' are of '{ours}', and in those of '{name}' of '{theirs}'",
                        node,
                        "give both the same graph first",
                    )
                if T.bare(kind) != T.bare(t) or not same_graph(graph_of(kind), graph_of(t)):
                    fail(
                        f"kernels of one {type(s).__name__} share lists, but '{_kernel_of(first)}' has "
                        f"{T.beside(kind, t)} and '{name}' has {T.beside(t, kind)}",
                        node,
                        f"give both the same: Kernel {name}(...) WL {T.bare(kind)}",
                    )
        self.pipes.append(s)
        outer = self.ex.queue
        if lists and lists[0][1].by is not None:
            self.ex.queue = lists[0][1]
        self._loop_body(s, s.body)
        self.ex.queue = outer
        self.pipes.pop()

    def _lists(self, stmts: tuple[A.Stmt, ...]) -> list[tuple[A.Node, T.Worklist]]:
        """The places that run kernels with worklists, in order, with the list's type as we see it."""
        found: list[tuple[A.Node, T.Worklist]] = []
        for n in (n for s in stmts for n in walk(s)):
            if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel in self.checked.facts:
                facts = self.checked.facts[n.kernel]
                if facts.uses_worklist and not (isinstance(n, A.Invoke) and n.queue is not None):
                    found.append((n, self._own_list(n, facts)))
        return found

    def _own_list(self, s: A.Invoke | A.Iterate | A.InvokeResult, facts: KernelFacts) -> T.Worklist:
        """The type of a kernel's WL as the Program sees it."""
        graphs = self._graphs(s)
        t = bind(facts.worklist, graphs, next(iter(graphs.values()), ""))
        assert isinstance(t, T.Worklist)
        return t if t.by is None else replace(t, by=self._bound(s, t.by))

    def _on_queue(self, s: A.Invoke, word: str, facts: KernelFacts) -> None:
        """An invocation whose WL is a variable."""
        symbol = self.ex.lookup(word)
        if symbol is None:
            fail(f"'{word}' is not declared", s, M.nearest(word, self.ex.visible())
                 or f"declare it: priority_queue<node>(PROPERTY) {word};")
        t = symbol.type
        if not isinstance(t, T.Worklist) or t.by is None:
            fail(f"'{word}' is {M.a(T.bare(t))}, not a priority queue", s,
                 "other lists are given to kernels as arguments" if isinstance(t, T.Worklist) else None)
        if not facts.uses_worklist:
            fail(f"'{s.kernel}' uses no WL", s, "leave the queue out, or use WL in the kernel")
        if self.pipes:
            around = "a Pipe" if isinstance(self.pipes[-1], A.Pipe) else "an Iterate"
            fail(f"an Invoke on '{word}' stands in {around}", s,
                 "kernels there share lists of their own: write while (...)")
        own = self._own_list(s, facts)
        if t.by.delta and self.ex.lookup(t.by.delta) is not self.divisors.get(word):
            fail(f"'{t.by.delta}' is another variable here than the one that divides '{word}'", s, "rename it")
        if not _same_queue(own, t):
            fail(f"'{word}' is {M.a(T.beside(t, own))}, and '{s.kernel}' has {T.beside(own, t)} here", s,
                 "give both the same property, and what divides it")
        self.checked.symbols[s] = symbol

    def _bound(self, s: A.Invoke | A.Iterate | A.InvokeResult, by: T.Priority) -> T.Priority:
        """What a queue goes by, in the Program's words."""
        def given(word: str) -> str:
            if not word:
                return ""
            at = [p.name for p in self.checked.kernels[s.kernel].params].index(word)
            argument = s.args[at] if at < len(s.args) else None
            symbol = self.ex.lookup(argument.id) if isinstance(argument, A.Name) else None
            if not isinstance(argument, A.Name) or symbol is None or symbol.kind == "global":
                fail(f"what coarsens the queue of '{s.kernel}' is no variable here", argument or s,
                     f"keep it in one: int {word} = ...;")
            return argument.id

        return replace(by, delta=given(by.delta), ran=given(by.ran))

    def _graphs(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> dict[str, str]:
        """Which of our graphs each graph of an invoked kernel is."""
        return self.ex.given_graphs(s.args, self.checked.kernels[s.kernel].params)

    def _given(self, s: A.Node) -> str:
        """The first graph that a kernel is given."""
        assert isinstance(s, A.Invoke | A.Iterate | A.InvokeResult)
        return next(iter(self._graphs(s).values()), "")

    def _wants_lists(self, s: A.Invoke | A.Iterate | A.InvokeResult, facts: KernelFacts) -> None:
        if facts.uses_worklist and not self.pipes:
            fail("this kernel works on a worklist, and there is none", s,
                 f"put it in a Pipe, or write Iterate {s.kernel}(...) Initial [...]")

    def invocation(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> KernelFacts:
        """Checks kernel and arguments; the kernel's facts."""
        kernel = self.checked.kernels.get(s.kernel)
        if kernel is None:
            if s.kernel in self.checked.functions:
                fail(f"'{s.kernel}' is a function, not a kernel", s, f"call it: {s.kernel}(...);")
            fail(f"no kernel '{s.kernel}'", s, M.nearest(s.kernel, self.checked.kernels))
        if len(kernel.params) != len(s.args):
            fail(
                f"kernel '{s.kernel}' takes {arguments(len(kernel.params))}, not {len(s.args)}",
                s,
                f"it reads: Kernel {s.kernel}({', '.join(f'{p.type} {p.name}' for p in kernel.params)})",
            )
        self.ex.arguments(s.args, kernel.params)
        lists = [a.id for a in s.args if isinstance(a, A.Name) and is_object(self.checked, self.checked.types[a])]
        for name in lists:
            if lists.count(name) > 1:
                fail(f"'{name}' is given twice to '{s.kernel}'", s, "what is read and what is written must differ")
        return self.checked.facts[s.kernel]

    def _initial(self, s: A.Iterate | A.Pipe, user: A.Node, worklist: T.Worklist) -> None:
        if s.initial is None:
            return
        if self.pipes:
            fail("Initial stands on a nested statement", s, "the lists are those of the Pipe around it: put it there")
        match s.initial:
            case A.InitialItems():
                for e in s.initial.items:
                    self.ex.value(e, worklist.item, "Initial")
                    self.ex.at_home(e, self._given(user))
            case A.InitialIterator():
                t = self.ex.type(s.initial.iterator)
                over = t.item if isinstance(t, T.Range) else T.VOID
                if T.bare(over) != T.bare(worklist.item) or not same_graph(graph_of(over), graph_of(worklist)):
                    wanted = T.beside(worklist.item, over)
                    hint = (
                        "write LIST.items"
                        if isinstance(t, T.Worklist)
                        else "single items stand in brackets: Initial [src]"
                        if (not isinstance(t, T.Range))
                        else f"the kernel reads: WL {T.bare(worklist)}"
                    )
                    fail(
                        f"Initial wants an iterator over {wanted}, not {T.beside(t, worklist.item)}",
                        s.initial.iterator,
                        hint,
                    )
                self.ex.at_home(s.initial.iterator, self._given(user))


def _same_queue(one: T.Worklist, other: T.Worklist) -> bool:
    """Are these the same queue's: the same nodes, by the same property, divided by the same variable?"""
    if one.by is None or other.by is None:
        return False
    return (one.kind == other.kind and one.item == other.item
            and all(getattr(one.by, part) == getattr(other.by, part)
                    for part in ("property", "delta", "higher", "owner", "ran")))


def _kernel_of(node: A.Node) -> str:
    assert isinstance(node, A.Invoke | A.Iterate | A.InvokeResult)
    return node.kernel
