"""Makes the defaults that irgl ships (choose/defaults/): for each program plans by class of graphs, and one for all.

    python benchmarks/tune_defaults.py measure [--programs A,B] [--seconds S]    # cpu, on this machine
    python benchmarks/tune_defaults.py check [--programs A,B]                    # what would be adopted, on more graphs
    python benchmarks/tune_defaults.py model [--programs A,B] [--gpu h200]       # cuda, by the cost model
    python benchmarks/tune_defaults.py take gpu.json [--programs A,B]            # cuda, as `make gpu` timed schedules
    python benchmarks/tune_defaults.py write                                     # the defaults, of all that is recorded

What is found is kept, program by program, in benchmarks/results/tune_defaults.json, so that both may be called for some
programs at a time; what the tuner's table (tune_table.py) says of a program counts, too. A plan is adopted where it is
faster than what the options say by themselves, on average by GAIN at least when all that noise may have given is taken
off, and on no graph of the class slower than noise explains, the large one of `check` among them: what small graphs say
of a loop that is left to one thread does not hold there. What lying edges out in another form takes counts as a part of
the run that it is for. No default renumbers a graph, or asks for another than the program does by itself, but for
in-edges on CPUs: choose/both_ways.py leaves those to graphs that have them, which the undirected ones here do.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import machine
import tune_simt
from tune_defaults_cpu import checked, measured
from tune_defaults_gpu import modelled_ratios, taken
from tune_inputs import PROGRAMS as IN_TABLE
from tune_inputs import ROOT
from tune_rows import read_table, table_of

from irgl.plan import Plan
from irgl.rt.manifests.manifest import GraphParam
from irgl.rt.manifests.program import open_program
from irgl.tune.choose import standard
from irgl.tune.inputs.features import CLASSES
from irgl.tune.results.trial import Status

RECORD = ROOT / "benchmarks" / "results" / "tune_defaults.json"
TABLE = ROOT / "benchmarks" / "results" / "tune_table.json.gz"
PROGRAMS = [*sorted(ROOT.glob("programs/*.irgl")), ROOT / "programs/more/sssp.irgl",
            *sorted(ROOT.glob("programs/gt/*.gt"))]
#: What a plan must save on average to be adopted; on one graph it may be slower by the noise there, at most so much.
GAIN, MOST_NOISE = 0.05, 0.03
#: Where the built-in defaults differ from themselves by more, or others took more cores, a graph tells nothing: on a
#: busy machine one thread is best. So many graphs are wanted.
TOO_NOISY, TOO_BUSY, LEAST_GRAPHS = 0.25, 0.15, {"cpu": 2, "cuda": 1}
#: The classes of the table, as features tell them.
_CLASS = {"road": "road", "web": "skewed", "rmat": "skewed", "mesh": "mesh", "uniform": "random"}

#: How often the large graphs are asked before it is given up.
MOST_CHECKS = 20

_SAME: dict[tuple[Path, str, str], bool] = {}
#: On one graph: its class, what it is, and of each plan its time as a ratio to the built-in defaults'.
Ratios = dict[str, Any]


def called(program: Path) -> str:
    """By which name a program is known: those in GraphIt's notation have their folder's before theirs."""
    return program.stem if program.suffix == ".irgl" else f"{program.parent.name}/{program.stem}"


def same_graphs(program: Path, plan: Plan) -> bool:
    """Does the program want its graphs no other way under this plan than by itself, but for in-edges and forms of edges
    on CPUs?"""
    if plan.text_of("order") != plan.plain("order"):
        return False
    key = (program, plan.target, plan.in_code)  # what generated code does not know of, it wants no graph for
    if key not in _SAME:
        _SAME[key] = _wanted(program, plan) == _wanted(program, Plan(target=plan.target))
    return _SAME[key]


def _wanted(program: Path, plan: Plan) -> list[GraphParam]:
    graphs = open_program(program, plan).graphs
    if plan.target != "cpu":
        return list(graphs)
    return [replace(g, transpose=False, in_edge=False, forms=(), ends=True, in_ends=True) for g in graphs]


def adopted(found: list[Ratios], target: str) -> tuple[Plan, float]:
    """The best plan that is slower on none of these graphs, and its mean ratio at worst; the built-in defaults where
    none is."""
    built_in = str(Plan(target=target))
    large, found = [f for f in found if f.get("large")], [f for f in found if not f.get("large")]
    if len(found) < LEAST_GRAPHS[target]:
        return Plan(target=target), 1.0
    common = set.intersection(*(set(f["ratios"]) for f in found))
    best, least = built_in, 1 - GAIN
    for plan in sorted(common):
        ratios = [f["ratios"][plan] for f in found]
        fair = all(_fair(r, f) for r, f in zip(ratios, found, strict=True))
        fair = fair and all(_fair(f["ratios"].get(plan, 1.0), f) for f in large)
        at_worst = [math.log(r * (1 + f["noise"])) for r, f in zip(ratios, found, strict=True)]
        mean = math.exp(math.fsum(at_worst) / len(at_worst))
        if fair and mean <= least:
            best, least = plan, mean
    return Plan.parse(best, target), least if best != built_in else 1.0


def _fair(ratio: float, on: Ratios) -> bool:
    return ratio <= 1 + min(on["noise"], MOST_NOISE)


def _is_quiet(on: Ratios) -> bool:
    return on["noise"] <= TOO_NOISY and on.get("others", 0.0) <= TOO_BUSY


def entries(found: list[Ratios], target: str, how: str) -> dict[str, Any]:
    """The entries of a program: for all graphs, and for each class of which there is one."""
    def entry(of: list[Ratios]) -> dict[str, Any]:
        plan, ratio = adopted(of, target)
        on = [f["graph"] for f in of if not f.get("large")]
        return {"plan": str(plan), "how": how, "ratio": round(ratio, 3), "on": on}

    quiet = [f for f in found if _is_quiet(f)]
    known = {f["class"] for f in quiet if not f.get("large")}
    classes = {c: [f for f in quiet if f["class"] == c] for c in CLASSES if c in known}
    # What may be slow on a class is not for all. A program of meshes has no class.
    whole = quiet and len(classes) in (0, len(CLASSES))
    return {standard.ALL: entry(quiet) if whole else by_itself(target)} | {c: entry(of) for c, of in classes.items()}


def by_itself(target: str) -> dict[str, Any]:
    """The entry of what has not been tuned: what the options say by themselves."""
    return {"plan": str(Plan(target=target)), "how": standard.BY_THEMSELVES, "ratio": 1.0, "on": []}


def from_table(program: Path) -> list[Ratios]:
    """What the table says of a program, on a graph of each of its classes; nothing where it doesn't hold it."""
    name = next((k for k, stem in IN_TABLE.items() if stem == called(program)), None)
    if name is None or not TABLE.exists():
        return []
    found = []
    for row in read_table(TABLE)["rows"]:
        if row["program"] != name or not row["rounds"]:
            continue
        table = table_of(row)
        known = {p: ms for p, (ms, status) in table.plans.items() if ms is not None and status is Status.OK}
        base = known[table.space.default]
        plans = {p: ms / base for p, ms in known.items() if same_graphs(program, p)}
        found.append({"class": _CLASS[row["class"]], "graph": row["graph"], "noise": row["noise"]["spread"],
                      "others": statistics.median(r["others"] for r in row["rounds"]),
                      "ratios": {str(p): round(r, 4) for p, r in plans.items()}})
    return found


