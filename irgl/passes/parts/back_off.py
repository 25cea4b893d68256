"""Retry backoff: items that failed together don't meet again at once.

What it does: an item is retried because another one held what it wants, and what stands near it in the list of retried
items wants the same more often than not. So the rounds of an invocation behind the first give neighbours of that list
to one thread, which runs them one after the other; with each round a thread gets more of them, and few items at the end
are left to one thread (Pai and Pingali, 4.4; cuda_rt/backoff.cuh).
When it applies: to kernels with a Retry, whose items come back in a list.
What it needs and keeps: nothing but which thread runs an item changes, and when.
"""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk

#: The word for it in a plan.
BACKOFF = "backoff"


def reasons(checked: Checked) -> dict[str, str | None]:
    """Of each kernel, as it was written: why its rounds can't back off; None: they can."""
    return {k.name: _why_not(checked, k) for k in checked.kernels.values()}


def _why_not(checked: Checked, kernel: A.Kernel) -> str | None:
    if not any(isinstance(n, A.Retry) for n in walk(kernel)):
        return "nothing in it is retried"
    kind = checked.facts[kernel.name].worklist.kind
    return None if kind == "list" else f"what is retried comes back in a {kind}, which has an order of its own"
