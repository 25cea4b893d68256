"""What a plan says of a parallel loop of the CPU alone, as the runtime's knobs (cpu_rt/knobs.hpp)."""

from __future__ import annotations

from irgl.analysis.names.paths import outer_loops
from irgl.ast import nodes as A
from irgl.plan import Plan

_LIMITS = {"grain": "chunk_work", "serial": "serial_work", "giant": "giant"}


def knobs(kernel: A.Kernel, plan: Plan) -> dict[A.ForAll, dict[str, str]]:
    """Of the outermost loops of a kernel of which the plan says something that isn't said to each run: by member of
    the runtime, what it is during the loop."""
    said = {(place, option): text for place, option, text in plan.scoped}
    found: dict[A.ForAll, dict[str, str]] = {}
    for place, loop in outer_loops(kernel):
        values = {member: str(plan.number(option, said[place, option]))
                  for option, member in _LIMITS.items() if (place, option) in said}
        threads = plan.text_of("threads", place)
        if threads != plan.plain("threads"):
            values["most_threads"] = threads
        if plan.text_of("share", place) == "even":
            values["evenly"] = "true"
        if values:
            found[loop] = values
    return found


def by_nodes(kernel: A.Kernel, plan: Plan) -> set[A.ForAll]:
    """The outermost loops of which threads take equally many nodes, whatever their edges."""
    return {loop for place, loop in outer_loops(kernel) if plan.text_of("share", place) == "nodes"}
