"""Units that run in a process of their own: what they print, how they end, hang and die, and who ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.awkward_graphs import awkward

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.device import run, run_built
from irgl.rt.call.run import Options
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program
from irgl.rt.system import child
from irgl.source import IrglError

PROGRAM = """graph Graph { node int a = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.a = 1; } }
Program main(Graph g) { Invoke k(g); }
"""
#: Writes a fault into the call file, as cuda_rt/process.cuh finds it: behind parameters, scalars and six numbers.
FAULTY = """#!/usr/bin/env python3
import struct, sys
data = open(sys.argv[1], "rb").read()
word = lambda at: struct.unpack_from("<q", data, 8 * at)[0]
at = 4 + 1 + word(4)
at += 1 + word(at) + 6
with open(sys.argv[1], "r+b") as f:
    f.seek(word(at + 1))
    f.write(struct.pack("<q", 6))
print("irgl: CUDA: an illegal address (cudaErrorIllegalAddress)", file=sys.stderr)
sys.exit(1)
"""


def ran(script: str, folder: Path, options: Options | None = None, target: str = "cuda") -> None:
    """Runs PROGRAM with an executable that is no unit, but this script."""
    program, unit = folder / "p.irgl", folder / "unit"
    program.write_text(PROGRAM, encoding="utf-8")
    unit.write_text(script, encoding="utf-8")
    unit.chmod(0o755)
    plan = Plan(target=target)
    manifest = open_program(program, plan)
    graphs = {"g": prepare(awkward()["path"], requirements(manifest.graphs[0]))}
    run_built(unit, 0.0, manifest, graphs, bind(manifest, graphs, {}), plan, options or Options())


@pytest.mark.parametrize("target", ["cuda", "simt"])
def test_a_unit_that_hangs_is_ended_when_its_time_is_over(target: str, tmp_path: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(IrglError) as e:
        ran("#!/bin/sh\nexec sleep 60\n", tmp_path, Options(time_limit=0.3), target)
    assert str(e.value) == "error: the program has not ended after 0.3 s\n  hint: --time-limit gives it more time"
    assert time.monotonic() - begin < 30


@pytest.mark.parametrize("target", ["cuda", "simt"])
@pytest.mark.parametrize(("script", "said"), [
    ("kill -SEGV $$", "the program was ended by SIGSEGV"),
    ("exit 9", "the program ended with code 9"),
    ("echo 'irgl: CUDA: no luck' >&2; exit 3", "the program ended with code 3: irgl: CUDA: no luck")])
def test_how_a_unit_dies_is_one_error(script: str, said: str, target: str, tmp_path: Path) -> None:
    with pytest.raises(IrglError) as e:
        ran(f"#!/bin/sh\n{script}\n", tmp_path, target=target)
    assert e.value.message == said


@pytest.mark.parametrize("target", ["cuda", "simt"])
def test_what_cuda_says_is_the_error(target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(IrglError) as e:
        ran(FAULTY, tmp_path, target=target)
    assert e.value.message == "CUDA failed: an illegal address (cudaErrorIllegalAddress)"
    assert capfd.readouterr().err == ""


def test_what_a_program_prints_is_passed_on_and_what_its_frame_says_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    say = "for w in 'sum: 7' 'a.cu:3: warning: [x] y' 'done'; do echo \"$w\" >&2; done; exit 4"
    ended = child.run(["sh", "-c", say])
    assert (ended.code, ended.said) == (4, ("a.cu:3: warning: [x] y",))
    assert capsys.readouterr().err == "sum: 7\ndone\n"


def test_who_interrupts_us_ends_the_unit(tmp_path: Path) -> None:
    unit = "echo $$ > pid.new; mv pid.new pid; exec sleep 60"
    text = (f"from irgl.rt.system import child\ntry:\n    child.run(['sh', '-c', {unit!r}])\n"
            "except KeyboardInterrupt:\n    print('interrupted')\n")
    ours = subprocess.Popen([sys.executable, "-c", text], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    while not (tmp_path / "pid").exists():
        time.sleep(0.01)
    ours.send_signal(signal.SIGINT)
    said, _ = ours.communicate(timeout=30)
    assert said == "interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_an_interrupt_before_the_unit_is_listened_to_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(threading.Timer):
        def start(self) -> None:
            raise KeyboardInterrupt

    started = []
    monkeypatch.setattr(child.threading, "Timer", Interrupting)
    popen = subprocess.Popen
    monkeypatch.setattr(child.subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[0])
    with pytest.raises(KeyboardInterrupt):
        child.run(["sleep", "60"], limit=60)
    assert started[0].returncode == -signal.SIGKILL


def test_a_unit_that_was_interrupted_is_no_error(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        ran("#!/bin/sh\nkill -INT $$\n", tmp_path)


def test_a_graph_may_have_more_edges_than_its_call_file_bytes_where_nobody_reads_their_ends(tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(PROGRAM, encoding="utf-8")
    plan = Plan(target="simt")
    manifest = open_program(program, plan)
    graphs = {"g": prepare(load("complete:300", use_cache=False), requirements(manifest.graphs[0]))}
    outcome = run(manifest, graphs, bind(manifest, graphs, {}), plan, Options(), mode="fast")
    assert outcome.result.array("a").tolist() == [1] * 300
