"""Which plan a run gets that asks for `default` or `auto`, and where that plan comes from.

`default` is what irgl ships for the program and the graph's class. `auto` is what a tuner on this machine has found:
on this very graph, else on the one most like it; else the default. `schedule` is what the program's own schedule says.
Words after each change the plan that they mean. Neither of the first two is a plan whose forms of edges don't fit into
the memory that is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irgl.plan import Plan
from irgl.rt.forms.placed import too_large
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.source import IrglError
from irgl.tune.choose.both_ways import by_edges
from irgl.tune.choose.laid_out import by_forms
from irgl.tune.choose.standard import Standard, standard
from irgl.tune.choose.texts import SCHEDULE, asks, changes_in, scheduled
from irgl.tune.inputs.features import Features, at_once, distance, of

if TYPE_CHECKING:
    from irgl.tune.results.store import Key, Store
    from irgl.tune.results.trial import Trial

#: Graphs further apart than this (irgl.tune.inputs.features.distance) are not similar.
SIMILAR = 2.0
GIVEN = "given"

#: The program's manifest under a plan; raises IrglError for one that it can't honour.
Open = Callable[[Plan], Manifest]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A plan, in words where it comes from, and the program under it. untuned: why `auto` had to take the default."""

    plan: Plan
    source: str
    manifest: Manifest
    untuned: str = ""

    @property
    def told(self) -> str:
        """Where the plan comes from, and why from there."""
        return f"{self.source}, since {self.untuned}" if self.untuned else self.source


@dataclass(frozen=True, slots=True)
class Given:
    """What a program is about to run on: its graphs as it wants them, its values under the plan that it has as long as
    no graph is known, its mesh, and how many threads."""

    graphs: Mapping[str, Graph]
    values: Callable[[], Mapping[str, Any]]
    mesh: Mesh | None = None
    threads: int | None = None

    @property
    def graph(self) -> Graph | None:
        """The first one."""
        return next(iter(self.graphs.values()), None)


def database(text: str, db: str | Path | None) -> Path | None:
    """The tuner's database that is named for a plan. Raises IrglError where the plan asks none, or there is none."""
    if db is None:
        return None
    if text.split()[:1] != ["auto"]:
        raise IrglError(f"a tuner's database has no meaning for the plan `{text}`",
                        hint="only the plan `auto` looks into it: say auto, or leave the database out")
    if not Path(db).is_file():
        raise IrglError("there is no such database", file=str(db), hint="irglc tune PROGRAM --graph FILE --db makes it")
    return Path(db)


def resolve(text: str, manifest: Manifest, given: Given, target: str, under: Open, db: Path | None = None) -> Chosen:
    """The plan that a text means for a program on a graph. Raises IrglError for what is no plan.

    manifest: the program's under before_graph(text, target). db: the tuner's database; None for its usual place.
    """
    if not asks(text):
        return Chosen(Plan.parse(text, target), GIVEN, manifest)
    word, changes = text.split()[0], changes_in(text)
    if word == SCHEDULE:
        own = manifest.schedule
        plan = scheduled(None if own is None else own.plan, changes, target, {} if own is None else dict(own.labels))
        return Chosen(plan, f"{SCHEDULE}, changed" if changes else SCHEDULE,
                      manifest if str(plan) == manifest.plan else under(plan))
    untuned = ""
    if word == "auto":
        plan, source, untuned = auto_plan(manifest, given, target, under, db, changes)
    else:
        plan, source = default_plan(manifest, given, target, under, changes)
    if changes:
        plan, source = plan.changed(changes), f"{source}, changed"
    return Chosen(plan, source, manifest if str(plan) == manifest.plan else under(plan), untuned)


def misfit(plan: Plan, given: Given, under: Open) -> str:
    """Why the forms of edges that a plan takes do not fit into memory; '': they do, or it takes none."""
    if plan == plan.over_rows:
        return ""
    needs = {g.name: g.forms for g in under(plan).graphs}
    return next((why for name, graph in given.graphs.items() if (why := too_large(graph, needs.get(name, ())))), "")


def default_plan(manifest: Manifest, given: Given, target: str, under: Open, changes: str = "") -> tuple[Plan, str]:
    """What irgl ships for the program and the graph's class, or what its options say by themselves; and which it is.

    changes: words that will change it.
    """
    graph = given.graph
    found = standard(manifest.fingerprint, target, None if graph is None else at_once(graph).graph_class)
    if target == "cpu" and graph is not None:
        found = by_forms(by_edges(found, manifest, graph, under), manifest, at_once(graph), changes, graph)
    large = misfit(found.plan, given, under)
    return (found.plan.over_rows, f"{found.source}, over rows: {large}") if large else (found.plan, found.source)


def auto_plan(manifest: Manifest, given: Given, target: str, under: Open, db: Path | None = None,
              changes: str = "") -> tuple[Plan, str, str]:
    """The fastest plan that was measured on this input, on this graph with other values, on the most similar graph;
    else the default, and why that. Of those whose forms of edges don't fit into memory it says why not. Raises
    IrglError where the tuner's database can't be read."""
    # Imported only here: all other runs do without a database.
    from irgl.tune.results.store import Store, default_path

    path = db if db is not None else default_path()
    if target == "ref":
        untuned = "the interpreter has no plans to tune"
    elif not path.is_file():
        untuned = "irglc tune has left no results here"
    else:
        known, fitting = False, _Fitting(given, target, under)
        with Store(db) as store:
            for key in _keys(store, manifest, target, given.threads):
                known = known or bool(store.inputs(key))
                for trial, source in _tuned(store, key, given, fitting):
                    plan = usable(trial.plan, target, under)
                    if plan is not None:
                        return plan, f"{source}{fitting.told}", ""
        untuned = f"{_why(known, manifest, target, given)}{fitting.told}"
    return *default_plan(manifest, given, target, under, changes), untuned


