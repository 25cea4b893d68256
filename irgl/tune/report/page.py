"""The report of a tuning: one HTML page that has everything in it, and asks nothing of any network."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from irgl.tune.report import code as report_code
from irgl.tune.report import curve as report_curve
from irgl.tune.report import effects as report_effects
from irgl.tune.report import heat as report_heat
from irgl.tune.report import parallel as report_parallel
from irgl.tune.report import plan as report_plan
from irgl.tune.report import turns as report_turns
from irgl.tune.report.draw import count, digits, duration, ms, times
from irgl.tune.report.facts import Facts, Tuned, mean
from irgl.tune.report.rows import Mark, Row, Rows, drawn
from irgl.tune.results.trial import Status, Trial

_TEMPLATES = Path(__file__).resolve().parent / "templates"
#: Kinds of failures that are listed, and the most of their trials that are named.
_KINDS, _NAMED = 40, 3


@dataclass(frozen=True, slots=True)
class Failure:
    """Trials that ended alike. wrong: the compiler is at fault; shown_by: the reproducer's folder, if there is one."""

    status: str
    wrong: bool
    why: str
    shown_by: str
    trials: int
    plans: tuple[tuple[str, str], ...]


def page(tuned: Tuned) -> str:
    """The page. The same trials give the same bytes."""
    facts = Facts(tuned)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(_TEMPLATES), undefined=jinja2.StrictUndefined,
                                     autoescape=True, trim_blocks=True, lstrip_blocks=True)  # fmt: skip
    environment.filters.update(times=times, ms=ms, duration=duration, count=count)
    files = {n: Markup((_TEMPLATES / f"report.{n}").read_text(encoding="utf-8")) for n in ("css", "js")}
    return environment.get_template("report.html.j2").render(**files, **_sections(facts))


def _sections(facts: Facts) -> dict[str, Any]:
    """What the template shows."""
    tuned, best, final, searched = facts.tuned, facts.best, facts.final, facts.searched
    winner = tuned.compiled(best) if best is not None else None
    plain = tuned.compiled(tuned.plain) if winner is not None else None
    blocks = report_code.beside(plain.text, winner.text) if winner is not None and plain is not None else []
    return {
        "tuned": tuned,
        "name": Path(tuned.program).name,
        "best": best,
        "command": _command(facts, best),
        "best_short": report_heat.name(facts, best) if best is not None else "",
        "graphs": facts.graphs,
        "timed": sum(math.isfinite(t.median) for t in facts.trials),
        "gain": final.paired(best, tuned.plain),
        "gain_interval": final.interval(best, tuned.plain),
        "by_class": mean(g for graph, plan in facts.chosen.items()
                         if (g := final.paired(plan, tuned.plain, [graph])) is not None),
        "over_default": final.paired(best, None),
        "default_interval": final.interval(best, None),
        "plans": len(facts.plans),
        "drift": facts.drift(),
        "per_graph": per_graph(final),
        "again": final is not facts,
        "curves": report_curve.panels(searched),
        "effects": report_effects.alone_and_left_out(searched),
        "together": report_effects.together(searched),
        "over_all": report_effects.over_all(searched),
        "heat": report_heat.plans_by_graphs(searched) if best is not None else None,
        "space": report_parallel.space(searched),
        "classes": [words for _, words in report_parallel.CLASSES],
        "failures": failures(facts),
        "failed": len(facts.failed),
        "winner": winner,
        "words": report_plan.words(facts, best) if best is not None else [],
        "applied": report_plan.said(winner.applied) if winner is not None else [],
        "refused": report_plan.said(winner.not_applicable) if winner is not None else [],
        "rounds": report_turns.by_graph(facts),
        "blocks": blocks,
        "changed": report_code.changed(blocks),
    }


def _command(facts: Facts, best: str | None) -> str:
    """What runs the best plan."""
    graph = facts.graphs[0] if len(facts.graphs) == 1 else "FILE"
    return shlex.join(["irglc", "run", facts.tuned.program, facts.tuned.given_by, graph, "--target", facts.tuned.target,
                       "--plan", best or ""])  # fmt: skip


def per_graph(facts: Facts) -> Rows | None:
    """For each graph: the default plan, the one for all, and the graph's own best, as speedups over the plain plan."""
    rows, best, tuned = [], facts.best, facts.tuned
    for graph in facts.graphs:
        own = facts.fastest.get(graph)
        if own is None or not math.isfinite(facts.ms(tuned.plain, graph)):
            continue
        marks, one = [], facts.paired(best, tuned.plain, [graph])
        interval = facts.interval(best, tuned.plain, [graph])
        top = facts.paired(own, tuned.plain, [graph])
        default = facts.paired(facts.default(graph), tuned.plain, [graph])
        other = top if len(facts.graphs) > 1 else default
        if interval is not None:
            marks.append(Mark("span", *interval))
        shown = top if len(facts.graphs) > 1 else None
        marks += [Mark(kind, v) for kind, v in (("bar", shown), ("ring", default), ("dot", one)) if v is not None]
        sure = f"{digits(interval[0])}–{digits(interval[1])}" if interval is not None else "–"
        numbers = (times(one), sure, times(other), ms(facts.ms(tuned.plain, graph)))
        rows.append(Row(graph, tuple(marks), numbers))
    head = ("speedup", "95% interval", "own best" if len(facts.graphs) > 1 else "default", "plain takes")
    return drawn(rows, head) if rows else None


def _reproducer(facts: Facts, trials: list[Trial]) -> str:
    known = facts.tuned.reproducers
    return next((known[t.plan, t.input] for t in trials if (t.plan, t.input) in known), "")


def failures(facts: Facts) -> list[Failure]:
    """What failed, wrong answers first, then by how often."""
    alike: dict[tuple[str, str], list[Trial]] = {}
    for t in facts.failed:
        alike.setdefault((str(t.status), t.why.strip()), []).append(t)
    found = [
        Failure(status, status == Status.WRONG, why, _reproducer(facts, trials), len(trials),
                tuple((report_heat.name(facts, t.plan), t.input) for t in trials[:_NAMED]))
        for (status, why), trials in alike.items()
    ]  # fmt: skip
    return sorted(found, key=lambda f: (not f.wrong, -f.trials))[:_KINDS]
