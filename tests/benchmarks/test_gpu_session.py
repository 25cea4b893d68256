"""A session on a machine with a GPU: what is a failure and what is not, its time, its machine, its report."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.places import BENCHMARKS, PROGRAMS, ROOT

sys.path.insert(0, str(BENCHMARKS))

import machine
from on_gpu import device
from on_gpu.parts import correctness, sanitizer
from on_gpu.parts.correctness import Judge
from on_gpu.pool import done
from on_gpu.record import Clock, Record
from on_gpu.session import _settle, wrong
from on_gpu.specs import SPECS
from on_gpu.suite import Suite
from on_gpu.table import markdown

from irgl.rt.compile import nvcc
from irgl.source import IrglError

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


class StandIn:
    """A suite whose runs give the replies that a test says."""

    quick, simulated, verdicts, workers, turns = True, True, "", None, list[str]()

    def __init__(self, replies: list[dict[str, Any]]) -> None:
        self.record, self.replies, self.limits = Record(None, {}), replies, list[Any]()
        self.given = argparse.Namespace(sampled=1)
        for part in ("first", "correctness", "sanitizer"):
            self.record.begin(part)

    def left(self) -> float:
        return 100.0

    def graphs_of(self, _: str, names: list[str], __: str) -> list[str]:
        return list(names)

    def run(self, *args: Any, **more: Any) -> Future[str]:
        self.limits.append(more.get("limit"))
        args[5](self.replies.pop(0))
        return done("")

    def wait(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(("second", "verdict"), [({"ms": [30.0]}, "right"), ({"error": "> 60 s"}, "too long")])
def test_a_run_that_takes_too_long_is_run_again_alone_and_is_no_failure(second: dict[str, Any], verdict: str) -> None:
    at = {"plan": "default", "graph": "g"}
    suite: Any = StandIn([{**at, "error": "> 20 s"}, {**at, **second}])
    judge = Judge(suite, "first")
    judge.run("bfs", ["default"], ["g"])
    assert suite.record.rows("first") == []
    judge.again()
    assert [r["verdict"] for r in suite.record.rows("first")] == [verdict]
    assert (suite.limits, wrong(suite.record)) == ([None, correctness.AGAIN], False)


def test_a_tool_that_finds_nothing_in_a_run_that_failed_has_no_result(tmp_path: Path) -> None:
    suite: Any = StandIn([])
    log = tmp_path / "log"
    log.write_text("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n")
    for reply in ({"plan": "p", "graph": "g", "ms": [1.0]}, {"plan": "p", "graph": "g", "error": "out of memory"}):
        sanitizer._told(suite, "bfs", "memcheck", log, reply)
    assert [(r["verdict"], r.get("why")) for r in suite.record.rows("sanitizer")] == [
        ("clean", None), ("no result", "out of memory")]


def test_a_report_is_made_of_whatever_rows_there_are() -> None:
    parts = {"handwritten": [{"program": "bfs", "plan": "default", "error": "nvcc can't build it"}],
             "evaluation": [{"program": "dmr", "plan": "none", "error": "no"}],
             "correctness": [{"program": "bfs", "verdict": "fails", "why": "no build"}],
             "costs": [{"benchmark": "launch"}], "sanitizer": [{}], "calling": [{"program": "bfs"}], "ptxas": [{}]}
    text = markdown({"parts": {p: {"rows": r, "left_out": [], "seconds": 1.0} for p, r in parts.items()}})
    assert [line.split()[1] for line in text.splitlines() if line.startswith("## ")] == list(parts)
    assert "| bfs  |  | nvcc can't build it |  |  |" in text
    assert '- `{"benchmark": "launch"}`' in text


def test_a_part_gets_a_quarter_of_a_minute_where_there_is_one() -> None:
    clock = Clock(100, {"a": 1, "b": 99}, ["a", "b"])
    assert round(clock.deadline("a") - time.monotonic()) == 15
    assert round(Clock(10, {"a": 1, "b": 99}, ["a", "b"]).deadline("a") - time.monotonic()) == 10


def test_bc_runs_on_a_grid_whose_shortest_paths_can_be_counted() -> None:
    suite: Any = SimpleNamespace(spec=SPECS.get)
    assert Suite.graphs_of(suite, "bc", ["rmat16", "grid"], "correctness") == ["rmat16", "grid300"]
    assert Suite.graphs_of(suite, "bfs", ["rmat16", "grid"], "correctness") == ["rmat16", "grid"]
    run = subprocess.run([sys.executable, "-m", "irgl", "run", str(PROGRAMS / "bc.irgl"), "--graph",
                          SPECS["grid300"], "--verify"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_another_architecture_reaches_all_that_nvcc_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "-lineinfo")
    _settle(argparse.Namespace(target="simt", arch="sm_80"))
    assert os.environ["NVCC_APPEND_FLAGS"] == "-lineinfo -arch=sm_80"


def test_a_machine_is_described_by_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tmp_path / "asked"
    refusal = 'case "$1" in *,*|*mig*) echo "Field is not a valid field to query."; exit 2;; esac\n'
    answer = f'echo "$1" >> {asked}\nn=$(echo "$1" | tr -dc , | wc -c)\nprintf "H200"; ' \
             'while [ $n -gt 0 ]; do printf ", 1"; n=$((n-1)); done\n'
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for before, times in (("", 1), (refusal, 11)):
        executable(tmp_path / "nvidia-smi", f"#!/bin/sh\n{before}{answer}")
        asked.write_text("")
        found = device.gpu()
        assert (found["name"], len(found), asked.read_text().count("--query-gpu")) == ("H200", 12 - (times > 1), times)
    monkeypatch.setenv("PATH", "")
    assert (machine.describe()["L2"], device.gpu()) == ("", {})


def gpu(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(BENCHMARKS / "gpu.py"), *options], capture_output=True, text=True,
                          check=False, timeout=200, cwd=ROOT,
                          env={**os.environ, "IRGL_EMU_SMS": "1", "IRGL_GPU_PACK_SITE": "", **environment})


def test_a_tool_that_does_not_work_here_is_left_out_and_another_cache_found(tmp_path: Path) -> None:
    tool = executable(tmp_path / "tool", "#!/bin/sh\necho Device not supported >&2\nexit 1\n")
    run = gpu("--target", "simt", "--quick", "--parts", "sanitizer", "--sanitizer", str(tool), "--json",
              str(tmp_path / "gpu.json"), IRGL_CACHE_DIR="/proc/irgl", TMPDIR=str(tmp_path))
    cache = tmp_path / f"irgl-gpu-cache-{os.getuid()}"
    assert f"the cache can't be written: {cache} takes its place" in run.stderr.splitlines()
    left_out = [line for line in run.stdout.splitlines() if line.startswith("Left out")]
    assert (run.returncode, left_out) == (
        0, ["Left out: everything: it fails with a tiny program: Device not supported"])


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_registers_can_be_counted_without_a_gpu(tmp_path: Path) -> None:
    try:
        nvcc.require_device()
        pytest.skip("there is a GPU")
    except IrglError:
        pass
    run = gpu("--parts", "ptxas", "--programs", "tri", "--quick", "--json", str(tmp_path / "gpu.json"))
    assert run.returncode == 0, run.stderr
    assert "| tri | default |" in run.stdout
