"""irglc emulate: what it runs, what it says, what it counts. The zoo (test_emu_zoo) holds the errors it finds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate
from irgl.source import IrglError

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def run(folder: Path, text: str, *args: str, mode: str = "check", seed: int = 0) -> emulate.Report:
    source = folder / "program.cu"
    source.write_text(text)
    return emulate.run(emulate.build(source), args, source=source, mode=mode, seed=seed)


def refused(folder: Path, text: str) -> str:
    source = folder / "program.cu"
    source.write_text(text)
    with pytest.raises(IrglError) as e:
        emulate.build(source)
    return str(e.value)


def test_template_kernel_with_dynamic_shared_memory(tmp_path: Path) -> None:
    report = run(tmp_path, """
template <class T, int N> __global__ void sum(const T* in, T* out) {
  extern __shared__ T part[];
  part[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];
  __syncthreads();
  for (int d = N / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
int main() {
  int h[256], *in, *out, total = 0;
  for (int i = 0; i < 256; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sum<int, 64><<<4, 64, 64 * sizeof(int)>>>(in, out);
  cudaMemcpy(&total, out, 4, cudaMemcpyDeviceToHost);
  printf("%d\\n", total);
  cudaFree(in);
  cudaFree(out);
  return 5;
}
""")
    assert (report.code, report.stdout, report.stderr) == (5, "32640\n", "")
    assert report.counters["launches"] == 1
    assert report.counters["block_barriers"] == 4 * 7
    assert report.counters["global_atomics"] == {"add": 4}
    assert report.counters["transfer_bytes"] == 1024 + 4


def test_text_in_strings_and_comments_is_left_alone(tmp_path: Path) -> None:
    report = run(tmp_path, r'''
__global__ void k() {}
int main() {
  // k<<<1, 1>>>(); __shared__ int x;
  puts("k<<<1, 1>>>(); __shared__ '");
  puts(R"x(a "k<<<1,1>>>()" b)x");
  const char c = '"'; k<<<1, dim3(2, 3)>>>();
  printf("%c%d\n", c, 1'000 >> 3);
}
''')
    assert (report.code, report.stdout) == (0, "k<<<1, 1>>>(); __shared__ '\na \"k<<<1,1>>>()\" b\n\"125\n")


@pytest.mark.parametrize("mode", emulate.MODES)
def test_cooperative_launch_by_address(tmp_path: Path, mode: str) -> None:
    report = run(tmp_path, """
#include <cooperative_groups.h>
__global__ void rounds(int* a, int n) {
  auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < n; i++) {
    if (grid.thread_rank() == i % grid.size()) *a += i;
    grid.sync();
  }
}
int main() {
  int *a, n = 10, result = 0;
  cudaMalloc(&a, 4);
  cudaMemset(a, 0, 4);
  void* args[] = {&a, &n};
  cudaLaunchCooperativeKernel((void*)rounds, dim3(3), dim3(32), args, 0, 0);
  cudaMemcpy(&result, a, 4, cudaMemcpyDeviceToHost);
  cudaFree(a);
  return result;
}
""", mode=mode)
    assert (report.code, report.stderr) == (45, "")
    assert report.counters["grid_barriers"] == 10


def test_while_node_with_a_kernel_node_in_its_body(tmp_path: Path) -> None:
    report = run(tmp_path, """
__global__ void half(cudaGraphConditionalHandle h, int* left, int by) {
  *left /= by;
  cudaGraphSetConditional(h, *left > 1);
}
int main() {
  int *d, n = 64, by = 2;
  cudaMalloc(&d, 4);
  cudaMemcpy(d, &n, 4, cudaMemcpyHostToDevice);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle h;
  cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = h;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p);
  void* args[] = {&h, &d, &by};
  cudaKernelNodeParams k = {};
  k.func = (void*)half;
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = args;
  cudaGraphAddKernelNode(&node, p.conditional.phGraph_out[0], nullptr, 0, &k);
  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, 0);
  cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost);
  cudaGraphExecDestroy(run);
  cudaGraphDestroy(graph);
  cudaFree(d);
  return n;
}
""")
    assert (report.code, report.stderr) == (1, "")
    counters = report.counters
    assert (counters["launches"], counters["graph_launches"], counters["graph_kernels"]) == (0, 1, 6)


@pytest.mark.parametrize("mode", ["check", "lockstep"])
def test_groups_of_lanes(tmp_path: Path, mode: str) -> None:
    report = run(tmp_path, """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int* a) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  a[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  if (threadIdx.x % 3 == 0) {
    auto g = cg::coalesced_threads();
    a[64 + threadIdx.x] = 100 * g.size() + g.thread_rank();
  }
}
int main() {
  int h[128], *a;
  cudaMalloc(&a, sizeof h);
  cudaMemset(a, 0, sizeof h);
  k<<<1, 32>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a);
  printf("%d %d %d\\n", h[0], h[31], h[64 + 30]);
}
""", mode=mode)
    assert (report.code, report.stdout, report.stderr) == (0, "28 220 1110\n", "")


def test_declarations_in_their_many_forms(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("""
extern __shared__ __align__(16) unsigned char pool[];
template <class F> __global__ void each(int n, F f) { if (threadIdx.x < n) f(threadIdx.x); }
""")
    report = run(tmp_path, """
