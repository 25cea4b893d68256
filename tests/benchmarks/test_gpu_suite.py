"""The suite for machines with a GPU works: through the emulator, and through a stand-in for nvcc and the driver."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.cupy_stand_in import csr_matrix, installed
from support.places import BENCHMARKS, PROGRAMS, ROOT

sys.path.insert(0, str(BENCHMARKS))

from on_gpu import arrays, meshes, run
from on_gpu.parts import calling
from on_gpu.parts.compared import differs
from on_gpu.parts.correctness import sampled_plans
from on_gpu.parts.evaluation import speedups
from on_gpu.parts.handwritten import compared
from on_gpu.parts.ptxas import kernels
from on_gpu.parts.schedules import best
from on_gpu.pool import Pool
from on_gpu.record import Clock, Record
from on_gpu.run import Caller, Inputs, Prepared
from on_gpu.server import Server
from on_gpu.session import wrong
from on_gpu.suite import EVALUATED, SCHEDULERS
from on_gpu.units import Unit, built

import irgl
from irgl.options import OPTIONS, Option
from irgl.plan import Plan
from irgl.rt.compile import nvcc
from irgl.rt.meshes.meshes import load_mesh
from irgl.source import IrglError

MICRO = sorted(p.stem for p in (BENCHMARKS / "micro").glob("*.cu"))
TARGETS = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in ("75", "90", "120")]
SANITIZER = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in --tool) tool=$2;; --error-exitcode) found=$2;; --log-file) log=$2;; *) break;; esac
  shift 2
done
"$@"; code=$?
echo "========= COMPUTE-SANITIZER" > "$log"
if [ $tool = racecheck ]; then
  echo "========= Error: a planted race" >> "$log"
  echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" >> "$log"
  exit $found
fi
echo "========= ERROR SUMMARY: 0 errors" >> "$log"
exit $code
"""
#: Builds for the emulator what nvcc is asked to build.
NVCC = """#!{python}
import shutil, sys
from pathlib import Path
from irgl.rt.emulate import emulate
words = sys.argv[1:]
if "--version" in words:
    print("a stand-in for nvcc")
else:
    source = next(w for w in words if w.endswith(".cu"))
    built = emulate.build(Path(source), include=[Path(w[2:]) for w in words if w.startswith("-I")],
                          defines=[w[2:] for w in words if w.startswith("-D")])
    shutil.copy(built, words[words.index("-o") + 1])
"""
CUDART = """
#include <stdlib.h>
#include <string.h>
int cudaMalloc(void** p, size_t n) { return (*p = malloc(n)) == 0; }
int cudaFree(void* p) { free(p); return 0; }
int cudaMemcpy(void* to, const void* from, size_t n, int way) { memcpy(to, from, n); return way < 1 || way > 2; }
int cudaDeviceSynchronize(void) { return 0; }
"""
DRIVER = """int cuInit(unsigned flags) { return 0; }
int cuDeviceGetCount(int* n) { *n = 1; return 0; }
int cuDeviceGet(int* device, int k) { *device = k; return 0; }
int cuDeviceGetAttribute(int* value, int what, int device) { *value = what == 75 ? 9 : 0; return 0; }
"""
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def suite(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "gpu.py"), *options]
    env = {**os.environ, "IRGL_EMU_SMS": "1", "IRGL_GPU_PACK_SITE": "", **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=env, cwd=ROOT)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any], str]:
    """The exit code, the result file and the tables of all parts in the emulator."""
    folder = tmp_path_factory.mktemp("gpu")
    tool = written(folder / "compute-sanitizer", SANITIZER)
    done = suite("--target", "simt", "--quick", "--programs", "bfs", "--json", str(folder / "gpu.json"),
                 "--sanitizer", str(tool))
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads((folder / "gpu.json").read_text()), done.stdout


