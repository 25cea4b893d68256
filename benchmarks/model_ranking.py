"""How well the cost model ranks plans: Spearman's rank correlation with times measured on a GPU.

    python benchmarks/model_ranking.py [results/gpu.json] [--gpu h200]

For each program and graph of the part `evaluation` (`make gpu` writes the file) the same plans run in
the emulator on a small graph of the same kind, and the model's times are compared with those measured.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from pathlib import Path
from typing import Any

import tune_simt

from irgl.plan import Plan
from irgl.source import IrglError
from irgl.tune.measure import gpu as gpus
from irgl.tune.measure.gpu_model import rank

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
#: The kind of each graph of the suite (docs/gpu.md).
KINDS = {"NY": "road", "rmat22": "skewed", "grid": "mesh", "r4": "random", "uniform": "random"}

Row = dict[str, Any]


def groups(rows: list[Row]) -> dict[tuple[str, str, str], dict[str, float]]:
    """Measured ms by plan of each table, program and graph, where the kind is known and three plans have a time."""
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for row in rows:
        if row.get("ms") and row["graph"] in KINDS:
            found.setdefault((row["table"], row["program"], row["graph"]), {})[row["plan"]] = row["ms"]
    return {key: plans for key, plans in found.items() if len(plans) >= 3}


def ranked(program: str, graph: str, measured: dict[str, float], gpu: gpus.Gpu) -> float:
    """Spearman's rho of one program on one graph; not a number where fewer than three plans can be emulated."""
    plans = [Plan.parse(text, "simt") for text in measured]
    found = tune_simt.modelled(PROGRAMS / f"{program}.irgl", plans, gpu, classes=(KINDS[graph],))
    pairs = [(ms, m.ms[KINDS[graph]]) for ms, m in zip(measured.values(), found, strict=True) if not m.error]
    return rank([a for a, _ in pairs], [b for _, b in pairs]) if len(pairs) >= 3 else math.nan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path, nargs="?", default=HERE / "results" / "gpu.json")
    parser.add_argument("--gpu", default="h200", help="which the results come from [%(default)s]")
    given = parser.parse_args()
    if not given.results.is_file():
        sys.exit(f"{given.results}: no results of a GPU are there: `make gpu`, on a machine that has one, writes them")
    try:
        gpu = gpus.load(given.gpu)
    except IrglError as e:
        sys.exit(str(e))
    rows = json.loads(given.results.read_text(encoding="utf-8")).get("parts", {}).get("evaluation", {}).get("rows", [])
    rhos = []
    for (table, program, graph), measured in groups(rows).items():
        rho = ranked(program, graph, measured, gpu)
        rhos.append(rho)
        print(f"{table:14} {program:12} {graph:8} {len(measured):3} plans  rho {rho:6.2f}", flush=True)
    known = [r for r in rhos if not math.isnan(r)]
    if not known:
        sys.exit(f"{given.results}: of no program and graph it has times of three plans that can be emulated")
    print(f"median of {len(known)}: {statistics.median(known):.2f}, least {min(known):.2f}")


if __name__ == "__main__":
    main()
