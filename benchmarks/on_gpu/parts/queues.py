"""Shortest paths by a priority queue, by `buckets=` and `priority=`, beside those by near and far piles of a program.

In kind the comparison of ADDS (Wang, Fussell and Lin, A fast work-efficient SSSP algorithm for GPUs, PPoPP 2021).
"""

from __future__ import annotations

from on_gpu.parts.compared import submit
from on_gpu.suite import Suite
from on_gpu.units import by_block

PART = "queues"
GRAPHS = ("NY", "rmat22", "grid")
BASE = "default"
#: By program, plans by short name.
PLANS = {
    "sssp_nf": {BASE: "default"},
    "sssp": {BASE: "default", "2": "buckets=2", "8": "buckets=8", "32": "buckets=32", "eager": "priority=eager",
             "lazy": "priority=lazy"},
}


def _plans(suite: Suite) -> dict[str, dict[str, str]]:
    """Those asked for, two of each in a quick session."""
    chosen = suite.given.programs.split(",") if suite.given.programs else PLANS
    return {p: dict(list(plans.items())[:2 if suite.quick else None]) for p, plans in PLANS.items() if p in chosen}


def prepare(suite: Suite) -> None:
    """Begins to build its plans behind the parts before it."""
    for program, plans in _plans(suite).items():
        for group in by_block(list(plans.values())):
            suite.build(program, group)


def run(suite: Suite) -> None:
    jobs = []
    for name in GRAPHS[:1] if suite.quick else GRAPHS:
        for program, plans in _plans(suite).items():
            jobs += submit(suite, PART, program, name, plans, PART, by_block(list(plans.values())))
    suite.wait(jobs, PART, "programs on graphs")
