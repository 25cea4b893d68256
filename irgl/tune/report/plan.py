"""A plan in words: what each option says, where it holds and where not, with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from irgl.tune.report.facts import Facts, settings


@dataclass(frozen=True, slots=True)
class Word:
    """One option of a plan, beside the plain and the default plan."""

    option: str
    value: str
    plain: str
    default: str
    meaning: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What holds for several places; reason: why it does not hold there, '' where it does."""

    words: str
    reason: str
    places: tuple[str, ...]


def words(facts: Facts, plan: str) -> list[Word]:
    """The options of a plan; those that differ from the plain plan are `changed`."""
    plain, default = settings(facts.tuned.plain), settings(facts.tuned.default)
    return [Word(k, v, plain.get(k, "–"), default.get(k, "–"), facts.meaning(k), plain.get(k) != v)
            for k, v in settings(plan).items()]  # fmt: skip


def said(lines: Iterable[str]) -> list[Said]:
    """A manifest's lines - `place: option=value` and, where it isn't applicable, `: reason` - put together."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        place, _, rest = line.partition(": ")
        setting, _, reason = rest.partition(": ")
        found.setdefault((setting or place, reason), []).append(place if setting else "")
    return [Said(setting, reason, tuple(p for p in places if p)) for (setting, reason), places in found.items()]
