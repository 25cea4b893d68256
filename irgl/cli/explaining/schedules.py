"""What `irglc explain` tells of a program's schedule: the plan that it comes to, and what of it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.scheduling import Fitted


def schedule_lines(said: Fitted) -> Iterator[str]:
    """The section of the text."""
    yield "Schedule"
    yield f"  plan   {said.plan or 'nothing beside what options say by themselves'}"
    if said.delta:
        yield f"  delta  {said.delta}, where no value is given"
    yield from (f"  not    {line}" for line in said.not_applicable)
