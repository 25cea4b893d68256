"""Items that come back to a kernel's ForAll: by Respawn and Retry, or pushed to the bucket that it runs. Which kernels
may have them, and what may come back to which list."""

from __future__ import annotations

from collections.abc import Sequence

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked, KernelFacts, fail
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast.visit import walk

_NEVER, _MANY = -1000, 1000
#: What of WL an iteration may use while items come back.
_STEADY = (*M.UPDATES, "push", "pop", "priority", "early")


def check_respawns(checked: Checked, k: A.Kernel, facts: KernelFacts) -> None:
    """Respawn, Retry and what is pushed to the running bucket run the ForAll over WL again: it must be the only one.

    A list that holds each item once gets back only what its iterations own, for another item might be running; and
    that once, for it would run twice at a time. Behind passes a kernel that drains a bucket may have several loops: all
    of it runs again then.
    """
    loops = [s.body if isinstance(s, A.Labeled) else s for s in k.body]
    parallel = [s for s in loops if isinstance(s, A.ForAll)]
    over_list = [s for s in parallel if over_wl(s)]
    if facts.retries and (facts.worklist.unique or facts.worklist.kind in M.SETS):
        _once(checked, k, facts, parallel)
    if not checked.lowered:
        behind = next((i for i, s in enumerate(loops) if s in parallel), len(loops))
        _refuse_looks([s for loop in parallel for s in loop.body], "while items come back, an iteration can't ask")
        _refuse_looks(loops[behind + 1:], "when all items have run, nobody can ask")
    if (
        len(parallel) != 1
        or len(over_list) != 1
        or any(isinstance(n, A.ForAll) for s in loops if s not in parallel for n in walk(s))
    ):
        if checked.lowered and facts.drains and not facts.retries:
            facts.together = True
            return
        does = ("respawns items" if facts.retries else "runs a priority queue" if facts.worklist.by is not None
                else "pushes to the buckets that it runs")
        fail(
            f"'{k.name}' {does}, and its only top-level ForAll doesn't run over WL",
            k,
            "an item that comes back needs a ForAll (... In WL) to go to",
        )


def _once(checked: Checked, k: A.Kernel, facts: KernelFacts, parallel: Sequence[A.ForAll]) -> None:
    kind = "unique list" if facts.worklist.unique else facts.worklist.kind
    owners = Owners(checked)
    named = [s for s in walk(k) if isinstance(s, A.Respawn | A.Retry)]
    for s in named:
        if owners.owner(s.item) != 1:
            fail(
                f"another iteration may be running this item: a {kind} gets back only an iteration's own",
                s.item,
                f"write WL list<...>{' without unique' * facts.worklist.unique}",
            )
    if not checked.lowered and any(max(_most(loop.body)) > 1 for loop in parallel):
        fail(
            f"an iteration may bring its item back twice: a {kind} gets it back once",
            named[-1],
            "set a variable, and Respawn once at the end of the iteration",
        )


def _refuse_looks(stmts: Sequence[A.Node], can: str) -> None:
    """How much of WL waits, or what, differs from round to round, and what the rounds are from plan to plan."""
    inside = [n for s in stmts for n in walk(s)]
    allowed = {n.object for n in inside if isinstance(n, A.MethodCall | A.Member) and n.name in _STEADY}
    for n in inside:
        if isinstance(n, A.Name) and n.id == "WL" and n not in allowed:
            fail(
                f"{can} what else is in WL",
                n,
                "ask before the ForAll, and keep it in a variable",
            )


def runs_over_wl(k: A.Kernel) -> bool:
    """Has the kernel a ForAll over its worklist?"""
    return any(isinstance(n, A.ForAll) and over_wl(n) for n in walk(k))


def over_wl(loop: A.ForAll) -> bool:
    """Does a ForAll run over its kernel's worklist?"""
    e = loop.iterator
    of = e.object if isinstance(e, A.Member) and e.name == "items" else e
    return isinstance(of, A.Name) and of.id == "WL"


def _most(stmts: Sequence[A.Node]) -> tuple[int, int]:
    """How often items come back on the worst way through statements: one that goes on behind them, one that ends."""
    through, ended = 0, _NEVER
    for s in stmts:
        on, end = _one(s)
        ended = max(ended, through + end)
        through += on
    return through, ended


def _one(s: A.Node) -> tuple[int, int]:
    match s:
        case A.Respawn():
            return 1, _NEVER
        case A.Retry():
            return _NEVER, 1
        case A.Continue():
            return _NEVER, 0
        case A.If() | A.Atomic() | A.Exclusive():
            first, second = _most(s.body), _most(s.orelse)
            return max(first[0], second[0]), max(first[1], second[1])
        case A.Labeled():
            return _one(s.body)
        case A.Block():
            return _most(s.body)
        case A.While() | A.DoWhile() | A.For() | A.CFor() | A.ForAll():
            named = [n for n in walk(s) if isinstance(n, A.Respawn | A.Retry)]
            often = isinstance(s, A.ForAll) or any(isinstance(n, A.Respawn) for n in named)
            return (0, _NEVER) if not named else (_MANY, _MANY) if often else (0, 1)
        case _:
            return 0, _NEVER
