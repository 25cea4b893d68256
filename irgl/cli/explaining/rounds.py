"""What `irglc explain` tells of rounds: what may drive loops of the Program, what need not wait, and why others do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict

from irgl.analysis.effects import beside
from irgl.analysis.names.symbols import Checked
from irgl.options import OFF, SYNC
from irgl.passes.drive import as_planned as drive
from irgl.passes.drive import merging
from irgl.passes.lowering.decisions import why_apart


class Rounds(TypedDict):
    """A loop or a statement: which values of an option it may have beside the one that it has as it is written, and why
    not others."""

    place: str
    option: str
    legal: list[str]
    refused: dict[str, str]


def rounds(checked: Checked, target: str) -> Iterator[Rounds]:
    """By option and place. O(size of the program) checks of it."""
    for place, loop in drive.places(checked).items():
        yield _told(place, drive.OPTION, drive.reasons(checked, loop))
    for place, kernel in merging.loops(checked).items():
        yield _told(place, SYNC, {OFF: merging.why_not(checked, kernel)})
    reasons = why_apart(checked, target)
    for s, place in beside.places(checked).items():
        yield _told(place, SYNC, {OFF: reasons.get(s)})


def _told(place: str, option: str, reasons: dict[str, str | None]) -> Rounds:
    return Rounds(place=place, option=option, legal=[word for word, why in reasons.items() if why is None],
                  refused={word: why for word, why in reasons.items() if why is not None})


def round_lines(found: Iterable[Rounds]) -> Iterator[str]:
    """The same, as text: places of which the same is said stand in one line."""
    legal: dict[str, list[str]] = {}
    refused: dict[tuple[str, str], list[str]] = {}
    for r in found:
        for word in r["legal"]:
            legal.setdefault(f"{r['option']}={word}", []).append(r["place"])
        for why in dict.fromkeys(r["refused"].values()):
            said = ", ".join(f"{r['option']}={word}" for word, other in r["refused"].items() if other == why)
            refused.setdefault((said, why), []).append(r["place"])
    yield from (f"  {said}: {', '.join(places)}" for said, places in legal.items())
    yield from (f"  not {said}: {', '.join(places)}: {why}" for (said, why), places in refused.items())