def rows(emulated: tuple[int, dict[str, Any], str], part: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = emulated[1]["parts"][part]["rows"]
    return found


def test_no_part_leaves_anything_out(emulated: tuple[int, dict[str, Any], str]) -> None:
    lacking = [part for part, tool in (("ptxas", "nvcc"), ("counters", "ncu")) if shutil.which(tool) is None]
    lacking.append("peers")  # none are given
    left_out = {name: part["left_out"] for name, part in emulated[1]["parts"].items() if name not in lacking}
    assert left_out == {name: [] for name in left_out}


def test_every_plan_is_judged_on_every_graph(emulated: tuple[int, dict[str, Any], str]) -> None:
    judged = {(r["plan"], r["graph"]): r["verdict"] for r in rows(emulated, "correctness")}
    plans = ["default", *sampled_plans("bfs", 1)]
    assert judged == {("default", "NY"): "right", **{(p, g): "right" for p in plans for g in ("rmat16", "lattice")}}
    assert {r["graph"]: r["verdict"] for r in rows(emulated, "first")} == {"rmat16": "right", "lattice": "right"}


def test_programs_of_other_folders_are_judged(emulated: tuple[int, dict[str, Any], str]) -> None:
    judged = [(r["program"], r["graph"], r["verdict"]) for r in rows(emulated, "others")]
    assert judged == [("gt/bfs", "lattice", "right")]


def test_speedups_are_told_for_each_optimization_and_scheduler(emulated: tuple[int, dict[str, Any], str]) -> None:
    found = emulated[1]["speedups"]
    assert {g: set(x) for g, x in found["optimizations: bfs"].items()} == {
        g: {"none", "np", "all"} for g in ("NY", "rmat22")}
    assert {g: set(x) for g, x in found["schedulers: bfs"].items()} == {"rmat22": set(SCHEDULERS[:2])}


def test_every_micro_benchmark_tells_numbers(emulated: tuple[int, dict[str, Any], str]) -> None:
    told = {r["benchmark"] for part in ("curve", "costs", "bandwidth") for r in rows(emulated, part)}
    assert sorted(told) == MICRO
    together = [r["what"] for r in rows(emulated, "costs") if "processes" in r]
    assert together == ["a context", "first stream and memory", "first kernel", "processes from start to end"]


def test_handwritten_programs_find_what_ours_find(emulated: tuple[int, dict[str, Any], str]) -> None:
    theirs = [r for r in rows(emulated, "handwritten") if r["who"] != "irgl"]
    assert [(r["who"], r["disagrees"], list(r["ratios"])) for r in theirs] == [
        ("expert", [], ["bfs"]), ("plain", [], ["bfs"])]


def test_calls_from_python_are_judged(emulated: tuple[int, dict[str, Any], str]) -> None:
    judged = [(r["program"], r["arrays"], r["verdict"]) for r in rows(emulated, "calling")]
    assert judged == [("bfs", "NumPy", "right")]


@pytest.mark.parametrize("programs", [["bfs", "pr"], ["sssp_nf", "tri", "mst"]])
def test_calls_beside_cupy_are_judged(programs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a stand-in for CuPy: what a second call brings, and where a matrix's own arrays do."""
    with installed() as cupy:
        sparse = ModuleType("cupyx.scipy.sparse")
        sparse.csr_matrix = csr_matrix  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", sparse)
        cupy.from_dlpack = lambda a: a
        found = [*calling.rows("cuda", "rmat:scale=6,degree=4,weights=int,min=1,max=255", programs, cupy)]
    assert [(r["program"], r["verdict"], r.get("why"), r["second_bytes"]) for r in found] == [
        (p, "right", None, 0) for p in programs]
    assert {r["program"]: r["first_bytes"] > 0 for r in found} == {
        p: p in ("sssp_nf", "tri", "mst") for p in programs}


def test_without_cupy_arrays_of_cudas_library_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is a stand-in, too, whose device has the machine's memory."""
    (tmp_path / "cudart.c").write_text(CUDART)
    subprocess.run(["gcc", "-shared", "-fPIC", str(tmp_path / "cudart.c"), "-o", str(tmp_path / "libcudart.so")],
                   check=True)
    monkeypatch.setattr(arrays, "library", lambda: str(tmp_path / "libcudart.so"))
    monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", ModuleType("cupyx.scipy.sparse"))
    with installed():
        found = [*calling.rows("cuda", "rmat:scale=6,degree=4,weights=int,min=1,max=255", ["bfs", "mst"],
                                   arrays.install())]
    assert [(r["arrays"], r["verdict"], r.get("why"), r["second_bytes"]) for r in found] == [
        ("stand-in", "right", None, 0)] * 2


def test_an_error_of_cupys_costs_one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    sparse: Any = ModuleType("cupyx.scipy.sparse")
    sparse.csr_matrix = csr_matrix
    monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", sparse)
    seen: list[Any] = []

    def refuse_first(array: Any) -> Any:
        seen.append(array)
        if len(seen) == 1:
            raise BufferError("no such type")
        return array

    with installed() as cupy:
        cupy.from_dlpack = refuse_first
        found = [*calling.rows("cuda", "rmat:scale=6,degree=4,weights=int,min=1,max=255", ["bfs", "mst"], cupy)]
    assert [(r["verdict"], r.get("why")) for r in found] == [("fails", "BufferError: no such type"), ("right", None)]


@pytest.mark.parametrize("place", ["bin/../lib64", "usr/cuda-13.0/targets/x86_64-linux/lib", "wheels/nvidia/cu13/lib"])
def test_cudas_library_is_found_where_nvcc_is_a_script(place: str, tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("NVCC", str(written(tmp_path / "bin" / "nvcc", "#!/bin/sh\n")))
    monkeypatch.setattr(arrays, "TOOLKITS", str(tmp_path / "usr"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "wheels")])
    with pytest.raises(irgl.IrglError, match="CUDA's run-time library"):
        arrays.library()
    folder = (tmp_path / place).resolve()
    folder.mkdir(parents=True)
    (folder / "libcudart.so.13").touch()
    assert arrays.library() == str(folder / "libcudart.so.13")


def test_an_answer_that_is_copied_or_differs_is_wrong() -> None:
    right = irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")((np.array([0]), np.array([1])), src=0)
    with installed() as cupy:
        cupy.from_dlpack = lambda a: cupy.asarray(a.get())
        found = irgl.compile(PROGRAMS / "bfs.irgl", target="cuda", plan="none")(
            (np.array([0]), np.array([1])), src=0)
        assert calling.wrong(found, right, cupy) == "hops is not shared, but copied"
        assert calling.wrong(right, right, cupy) == "hops is no array of CuPy's"
        cupy.from_dlpack = lambda a: a
        found.hops.values[1] = 7
        assert calling.wrong(found, right, cupy) == "hops differs from the CPU's"


def test_what_a_sanitizer_finds_is_told_and_fails_the_session(emulated: tuple[int, dict[str, Any], str]) -> None:
    found = {r["tool"]: (r["verdict"], r.get("why")) for r in rows(emulated, "sanitizer")}
    planted = "Error: a planted race | RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"
    assert (emulated[0], found) == (1, {
        "memcheck": ("clean", None), "racecheck": ("finds", planted), "synccheck": ("clean", None),
        "initcheck": ("clean", None)})


def test_the_table_has_all_parts(emulated: tuple[int, dict[str, Any], str]) -> None:
    headings = [line.split()[1] for line in emulated[2].splitlines() if line.startswith("## ")]
    assert headings == list(emulated[1]["parts"])


def test_programs_are_timed_with_forms_of_edges_beside_rows(tmp_path: Path) -> None:
    done = suite("--target", "simt", "--quick", "--programs", "pr_pull", "--parts", "formats", "--json",
                 str(tmp_path / "gpu.json"))
    found = json.loads((tmp_path / "gpu.json").read_text())["parts"]["formats"]["rows"]
    assert [(r["name"], r["ms"] > 0, r["differs"]) for r in found] == [
        ("csr", True, []), ("csr serial", True, []), ("blocks", True, [])], done.stderr


def test_shortest_paths_by_a_queue_are_timed_beside_near_and_far_piles(tmp_path: Path) -> None:
    done = suite("--target", "simt", "--quick", "--parts", "queues", "--json", str(tmp_path / "gpu.json"))
    found = json.loads((tmp_path / "gpu.json").read_text())["parts"]["queues"]["rows"]
    assert sorted((r["program"], r["name"], r["ms"] > 0, tuple(r["differs"])) for r in found) == [
        ("sssp", "2", True, ()), ("sssp", "default", True, ()), ("sssp_nf", "default", True, ())], done.stderr


def test_schedules_are_timed_beside_each_other_and_the_best_is_named(tmp_path: Path) -> None:
    done = suite("--target", "simt", "--quick", "--programs", "bfs", "--parts", "schedules", "--json",
                 str(tmp_path / "gpu.json"))
    found = json.loads((tmp_path / "gpu.json").read_text())
    timed = {r["name"]: r["ms"] for r in found["parts"]["schedules"]["rows"]}
    assert set(timed) == {"default", "serial", "fg"}, done.stderr
    least = min(timed, key=lambda n: timed[n])
    assert {place: b["name"] for place, b in found["best"]["bfs"].items()} == {"NY": least, "all of road": least}
    assert f"| {least} |" in done.stdout
    assert [(m["class"], m["graph"], len(m["ratios"])) for m in found["tuned"]["bfs"]["graphs"]] == [("road", "NY", 3)]


def test_a_class_has_the_plan_that_is_best_over_its_graphs() -> None:
    def row(graph: str, name: str, plan: str, ms: float) -> dict[str, Any]:
        return {"program": "p", "graph": graph, "name": name, "plan": plan, "ms": ms, "samples": [ms, ms * 1.1]}

    rows = [row("a", "default", "default", 2.0), row("a", "x", "np=tb", 1.0), row("a", "y", "np=wp", 1.5),
            row("b", "default", "default", 2.0), row("b", "x", "np=tb", 4.0), row("b", "y", "np=wp", 1.5),
            {"program": "p", "graph": "b", "name": "z", "plan": "np=fg", "error": "> 20 s"}]
    found = best(rows, {"a": {"class": "road"}, "b": {"class": "road"}})["p"]
    assert {place: (b["name"], b["ratio"]) for place, b in found.items()} == {
        "a": ("x", 0.5), "b": ("y", 0.75), "all of road": ("y", 0.75)}


def test_it_works_as_on_a_gpu(tmp_path: Path) -> None:
    tool = written(tmp_path / "nvcc", NVCC.replace("{python}", sys.executable))
    written(tmp_path / "driver.c", DRIVER)
    subprocess.run(["gcc", "-shared", "-fPIC", str(tmp_path / "driver.c"), "-o", str(tmp_path / "libcuda.so.1")],
                   check=True)
    done = suite("--quick", "--programs", "bfs", "--sampled", "0", "--parts", "correctness,bandwidth,handwritten",
                 "--json", str(tmp_path / "gpu.json"), NVCC=str(tool), LD_LIBRARY_PATH=str(tmp_path))
    found = json.loads((tmp_path / "gpu.json").read_text())["parts"]
    assert (done.returncode, [p["left_out"] for p in found.values()]) == (0, [[], [], []]), done.stderr
    assert [r["verdict"] for r in found["correctness"]["rows"]] == ["right"] * 3
    assert [r["ms"] > 0 for r in found["handwritten"]["rows"]] == [True, True, True]


def test_without_a_gpu_it_says_what_is_missing() -> None:
    try:
        nvcc.require_device()
        pytest.skip("there is a GPU")
    except IrglError as e:
        reason = e.message
    done = suite("--parts", "bandwidth")
    assert (done.returncode, done.stderr.splitlines()) == (2, [
        f"error: this needs an NVIDIA GPU and nvcc: {reason}",
        "hint: run it on a machine with both; --target simt --quick tries the suite itself in the emulator"])


@pytest.mark.parametrize(("options", "message"), [
    (["--parts", "bandwith"], "no part is called 'bandwith': there are first, costs, bandwidth, curve, "
                              "correctness, others, calling, evaluation, formats, queues, schedules, handwritten, "
                              "peers, counters, sanitizer, ptxas"),
    (["--programs", "dfs"], "no program is called 'dfs'"),
    (["--budget", "0"], "--budget takes a number of seconds above 0"),
    (["--json", "/nowhere/a.json"], "--json /nowhere/a.json: there is no folder /nowhere"),
    (["--target", "simt"], "the emulator is for --quick: the graphs of a whole session would take days in it"),
])
def test_a_wrong_option_is_refused(options: list[str], message: str) -> None:
    done = suite(*options)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, f"gpu.py: error: {message}")


def test_what_there_is_no_time_for_is_said(tmp_path: Path) -> None:
    begin = time.monotonic()
    suite("--target", "simt", "--quick", "--parts", "correctness", "--budget", "0.5",
          "--json", str(tmp_path / "a.json"))
    part = json.loads((tmp_path / "a.json").read_text())["parts"]["correctness"]
    assert (time.monotonic() - begin < 30, bool(part["left_out"])) == (True, True)


def test_time_that_a_part_saves_goes_to_the_later_ones() -> None:
    clock = Clock(100, {"a": 1, "b": 1, "c": 2}, ["a", "b", "c"])
    shares = [round(clock.deadline(part) - time.monotonic()) for part in ("a", "b", "c")]
    assert shares == [25, 33, 100]


def test_a_worker_that_outlasts_its_time_is_replaced() -> None:
    pool = Pool(1)
    try:
        slow = {"do": "graph", "graph": f"rmat:scale=21,seed={time.time_ns()}", "write": None}
        assert pool.submit(slow, time.monotonic() + 1).result() == "the time was over"
        told: list[dict[str, Any]] = []
        assert pool.submit({**slow, "graph": "path:3"}, time.monotonic() + 60, told.append).result() == ""
        assert told[0]["nodes"] == 3
    finally:
        pool.close()


@contextlib.contextmanager
def prepared(program: str, graph: str) -> Iterator[tuple[Prepared, Caller]]:
    """A program's call, and what runs it under the default plan."""
    file = PROGRAMS / f"{program}.irgl"
    unit = built(file, ["default"], "simt")["default"]
    assert isinstance(unit, Unit)
    call, server = Prepared(Inputs(file, graph, 0, {}, 1), "simt"), Server(unit.executable, True)
    try:
        yield call, lambda f, limit: server.call(unit.number, f, limit)
    finally:
        call.close()
        assert server.close() == ""


def test_an_answer_left_from_the_run_before_is_wrong(tmp_path: Path) -> None:
    with prepared("bfs", "grid:4x4") as (call, caller):
        assert call.wrong(call.run(caller, 60).digest, tmp_path) is None
        assert call.wrong(call.run(lambda *_: (0, ""), 60).digest, tmp_path) is not None


def test_an_answer_is_judged_once_in_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with prepared("bfs", "grid:4x4") as (call, caller):
        ran = call.run(caller, 60)
        assert call.wrong(ran.digest, tmp_path) is None
        monkeypatch.setattr(run, "verify", lambda *_: "judged again")
        assert call.wrong(ran.digest, tmp_path) is None
        assert call.wrong("another answer", tmp_path) == "judged again"


def test_lists_begin_as_small_as_a_run_says() -> None:
    with prepared("bfs", "grid:12x12") as (call, caller):
        grown = [call.run(caller, 60, capacity=n).stats["worklist_growths"] for n in (0, 1, 0)]
    assert (grown[0], grown[1] > 0, grown[2]) == (0, True, 0)


def test_a_program_on_a_mesh_is_judged_by_what_its_run_left(tmp_path: Path) -> None:
    ele = meshes.make("points:12", tmp_path / "points")
    with prepared("dmr", str(ele)) as (call, caller):
        assert call.wrong(call.run(caller, 60).digest, tmp_path) is None
        with pytest.raises(KeyError):  # a process that leaves no mesh has no answer
            call.run(lambda *_: (0, ""), 60)


def test_a_mesh_of_random_points_covers_its_square(tmp_path: Path) -> None:
    mesh = load_mesh(str(meshes.make("points:50", tmp_path / "points")))
    a, b, c = (mesh.xy[mesh.corners[:, k]] for k in range(3))
    areas = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    assert (len(mesh.xy), areas.min() > 0, round(float(areas.sum()), 12)) == (54, True, 1.0)


def test_the_sampled_plans_of_a_session_hold_every_word_of_every_option() -> None:
    programs = [p.stem for p in (ROOT / "programs").glob("*.irgl")]
    said = {word for program in programs for text in sampled_plans(program, 30) for word in text.split()}
    assert {f"{o.name}={w}" for o in OPTIONS["cuda"] if not (o.joined or o.at_run)
            for w in o.words or o.tried if not _of_cpus(o, w)} <= said


def _of_cpus(option: Option, word: str) -> bool:
    """Is it a form without a header for CUDA, or what such a one leaves open?"""
    name, forms = option.only_with if option.only_with is not None else ("", ())
    of = (word,) if option.name == "format" else forms if name == "format" else ()
    return bool(of) and not any(f == "csr" or (ROOT / "cuda_rt" / "forms" / f"{f}.cuh").exists() for f in of)


def test_a_wrong_answer_fails_the_session() -> None:
    record = Record(None, {})
    for part, verdict in (("correctness", "right"), ("sanitizer", "clean")):
        record.begin(part)
        record.row(part, {"verdict": verdict})
    assert not wrong(record)
    record.row("correctness", {"verdict": "wrong"})
    assert wrong(record)


def test_plans_are_sampled_without_repetition_and_legal() -> None:
    plans = sampled_plans("any", 30)
    assert len({str(Plan.parse(p, "cuda")) for p in plans}) == 30


def test_all_optimizations_are_irgls_own_plan() -> None:
    words = {word for plan in EVALUATED.values() for word in plan.split()} - {"none", "default"}
    assert Plan.parse(" ".join(sorted(words)), "cuda") == Plan.parse(EVALUATED["all"], "cuda")


def test_a_speedup_is_over_no_optimization_on_the_same_graph() -> None:
    cells = [("none", "a", 6.0), ("all", "a", 2.0), ("all", "b", 1.0)]
    table = [{"table": "optimizations", "program": "p", "graph": g, "name": n, "ms": ms} for n, g, ms in cells]
    assert speedups(table) == {"optimizations: p": {"a": {"none": 1.0, "all": 3.0}}}


def test_whole_numbers_that_differ_between_plans_are_named() -> None:
    before = [{"program": "p", "graph": "a", "scalars": {"x": 1, "y": 2, "z": 0.5}}]
    assert differs(before, "p", "a", {"x": 1, "y": 3, "z": 0.7}) == ["y"]


def test_a_ratio_is_their_time_over_ours() -> None:
    found = compared({"ms": 6.0, "reached": 5}, {"p": {"ms": 2.0, "scalars": {"reached": 4, "rounds": 9}}})
    assert found == {"ratios": {"p": 3.0}, "disagrees": ["reached: 5, p 4"]}


def test_registers_and_spills_are_read_by_kernel() -> None:
    told = ("ptxas info    : 0 bytes gmem\n"
            "ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
            "ptxas info    : Function properties for one\n"
            "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
            "ptxas info    : Used 255 registers, used 1 barriers, 8 bytes cumulative stack size, 4096 bytes smem\n"
            "ptxas info    : Compiling entry function 'two' for 'sm_90'\n"
            "ptxas info    : Function properties for two\n"
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used 16 registers, used 0 barriers\n")
    none = {"for": "sm_90", "stack": 0, "spill_stores": 0, "spill_loads": 0, "shared": 0}
    assert kernels(told) == [
        {"kernel": "one", "for": "sm_90", "registers": 255, "stack": 8, "spill_stores": 4, "spill_loads": 12,
         "shared": 4096},
        {**none, "kernel": "two", "registers": 16}]


@pytest.mark.matrix
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_nvcc_compiles_the_micro_benchmarks_without_a_warning(tmp_path: Path) -> None:
    flags = ["-std=c++17", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra", *TARGETS]

    def told(name: str) -> str:
        command = ["nvcc", *flags, "-c", str(BENCHMARKS / "micro" / f"{name}.cu"), "-o", str(tmp_path / f"{name}.o")]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        assert dict(zip(MICRO, pool.map(told, MICRO), strict=True)) == dict.fromkeys(MICRO, "")
