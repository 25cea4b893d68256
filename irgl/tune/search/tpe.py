"""The tree-structured Parzen estimator of Optuna: proposals that are likelier among the good plans than among the rest.

Optuna holds what is known and proposes; that a plan is legal and has not been tried is seen to here.
"""

from __future__ import annotations

import importlib
import random
import warnings
from typing import Any

from irgl.plan import Plan
from irgl.source import IrglError
from irgl.tune.results.trial import Status
from irgl.tune.search.pool import Pool
from irgl.tune.search.search import Value

#: How often it is asked again when it proposes what is known, before the nearest that isn't is taken.
_PATIENCE = 5


class Tpe:
    """Optuna's TPE over the dimensions of a space; with several objectives, over their Pareto front."""

    name = "tpe"

    def __init__(self, pool: Pool, seed: int, objectives: int = 1) -> None:
        self._pool, self._rng = pool, random.Random(seed)
        self._optuna = _optuna()
        self._optuna.logging.set_verbosity(self._optuna.logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that options of the sampler may change
            sampler = self._optuna.samplers.TPESampler(multivariate=True, group=True, n_startup_trials=5, seed=seed)
        self._study = self._optuna.create_study(directions=["minimize"] * objectives, sampler=sampler)
        self._objectives = objectives

    def ask(self) -> Plan | None:
        plan = None
        for _ in range(_PATIENCE):
            found = self._proposed()
            if found is not None and self._pool.free(found):
                plan = found
                break
            plan = found if found is not None else plan
        if plan is None:
            plan = next(iter(self._pool.draw(self._rng, 1)), None)
        elif not self._pool.free(plan):
            near = self._pool.near(plan) or self._pool.draw(self._rng, 1)
            plan = self._rng.choice(near) if near else None
        return plan

    def tell(self, plan: Plan, value: Value | None, status: Status) -> None:
        params = self._pool.space.assignment(plan)
        kinds = {d.key: self._optuna.distributions.CategoricalDistribution(d.values) for d in self._pool.dimensions}
        state = self._optuna.trial.TrialState
        useful = value is not None and status in (Status.OK, Status.CUT)
        values = None if not useful else [value] if isinstance(value, float | int) else list(value or ())
        self._study.add_trial(self._optuna.trial.create_trial(
            params=params, distributions={k: kinds[k] for k in params}, values=values,
            state=state.COMPLETE if useful else state.FAIL))

    def _proposed(self) -> Plan | None:
        """What Optuna proposes, None where the plan is refused. It is told of results by whole trials alone."""
        trial, chosen = self._study.ask(), dict[str, str]()
        for d in self._pool.dimensions:
            if d.in_force(chosen):
                chosen[d.key] = trial.suggest_categorical(d.key, d.values)
        self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        try:
            return self._pool.space.plan(chosen)
        except IrglError:
            return None


def _optuna() -> Any:
    try:
        return importlib.import_module("optuna")
    except ImportError:
        raise IrglError("this search needs Optuna, which is not installed",
                        hint="pip install 'irgl[tune]', or choose the search `local`") from None
