"""How long a user waits: `irglc run` on a small graph with cold and with warm caches, and `import irgl`.

    python benchmarks/startup.py --json benchmarks/results/other.json

Best of --repeat, wall time and processor time: the second says how much of the first was waiting for other work.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import child
import machine

_ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="[%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    rows = []
    for program in ("bfs", "sssp_nf", "tri", "mst"):
        command = (*child.IRGLC, "run", str(_ROOT / "programs" / f"{program}.irgl"), "--graph", "rmat:scale=8",
                   "--threads", "2", "--json")
        cold, warm = [], []
        for _ in range(given.repeat):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(child.run(command, IRGL_CACHE_DIR=cache))
                warm.append(child.run(command, IRGL_CACHE_DIR=cache))
        rows += [_row(f"{program}, cold", cold), _row(f"{program}, cached", warm)]
    bare = [child.run((sys.executable, "-c", "pass")) for _ in range(3 * given.repeat)]
    imports = [child.run((sys.executable, "-c", "import irgl")) for _ in range(3 * given.repeat)]
    rows += [_row("python", bare), _row("python, import irgl", imports)]
    for row in rows:
        print(f"{row['what']:22} wall {row['wall_s']:.3f} s  processor {row['cpu_s']:.3f} s")
    child.merge(given.json, "startup", {"rows": rows, "commit": machine.commit(_ROOT), "load": os.getloadavg()})


def _row(what: str, runs: list[child.Ended]) -> dict[str, str | float]:
    return {"what": what, "wall_s": round(min(r.wall for r in runs), 3), "cpu_s": round(min(r.cpu for r in runs), 3)}


if __name__ == "__main__":
    main()
