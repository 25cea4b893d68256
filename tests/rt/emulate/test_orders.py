"""Orders of blocks and threads: faults that need one are found by default, and what is right stays silent in all.

Each program of orders/ has a kernel with such a fault, `// fault: KIND` at its line, and a mended twin, which an
argument asks for. All are built as one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import TESTS

from irgl.rt.emulate import emulate
from irgl.rt.emulate.orders import ORDERS, explore

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

FOLDER = TESTS / "rt" / "emulate" / "orders"
NAMES = sorted(path.stem for path in FOLDER.glob("*.cu"))
MARK = re.compile(r"// fault: ([a-z-]+(?:, [a-z-]+)*)$")
#: Kinds of faults that are not races: an order is needed to make them, not only to see them.
OTHER_KINDS = {"division", "out-of-bounds", "uninitialised", "barrier-missed", "no-progress", "overflow", "shift",
               "use-after-free", "bad-free", "misaligned", "grid-sync"}


def marks(name: str) -> dict[int, list[str]]:
    lines = (FOLDER / f"{name}.cu").read_text().splitlines()
    return {i: found[1].split(", ") for i, line in enumerate(lines, 1) if (found := MARK.search(line))}


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One program, whose first argument names the one to run."""
    path = tmp_path_factory.mktemp("orders") / "all.cu"
    parts = "".join(f'namespace {name} {{\n#include "{name}.cu"\n}}\n' for name in NAMES)
    calls = "".join(f'  if (!strcmp(v[1], "{name}")) return {name}::entry(n - 1, v + 1);\n' for name in NAMES)
    path.write_text('#include <cooperative_groups.h>\n#include "orders.h"\n#define main entry\n'
                    f"{parts}#undef main\nint main(int n, char** v) {{\n{calls}  return 99;\n}}\n")
    return path


def built(source: Path) -> Path:
    return emulate.build(source, include=[FOLDER])


def test_there_are_faults_of_many_kinds() -> None:
    kinds = {kind for name in NAMES for some in marks(name).values() for kind in some}
    assert len(NAMES) >= 20
    assert kinds == OTHER_KINDS | {"race"}


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_that_needs_an_order_is_found_by_default(all_of_them: Path, name: str) -> None:
    executable = built(all_of_them)
    natural = emulate.run(executable, [name], source=all_of_them, mode="lockstep")
    assert (natural.code, natural.stderr) == (0, "")
    found = explore(executable, [name], source=all_of_them, mode="lockstep")
    first = found.report.errors[0]
    place, _, line = first.place.rpartition(":")
    assert (found.report.code, Path(place).name) == (emulate.FOUND, f"{name}.cu")
    assert first.kind in marks(name).get(int(line), []), str(first)
    assert 0 < first.seed == found.orders - 1
    again = emulate.run(executable, [name], source=all_of_them, mode="lockstep", seed=first.seed)
    assert [str(m) for m in again.errors] == [str(m) for m in found.report.errors]


@pytest.mark.parametrize("name", NAMES)
def test_its_mended_twin_is_silent_in_every_order(all_of_them: Path, name: str) -> None:
    found = explore(built(all_of_them), [name, "mended"], source=all_of_them, mode="lockstep", seconds=60)
    assert (found.report.code, found.report.messages, found.orders) == (0, (), ORDERS)


WAITS = """#include <cstdio>
#include <cstdlib>
__global__ void chain(volatile int* flag) {
  if (blockIdx.x + 1 < gridDim.x) while (flag[blockIdx.x + 1] == 0) {}
  flag[blockIdx.x] = 1;
}
int main(int, char** v) {
  int* flag;
  cudaMalloc(&flag, 1 << 20);
  cudaMemset(flag, 0, 1 << 20);
  for (int i = 0; i < 2; i++) chain<<<atoi(v[1]), 32>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
  puts("done");
}
"""


