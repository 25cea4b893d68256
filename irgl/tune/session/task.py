"""What a tuner is asked, what it tells while it works, and what it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from irgl.source import IrglError
from irgl.tune.inputs.inputs import Input
from irgl.tune.results.trial import RUNS

#: One plan for all inputs, or one for each class of graphs.
MODES = ("all", "class")


@dataclass(frozen=True, slots=True)
class Task:
    """Find the fastest plan of a program on some inputs. budget: seconds. gpu: whose times are modelled (simt).

    mistakes: the folder for reproducers of irgl's mistakes. spelt: the options of `irglc run` for parameters whose name
    is also one of its own. pareto: all plans are wanted that no other one beats on all inputs: none is cut short.
    runs: over how many runs of the program the building of a plan's forms of edges is spread. schedule: the file of
    one, in place of the program's own.
    """

    program: str
    inputs: tuple[Input, ...]
    target: str = "cpu"
    budget: float = 60.0
    mode: str = "all"
    threads: int | None = None
    seed: int = 0
    strategy: str = "auto"
    gpu: str = "h200"
    worklist_capacity: int = 0
    mistakes: Path = Path()
    spelt: tuple[tuple[str, str], ...] = ()
    pareto: bool = False
    runs: int = RUNS
    schedule: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """How far it is. doing, part: what goes on, and which part of it is done. speedup: of the best plan over `none`."""

    doing: str
    part: float | None
    trials: int
    best: str
    speedup: float | None
    spent: float
    budget: float


class Watch(Protocol):
    """Who is told."""

    def note(self, text: str) -> None: ...

    def state(self, state: State) -> None: ...


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong answer of a variant. reproducer: the folder that shows it, '' where none was written."""

    plan: str
    input: str
    why: str
    reproducer: str

    def __str__(self) -> str:
        shown = f"\n  please report it with this folder: {self.reproducer}" if self.reproducer else ""
        return f"a mistake in irgl: on {self.input} the plan `{self.plan}` gives a wrong answer: {self.why}{shown}"


@dataclass(frozen=True, slots=True)
class Found:
    """The plan for a group of inputs. speedups: over `none` and `default`, with 95 % intervals.

    per_input: by name, the times behind them, and the rounds of a plan that may turn loops round. figures: `final`,
    measured side by side at the end, or of the `search`, where that was cut short or a model tells the times. pareto:
    where asked for, those that no other one beats on all inputs.
    """

    group: str
    inputs: tuple[str, ...]
    plan: str
    speedup_none: float
    speedup_none_interval: tuple[float, float]
    speedup_default: float | None
    speedup_default_interval: tuple[float, float] | None
    per_input: dict[str, dict[str, Any]]
    pareto: tuple[str, ...] = ()
    figures: str = "final"


@dataclass(slots=True)
class Outcome:
    """What a session found. state: done or interrupted. space: how many legal plans there are."""

    program: str
    fingerprint: str
    target: str
    machine: str
    threads: int
    mode: str
    strategy: str
    session: int
    database: str
    state: str = "done"
    budget_s: float = 0.0
    spent_s: float = 0.0
    space: int = 0
    trials: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    drift: float = 0.0
    found: list[Found] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)


class WrongReferenceError(IrglError):
    """The plan `none` itself gives a wrong answer: nothing can be tuned."""
