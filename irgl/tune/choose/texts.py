"""Texts of plans whose meaning hangs on the program and its graph: `default`, `auto`, `schedule`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from irgl.ast.labels import SCOPE, places_of
from irgl.plan import Plan
from irgl.source import IrglError

#: The word for the plan that a program's own schedule comes to.
SCHEDULE = "schedule"
#: The words that are resolved in auto.py.
WORDS = ("default", "auto", SCHEDULE)
#: Behind a place: what stands in it, as well.
WITHIN = "."
#: What stands behind the place of a loop for a half that it has where this option says so.
_HALVES = {"direction": "_pull", "frontier": "_dense"}


def asks(text: str) -> bool:
    """Does a plan's text begin with a word whose meaning hangs on the program and the graph?"""
    return text.split()[:1] in [[word] for word in WORDS]


def changes_in(text: str) -> str:
    """What stands behind such a word."""
    return " ".join(text.split()[1:])


def before_graph(text: str, target: str) -> Plan:
    """What a plan's text means as long as no graph is known. Raises IrglError for what is no plan."""
    if text.split()[:1] == [SCHEDULE]:  # what changes it may need what it says
        return Plan(target=target)
    return Plan.parse(f"default {changes_in(text)}" if asks(text) else text, target)


def text_for(text: str | None, *, scheduled: bool) -> str:
    """The plan's text that is meant by what was said of it, or by nothing (None): for a program with a schedule that
    with the words changed, unless they say where they begin."""
    if not scheduled:
        return text if text is not None else "default"
    if text is not None and (asks(text) or text.split()[:1] == ["none"]):
        return text
    return f"{SCHEDULE} {text or ''}".rstrip()


def meant(text: str | None, own: str | None, target: str, labels: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
          ) -> Plan:
    """The plan that is meant by what was said of it, whatever the graph: `default` is what options say by themselves.
    own: the text of the schedule's plan; labels: as `scheduled` takes them. Raises IrglError for what is no plan."""
    text = text_for(text, scheduled=own is not None)
    if text.split()[:1] == [SCHEDULE]:
        return scheduled(own, changes_in(text), target, labels)
    return Plan.parse(text, target)


def scheduled(text: str | None, changes: str, target: str,
              labels: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> Plan:
    """The plan of a schedule (None: there is none), changed by words, each in place of what the schedule says: one
    without a place in place of all that it says of that option, one with a label in place of what it says of it there.
    What it says of halves that loops then don't have is left out. labels: the program's, by their paths, with their
    places. Raises IrglError for what is no plan."""
    if text is None:
        raise IrglError("the program has no schedule, whose plan `schedule` would be",
                        hint="say `default`, or give --schedule FILE to a program that may have one")
    plan = Plan.parse(text, target)
    if not changes:
        return plan
    new = [(at, option) for word in changes.split() for place, _, option in (word.partition("=")[0].rpartition("."),)
           for at in _places(place, labels)]
    kept = tuple((key, value) for key, value in plan.settings if not any(_goes(key, *word) for word in new))
    return Plan(kept, target).changed(changes)


def _goes(key: str, place: str, option: str) -> bool:
    """Does a word of a schedule go where `option` is said for a place, '' for all?"""
    where, _, own = key.rpartition(".")
    if own == option and (place in ("", where) or (place.endswith(WITHIN) and f"{where}.".startswith(place))):
        return True
    half = _HALVES.get(option)
    return half is not None and f"{place.removesuffix(WITHIN)}{half}." in f"{where}."


def _places(place: str, labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The places that a place in a plan means; of a label what stands in its own, too."""
    homes = {at.partition(".")[0] for own in labels.values() for at in own}
    own = places_of(place, labels, homes) if place and (SCOPE in place or place.partition(".")[0] in labels) else None
    return (place,) if own is None else tuple(f"{at}{WITHIN}" for at in own.values())
