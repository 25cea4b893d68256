"""The space in parallel coordinates: an axis for each option, a line for each plan, coloured by its speed."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from irgl.tune.report.draw import Log, el, text, tick
from irgl.tune.report.facts import Facts, settings

#: Classes of plans, by how many times as long as the best one they take at most.
CLASSES = ((1.05, "within 5% of the best"), (1.25, "within 25%"), (2.0, "up to twice as long"),
           (float("inf"), "longer"))
_MOST_LINES, _MOST_PLACES = 1500, 4
_TOP, _HEIGHT, _LEFT, _RIGHT = 40.0, 340.0, 12.0, 62.0
#: The width of the page, which few axes fill, and what is between two axes at least.
_WIDTH, _LEAST = 1030.0, 104.0


@dataclass(frozen=True, slots=True)
class Space:
    """The picture; lines: how many plans it shows, of how many; places: options of single places left out of it."""

    picture: Markup
    lines: int
    of: int
    places: int
    top: float


def space(facts: Facts) -> Space | None:
    """The picture, where there are two plans with times, and something that differs between them."""
    gains = {p: g for p in facts.plans if (g := _gain(facts, p)) is not None}
    by_weight = sorted((k for k, _ in facts.varied), key=facts.weight)  # what matters most stands next to the speed
    keys = [k for k in by_weight if "." not in k]
    places = [k for k in reversed(by_weight) if "." in k]
    keys = [*places[:_MOST_PLACES], *keys]
    if len(gains) < 2 or not keys:
        return None
    fast = sorted(gains, key=lambda p: -gains[p])
    shown = fast[:_MOST_LINES]
    values = dict(facts.varied)
    gap = max(_LEAST, (_WIDTH - _LEFT - _RIGHT) / len(keys))
    end = _LEFT + len(keys) * gap
    low, high = gains[shown[-1]], gains[shown[0]]
    scale = Log(low / 1.02, high * 1.02, _TOP + _HEIGHT, _TOP)
    heights = [_heights(shown, k, values[k]) for k in keys]
    lines = []
    for plan in reversed(shown):
        ups = [h[plan] for h in heights]
        path = "".join(f"{'L' if i else 'M'}{_LEFT + i * gap:.0f} {y:.0f}" for i, y in enumerate(ups))
        path += f"L{end:.0f} {scale(gains[plan]):.0f}"
        said = settings(plan)
        at = " ".join(str(values[k].index(said.get(k, ""))) if said.get(k, "") in values[k] else "-" for k in keys)
        gain = gains[plan]
        lines.append(el("path", d=path, class_=f"p{_class(high / gain)}", data_v=at, data_s=f"{gain:.2f}"))
    axes = [_axis(i, _LEFT + i * gap, k, values[k]) for i, k in enumerate(keys)]
    label = f"{len(shown)} plans over the options {', '.join(keys)}; the line's last point is the speedup over plain"
    picture = el("svg", el("g", *lines, class_="lines"), *axes, _speed(scale, end),
                 viewBox=f"0 0 {end + _RIGHT:.0f} {_TOP + _HEIGHT + 16:.0f}", width=f"{end + _RIGHT:.0f}", role="group",
                 aria_label=label, class_="space")  # fmt: skip
    return Space(picture, len(shown), len(gains), max(0, len(places) - _MOST_PLACES), high)


def _gain(facts: Facts, plan: str) -> float | None:
    """Speedup over plain; where that has no time, over the best of each graph."""
    over_plain = facts.speedup(plan, facts.tuned.plain)
    lag = facts.lag(plan)
    return over_plain if over_plain is not None or lag is None else 1 / lag


def _heights(plans: list[str], key: str, values: list[str]) -> dict[str, float]:
    """Where each plan crosses an axis: in the band of its value, the fastest on top."""
    band = _HEIGHT / len(values)
    found = {}
    for k, value in enumerate(values):
        mine = [p for p in plans if settings(p).get(key, "") == value]
        begin = _TOP + k * band + band * 0.18
        for n, plan in enumerate(mine):
            found[plan] = begin + band * 0.64 * (n + 0.5) / len(mine)
    return {p: found.get(p, _TOP + _HEIGHT) for p in plans}


def _class(ratio: float) -> int:
    return next(k for k, (most, _) in enumerate(CLASSES) if ratio <= most)


def _axis(number: int, x: float, key: str, values: list[str]) -> Markup:
    """An option's axis; its values are buttons."""
    band = _HEIGHT / len(values)
    parts = [text(x - 4, _TOP - 18, key, class_="name")]
    for k, value in enumerate(values):
        begin, middle = _TOP + k * band, _TOP + (k + 0.5) * band
        word = value or "as elsewhere"
        wide = 7.2 * min(len(word), 12) + 14
        parts.append(el("line", x1=x, x2=x, y1=begin + band * 0.14, y2=begin + band * 0.86, class_="axis"))
        parts.append(el("g", el("title", f"{key} = {word}: show these plans only"),
                        el("rect", x=x + 5, y=middle - 12, width=wide, height=24.0, rx=4),
                        text(x + 12, middle + 4, word if len(word) <= 12 else word[:11] + "…"),
                        role="button", tabindex=0, aria_pressed="false", aria_label=f"{key} = {word}",
                        data_a=number, data_k=k))  # fmt: skip
    return el("g", *parts)


def _speed(scale: Log, x: float) -> Markup:
    parts = [text(x - 4, _TOP - 18, "speedup", class_="name"),
             el("line", x1=x, x2=x, y1=_TOP, y2=_TOP + _HEIGHT, class_="axis")]  # fmt: skip
    parts += [text(x + 8, scale(t) + 4, f"{tick(t)}×", class_="soft") for t in scale.ticks(6)]
    return el("g", *parts)
