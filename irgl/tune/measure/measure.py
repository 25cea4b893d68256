"""Measures variants of one program: in turn, round by round, beside a fixed reference; every answer is checked.

A batch is built first and measured then, so that no compiler runs beside a measurement. In each round the reference
variant (the plan `none`) runs, then every variant that is still in it. So what slows the machine down for a while slows
all of them, and the ratio of a variant's median to the reference's of the same rounds says how good it is.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irgl.plan import Plan
from irgl.rt.call.run import Options
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.results.rounds import Rounds
from irgl.rt.system.own_place import temporary
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.builds import Builds, Built
from irgl.tune.measure.protocol import COMPARED, UNCHECKED, VERIFIED, Look, Ran, Run, Seen, one_answer
from irgl.tune.measure.remote import Remote
from irgl.tune.results.objective import can_still_win
from irgl.tune.results.statistic import ratio
from irgl.tune.results.trial import FORMAT_MS, RUNS, SPREAD_OVER, Status, Trial

#: How far the reference may move before a round counts as disturbed, and the machine as another one.
DRIFT = 0.05
#: The least noise to reckon with, as a ratio.
_NOISE = 0.02
#: A turn repeats what is shorter until it has taken so long, at most so often.
TURN_MS, _MOST_REPEATS = 20.0, 20
#: What is longer needs no run before it that warms the memory up.
_WARM_MS = 200.0
#: How often the reference runs before the first comparison of a batch, unless a run takes as long as this.
_FIRST_TURNS, _LONG_MS = 3, 1000.0
#: A run may take so many times what the best took, before it is stopped.
_HOPELESS = 2.0
#: No run is stopped earlier, in seconds: what is this short is better measured.
_LEAST_LIMIT = 0.1
#: A run may take so many times what the reference took (at least so many seconds) where no best is known.
_LIMIT, _LIMIT_SECONDS = 10.0, 10.0
#: Rounds that may be added where some were disturbed.
_MORE_ROUNDS = 2
#: Rounds that are measured even after the deadline, where the number of rounds is the caller's: less tells nothing.
_LEAST_ROUNDS = 3

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class How:
    """How to measure. threads None: all cores. rounds: of a batch. runs: over how many runs of the program the building
    of a plan's forms is spread."""

    target: str = "cpu"
    threads: int | None = None
    seed: int = 0
    worklist_capacity: int = 0
    rounds: int = 5
    runs: int = RUNS


@dataclass(frozen=True, slots=True)
class Asked:
    """A plan to measure, and who proposed it. best: the ratio to the reference's time that it has to beat."""

    plan: Plan
    by: str
    best: float | None = None


@dataclass(slots=True)
class Reference:
    """The plan `none` on an input: what that is, its unit, the file of its answer, how long running it takes, what was
    counted, and its times when the session began."""

    seen: Seen
    manifest: Manifest
    answer: str
    wall_ms: float
    stats: dict[str, float]
    times: tuple[float, ...] = ()


@dataclass(slots=True)
class _Going:
    """A variant in a batch; times by round."""

    asked: Asked
    built: Built
    times: dict[int, float] = field(default_factory=dict)
    ended: Status | None = None
    why: str = ""
    stats: dict[str, float] = field(default_factory=dict)


