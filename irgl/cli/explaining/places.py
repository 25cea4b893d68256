"""What `irglc explain` and an editor's hovers say of the places of a program: both ask here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from irgl.analysis.check import check
from irgl.analysis.explain.facts import Explained
from irgl.analysis.explain.facts import explain as facts
from irgl.analysis.explain.text import lines
from irgl.analysis.explain.updates import Update
from irgl.analysis.names.symbols import Checked
from irgl.cli.explaining.updates import updates_under
from irgl.driver import front
from irgl.passes.lowering.lower_cuda import lower
from irgl.passes.pipeline import PASSES
from irgl.plan import Plan
from irgl.source import Source
from irgl.space import driven, laid_out, report, told


def compiled(source: Source) -> Checked:
    """The program as code is generated from it."""
    checked = front(source)
    for _, run in PASSES:
        checked = check(run(checked.program))
    return checked


def what_it_does(checked: Checked, plan: Plan) -> tuple[list[str], list[str]]:
    """What a plan does where, and where not, with the reason."""
    by_plan = driven(checked, plan)
    checked, plan, ways = by_plan.checked, by_plan.plan, told(by_plan.decisions)
    others = report(checked.program, plan, plan.target) if plan.target == "cpu" else told(
        [*lower(checked, plan).decisions, *laid_out(checked, plan)])
    return [*ways[0], *others[0]], [*ways[1], *others[1]]


def update_lines(found: Iterable[Update]) -> Iterator[str]:
    """Updates by the loops in which they stand."""
    for place, group in groupby(found, lambda u: u.place):
        yield f"  {place}"
        yield from (f"    {u}" for u in group)


def at_places(source: Source, plan: Plan) -> list[tuple[Explained, list[str]]]:
    """Each place of a program with all that is told of it: facts, updates and what the plan does there or not."""
    checked = compiled(source)
    by_plan = driven(checked, plan)
    changed = updates_under(by_plan.checked, by_plan.plan)
    applied, refused = what_it_does(checked, plan)
    found = []
    for p in facts(checked):
        of_plan = [f"  {line}" for line in (*applied, *refused) if line.startswith(f"{p.path}:")]
        updates = [*update_lines(u for u in changed if u.place == p.path)][1:]
        found.append((p, [*lines(p, every=False), *updates, *of_plan]))
    return found
