"""The end of a search: its best plans are measured once more, side by side with the default, and the winner is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from irgl.passes.turn_direction import AS_WRITTEN
from irgl.plan import Plan
from irgl.rt.results.rounds import Rounds
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.measure import Asked, Measurer
from irgl.tune.results.compare import speedup_interval, surely_faster, together
from irgl.tune.results.statistic import geometric_mean, median_interval
from irgl.tune.results.trial import FINAL, FINAL_DEFAULT, Status, Trial
from irgl.tune.session.group import Group
from irgl.tune.session.task import Found

#: How many of the best plans are measured again, and in how many rounds.
_CONTENDERS, _ROUNDS = 3, 11
#: Rounds of the best plan that are kept for the report.
_SHOWN = 100


def measure_again(group: Group, measurer: Measurer, default: Callable[[Input], Plan],
                  keep: Callable[[Sequence[Trial]], None], tell: Callable[[str, float], None]) -> list[str]:
    """Measures the best plans and, on each input, the default, as long as the measurer's deadline allows.

    The plans that it leaves to choose from: those that are faster than the reference by more than luck, and it, and the
    default.
    """
    best = group.ranked()[:_CONTENDERS]
    defaults = {given.name: str(default(given)) for given in group.inputs}
    chosen = dict.fromkeys([*best, *defaults.values(), str(measurer.none)])
    for given in group.inputs:
        mine = defaults[given.name]
        texts = dict.fromkeys([*best, mine])
        trials = group.table
        if measurer.how.target == "simt":  # a model says the same again
            wanted = [t for t in texts if given.name not in trials.get(t, {})]
        else:
            wanted = [t for t in texts if t != str(measurer.none)]
        asked = [Asked(Plan.parse(t, measurer.how.target), FINAL_DEFAULT if t == mine else FINAL) for t in wanted]
        if asked:
            doing = f"measuring the best {len(asked)} plans once more on {given.name}"
            keep(measurer.batch(asked, given, rivals=False, rounds=_ROUNDS, tell=partial(tell, doing)))
    shared = set(defaults.values())
    known = {str(measurer.none), *(shared if len(shared) == 1 else ())}
    return [p for p in chosen if p in known or surely_faster(group.table.get(p, {}).values())]


def look_at_rounds(group: Group, measurer: Measurer) -> None:
    """Runs the best plan once more on each input, where it has loops that may turn, to see when they do."""
    plan = Plan.parse(group.best, measurer.how.target)
    if any(option == "direction" and value != AS_WRITTEN for _, option, value in (
            ("", "direction", plan.text_of("direction")), *plan.scoped)):
        found = {given.name: measurer.rounds(plan, given) for given in group.inputs}
        group.rounds = {name: rounds for name, rounds in found.items() if rounds is not None}


def told(group: Group, plan: str, default: Callable[[Input], Plan], pareto: bool) -> Found:
    """What there is to tell of a group's best plan."""
    mine = {i.name: group.table[plan][i.name] for i in group.inputs}
    defaults = {i.name: _measured(group, str(default(i)), i) for i in group.inputs}
    per_input: dict[str, dict[str, Any]] = {}
    for given in group.inputs:
        trial, other = mine[given.name], defaults[given.name]
        per_input[given.name] = {
            "ms": trial.median, "interval": list(median_interval(trial.times)),
            "none_ms": trial.median / group.ratio(trial), "default_plan": str(default(given)),
            "default_ms": None if other is None else other.median,
            "default_ratio": None if other is None else group.ratio(other)}
        if given.name in group.rounds:
            per_input[given.name]["rounds"] = _kept(group.rounds[given.name])
    over_default, interval = None, None
    if all(t is not None for t in defaults.values()):
        known = {name: t for name, t in defaults.items() if t is not None}
        over_default = geometric_mean([group.ratio(t) / group.ratio(mine[n]) for n, t in known.items()])
        interval = together(speedup_interval(mine[n], t) for n, t in known.items())
    return Found(group.name, tuple(i.name for i in group.inputs), plan, 1 / group.value(plan),
                 together(speedup_interval(t, None) for t in mine.values()), over_default, interval, per_input,
                 group.pareto() if pareto else (), _figures(mine.values()))


def _kept(rounds: Rounds) -> list[dict[str, Any]]:
    """The first rounds, as many as anybody looks at."""
    return [r.as_json() for r in rounds.kept[:_SHOWN]]


def _figures(mine: Iterable[Trial]) -> str:
    """Which kind of measurement a plan's figures are of."""
    return "final" if all(t.by in (FINAL, FINAL_DEFAULT) for t in mine) else "search"


def _measured(group: Group, plan: str, given: Input) -> Trial | None:
    trial = group.table.get(plan, {}).get(given.name)
    return trial if trial is not None and trial.times and trial.status is Status.OK else None
