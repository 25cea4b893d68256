"""What the trials of one program say: which plan is best where, by how much, and how sure that is."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from irgl.plan import OPTIONS, Option
from irgl.tune.trial import Status, Trial

#: Resamples of the times from which a confidence interval is read.
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Variant:
    """A plan's generated code, and what of the plan holds where (irgl.rt.manifest says it)."""

    text: str
    applied: tuple[str, ...]
    not_applicable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tuned:
    """Everything that a report is made from. trials: in the order in which they were made.

    plain, default: the texts of these plans. space: how many legal plans there are, seconds: how long the search took;
    None where that isn't known. compiled: the code of a plan, None where the program can't be compiled any more.
    """

    program: str
    target: str
    machine: str
    threads: int
    trials: tuple[Trial, ...]
    plain: str
    default: str
    space: int | None = None
    seconds: float | None = None
    compiled: Callable[[str], Variant | None] = lambda _: None


def settings(plan: str) -> dict[str, str]:
    """A plan's text as option and value; words that are none count as nothing."""
    return dict(word.split("=", 1) for word in plan.split() if "=" in word)  # type: ignore[misc]


def mean(ratios: Iterable[float]) -> float | None:
    """The geometric mean; None of nothing."""
    found = list(ratios)
    return statistics.geometric_mean(found) if found else None


class Facts:
    """The trials of one program, asked in the ways of the report."""

    def __init__(self, tuned: Tuned) -> None:
        self.tuned = tuned
        self.trials = tuned.trials
        self.graphs = tuple(dict.fromkeys(t.input for t in self.trials))
        self.plans = tuple(dict.fromkeys(t.plan for t in self.trials))
        self.failed = [t for t in self.trials if t.status not in (Status.OK, Status.CUT)]
        self._last = {(t.plan, t.input): t for t in self.trials}
        self.options = {o.name: o for o in OPTIONS.get(tuned.target, ())}

    def trial(self, plan: str, graph: str) -> Trial | None:
        """What is known of a plan on a graph: the last trial."""
        return self._last.get((plan, graph))

    def ms(self, plan: str | None, graph: str) -> float:
        """Its median; infinite where there is none."""
        trial = self._last.get((plan or "", graph))
        return trial.median if trial is not None else math.inf

    def finished(self, plan: str, graph: str) -> bool:
        """Has it run to its end there, with the right answer?"""
        trial = self._last.get((plan, graph))
        return trial is not None and trial.status is Status.OK and math.isfinite(trial.median)

    @cached_property
    def fastest(self) -> dict[str, str]:
        """The best plan of each graph that has one."""
        found = {}
        for graph in self.graphs:
            able = [p for p in self.plans if self.finished(p, graph)]
            if able:
                found[graph] = min(able, key=lambda p: self.ms(p, graph))
        return found

    @cached_property
    def ranked(self) -> list[str]:
        """Plans from the best for all graphs to the worst: first those that finished on the most graphs."""
        able = [p for p in self.plans if any(self.finished(p, g) for g in self.graphs)]
        count = {p: sum(self.finished(p, g) for g in self.graphs) for p in able}
        return sorted(able, key=lambda p: (-count[p], self.lag(p) or math.inf))

    @property
    def best(self) -> str | None:
        """The one plan for all graphs."""
        return self.ranked[0] if self.ranked else None

    def lag(self, plan: str) -> float | None:
        """How many times as long as the best of each graph it takes; the mean over those where it finished."""
        return mean(self.ms(plan, g) / self.ms(best, g) for g, best in self.fastest.items() if self.finished(plan, g))

    def speedup(self, plan: str | None, over: str | None, graphs: Iterable[str] | None = None) -> float | None:
        """How many times as fast as another plan; the mean over the graphs on which both have times."""
        pairs = [(self.ms(plan, g), self.ms(over, g)) for g in (self.graphs if graphs is None else graphs)]
        return mean(o / p for p, o in pairs if math.isfinite(p) and math.isfinite(o))

    def interval(self, plan: str, over: str, graphs: Iterable[str] | None = None) -> tuple[float, float] | None:
        """The middle 95% of `speedup` over resampled times (the bootstrap); None where a plan was run once only."""
        pairs = []
        for graph in self.graphs if graphs is None else graphs:
            ours, theirs = self.trial(plan, graph), self.trial(over, graph)
            if ours is None or theirs is None or not math.isfinite(ours.median) or not math.isfinite(theirs.median):
                continue
            pairs.append((ours.times, theirs.times))
        if plan == over or not pairs or any(min(len(a), len(b)) < 2 for a, b in pairs):
            return None
        rng = random.Random(1)  # the same trials give the same page
        found = sorted(
            statistics.geometric_mean([_resampled(theirs, rng) / _resampled(ours, rng) for ours, theirs in pairs])
            for _ in range(_RESAMPLES)
        )
        return found[_RESAMPLES * 25 // 1000], found[_RESAMPLES * 975 // 1000]

    def drift(self) -> float | None:
        """By what part of itself the reference variant's time moved meanwhile: the largest, over all graphs."""
        moved = []
        for graph in self.graphs:
            medians = [statistics.median(t.reference) for t in self.trials if t.input == graph and t.reference]
            if len(medians) > 1:
                middle = statistics.median(medians)
                moved.append(max(abs(m / middle - 1) for m in medians))
        return max(moved, default=None)

    @cached_property
    def varied(self) -> list[tuple[str, list[str]]]:
        """The options that differ between the trials' plans, each with its values in order."""
        values: dict[str, set[str]] = {}
        for plan in self.plans:
            for key, value in settings(plan).items():
                values.setdefault(key, set()).add(value)
        for key in values:  # a plan says nothing of a place where it does as everywhere
            if "." in key and any(key not in settings(p) for p in self.plans):
                values[key].add("")
        order = [*self.options, *sorted(k for k in values if k not in self.options)]
        return [(k, sorted(values[k], key=lambda v: rank(self.options.get(k.rpartition(".")[2]), v)))
                for k in order if len(values.get(k, ())) > 1]  # fmt: skip

    def meaning(self, key: str) -> str:
        """What an option is for."""
        option = self.options.get(key.rpartition(".")[2])
        return option.meaning if option is not None else ""

    def changes(self, plan: str, since: str) -> list[str]:
        """The words of a plan that another does not say."""
        old = settings(since)
        return [f"{k}={v}" for k, v in settings(plan).items() if old.get(k) != v]


def rank(option: Option | None, value: str) -> tuple[int, float, str]:
    """Sorts an option's values as the option lists them: words in its order, numbers by size, off first."""
    if option is not None and value in option.words:
        return (1, option.words.index(value), "")
    if value.isdigit():
        return (2, int(value), "")
    return (0 if value in ("", "off") else 3, value.count("+"), value)


def _resampled(times: tuple[float, ...], rng: random.Random) -> float:
    return statistics.median(rng.choices(times, k=len(times)))
