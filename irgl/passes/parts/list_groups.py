"""What a plan's `frontier` says of a program's lists: one kind for all that are swapped or handed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.groups import Group, groups, places
from irgl.ast import types as T
from irgl.options import LISTS
from irgl.plan import Plan
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Said:
    """A group of lists, and the kind that a plan says."""

    group: Group
    kind: str


def said(checked: Checked, plan: Plan) -> list[Said]:
    """What a plan says of each group of a program's lists, at one of the outermost loops that read or fill one, or for
    all. Raises IrglError where it says two things of one."""
    found = []
    for group in list_groups(checked):
        own = {place: plan.text_of(LISTS, place) for place in places(checked, group) if plan.says(LISTS, place)}
        if len(set(own.values())) > 1:
            (one, kind), (other, differing) = _two_of(own)
            raise IrglError(f"`{one}.{LISTS}={kind}` and `{other}.{LISTS}={differing}` speak of the same lists, "
                            "which are swapped with each other or handed on", hint="leave one of them out")
        found.append(Said(group, next(iter(own.values()), plan.text_of(LISTS))))
    return found


def _two_of(own: Mapping[str, str]) -> tuple[tuple[str, str], tuple[str, str]]:
    first = next(iter(own.items()))
    return first, next(pair for pair in own.items() if pair[1] != first[1])


def words(plan: Plan) -> Iterator[str]:
    """The kinds that a plan speaks of."""
    yield plan.text_of(LISTS)
    yield from (value for _, option, value in plan.scoped if option == LISTS)


def list_groups(checked: Checked) -> list[Group]:
    """The lists and sets of a program, together with what they are swapped with."""
    return groups(checked, _is_list_or_set)


def speakers(checked: Checked) -> dict[str, str]:
    """By place, another that speaks of one of the same groups of lists; those that have none before them are absent."""
    found: dict[str, str] = {}
    of_place: dict[str, list[Group]] = {}
    for group in list_groups(checked):
        for place in places(checked, group):
            of_place.setdefault(place, []).append(group)
    first: dict[Group, str] = {}
    for place, touched in of_place.items():
        before = [first[group] for group in touched if group in first]
        if before:
            found[place] = before[0]
        else:
            first |= dict.fromkeys(touched, place)
    return found


def exchangeable(t: T.Type | None) -> bool:
    """Is it a list of nodes in which none is twice?"""
    return isinstance(t, T.Worklist) and isinstance(t.item, T.NodeT) and (
        t.kind == "set" or (t.kind == "list" and t.unique))


def _is_list_or_set(t: T.Type | None) -> bool:
    return isinstance(t, T.Worklist) and (t.kind == "list" or exchangeable(t))
