"""What irgl does on a GPU: right answers, what the optimizations are worth, what the device costs; in under 9 minutes.

    python benchmarks/gpu.py --json gpu.json                     everything (docs/gpu.md says what that is)
    python benchmarks/gpu.py --parts costs,evaluation --budget 200
    python benchmarks/gpu.py --target simt --quick               the same code in the emulator, on tiny graphs

The result file is whole after every step. What there was no time for is said, in the file and at the end.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_PACK = _ROOT / "gpu-pack"
_READY = "IRGL_GPU_PACK_SITE"
_STARTED = time.monotonic()
_BEGIN = "IRGL_GPU_BEGIN"
#: Of a whole session, in the order in which they run: a session that breaks off early has said what matters most.
SHARES = {"first": 40, "costs": 12, "bandwidth": 8, "curve": 15, "correctness": 85, "others": 40, "calling": 20,
          "evaluation": 85, "formats": 25, "queues": 15, "schedules": 70, "handwritten": 35, "peers": 45,
          "counters": 20, "sanitizer": 35, "ptxas": 10}
BUDGET = 500.0


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(SHARES), help="[%(default)s]")
    parser.add_argument("--budget", type=float, default=BUDGET, metavar="S", help="seconds in all [%(default)g]")
    parser.add_argument("--json", type=Path, default=Path("gpu.json"), metavar="FILE", help="result file [%(default)s]")
    parser.add_argument("--target", choices=("cuda", "simt"), default="cuda", help="[%(default)s]")
    parser.add_argument("--quick", action="store_true", help="tiny graphs, few plans: does the suite itself work?")
    parser.add_argument("--programs", default="", metavar="A,B", help="of programs/ [all]")
    parser.add_argument("--sampled", type=int, metavar="N", help="sampled plans of each program [30]")
    parser.add_argument("--arch", metavar="SM", help="what nvcc builds for [that of the GPU; sm_90 without one]")
    parser.add_argument("--sanitizer", metavar="FILE", help="compute-sanitizer, if not in PATH")
    parser.add_argument("--ncu", metavar="FILE", help="Nsight Compute's command line, if not in PATH")
    parser.add_argument("--peer-bin", type=Path, metavar="DIR", help="other projects' binaries (docs/gpu.md)")
    given = parser.parse_args()
    for part in given.parts.split(","):
        if part not in SHARES:
            parser.error(f"no part is called {part!r}: there are {', '.join(SHARES)}")
    for program in filter(None, given.programs.split(",")):
        if not (_ROOT / "programs" / f"{program}.irgl").exists():
            parser.error(f"no program is called {program!r}")
    if given.budget <= 0:
        parser.error("--budget takes a number of seconds above 0")
    if not given.json.resolve().parent.is_dir():
        parser.error(f"--json {given.json}: there is no folder {given.json.parent}")
    if given.target == "simt" and not given.quick:
        parser.error("the emulator is for --quick: the graphs of a whole session would take days in it")
    return given


def _begin() -> float:
    """When the session began (time.monotonic), unpacking included."""
    return float(os.environ.get(_BEGIN) or _STARTED)


def with_pack() -> None:
    """Starts again with the packages of gpu-pack/, where it is there: for a machine without a package registry."""
    wheels = sorted((_PACK / "wheels").glob("*.whl"))
    if not wheels or os.environ.get(_READY) is not None:
        return
    site = Path(tempfile.mkdtemp(prefix="irgl-gpu-site-"))
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-cache-dir", "--upgrade",
               "--disable-pip-version-check", "--root-user-action=ignore", "--target", str(site), *map(str, wheels)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
        print(f"error: pip can't install the wheels of gpu-pack: {last}", file=sys.stderr)
        sys.exit(2)
    paths = [str(site), str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.execve(sys.executable, [sys.executable, *sys.argv],
              {**os.environ, "PYTHONPATH": os.pathsep.join(paths), _READY: str(site), "PYTHONUNBUFFERED": "1",
               _BEGIN: repr(_begin())})


def main() -> int:
    given = options()
    with_pack()
    try:
        from on_gpu.session import session
    except ModuleNotFoundError as e:
        print(f"error: Python has no {e.name}\nhint: pip install -e . in an environment, or run `make gpu-pack` where "
              "there is a package registry and bring gpu-pack/ along", file=sys.stderr)
        return 2
    try:
        return session(given, SHARES, _begin())
    finally:
        if os.environ.get(_READY):
            shutil.rmtree(os.environ[_READY], ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
