"""What each option does: alone, as a part of the best plan, together with two others, and over all trials."""

from __future__ import annotations

import math
import statistics
from itertools import combinations

from irgl.tune.report.draw import count, times
from irgl.tune.report.facts import Facts, settings
from irgl.tune.report.heat import Heat, heat
from irgl.tune.report.rows import Mark, Row, Rows, drawn

#: Of a GPU's plan these three are shown together, as they make most of the difference there.
_TOGETHER = ("cc", "np", "outline")


def alone_and_left_out(facts: Facts) -> Rows | None:
    """For each option of the best plan, or that was tried alone: what it adds to the plain plan, and to the best."""
    rows = []
    for key, _ in facts.varied:
        alone, value = alone_best(facts, key)
        out = left_out(facts, key)
        marks = [Mark("ring", alone)] if alone is not None else []
        marks += [Mark("dot", out)] if out is not None else []
        if alone is not None and out is not None:
            marks.insert(0, Mark("span", alone, out))
        if marks:
            note = f"alone: {value}" if value else ""
            rows.append(Row(key, tuple(marks), (times(alone), times(out)), note))
    rows.sort(key=lambda r: -max(m.at for m in r.marks))
    return drawn(rows, ("alone", "in the best")) if rows else None


def alone_best(facts: Facts, key: str) -> tuple[float | None, str]:
    """The plain plan with this option alone: how many times as fast as plain, and the value that is."""
    plain = facts.tuned.plain
    found = []
    for plan in facts.plans:
        changed = facts.changes(plan, plain)
        if _only(facts, key, changed):
            gain = facts.speedup(plan, plain)
            if gain is not None:
                found.append((gain, " ".join(changed).removeprefix(f"{key}=")))
    return max(found) if found else (None, "")


def left_out(facts: Facts, key: str) -> float | None:
    """How many times as long the best plan takes with this option as the plain plan has it."""
    best, plain = facts.best, settings(facts.tuned.plain)
    if best is None or settings(best).get(key) == plain.get(key):
        return None
    for plan in facts.plans:
        if settings(plan).get(key) == plain.get(key) and _only(facts, key, facts.changes(plan, best)):
            return facts.speedup(best, plan)
    return None


def _only(facts: Facts, key: str, changed: list[str]) -> bool:
    """Do changes concern this option alone, or with it those that mean something only under a value of it?"""
    keys = [word.partition("=")[0] for word in changed]
    with_it = (facts.options[k].only_with for k in keys if k != key and k in facts.options)
    return key in keys and all(k == key or k in facts.options for k in keys) and all(
        pair is not None and pair[0] == key for pair in with_it)


def together(facts: Facts) -> tuple[tuple[str, ...], Heat] | None:
    """The fastest plan of every on/off pattern of three options, on each graph; on is not as in the plain plan."""
    chosen = _three(facts)
    if len(chosen) < 2:
        return None
    plain = settings(facts.tuned.plain)
    rows = []
    for size in range(len(chosen) + 1):
        for on in combinations(chosen, size):
            with_it = [p for p in facts.ranked
                       if tuple(k for k in chosen if settings(p).get(k) != plain.get(k)) == on]  # fmt: skip
            values = [_best_gain(facts, with_it, g) for g in facts.graphs]
            rows.append((" + ".join(on) if on else "none of them", values))
    return (chosen, heat(rows, facts.graphs)) if any(v for _, vs in rows for v in vs) else None


def _best_gain(facts: Facts, plans: list[str], graph: str) -> float | None:
    plain = facts.ms(facts.tuned.plain, graph)
    best = min((facts.ms(p, graph) for p in plans if facts.finished(p, graph)), default=math.inf)
    return plain / best if math.isfinite(plain) and math.isfinite(best) else None


def _three(facts: Facts) -> tuple[str, ...]:
    """The options to show together: those of the paper on GPUs; else the three with the largest effect."""
    varied = [k for k, _ in facts.varied if "." not in k]
    if all(k in varied for k in _TOGETHER):
        return _TOGETHER
    effect = {k: max(abs(math.log(v)) if v else 0.0 for v in (alone_best(facts, k)[0], left_out(facts, k)))
              for k in varied}  # fmt: skip
    chosen = sorted((k for k in varied if effect[k] > 0), key=lambda k: -effect[k])[:3]
    return tuple(k for k in varied if k in chosen)


def over_all(facts: Facts) -> Rows | None:
    """For each value of each option: the speedups of all plans that have it; the middle half, the median, the best."""
    rows = []
    for key, values in sorted(facts.varied, key=lambda kv: -facts.weight(kv[0])):
        first = True
        for value in values:
            found = facts.of_value(key, value)
            if not found:
                continue
            quarters = statistics.quantiles(found, n=4, method="inclusive") if len(found) > 1 else [found[0]] * 3
            marks = (Mark("span", quarters[0], quarters[2]), Mark("bar", quarters[1]), Mark("dot", found[-1]))
            rows.append(Row(f"{key} = {value or 'as elsewhere'}", marks, (times(quarters[1]), times(found[-1])),
                            count(len(found), "plan"), first))
            first = False
    return drawn(rows, ("median", "best")) if rows else None
