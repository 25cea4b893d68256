"""Priority queues as a plan has them: how nodes are filed, and how many buckets lie apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.options import BUCKETS
from irgl.passes.queues import relax_order, unrecorded
from irgl.passes.queues.lazily import file_lazily
from irgl.passes.queues.lazily.file_lazily import EAGER, LAZY, OPTION, SUMS
from irgl.passes.queues.relax_order import RELAXED
from irgl.plan import Plan

__all__ = ["BUCKETS", "EAGER", "LAZY", "OPTION", "RELAXED", "SUMS", "run", "run_on_gpus", "why_no_buckets", "why_not"]

#: What `buckets=auto` is, and at first of a queue whose nodes move by sums: these move often, and each lies where it is
#: until it comes near the front.
_MOST, _OF_SUMS = 1024, 4


def why_not(checked: Checked, kernel: A.Kernel, loop: A.ForAll, word: str) -> str | None:
    """Why nodes that an outermost ForAll of a kernel moves can't be filed as `word` says; None: they can."""
    by = checked.facts[kernel.name].worklist.by
    if word != RELAXED:
        return file_lazily.why_not(checked, kernel, loop, SUMS if word == SUMS else LAZY)
    none = file_lazily.why_not_filed(checked, kernel, loop)
    return relax_order.why_not(by) if none is None and by is not None else none


def why_no_buckets(checked: Checked) -> str | None:
    """Why a plan can't say how many buckets lie apart; None: it can."""
    ordered = any(f.worklist.by is not None for f in checked.facts.values())
    return None if ordered else "no kernel is on a priority queue"


def run(checked: Checked, plan: Plan) -> Checked:
    """The program with queues as the plan says, where that is legal; the same where it has none."""
    if why_no_buckets(checked) is not None:
        return checked
    sums = _by_sums(checked)
    checked = unrecorded.run(relax_order.run(file_lazily.run(checked, plan), plan, OPTION), plan)
    text = plan.text_of(BUCKETS)

    def apart(by: T.Priority) -> T.Priority:
        first = _OF_SUMS if text == "auto" and by.key() in sums else 0
        return replace(by, buckets=_MOST if text == "auto" else int(text), first=first)

    if all(f.worklist.by is None or f.worklist.by == apart(f.worklist.by) for f in checked.facts.values()):
        return checked
    decls = [_each(d, lambda t: _apart(t, apart)) for d in checked.program.decls]
    return check(A.Program(tuple(decls), span=checked.program.span), lowered=checked.lowered)


def run_on_gpus(checked: Checked, plan: Plan) -> Checked:
    """The program with queues as a GPU's plan says: how nodes are filed, and whether buckets may run together."""
    if why_no_buckets(checked) is not None:
        return checked
    filed = file_lazily.run(checked, plan)
    lazy, free = set[tuple[str, str]](), set[tuple[str, str]]()
    for k in checked.kernels.values():
        by = checked.facts[k.name].worklist.by
        if by is None:
            continue
        for place, loop in outer_loops(k):
            word = plan.text_of(OPTION, place)
            if file_lazily.said_of(checked, k, loop, plan, place) != EAGER:
                lazy.add(by.key())
            elif word == RELAXED and why_not(checked, k, loop, word) is None:
                free.add(by.key())

    def said(t: T.Type) -> T.Type:
        """A queue: of which kernels, and variables, all say the same."""
        if not isinstance(t, T.Worklist) or t.by is None:
            return t
        key = t.by.key()
        return replace(t, by=replace(t.by, lazy=key in lazy, free=t.by.free and key in free))

    if all(said(f.worklist) == f.worklist for f in filed.facts.values()):
        return filed
    return check(A.Program(tuple(_each(d, said) for d in filed.program.decls), span=filed.program.span),
                 lowered=checked.lowered)


def _each(part: A.Decl, change: Callable[[T.Type], T.Type]) -> A.Decl:
    """A kernel with another type of worklist, or the Program with other types of queues that are variables."""
    if isinstance(part, A.Entry):
        held = (replace(s, type=change(s.type)) if isinstance(s, A.VarDecl) else s for s in part.body)
        return replace(part, body=tuple(held))
    if isinstance(part, A.Kernel) and part.worklist is not None:
        return replace(part, worklist=change(part.worklist))
    return part


def _apart(t: T.Type, said: Callable[[T.Priority], T.Priority]) -> T.Type:
    return replace(t, by=said(t.by)) if isinstance(t, T.Worklist) and t.by is not None else t


def _by_sums(checked: Checked) -> set[tuple[str, str]]:
    """The queues whose nodes move by sums alone."""
    kernels = [(k, by.key()) for k in checked.kernels.values()
               if (by := checked.facts[k.name].worklist.by) is not None]
    return {key for _, key in kernels} - {key for k, key in kernels if not unrecorded.by_sums(k)}
