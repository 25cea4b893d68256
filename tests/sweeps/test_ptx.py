"""What nvcc makes of CUDA code, run on the CPU by tests/ptx (docs/ptx.md): instructions, mistakes, irgl's programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import ptx, simt_runs
from support.awkward_graphs import awkward
from support.covering import Row
from support.places import BENCHMARKS
from support.programs import ON_GRAPHS
from support.random_cuda import disagreements
from support.simt import complaints, mixed_rows, rows_of

pytestmark = pytest.mark.skipif(bool(ptx.missing()), reason=ptx.missing())

RUN = {"capacity": "0", "mode": "check", "seed": "1", "block": "256"}
PLANS: tuple[Row, ...] = (
    {},
    {"np": "wp+fg", "cc": "block", "outline": "all"},
    {"np": "tb+wp+fg", "cc": "block", "outline": "all", "capacity": "1"},
)
NAMES = ("bfs", "sssp_nf", "cc", "pr", "tri", "mst")
LEVELS = """graph Graph { node int level = INF; }
Kernel step(Graph g, int depth) WL unique list<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } } }
}
Program levels(Graph g, node src = first) {
  src.level = 0; int depth = 1;
  Iterate step(g, depth) Initial [src] { depth++; }
}
"""
MISTAKES = {
    1: "out of bounds: 4 bytes",
    2: "misaligned: 8 bytes",
    3: "lanes of a warp at two barriers",
    4: "deadlock",
    5: "no progress",
    6: "out of bounds of shared memory",
    7: "out of bounds: 4 bytes",  # freed
    9: "a shuffle reads lane 3, which takes no part",
    10: "the mask does not name the lane itself",
    11: "out of bounds of shared memory",
    12: "no progress",
    13: "a copy or fill of 404 bytes",
}


@pytest.fixture
def through_nvcc(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would run in the emulator is compiled by nvcc, and runs here."""
    monkeypatch.setattr(simt_runs, "build", ptx.build)
    monkeypatch.setattr(simt_runs, "run_jobs", ptx.run_jobs)


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ptx.compile_text((ptx.SOURCES / "faults.cu").read_text(), tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def litmus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ptx.compile_text((ptx.SOURCES / "litmus.cu").read_text(), tmp_path_factory.mktemp("litmus"))


@pytest.mark.parametrize("name", ["cases", "meet"])
def test_instructions_do_what_the_host_and_known_values_say(name: str, tmp_path: Path) -> None:
    done = ptx.execute(ptx.compile_text((ptx.SOURCES / f"{name}.cu").read_text(), tmp_path))
    assert done.stdout.endswith(" 0 wrong\n") or done.stdout.endswith("\n0 wrong\n"), done.stdout + done.stderr


@pytest.mark.parametrize("which", MISTAKES)
def test_a_mistake_is_told(mistakes: Path, which: int) -> None:
    done = ptx.execute(mistakes, [str(which)], {"PTX_PATIENCE": "2000000"})
    assert done.returncode == 86
    assert done.stderr.startswith(f"ptx: error: {MISTAKES[which]}")


def test_a_place_is_told_by_the_source_and_the_ptx(mistakes: Path) -> None:
    said = ptx.execute(mistakes, ["1"]).stderr.splitlines()
    lines = (ptx.SOURCES / "faults.cu").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "case 1:" in text)
    assert f"at program.cu:{line}, PTX line " in said[1]


def test_an_unknown_instruction_is_refused_by_name_where_it_is_reached(mistakes: Path) -> None:
    assert ptx.execute(mistakes, ["0"]).stdout == "no error\n"
    done = ptx.execute(mistakes, ["8"])
    assert (done.returncode, "not covered" in done.stderr, "the instruction dp4a" in done.stderr) == (2, True, True)


@pytest.mark.parametrize("how", range(7))
def test_weak_memory_loses_the_messages_that_no_fence_orders(litmus: Path, how: int) -> None:
    lost = [int(ptx.execute(litmus, [str(how)], {"PTX_WEAK": weak}).stdout) for weak in "01"]
    assert (lost[0], lost[1] > 0) == (0, how in (0, 2, 4))


@pytest.mark.usefixtures("through_nvcc")
@pytest.mark.parametrize("weak", ["0", "1"])
def test_programs_give_right_answers(weak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTX_WEAK", weak)
    graphs = {name: awkward()[name] for name in ("self-loops", "disconnected", "grid", "sparse")}
    assert complaints([(name, RUN | plan) for name in NAMES for plan in PLANS], graphs) == []


@pytest.mark.parametrize("parts", ["calling,handwritten", pytest.param(
    "first,costs,bandwidth,curve,correctness,evaluation", marks=pytest.mark.matrix)])
def test_the_suite_for_gpus_finds_right_answers(parts: str, tmp_path: Path) -> None:
    given = ["--quick", "--parts", parts, "--programs", "bfs,tri", "--sampled", "2", "--budget", "900",
             "--json", str(tmp_path / "gpu.json")]
    done = subprocess.run([sys.executable, str(BENCHMARKS / "gpu.py"), *given],
                          env={**os.environ, **ptx.environment()}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = (tmp_path / "gpu.json").read_text()
    assert [part["left_out"] for part in json.loads(found)["parts"].values()] == [[]] * len(parts.split(","))
    assert "not covered" not in found


@pytest.mark.parametrize("plan", [
    "frontier=list", "frontier=bitmap outline=off",
    *(pytest.param(plan, marks=pytest.mark.matrix) for plan in ("frontier=bitmap", "frontier=bytemap outline=off"))])
def test_a_gpu_tells_what_each_round_runs_over(plan: str, tmp_path: Path) -> None:
    (tmp_path / "levels.irgl").write_text(LEVELS)
    given = ["--graph", "grid:5x4", "--target", "cuda", "--stats=rounds", "--json", "--plan", f"block=32 {plan}"]
    done = subprocess.run([sys.executable, "-m", "irgl.cli.main", "run", "levels.irgl", *given], cwd=tmp_path,
                          env={**os.environ, **ptx.environment()}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [(r["frontier"], r["edges"]) for r in json.loads(done.stdout)["rounds"]] == [
        (1, 2), (2, 6), (3, 10), (4, 13), (4, 13), (3, 10), (2, 6), (1, 2)]


@pytest.mark.matrix
@pytest.mark.usefixtures("through_nvcc")
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_covers_of_all_programs_give_right_answers(name: str) -> None:
    rows = [*rows_of(name), *mixed_rows(name, range(4))]
    assert complaints([(name, row) for row in rows], awkward()) == []


@pytest.mark.matrix
@pytest.mark.usefixtures("through_nvcc")
@pytest.mark.parametrize("batch", range(40))
def test_random_programs_agree_with_the_interpreter(batch: int) -> None:
    assert disagreements(batch) == []
