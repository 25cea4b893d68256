"""The plans of a program that chooses by its graph: for each class of graphs the best one that is known."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.plan import Plan
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError
from irgl.tune.choose.auto import Open, usable
from irgl.tune.choose.standard import standard
from irgl.tune.inputs.features import CLASSES, Features
from irgl.tune.results.keys import key_of
from irgl.tune.results.store import Store, default_path

#: Options that all variants in one file have in common: `auto` changes parameters, which are worked out before a
#: variant is chosen; the threads of a block are the headers' own. A stand-alone program takes its graph as it is.
SHARED = ("auto", "block")
ORDER = "order"


def variants_for(manifest: Manifest, target: str, under: Open) -> list[tuple[str, Plan]]:
    """Rules (inputs/rules.py) and plans, the last one for all graphs: what was tuned on this machine on the largest
    graph of a class, else what irgl ships for it. Of one entry where a plan is as good as any for all classes.

    Raises IrglError where the tuner's database can't be read.
    """
    tuned = _tuned(manifest, target, under)
    found = []
    for name, rule in CLASSES.items():
        shipped = standard(manifest.fingerprint, target, name)
        found.append((str(rule), tuned.get(name, shipped.plan)))
    last = _beside(found[-1][1], found[-1][1])
    together = [(rule, _beside(plan, last)) for rule, plan in found]
    while len(together) > 1 and together[-2][1] == together[-1][1]:
        del together[-2]
    return together


def _tuned(manifest: Manifest, target: str, under: Open) -> Mapping[str, Plan]:
    """By class of graphs, what a tuner on this machine found to be the fastest on the largest of them."""
    found: dict[str, tuple[int, Plan]] = {}
    if not default_path().is_file():
        return {}
    with Store() as store:
        key = key_of(manifest, target, None)
        for digest, (_, numbers) in store.inputs(key).items():
            features = Features.from_numbers(numbers) if numbers else None
            best = store.best(key, digest)
            plan = usable(best.plan, target, under) if best is not None else None
            if features is not None and plan is not None:
                known = found.get(features.graph_class)
                if known is None or known[0] < features.edges:
                    found[features.graph_class] = features.edges, plan
    return {name: plan for name, (_, plan) in found.items()}


def _beside(plan: Plan, last: Plan) -> Plan:
    """`plan` as it can stand in one file with `last`; that itself where it can't."""
    words = [f"{o.name}={last.text_of(o.name)}" for o in plan.options if o.name in SHARED]
    words += [f"{o.name}={o.plain}" for o in plan.options if o.name == ORDER]
    try:
        return plan.changed(" ".join(words))
    except IrglError:  # a GPU hasn't the registers for so many threads
        return last