def command(folder: Path, *words: str, stdin: bytes | int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    environment = {k: v for k, v in os.environ.items() if k not in ("IRGL_EMU_SEED", "IRGL_EMU_ORDERS")}
    done = subprocess.run([sys.executable, "-m", "irgl", "emulate", *words], cwd=folder, capture_output=True,
                          check=False, timeout=120, env=environment, **given)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_blocks_that_wait_for_each_other_and_fit_get_a_warning_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(WAITS)
    done = command(tmp_path, "p.cu", "--", "16")
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert done.stderr == (
        "p.cu:4: warning: [waits-for-blocks] thread (0,0,0) of block (0,0,0) waits here for a block that may not have "
        "begun: this launch is not cooperative, and it ends only since all its 16 blocks fit on the device at once, "
        "which has room for 128; launch it by cudaLaunchCooperativeKernel, which promises that they run together; in "
        "kernel chain\n")


def test_strict_makes_errors_of_warnings(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(WAITS)
    done = command(tmp_path, "p.cu", "--strict", "--", "16")
    assert (done.returncode, done.stdout) == (86, "done\n")
    assert "p.cu:4: error: [waits-for-blocks]" in done.stderr


@pytest.mark.parametrize("seed", [0, 2, 3, 4, 5, 6])
def test_blocks_that_wait_for_each_other_and_do_not_fit_are_an_error(tmp_path: Path, seed: int) -> None:
    (tmp_path / "p.cu").write_text(WAITS)
    executable = emulate.build(tmp_path / "p.cu")
    done = emulate.run(executable, ["2000"], source=tmp_path / "p.cu", seed=seed)
    assert (done.code, [m.kind for m in done.messages]) == (86, ["no-progress"])


BY_BARRIERS = """__global__ void meet(volatile int* flag) {
  if (blockIdx.x == 1) flag[0] = 1;
  while (!__syncthreads_or(flag[0])) {}
}
int main() {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  meet<<<3, 64>>>(flag);
  cudaFree(flag);
}
"""


@pytest.mark.parametrize("mode", ["check", "lockstep"])
def test_blocks_may_wait_from_barrier_to_barrier(tmp_path: Path, mode: str) -> None:
    (tmp_path / "p.cu").write_text(BY_BARRIERS)
    found = explore(emulate.build(tmp_path / "p.cu"), source=tmp_path / "p.cu", mode=mode, seconds=60)
    assert (found.report.code, [m.kind for m in found.report.messages]) == (0, ["waits-for-blocks"])


ONE_LOCK = """#include <cstdlib>
__global__ void take_in_turn(int* lock, int* sum, int before) {
  for (int i = 0; i < before; i++) atomicAdd(sum, 1);
  __syncthreads();
  if (threadIdx.x % (blockDim.x / 2) != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  for (int i = 0; i < 8; i++) atomicAdd(sum, 1);
  __threadfence();
  atomicExch(lock, 0);
}
int main(int, char** v) {
  const int threads = atoi(v[1]);
  int *p, h[2];
  cudaMalloc(&p, sizeof h);
  cudaMemset(p, 0, sizeof h);
  for (int before = 0; before < 3; before++) take_in_turn<<<1, threads>>>(p, p + 1, before);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return h[1] == 3 * threads + 3 * 2 * 8 ? 0 : 1;
}
"""


@pytest.mark.parametrize(("mode", "threads"), [("check", "2"), ("lockstep", "64")])
def test_who_spins_on_a_lock_lets_its_owner_in_the_same_block_go_on(tmp_path: Path, mode: str, threads: str) -> None:
    (tmp_path / "p.cu").write_text(ONE_LOCK)
    executable = emulate.build(tmp_path / "p.cu")
    found = explore(executable, [threads], source=tmp_path / "p.cu", mode=mode, seconds=60)
    assert ([str(m) for m in found.report.messages], found.report.code, found.orders) == ([], 0, ORDERS)


ORDERED = """#include <cstdio>
__global__ void take(int* p) {
  const int mine = atomicAdd(p, 1);
  if (blockIdx.x == 0) p[1] = 8 / (3 - mine);
}
int main() {
  int h[2], *p, n = 0, c;
  while ((c = getchar()) != EOF) n += c == 'x';
  cudaMalloc(&p, sizeof h);
  cudaMemset(p, 0, sizeof h);
  if (n != 3) return 7;
  printf("%d times\\n", n);
  take<<<4, 1>>>(p);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  LEAK cudaFree(p);
  return h[1] != 2 ? 1 : 0;
}
"""
HINT = "  hint: it needs an order of blocks and threads: `--seed 1` runs that one alone\n"


@pytest.mark.parametrize("source", ["pipe", "file"])
def test_output_is_the_first_runs_and_each_run_has_the_input(tmp_path: Path, source: str) -> None:
    (tmp_path / "p.cu").write_text(ORDERED.replace("LEAK", ""))
    (tmp_path / "input").write_bytes(b"-xxx")
    with (tmp_path / "input").open("rb", buffering=0) as file:
        file.read(1)
        done = command(tmp_path, "p.cu", stdin=b"xxx" if source == "pipe" else file.fileno())
    assert (done.returncode, done.stdout) == (86, "3 times\n")
    assert done.stderr == ("p.cu:4: error: [division] thread (0,0,0) of block (0,0,0) divides by zero, or the quotient "
                           f"does not fit; in kernel take\n{HINT}")


def test_a_leak_does_not_end_the_search(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(ORDERED.replace("LEAK", "if (0)"))
    done = command(tmp_path, "p.cu", stdin=b"xxx")
    assert (done.returncode, done.stdout) == (86, "3 times\n")
    assert [line.split("[")[1].split("]")[0] for line in done.stderr.splitlines() if "error: [" in line] == [
        "leak", "division"]


def test_a_code_that_depends_on_the_order_gets_a_warning(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(ORDERED.replace("LEAK", "").replace("(3 - mine)", "(4 - mine)"))
    done = command(tmp_path, "p.cu", stdin=b"xxx")
    assert (done.returncode, done.stdout) == (0, "3 times\n")
    assert done.stderr == ("p.cu: warning: [exit-code] the program ends with code 1 in this order of its blocks and "
                           f"threads, and with 0 in the natural one\n{HINT}")
    strict = command(tmp_path, "p.cu", "--strict", stdin=b"xxx")
    assert (strict.returncode, "p.cu: error: [exit-code]" in strict.stderr) == (86, True)


@pytest.mark.parametrize(("words", "ran"), [
    (["--orders", "1"], 1), (["--orders", "3"], 3), (["--budget", "0"], 1), (["--seed", "2"], 1),
    (["--mode", "fast"], 1), ([], ORDERS)])
def test_how_many_orders_are_run(tmp_path: Path, words: list[str], ran: int) -> None:
    (tmp_path / "p.cu").write_text("__global__ void k() {}\nint main() { k<<<2, 32>>>(); return 5; }\n")
    done = command(tmp_path, "p.cu", "--json", "--budget", "60", *words)
    found = json.loads(done.stdout)
    assert (done.returncode, found["orders"]["run"], found["orders"]["cut"]) == (5, ran, words == ["--budget", "0"])
    assert found["counters"]["launches"] == 1


def test_the_number_of_orders_is_among_the_counters(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text("int main() {}\n")
    done = command(tmp_path, "p.cu", "--stats", "--orders", "2", "--budget", "60")
    assert re.fullmatch(r"orders: 2 in \d+\.\d s after the first", done.stderr.splitlines()[-1])


def test_one_order_and_several_are_not_both_asked_for(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text("int main() {}\n")
    done = command(tmp_path, "p.cu", "--seed", "3", "--orders", "4")
    assert done.returncode == 2
    assert "--seed names one order, and --orders asks for several" in done.stderr


DEPRECATED = """int main() {
  size_t n = 0;
  cudaFuncCache c;
  cudaThreadSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaThreadGetLimit(&n, cudaLimitMallocHeapSize);
  cudaThreadSetCacheConfig(cudaFuncCachePreferL1);
  cudaThreadGetCacheConfig(&c);
  cudaThreadSynchronize();
  cudaThreadExit();
  return n >> 20;
}
"""


def test_what_cuda_12_still_had_runs_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(DEPRECATED)
    done = command(tmp_path, "p.cu")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [line.split(":")[1] for line in lines] == ["4", "5", "6", "7", "8", "9"]
    assert lines[4] == ("p.cu:8: warning: [deprecated] CUDA 13 has no cudaThreadSynchronize any more, and CUDA 12 "
                        "deprecates it: write cudaDeviceSynchronize")


CHOICE = """template <int N> __global__ void set(int* p) { *p = N; }
int main(int argc, char**) {
  int *p, n;
  cudaMalloc(&p, 4);
  (argc > 1 ? set<3> : set<4>)<<<1, 1>>>(p);
  cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return n;
}
"""


def test_which_kernel_is_launched_the_host_may_choose(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(CHOICE)
    executable = emulate.build(tmp_path / "p.cu")
    assert [emulate.run(executable, words).code for words in ([], ["x"])] == [4, 3]


LOCAL = """#include <cuda/atomic>
__global__ void k(int* p) {
  cuda::atomic<int> own(2);
  own.fetch_add(3);
  *p = own.load();
}
int main() {
  int *p, n;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return n;
}
"""


def test_an_atomic_of_libcupp_may_be_local(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(LOCAL)
    report = emulate.run(emulate.build(tmp_path / "p.cu"))
    assert (report.code, report.stderr) == (5, "")
