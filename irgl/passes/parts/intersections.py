"""How calls of `common` go through two rows: where a plan may say it (`intersect`), and what it says of each.

A call belongs to the innermost ForAll in whose body it stands. Calls in helpers, which many loops may share, in the
Program, and in kernels outside of loops go by what the plan says of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgl.analysis.names.members import is_common
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.options import OPTIONS
from irgl.passes.parts.spread import loops
from irgl.plan import Plan

OPTION = "intersect"
AUTO, HASH = "auto", "hash"


def calls_of(checked: Checked, loop: A.ForAll) -> list[A.Call]:
    """The calls of `common` that belong to a loop."""
    return [call for s in loop.body for call in _outside_loops(checked, s)]


def calls_elsewhere(checked: Checked) -> list[A.Call]:
    """Those that belong to no loop."""
    return [*_outside_loops(checked, checked.program)]


def _outside_loops(checked: Checked, node: A.Node) -> Iterator[A.Call]:
    if is_common(node, checked.functions):
        yield node
    for child in children(node):
        if isinstance(node, A.ForAll) and any(child is s for s in node.body):
            continue
        yield from _outside_loops(checked, child)


def why_not(checked: Checked, loop: A.ForAll, word: str, target: str) -> str | None:
    """Why the calls of a loop can't go through rows so; None: they can."""
    calls = calls_of(checked, loop)
    if not calls:
        return "no common(...) stands in this loop itself"
    if word != HASH:
        return None
    if target in ("cuda", "simt"):
        return "a GPU's threads are too many for a byte of every node each: they mark no rows"
    if any(isinstance(checked.types[call], T.Range) for call in calls):
        return "a For runs over common neighbours here, and marks are for counting them"
    return None


def why_not_elsewhere(checked: Checked, word: str) -> str | None:
    """The same of calls that belong to no loop."""
    if not calls_elsewhere(checked):
        return "each common(...) of the program stands in a loop" if _calls(checked) else \
            "the program has no common(...)"
    return "marks belong to a thread of a loop, which is not known in helpers and outside of loops" \
        if word == HASH else None


def _calls(checked: Checked) -> bool:
    return any(is_common(n, checked.functions) for n in walk(checked.program))


def words(target: str) -> tuple[str, ...]:
    """The ways that there are."""
    return next(o.words for o in OPTIONS[target] if o.name == OPTION)


def by_loop(checked: Checked, kernel: A.Kernel, plan: Plan) -> dict[A.ForAll, str]:
    """By each loop with such calls what the plan says of them; auto where they can't go so."""
    said = {loop: plan.text_of(OPTION, place) for place, loop, _ in loops(kernel) if calls_of(checked, loop)}
    return {loop: word if why_not(checked, loop, word, plan.target) is None else AUTO for loop, word in said.items()}


def by_call(checked: Checked, said: Mapping[A.ForAll, str]) -> dict[A.Call, str]:
    """What is said of loops, by each call."""
    return {call: word for loop, word in said.items() for call in calls_of(checked, loop)}


def elsewhere(checked: Checked, plan: Plan) -> str:
    """What the plan says of the calls that belong to no loop; auto where they can't go so."""
    word = plan.text_of(OPTION)
    return word if why_not_elsewhere(checked, word) is None else AUTO
