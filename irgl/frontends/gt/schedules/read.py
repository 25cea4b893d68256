"""A schedule of GraphIt as a plan: the table of docs/graphit_schedules.md, call by call.

Only calls that are written give words: what GraphIt takes where nothing is said does not. Of two calls for one label
that say different things the later one wins. Nothing is left out in silence: whatever changes nothing is told, with the
reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irgl.frontends.gt.schedules import applying, calls
from irgl.frontends.gt.schedules.grammar import statements
from irgl.frontends.gt.schedules.labels import Labelled, Paths
from irgl.frontends.gt.schedules.objects import Objects
from irgl.frontends.gt.schedules.reading import Reading
from irgl.frontends.gt.schedules.tree import Declared, OnObject
from irgl.frontends.gt.schedules.words import NotApplicable, Word, Words
from irgl.source import Source


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a schedule says for a target. words: those of its plan, each with the call that says it; delta: the default
    of the program's parameter `delta`, a number or the name of another parameter, '' where nothing is said; arguments:
    by their names (argv1, argv2, ...) the types of parameters that the schedule asks for; not_applicable: the calls
    that change nothing, or not all that they say."""

    words: tuple[Word, ...]
    delta: str
    arguments: Mapping[str, str]
    not_applicable: tuple[NotApplicable, ...]

    @property
    def plan(self) -> str:
        """The text of the plan."""
        return " ".join(map(str, self.words))


def schedule_of(source: Source, labelled: Labelled, target: str) -> Schedule:
    """What the schedule in a text says for a target (cpu, cuda, simt, ref) of a program with these labels.

    The text is a whole program's, behind a line that begins with `schedule:`, or nothing but a schedule. Raises
    IrglError for what is no schedule, and for calls, words, labels and objects that there aren't. O(length).
    """
    r = Reading(labelled, target, Words(target), Paths(labelled))
    objects = Objects()
    for statement in statements(source):
        if isinstance(statement, Declared):
            objects.declare(statement)
        elif isinstance(statement, OnObject):
            objects.change(statement)
        elif statement.call.name.name == "applyGPUSchedule":
            applying.run(r, objects, statement.call)
        else:
            calls.run(r, statement.call)
    for name, declared in objects.declared.items():
        if name not in objects.used:
            r.words.refuse(declared, f"`{name}` is applied to no label")
    order = sorted(r.words.not_applicable, key=lambda n: (n.span.line, n.span.column))
    return Schedule(r.words.said, r.delta, r.arguments, tuple(order))
