"""Which inputs are to get one plan, and the search that each group of them begins with."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.rt.call.run import cores
from irgl.rt.manifests.manifest import Manifest
from irgl.tune.choose.auto import seeds
from irgl.tune.inputs.features import Features
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.measure import TURN_MS, How
from irgl.tune.measure.protocol import Seen
from irgl.tune.results.store import Key, Store
from irgl.tune.results.trial import Trial
from irgl.tune.search.portfolio import EXHAUSTIVE, make_search
from irgl.tune.search.space import Space
from irgl.tune.session.group import Group
from irgl.tune.session.task import Task

#: What a build takes, in milliseconds, where the first one was in the cache and does not tell.
_BUILD_MS = 3000.0


def features_of(seen: Seen) -> Features | None:
    """The features of an input's first graph; None where it has none."""
    return Features.from_numbers(seen.features) if seen.features else None


def make_groups(task: Task, manifest: Manifest, space: Space, seen: Mapping[str, Seen], first: Mapping[str, Trial],
                store: Store, key: Key) -> list[Group]:
    """The groups of a task's inputs. seen, first: by an input's name, what it is and the reference's trial on it."""
    found: dict[str, list[Input]] = {}
    for given in task.inputs:
        features = features_of(seen[given.name])
        name = "all" if task.mode == "all" else features.graph_class if features is not None else "mesh"
        found.setdefault(name, []).append(given)
    groups = []
    for name, inputs in found.items():
        plans = [p for given in inputs
                 for p in seeds(manifest, features_of(seen[given.name]), task.target, store, key)]
        references = [first[given.name] for given in inputs]
        room = evaluations(space, references, task.budget / len(found))
        search = make_search(task.strategy, space, seed=task.seed, seeds=list(dict.fromkeys(plans)), evaluations=room)
        groups.append(Group(name, inputs, search, references))
    return groups


def evaluations(space: Space, references: list[Trial], seconds: float) -> int:
    """How many plans of a space can be measured in some time, roughly; of a large space, fewer than it has."""
    count = space.count()
    if count > EXHAUSTIVE:
        return EXHAUSTIVE
    builds = len({space.group(plan) for plan in space})
    build = max(t.build_ms for t in references) if any(t.build_ms > _BUILD_MS / 10 for t in references) else _BUILD_MS
    rounds = How().rounds * sum(max(t.median, TURN_MS) for t in references)
    return int(seconds * 1e3 * count / (count * rounds + builds * build / cores()))
