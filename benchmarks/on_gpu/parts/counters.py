"""What a GPU's own counters say of schedulers, by Nsight Compute: beside what the emulator counts (docs/counters.md).

The same programs, plans, graphs and first nodes as in benchmarks/schedules.py and benchmarks/counters.py. The tool runs
each kernel several times, so that its times are those of kernels alone.
"""

from __future__ import annotations

import csv
import re
import shutil
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from irgl.source import IrglError
from on_gpu.parts.micro import FOLDER, build, compiled
from on_gpu.pool import Reply
from on_gpu.server import under_tool
from on_gpu.suite import Suite

PART = "counters"
#: Where it lies if not in PATH.
_PLACES = ("usr/local/cuda*/bin/ncu", "usr/local/cuda*/nsight-compute*/ncu", "opt/nvidia/nsight-compute/*/ncu")
_INSTRUCTIONS = ("smsp__inst_executed.sum", "smsp__thread_inst_executed.sum")
#: Of accesses to the device's memory through the first-level cache: what warps ask, and the 32 bytes that it takes.
_ASKED = tuple(f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum" for what in ("requests", "sectors")
               for op in ("ld", "st", "atom", "red"))
_SECOND = tuple(f"lts__t_sectors_op_{op}.sum" for op in ("read", "write", "atom", "red"))
METRICS = (*_INSTRUCTIONS, *_ASKED, *_SECOND, "gpu__time_duration.sum")
PLAN = "np={} cc=off outline=off"
SCHEDULERS = ("serial", "wp+fg", "fg", "tb+wp", "cut stage=8", "bins", "wf", "even", "weaver")
#: Programs, graphs and schedulers: what takes least first. On roads a search has hundreds of kernels.
RUNS = (("bfs", "rmat:16", SCHEDULERS), ("cc", "rmat:16", SCHEDULERS[:4]), ("traverse", "rmat:16", SCHEDULERS[:4]),
        ("cc", "NY", SCHEDULERS[:3]), ("traverse", "NY", SCHEDULERS[:2]))
#: One kernel for all rounds, whose blocks wait for each other: not every version of the tool can run it again.
WHOLE = (("bfs", "rmat:16"), ("bfs", "NY"))
LAST = (("bfs", "NY", SCHEDULERS[:2]),)
_LIMIT = 40.0
#: For the one tiny program that shows whether the tool works here.
_TRIAL = 40.0
_HEAD = {"ID", "Kernel Name"}


def _plans(schedulers: tuple[str, ...]) -> list[str]:
    return [PLAN.format(np) for np in schedulers]


def _built(suite: Suite, program: str) -> list[str]:
    """The plans that are built together: all that the program runs under without one kernel for all rounds."""
    return list(dict.fromkeys(p for name, _, nps in (*_runs(suite), *LAST) if name == program for p in _plans(nps)))


