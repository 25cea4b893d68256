"""Trials of a search that never ran: their times follow a formula, so that a report of them is known."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

from irgl.tune.report.facts import Tuned, Variant
from irgl.tune.results.trial import Status, Trial

#: What each value of an option does to the time; the first is the plain one.
EFFECTS: dict[str, dict[str, float]] = {
    "direction": {"written": 1.0, "pull": 1.3, "hybrid": 0.5},
    "grain": {"4096": 1.0, "512": 1.2, "32768": 1.05},
    "serial": {"off": 1.6, "2048": 1.0, "16384": 1.1},
    "giant": {"off": 1.1, "4096": 0.95, "32768": 1.0},
    "frontier": {"list": 1.0, "bitmap": 0.85},
    "prefetch": {"off": 1.0, "8": 0.93},
    "fuse": {"1000": 1.0, "1": 0.97},
}


def plan(**changed: str) -> str:
    """The text of the plain plan with these options changed."""
    return " ".join(f"{k}={changed.get(k, next(iter(values)))}" for k, values in EFFECTS.items())


PLAIN, DEFAULT = plan(), plan(serial="2048", giant="32768")


def _plans(rng: random.Random) -> list[str]:
    """Plain, default, each option alone, a good plan and what it is without each of its options, then all others."""
    alone = [plan(**{k: v}) for k, values in EFFECTS.items() for v in values]
    good = {"direction": "hybrid", "serial": "2048", "giant": "4096", "frontier": "bitmap", "prefetch": "8"}
    alone += [plan(**good), *(plan(**{k: v for k, v in good.items() if k != out}) for out in good)]
    others = [plan(**dict(zip(EFFECTS, c, strict=True))) for c in itertools.product(*EFFECTS.values())]
    rng.shuffle(others)
    return list(dict.fromkeys([PLAIN, DEFAULT, *alone, *others]))


def trials(count: int, graphs: Sequence[str], *, failing: bool = True, seed: int = 0) -> tuple[Trial, ...]:
    """So many trials over the graphs; where `failing`, some end badly."""
    rng = random.Random(seed)
    base = {g: 10 ** rng.uniform(0, 2) for g in graphs}
    road = {g: rng.random() for g in graphs}
    found: list[Trial] = []
    for p, g in itertools.islice(itertools.product(_plans(rng), graphs), count):
        plain, ms = (base[g] * _factor(text, road[g]) for text in (PLAIN, p))
        times, reference = (tuple(middle * rng.gauss(1, 0.02) for _ in range(5)) for middle in (ms, plain))
        chance = rng.random() if failing and len(found) > 8 else 1.0
        found.append(_ended(p, g, times, reference, chance))
    return tuple(found)


def _factor(p: str, road: float) -> float:
    """How long a plan takes; some options matter more, and some less, the more a graph is a road network."""
    here = {"direction": 1 - 1.6 * road, "frontier": 1 - 1.6 * road, "serial": 0.3 + 2 * road}
    return math.prod(EFFECTS[k][v] ** here.get(k, 1.0) for k, v in (word.split("=") for word in p.split()))


def _ended(p: str, graph: str, times: tuple[float, ...], reference: tuple[float, ...], chance: float) -> Trial:
    if chance < 0.01:
        return Trial(p, graph, Status.TIME_OUT, why="no answer after 30 s")
    if chance < 0.02:
        return Trial(p, graph, Status.COMPILE_ERROR, why="unit.cpp:120:7: error: 'x' was not declared in this scope\n"
                                                        "  120 |   x<int> y = \"a&b\";")  # fmt: skip
    if chance < 0.024:
        return Trial(p, graph, Status.WRONG, why="node 17: level is 4, not 3\nreproducer: wrong/17ab.sh")
    if chance < 0.25:
        return Trial(p, graph, Status.CUT, times[:1], reference)
    return Trial(p, graph, Status.OK, times, reference)


def tuned(made: Sequence[Trial], **changed: Any) -> Tuned:
    """A tuning of these trials."""
    known: dict[str, Any] = {"program": "spread.irgl", "target": "cpu", "machine": "a machine of 2 cores", "threads": 2,
                             "trials": tuple(made), "plain": PLAIN, "default": DEFAULT, "space": 648,
                             "seconds": 583.0}  # fmt: skip
    return Tuned(**{**known, **changed})


def compiled(p: str) -> Variant:
    """Code that says the plan's direction."""
    direction = dict(word.split("=") for word in p.split())["direction"]
    body = "".join(f"  step({k});\n" for k in range(30))
    return Variant(f"int main() {{\n  int way = {direction!r};\n{body}  return way;\n}}\n",
                   ("walk.loop1: grain=4096", "walk.loop2: grain=4096"),
                   ("walk.loop1: giant=off: no ForAll over a node's edges in this loop",))  # fmt: skip
