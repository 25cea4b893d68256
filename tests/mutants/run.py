"""Plants faults one by one, and says which test notices: python tests/mutants/run.py [NAME...] [--all] [--jobs N]

Each fault (faults.toml) is planted in a copy of the checkout of its own, where pytest runs: as `make test` does, or
with --all as `make test-all`. The tests that should notice come first, and only if they pass, all. The one that fails
has to pass without the fault. Exits with 1 where a fault survives.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from faults import Fault, faults

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
#: They see every fault: its text no longer stands where the table says.
OWN_TESTS = "tests/house/test_mutants.py"
SURVIVED = "SURVIVED"


@dataclass(frozen=True, slots=True)
class Outcome:
    """by: the first test that failed, or None. seconds: until it had. expected: it was among those named."""

    fault: Fault
    by: str | None
    seconds: float
    expected: bool

    def __str__(self) -> str:
        where = "" if self.by is None or self.expected else " (not where it was expected)"
        return f"{self.fault.name:36} {self.seconds:6.0f} s  {self.by or SURVIVED}{where}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults of faults.toml (all of them)")
    parser.add_argument("--all", action="store_true", help="without --quick: as make test-all")
    parser.add_argument("--expected", action="store_true", help="only the tests that should notice first")
    parser.add_argument("--jobs", type=int, default=1, help="so many faults at a time (1)")
    parser.add_argument("--folder", type=Path, help="where copies and the cache lie, and stay (a temporary one)")
    given = parser.parse_args()
    known = {fault.name: fault for fault in faults()}
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"no such fault: {', '.join(unknown)}")
    chosen = [known[name] for name in given.names] or list(known.values())
    with tempfile.TemporaryDirectory(prefix="irgl-mutants-") as scratch:
        folder = (given.folder or Path(scratch)).resolve()
        outcomes = run(chosen, folder, given.jobs, [] if given.all else ["--quick"], given.expected)
    caught = sum(outcome.by is not None for outcome in outcomes)
    print(f"{caught} of {len(outcomes)} caught by make {'test-all' if given.all else 'test'}")
    return 0 if caught == len(outcomes) else 1


def run(chosen: Sequence[Fault], folder: Path, jobs: int, options: Sequence[str], only_expected: bool) -> list[Outcome]:
    """Plants the faults, `jobs` at a time, and prints what comes of each as soon as it is known."""
    places: SimpleQueue[Path] = SimpleQueue()
    for k in range(jobs):
        places.put(folder / f"place{k}")

    def one(fault: Fault) -> Outcome:
        place = places.get()
        try:
            outcome = judged(fault, place, folder / "cache", options, only_expected)
        finally:
            places.put(place)
        print(outcome, flush=True)
        return outcome

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, chosen))


def judged(fault: Fault, place: Path, shared: Path, options: Sequence[str], only_expected: bool) -> Outcome:
    """One fault, in a copy at `place`, which is removed behind it.

    `shared`: a cache that faults have in common, whose entries are found by all that they are made from: but for the
    graphs that irgl/rt/ prepares, which are found by their files alone.
    """
    begin = time.monotonic()
    shutil.rmtree(place, ignore_errors=True)
    copy = place / "checkout"
    try:
        copy_checkout(copy)
        file = copy / fault.file
        text = file.read_text(encoding="utf-8")
        file.write_text(fault.planted(text), encoding="utf-8")
        environment = environment_of(copy, place / "cache" if fault.file.startswith("irgl/rt/") else shared)
        refuse_another_irgl(copy, environment)
        by, done = None, [OWN_TESTS]
        for test in (*fault.tests, *([] if only_expected else ["tests"])):
            # By its whole name: for `tests` alone, rules of quick.txt that leave out nothing are an error.
            by = first_failure(copy, [*options, *(f"--ignore={copy / t}" for t in done), str(copy / test)], environment)
            if by is not None:
                break
            done.append(test)
        seconds = time.monotonic() - begin
        file.write_text(text, encoding="utf-8")
        if by is not None and first_failure(copy, [*options, by], environment) is not None:
            raise RuntimeError(f"{by} fails without {fault.name}, too: mend that first")
        return Outcome(fault, by, seconds, expected=len(done) <= len(fault.tests))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def copy_checkout(copy: Path) -> None:
    """The files of the checkout that are or may be committed; the real graphs lie beside the copy, too."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    if SHARED.is_dir():
        copy.with_name("shared").symlink_to(SHARED)


def environment_of(copy: Path, cache: Path) -> dict[str, str]:
    """That of the tests: the copy's irgl, and a cache."""
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {**os.environ, "PYTHONPATH": str(copy), "IRGL_CACHE_DIR": str(cache), "IRGL_BUILD_CACHE_MB": "8000"}


def refuse_another_irgl(copy: Path, environment: Mapping[str, str]) -> None:
    """Raises RuntimeError where Python or `irglc` would take an installed irgl, without the fault."""
    ask = "import irgl.cli.main, irgl.rt.compile.toolchain as t; print(irgl.__file__, t.headers(), sep='\\n')"
    commands = [[sys.executable, "-c", ask]]
    if (script := shutil.which("irglc", path=str(Path(sys.executable).parent))) is not None:
        commands.append([sys.executable, "-c", f"import sys; sys.argv = [{script!r}, '--version']\n"
                         f"try: exec(open({script!r}).read())\nexcept SystemExit: pass\n{ask}"])
    for command in commands:
        done = subprocess.run(command, cwd=copy.parent, env=environment, check=True, capture_output=True, text=True)
        found = [Path(line) for line in done.stdout.splitlines()[-2:]]
        if not all(path.is_relative_to(copy) for path in found):
            raise RuntimeError(f"the tests would not see the fault in {copy}: they would take {found}")


def first_failure(copy: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """The first test that fails; None: none does."""
    command = [sys.executable, "-m", "pytest", "-x", "-v", "--tb=no", "-rE", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=copy, env=environment, check=False, capture_output=True, text=True)
    if done.returncode in (0, 5):  # 5: there was no test to run
        return None
    found = re.search(r"^(\S+\.py::.*) (?:FAILED|ERROR) +\[ *\d+%\]$|^ERROR (\S+\.py)", done.stdout, re.MULTILINE)
    if found is None:
        raise RuntimeError(f"pytest ends with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return found[1] or found[2]


if __name__ == "__main__":
    sys.exit(main())
