"""What all tests share: the `matrix` marker for long sweeps, and the real graphs beside the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED_GRAPHS = Path(__file__).resolve().parent.parent.parent / "shared" / "graphs"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "matrix: a long sweep, left out unless IRGL_MATRIX=1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("IRGL_MATRIX") == "1":
        return
    for item in items:
        if item.get_closest_marker("matrix") is not None:
            item.add_marker(pytest.mark.skip(reason="a long sweep: set IRGL_MATRIX=1"))


@pytest.fixture
def shared_graphs() -> Path:
    """The folder of real graphs, ../shared/graphs from the repository's root; skips the test where it is absent."""
    if not SHARED_GRAPHS.is_dir():
        pytest.skip("the real graphs are absent: they are looked for at ../shared/graphs, beside the repository")
    return SHARED_GRAPHS


class SharedGraph:
    """Paths of real graphs by name: `shared_graph("road.gr")`; skips the test where there is no such file."""

    def __call__(self, name: str) -> Path:
        path = SHARED_GRAPHS / name
        if not path.exists():
            pytest.skip(f"no ../shared/graphs/{name} beside the repository")
        return path


@pytest.fixture
def shared_graph() -> SharedGraph:
    return SharedGraph()
