"""What a plan says of a parallel loop of the CPU alone, as the runtime's knobs (cpu_rt/knobs.hpp)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irgl.analysis.names.paths import outer_loops
from irgl.ast import nodes as A
from irgl.plan import Plan

_LIMITS = {"grain": "chunk_work", "serial": "serial_work", "giant": "giant"}


@dataclass(frozen=True, slots=True)
class Knobs:
    """values: by member of the runtime, what it is during the loop. by_nodes: threads take equally many nodes."""

    values: Mapping[str, str]
    by_nodes: bool


def knobs(kernel: A.Kernel, plan: Plan) -> dict[A.ForAll, Knobs]:
    """The knobs of the outermost loops of a kernel of which the plan says something that isn't said to each run."""
    said = {(place, option): text for place, option, text in plan.scoped}
    found: dict[A.ForAll, Knobs] = {}
    for place, loop in outer_loops(kernel):
        values = {member: str(plan.number(option, said[place, option]))
                  for option, member in _LIMITS.items() if (place, option) in said}
        share, threads = plan.text_of("share", place), plan.text_of("threads", place)
        if threads != plan.plain("threads"):
            values["most_threads"] = threads
        if share == "even":
            values["evenly"] = "true"
        if values or share == "nodes":
            found[loop] = Knobs(values, share == "nodes")
    return found
