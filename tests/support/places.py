"""Where things are: the repository, its tests, and the real graphs beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
BENCHMARKS = ROOT / "benchmarks"
PROGRAMS = ROOT / "programs"
#: Real graphs with known answers; absent from a clone that has nothing beside it.
SHARED_GRAPHS = ROOT.parent / "shared" / "graphs"


class SharedGraph:
    """Paths of real graphs by name: `shared_graph("road.gr")`; skips the test where there is no such file."""

    def __call__(self, name: str) -> Path:
        path = SHARED_GRAPHS / name
        if not path.exists():
            pytest.skip(f"no ../shared/graphs/{name} beside the repository")
        return path
