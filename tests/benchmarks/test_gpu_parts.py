"""Pieces of the suite for machines with a GPU: workers, servers of calls, units built together."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from support.places import BENCHMARKS, PROGRAMS

sys.path.insert(0, str(BENCHMARKS))

from on_gpu import units, worker
from on_gpu.parts.correctness import sampled_plans
from on_gpu.pool import Pool, after, done
from on_gpu.run import TIME_OVER, in_turn
from on_gpu.server import Server, under_tool

from irgl.rt.call import device
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError

BFS = PROGRAMS / "bfs.irgl"
PLANS = ["none", "np=tb cc=warp outline=off", "none np=wp+fg outline=graph"]
#: Serves as process.cuh does: unit 0 is right, 1 hangs, 2 ends.
SERVING = """#!/bin/sh
echo 0
while read unit file; do
  case $unit in 0) echo said >&2; echo 0;; 1) exec sleep 100;; 2) exit 7;; esac
done
"""
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def request(**more: Any) -> dict[str, Any]:
    graph = {"spec": "grid:5x5", "source_id": 0}
    return {"program": str(BFS), "plans": PLANS, "only": [], "fast": False, "graphs": {"a": graph}, "target": "simt",
            "values": {}, "repeat": 1, "capacity": {}, "limit": 60.0, "lock": None, "prefix": [], "verdicts": None,
            "turns": [], "until": time.monotonic() + 200, **more}


def test_units_built_together_are_right_from_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_EMU_SMS", "1")
    started = []
    monkeypatch.setattr(Server, "start", lambda self, run=Server.start: (run(self), started.append(self.started))[0])
    graphs = {g: {"spec": spec, "source_id": 0} for g, spec in (("a", "grid:5x5"), ("b", "grid:40x2"))}
    found = [*worker._run(request(graphs=graphs, verdicts=str(tmp_path), capacity={PLANS[1]: 1}))]
    assert [(r["plan"], r["graph"], r.get("error"), r.get("wrong")) for r in found] == [
        (p, g, None, None) for g in ("a", "b") for p in PLANS]
    deepest = [r["scalars"]["deepest"] for r in found]
    assert (deepest, len(list(tmp_path.iterdir())), max(started)) == ([8, 8, 8, 40, 40, 40], 2, 1)
    launches = [r["stats"]["launches"] for r in found]
    assert launches[0] != launches[1], "these are one and the same unit"
    assert found[1]["stats"]["worklist_growths"] > 0


def test_plans_that_ask_for_other_arrays_of_a_graph_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pull over rows reads in-edges, which a push is not given; neither takes a form of edges."""
    monkeypatch.setenv("IRGL_EMU_SMS", "1")
    plans, graphs = ["none", "none direction=pull"], {"a": {"spec": "rmat:scale=6,degree=4", "source_id": 0}}
    found = [*worker._run(request(plans=plans, graphs=graphs, verdicts=str(tmp_path)))]
    assert [(r["plan"], r.get("error"), r.get("wrong", "")) for r in found] == [(p, None, None) for p in plans]


def test_an_error_of_any_kind_costs_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_EMU_SMS", "1")
    graphs = {"a": {"spec": "grid:5x5"}, "b": {"spec": "grid:5x5", "source_id": 0}}
    found = [*worker._run(request(plans=PLANS[:1], graphs=graphs))]
    assert [(r["graph"], r.get("error"), "ms" in r) for r in found] == [
        ("a", "KeyError: 'source_id'", False), ("b", None, True)]


def test_a_plan_that_cannot_be_built_leaves_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = units.manifest_of(BFS, PLANS[1], "simt").text.partition("namespace unit {")[2]

    def build(manifest: Manifest, *_: Any) -> Path:
        count = manifest.text.count("return irgl_run_")
        if count == 3 or (count == 0 and bad in manifest.text):
            raise IrglError("nvcc refuses it")
        return tmp_path / str(count)

    monkeypatch.setattr(device, "build", build)
    found = units.built(BFS, [PLANS[1], PLANS[0], PLANS[2]], "simt")
    assert found == {PLANS[1]: "nvcc refuses it", PLANS[0]: units.Unit(tmp_path / "2", 0),
                     PLANS[2]: units.Unit(tmp_path / "2", 1)}


def test_plans_of_a_block_size_are_built_together() -> None:
    plans = sampled_plans("bfs", 30)
    groups = units.by_block(plans)
    assert sorted(p for group in groups for p in group) == sorted(plans)
    assert len(groups) == 4


