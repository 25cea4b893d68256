"""A table for the tuner's searches of a program's plans on a GPU that isn't there: modelled times, as in tune_simt.py.

    python benchmarks/tune_table_simt.py bfs --plans 1000 --out /tmp/simt.json.gz
    python benchmarks/tune_replay.py /tmp/simt.json.gz

A row for each class of graphs: a fixed sample of the space, with `default` and `none`. Runs in lockstep count the same
each time, so there is one round. Plans that are there already are kept: call it again to go on where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import machine
from tune_inputs import ROOT
from tune_rows import dimensions_as_json, read_table, write_table
from tune_simt import CLASSES, LARGE, MEANT, SMALL, Modelled, modelled
from tune_table import plans_of

from irgl.driver import ready
from irgl.tune.measure import gpu as gpus
from irgl.tune.search.space import space_of

#: So often the table is written, in plans.
_EVERY = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="of programs/")
    parser.add_argument("--plans", type=int, default=1000, help="of the space, sampled [%(default)s]")
    parser.add_argument("--classes", default=",".join(CLASSES), help="[%(default)s]")
    parser.add_argument("--gpu", default="h200", help="a name, or a file (docs/tuning.md) [%(default)s]")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json.gz")
    asked = parser.parse_args()
    program, gpu, classes = ROOT / "programs" / f"{asked.program}.irgl", gpus.load(asked.gpu), asked.classes.split(",")
    space = space_of(ready(program), "simt")
    plans = plans_of(space, asked.plans)
    texts = [str(p) for p in plans]
    known: dict[str, dict[str, Any]] = read_table(asked.out)["modelled"] if asked.out.exists() else {}
    found = {t: known[t] for t in texts if t in known and known[t]["ms"].keys() >= set(classes)}
    print(f"{asked.program}: {len(plans)} of {space.count()} plans, {len(found)} known", file=sys.stderr, flush=True)

    def save() -> None:
        rows = [{"program": asked.program, "class": c, "graph": f"{c}, 2^{SMALL} and 2^{LARGE} nodes for 2^{MEANT}",
                 "target": "simt", "dimensions": dimensions_as_json(space), "space": space.count(),
                 "plans": [t for t in texts if t in found], "wrong": [], "limit_ms": 0.0,
                 "failed": [k for k, t in enumerate(t for t in texts if t in found) if found[t]["error"]],
                 "rounds": [{"ms": [found[t]["ms"].get(c) for t in texts if t in found]}]} for c in classes]
        write_table(asked.out, {"rows": rows, "modelled": found, "machine": machine.describe(), "gpu": gpu.name,
                                "commit": machine.commit(ROOT)})

    def note(one: Modelled) -> None:
        found[str(one.plan)] = {"ms": one.ms, "error": one.error}
        if len(found) % _EVERY == 0:
            save()

    modelled(program, [p for p, t in zip(plans, texts, strict=True) if t not in found], gpu, classes=classes, note=note)
    save()
    failed = [f for f in found.values() if f["error"]]
    print(f"{len(failed)} have no time" + (f": {failed[0]['error']}" if failed else ""), file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
