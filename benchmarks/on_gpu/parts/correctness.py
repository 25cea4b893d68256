"""Every program under the default and sampled plans, on graphs of each kind, judged by the programs' verifiers.

`first`: the default plans of all programs on small graphs, which says within a minute whether anything works.
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from irgl.forms.find import has_header, names
from irgl.options import OPTIONS, Option
from irgl.plan import Plan
from irgl.source import IrglError
from on_gpu.pool import Reply
from on_gpu.server import TOO_LONG
from on_gpu.suite import LIMIT, SCHEDULERS, Suite
from on_gpu.units import by_block

FIRST, PART = "first", "correctness"
FIRST_GRAPHS, FIRST_MESHES = ("rmat16", "lattice"), ("few points",)
#: What all plans run on, graphs of few rounds, from the smallest up; and what default plans run on besides.
GRAPHS, LARGE = ("rmat16", "lattice", "grid64", "rmat20"), ("NY", "grid")
MESHES = ("points14",)
DEFAULT = ("default",)
SAMPLED = 30
SEED = 2016
#: A run that took more than LIMIT gets so many seconds at the end, alone.
AGAIN = 3 * LIMIT


def sampled_plans(program: str, count: int) -> list[str]:
    """`count` different plans over all options of the code, the same for the same program.

    What a run alone is given, how nodes lie in memory, changes no code: other tests try it.
    """
    stream = random.Random(f"{SEED} {program}")
    forms = [name for name in names() if has_header(name, "cuh")]
    found: dict[str, None] = {}
    while len(found) < count:
        chosen = {"format": stream.choice(("csr", *forms)), "np": stream.choice(SCHEDULERS),
                  "direction": stream.choice(("written", "pull", "hybrid"))}
        text = " ".join(f"{o.name}={chosen.get(o.name) or stream.choice(_values(o))}" for o in _options(chosen))
        with contextlib.suppress(IrglError):  # values that exclude each other
            Plan.parse(text, "cuda")
            found[text] = None
    return list(found)


def _options(chosen: Mapping[str, str]) -> list[Option]:
    """What a plan with that form of edges and that scheduler has to say, they with it; of names nothing, which are a
    program's own."""
    taken = {("format", "csr"), *chosen.items()}
    return [o for o in OPTIONS["cuda"] if not (o.at_run or o.names) and (
        o.only_with is None or o.only_with[0] not in chosen
        or any((o.only_with[0], value) in taken for value in o.only_with[1]))]


def _values(option: Option) -> tuple[str, ...]:
    return option.words or option.tried


def groups(suite: Suite, program: str) -> list[list[str]]:
    """The sampled plans of a program, those of a block size together: they are built into one executable."""
    count = suite.given.sampled if suite.given.sampled is not None else 1 if suite.quick else SAMPLED
    return by_block(sampled_plans(program, count))


def prepare(suite: Suite, parts: Sequence[str]) -> None:
    """Begins to make the graphs and to build the plans of both parts, what is needed first first."""
    programs = suite.programs()
    meshed = {p for p in programs if suite.takes_mesh(p)}
    for part, meshes, graphs in ((FIRST, FIRST_MESHES, FIRST_GRAPHS), (PART, MESHES, sum(_graphs(suite), ()))):
        if part in parts:
            for name in (*(meshes if meshed else ()), *(graphs if meshed != {*programs} else ())):
                suite.start_graph(name)
    for program in sorted(programs, key=lambda p: p not in meshed):  # what is largest first
        suite.build(program, DEFAULT)
    if PART in parts:
        for program, plans in _in_turn(suite):
            suite.build(program, plans, program in meshed)


def first(suite: Suite) -> None:
    judge = Judge(suite, FIRST)
    runs = [judge.run(p, DEFAULT, FIRST_MESHES if suite.takes_mesh(p) else FIRST_GRAPHS) for p in suite.programs()]
    suite.wait(runs, FIRST, "programs")
    judge.again()