class Measurer:
    """Measures the plans of one program on its inputs. To be closed, which ends its worker.

    note: told what a user should know. deadline: when rounds are no longer added (time.monotonic).
    """

    def __init__(self, builds: Builds, how: How, note: Note = lambda _: None) -> None:
        self.builds, self.how, self.note = builds, how, note
        self.none = Plan.none(how.target)
        self.deadline = float("inf")
        self.drift = 0.0
        self._remote = Remote()
        self._folder = temporary("irgl-tune-")
        self._references: dict[str, Reference] = {}

    def close(self) -> None:
        self._remote.stop()
        self._folder.cleanup()

    def __enter__(self) -> Measurer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def look(self, given: Input) -> Seen:
        """What an input is. Raises IrglError where the program can't take it."""
        return self._remote.look(Look(given, self.builds.manifest(Plan(target=self.how.target))))

    def reference(self, given: Input, seen: Seen) -> Trial:
        """Builds, runs and verifies the reference variant on an input: the first thing to be done with it."""
        text = str(self.none)
        built = self.builds.build([self.none], [seen.bits])[text]
        if built.mistake is not None:
            raise built.mistake
        if built.manifest is None:
            return Trial(text, given.name, Status.COMPILE_ERROR, why=built.error, by="reference")
        answer = str(Path(self._folder.name) / f"answer-{len(self._references)}")
        # The first one warms everything up and is verified; how long the others are repeated depends on its time.
        first = self._run(given, built.manifest, self.none, check=UNCHECKED if seen.judge else VERIFIED, keep=answer,
                          limit=None)
        if first.error is not None:
            raise first.error
        if first.status is not Status.OK:
            return Trial(text, given.name, first.status, build_ms=built.ms, why=first.why, by="reference")
        reference = Reference(seen, built.manifest, answer, statistics.median(first.times), _numbers(first.stats))
        times = self._times_of_reference(given, reference, first)
        self._references[given.name] = reference
        reference.times = times
        return Trial(text, given.name, Status.OK, times, times, built.ms, "", "reference", reference.stats)

    def build(self, plans: Sequence[Plan], tell: Callable[[float], None] = lambda _: None) -> dict[str, Built]:
        """Builds plans for all inputs that have a reference."""
        return self.builds.build(plans, sorted({r.seen.bits for r in self._references.values()}), tell)

    def batch(self, asked: Sequence[Asked], given: Input, *, rivals: bool, rounds: int | None = None,
              tell: Callable[[float], None] = lambda _: None) -> list[Trial]:
        """Measures plans on one input. rivals: what another of the batch has beaten here can no longer win."""
        least, rounds = (1, self.how.rounds) if rounds is None else (_LEAST_ROUNDS, rounds)
        built = self.build([a.plan for a in asked])
        reference = self._references[given.name]
        going = [_Going(a, built[str(a.plan)]) for a in asked]
        for g in going:
            if g.built.manifest is None:
                g.ended, g.why = Status.COMPILE_ERROR, g.built.error
        references: list[float] = []
        while self._go_on(going, references, least, rounds):
            done = len(references)
            references.append(self._turn_of_reference(given, reference) if done else self._first_turn(given, reference))
            live = [g for g in going if g.ended is None]
            turn = done % len(live)
            for k, g in enumerate(live[turn:] + live[:turn]):
                self._turn(g, given, reference, done, statistics.median(references))
                tell(min(1.0, (done + (k + 1) / len(live)) / rounds))
            if 1 < len(references) < rounds:
                self._cut(going, reference, references, rivals)
        self._look_at_drift(given, reference, references)
        made = [self._trial(g, given, references) for g in going]
        # What the deadline kept from running has no result.
        return [t for t in made if t.times or t.status not in (Status.OK, Status.CUT)]

    def verified(self, plan: Plan, given: Input) -> Ran:
        """A run whose answer is verified in full: what a plan must pass before it may win."""
        reference = self._references[given.name]
        built = self.build([plan])[str(plan)]
        if built.manifest is None:
            return Ran(Status.COMPILE_ERROR, why=built.error)
        return self._run(given, built.manifest, plan, check=VERIFIED, answer=reference.answer,
                         limit=self._limit(reference, None))

    def rounds(self, plan: Plan, given: Input) -> Rounds | None:
        """What a plan that is known to be right does in each round; None where nobody can tell."""
        if self.how.target == "cuda":
            return None
        limit = self._limit(self._references[given.name], None)
        return self._run(given, self.builds.noting(plan), plan, limit=limit).rounds

    def _times_of_reference(self, given: Input, reference: Reference, first: Ran) -> tuple[float, ...]:
        reference.times = first.times
        reference.times = (self._turn_of_reference(given, reference),)  # the first one was cold: it says too much
        return tuple(self._turn_of_reference(given, reference) for _ in range(self.how.rounds))

    def _first_turn(self, given: Input, reference: Reference) -> float:
        """The reference's time in a batch's first round, after which all may be over: the median of several turns.

        It is the first to run since compilers had all cores, and the caches.
        """
        turns = _FIRST_TURNS if statistics.median(reference.times) < _LONG_MS else 1
        return statistics.median(self._turn_of_reference(given, reference) for _ in range(turns))

    def _go_on(self, going: Sequence[_Going], references: Sequence[float], least: int, rounds: int) -> bool:
        if all(g.ended is not None for g in going) or len(references) >= rounds + _MORE_ROUNDS:
            return False
        if len(references) >= least and time.monotonic() > self.deadline:
            return False
        return len(_quiet(references)) < rounds

    def _turn_of_reference(self, given: Input, reference: Reference) -> float:
        expected = statistics.median(reference.times)
        ran = self._run(given, reference.manifest, self.none, expected=expected, limit=self._limit(reference, None))
        assert ran.status is Status.OK, f"the reference ran before, and now: {ran.status}: {ran.why}"
        return _one(ran.times)

    def _turn(self, g: _Going, given: Input, reference: Reference, number: int, now: float) -> None:
        assert g.built.manifest is not None
        best = g.asked.best
        limit = self._limit(reference, None if best is None else best * now)
        expected = statistics.median(g.times.values()) if g.times else now
        # Where several answers are right, each is verified in full, and that is done once.
        check = COMPARED if one_answer(reference.manifest) or not g.times else UNCHECKED
        ran = self._run(given, g.built.manifest, g.asked.plan, check=check, answer=reference.answer, expected=expected,
                        limit=limit)
        if ran.status is Status.TIME_OUT and best is not None:
            g.times[number], g.ended = limit * 1e3, Status.CUT
        elif ran.status is not Status.OK:
            g.ended, g.why = ran.status, ran.why
        else:
            g.times[number] = _one(ran.times) + ran.format_ms / self.how.runs
            g.stats = {**_numbers(ran.stats), "prepare_ms": ran.prepare_ms}
            if ran.format_ms:
                g.stats |= {FORMAT_MS: ran.format_ms, SPREAD_OVER: float(self.how.runs)}

    def _cut(self, going: Sequence[_Going], reference: Reference, references: Sequence[float], rivals: bool) -> None:
        """Takes out what can no longer win: against the best known, and against the best of this batch."""
        now = statistics.median(references)
        live = [g for g in going if g.ended is None]
        least = min((statistics.median(g.times.values()) for g in live), default=math.inf) if rivals else math.inf
        noise = max(_NOISE, _spread(references), _spread(reference.times))
        for g in live:
            to_beat = min(least, math.inf if g.asked.best is None else g.asked.best * now)
            if not can_still_win(list(g.times.values()), to_beat, noise):
                g.ended = Status.CUT

    def _look_at_drift(self, given: Input, reference: Reference, references: Sequence[float]) -> None:
        if not references:
            return
        moved = ratio(references, reference.times) - 1
        said, self.drift = self.drift, max(self.drift, abs(moved))
        if abs(moved) > DRIFT > said:  # once is enough
            way = "slower" if moved > 0 else "faster"
            self.note(f"the machine is {abs(moved):.0%} {way} than when {given.name} was first run: "
                      "variants are held against the reference beside them")

    def _trial(self, g: _Going, given: Input, references: Sequence[float]) -> Trial:
        kept = [k for k in _quiet(references) if k in g.times]
        if 2 * len(kept) <= len(g.times):
            kept = list(g.times)  # it was never quiet
        times = tuple(g.times[k] for k in kept)
        beside = tuple(references[k] for k in kept)
        status = g.ended if g.ended is not None else Status.OK if times else Status.CUT
        return Trial(str(g.asked.plan), given.name, status, times, beside, g.built.ms, g.why, g.asked.by, g.stats)

    def _limit(self, reference: Reference, ms: float | None) -> float:
        """Seconds that one repetition may take, where `ms` are to be beaten, or None."""
        if ms is not None:
            return max(_LEAST_LIMIT, _HOPELESS * ms * 1e-3)
        return max(_LIMIT_SECONDS, _LIMIT * reference.wall_ms * 1e-3)

    def _run(self, given: Input, manifest: Manifest, plan: Plan, *, limit: float | None, check: str = UNCHECKED,
             answer: str = "", keep: str = "", expected: float = _WARM_MS) -> Ran:
        repeat = 1 if self.how.target == "simt" else _repeats(expected)
        options = Options(self.how.threads if self.how.target == "cpu" else None, repeat, self.how.worklist_capacity,
                          self.how.seed, None if limit is None else limit * repeat)
        return self._ask(Run(given, manifest, str(plan), self.how.target, options, check, answer, keep))

    def _ask(self, run: Run) -> Ran:
        return self._remote.run(run)


def _repeats(expected: float) -> int:
    """How often a turn runs what takes so many milliseconds: what is short more often, after one not counted."""
    if expected >= _WARM_MS:
        return 1
    return 1 + max(1, min(_MOST_REPEATS, round(TURN_MS / max(expected, 1e-3))))


def _one(times: Sequence[float]) -> float:
    """The time of a turn: the median without the first, which warms up."""
    return statistics.median(times[1:] if len(times) > 1 else times)


def _quiet(references: Sequence[float]) -> list[int]:
    """The rounds in which the reference took about as long as in most."""
    if not references:
        return []
    middle = statistics.median(references)
    return [k for k, t in enumerate(references) if abs(t - middle) <= DRIFT * middle]


def _spread(times: Sequence[float]) -> float:
    """How far a time lies from the median, typically, as a ratio."""
    middle = statistics.median(times)
    return statistics.median(abs(t - middle) for t in times) / middle if middle > 0 else 0.0


def _numbers(stats: dict[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in stats.items() if isinstance(value, int | float)}
