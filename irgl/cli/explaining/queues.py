"""What `irglc explain` tells of priority queues: how their nodes may be filed, and why not otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict

from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import walk
from irgl.passes.queues.as_planned import EAGER, LAZY, OPTION, RELAXED, SUMS, why_not
from irgl.passes.queues.lazily.lazy_sums import limit_of
from irgl.passes.queues.lazily.pulls import WAY, turn_of
from irgl.passes.queues.sums import found


class Queue(TypedDict):
    """A loop over the items of a queue: how its nodes may be filed, with what is told of it; and why not otherwise.

    pulls: "" where its rounds may pull, under priority=lazy; or why they may not.
    """

    place: str
    by: str
    record: bool
    legal: dict[str, str]
    refused: dict[str, str]
    pulls: str


def queues(checked: Checked) -> Iterator[Queue]:
    """By the loops over the items of queues, on CPUs. record: an array has what nodes last ran with. O(size of the
    program)."""
    for k in checked.kernels.values():
        by = checked.facts[k.name].worklist.by
        for place, loop in outer_loops(k) if by is not None else ():
            turn = turn_of(checked, k, loop)
            told = Queue(place=place, by=str(by), record=by is not None and by.ran != "", legal={EAGER: ""}, refused={},
                         pulls=turn if isinstance(turn, str) else "")
            for word in (LAZY, SUMS, RELAXED):
                if (reason := why_not(checked, k, loop, word)) is not None:
                    told["refused"][word] = reason
                else:
                    told["legal"][word] = _of_sums(k, loop) if word == SUMS else ""
            yield told


def queue_lines(found: Iterable[Queue]) -> Iterator[str]:
    """The same, as text."""
    for q in found:
        yield f"  {q['place']}  by {q['by']}, {'with a' if q['record'] else 'without a'} record of who ran"
        yield from (f"    {OPTION}={word}{f': {what}' if what else ''}" for word, what in q["legal"].items())
        yield from (f"    not {OPTION}={word}: {why}" for word, why in q["refused"].items())
        yield (f"    not {WAY}=pull: {q['pulls']}" if q["pulls"] else
               f"    {WAY}=pull, {WAY}=hybrid: with {OPTION}={LAZY}")


def _of_sums(k: A.Kernel, loop: A.ForAll) -> str:
    one = next(s for n in walk(loop) if (s := found(n)) is not None)
    return f"the constant sum is {dump(one.step)}, the limit {dump(_bare(limit_of(k, one.limit)))}"


def _bare(e: A.Expr) -> A.Expr:
    """A value without conversions of all of it."""
    return _bare(e.operand) if isinstance(e, A.Cast) else e
