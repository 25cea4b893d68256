"""What is expected of SparseWeaver's unit beside other schedulers, and whether rows of benchmarks/weaver.py have it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from weaver_graphs import POWER_LAWS
from weaver_rows import PROGRAMS_OF_IT, Row, bound

#: Schedules of a row, of those that ran.
Ran = dict[str, Row]


@dataclass(frozen=True, slots=True)
class Measured:
    """A ratio in one place, what the program and graph of it are called, and what the model says decides."""

    place: str
    ratio: float
    decides: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A ratio of two schedules that ought to be at most `limit` in each place (`mean`: at least, in the mean)."""

    text: str
    limit: float
    of: Callable[[Ran], float | None]
    strict: bool = False
    mean: bool = False

    def held(self, found: list[Measured]) -> list[Measured]:
        """Those of the places in which it holds; of a mean all or none."""
        if self.mean:
            return found if found and mean(found) >= self.limit else []
        return [m for m in found if m.ratio < self.limit or (m.ratio == self.limit and not self.strict)]


def mean(found: list[Measured]) -> float:
    """The geometric one."""
    return math.exp(math.fsum(math.log(m.ratio) for m in found) / len(found))


def ratio(ran: Ran, one: str, other: str, counter: str) -> float | None:
    """What one schedule counts over what another does, where both ran."""
    if one not in ran or other not in ran or not ran[other][counter]:
        return None
    return float(ran[one][counter] / ran[other][counter])


def beside_edges(ran: Ran, counter: str, of: str = "unit") -> float | None:
    """Beside edges as units: as the program is written or, where the compiler refuses that, over all nodes."""
    if "EM" in ran:
        return ratio(ran, of, "EM", counter)
    return ratio(ran, f"{of}, all nodes", "EM, all nodes", counter)


def _dense(ran: Ran) -> float | None:
    one = next(iter(ran.values()))
    return beside_edges(ran, "transactions") if one["arcs"] > 8 * one["nodes"] else None


def _faster(ran: Ran) -> float | None:
    one = next(iter(ran.values()))
    whole = one["program"] in {t.name for t in PROGRAMS_OF_IT} and one["graph"] not in POWER_LAWS
    return ratio(ran, "VM", "unit", "ms") if whole else None


EXPECTED = (
    Expectation("steps at memory, the unit over EM: at most 1.3", 1.3, lambda ran: beside_edges(ran, "warp_memory")),
    Expectation("steps of warps, the unit over CM: at most 0.5", 0.5,
                lambda ran: ratio(ran, "unit", "CM", "warp_steps")),
    Expectation("transactions, the unit over EM where m > 8 n: below 1", 1.0, _dense, strict=True),
    Expectation("steps of warps, software weaver over CM: at most 1", 1.0,
                lambda ran: ratio(ran, "weaver", "CM", "warp_steps")),
    Expectation("modelled time, VM over the unit: at least 2 in geometric mean", 2.0, _faster, mean=True))


def places(rows: list[Row]) -> Iterator[tuple[str, Ran]]:
    """The schedules that ran, of each program and graph."""
    for program, graph in dict.fromkeys((r["program"], r["graph"]) for r in rows):
        ran = {r["schedule"]: r for r in rows if (r["program"], r["graph"]) == (program, graph) and "refused" not in r}
        if ran:
            yield f"{program} on {graph}", ran


def measured(rows: list[Row], expected: Expectation) -> list[Measured]:
    """The ratio everywhere."""
    found = ((place, ran, expected.of(ran)) for place, ran in places(rows))
    return [Measured(place, r, bound(ran["unit"]) if "unit" in ran else "") for place, ran, r in found if r is not None]


def verdicts(rows: list[Row]) -> Iterator[str]:
    """A line for each expectation, and one for each place in which it does not hold."""
    for expected in EXPECTED:
        found = measured(rows, expected)
        if not found:
            yield f"- not counted: {expected.text}."
            continue
        held = expected.held(found)
        low, high = min(m.ratio for m in found), max(m.ratio for m in found)
        said = f"in the mean {mean(found):.2f}, " if expected.mean else f"in {len(held)} of {len(found)} places, "
        verdict = "held" if len(held) == len(found) else "NOT HELD"
        yield f"- {verdict}: {expected.text}; {said}from {low:.2f} to {high:.2f}."
        if expected.mean:
            below = [m for m in found if m.ratio < expected.limit]
            told = ", ".join(f"{m.place} {m.ratio:.2f} ({m.decides})" for m in below)
            if below:
                yield f"  Below {expected.limit:g}, with the part of the model that decides the unit's time: {told}."
        else:
            missed = [m for m in found if m not in held]
            if missed:
                yield f"  Not in {', '.join(f'{m.place} {m.ratio:.2f}' for m in missed)}."