def run(suite: Suite) -> None:
    judge = Judge(suite, PART)
    graphs, large = _graphs(suite)
    meshed = {p for p in suite.programs() if suite.takes_mesh(p)}
    # A program's default first: an answer that equals one already judged is not judged again.
    before = {p: judge.run(p, DEFAULT, MESHES if p in meshed else graphs) for p in suite.programs()}
    jobs = [*before.values(), *(judge.run(p, DEFAULT, large) for p in suite.programs() if p not in meshed)]
    for program, plans in _in_turn(suite):
        jobs.append(judge.run(program, plans, MESHES if program in meshed else graphs, [before[program]],
                              program in meshed))
        if program in meshed:  # one after the other: they take the most memory
            before[program] = jobs[-1]
    suite.wait(jobs, PART, "groups of plans")
    judge.again()


def _in_turn(suite: Suite) -> list[tuple[str, list[str]]]:
    """All groups of sampled plans, the first of each program, then the second of each: none waits for all of another's.
    """
    found = [(at, p, plans) for p in suite.programs() for at, plans in enumerate(groups(suite, p))]
    return [(p, plans) for _, p, plans in sorted(found, key=lambda each: each[0])]


def _graphs(suite: Suite) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (GRAPHS[:2], LARGE[:1]) if suite.quick else (GRAPHS, LARGE)


@dataclass
class Judge:
    """What a part records of its runs. What took too long is kept for the end, when it runs alone."""

    suite: Suite
    part: str
    _late: list[tuple[str, Sequence[str], bool, Reply]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, program: str, plans: Sequence[str], names: Sequence[str], needed: Sequence[Future[str]] = (),
            fast: bool = False, **more: Any) -> Future[str]:
        # Lists of every second sampled plan begin with one item, so that they have to grow.
        capacity = {plan: at % 2 for at, plan in enumerate(plans)}

        def told(reply: Reply) -> None:
            self._told(program, plans, fast, capacity, reply, "limit" in more)

        suite = self.suite
        return suite.run(suite.workers, self.part, program, plans, suite.graphs_of(program, names, self.part), told,
                         needed, fast=fast, capacity=capacity, turns=suite.turns, verdicts=suite.verdicts, **more)

    def again(self) -> None:
        """What took too long, alone and with more time."""
        late, self._late = self._late, []
        for program, plans, fast, reply in late:
            if self.suite.left() < LIMIT:
                self._row(program, reply, 0, "too long", reply["error"])
                continue
            limit = min(AGAIN, self.suite.left())
            again = self.run(program, plans, [reply["graph"]], only=[reply["plan"]], fast=fast, limit=limit)
            self.suite.wait([again], self.part, "runs that took too long")

    def _told(self, program: str, plans: Sequence[str], fast: bool, capacity: dict[str, int], reply: Reply,
              last: bool) -> None:
        if reply.get("late"):
            self.suite.record.leave_out(self.part, f"runs of {program} on {reply['graph']}: {reply['late']}")
            return
        room = capacity.get(str(reply.get("plan")), 0)
        why = reply.get("error")
        if why is not None and why.startswith(TOO_LONG):
            if last:
                self._row(program, reply, room, "too long", why)
            else:
                with self._lock:
                    self._late.append((program, plans, fast, reply))
        elif why is not None:
            self._row(program, reply, room, "fails", why)
        elif reply.get("wrong") is not None:
            self._row(program, reply, room, "wrong", reply["wrong"])
        else:
            self._row(program, reply, room, "right", "")

    def _row(self, program: str, reply: Reply, capacity: int, verdict: str, why: str) -> None:
        row = {"program": program, "plan": reply.get("plan"), "graph": reply.get("graph"), "capacity": capacity,
               "verdict": verdict}
        self.suite.record.row(self.part, {**row, **({"why": why} if why else {}),
                                          **({"ms": reply["ms"][-1]} if "ms" in reply else {})})
