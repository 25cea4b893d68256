"""Tunes the programs of the tuner's table on its graphs, then runs `--plan auto` in turn with `none` and `default`.

    python benchmarks/tune_auto.py [--budget 25] [--turns 5] [--programs bfs,...] [--classes road,...] [--db FILE]

Everything by the command line, as a user would: `irglc tune`, then `irglc run --plan ...`, several processes of each
plan in turn, each a median of several runs. Written to benchmarks/results/tune_auto.json after every row, beside rows
that are there already, and printed as a table: times of `none` and of `default` over those of `auto`, and where the
plan of `auto` comes from.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import machine
from tune_inputs import CLASSES, GRAPHS, PROGRAMS, ROOT, given, loaded

from irgl.plan import Plan
from irgl.rt.manifests.program import open_program

OUT = ROOT / "benchmarks" / "results" / "tune_auto.json"
PLANS = ("none", "default", "auto")
REPEAT = 15


def irglc(words: list[str], environment: dict[str, str]) -> dict[str, Any]:
    """The JSON of a command that must succeed."""
    done = subprocess.run([sys.executable, "-m", "irgl", *words, "--json"], capture_output=True, text=True,
                          check=False, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"irglc {' '.join(words)}: exit code {done.returncode}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row(name: str, kind: str, asked: argparse.Namespace, environment: dict[str, str]) -> dict[str, Any]:
    program, graph = ROOT / "programs" / f"{PROGRAMS[name]}.irgl", given(name, kind, asked.graphs)
    _, values = loaded(open_program(program, Plan()), graph.spec)
    words = [str(program), "--graph", graph.spec, "--undirected", "--threads", str(asked.threads)]
    words += [w for p, value in values.items() for w in (f"--{p}", value)]
    tuned = irglc(["tune", *words, "--budget", f"{asked.budget}s"], environment)
    times: dict[str, list[float]] = {p: [] for p in PLANS}
    plans: dict[str, dict[str, Any]] = {}
    for _ in range(asked.turns):
        for plan in PLANS:
            ran = irglc(["run", *words, "--plan", plan, "--repeat", str(REPEAT)], environment)
            times[plan].append(statistics.median(ran["kernel_ms"]))
            plans[plan] = ran["plan"]
    medians = {p: statistics.median(times[p]) for p in PLANS}
    return {"program": name, "class": kind, "graph": graph.name, "ms": medians, "samples": times,
            "plan": plans["auto"]["text"], "source": plans["auto"]["source"], "trials": tuned.get("trials"),
            "budget_s": asked.budget}


def table(rows: list[dict[str, Any]]) -> str:
    lines = ["| program | graph | auto, ms | none, times | default, times | the plan of auto |",
             "|---|---|---:|---:|---:|---|"]
    for r in rows:
        ms = r["ms"]
        lines.append(f"| {r['program']} | {r['graph']} | {ms['auto']:.3f} | {ms['none'] / ms['auto']:.2f} "
                     f"| {ms['default'] / ms['auto']:.2f} | {r['source']} |")
    if rows:
        means = [math.exp(statistics.mean(math.log(r["ms"][p] / r["ms"]["auto"]) for r in rows)) for p in PLANS[:2]]
        lines.append(f"| all | geometric mean |  | {means[0]:.2f} | {means[1]:.2f} |  |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--classes", default=",".join(CLASSES))
    parser.add_argument("--graphs", type=Path, default=GRAPHS, metavar="DIR")
    parser.add_argument("--budget", type=int, default=25, help="seconds for each row [%(default)s]")
    parser.add_argument("--turns", type=int, default=5, help="processes of each plan [%(default)s]")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--db", type=Path, help="the database [a new one]")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="irgl-tune-") as folder:
        environment = {**os.environ, "IRGL_TUNE_DB": str(asked.db or Path(folder) / "tune.sqlite")}
        found = {"machine": machine.describe(), "commit": machine.commit(ROOT), "budget_s": asked.budget,
                 "threads": asked.threads, "rows": []}
        if asked.out.exists():
            found["rows"] = json.loads(asked.out.read_text())["rows"]
        for name in asked.programs.split(","):
            for kind in asked.classes.split(","):
                made = row(name, kind, asked, environment)
                found["rows"] = [r for r in found["rows"] if (r["program"], r["class"]) != (name, kind)] + [made]
                scratch = asked.out.with_suffix(".tmp")
                scratch.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                scratch.replace(asked.out)
                print(table(found["rows"][-1:]).splitlines()[2], flush=True)
    print(table(found["rows"]))


if __name__ == "__main__":
    main()
