"""What is known of one variant on one input: the record that all of irgl/tune hands on."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """How a trial ended. Any but OK is a result, too: no search proposes that variant for that input again."""

    OK = "ok"
    CUT = "cut"  # stopped early: it could no longer win; its times are those measured until then
    WRONG = "wrong"  # the answer did not verify: a mistake of the compiler
    COMPILE_ERROR = "compile error"
    CRASH = "crash"
    TIME_OUT = "time-out"


#: Who a trial is `by` that was made side by side with the best plans at the end of a search; and of the default.
FINAL, FINAL_DEFAULT = "final", "final, default"


@dataclass(frozen=True, slots=True)
class Trial:
    """One variant on one input.

    plan: the full text of the plan (`str(plan)`). input: the graph's name. times: milliseconds of each repetition (on
    simt: the model's one number). reference: those of the reference variant, measured in turn with them; their ratio
    to the reference's other medians tells how much the machine drifted. why: what went wrong, '' where nothing did.
    by: who proposed it (default, transfer, tpe, local, exhaustive), or FINAL, or FINAL_DEFAULT.
    """

    plan: str
    input: str
    status: Status
    times: tuple[float, ...] = ()
    reference: tuple[float, ...] = ()
    build_ms: float = 0.0
    why: str = ""
    by: str = ""
    stats: dict[str, float] = field(default_factory=dict)

    @property
    def median(self) -> float:
        """Milliseconds; infinite where there is no time or the variant is of no use."""
        useful = self.times and self.status in (Status.OK, Status.CUT)
        return statistics.median(self.times) if useful else float("inf")
