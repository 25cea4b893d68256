"""Inputs that are to get one plan: what is known of every plan on them, and which is the best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from irgl.plan import Plan
from irgl.rt.results.rounds import Rounds
from irgl.tune.inputs.inputs import Input
from irgl.tune.results.objective import front
from irgl.tune.results.statistic import geometric_mean, ratio
from irgl.tune.results.trial import Status, Trial
from irgl.tune.search.portfolio import Portfolio

#: A plan may be so much faster than any known one on an input that it has not been measured on.
_HOPE = 0.5


class Group:
    """`table` has the last trial of each plan on each input, by their texts; who made it does not matter."""

    def __init__(self, name: str, inputs: Sequence[Input], search: Portfolio, references: Sequence[Trial]) -> None:
        self.name, self.inputs, self.search = name, list(inputs), search
        self.table: dict[str, dict[str, Trial]] = {}
        self.reference = {t.input: t.times for t in references}
        #: The best plan whose answer was verified in full: the reference, until another one is better.
        self.best = references[0].plan
        #: By input, what it does in each round, where that was looked at.
        self.rounds: dict[str, Rounds] = {}
        self._told: set[str] = set()
        self.add(references)

    def add(self, trials: Iterable[Trial]) -> None:
        for trial in trials:
            self.table.setdefault(trial.plan, {})[trial.input] = trial

    def ratio(self, trial: Trial) -> float:
        """The time over the reference's beside it; infinite where there is none."""
        if not trial.times or trial.status not in (Status.OK, Status.CUT):
            return math.inf
        return ratio(trial.times, trial.reference if trial.reference else self.reference[trial.input])

    def decided(self, plan: Plan) -> bool:
        """Is there nothing more to measure of it? One input on which it fails, or can't win, says all."""
        trials = self.table.get(str(plan), {})
        return len(trials) == len(self.inputs) or any(t.status is not Status.OK for t in trials.values())

    def status(self, plan: str) -> Status:
        """The worst of its trials'."""
        trials = self.table[plan].values()
        bad = [t.status for t in trials if t.status not in (Status.OK, Status.CUT)]
        cut = any(t.status is Status.CUT for t in trials)
        return bad[0] if bad else Status.CUT if cut else Status.OK

    def value(self, plan: str) -> float:
        """The geometric mean of its ratios; what it was not measured on counts as the mean of the others."""
        return geometric_mean([self.ratio(t) for t in self.table[plan].values()])

    def tell(self, plan: Plan) -> None:
        """Tells the search of a decided plan, once."""
        text = str(plan)
        if text in self._told:
            return
        self._told.add(text)
        value = self.value(text)
        self.search.tell(plan, value if math.isfinite(value) else None, self.status(text))

    def to_beat(self, plan: Plan, given: Input) -> float:
        """The ratio on an input above which a plan can't win any more, by what is known of it on the others."""
        known = self.table.get(str(plan), {})
        logs = len(self.inputs) * math.log(self.value(self.best))
        for other in self.inputs:
            if other is not given:
                trial = known.get(other.name)
                logs -= math.log(self.ratio(trial) if trial is not None else _HOPE * self._least(other.name))
        return math.exp(logs)

    def ranked(self) -> list[str]:
        """The plans that were measured whole on all inputs, the best first."""
        whole = [p for p, trials in self.table.items()
                 if len(trials) == len(self.inputs) and self.status(p) is Status.OK]
        return sorted(whole, key=self.value)

    def pareto(self) -> tuple[str, ...]:
        """The plans that no other one beats on all inputs."""
        plans = self.ranked()
        values = [tuple(self.ratio(self.table[p][i.name]) for i in self.inputs) for p in plans]
        return tuple(plans[k] for k in front(values))

    def _least(self, name: str) -> float:
        return min((self.ratio(t[name]) for t in self.table.values() if name in t), default=1.0)