#include "part.h"
#define LAUNCH(k, n, ...) k<<<(n + 31) / 32, 32, 128>>>(__VA_ARGS__)
__device__ __constant__ int c[3];
__constant__ __device__ const int d[2] = {4, 5};
__device__ __managed__ int both = 1;
__device__ struct { int a, b; } pair;
__device__ int twice(int x) { return 2 * x; }
__device__ int (*table[1])(int) = {twice};
template <int N> struct S {
  static __device__ int reversed(int x) {
    __shared__ int t[N];
    t[threadIdx.x] = x;
    __syncwarp();
    return t[N - 1 - threadIdx.x];
  }
};
__global__ void __launch_bounds__(32) k(int* out) {
  int* mine = reinterpret_cast<int*>(pool);
  mine[threadIdx.x] = c[1] + d[1] + pair.a + S<32>::reversed(threadIdx.x);
  out[threadIdx.x] = table[0](mine[threadIdx.x]);
}
__global__ void k(int* out, int by) { out[0] += by, both++; }
int main() {
  int h[3] = {1, 2, 3}, *out, r[32];
  cudaMemcpyToSymbol(c, h, sizeof h);
  cudaMalloc(&out, sizeof r);
  LAUNCH(k, 32, out);
  k<<<1, 1>>>(out,
              100);
  each<<<1, 64>>>(32, [=] __device__ (int i) { out[i] += 1000; });
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  cudaFree(out);
  printf("%d %d %d\\n", r[0], r[31], both);
}
""")
    assert (report.code, report.stdout, report.stderr) == (0, "1176 1014 2\n", "")


def test_lockstep_counts_lanes_sectors_and_conflicts(tmp_path: Path) -> None:
    text = """
__global__ void k(int* a) {
  __shared__ int s[32 * 32];
  s[threadIdx.x * 32] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 8) a[threadIdx.x * 8] = s[threadIdx.x * 32 + 32];
}
int main() { int* a; cudaMalloc(&a, 4096); cudaMemset(a, 0, 4096); k<<<1, 32>>>(a); cudaFree(a); }
"""
    counters = run(tmp_path, text, mode="lockstep").counters
    assert (counters["warp_memory"], counters["transactions"], counters["bank_conflicts"]) == (4, 4 + 8, 31 + 7)
    assert counters["utilisation"] == pytest.approx((32 + 32 + 8 + 8) / (4 * 32), abs=1e-4)


def test_lockstep_counts_which_steps_at_memory_are_in_shared_memory(tmp_path: Path) -> None:
    text = """