def _runs(suite: Suite) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Those of the programs asked for."""
    chosen = suite.programs([name for name, _, _ in RUNS])
    found = tuple(run for run in RUNS if run[0] in chosen)
    return tuple((p, g, nps[:2]) for p, g, nps in found[:1]) if suite.quick else found


def prepare(suite: Suite) -> None:
    """Begins to build what is counted, where there is a tool to do so."""
    if _tool(suite) is None:
        return
    compiled(suite, FOLDER / "context.cu")
    for program in dict.fromkeys(p for p, _, _ in _runs(suite)):
        suite.build(program, _built(suite, program))
    for name in dict.fromkeys(g for _, g, _ in _runs(suite)):
        suite.start_graph(name)


def run(suite: Suite) -> None:
    tool = _tool(suite)
    metrics, why = ((), "ncu is not installed") if tool is None else _metrics(suite, tool)
    if tool is None or why:
        suite.record.leave_out(PART, f"everything: {why}")
        return
    jobs = []
    for program, name, schedulers in _runs(suite):
        jobs += _submit(suite, tool, metrics, program, name, _plans(schedulers), _built(suite, program))
    chosen = {p for p, _, _ in _runs(suite)}
    for program, name in () if suite.quick else WHOLE:
        if program in chosen:
            jobs += _submit(suite, tool, metrics, program, name, ["default"], ["default"])
    for program, name, schedulers in () if suite.quick else LAST:
        if program in chosen:
            jobs += _submit(suite, tool, metrics, program, name, _plans(schedulers), _built(suite, program))
    suite.wait(jobs, PART, "runs")


def _tool(suite: Suite) -> str | None:
    chosen = suite.given.ncu
    lying = (str(file) for place in _PLACES for file in sorted(Path("/").glob(place), reverse=True))
    names = (chosen,) if chosen else ("ncu", *lying)
    return next((f for name in names if (f := shutil.which(name)) is not None), None)


def words(tool: str, metrics: tuple[str, ...], log: Path) -> list[str]:
    return [tool, "--metrics", ",".join(metrics), "--csv", "--page", "raw", "--print-units", "base", "--clock-control",
            "none", "--log-file", str(log)]


def _metrics(suite: Suite, tool: str) -> tuple[tuple[str, ...], str]:
    """Those of METRICS that the tool finds on this GPU, by a tiny program; why there are none ('': there are some)."""
    executable = build(suite, FOLDER / "context.cu")
    if isinstance(executable, str):
        return (), executable
    metrics, said = METRICS, ""
    for tried in range(2):
        log = suite.scratch / f"trial{tried}.ncu"
        try:
            code, said = under_tool(words(tool, metrics, log), executable, 0, None,
                                    max(1.0, min(_TRIAL, suite.left())), suite.simulated)
        except IrglError as e:
            return (), f"a tiny program takes {e.message} under it"
        text = _text(log)
        counted = read(text)
        if counted:
            found = tuple(m for m in metrics if any(m in k["metrics"] for k in counted))
            for metric in set(METRICS) - {*found}:
                suite.record.leave_out(PART, f"{metric}: the tool does not tell it")
            return found, "" if found else f"it tells nothing that was asked: {_tail(text)}"
        metrics = tuple(m for m in metrics if m.partition(".")[0] not in text)  # those that it complains of
        if not metrics or len(metrics) == len(METRICS):
            break
    return (), f"it fails with a tiny program: {_tail(text) or said or code}"


def _submit(suite: Suite, tool: str, metrics: tuple[str, ...], program: str, name: str, plans: list[str],
            built: list[str]) -> list[Future[str]]:
    info = suite.graph(name, PART)
    if info is None:
        return []
    from_first = {name: {"spec": info["spec"], "source_id": info["first_id"]}}  # as the emulator's runs
    return [_counted(suite, words(tool, metrics, log), program, name, plan, built, log, from_first) for plan in plans
            if (log := suite.scratch / (re.sub(r"\W+", "-", f"{program} {name} {plan}") + ".ncu"))]


def _counted(suite: Suite, prefix: list[str], program: str, name: str, plan: str, built: list[str], log: Path,
             graphs: dict[str, Any]) -> Future[str]:
    return suite.run(suite.timed, PART, program, built, [name], lambda r: _told(suite, program, log, r), only=[plan],
                     graphs=graphs, prefix=prefix, limit=_LIMIT, lock=suite.lock)


def _told(suite: Suite, program: str, log: Path, reply: Reply) -> None:
    if reply.get("late"):
        suite.record.leave_out(PART, f"{program} on {reply['graph']}, {reply['plan']}: {reply['late']}")
        return
    row: dict[str, Any] = {"program": program, "graph": reply.get("graph"), "plan": reply.get("plan")}
    text = _text(log)
    counted = read(text)
    if "error" in reply or not counted:
        suite.record.row(PART, {**row, "error": f"{reply.get('error', 'it counts nothing')}: {_tail(text)}"})
        return
    whole: dict[str, float] = {}
    kernels: dict[str, dict[str, Any]] = {}
    for kernel in counted:
        mine = kernels.setdefault(kernel["kernel"], {"launches": 0, "metrics": {}})
        mine["launches"] += 1
        for metric, value in kernel["metrics"].items():
            whole[metric] = whole.get(metric, 0.0) + value
            mine["metrics"][metric] = mine["metrics"].get(metric, 0.0) + value
    suite.record.row(PART, {**row, "launches": len(counted), "metrics": whole, "kernels": kernels,
                            "stats": reply["stats"]})


def read(text: str) -> list[dict[str, Any]]:
    """{"kernel", "metrics": {name: value}} of each launch in what the tool writes with --csv, a line for each launch or
    for each metric; [] where it holds none."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    found: dict[str, dict[str, Any]] = {}
    for row in csv.DictReader(lines):
        if not {*row} >= _HEAD or not (row["ID"] or "").isdigit():  # the units below the head
            continue
        launch = found.setdefault(row["ID"], {"kernel": row["Kernel Name"], "metrics": {}})
        cells = {row["Metric Name"]: row["Metric Value"]} if "Metric Name" in row else row
        for name, value in cells.items():
            if "__" in str(name) and re.fullmatch(r"[\d,]+(\.\d*)?(e[+-]?\d+)?", str(value)):
                launch["metrics"][name] = float(str(value).replace(",", ""))
    return list(found.values())


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""


def _tail(text: str) -> str:
    """What the tool says, the last of it, in one line."""
    return " | ".join(line.strip("= ") for line in text.splitlines() if line.strip("= "))[-600:]
