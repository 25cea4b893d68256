"""The CPU target under ThreadSanitizer: `python -m support.races`, in tests/, runs tests of it so (`make races`).

What g++ builds is instrumented, and tests/cpu_rt/gomp.cpp stands in for libgomp. Python itself is not: it only starts
with libtsan in its process. Every run has 4 threads, all its loops are parallel, and lists begin with room for one item
where a test says nothing else. A report fails the test in which it came. ThreadSanitizer knows nothing of fences, of
which the CPU target has none.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.call import Call
from irgl.rt.compile import toolchain
from irgl.source import IrglError
from support import cpu_batch, cpu_child
from support.places import TESTS

STAND_IN = TESTS / "cpu_rt" / "gomp.cpp"
SANITIZED = ("-O1", "-g", "-fsanitize=thread")
THREADS = 4
#: What compiles programs for the CPU and runs them in this process.
FILES = ("analysis/test_nested_ownership.py", "codegen/test_operand_order.py", "docs/test_language_doc.py",
         "passes/test_guarded.py", "passes/test_unique_names.py", "plans/test_formats.py", "plans/test_frontier.py",
         "plans/test_fuse.py",
         *(f"language/test_{name}.py" for name in (
             "ownership_runs", "own_elements", "respawns", "ranges", "edge_ends", "in_edges", "two_graphs", "skip",
             "struct_variables", "list_sizes", "libraries", "dmr", "meshes")),
         "sweeps/test_cpu_plans.py", "sweeps/test_random_copies.py")
#: Neither the emulator, nor what starts processes of its own, nor what counts the rounds of one thread.
LEFT_OUT = "not simt and not cuda and not device and not order_of_parallel and not printing and not take_a_round"

_log: Path | None = None
_told = 0


@cache
def library() -> str | None:
    """The path of g++'s libtsan; None where there is none, or where no process can start with it."""
    try:
        done = subprocess.run([*toolchain.compiler(), "-print-file-name=libtsan.so"], capture_output=True, text=True)
    except (IrglError, OSError):
        return None
    path = Path(done.stdout.strip())
    if not path.is_absolute() or not path.exists():
        return None
    # It ends at once where the system puts a process's memory in other places than it knows.
    begun = subprocess.run([sys.executable, "-c", ""], env={**os.environ, "LD_PRELOAD": str(path)}, capture_output=True)
    return str(path) if begun.returncode == 0 else None


def flags(folder: Path) -> tuple[str, ...]:
    """The compiler's, with the stand-in built into the folder."""
    own = tuple(f for f in toolchain.FLAGS if f != "-O3")
    built = folder / "gomp.o"
    subprocess.run([*toolchain.compiler(), *own, "-O1", "-fPIC", "-c", str(STAND_IN), "-o", str(built)], check=True)
    return (*SANITIZED, *own, "-Wl,-Bsymbolic", "-Wl,--as-needed", str(built))


def sanitized(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A run of Python in whose process units may be instrumented, and which ends with 66 behind a report."""
    path = library()
    assert path is not None
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env=environment(path, folder))


def environment(path: str, folder: Path) -> dict[str, str]:
    paths = os.pathsep.join([str(TESTS.parent), str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "LD_PRELOAD": path, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1",
            "IRGL_RACES": str(folder), "TSAN_OPTIONS": f"history_size=4 exitcode=66 log_path={folder / 'report'}"}


def arm() -> None:
    """From now on this process builds instrumented units, and runs them by 4 threads, whatever a test says."""
    global _log
    os.environ.pop("LD_PRELOAD", None)  # g++ needs none
    folder = Path(os.environ["IRGL_RACES"])
    toolchain.FLAGS = flags(folder)
    _log = folder / f"report.{os.getpid()}"
    plain = Call.set_knobs

    def set_knobs(call: Call, plan: Plan, _: int, capacity: int, seed: int) -> None:
        plain(call, plan, THREADS, capacity or 1, seed)
        call.args.serial, call.args.grain = 0, 1

    def alone(*_: Any, **__: Any) -> Any:
        pytest.skip("not a run of the CPU")

    Call.set_knobs = set_knobs  # type: ignore[method-assign]
    device.run = alone
    cpu_batch._in_child = _in_process


def _in_process(folder: Path, programs: int, _: int) -> list[list[cpu_batch.Ran]]:
    """The child's work, here: another process would not have libtsan."""
    cpu_child.main(folder, 0)
    return [pickle.loads((folder / f"{i}.result").read_bytes()) for i in range(programs)]


def news() -> str:
    """What ThreadSanitizer has said since it was last asked."""
    global _told
    assert _log is not None
    text = _log.read_text(errors="replace")[_told:] if _log.exists() else ""
    _told += len(text)
    return text


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    try:
        yield
    finally:
        said = news()
    if said:
        pytest.fail(f"ThreadSanitizer reports:\n{said}", pytrace=False)


def pytest_configure() -> None:
    arm()


def main() -> int:
    path = library()
    if path is None:
        print("no libtsan that works here (on Debian or Ubuntu it comes with g++)", file=sys.stderr)
        return 1
    folder = toolchain.cache_dir() / "races"
    folder.mkdir(exist_ok=True)
    words = sys.argv[1:] or [str(TESTS / name) for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "support.races", "-k", LEFT_OUT, *words]
    return subprocess.run(command, env=environment(path, folder)).returncode


if __name__ == "__main__":
    sys.exit(main())
