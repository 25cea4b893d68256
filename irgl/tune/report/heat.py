"""Tables whose cells are shaded by their number: the darker, the better."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irgl.tune.report.draw import ms, times
from irgl.tune.report.facts import Facts, mean
from irgl.tune.results.trial import Status

#: Shades from none to the darkest.
SHADES = 9
#: At so many times the best there is no shade left.
_PALE = 3.0
#: Plans that are shown beside the plain and the default one.
_ROWS = 14


@dataclass(frozen=True, slots=True)
class Cell:
    words: str
    shade: int | None


@dataclass(frozen=True, slots=True)
class HeatRow:
    label: str
    cells: tuple[Cell, ...]
    whole: Cell
    note: str = ""


@dataclass(frozen=True, slots=True)
class Heat:
    """whole: what the column before the others says, '' where there is none."""

    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    whole: str


def heat(rows: Iterable[tuple[str, Sequence[float | None]]], columns: Iterable[str]) -> Heat:
    """A table of speedups: each column's largest is the darkest."""
    found = list(rows)
    wholes = [mean(v for v in values if v) if all(values) else None for _, values in found]
    tops = [max((v for v in column if v), default=1.0) for column in zip(*(v for _, v in found), strict=True)]
    top = max((w for w in wholes if w), default=1.0)
    return Heat(tuple(columns), tuple(
        HeatRow(label, tuple(Cell(times(v), _shade(t / v) if v else None) for v, t in zip(values, tops, strict=True)),
                Cell(times(whole), _shade(top / whole) if whole else None))
        for (label, values), whole in zip(found, wholes, strict=True)
    ), "all graphs" if len(tops) > 1 else "")  # fmt: skip


def plans_by_graphs(facts: Facts) -> Heat:
    """Good plans, the plain and the default one: their time on each graph as a multiple of the best there."""
    rows = []
    for plan in chosen(facts):
        cells = []
        for graph in facts.graphs:
            trial, best = facts.trial(plan, graph), facts.fastest.get(graph)
            if trial is None or best is None or not math.isfinite(trial.median):
                cells.append(Cell("" if trial is None else str(trial.status), None))
            else:
                ratio = facts.ms(plan, graph) / facts.ms(best, graph)
                cut = trial.status is Status.CUT
                cells.append(Cell(f"≥\u2009{ratio:.2f}" if cut else f"{ratio:.2f}", None if cut else _shade(ratio)))
        rows.append(HeatRow(name(facts, plan), tuple(cells), _whole(facts, plan), note(facts, plan)))
    return Heat(facts.graphs, tuple(rows), "mean" if len(facts.graphs) > 1 else "time")


def _whole(facts: Facts, plan: str) -> Cell:
    """The mean over all graphs; of a single one the time."""
    if len(facts.graphs) == 1:
        return Cell(ms(facts.ms(plan, facts.graphs[0])), None)
    lag = facts.lag(plan)
    if lag is None or not all(facts.finished(plan, g) or plan == facts.tuned.plain for g in facts.fastest):
        return Cell("–", None)
    return Cell(f"{lag:.2f}", _shade(lag))


def chosen(facts: Facts) -> list[str]:
    """The plans worth a row: the best of all and of each graph, then the next best; plain and default last."""
    compared = (*dict.fromkeys(facts.default(g) for g in facts.graphs), facts.tuned.plain)

    def place(plan: str) -> tuple[int, float]:
        """By on how many graphs it has no time, then by its times."""
        return sum(math.isinf(facts.ms(plan, g)) for g in facts.fastest), facts.lag(plan, cut=True) or math.inf

    wanted = list(dict.fromkeys([*([facts.best] if facts.best is not None else []), *facts.chosen.values(),
                                 *facts.fastest.values()]))
    others = sorted((p for p in facts.ranked if p not in wanted and p not in compared), key=place)
    picked = [*wanted[:1], *sorted([*wanted[1:], *others[: max(0, _ROWS - len(wanted))]], key=place)]
    return [*(p for p in picked if p not in compared), *(p for p in dict.fromkeys(compared) if p in facts.plans)]


def name(facts: Facts, plan: str) -> str:
    """A plan by what it changes of the plain one."""
    if plan == facts.tuned.plain:
        return "plain"
    return " ".join(facts.changes(plan, facts.tuned.plain)) or "plain"


def note(facts: Facts, plan: str) -> str:
    """What it is the best of."""
    several = len(facts.graphs) > 1
    said = []
    if plan == facts.best:  # chosen by other figures than those of the search, which are shown
        said.append(f"{'best' if facts.ranked[:1] == [plan] else 'chosen'}{' for all' if several else ''}")
    of = [g for g in facts.graphs if facts.default(g) == plan]
    if of and plan != facts.tuned.plain:
        said.append("default" if len(of) == len(facts.graphs) else f"default on {', '.join(of)}")
    chosen_for = [g for g, p in facts.chosen.items() if p == plan != facts.best]
    if chosen_for:
        said.append(f"chosen for {', '.join(chosen_for)}")
    best_of = [g for g, p in facts.fastest.items() if p == plan]
    if several and best_of:
        said.append(f"fastest on {', '.join(best_of)}")
    elif best_of and plan != facts.best:
        said.append("fastest in the search")
    return "; ".join(said)


def _shade(ratio: float) -> int:
    """SHADES - 1 where it is the best, 0 from _PALE times that on."""
    part = 1 - min(1.0, math.log(max(1.0, ratio)) / math.log(_PALE))
    return round(part * (SHADES - 1))
