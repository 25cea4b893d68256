"""Tables whose rows carry a picture: marks on one scale, which stretches with the page while type keeps its size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from irgl.tune.report.draw import Log, el, svg, text

#: What is kept free at both ends, in percent of the width.
_EDGE = 4.0


@dataclass(frozen=True, slots=True)
class Mark:
    """kind: dot, ring, bar (all at `at`), or span (from `at` to `to`)."""

    kind: str
    at: float
    to: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """label: what it is about; note: in smaller type beside it; numbers: at its end, head of the column before."""

    label: str
    marks: tuple[Mark, ...]
    numbers: tuple[str, ...]
    note: str = ""
    first: bool = False
    said: str = ""
    track: Markup = field(default_factory=Markup)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that is ready to be written."""

    axis: Markup
    rows: tuple[Row, ...]
    head: tuple[str, ...]


def drawn(rows: Sequence[Row], head: Iterable[str], base: float = 1.0) -> Rows:
    """Rows with their tracks on one scale; a line marks `base`, what all is compared with."""
    values = [v for r in rows for m in r.marks for v in ((m.at, m.to) if m.kind == "span" else (m.at,))]
    known = [v for v in values if math.isfinite(v) and v > 0] or [1.0]
    low, high = min([base, *known]) / 1.03, max([base, *known]) * 1.03
    if high / low < 1.25:
        low, high = low / 1.12, high * 1.12
    scale = Log(low, high, _EDGE, 100 - _EDGE)
    ticks = scale.ticks(5)
    return Rows(_axis(scale, ticks), tuple(_with_track(r, scale, ticks, base) for r in rows), tuple(head))


def _axis(scale: Log, ticks: Iterable[float]) -> Markup:
    words = (text(f"{scale(t):.1f}%", 14, f"{t:,g}×", text_anchor="middle", class_="soft") for t in ticks)
    return el("svg", *words, width="100%", height=18, aria_hidden="true", class_="track")


def _with_track(row: Row, scale: Log, ticks: Iterable[float], base: float) -> Row:
    parts = [_line(scale(t), "grid") for t in ticks] + [_line(scale(base), "axis")]
    for m in row.marks:
        x = f"{scale(m.at):.1f}%"
        if m.kind == "span":
            parts.append(el("line", x1=x, x2=f"{scale(m.to):.1f}%", y1=14, y2=14, class_="span"))
        elif m.kind == "bar":
            parts.append(el("line", x1=x, x2=x, y1=6, y2=22, class_="tickmark"))
        else:
            parts.append(el("circle", cx=x, cy=14, r=5 if m.kind == "dot" else 4.5, class_=m.kind))
    said = row.said or f"{row.label}: {', '.join(row.numbers)}"
    picture = svg(said, *parts, width="100%", height=28, class_="track")
    return Row(row.label, row.marks, row.numbers, row.note, row.first, row.said, picture)


def _line(x: float, class_: str) -> Markup:
    return el("line", x1=f"{x:.1f}%", x2=f"{x:.1f}%", y1=0, y2=28, class_=class_)
