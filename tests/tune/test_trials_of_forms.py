"""What building a plan's forms took counts against it, spread over as many runs as the user says."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.plan import Plan
from irgl.rt.graphs.loading import Loading
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.builds import Builds
from irgl.tune.measure.measure import Asked, How, Measurer
from irgl.tune.results.trial import FORMAT_MS, SPREAD_OVER, Status, Trial


def test_a_trial_is_spread_over_another_number_of_runs() -> None:
    trial = Trial("p", "g", Status.OK, (11.0, 12.0), stats={FORMAT_MS: 100.0, SPREAD_OVER: 100.0})
    assert trial.spread(10).times == (20.0, 21.0)
    assert trial.spread(10).stats[SPREAD_OVER] == 10
    assert trial.spread(10).spread(100).times == trial.times


def test_a_trial_without_forms_stays() -> None:
    trial = Trial("p", "g", Status.OK, (11.0,))
    assert trial.spread(3) is trial


@pytest.mark.parametrize("runs", [1, 1000])
def test_a_measured_plan_has_its_forms_charged(runs: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    given = Input("g", ("rmat:10,seed=1",), (), Loading(), None, None)
    with Measurer(Builds("pr_pull", "cpu"), How(rounds=1, runs=runs, threads=1)) as m:
        m.reference(given, m.look(given))
        trial = m.batch([Asked(Plan.parse("none format=coo"), "test")], given, rivals=False)[0]
    assert trial.status is Status.OK
    assert trial.stats[SPREAD_OVER] == runs
    assert trial.stats[FORMAT_MS] > 0
    assert trial.median > trial.stats[FORMAT_MS] / runs
