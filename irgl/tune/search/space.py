"""The space of a search: every legal plan of a program on a target, counted, listed, drawn from and walked in.

Dimensions that depend on each other - an option that means something only under another one's values, options whose
values a plan refuses together - form a part, whose legal choices are listed. The space is the product of its parts, so
that plans have numbers: counting and drawing need no search, and only legal plans exist.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from irgl.driver import Ready
from irgl.options import OPTIONS
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space
from irgl.tune.search.places import Dimension, dimensions_of

Assignment = dict[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """Dimensions that depend on each other, and their legal choices: of each, what the ones in force say."""

    dimensions: tuple[Dimension, ...]
    choices: tuple[Assignment, ...]
    number: dict[tuple[tuple[str, str], ...], int]


class Space:
    """The legal plans over some dimensions; all that is no dimension stays at its default."""

    def __init__(self, dimensions: Iterable[Dimension], target: str) -> None:
        self.target = target
        given = tuple(dimensions)
        keys = {d.key for d in given}  # what is no dimension stands at its default, which no condition rules out
        self.dimensions = tuple(replace(d, only_with=tuple(c for c in d.only_with if c[0] in keys),
                                        never_with=tuple(c for c in d.never_with if c[0] in keys)) for d in given)
        self._by_key = {d.key: d for d in self.dimensions}
        self.parts = [_part(group, target) for group in _groups(self.dimensions, target)]
        self._part_of = {d.key: part for part in self.parts for d in part.dimensions}

    def count(self) -> int:
        """How many plans there are, exactly."""
        return prod(len(part.choices) for part in self.parts)

    def __iter__(self) -> Iterator[Plan]:
        """All plans, in the order of their numbers: those that share a build stand together."""
        return (self.at(k) for k in range(self.count()))

    def __contains__(self, plan: Plan) -> bool:
        try:
            self.index(plan)
        except IrglError:
            return False
        return True

    def at(self, number: int) -> Plan:
        """The plan of a number from 0 to count() - 1."""
        return self._plan(self.said_at(number))

    def said_at(self, number: int) -> Assignment:
        """What the plan of a number says in each dimension that is in force."""
        assignment: Assignment = {}
        for part in reversed(self.parts):
            number, k = divmod(number, len(part.choices))
            assignment |= part.choices[k]
        return assignment

    def index(self, plan: Plan) -> int:
        """The number of a plan. Raises IrglError for one that the space has not."""
        assignment, number = self.assignment(plan), 0
        for part in self.parts:
            mine = {d.key: assignment[d.key] for d in part.dimensions if d.key in assignment}
            number = number * len(part.choices) + part.number[_key(mine)]
        return number

    def sample(self, rng: random.Random, k: int) -> list[Plan]:
        """`k` different plans (all, where there are fewer) in random order, each as likely as any other."""
        total = self.count()
        if total < 2**62:
            return [self.at(i) for i in rng.sample(range(total), min(k, total))]
        drawn: dict[int, None] = {}
        while len(drawn) < k:
            drawn[rng.randrange(total)] = None
        return [self.at(i) for i in drawn]

    def neighbours(self, plan: Plan) -> list[Plan]:
        """The plans that differ from `plan` in one dimension; what that brings into force stands at its home value."""
        assignment, found = self.assignment(plan), {}
        for key, value in assignment.items():
            part = self._part_of[key]
            for other in self._by_key[key].values:
                if other != value:
                    changed = _settled(part.dimensions, {**assignment, key: other})
                    if _key(changed) in part.number:
                        rest = {k: v for k, v in assignment.items() if self._part_of[k] is not part}
                        found[_key(changed)] = self._plan(rest | changed)
        return list(found.values())

    def plan(self, assignment: Mapping[str, str]) -> Plan:
        """The plan that says so; dimensions that are left out stand at their home value.

        Raises IrglError for what is no value of a dimension, and for values that the plan refuses together.
        """
        for key, value in assignment.items():
            if key not in self._by_key:
                raise IrglError(f"the space has no dimension `{key}`", hint=f"it has {', '.join(self._by_key)}")
            if value not in self._by_key[key].values:
                raise IrglError(f"`{key}={value}` is not in the space",
                                hint=f"`{key}` has the values {', '.join(self._by_key[key].values)}")
        return self._plan(self._settled({**assignment}))

    def assignment(self, plan: Plan) -> Assignment:
        """What a plan says in each dimension that is in force. Raises IrglError for a plan that the space has not."""
        said = {d.key: plan.text_of(d.option.name, d.place) for d in self.dimensions}
        found = self._settled(said)
        if str(self._plan(found)) != str(plan):
            raise IrglError(f"the plan `{plan}` is not in the space", hint="nearest() gives the one that is closest")
        return found

    def nearest(self, plan: Plan) -> Plan:
        """The plan of the space that says the same wherever it can; elsewhere it stands at its home values."""
        said: Assignment = {}
        for d in self.dimensions:
            value = plan.text_of(d.option.name, d.place)
            said[d.key] = value if value in d.values else d.home
        try:
            return self._plan(self._settled(said))
        except IrglError:  # values that are refused together
            return self.home

    @property
    def home(self) -> Plan:
        """The plan whose dimensions stand at their home values: `default`, or what it comes to in this program."""
        return self._plan(self._settled({}))

    @property
    def default(self) -> Plan:
        """What the plan `default` comes to here."""
        return self.nearest(Plan(target=self.target))

    @property
    def none(self) -> Plan:
        """What the plan `none` comes to here."""
        return self.nearest(Plan.none(self.target))

    def group(self, plan: Plan) -> str:
        """What two plans have in common where they share one build: all that generated code knows of them."""
        return plan.in_code

    def prepared(self, plan: Plan) -> str:
        """What two plans have in common where they run on the same prepared graph."""
        said = self._settled({d.key: plan.text_of(d.option.name, d.place) for d in self.dimensions})
        return " ".join(f"{key}={value}" for key, value in said.items() if self._by_key[key].cost == "prepare")

    def _settled(self, said: Assignment) -> Assignment:
        found: Assignment = {}
        for part in self.parts:
            found |= _settled(part.dimensions, said)
        return found

    def _plan(self, assignment: Mapping[str, str]) -> Plan:
        return _parsed(assignment, self._by_key, self.target)


def space_of(program: Ready, target: str = "cpu", *, scoped: bool = False) -> Space:
    """The space of a program that is ready to be emitted. Raises IrglError for a target that no plan speaks of.

    scoped: options that may be set for one place have a dimension for each place. What a program leaves no choice of is
    no dimension.
    """
    choices = legal_space(program.checked.program, target)
    return Space(dimensions_of(choices, OPTIONS[target], scoped), target)


def _parsed(assignment: Mapping[str, str], dimensions: Mapping[str, Dimension], target: str) -> Plan:
    """The plan, which says nothing of what stands at its default."""
    words = [f"{key}={value}" for key, value in assignment.items() if value != dimensions[key].option.default]
    return Plan.parse(" ".join(words), target)


def _settled(dimensions: Iterable[Dimension], said: Mapping[str, str]) -> Assignment:
    """What is said, without dimensions that are not in force, and with the home value of those of which nothing is."""
    found: Assignment = {}
    for d in dimensions:
        if d.in_force(found):
            found[d.key] = said.get(d.key, d.home)
    return found


def _key(assignment: Assignment) -> tuple[tuple[str, str], ...]:
    return tuple(assignment.items())


def _groups(dimensions: tuple[Dimension, ...], target: str) -> list[list[Dimension]]:
    """The dimensions, those that depend on each other together; what costs most to change comes first."""
    group_of = {d.key: {d.key} for d in dimensions}

    def join(a: str, b: str) -> None:
        if group_of[a] is not group_of[b]:
            group_of[a] |= group_of[b]
            for key in group_of[b]:
                group_of[key] = group_of[a]

    for d in dimensions:
        for other, _ in (*d.only_with, *d.never_with):
            join(d.key, other)
    whole = [d for d in dimensions if not d.place]
    for k, a in enumerate(whole):
        for b in whole[:k]:
            if _refused_together(a, b, dimensions, target):
                join(a.key, b.key)
    found: dict[int, list[Dimension]] = {}
    for d in dimensions:  # a condition's dimension stands before those that it is for
        found.setdefault(id(group_of[d.key]), []).append(d)
    return sorted(found.values(), key=lambda group: (min(_COSTS.index(d.cost) for d in group),
                                                     max(_COSTS.index(d.cost) for d in group)))


_COSTS = ("prepare", "build", "run")


def _refused_together(a: Dimension, b: Dimension, dimensions: tuple[Dimension, ...], target: str) -> bool:
    """Does a plan refuse some of their values together, where both are in force?"""
    needed = {key: values[0] for key, values in (*a.only_with, *b.only_with) if key not in (a.key, b.key)}
    by_key = {d.key: d for d in dimensions}
    return any(not _accepted({**needed, a.key: x, b.key: y}, by_key, target) for x in a.values for y in b.values)


def _accepted(assignment: Assignment, dimensions: Mapping[str, Dimension], target: str) -> bool:
    try:
        _parsed(assignment, dimensions, target)
    except IrglError:
        return False
    return True


def _part(dimensions: list[Dimension], target: str) -> Part:
    by_key = {d.key: d for d in dimensions}

    def choices(rest: list[Dimension], chosen: Assignment) -> Iterator[Assignment]:
        if not rest:
            if _accepted(chosen, by_key, target):
                yield chosen
        elif rest[0].in_force(chosen):
            for value in rest[0].values:
                yield from choices(rest[1:], {**chosen, rest[0].key: value})
        else:
            yield from choices(rest[1:], chosen)

    found = tuple(choices(dimensions, {}))
    return Part(tuple(dimensions), found, {_key(c): k for k, c in enumerate(found)})