__global__ void k(int* a) {
  __shared__ int s[32];
  s[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  if (threadIdx.x < 8) atomicAdd(&s[0], 1);
  a[threadIdx.x] = threadIdx.x;
}
int main() { int* a; cudaMalloc(&a, 4096); cudaMemset(a, 0, 4096); k<<<1, 32>>>(a); cudaFree(a); }
"""
    counters = run(tmp_path, text, mode="lockstep").counters
    assert (counters["warp_memory"], counters["warp_shared"]) == (4, 2)


def test_lockstep_counts_what_bounds_each_phase(tmp_path: Path) -> None:
    text = """
__global__ void k(int* a, int n) {
  for (int i = 0; i < (threadIdx.x == 0 ? n : 1); i++) a[threadIdx.x] += 1;
  atomicAdd(&a[64 + threadIdx.x / 48], 1);
}
int main() {
  int* a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  k<<<1, 64>>>(a, 5);
  k<<<1, 64>>>(a, 7);
  cudaFree(a);
}
"""
    counters = run(tmp_path, text, mode="lockstep").counters
    assert counters["longest_warp_loads"] == 2 * 5 + 1 + 2 * 7 + 1
    assert counters["hottest_atomics"] == 48 + 48
    assert counters["longest_warp_loads"] < counters["longest_warp_steps"] < counters["warp_steps"]


@pytest.mark.parametrize(("registers", "blocks"), [("32", 8), ("33", 6), ("104", 2), ("255", 1)])
def test_registers_bound_how_many_blocks_run_at_once(tmp_path: Path, registers: str, blocks: int) -> None:
    source = tmp_path / "program.cu"
    source.write_text("""
#include <cstdio>
__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() {
  int blocks = 0;
  cudaFuncAttributes a;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
  cudaFuncGetAttributes(&a, k);
  printf("%d %d", blocks, a.numRegs);
}
""")
    report = emulate.run(emulate.build(source), [], source=source, environment={"IRGL_EMU_REGISTERS": registers})
    assert report.stdout == f"{blocks} {registers}"


def test_own_counters(tmp_path: Path) -> None:
    report = run(tmp_path, 'int main() { irgl_emu_count("growths", 2); irgl_emu_count("growths", 1); }')
    assert report.counters["own"] == {"growths": 3}


def test_the_header_that_own_counters_have_on_a_gpu_is_found(tmp_path: Path) -> None:
    report = run(tmp_path, '#include "cuda_rt/emu/count.h"\nint main() { irgl_emu_count("growths", 2); }')
    assert report.counters["own"] == {"growths": 2}


def test_one_seed_gives_one_order_and_another_another(tmp_path: Path) -> None:
    text = """
__global__ void k() { printf("%d ", blockIdx.x * 32 + threadIdx.x); }
int main() { k<<<4, 32>>>(); }
"""
    orders = [run(tmp_path, text, seed=s).stdout for s in (0, 1, 1, 2)]
    assert orders[0] == "".join(f"{i} " for i in range(128))
    assert orders[1] == orders[2] != orders[0]
    assert len(set(orders)) == 3
    assert all(sorted(o.split(), key=int) == orders[0].split() for o in orders)


def test_device_assert_fails_the_launch(tmp_path: Path) -> None:
    report = run(tmp_path, """
#include <assert.h>
__global__ void k(int n) { assert(n < 3); }
int main() { k<<<1, 1>>>(3); return cudaDeviceSynchronize() == cudaErrorAssert ? 7 : 0; }
""")
    assert report.code == 7
    assert "Assertion `n < 3` failed" in report.stderr


@pytest.mark.parametrize(("text", "line", "says"), [
    ('__global__ void k() {\n  asm volatile("bar.arrive 1, 64;");\n}\nint main() {}', 2, "inline PTX"),
    ("#include <curand_kernel.h>\nint main() {}", 1, "curand_kernel.h: No such file"),
    ("__global__ void k() {}\nint main() {\n  k<<<1, 1>>>(3);\n}", 3, "error"),
    ("int main() {\n  cudaMallocArray();\n}", 2, "cudaMallocArray"),
])
def test_what_is_not_covered_is_refused_with_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    message = refused(tmp_path, text)
    assert f"program.cu:{line}: error: " in message
    assert says in message


SHARED = """
template <int n> __device__ int* room() { __shared__ int memory[n]; return memory; }
__device__ __noinline__ int first(int x) { int* r = room<10240>(); r[threadIdx.x] = x; __syncthreads(); return r[0]; }
template <class T> __global__ void some(T* out) {
  __shared__ T own[OWN];
  own[threadIdx.x] = T(first(1));
  __syncthreads();
  *out = own[0];
}
__global__ void other(int* out) { int* r = room<2048>(); r[threadIdx.x] = 1; __syncthreads(); *out = r[0]; }
int main() {
  int* p;
  cudaMalloc(&p, 4);
  some<int><<<1, 32>>>(p);
  other<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
"""


def test_a_kernel_may_have_48_kb_of_static_shared_memory_and_no_more(tmp_path: Path) -> None:
    report = run(tmp_path, SHARED.replace("OWN", "2048"))
    assert (report.code, report.errors) == (0, [])
    assert refused(tmp_path, SHARED.replace("OWN", "2049")).endswith(
        "program.cu:4: error: kernel some has 49156 bytes of static shared memory, and CUDA gives a block 49152\n"
        "  hint: docs/emulate.md says what counts")


def test_a_slip_of_the_pen_is_no_matter_of_coverage(tmp_path: Path) -> None:
    told = refused(tmp_path, "int main() {\n  int a = 1\n}\n")
    assert told.endswith(": error: expected ',' or ';' before '}' token")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(IrglError, match="there is no such file"):
        emulate.build(tmp_path / "none.cu")


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "irgl", "emulate", *words], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=60)


WRONG = """__global__ void k(int* a) {
  a[threadIdx.x] = 1;
}
int main(int argc, char** argv) {
  int* a;
  cudaMalloc(&a, 4 * SIZE);
  k<<<1, atoi(argv[1])>>>(a);
  cudaFree(a);
  return 4;
}
"""


def test_command_names_the_line_as_the_file_was_given(tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text(WRONG)
    done = command(tmp_path, "wrong.cu", "-D", "SIZE=16", "--", "17")
    assert done.returncode == 86
    assert done.stderr == (
        "wrong.cu:2: error: [out-of-bounds] thread (16,0,0) of block (0,0,0) writes 4 bytes at byte 64 of 64 that were "
        "allocated at wrong.cu:6; in kernel k\n")


def test_command_gives_the_programs_own_exit_code(tmp_path: Path) -> None:
    (tmp_path / "right.cu").write_text(WRONG)
    done = command(tmp_path, "right.cu", "-D", "SIZE=17", "--", "17")
    assert (done.returncode, done.stderr) == (4, "")


def test_json_has_messages_and_counters(tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text(WRONG)
    done = command(tmp_path, "wrong.cu", "-D", "SIZE=16", "--json", "--", "17")
    found = json.loads(done.stdout)
    assert (done.returncode, found["code"]) == (86, 86)
    assert [(m["kind"], m["place"]) for m in found["messages"]] == [("out-of-bounds", "wrong.cu:2")]
    assert found["counters"]["launches"] == 1


def test_program_and_runtime_may_share_a_lock_of_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = emulate._hash
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(emulate, "_hash", lambda *parts: "00" + hashed(*parts)[2:])
    monkeypatch.setattr(emulate, "_RUNTIME_FLAGS", ("-std=c++17", "-O0", "-fno-pie"))
    assert run(tmp_path, "int main() { return 7; }").code == 7


def test_a_program_may_be_in_a_newer_standard(tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text("""#include <concepts>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
template <std::integral T> __global__ void one(T* p) { *p = 1; }
int main() {
  int *p, n = 0;
  cudaMalloc(&p, 4);
  one<<<1, 1>>>(p);
  cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return n;
}
""")
    assert emulate.run(emulate.build(source, std="c++20"), source=source).code == 1
    with pytest.raises(IrglError, match="'std::integral' has not been declared"):
        emulate.build(source)


def test_a_program_may_be_in_an_older_standard(tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text("""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
static_assert(__cplusplus == 201402L, "");
__global__ void k(int* sum) {
  register int one = 1;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int all = cg::reduce(tile, one, cg::plus<int>()) + cg::coalesced_threads().size();
  if (tile.thread_rank() == 0) cuda::atomic_ref<int, cuda::thread_scope_device>(*sum).fetch_add(all);
}
template <class T> __global__ void once(T* sum) { *sum += 1; }
int main() {
  int *sum, n = 0;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  k<<<1, 64>>>(sum);
  once<<<1, 1>>>(sum);
  void* arguments[] = {&sum};
  cudaLaunchKernel((void*)once<int>, 1, 1, arguments, 0, 0);
  cudaMemcpy(&n, sum, 4, cudaMemcpyDeviceToHost);
  cudaFree(sum);
  return n;
}
""")
    report = emulate.run(emulate.build(source, std="c++14"), source=source)
    assert (report.code, report.stderr) == (130, "")


def test_thrust_in_an_older_standard_is_refused_where_it_is_included(tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text("\n#include <thrust/device_vector.h>\nint main() {}\n")
    with pytest.raises(IrglError) as e:
        emulate.build(source, std="c++14")
    assert (e.value.message, e.value.file) == ("#error Thrust needs C++17, since CUDA 13: --std c++17", f"{source}:2")


GUARDS = ["__CUDA_RUNTIME_H__", "__CUDA_RUNTIME_API_H__", "__DRIVER_TYPES_H__", "__VECTOR_TYPES_H__",
          "__VECTOR_FUNCTIONS_H__", "__HOST_DEFINES_H__", "__DEVICE_LAUNCH_PARAMETERS_H__", "__DEVICE_FUNCTIONS_H__"]


@pytest.mark.parametrize(("include", "guards"), [
    ("", GUARDS), ("cuComplex.h", ["CU_COMPLEX_H_"]), ("cooperative_groups.h", ["_COOPERATIVE_GROUPS_H_"]),
    ("cuda_fp16.h", ["__CUDA_FP16_H__"]), ("cuda_bf16.h", ["__CUDA_BF16_H__"]), ("math_constants.h",
    ["__MATH_CONSTANTS_H__"]), ("cuda_profiler_api.h", ["__CUDA_PROFILER_API_H__"])])
def test_headers_of_programs_find_that_cudas_own_were_read(include: str, guards: list[str]) -> None:
    asked = "".join(f"#ifndef {guard}\n#error {guard}\n#endif\n" for guard in guards)
    text = (f"#include <{include}>\n" if include else "") + asked
    words = ["g++", "-E", "-x", "c++", f"-I{emulate.folder() / 'emu' / 'include'}", "-include", "cuda_runtime.h", "-"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_a_program_defines_where_cudas_headers_were_read_is_there(tmp_path: Path) -> None:
    report = run(tmp_path, """
#ifdef __DRIVER_TYPES_H__
static const char* name_of(cudaError_t e) { return cudaGetErrorName(e); }
#endif
int main() { printf("%s", name_of(cudaErrorInvalidValue)); }
""")
    assert report.stdout == "cudaErrorInvalidValue"


def test_macros_of_one_capital_letter_are_the_programs_own(tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text("""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda/atomic>
__global__ void sum(int* total) {
  auto tile = cooperative_groups::tiled_partition<A * B>(cooperative_groups::this_thread_block());
  const int all = cooperative_groups::reduce(tile, N, cooperative_groups::plus<int>());
  if (threadIdx.x == 0) *total = all;
}
int main() {
  int* total;
  cudaMallocManaged(&total, 4);
  sum<<<1, 32>>>(total);
  cudaDeviceSynchronize();
  const int found = *total;
  cudaFree(total);
  return found;
}
""")
    letters = [c for c in "ABCDEFGHIJKLMNOPQRSUVWXYZ" if c not in "ABN"]  # nvcc's own headers use T
    executable = emulate.build(source, defines=["A=4", "B=8", "N=3", *(f"{c}=7" for c in letters)])
    report = emulate.run(executable, [], source=source, mode="check", seed=0)
    assert (report.code, report.stderr) == (96, "")
