"""What `irglc tune` shows while it works, and at its end."""

from __future__ import annotations

import importlib
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from irgl.tune.results.store import default_path
from irgl.tune.session.task import Found, Outcome, State

#: Where it is no terminal that shows it, a line comes so often, in seconds, unless a better plan is found.
_EVERY = 10.0


class Lines:
    """Plain lines on stderr: when a better plan is found, and now and then. quiet: only what must be told."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._best, self._last = "", time.monotonic()

    def note(self, text: str) -> None:
        print(f"note: {text}", file=sys.stderr, flush=True)

    def state(self, state: State) -> None:
        now = time.monotonic()
        better = state.best != self._best
        if self._quiet or (not better and now - self._last < _EVERY):
            return
        self._best, self._last = state.best, now
        said = ""
        if state.speedup is not None:
            said = f", best so far in the search {state.speedup:.2f}x of none: {state.best}"
        print(f"{state.spent:.0f} s of {state.budget:.0f} s: {state.doing}, {state.trials} trials{said}",
              file=sys.stderr, flush=True)


class Live:
    """On a terminal: what goes on, how much of the budget is spent, and the best plan, in place."""

    def __init__(self) -> None:
        # Loaded only where there is a terminal to show it on.
        rich = importlib.import_module("rich.progress")
        column = importlib.import_module("rich.table").Column
        self._console = importlib.import_module("rich.console").Console(stderr=True)
        one_line = column(no_wrap=True, overflow="ellipsis", ratio=1)
        self._bars = rich.Progress(
            rich.TextColumn("{task.description}", markup=False, table_column=one_line), rich.BarColumn(bar_width=24),
            rich.TextColumn("{task.fields[said]:>14}", markup=False),
            console=self._console, transient=True, expand=True)
        self._budget = self._bars.add_task("budget", total=None, said="")
        self._doing = self._bars.add_task("", total=None, said="")
        self._best = self._bars.add_task("", total=1.0, said="")

    def __enter__(self) -> Live:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def note(self, text: str) -> None:
        self._bars.console.print(f"note: {text}", markup=False, highlight=False)

    def state(self, state: State) -> None:
        left = max(0.0, state.budget - state.spent)
        self._bars.update(self._budget, total=state.budget, completed=min(state.spent, state.budget),
                          description=f"{state.trials} trials", said=f"{left:.0f} s left")
        self._bars.update(self._doing, total=None if state.part is None else 1.0, completed=state.part or 0.0,
                          description=state.doing, said="" if state.part is None else f"{state.part:.0%}")
        if state.speedup is not None:
            self._bars.update(self._best, completed=min(1.0, 1 / state.speedup), description=f"best: {state.best}",
                              said=f"{state.speedup:.2f}x of none")


@contextmanager
def display(quiet: bool) -> Iterator[Lines | Live]:
    """What shows the tuner's progress: on a terminal in place, else in lines, with `quiet` notes alone."""
    if quiet or not sys.stderr.isatty():
        yield Lines(quiet)
        return
    with Live() as live:
        yield live


def print_outcome(outcome: Outcome, out: IO[str]) -> None:
    """What was found, for people."""
    for found in outcome.found:
        print("\n".join(_lines(found, outcome)), file=out)
    tally = ", ".join(f"{n} {status}" for status, n in sorted(outcome.statuses.items()))
    print(f"trials     {outcome.trials} ({tally}) of {outcome.space} plans" if outcome.trials else
          f"trials     none: all of the {outcome.space} plans that were asked for are known", file=out)
    print(f"time       {outcome.spent_s:.0f} s of {outcome.budget_s:.0f} s"
          + (", interrupted" if outcome.state == "interrupted" else ""), file=out)
    if outcome.mistakes:
        print(f"mistakes   {len(outcome.mistakes)} wrong answers: see above", file=out)
    named = "" if Path(outcome.database) == default_path() else f" --db {shlex.quote(outcome.database)}"
    print(f"kept in    {outcome.database}; irglc run --plan auto{named} uses it", file=out)


def _lines(found: Found, outcome: Outcome) -> Iterator[str]:
    several = len(outcome.found) > 1
    yield f"{f'{found.group}: ' if several else ''}best plan for {', '.join(found.inputs)}"
    yield f"  {found.plan}"
    low, high = found.speedup_none_interval
    of = ", measured once more side by side" if found.figures == "final" else ", as the search measured it"
    of = of if outcome.target != "simt" else ", modelled"
    yield f"  {found.speedup_none:.2f}x of none ({low:.2f} to {high:.2f}){of}"
    if found.speedup_default is not None and found.speedup_default_interval is not None:
        low, high = found.speedup_default_interval
        yield f"  {found.speedup_default:.2f}x of default ({low:.2f} to {high:.2f})"
    for name, times in found.per_input.items():
        low, high = times["interval"]
        modelled = "modelled " if outcome.target == "simt" else ""
        default = "" if times["default_ms"] is None else f", default {times['default_ms']:.3f} ms"
        yield (f"  {name}: {modelled}{times['ms']:.3f} ms ({low:.3f} to {high:.3f}), "
               f"none {times['none_ms']:.3f} ms{default}")
    if found.pareto:
        yield "  no other plan is faster on all graphs than"
        yield from (f"    {plan}" for plan in found.pareto)

