"""What `irglc explain` tells of priority queues: how their nodes may be filed, and why not otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import walk
from irgl.passes.queues.as_planned import EAGER, LAZY, OPTION, RELAXED, SUMS, why_not
from irgl.passes.queues.lazy_sums import limit_of
from irgl.passes.queues.sums import found


def queue_lines(checked: Checked) -> Iterator[str]:
    """By the loops over the items of queues, on CPUs. O(size of the program)."""
    for k in checked.kernels.values():
        by = checked.facts[k.name].worklist.by
        for place, loop in outer_loops(k) if by is not None else ():
            yield f"  {place}  by {by}"
            if (none := why_not(checked, k, loop, LAZY)) is not None:
                yield f"    {OPTION}={EAGER} alone: {none}"
                continue
            for word in (EAGER, LAZY, SUMS, RELAXED):
                reason = why_not(checked, k, loop, word) if word != EAGER else None
                told = "" if reason is None else f": not here, {reason}"
                if word == SUMS and reason is None:
                    one = next(s for n in walk(loop) if (s := found(n)) is not None)
                    told = f": the constant sum is {dump(one.step)}, the limit {dump(_bare(limit_of(k, one.limit)))}"
                yield f"    {OPTION}={word}{told}"


def _bare(e: A.Expr) -> A.Expr:
    """A value without conversions of all of it."""
    return _bare(e.operand) if isinstance(e, A.Cast) else e
