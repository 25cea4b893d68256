"""irglc run --target simt: what it counts, what the program prints, and when it is told to end."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.programs import PLACE

COUNTED = ("launches", "grid_barriers", "block_barriers", "atomics", "global_atomics", "utilisation", "transactions",
           "transfers", "transfer_bytes", "worklist_growths", "rounds", "errors", "warnings")
PRINTING = """graph Graph { node int a = 1; }
long sum = 0;
Kernel add(Graph g) { ForAll (n In g.nodes) { sum += n.a; } }
Program main(Graph g) { Invoke add(g); print("sum", sum); Invoke add(g); print(sum); }
"""
ENDLESS = """graph Graph { node int a = 1; }
Kernel add(Graph g) { ForAll (n In g.nodes) { n.a = 2 * n.a; } }
Program main(Graph g) { while (g.num_nodes > 0) { Invoke add(g); } }
"""


def irglc(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "irgl", *words], capture_output=True, text=True, check=False)


def told(*words: str) -> dict[str, Any]:
    done = irglc("run", str(PLACE / "bfs.irgl"), "--graph", "grid:9x9", "--target", "simt", "--json", *words)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_counters_are_in_the_json() -> None:
    stats = told("--stats")["stats"]
    assert [name for name in COUNTED if name not in stats] == []
    assert 0 < stats["utilisation"] <= 1
    assert stats["atomics"] == sum(sum(stats[f"{where}_atomics"].values()) for where in ("global", "shared")) > 0


def test_the_counters_are_shown() -> None:
    done = irglc("run", str(PLACE / "bfs.irgl"), "--graph", "grid:9x9", "--target", "simt", "--stats")
    assert done.returncode == 0
    assert [name for name in COUNTED if f"{name} " not in done.stdout.replace(":", " ")] == []


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """The file of a GPU like a T4, with caches of 1 KiB."""
    raw = json.loads((PLACE.parent / "irgl" / "tune" / "measure" / "gpus" / "t4.json").read_text(encoding="utf-8"))
    guess = "estimate: a guess"
    raw |= {"l1_kb": {"value": 1, "source": guess}, "l2_mb": {"value": 0.002, "source": guess}}
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return str(path)


def test_the_caches_are_those_of_a_gpu_that_is_named(tiny: str) -> None:
    usual, small = told("--stats")["stats"], told("--stats", "--gpu", tiny)["stats"]
    assert usual["transactions"] == small["transactions"] == small["l1_sectors"] + small["l2_sectors"]
    assert usual["dram_sectors"] < small["dram_sectors"]


def test_a_program_that_is_emulated_may_have_a_gpus_caches(tiny: str, tmp_path: Path) -> None:
    program = tmp_path / "p.cu"
    program.write_text("""__global__ void k(int* a) { for (int i = threadIdx.x; i < 1024; i += 32) a[i]++; }
int main() { int* a; cudaMalloc(&a, 4096); cudaMemset(a, 0, 4096); k<<<1, 32>>>(a); k<<<1, 32>>>(a); cudaFree(a); }
""", encoding="utf-8")
    command = ("emulate", str(program), "--json", "--orders", "1")
    found = [json.loads(irglc(*command, *words).stdout)["counters"] for words in ((), ("--gpu", tiny))]
    assert [counters["dram_sectors"] for counters in found] == [128, 2 * 128]  # of two passes over 4 KiB


@pytest.mark.parametrize("target", ["cpu", "ref", "cuda"])
def test_a_gpu_is_named_for_the_emulator_alone(target: str) -> None:
    done = irglc("run", str(PLACE / "bfs.irgl"), "--graph", "grid:9x9", "--target", target, "--gpu", "t4")
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", f"error: --gpu has no meaning for --target {target}: it says whose caches the emulator has\n"
               "  hint: leave it out, or run with --target simt\n")


def test_what_the_program_prints_is_seen(tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(PRINTING, encoding="utf-8")
    done = irglc("run", str(program), "--graph", "grid:3x3", "--target", "simt", "--json")
    assert (done.returncode, done.stderr) == (0, "sum 9\n18\n")


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_program_without_an_end_is_ended_when_its_time_is_over(target: str, tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(ENDLESS, encoding="utf-8")
    begin = time.monotonic()
    done = irglc("run", str(program), "--graph", "grid:3x3", "--target", target, "--time-limit", "2")
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", "error: the program has not ended after 2 s\n  hint: --time-limit gives it more time\n")
    assert time.monotonic() - begin < 60


def test_the_interpreter_keeps_no_time_limit(tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(PRINTING, encoding="utf-8")
    done = irglc("run", str(program), "--graph", "grid:3x3", "--target", "ref", "--time-limit", "2")
    assert (done.returncode, done.stderr) == (
        2, "error: the interpreter keeps no time limit\n  hint: use another target, or leave --time-limit out\n")


def test_a_struct_of_any_size_is_a_property(tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text("""struct Twelve { float heavy; node from; edge by; };
struct Sixteen { double a; long b; };
graph Graph { node Twelve seen = (Twelve){1, NONE, NONE}; node Sixteen both = (Sixteen){0.5, 7}; }
Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    For (e In n.edges) { n.seen = (Twelve){n.seen.heavy + 1, e.dst, e}; n.both = (Sixteen){n.both.a, n.both.b + 1}; }
  }
}
Program main(Graph g) { Invoke look(g); }
""", encoding="utf-8")
    ref, simt = (json.loads(irglc("run", str(program), "--graph", "path:5", "--target", target, "--json").stdout)
                 for target in ("ref", "simt"))
    assert simt["result"] == ref["result"]
