"""The benchmark of features times irgl beside SciPy on the same arrays, and tells how far its sums are off."""

from __future__ import annotations

import json
import sys

import numpy as np
import scipy.sparse as sp
from support.places import BENCHMARKS

sys.path.insert(0, str(BENCHMARKS))
import features

MATRIX = sp.random_array((50, 50), density=0.1, rng=np.random.default_rng(2), format="csr", dtype=np.float32)


def test_a_row_has_both_times_and_how_far_sums_are_off() -> None:
    row = features.measured(MATRIX, 3, 2, 1)
    assert {"irgl_1_ms", "irgl_2_ms", "irgl_1_call_ms", "irgl_2_call_ms", "scipy_ms"} <= row.keys()
    assert 0 <= row["off"] < 1e-5


def test_the_kept_results_reach_what_is_expected_of_them() -> None:
    found = json.loads((BENCHMARKS / "results" / "features.json").read_text(encoding="utf-8"))["features"]
    least = {"kron18": 3.0, "cnr-2000": 3.0, "NY": 1.8}
    assert {row["graph"] for row in found["rows"]} == set(least)
    assert all(row["scipy_ms"] / row["irgl_2_ms"] >= least[row["graph"]] for row in found["rows"])
    assert max(row["off"] for row in found["rows"]) <= 1e-5
