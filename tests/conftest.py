"""What all tests share: the `matrix` marker for long sweeps, and the real graphs beside the repository."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from support import precompiled
from support.places import SHARED_GRAPHS, TESTS, SharedGraph
from support.quick import QUICK, left_out, left_to_matrix, resting, rules, slow


def pytest_configure(config: pytest.Config) -> None:
    config.stash[BUILT_QUICKLY] = "IRGL_CXXFLAGS" not in os.environ
    if config.getoption("--quick"):
        os.environ[QUICK] = "1"
    # A shell starts what it runs in the background without Ctrl-C, and what the tests start would inherit that.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "matrix: a long sweep, left out unless IRGL_MATRIX=1 (or K/N: an Nth of them)")


#: What is built is mostly run once, on small graphs: building it is what takes time. So tests do with units that the
#: C++ compiler hardly optimizes, unless somebody says otherwise, but for those of some rooms when all tests are run.
BUILT_QUICKLY = pytest.StashKey[bool]()
QUICKLY, OPTIMIZED = "-Og", ("sweeps", "programs")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.stash[BUILT_QUICKLY]:
        whole = _name(item).partition("/")[0] in OPTIMIZED and not item.config.getoption("--quick")
        os.environ["IRGL_CXXFLAGS"] = "" if whole else QUICKLY


def pytest_collection_finish() -> None:
    """Before the first test. What has been collected stays to the end: no collection of garbage need look at it."""
    precompiled.install({os.environ.get("IRGL_CXXFLAGS", ""), QUICKLY})
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what tests/quick.txt names: `make test`")


#: Folders whose files take long: they come first, and of the others those of many long tests, so that no process is
#: left alone with one in the end.
LONG = ("sweeps", "plans", "cuda_rt", "passes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):  # one of several processes
        many = Counter(test.partition("::")[0] for test in slow())
        items.sort(key=lambda item: (_name(item).partition("/")[0] not in LONG, -many[_name(item).partition("::")[0]]))
    once = [_name(item) for item in items if item.get_closest_marker("matrix") is None]
    waiting, idle = left_out(once, rules())
    if idle and _runs_all(config):  # told in CI, too, which goes by the table for what `make matrix` runs
        tests = ", ".join(rule.test for rule in idle)
        raise pytest.UsageError(f"tests/quick.txt: rules that leave out nothing, or all: {tests}")
    if config.getoption("--quick"):  # without sweeps, and what repeats another test
        if _runs_all(config):
            waiting |= _resting(once, slow())
        _keep(config, items, lambda item: item.get_closest_marker("matrix") is None and _name(item) not in waiting)
    wanted = os.environ.get("IRGL_MATRIX", "")
    if wanted == "1":
        return
    if not config.getoption("--quick") and not wanted and _runs_all(config):
        waiting = _left_to_matrix(items)
        _keep(config, items, lambda item: _name(item) not in waiting)
    if wanted:
        _keep_shard(config, items, wanted)
        return
    for item in items:
        if item.get_closest_marker("matrix") is not None:
            item.add_marker(pytest.mark.skip(reason="a long sweep: set IRGL_MATRIX=1"))


def _resting(names: list[str], long: list[str]) -> set[str]:
    """Those of the tests that `make test` leaves to CI, since they take long."""
    bare = {name: name.partition("[")[0] for name in names}
    if unknown := [name for name in long if name not in bare.values()]:
        raise pytest.UsageError(f"tests/slow.txt: no such tests: {', '.join(unknown)}")
    rest = resting(long)
    return {name for name in names if bare[name] in rest}


def _left_to_matrix(items: list[pytest.Item]) -> set[str]:
    """The names of tests that repeat others, of which `make test-all` runs some alone."""
    once = [_name(item) for item in items if item.get_closest_marker("matrix") is None]
    return left_to_matrix(once, rules())


def _runs_all(config: pytest.Config) -> bool:
    """Is nothing named on the command line?"""
    return bool(config.args == config.getini("testpaths"))


def _keep(config: pytest.Config, items: list[pytest.Item], stays: Callable[[pytest.Item], bool]) -> None:
    kept = [item for item in items if stays(item)]
    chosen = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = kept


def _name(item: pytest.Item) -> str:
    """A test's file, seen from tests/, and its name: `language/test_skip.py::test_skip[1]`."""
    return f"{_file(item.path)}::{item.nodeid.partition('::')[2]}"


@cache  # there are many tests in a file
def _file(path: Path) -> Path:
    return path.relative_to(TESTS)


def _keep_shard(config: pytest.Config, items: list[pytest.Item], wanted: str) -> None:
    """Of the sweeps those whose number is K modulo N, and nothing else: shards 1/N to N/N are all of them."""
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", wanted)
    if found is None or int(found[1]) > int(found[2]):
        raise pytest.UsageError(f"IRGL_MATRIX={wanted}: it takes 1, or K/N for shard K of N")
    k, n = int(found[1]), int(found[2])
    repeats = _left_to_matrix(items)
    sweeps = [item for item in items if item.get_closest_marker("matrix") is not None or _name(item) in repeats]
    kept = {id(item) for item in sweeps[k - 1 :: n]}
    _keep(config, items, lambda item: id(item) in kept)


@pytest.fixture
def shared_graphs() -> Path:
    """The folder of real graphs, ../shared/graphs from the repository's root; skips the test where it is absent."""
    if not SHARED_GRAPHS.is_dir():
        pytest.skip("the real graphs are absent: they are looked for at ../shared/graphs, beside the repository")
    return SHARED_GRAPHS


@pytest.fixture
def shared_graph() -> SharedGraph:
    return SharedGraph()