def read_record() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def write_json(path: Path, found: dict[str, Any]) -> None:
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    scratch.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    scratch.replace(path)


def keep(program: Path, target: str, how: str, found: list[Ratios]) -> None:
    record = read_record()
    digest = open_program(program).fingerprint
    record.setdefault(target, {}).setdefault(called(program), {}).update(fingerprint=digest, how=how, graphs=found)
    write_json(RECORD, record)


def beside_today(graphs: list[Ratios]) -> list[Ratios]:
    """Those of the graphs on which plans for GPUs stood beside the built-in defaults of today: beside others they tell
    nothing."""
    built_in = str(Plan(target="cuda"))
    return [g for g in graphs if g["ratios"].get(built_in) == 1.0]


def write() -> int:
    """Writes the defaults; 1 where there is no record of a program as it is today, whose entry is the built-in plan."""
    record, missing = read_record(), []
    for target in ("cpu", "cuda"):
        programs = {}
        for path in PROGRAMS:
            digest = open_program(path).fingerprint
            kept = record.get(target, {}).get(called(path), {"fingerprint": "", "how": "measured", "graphs": []})
            graphs = kept["graphs"] if kept["fingerprint"] == digest else []
            if path.parent != ROOT / "programs" and not graphs:
                continue
            if target == "cuda":
                graphs = beside_today(graphs)
            else:
                graphs = [*graphs, *from_table(path)]
            programs[digest] = entries(graphs, target, kept["how"]) if graphs else {standard.ALL: by_itself(target)}
            if not graphs and kept["fingerprint"] != digest:
                missing.append(f"{target}: {called(path)}")
        write_json(standard.FOLDER / f"{target}.json",
                   {"version": standard.VERSION, "target": target, "made_by": "benchmarks/tune_defaults.py",
                    "machine": machines_of(record, target), "programs": programs})
    for name in missing:
        print(f"nothing is recorded for {name}", file=sys.stderr)
    return 1 if missing else 0