class _Fitting:
    """Tells of trials whether the forms of edges that their plans take fit into memory, and which did not."""

    def __init__(self, given: Given, target: str, under: Open) -> None:
        self.given, self.target, self.under = given, target, under
        self.large: dict[str, str] = {}

    def __call__(self, trial: Trial) -> bool:
        if trial.plan not in self.large:
            plan = usable(trial.plan, self.target, self.under)
            self.large[trial.plan] = "" if plan is None else misfit(plan, self.given, self.under)
        return not self.large[trial.plan]

    @property
    def told(self) -> str:
        """What was left out."""
        left = dict.fromkeys(why for why in self.large.values() if why)
        return f"; without plans that don't fit into memory: {', '.join(left)}" if left else ""


def _why(known: bool, manifest: Manifest, target: str, given: Given) -> str:
    """Why a database has no plan."""
    threads = ""
    if target == "cpu" and given.threads is not None:
        threads = f" on {given.threads} thread{'' if given.threads == 1 else 's'}"
    if known:
        return f"{manifest.program} was tuned on no graph like this one"
    return f"{manifest.program} was not tuned for {target}{threads} with this compiler and machine"


def shipped(manifest: Manifest, features: Features | None, target: str) -> Standard:
    """The default for graphs like one of which the features alone are known."""
    found = standard(manifest.fingerprint, target, None if features is None else features.graph_class)
    return by_forms(found, manifest, features) if target == "cpu" and features is not None else found


def seeds(manifest: Manifest, features: Features | None, target: str, store: Store | None = None,
          key: Key | None = None) -> list[Plan]:
    """Plans worth trying first: the default for such graphs, the program's schedule's, then what won on similar
    ones, the most similar first.

    What was found at a place of a program may not fit a copy of it under other names: that is for the caller to see.
    """
    plans = [shipped(manifest, features, target).plan]
    if manifest.schedule is not None:
        plans.append(Plan.parse(manifest.schedule.plan, target))
    if store is not None and key is not None and features is not None:
        won = (_parsed(trial.plan, target) for trial, _ in _on_similar(store, key, features))
        plans += [plan for plan in won if plan is not None]
    return list(dict.fromkeys(plans))


def _keys(store: Store, manifest: Manifest, target: str, threads: int | None) -> list[Key]:
    """The keys under which results may be that hold here: on simt, those of every GPU that was modelled."""
    from irgl.tune.results.compiler import compiler_of
    from irgl.tune.results.keys import key_of

    if target != "simt":
        return [key_of(manifest, target, threads)]
    own = (replace(s.key, compiler=compiler_of(target)) for s in store.sessions()
           if (s.key.program, s.key.target) == (manifest.fingerprint, target))
    return list(dict.fromkeys(own))


def _tuned(store: Store, key: Key, given: Given, takes: Callable[[Trial], bool]) -> Iterator[tuple[Trial, str]]:
    """The fastest variants on what is like this input that `takes` takes, the most like it first, and what it is."""
    from irgl.tune.inputs.digest import input_digest

    digest = input_digest(given.graphs, given.values(), given.mesh)
    same = f"{digest.partition('-')[0]}-"
    known = store.inputs(key)
    for one in (digest, *(d for d in known if d != digest and d.startswith(same))):
        best = store.best(key, one, takes)
        if best is not None:
            yield best, "tuned on this graph"
    if given.graph is not None and known:
        yield from _on_similar(store, key, _features(store, digest, given.graph), takes, alike=True)


def _features(store: Store, digest: str, graph: Graph) -> Features:
    """All features of a graph, which are looked for once: that may take longer than a run."""
    known = store.described(digest)
    if known:
        return Features.from_numbers(known)
    found = of(graph)
    store.describe(digest, graph.source, found.as_numbers())
    return found


def _on_similar(store: Store, key: Key, features: Features, takes: Callable[[Trial], bool] = lambda _: True, *,
                alike: bool = False) -> Iterator[tuple[Trial, str]]:
    """What won on similar graphs, the most similar first; `alike`: only on those of the same class."""
    near = []
    for digest, (name, numbers) in store.inputs(key).items():
        other = Features.from_numbers(numbers) if numbers else None
        if other is not None and (not alike or other.graph_class == features.graph_class):
            near.append((distance(features, other), digest, name))
    for far, digest, name in sorted(near):
        best = store.best(key, digest, takes) if far <= SIMILAR else None
        if best is not None:
            yield best, f"tuned on a similar graph {name}"


def usable(text: str, target: str, under: Open) -> Plan | None:
    """The plan of a result; None where the program can't honour it: a copy under other names has other places."""
    plan = _parsed(text, target)
    try:
        if plan is not None and plan.scoped:
            under(plan)
    except IrglError:
        return None
    return plan


def _parsed(text: str, target: str) -> Plan | None:
    """The plan of a result; None where irgl lacks an option that it speaks of: another version measured it."""
    try:
        return Plan.parse(text, target)
    except IrglError:
        return None
