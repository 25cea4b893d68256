"""What a report is made from, out of the results database."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from irgl.driver import ready
from irgl.frontends.load import SCHEDULED
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.tune.choose.standard import standard
from irgl.tune.report.facts import Tuned, Variant
from irgl.tune.results.store import Session, Store
from irgl.tune.results.trial import Trial
from irgl.tune.search.space import space_of


def load(path: str, store: Store, target: str | None, graphs: Collection[str], schedule: str | None = None) -> Tuned:
    """The results of a program: of the sessions like the last one (its target, machine and threads), on some graphs
    or, where none is named, on all. schedule: the file under whose schedule it was tuned, in place of its own.

    Raises IrglError where there is none, and for a program with mistakes.
    """
    sessions = _sessions(path, store, target, schedule)
    key = sessions[0].key
    digests = {digest: name for s in reversed(sessions) for name, digest in s.settings.get("inputs", {}).items()}
    names = _names(digests)
    chosen = _chosen(names, graphs, path)
    trials = _trials(store, sessions[0], chosen)
    sessions = [s for s in sessions if set(s.settings.get("inputs", {}).values()) & set(chosen)]
    found = [f for s in reversed(sessions) for f in s.outcome.get("found", ())]
    # A session calls a graph what its caller did; two graphs of one name have two here.
    mine = {given: names[d] for s in sessions for given, d in s.settings["inputs"].items() if d in chosen}
    manifest = open_program(path, Plan(target=key.target), schedule=schedule)
    return Tuned(
        program=path, target=key.target, machine=re.sub(r", [0-9a-f]{8}$", "", key.machine), threads=key.threads,
        trials=tuple(trials),
        plain=str(Plan.none(key.target)),
        default=str(standard(manifest.fingerprint, key.target, None).plan),
        defaults=_by_graph(found, mine, "default_plan"),
        won={mine[g]: f["plan"] for f in found for g in f.get("inputs", ()) if g in mine},
        rounds=_rounds(found, mine),
        reproducers=_reproducers(sessions, mine),
        space=space_of(ready(path, schedule=schedule), key.target).count(),
        seconds=sum(float(s.outcome.get("spent", 0.0)) for s in sessions),
        given_by="--graph" if manifest.graphs else "--mesh",
        compiled=lambda plan: _compiled(path, plan, key.target, schedule),
    )  # fmt: skip


def _sessions(path: str, store: Store, target: str | None, schedule: str | None) -> list[Session]:
    """Those of the program, the last begun first, whose results are comparable with that one's."""
    digest = open_program(path, schedule=schedule).fingerprint
    mine = [s for s in store.sessions() if s.key.program == digest and target in (None, s.key.target)]
    if not mine:
        on = f" on {target}" if target is not None else ""
        there = f" --target {target}" if target is not None else ""
        under = "; or say the --schedule that it was tuned under" * (Path(path).suffix in SCHEDULED and not schedule)
        raise IrglError(f"there are no results of it{on} in {store.path}", file=path,
                        hint=f"irglc tune {path}{there} --graph FILE{under}")
    return [s for s in mine if s.key == mine[0].key]


def _names(digests: dict[str, str]) -> dict[str, str]:
    """A name of its own for each input."""
    found: dict[str, str] = {}
    for digest, name in digests.items():
        taken = sum(n == name or n.startswith(f"{name} (") for n in found.values())
        found[digest] = name if not taken else f"{name} ({taken + 1})"
    return found


def _chosen(names: dict[str, str], graphs: Collection[str], path: str) -> dict[str, str]:
    """The inputs that are wanted, by digest; a file may be named with its folder or without."""
    def means(wanted: str, name: str) -> bool:
        return wanted == name or Path(wanted).name == Path(name).name

    for wanted in graphs:
        if not any(means(wanted, name) for name in names.values()):
            raise IrglError(f"there are no results on the graph `{wanted}`", file=path,
                            hint=f"there are results on {', '.join(names.values())}")
    return {d: n for d, n in names.items() if not graphs or any(means(w, n) for w in graphs)}


def _trials(store: Store, last: Session, chosen: dict[str, str]) -> list[Trial]:
    """Under the name that each input has here."""
    return [replace(t, input=name) for digest, name in chosen.items() for t in store.trials(last.key, digest)]


def _by_graph(found: Iterable[dict[str, Any]], names: dict[str, str], what: str) -> dict[str, str]:
    return {names[g]: said[what] for f in found for g, said in f.get("per_input", {}).items()
            if g in names and what in said}  # fmt: skip


def _rounds(found: Iterable[dict[str, Any]], names: dict[str, str]) -> dict[str, Any]:
    """Those of the last plan that won; none where that turns nothing."""
    return {names[g]: f.get("per_input", {}).get(g, {}).get("rounds", ()) for f in found for g in f.get("inputs", ())
            if g in names}


def _reproducers(sessions: Iterable[Session], names: dict[str, str]) -> dict[tuple[str, str], str]:
    return {(m["plan"], names[m["input"]]): m["reproducer"] for s in sessions for m in s.outcome.get("mistakes", ())
            if m["input"] in names and m["reproducer"]}  # fmt: skip


def _compiled(path: str, text: str, target: str, schedule: str | None) -> Variant | None:
    try:
        found = open_program(path, Plan.parse(text, target), schedule=schedule)
    except IrglError:  # it speaks of an option, or a place, that there is no more
        return None
    return Variant(found.text, found.applied, found.not_applicable)
