"""The search that the tuner runs: known plans first, then a search by itself until it is stuck, then several in turn,
each told of all results."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence

from irgl.plan import Plan
from irgl.source import IrglError
from irgl.tune.results.trial import Status
from irgl.tune.search.local import Local
from irgl.tune.search.pool import Pool
from irgl.tune.search.published import published
from irgl.tune.search.search import Exhaustive, Random, Search, Value, first_of
from irgl.tune.search.space import Space

#: A space of at most so many plans is searched whole, unless the budget says otherwise.
EXHAUSTIVE = 300
#: The first of several searches is stuck when so many plans in a row have saved less than this part of the time.
#: (Replayed on recorded times, benchmarks/tune_replay.py: without, every second step of the climb starts elsewhere.)
PATIENCE, GAIN = 20, 0.01


class Portfolio:
    """Proposes the seeds, then what its first search does as long as that helps, and then what all do, in turn.

    `by(plan)` says who proposed a plan: `default`, `none`, `transfer`, `published` for the seeds, else the search's
    name.
    """

    def __init__(self, name: str, pool: Pool, seeds: Sequence[tuple[str, Plan]], searches: Sequence[Search]) -> None:
        self.name = name
        self._pool, self._searches = pool, list(searches)
        self._seeds = [(by, plan) for by, plan in seeds if plan in pool]
        self._by: dict[Plan, str] = {}
        self._turn = 0
        self._best, self._in_vain = math.inf, 0

    def ask(self) -> Plan | None:
        for by, plan in self._seeds:
            if self._pool.free(plan):
                return self._taken(plan, by)
        for search in self._in_turn():
            found = search.ask()
            if found is not None:
                return self._taken(found, search.name)
        return None

    def _in_turn(self) -> list[Search]:
        """The searches in the order in which they are asked now."""
        at = self._turn % len(self._searches) if self._in_vain >= PATIENCE else 0
        self._turn += 1
        return self._searches[at:] + self._searches[:at]

    def _taken(self, plan: Plan, by: str) -> Plan:
        self._pool.take(plan)
        self._by[plan] = by
        return plan

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None:
        self._pool.take(plan)  # whoever proposed it
        for search in self._searches:
            search.tell(plan, value, status)
        time = first_of(value, status)
        if time is not None and status is Status.OK and time < (1 - GAIN) * self._best:
            self._best, self._in_vain = time, 0
        else:
            self._in_vain += 1

    def by(self, plan: Plan) -> str:
        """Who proposed it; '' for a plan that was not asked for here."""
        return self._by.get(plan, "")


def _made(name: str, pool: Pool, seed: int, objectives: int) -> Search:
    match name:
        case "exhaustive":
            return Exhaustive(pool)
        case "random":
            return Random(pool, seed)
        case "local":
            return Local(pool, seed)
        case "model":  # SciPy takes a while to load
            model: Search = importlib.import_module("irgl.tune.search.model").Model(pool, seed)
            return model
        case "tpe":  # Optuna is an extra
            tpe: Search = importlib.import_module("irgl.tune.search.tpe").Tpe(pool, seed, objectives)
            return tpe
    raise AssertionError(name)


#: What each search that can be asked for by name is made of.
SEARCHES = {**{name: (name,) for name in ("exhaustive", "random", "local", "model", "tpe")},
            "portfolio": ("local", "model")}


def make_search(name: str, space: Space, *, seed: int = 0, seeds: Sequence[Plan] = (), objectives: int = 1,
                allowed: Sequence[Plan] | None = None, evaluations: int | None = None) -> Portfolio:
    """The search of that name; `auto`: the whole space where it is small, the portfolio elsewhere.

    seeds: plans that have won on similar inputs. objectives: how many values a tell gives. allowed: the only plans that
    may be proposed. evaluations: how many the budget has room for; EXHAUSTIVE where nothing is said.
    Raises IrglError for an unknown name, and where the search needs what is not installed.
    """
    pool = Pool(space, allowed)
    if name == "auto":
        name = "exhaustive" if pool.total <= (EXHAUSTIVE if evaluations is None else evaluations) else "portfolio"
    if name not in SEARCHES:
        raise IrglError(f"no search is called `{name}`", hint=f"searches: auto, {', '.join(SEARCHES)}")
    known = [("default", space.default), ("none", space.none),
             *(("transfer", space.nearest(plan)) for plan in seeds),
             *(("published", plan) for plan in published(space))]
    return Portfolio(name, pool, known, [_made(part, pool, seed, objectives) for part in SEARCHES[name]])
