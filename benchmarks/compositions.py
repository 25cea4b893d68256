"""Which forms of edges and schedulers go together in a program on GPUs, each run in the emulator and verified.

    python benchmarks/compositions.py                           all four programs: about 20 minutes of one core
    python benchmarks/compositions.py --programs bfs            those of one
    python benchmarks/compositions.py --show benchmarks/results/compositions.json     the table of a result file

A composition is a form with what it leaves open, and schedulers of nested loops, of which the generated code differs
from that of all others before it. Of each is told how many steps warps take in lockstep, how many at memory, and how
many transactions, on a small power-law graph, where the answer is verified. plans: how many there are where each place
of the program has any of the words that are legal there, by the kinds of options that are counted.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import machine
from counting import PROGRAMS, ROOT, load_of

from irgl import driver
from irgl.driver import Ready
from irgl.options import OPTIONS, WHOLE_SCHEDULERS
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, widths
from irgl.rt.manifests.program import open_program
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.space import legal_space

RESULTS = ROOT / "benchmarks" / "results" / "compositions.json"
NAMES = ("pr_pull", "cc", "bfs", "sssp_nf")
GRAPH = "rmat:scale=9,seed=7"
COMMON = "outline=off"
_SCHEDULERS = ("serial", "tb", "wp", "fg", "tb+wp", "tb+fg", "wp+fg", "tb+wp+fg", *WHOLE_SCHEDULERS)


def compositions() -> Iterator[str]:
    """Plans: every form with what it leaves open, and every scheduler with what that does."""
    known = {o.name: o for o in OPTIONS["simt"]}
    for form in known["format"].words:
        left = [o for o in known.values() if o.only_with is not None and o.only_with[0] == "format"
                and form in o.only_with[1] and o.name != "np"]
        ways = [[f"{o.name}={v}" for v in (o.tried or o.words)] for o in left]
        for said in itertools.product(*ways):
            for np in _SCHEDULERS:
                stages = [f" stage={s}" for s in known["stage"].words] if np == "cut" else [""]
                for stage in stages:
                    yield " ".join([f"format={form}", *said, f"np={np}{stage}", COMMON])


def distinct(ready: Ready) -> dict[str, str]:
    """The plans that lead to code of their own, and those codes: of several the first."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for text in compositions():
        try:
            unit = driver.emit(ready, Plan.parse(text, "simt"), "simt")
        except IrglError:
            continue
        code = re.sub(r"^// Plan:.*$", "", unit.text, flags=re.MULTILINE) + repr([
            (f.form, f.options) for g in unit.graph_params for f in g.forms])
        if code not in seen:
            seen.add(code)
            found[text] = code
    return found


def ran(name: str, text: str) -> dict[str, Any]:
    """What a composition counts, and whether its answer is right."""
    plan = Plan.parse(text, "simt")
    manifest = open_program(PROGRAMS / f"{name}.irgl", plan)
    graphs = {manifest.graphs[0].name: load_of(name, GRAPH)}
    executable = device.build(manifest, widths(graphs.values()), True)
    values = bind(manifest, graphs, {})
    outcome = device.run_built(executable, 0.0, manifest, graphs, values, plan, Options(), mode="lockstep")
    wrong = verify(manifest, graphs, values, outcome.result)
    return {"plan": text.removesuffix(f" {COMMON}"), "wrong": wrong,
            **{c: outcome.stats[c] for c in ("warp_steps", "warp_memory", "transactions")}}


def plans(ready: Ready) -> dict[str, int]:
    """How many plans the words of options make that are legal at the program's places: those of forms and schedulers,
    and of all options. Numbers count as one value."""
    choices = [c for c in legal_space(ready.checked.program, "simt") if c.reason is None and c.values and not c.like]
    of_loops = [c for c in choices if c.option in ("format", "np", "stage", "direction", "inside", "expand")]
    return {name: math.prod(len(c.values) for c in some) for name, some in (("schedules", of_loops), ("all", choices))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(NAMES), help="[%(default)s]")
    parser.add_argument("--out", type=Path, default=RESULTS, help="[%(default)s]")
    parser.add_argument("--show", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.show is not None:
        print(table(json.loads(given.show.read_text(encoding="utf-8"))), end="")
        return 0
    found = json.loads(given.out.read_text(encoding="utf-8")) if given.out.is_file() else {"programs": {}}
    found |= {"graph": GRAPH, "machine": machine.describe()}
    for name in given.programs.split(","):
        ready = driver.ready(PROGRAMS / f"{name}.irgl")
        rows = []
        for text in distinct(ready):
            rows.append(ran(name, text))
            print(name, len(rows), rows[-1], file=sys.stderr, flush=True)
        found["programs"][name] = {"rows": rows, "plans": plans(ready), "commit": machine.commit(ROOT),
                                   "load": os.getloadavg()}
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def table(found: dict[str, Any]) -> str:
    """How many there are of each program, and those with fewest steps."""
    lines = ["| program | compositions | right | fewest steps of warps | most | plans of loops | plans in all |",
             "| --- | ---: | ---: | --- | --- | ---: | ---: |"]
    for name, of in found["programs"].items():
        rows = sorted(of["rows"], key=lambda r: r["warp_steps"])
        right = sum(r["wrong"] is None for r in rows)
        best, worst = rows[0], rows[-1]
        plans = f"{of['plans']['schedules']:,} | {of['plans']['all']:,}"
        lines.append(f"| `{name}` | {len(rows)} | {right} | {best['warp_steps']:,}: `{best['plan']}` | "
                     f"{worst['warp_steps']:,}: `{worst['plan']}` | {plans} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
