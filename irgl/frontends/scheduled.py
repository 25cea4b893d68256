"""Programs in a notation that has schedules: a text, with the schedule that it holds or that is given beside it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irgl.frontends.gt.source import GraphItSource
from irgl.source import Source

if TYPE_CHECKING:  # a program that was compiled before runs without them
    from irgl.frontends.gt.schedules.labels import Labelled
    from irgl.frontends.gt.schedules.read import Schedule


@dataclass(frozen=True, slots=True)
class ScheduledSource(GraphItSource):
    """The text of a program. given: a schedule of its own file, which holds in the place of the text's; None: there is
    no such file."""

    given: Source | None = None

    @property
    def schedule(self) -> Source | None:
        """The text in which the schedule stands; None: there is none."""
        begin: Any = importlib.import_module("irgl.frontends.gt.schedules.lexer").begin
        return self.given if self.given is not None else self if begin(self) is not None else None

    def labelled(self) -> Labelled:
        """What a schedule of the program may speak of. Raises IrglError for every mistake in the program."""
        found: Labelled = importlib.import_module("irgl.frontends.gt.load").labelled(self)
        return found


def schedule_of(source: Source, target: str) -> Schedule | None:
    """What the schedule of a program says for a target; None: it has none. Raises IrglError for mistakes in it."""
    if not isinstance(source, ScheduledSource) or source.schedule is None:
        return None
    read: Any = importlib.import_module("irgl.frontends.gt.schedules.read").schedule_of
    found: Schedule = read(source.schedule, source.labelled(), target)
    return found
