"""Damaged files of every form that irgl maps: refused, or read without a step outside of them (support/mapped.py).

Each sweep runs in a process of its own, so that a crash is seen; one mutant in two has a checksum that fits it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from support.mapped import FORMS
from support.places import TESTS
from support.promises import keeps

FEW = {"call files": 500, "irglg in C++": 500, "wide irglg in C++": 500, "irglg": 1000, "manifests": 500, "store": 1000,
       "forms": 1000}


@keeps("mapped-forms")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [0, pytest.param(100_000, marks=pytest.mark.matrix)])
def test_damaged_files_are_refused_or_read_within_their_bounds(form: str, count: int) -> None:
    count = count or FEW[form]
    done = subprocess.run([sys.executable, "-m", "support.mapped", form, str(count), "1"], capture_output=True,
                          text=True, check=False, cwd=TESTS, env={**os.environ, "PYTHONFAULTHANDLER": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.fullmatch(r".*, seed 1: (\d+) refused, (\d+) accepted\n", done.stdout)
    assert found is not None and int(found[1]) > count // 4 and int(found[2]) > count // 20, done.stdout