def test_a_flag_of_nvccs_is_set_for_one_build(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def build(*_: Any) -> Path:
        seen.append(os.environ.get("NVCC_APPEND_FLAGS"))
        if seen[-1]:
            raise IrglError("nvcc fatal: Unknown option '-Ofc=max'")
        return Path("built")

    monkeypatch.delenv("NVCC_APPEND_FLAGS", raising=False)
    monkeypatch.setattr(device, "build", build)
    assert isinstance(units.built(BFS, PLANS[:1], "cuda", fast=True)[PLANS[0]], units.Unit)
    assert (seen, "NVCC_APPEND_FLAGS" in os.environ) == (["-Ofc=max", None], False)


def test_a_server_that_hangs_or_ends_is_followed_by_another(tmp_path: Path) -> None:
    server = Server(executable(tmp_path / "serving", SERVING), False)
    try:
        assert server.call(0, tmp_path, 20) == (0, "said")
        with pytest.raises(IrglError, match=r"^error: > 1 s"):
            server.call(1, tmp_path, 1)
        assert server.call(0, tmp_path, 20)[0] == 0
        assert server.call(2, tmp_path, 20)[0] == 7
        assert (server.call(0, tmp_path, 20)[0], server.started) == (0, 3)
    finally:
        server.close()


def test_a_process_that_gets_no_device_says_so(tmp_path: Path) -> None:
    server = Server(executable(tmp_path / "serving", "#!/bin/sh\necho no device >&2\necho 100\n"), False)
    with pytest.raises(IrglError, match=r"can't start \(code 100\): no device"):
        server.call(0, tmp_path, 20)
    server.close()


def test_a_process_outlives_the_thread_that_starts_it_where_it_is_told_when_to_end() -> None:
    unit = units.built(BFS, PLANS[:1], "simt")[PLANS[0]]
    assert isinstance(unit, units.Unit)
    ends = []
    for told in ({}, {"IRGL_SECONDS": "100"}, {"IRGL_SECONDS": "1"}):
        started: list[subprocess.Popen[bytes]] = []

        def start(environment: dict[str, str] = told, into: list[subprocess.Popen[bytes]] = started) -> None:
            into.append(subprocess.Popen([str(unit.executable)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         env={**os.environ, **environment}))
            assert into[0].stdout is not None
            into[0].stdout.readline()  # it is there

        thread = threading.Thread(target=start)
        thread.start()
        thread.join()
        with started[0] as process:
            if told.get("IRGL_SECONDS") != "100":
                process.wait(20)
        ends.append(process.returncode)  # its stdin was closed
    assert ends == [-signal.SIGKILL, 0, -signal.SIGALRM]


def test_a_tool_gets_what_the_process_under_it_needs(tmp_path: Path) -> None:
    tool = executable(tmp_path / "tool", '#!/bin/sh\necho $UNIT $IRGL_SECONDS $CUDA_MODULE_LOADING $1 $2 >&2\nexit 9\n')
    assert under_tool([str(tool)], Path("unit"), 3, Path("file"), 40.0, False) == (9, "3 45 LAZY unit file")


def test_replies_of_two_requests_never_mix() -> None:
    pool = Pool(1)
    try:
        def fails(_: object) -> None:
            raise RuntimeError("a row that can't be written")

        until, told = time.monotonic() + 60, []
        slow = {"do": "graph", "graph": "path:4", "write": None}
        assert pool.submit(slow, until, fails).result() == "the suite fails: RuntimeError: a row that can't be written"
        assert pool.submit({**slow, "graph": "path:7"}, until, told.append).result() == ""
        assert [r["nodes"] for r in told] == [7]
    finally:
        pool.close()


def test_what_a_worker_said_at_its_end_is_told(tmp_path: Path) -> None:
    pool = Pool(1, tmp_path / "workers")
    try:
        why = pool.submit({"do": "graph", "graph": "path:4", "write": str(tmp_path / "a")}, time.monotonic() + 60,
                          lambda _: None).result()
        assert why == ""
        (tmp_path / "workers.0.log").write_text("Killed by\nthe system\n")
        worker = pool._workers[0]
        assert worker._process is not None
        worker._process.kill()
        worker._started = lambda p=worker._process: p  # type: ignore[method-assign]
        assert pool.submit({"do": "none"}, time.monotonic() + 60).result() == "its worker ended: Killed by the system"
    finally:
        pool.close()


def test_work_begins_once_all_that_it_needs_is_there() -> None:
    a: Future[str] = Future()
    b: Future[str] = Future()
    begun: list[str] = []
    found = after([a, b], lambda: (begun.append("x"), done("why"))[1])
    a.set_result("")
    assert (begun, found.done()) == ([], False)
    b.set_result("it failed")
    assert (begun, found.result(1)) == (["x"], "why")
    cancelled: Future[str] = Future()
    cancelled.cancel()
    assert after([], lambda: cancelled).result(1) == TIME_OVER


def test_as_many_runs_use_the_gpu_as_there_are_turns(tmp_path: Path) -> None:
    turns, inside, most = [str(tmp_path / "a"), str(tmp_path / "b")], [0], [0]
    lock = threading.Lock()

    def one() -> None:
        with in_turn(turns):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(0.02)
            with lock:
                inside[0] -= 1

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [2]
