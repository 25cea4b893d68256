"""Drawing in SVG: elements, scales, ticks, and numbers as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape


def el(name: str, *children: str, **attributes: object) -> Markup:
    """An element. Children that are not Markup are text. `class_` is class; of other names `_` stands for `-`."""
    names = {"class_": "class", "viewBox": "viewBox"}
    given = "".join(f' {names.get(n, n.replace("_", "-"))}="{escape(_short(v))}"' for n, v in attributes.items())
    inside = Markup("").join(children)
    return Markup(f"<{name}{given}>{inside}</{name}>") if inside else Markup(f"<{name}{given}/>")


def svg(label: str, *children: str, **attributes: object) -> Markup:
    """A picture, with what it shows in words for who can't see it."""
    return el("svg", *children, role="img", aria_label=label, **attributes)


def text(x: object, y: object, words: str, **attributes: object) -> Markup:
    return el("text", words, x=x, y=y, **attributes)


def _short(value: object) -> str:
    """A coordinate with one decimal: a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Log:
    """A logarithmic scale from [low, high] to [begin, end]; what lies outside is drawn at its edge."""

    low: float
    high: float
    begin: float = 0.0
    end: float = 100.0

    def __call__(self, value: float) -> float:
        span = math.log(self.high / self.low)
        part = min(1.0, max(0.0, math.log(value / self.low) / span))
        return self.begin + part * (self.end - self.begin)

    def ticks(self, most: int) -> list[float]:
        """Round numbers inside, `most` at most and where possible two at least."""
        for steps in ((1, 1.5, 2, 3, 4, 5, 7), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
            found = self._inside(steps)
            if 2 <= len(found) <= most:
                return found
        linear = linear_ticks(self.low, self.high, most)
        if len(self._inside((1,))) <= 1 and linear:
            return linear
        decades = self._inside((1,))
        return decades[:: math.ceil(len(decades) / most)]

    def _inside(self, steps: Iterable[float]) -> list[float]:
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        rounds = (s * 10.0**p for p in powers for s in sorted(steps))
        return [v for v in rounds if self.low <= v * 1.0001 <= self.high * 1.0002]


def linear_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, `most` at most."""
    if high <= low:
        return []
    size = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(s * size for s in (1, 2, 2.5, 5, 10, 20) if (high - low) / (s * size) <= most - 1 or s == 20)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Places of labels near to where they are wanted, `gap` apart, in the same order."""
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    placed: dict[int, float] = {}
    at = low - gap
    for k in order:
        at = placed[k] = max(wanted[k], at + gap)
    at = high + gap
    for k in reversed(order):
        at = placed[k] = min(placed[k], at - gap)
    return [placed[k] for k in range(len(wanted))]


def ms(value: float) -> str:
    """Milliseconds with three digits, in the unit that suits."""
    if not math.isfinite(value):
        return "–"
    if value >= 1000:
        return f"{digits(value / 1000)} s"
    return f"{digits(value)} ms" if value >= 0.1 else f"{digits(value * 1000)} µs"


def digits(value: float) -> str:
    """Three digits: 12,300, 123, 12.3, 1.23, 0.123."""
    if value == 0:
        return "0"
    before = math.floor(math.log10(abs(value))) + 1
    return f"{value:,.{max(0, min(6, 3 - before))}f}"


def tick(value: float) -> str:
    """A round number without needless zeros."""
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def times(value: float | None) -> str:
    """A factor: 1.23x."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.2f}×" if value < 9.995 else f"{value:.1f}×" if value < 99.95 else f"{value:,.0f}×"


def count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """3 h 20 min, 4 min 5 s, 12 s, 0.4 s."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    if whole >= 60:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole} s" if whole >= 10 else f"{seconds:.1f} s"
