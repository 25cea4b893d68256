"""Peers as the driver sees them: a Python library in a worker process, or the binaries of the GAP Benchmark Suite."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Protocol

from graphs import Facts
from peers.peer import PR_ITERATIONS, Answer

Reply = dict[str, Any]
_HERE = Path(__file__).resolve().parent


class Runner(Protocol):
    """`measure` gives {"ms": [..], "answer": {..}}, {"missing": True} or {"error": text}."""

    name: str

    def measure(self, algorithm: str, source: int | None, trials: int, answer: Path | None) -> Reply: ...
    def note(self, algorithm: str) -> str: ...
    def version(self) -> str: ...
    def pids(self) -> list[int]: ...
    def close(self) -> None: ...


def environment(threads: int) -> dict[str, str]:
    """Every library told the number of threads, and to sleep when it waits."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, str(threads)), "OMP_WAIT_POLICY": "passive"}


class PythonRunner:
    """A worker.py process, started when first asked, started again after it had to be ended."""

    def __init__(self, name: str, folder: Path, threads: int, limit: float) -> None:
        self.name = name
        self._folder, self._threads, self._limit = folder, threads, limit
        self._process: subprocess.Popen[str] | None = None
        self._version = ""
        self._notes: dict[str, str] = {}

    def measure(self, algorithm: str, source: int | None, trials: int, answer: Path | None) -> Reply:
        request = {"algorithm": algorithm, "source": source, "trials": trials,
                   "answer": str(answer) if answer is not None else None}
        try:
            if self._process is None:
                self._start()
            if answer is not None:  # the first request: the graph is built
                self._ask({**request, "trials": 0, "answer": None}, 900.0)
            reply = self._ask(request, self._limit * trials)
            if "note" in reply:
                self._notes[algorithm] = reply["note"]
            return reply
        except TimeoutError:
            self.close()
            return {"error": f"> {self._limit:.0f} s"}
        except (EOFError, OSError) as e:
            self.close()
            return {"error": f"its process ended: {e}"}

    def note(self, algorithm: str) -> str:
        return self._notes.get(algorithm, "")

    def version(self) -> str:
        return self._version

    def pids(self) -> list[int]:
        return [self._process.pid] if self._process is not None else []

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _start(self) -> None:
        env = environment(self._threads)
        if self.name == "irgl":
            del env["OMP_WAIT_POLICY"]  # our runtime sets its own
        command = [sys.executable, str(_HERE / "worker.py"), self.name, str(self._folder), str(self._threads)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True, env=env)
        hello = self._ask(None, 120.0)
        self._version = hello["version"]

    def _ask(self, request: dict[str, Any] | None, limit: float) -> Reply:
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        if request is not None:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        if not select.select([self._process.stdout], [], [], limit)[0]:
            raise TimeoutError
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"exit status {self._process.wait()}")
        reply: Reply = json.loads(line)
        return reply


class GapRunner:
    """Binaries of the GAP Benchmark Suite, one process a sample; the times are its own "Trial Time"s. Half of
    several runs are with threads that sleep while they wait, which a busy machine favours: the better counts."""

    name = "gapbs"
    _BINARY = {"bfs": "bfs", "sssp": "sssp", "pr": "pr_spmv", "cc": "cc", "tc": "tc", "bc": "bc"}  # noqa: RUF012
    _DELTAS = tuple(2**k for k in range(18))

    def __init__(self, binaries: Path, folder: Path, facts: Facts, threads: int, limit: float) -> None:
        self._binaries, self._folder, self._facts = binaries, folder, facts
        self._env = {**environment(threads)}
        del self._env["OMP_WAIT_POLICY"]  # as its users run it
        self._limit = limit
        self._delta: int | None = None

    def measure(self, algorithm: str, source: int | None, trials: int, answer: Path | None) -> Reply:
        if algorithm not in self._BINARY or not (self._binaries / self._BINARY[algorithm]).exists():
            return {"missing": True}
        if algorithm == "sssp" and self._delta is None:
            # The best for all sources, since a source may like one that the others don't.
            self._delta = min(self._DELTAS, key=lambda d: sum(min(self._run("sssp", s, 2, d)[0])
                                                              for s in self._facts.sources))
        try:
            half = (trials + 1) // 2
            times, text = self._run(algorithm, source, half, self._delta, "-a" if answer is not None else "")
            if trials > half:
                times += self._run(algorithm, source, trials - half, self._delta, waiting="passive")[0]
        except (subprocess.SubprocessError, OSError) as e:
            return {"error": f"> {self._limit:.0f} s" if isinstance(e, subprocess.TimeoutExpired) else str(e)}
        return {"ms": times, "answer": _read_answer(algorithm, text)}

    def _run(self, algorithm: str, source: int | None, trials: int, delta: int | None,
             *more: str, waiting: str = "") -> tuple[list[float], str]:
        file = self._folder / ("graph.wsg" if algorithm == "sssp" else "graph.sg")
        options = {"sssp": ["-d", str(delta)], "pr": ["-i", str(PR_ITERATIONS), "-t", "0"], "bc": ["-i", "1"]}
        command = [str(self._binaries / self._BINARY[algorithm]), "-f", str(file), "-n", str(trials),
                   *options.get(algorithm, []), *(["-r", str(source)] if source is not None else []),
                   *(word for word in more if word)]
        env = {**self._env, "OMP_WAIT_POLICY": waiting} if waiting else self._env
        found = subprocess.run(command, capture_output=True, text=True, check=True, env=env,
                               timeout=self._limit * trials)
        return [float(t) * 1e3 for t in re.findall(r"Trial Time:\s+([\d.]+)", found.stdout)], found.stdout

    def note(self, algorithm: str) -> str:
        return {"sssp": f"best delta: {self._delta}", "pr": "pr_spmv, float"}.get(algorithm, "")

    def version(self) -> str:
        head = subprocess.run(["git", "-C", str(self._binaries), "rev-parse", "--short", "HEAD"], capture_output=True,
                              text=True, check=False).stdout.strip()
        return head or time.strftime("%Y-%m-%d", time.gmtime((self._binaries / "bfs").stat().st_mtime))

    def pids(self) -> list[int]:
        return []

    def close(self) -> None:
        return


def _read_answer(algorithm: str, text: str) -> Answer:
    # Its -a option prints a count, or the five highest scores as node:score.
    pattern = {"bfs": r"BFS Tree has (\d+) nodes", "sssp": r"reaches (\d+) nodes", "cc": r"There are (\d+) components",
               "tc": r"(\d+) triangles"}.get(algorithm)
    if pattern is None:
        return {"top": [[int(v), float(s)] for v, s in re.findall(r"^(\d+):([\d.e+-]+)$", text, re.MULTILINE)]}
    key = {"bfs": "reached", "sssp": "reached", "cc": "components", "tc": "triangles"}[algorithm]
    found = re.search(pattern, text)
    return {key: int(found.group(1))} if found is not None else {}
