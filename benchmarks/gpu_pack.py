"""Gathers into gpu-pack/ what a machine with a GPU but without a package registry lacks: wheels, graphs, the commit.

    python benchmarks/gpu_pack.py          (make gpu-pack)

The wheels are those of irgl's base dependencies that are pure Python, with what they need; NumPy, SciPy, NetworkX and
Jinja2 are expected there. At most 40 MiB in all.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import machine
from on_gpu.specs import CARRIED, PACK, ROOT, SHARED

from irgl.rt.graphs.load import load
from irgl.rt.graphs.writers import write

LIMIT = 40 << 20
PACKAGES = ("pycparser>=3.12,<4", "platformdirs>=4", "filelock>=3.13", "rich-click>=1.8")
#: Carried in the form that is read at once: every session needs it within its first seconds.
AT_ONCE = "NY"


def main() -> int:
    shutil.rmtree(PACK, ignore_errors=True)
    (PACK / "graphs").mkdir(parents=True)
    if not _wheels():
        return 2
    for name, place in CARRIED.items():
        path = SHARED / place
        if not path.exists():
            print(f"left out: {name}: there is no file ../shared/graphs/{place} beside the repository")
        elif name == AT_ONCE:
            write(load(str(path)), str(PACK / "graphs" / f"{name}.irglg"))
        else:  # compressed they are a tenth of what they take in memory
            shutil.copy(path, PACK / "graphs" / path.name)
    (PACK / "commit").write_text(machine.commit(ROOT) + "\n", encoding="utf-8")
    files = sorted(p for p in PACK.rglob("*") if p.is_file())
    for file in files:
        print(f"{file.stat().st_size / 2**20:7.2f} MiB  {file.relative_to(ROOT)}")
    size = sum(file.stat().st_size for file in files)
    if size > LIMIT:
        print(f"error: gpu-pack holds {size / 2**20:.1f} MiB, more than {LIMIT >> 20}", file=sys.stderr)
        return 2
    print(f"{size / 2**20:7.2f} MiB  in all; carry gpu-pack/ to the machine, and run `make gpu` there")
    return 0


def _wheels() -> bool:
    # Wheels for any Python and any machine: what they are made for may differ from what they are gathered on.
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--only-binary=:all:",
               "--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", "3.11",
               "-d", str(PACK / "wheels"), *PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
        print(f"error: pip can't fetch the wheels: {last}", file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
