"""NetworkX's own tests on the backend: they pass, and they run compiled kernels."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from support.nx_exceptions import EXCEPTIONS
from support.places import TESTS

from irgl.nx_backend.versions import FOLLOWED, HAVE

pytestmark = pytest.mark.skipif(HAVE < FOLLOWED, reason="the backend follows a later NetworkX")
HERE = TESTS
THEIRS = Path(nx.__file__).resolve().parent
#: Folders and files of NetworkX; how many of their tests run a kernel, and in how many functions.
QUICK = {
    "paths": (["algorithms/shortest_paths", "algorithms/traversal", "algorithms/components"], 120, 54),
    "centrality": (["algorithms/centrality", "algorithms/link_analysis", "algorithms/bipartite"], 245, 18),
    "trees": (["algorithms/tree"], 98, 12),
    "others": ([f"algorithms/tests/test_{n}.py" for n in ("cluster", "core", "dag", "mis", "distance_regular",
                                                          "simple_paths", "cycles")], 100, 28),
}  # fmt: skip
SWEEP = [
    "algorithms/tests", "algorithms/approximation", "algorithms/assortativity", "algorithms/coloring",
    "algorithms/community", "algorithms/connectivity", "algorithms/flow", "algorithms/isomorphism", "algorithms/minors",
    "algorithms/operators", "classes", "drawing", "generators", "linalg", "readwrite", "tests", "utils",
]  # fmt: skip


def run(places: list[str], counts: Path) -> dict[str, list[str]]:
    """Runs some of NetworkX's tests; by function, those that ran a kernel. Every failure is the test's."""
    env = {**os.environ, "NETWORKX_TEST_BACKEND": "irgl", "NETWORKX_FALLBACK_TO_NX": "True",
           "IRGL_NX_COUNTS": str(counts), "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "support.nx_counting", "-p", "no:cacheprovider",
               "--tb=short", f"--rootdir={THEIRS}", f"--confcutdir={THEIRS}", *(str(THEIRS / p) for p in places)]
    done = subprocess.run(command, env=env, cwd=counts.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    found: dict[str, list[str]] = json.loads(counts.read_text())
    return found


@pytest.mark.parametrize("part", QUICK)
def test_networkx_passes_its_own_tests(part: str, tmp_path: Path) -> None:
    places, least, functions = QUICK[part]
    found = run(places, tmp_path / "counts.json")
    assert len(set().union(*found.values())) >= least
    assert len(found) >= functions


@pytest.mark.matrix
@pytest.mark.parametrize("place", SWEEP)
def test_networkx_passes_the_rest_of_its_own_tests(place: str, tmp_path: Path) -> None:
    run([place], tmp_path / "counts.json")


def test_exceptions_are_listed_for_users() -> None:
    text = (HERE.parent / "docs" / "networkx.md").read_text(encoding="utf-8")
    for test, reason in EXCEPTIONS.items():
        assert test in text
        assert re.sub(r"\s+", " ", reason) in re.sub(r"\s+", " ", text)
