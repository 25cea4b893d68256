"""The plan that the schedule of a program comes to: of its words those that the program can honour.

A word of a plan that can't be honoured at its place is an error; a call of a schedule is not, whoever wrote it for
another compiler. What it says is left out, and told with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irgl.analysis.names.symbols import Checked
from irgl.frontends.gt.schedules.words import NotApplicable, Word
from irgl.frontends.scheduled import schedule_of
from irgl.options import FORM, LISTS, WAY
from irgl.passes.lowering.lower_cuda import lower
from irgl.passes.queues import as_planned as queues
from irgl.placing import labels_in
from irgl.plan import Plan
from irgl.source import IrglError, Source
from irgl.space import report

#: On which other words hang: how a queue's nodes are filed, so that its loop may pull, which halves a loop has, and
#: whether a form can ask for its nodes.
_FIRST = (queues.OPTION, WAY, LISTS, FORM)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a schedule comes to for a program: the text of its plan, the default that it gives `delta` ('' for none),
    and the calls that change nothing, or not all that they say, each with its place and the reason; the program's
    labels with their places."""

    plan: str
    delta: str
    not_applicable: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]


def fitted(source: Source, checked: Checked, target: str) -> Fitted | None:
    """What the schedule of a program comes to for a target; None: it has none.

    checked: the program as code is generated from it. Raises IrglError for mistakes in the schedule. One report of the
    program, and where something can't be honoured as many as the schedule has words.
    """
    schedule = schedule_of(source, target)
    if schedule is None:
        return None
    refused = list(schedule.not_applicable)
    words = list(schedule.words)
    if _why_not(checked, words, target) is not None:
        kept: list[Word] = []
        for w in sorted(words, key=lambda w: _FIRST.index(w.option) if w.option in _FIRST else len(_FIRST)):
            reason = _why_not(checked, [*kept, w], target)
            if reason is None:
                kept.append(w)
            elif not w.implied:
                refused.append(NotApplicable(str(w.call), w.call.span, reason))
        words = [w for w in words if w in kept]
    refused.sort(key=lambda n: (n.span.line, n.span.column))
    return Fitted(" ".join(map(str, words)), schedule.delta, tuple(map(str, refused)),
                  labels_in(checked.program, source))


def _why_not(checked: Checked, words: list[Word], target: str) -> str | None:
    """Why a plan of these words can't be honoured; None: it can."""
    try:
        plan = Plan.parse(" ".join(map(str, words)), target)
        if target in ("cuda", "simt"):
            lower(checked, plan)
        else:
            report(checked.program, plan, target)
    except IrglError as e:
        return e.message
    return None
