"""How the search went: every plan on a graph as a dot, in the order of their first trials, and the best as a line."""

from __future__ import annotations

import math
from dataclasses import dataclass

from markupsafe import Markup

from irgl.tune.report.draw import Log, count, el, linear_ticks, ms, spread, svg, text, tick
from irgl.tune.report.facts import Facts
from irgl.tune.results.trial import Status, Trial

_TOP, _BOTTOM, _LEFT, _RIGHT = 12.0, 34.0, 54.0, 92.0
#: Width and height where there is room for one or two side by side, and else.
_SIZES, _SMALL = {1: (1032, 340), 2: (502, 250)}, (330, 200)


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph's picture. small: for a narrow page, where the wide one would have illegible type."""

    graph: str
    wide: Markup
    small: Markup | None
    said: str


def panels(facts: Facts) -> list[Panel]:
    """A picture for each graph; of one or two they are larger, and drawn once more for narrow pages."""
    width, height = _SIZES.get(len(facts.graphs), _SMALL)
    found = []
    for graph in facts.graphs:
        order = dict.fromkeys(t.plan for t in facts.trials if t.input == graph)
        trials = [t for plan in order if (t := facts.trial(plan, graph)) is not None]
        small = _draw(facts, graph, trials, *_SMALL) if (width, height) != _SMALL else None
        found.append(Panel(graph, _draw(facts, graph, trials, width, height), small, _said(facts, graph, trials)))
    return found


def _said(facts: Facts, graph: str, trials: list[Trial]) -> str:
    best = facts.fastest.get(graph)
    if best is None:
        return f"{count(len(trials), 'plan')}, none of which finished"
    at = next(k for k, t in enumerate(trials, 1) if t.plan == best)
    return f"{ms(facts.ms(best, graph))}, by plan {at:,} of {len(trials):,}"


def _draw(facts: Facts, graph: str, trials: list[Trial], width: int, height: int) -> Markup:
    timed = [(k, facts.ms(t.plan, graph)) for k, t in enumerate(trials, 1) if math.isfinite(t.median)]
    height = height if timed else 60
    right, floor = width - _RIGHT, height - _BOTTOM
    last = max(2, len(trials))

    def x(k: float) -> float:
        return _LEFT + (k - 1) / (last - 1) * (right - _LEFT)

    bad = "".join(f"M{x(k) - 2.5:.1f} {floor - 8:.1f}l5 5m0-5l-5 5" for k, t in enumerate(trials, 1)
                  if t.status not in (Status.OK, Status.CUT))  # fmt: skip
    parts = [el("path", d=bad, class_="cross")] if bad else []
    if timed:
        parts = [*_times(facts, graph, trials, timed, (x, right, floor)), *parts]
    parts.append(el("line", x1=_LEFT, x2=right, y1=floor, y2=floor, class_="axis"))
    for v in [1, *(v for v in linear_ticks(0, last, 5) if 1 < v <= len(trials) and v == int(v) and v / last > 0.12)]:
        parts.append(text(x(v), floor + 16, tick(v), text_anchor="middle", class_="soft"))
    parts.append(text(right + 18, floor + 16, "plans", class_="soft"))
    return svg(f"{graph}: {_said(facts, graph, trials)}", *parts, viewBox=f"0 0 {width} {height}",
               style=f"max-width:{width}px", class_="fit")  # fmt: skip


def _times(facts: Facts, graph: str, trials: list[Trial], timed: list[tuple[int, float]],
           frame: tuple[object, float, float]) -> list[Markup]:
    """The time axis, the dots, the line of the best so far, and what it is compared with."""
    x, right, floor = frame
    assert callable(x)
    known = sorted(v for _, v in timed)
    compared = [(name, facts.ms(plan, graph)) for name, plan in (("plain", facts.tuned.plain),
                                                                  ("default", facts.default(graph)))]
    compared = [(name, v) for name, v in compared if math.isfinite(v)]
    high = max([known[len(known) * 9 // 10], *(v for _, v in compared)]) * 1.25
    scale = Log(known[0] / 1.15, max(high, known[0] * 1.3), floor - 12, _TOP)
    parts = []
    ticks = scale.ticks(5)
    unit, size = ("µs", 1000.0) if scale.high < 0.5 else ("s", 0.001) if scale.low > 500 else ("ms", 1.0)
    for v in ticks:
        said = f"{tick(v * size)} {unit}" if v == ticks[-1] else tick(v * size)
        parts += [el("line", x1=_LEFT, x2=right, y1=scale(v), y2=scale(v), class_="grid"),
                  text(_LEFT - 8, scale(v) + 4, said, text_anchor="end", class_="soft")]
    for _, v in compared:
        parts.append(el("line", x1=_LEFT, x2=right, y1=scale(v), y2=scale(v), class_="level"))
    cut = {k for k, t in enumerate(trials, 1) if t.status is Status.CUT}
    for class_, of in (("dots cut", True), ("dots", False)):
        mine = [p for p in timed if (p[0] in cut) is of]
        if mine:
            parts.append(el("path", d="".join(f"M{x(k):.1f} {scale(v):.1f}h0" for k, v in mine), class_=class_))
    steps = [p for p in timed if p[0] not in cut]
    labels = [(f"{name}", v, "soft") for name, v in compared]
    if steps:
        best = steps[0][1]
        line = f"M{x(steps[0][0]):.1f} {scale(best):.1f}"
        for k, v in steps:
            if v < best:
                best, line = v, line + f"H{x(k):.1f}V{scale(v):.1f}"
        parts.append(el("path", d=f"{line}H{right:.1f}", class_="best"))
        parts.append(el("circle", cx=right, cy=scale(best), r=3.5, class_="mark"))
        labels.append((f"best {ms(best)}", best, "strong"))
    at = spread([scale(v) for _, v, _ in labels], 14.0, _TOP, floor - 6)
    parts += [text(right + 8, y + 4, name, class_=c) for (name, _, c), y in zip(labels, at, strict=True)]
    return parts
