"""What is known of one variant on one input: the record that all of irgl/tune hands on."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field, replace
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


#: Over how many runs of the program the building of forms is spread, where nothing is said.
RUNS = 20
#: Among the stats: what building forms took, and over how many runs it is spread in the times.
FORMAT_MS, SPREAD_OVER = "format_ms", "format_runs"


@dataclass(frozen=True, slots=True)
class Trial:
    """One variant on one input.

    plan: the full text of the plan (`str(plan)`). input: the graph's name. times: milliseconds of each repetition (on
    simt: the model's one number). reference: those of the reference variant, measured in turn with them; their ratio
    to the reference's other medians tells how much the machine drifted. why: what went wrong, '' where nothing did.
    What building the forms of a plan took is spread over so many runs, and a part of each time (stats).
    by: who proposed it (default, transfer, published, tpe, local, exhaustive), or FINAL, or FINAL_DEFAULT.
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

    def spread(self, runs: int) -> Trial:
        """The trial as it would have been with the building of its forms spread over so many runs."""
        built, over = self.stats.get(FORMAT_MS, 0.0), self.stats.get(SPREAD_OVER, float(runs))
        if not built or over == runs:
            return self
        times = tuple(t - built / over + built / runs for t in self.times)
        return replace(self, times=times, stats={**self.stats, SPREAD_OVER: float(runs)})
