"""Every program under the default and sampled plans, on graphs of each kind, judged by the programs' verifiers."""

from __future__ import annotations

import contextlib
import random
from typing import Any

from gpu_pool import Reply
from gpu_suite import SCHEDULERS, Suite

from irgl.plan import OPTIONS, Option, Plan
from irgl.source import IrglError

PART = "correctness"
GRAPHS = ("rmat16", "NY", "grid", "rmat20")
MESHES = ("points14",)
SAMPLED = 30
CHUNK = 5
SEED = 2016


def sampled_plans(program: str, count: int) -> list[str]:
    """`count` different plans over all options, the same for the same program."""
    stream = random.Random(f"{SEED} {program}")
    found: dict[str, None] = {}
    while len(found) < count:
        text = " ".join(f"{o.name}={stream.choice(_values(o))}" for o in OPTIONS["cuda"])
        with contextlib.suppress(IrglError):  # values that exclude each other
            Plan.parse(text, "cuda")
            found[text] = None
    return list(found)


def _values(option: Option) -> tuple[str, ...]:
    return SCHEDULERS if option.joined else option.words or option.tried


def run(suite: Suite) -> None:
    names = GRAPHS[:2] if suite.quick else GRAPHS
    graphs: dict[str, dict[str, Any]] = {n: g for n in names if (g := suite.graph(n, PART)) is not None}
    programs = suite.programs()
    on_meshes = {p for p in programs if suite.takes_mesh(p)}
    meshes = {n: g for n in MESHES if on_meshes and (g := suite.graph(n, PART)) is not None}
    count = suite.given.sampled if suite.given.sampled is not None else 1 if suite.quick else SAMPLED
    plans = {program: ["default", *sampled_plans(program, count)] for program in programs}
    # The default of all programs first, then a few plans of each: what the time cuts off, it cuts off of all alike.
    chunks = [(p, [plans[p][0]], 0) for p in plans]
    for at in range(1, count + 1, CHUNK):
        # Every second chunk begins with lists of one item, which have to grow.
        chunks += [(p, plans[p][at:at + CHUNK], at // CHUNK % 2) for p in plans]
    jobs = []
    for program, some, capacity in chunks:
        request = suite.request(program, some, meshes if program in on_meshes else graphs, verify=True,
                                capacity=capacity)
        jobs.append(suite.workers.submit(request, suite.deadline + 5,
                                         lambda r, p=program, c=capacity: _told(suite, p, c, r)))
    suite.wait(jobs, PART, "groups of plans")


def _told(suite: Suite, program: str, capacity: int, reply: Reply) -> None:
    if reply.get("late"):
        suite.record.leave_out(PART, "runs after the part's time")
        return
    row = {"program": program, "plan": reply.get("plan"), "graph": reply.get("graph"), "capacity": capacity}
    if "error" in reply:
        suite.record.row(PART, {**row, "verdict": "fails", "why": reply["error"]})
    elif reply.get("wrong") is not None:
        suite.record.row(PART, {**row, "verdict": "wrong", "why": reply["wrong"]})
    else:
        suite.record.row(PART, {**row, "verdict": "right", "ms": reply["ms"][-1]})
