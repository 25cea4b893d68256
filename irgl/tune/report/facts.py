"""What the trials of one program say: which plan is best where, by how much, and how sure that is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from irgl.options import OPTIONS, Option
from irgl.tune.results.compare import speedup_interval, together
from irgl.tune.results.statistic import Interval, ratio
from irgl.tune.results.trial import FINAL, FINAL_DEFAULT, Status, Trial

#: A reference that is so many times off was disturbed itself, more than the variants beside it may have been.
_DISTURBED = 1.5


@dataclass(frozen=True, slots=True)
class Variant:
    """A plan's generated code, and what of the plan holds where (irgl.rt.manifests.manifest says it)."""

    text: str
    applied: tuple[str, ...]
    not_applicable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tuned:
    """Everything that a report is made from. trials: in the order in which they were made.

    plain, default: the texts of these plans; defaults: of graphs that have another one. won: by graph, the plan that
    the search chose, which need not be the fastest seen: its answer was verified in full. reproducers: of wrong
    answers, by plan and graph. space: how many legal plans there are, seconds: how long the search took; None where
    that isn't known. rounds: by graph, those of the plan that won, where it may turn loops round. given_by: the
    option that names an input. compiled: the code of a plan, None where the program can't be compiled under it any
    more.
    """

    program: str
    target: str
    machine: str
    threads: int
    trials: tuple[Trial, ...]
    plain: str
    default: str
    defaults: Mapping[str, str] = field(default_factory=dict)
    won: Mapping[str, str] = field(default_factory=dict)
    reproducers: Mapping[tuple[str, str], str] = field(default_factory=dict)
    space: int | None = None
    seconds: float | None = None
    rounds: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    given_by: str = "--graph"
    compiled: Callable[[str], Variant | None] = lambda _: None


def settings(plan: str) -> dict[str, str]:
    """A plan's text as option and value; words that are none count as nothing."""
    return dict(word.split("=", 1) for word in plan.split() if "=" in word)


def mean(ratios: Iterable[float]) -> float | None:
    """The geometric mean; None of nothing."""
    found = list(ratios)
    return statistics.geometric_mean(found) if found else None


