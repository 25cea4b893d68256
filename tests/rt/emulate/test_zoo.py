"""The emulator's zoo: every wrong program is caught with its kind and line, and its corrected twin stays silent.

The line that must be named ends with `// fault: KIND`; where a fault has two sides and the order of threads decides
which is told, the other side says `// or: KIND`, or several kinds. A line `// options: ...` holds options of `emulate`,
and `// devices: N` says how many devices there are.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from support.places import TESTS

ZOO = TESTS / "rt" / "emulate" / "zoo"
PROGRAMS = sorted(path.stem for path in ZOO.glob("*.cu"))
SEEDS = range(8) if os.environ.get("IRGL_MATRIX") == "1" else [1]
KINDS = {
    "barrier-missed", "barrier-mixed", "mask", "inactive-lane", "grid-sync", "out-of-bounds", "use-after-free",
    "uninitialised", "race", "no-progress", "leak", "host-access", "device-access", "bad-free", "misaligned",
    "overflow", "peer", "weaver",
}  # fmt: skip
MARK = re.compile(r"// (fault|or): ([a-z-]+(?:, [a-z-]+)*)$", re.M)
OPTIONS = re.compile(r"^// options: (.+)$", re.M)
DEVICES = re.compile(r"^// devices: (.+)$", re.M)
ARCHITECTURES = ["75", "90", "120"]

Run = Callable[[str], list["subprocess.CompletedProcess[str]"]]


def emulate(name: str) -> list[subprocess.CompletedProcess[str]]:
    """One run per seed of the order of threads; the program is built for the first and cached for the others."""
    path = ZOO / f"{name}.cu"
    found, devices = (of.search(path.read_text()) for of in (OPTIONS, DEVICES))
    environment = {**os.environ, "IRGL_EMU_DEVICES": devices[1] if devices else ""}
    command = [sys.executable, "-m", "irgl", "emulate", *(found[1].split() if found else []), "--seed"]

    def with_seed(seed: int) -> subprocess.CompletedProcess[str]:
        full = [*command, str(seed), str(path)]
        return subprocess.run(full, capture_output=True, text=True, check=False, timeout=300, env=environment)

    return [with_seed(seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest) -> Run:
    """Starts every program that a chosen test needs, as many at a time as there are processors."""
    pool = ThreadPoolExecutor(os.cpu_count())
    own = [item for item in request.session.items if item.path == request.path]
    chosen = [item.callspec.params["name"] for item in own if "runs" in getattr(item, "fixturenames", ())]
    started: dict[str, Future[list[subprocess.CompletedProcess[str]]]] = {n: pool.submit(emulate, n) for n in chosen}
    request.addfinalizer(lambda: pool.shutdown(cancel_futures=True))
    return lambda name: started[name].result()


def marks(name: str) -> dict[int, list[str]]:
    lines = (ZOO / f"{name}.cu").read_text().splitlines()
    return {number: found[2].split(", ") for number, line in enumerate(lines, 1) if (found := MARK.search(line))}


def planted(name: str) -> list[str]:
    return [kind for mark, kind in MARK.findall((ZOO / f"{name}.cu").read_text()) if mark == "fault"]


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("name", [n for n in PROGRAMS if n.endswith("_wrong")])
def test_fault_is_named(runs: Run, name: str) -> None:
    for done in runs(name):
        first = re.search(r"^(.*):(\d+): error: \[([a-z-]+)\]", done.stderr, re.M)
        assert done.returncode == 86 and first is not None, (done.returncode, done.stderr)
        assert Path(first[1]).name == f"{name}.cu" and first[3] in marks(name).get(int(first[2]), []), done.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("name", [n for n in PROGRAMS if n.endswith("_right")])
def test_corrected_twin_is_silent(runs: Run, name: str) -> None:
    for done in runs(name):
        assert (done.returncode, done.stderr) == (0, "")


def test_every_kind_has_several_pairs() -> None:
    pairs = {name.removesuffix("_wrong"): planted(name) for name in PROGRAMS if name.endswith("_wrong")}
    assert sorted(f"{pair}_{side}" for pair in pairs for side in ("right", "wrong")) == PROGRAMS
    kinds = [kind for [kind] in pairs.values()]
    assert {kind for kind in KINDS if kinds.count(kind) >= 3} == KINDS == set(kinds)


@pytest.mark.matrix
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_nvcc_compiles_all_without_a_warning(tmp_path: Path) -> None:
    targets = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in ARCHITECTURES]
    flags = ["-std=c++17", "-Werror", "all-warnings", "-Xcompiler", "-Wall", *targets]

    def compiled(name: str) -> str:
        command = ["nvcc", *flags, "-c", str(ZOO / f"{name}.cu"), "-o", str(tmp_path / f"{name}.o")]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        assert {name: text for name, text in zip(PROGRAMS, pool.map(compiled, PROGRAMS), strict=True) if text} == {}
