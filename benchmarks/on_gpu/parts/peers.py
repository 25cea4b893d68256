"""Ours beside binaries of other projects, built elsewhere: `--peer-bin DIR` holds one or more of those in PEERS.

They get the same graph from the same node. A time is what the program says of itself, without loading; it has the GPU
alone while it runs.
"""

from __future__ import annotations

import math
import resource
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irgl.rt.graphs.prepare import Requirements
from irgl.source import IrglError
from on_gpu.parts import peer_graphs
from on_gpu.parts.handwritten import shipped, submit
from on_gpu.parts.peer_table import GRAPHS, PEERS, PROBLEMS, Peer, complaint, disagreements, milliseconds
from on_gpu.pool import TIME_OVER
from on_gpu.run import in_turn
from on_gpu.suite import Suite

PART = "peers"
#: Seconds that one process may take.
LIMIT = 30.0
#: Graphs that are written at a time.
WRITERS = 3
_Cells = dict[str, dict[str, Any]]


def prepare(suite: Suite) -> None:
    """Begins to build ours, and to make the graphs."""
    for name in _names(suite):
        for program in _ours(suite):
            for group in shipped(suite, program):
                suite.build(program, group)
            if suite.spec(name) is not None:
                suite.prepare(program, name)


def _names(suite: Suite) -> tuple[str, ...]:
    return GRAPHS[:1] if suite.quick else GRAPHS


def _there(suite: Suite) -> dict[str, Peer]:
    folder: Path = suite.given.peer_bin
    return {name: peer for name, peer in PEERS.items() if (folder / name).exists()}


def _ours(suite: Suite, name: str | None = None) -> dict[str, str]:
    """Our programs for the problems of the peers that are there (and run on a graph), with their problems."""
    problems = {p.problem for p in _there(suite).values() if name is None or p.runs_on(name)}
    return {program: problem for problem, how in PROBLEMS.items() if problem in problems
            for program in suite.programs(how.ours)}


def run(suite: Suite) -> None:
    names = suite.graphs_of("", _names(suite), PART)
    cells: dict[str, _Cells] = {n: {} for n in names}
    ours = {n: [submit(suite, PART, p, n, cells[n], PROBLEMS[q].values) for p, q in _ours(suite, n).items()]
            for n in names}
    pool = ThreadPoolExecutor(1 if suite.quick else WRITERS)
    try:
        files = {n: _write(suite, pool, n) for n in names}
        for name in names:
            suite.wait(ours[name], PART, f"programs on {name}")
            for program in _ours(suite, name):
                cell = cells[name].setdefault(program, {"error": TIME_OVER})
                suite.record.row(PART, {"graph": name, "who": "irgl", "program": program, **cell})
            for who, peer in _there(suite).items():
                if peer.runs_on(name):
                    mine = {p: cells[name][p] for p in PROBLEMS[peer.problem].ours if cells[name].get(p, {}).get("ms")}
                    _one(suite, who, name, files[name], mine)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _write(suite: Suite, pool: ThreadPoolExecutor, name: str) -> dict[Requirements, Future[float]]:
    """Begins to write a graph for the peers: by what is done to it, its mean weight."""
    forms: dict[Requirements, set[str]] = {}
    for peer in _there(suite).values():
        if peer.runs_on(name):
            forms.setdefault(PROBLEMS[peer.problem].need, set()).add(peer.form)
    graph = suite.graph(name, PART)
    if graph is None:
        return {}
    return {need: pool.submit(peer_graphs.written, graph["spec"], need,
                                      [(form, _file(suite, name, need, form)) for form in sorted(wanted)])
            for need, wanted in forms.items()}


def _file(suite: Suite, name: str, need: Requirements, form: str) -> Path:
    kind = "undirected" if need.directed is False else "simple" if need.simple else "plain"
    return suite.scratch / f"{name}-{kind}-{form}.{peer_graphs.FORMS[form]}"


def _one(suite: Suite, who: str, name: str, written: dict[Requirements, Future[float]], mine: _Cells) -> None:
    peer = PEERS[who]
    need = PROBLEMS[peer.problem].need
    row: dict[str, Any] = {"graph": name, "who": who, "program": peer.problem}
    graph = suite.graph(name, PART)
    if graph is None or suite.left() <= 0:
        suite.record.leave_out(PART, f"{who} on {name}: {TIME_OVER}")
        return
    try:
        weight = written[need].result(timeout=max(1.0, suite.left()))
    except TimeoutError:
        suite.record.leave_out(PART, f"{who} on {name}: its graph is still being written")
        return
    except (IrglError, OSError) as e:
        suite.record.row(PART, {**row, "error": f"its graph can't be written: {e}"})
        return
    best: dict[str, Any] = {}
    why = ""
    file = _file(suite, name, need, peer.form)
    for call in peer.calls(file, graph["source"], weight):
        found = _timed(suite, who, call)
        if isinstance(found, str):
            why = found
        elif found["ms"] < best.get("ms", math.inf):
            best = {**found, "arguments": " ".join(call).replace(str(file), file.name)}
    if best:
        ratios = {p: round(best["ms"] / c["ms"], 3) for p, c in mine.items()}
        suite.record.row(PART, {**row, "ms": best["ms"], "arguments": best["arguments"],
                                "disagrees": disagreements(best["text"], mine), "ratios": ratios})
    elif why == TIME_OVER:
        suite.record.leave_out(PART, f"{who} on {name}: {why}")
    else:
        suite.record.row(PART, {**row, "error": why})


def _timed(suite: Suite, who: str, call: list[str]) -> dict[str, Any] | str:
    """{"ms", "text"} of a peer, or why it has no time."""
    peer, texts = PEERS[who], []
    for _ in range(1 if suite.quick else peer.samples):
        if suite.left() <= 0:
            break
        with in_turn([suite.lock]):
            text, code = output([str(suite.given.peer_bin / who), *call], max(1.0, min(LIMIT, suite.left())))
        why = complaint(text, code)
        if why is not None:
            return why
        texts.append(text)
    if not texts:
        return TIME_OVER
    ms = milliseconds(peer, texts)
    return {"ms": ms, "text": texts[-1]} if ms is not None else "it tells no time"


def output(command: list[str], limit: float) -> tuple[str, int]:
    """What a command prints within `limit` seconds, on both streams, and its exit code; or why it can't be run."""
    def deep() -> None:  # one of them checks its answer by a recursion
        resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)

    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              check=False, timeout=limit, preexec_fn=deep)
    except subprocess.TimeoutExpired:
        return f"error: it takes longer than {limit:.0f} s", 124
    except OSError as e:
        return f"error: it can't be run: {e.strerror}", 127
    return done.stdout, done.returncode