class Facts:
    """The trials of one program, asked in the ways of the report."""

    def __init__(self, tuned: Tuned) -> None:
        self.tuned = tuned
        self.trials = _with_plain(tuned)
        self.graphs = tuple(dict.fromkeys(t.input for t in self.trials))
        self.plans = tuple(dict.fromkeys(t.plan for t in self.trials))
        self.failed = [t for t in self.trials if t.status not in (Status.OK, Status.CUT)]
        self._last = {(t.plan, t.input): t for t in self.trials}
        self._base = {
            g: statistics.median(statistics.median(t.reference) for t in self.trials if t.input == g and t.reference)
            for g in dict.fromkeys(t.input for t in self.trials if t.reference)
        }
        self.options = {o.name: o for o in OPTIONS.get(tuned.target, ())}

    @cached_property
    def searched(self) -> Facts:
        """What the search itself saw: every plan measured alike. A model says the same again, so that all is of it."""
        found = tuple(t for t in self.tuned.trials if t.by not in (FINAL, FINAL_DEFAULT))
        return Facts(replace(self.tuned, trials=found)) if found and self.tuned.target != "simt" else self

    @cached_property
    def final(self) -> Facts:
        """What was measured once more, side by side, at the search's end: all there is, where the best plan was not."""
        found = tuple(t for t in self.tuned.trials if t.by in (FINAL, FINAL_DEFAULT))
        again = {t.input for t in found if t.plan == self.best}
        if self.best is None or again != set(self.graphs) or self.tuned.target == "simt":
            return self
        return Facts(replace(self.tuned, trials=found))

    def trial(self, plan: str, graph: str) -> Trial | None:
        """What is known of a plan on a graph: the last trial."""
        return self._last.get((plan, graph))

    def ms(self, plan: str | None, graph: str) -> float:
        """Its median, made good for what the reference beside it drifted; infinite where there is none."""
        if plan == self.tuned.plain and graph in self._base:
            return self._base[graph]
        trial = self._last.get((plan or "", graph))
        return trial.median * self._steady(trial) if trial is not None else math.inf

    def default(self, graph: str) -> str:
        """The plan that a run on this graph gets by default."""
        return self.tuned.defaults.get(graph, self.tuned.default)

    def _steady(self, trial: Trial) -> float:
        if not trial.reference or trial.input not in self._base:
            return 1.0
        drift = self._base[trial.input] / max(statistics.median(trial.reference), 1e-9)
        return min(_DISTURBED, max(1 / _DISTURBED, drift))

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
    def chosen(self) -> dict[str, str]:
        """The plan of each graph where the search chose several, one for each class of graphs."""
        won = {g: p for g, p in self.tuned.won.items() if g in self.graphs and p in self.plans}
        return won if len(set(won.values())) > 1 else {}

    @cached_property
    def ranked(self) -> list[str]:
        """Plans from the best for all graphs to the worst: first those that finished on the most graphs."""
        able = [p for p in self.plans if any(self.finished(p, g) for g in self.graphs)]
        count = {p: sum(self.finished(p, g) for g in self.graphs) for p in able}
        return sorted(able, key=lambda p: (-count[p], self.lag(p) or math.inf))

    @property
    def best(self) -> str | None:
        """The one plan for all graphs."""
        won = set(self.tuned.won.values())
        if len(won) == 1 and set(self.tuned.won) == set(self.graphs) and won <= set(self.ranked):
            return won.pop()
        return self.ranked[0] if self.ranked else None

    def lag(self, plan: str, *, cut: bool = False) -> float | None:
        """How many times as long as the best of each graph it takes; the mean over those where it finished (or, with
        `cut`, has times)."""
        return mean(self.ms(plan, g) / self.ms(best, g) for g, best in self.fastest.items()
                    if self.finished(plan, g) or (cut and math.isfinite(self.ms(plan, g))))  # fmt: skip

    def speedup(self, plan: str | None, over: str | None, graphs: Iterable[str] | None = None) -> float | None:
        """How many times as fast as another plan (None: each graph's default); the mean where both have times."""
        pairs = [(self.ms(plan, g), self.ms(over or self.default(g), g)) for g in graphs or self.graphs]
        return mean(o / p for p, o in pairs if math.isfinite(p) and math.isfinite(o))

    def paired(self, plan: str | None, over: str | None, graphs: Iterable[str] | None = None) -> float | None:
        """The same from times that were measured in turn, where there are such: exact, however the machine drifted."""
        found = []
        for graph in graphs or self.graphs:
            fast, slow = self._pair(plan, over, graph)
            if fast is None or not math.isfinite(fast.median):
                continue
            if slow is None and fast.reference:
                found.append(ratio(fast.reference, fast.times))
            elif slow is not None and slow.reference == fast.reference and math.isfinite(slow.median):
                found.append(ratio(slow.times, fast.times))
            else:
                found += [one] if (one := self.speedup(plan, over, [graph])) is not None else []
        return mean(found)

    def _pair(self, plan: str | None, over: str | None, graph: str) -> tuple[Trial | None, Trial | None]:
        """The trials of two plans; no second one where the first is held against the reference beside it."""
        fast, slow = self.trial(plan or "", graph), self.trial(over or self.default(graph), graph)
        own = over == self.tuned.plain and fast is not None and fast.reference and fast.plan != over
        return fast, None if own else slow

    def interval(self, plan: str | None, over: str | None, graphs: Iterable[str] | None = None) -> Interval | None:
        """The 95% interval of `speedup`; None where a plan was run once only. A graph's None: its default plan."""
        found: list[tuple[Trial, Trial | None]] = []
        for graph in graphs or self.graphs:
            fast, slow = self._pair(plan, over, graph)
            if fast is not None and (slow is not None or (fast.reference and over == self.tuned.plain)):
                found.append((fast, slow))
        found = [(a, b) for a, b in found if math.isfinite(a.median) and (b is None or math.isfinite(b.median))]
        if not found or plan == over or any(len(t.times) < 2 for pair in found for t in pair if t is not None):
            return None
        return together(speedup_interval(fast, slow) for fast, slow in found)

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

    @cached_property
    def gains(self) -> dict[str, float]:
        """Every plan's speedup over the plain one, where both have times."""
        return {p: g for p in self.plans if (g := self.speedup(p, self.tuned.plain)) is not None}

    def of_value(self, key: str, value: str) -> list[float]:
        """The speedups of the plans with a value, from the least."""
        return sorted(g for p, g in self.gains.items() if settings(p).get(key, "") == value)

    def weight(self, key: str) -> float:
        """How much an option matters: by how many times the medians of its values differ."""
        medians = [statistics.median(found) for v in dict(self.varied)[key] if (found := self.of_value(key, v))]
        return max(medians) / min(medians) if medians else 1.0

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


def _with_plain(tuned: Tuned) -> tuple[Trial, ...]:
    """The trials, and the reference - the plain plan - as one where no trial of its own is there."""
    known = {t.input for t in tuned.trials if t.plan == tuned.plain}
    first = {t.input: t for t in reversed(tuned.trials) if t.reference and t.input not in known}
    order = dict.fromkeys(t.input for t in tuned.trials)
    made = (Trial(tuned.plain, g, Status.OK, first[g].reference, first[g].reference) for g in order if g in first)
    return (*made, *tuned.trials)