def check(program: Path, threads: int) -> None:
    """Runs what would be adopted on the large graph of its class, until all of it is known to be none the slower."""
    for _ in range(MOST_CHECKS):
        kept = read_record()["cpu"][called(program)]
        found = [*kept["graphs"], *from_table(program)]
        wanted: dict[str, dict[str, None]] = {}
        for word, entry in entries(found, "cpu", kept["how"]).items():
            for kind in CLASSES if word == standard.ALL else (word,):
                large = [f for f in found if f.get("large") and f["class"] == kind and _is_quiet(f)]
                tried = [p for f in large for p in f["ratios"]]
                if entry["plan"] != str(Plan()) and entry["plan"] not in tried:
                    wanted.setdefault(kind, {})[entry["plan"]] = None
        if not wanted:
            return
        for kind, plans in wanted.items():
            row = checked(program, threads, kind, [Plan.parse(p) for p in plans])
            print(f"  {called(program)} on {row['graph']}: {row['ratios']}, noise {row['noise']}", file=sys.stderr)
            kept["graphs"].append(row)
        keep(program, "cpu", kept["how"], kept["graphs"])
    raise SystemExit(f"{called(program)}: the machine is too busy to say what large graphs do")


def note_machine(target: str, program: Path, what: str) -> None:
    """Where a program was measured. What a record says of all programs holds for those of which it says nothing."""
    record = read_record()
    record[target][called(program)]["machine"] = what
    write_json(RECORD, record)


def machines_of(record: dict[str, Any], target: str) -> str:
    """Where a target's programs were measured."""
    where = [kept["machine"] for kept in record.get(target, {}).values() if "machine" in kept]
    of_all = record.get("machine", {}).get(target, "")
    others = [f"{where.count(one)} programs: {one}" for one in dict.fromkeys(where)]
    return "; ".join([of_all, *others] if of_all else others)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("measure", "check", "model", "take", "write"))
    parser.add_argument("result", nargs="?", type=Path, help="what take takes from: the result file of `make gpu`")
    parser.add_argument("--programs", default="", help="of programs/, with commas between [all]")
    parser.add_argument("--seconds", type=float, default=60.0, help="of measuring, for each program [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--gpu", default="h200", help="whose times are modelled [%(default)s]")
    parser.add_argument("--sizes", default="12,14", help="two powers of 2: nodes of the emulated graphs [%(default)s]")
    parser.add_argument("--again", action="store_true", help="also what is recorded already")
    asked = parser.parse_args()
    wanted = asked.programs.split(",") if asked.programs else [called(p) for p in PROGRAMS]
    programs = [p for p in PROGRAMS if called(p) in wanted]
    if asked.what == "write":
        return write()
    if asked.what == "take":
        return taken(programs, asked.result, same_graphs, keep)
    if asked.what == "check":
        for path in programs:
            kept = read_record()["cpu"].get(called(path))
            if kept is not None and kept["fingerprint"] == open_program(path).fingerprint and open_program(path).graphs:
                check(path, asked.threads)
        return 0
    target = "cpu" if asked.what == "measure" else "cuda"
    tune_simt.SMALL, tune_simt.LARGE = (int(size) for size in asked.sizes.split(","))
    for path in programs:
        kept = read_record().get(target, {}).get(called(path))
        if kept is not None and kept["fingerprint"] == open_program(path).fingerprint and not asked.again:
            continue
        if asked.what == "measure":
            keep(path, "cpu", "measured", measured(path, asked.threads, asked.seconds, same_graphs))
            m = machine.describe()
            note_machine("cpu", path, f"{m['cpu']}, {asked.threads} threads")
        else:
            how, found = modelled_ratios(path, asked.gpu, same_graphs)
            keep(path, "cuda", how, found)
            sizes = f"2^{tune_simt.SMALL} and 2^{tune_simt.LARGE}"
            note_machine("cuda", path, f"irgl/tune/measure/gpu_model.py, carried on from {sizes} nodes")
        print(f"{called(path)} is done", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
