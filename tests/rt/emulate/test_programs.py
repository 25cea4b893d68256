"""irglc emulate on programs as people write them, unmodified: they run right, or what they want is told by its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.places import TESTS

from irgl.rt.emulate.emulate import build, run
from irgl.source import IrglError

HERE = TESTS / "rt" / "emulate" / "programs"
#: What each program says; it ends with 0 where it finds its own results right.
SAYS = {
    "reduce": "44901 44901 OK",
    "histogram": "irgl SIMT emulator 4 SMs, warp 32\nPASSED",
    "matmul": "max error 4.44647e-06",
    "jacobi": "1.0000 0.8238 0.6636 0.5034 residual 0.08810",
    "scan": "0 wrong",
    "streams": "0 wrong, 4 done",
    "function_pointers": "0 wrong",
    "stencil2d": "worst 0",
    "graphs": "15 5",
    "nbody": "centre 0.535 free<=total 1",
    "misc": "88 0 4 5 3 no error",
    "spinlock": "16 1000",
    "device_functions": "2080 1, 0 wrong",
    "device_api": "0 wrong",
    "host_threads": "right",
    "modern": "modern 1 28 1 27 1",
    "two_devices": "0 wrong",
    "arguments": "0 wrong",
    "bytes": "0 wrong",
    "cub_arrays": "0 wrong",
    "cub_blocks": "0 wrong",
    "cuda_std": "0 wrong",
    "half": "0 wrong, dot 4960, totals 480 -480 480 most 3.75, roots 39.121, half 3800 1",
    "bfloat16": "0 wrong, -16, -16 16, -16 -16, third 0.333984 no error",
    "cub_half": "0 wrong, about -31, most -1, limits 65504 -65504 0.000976562 6.10352e-05 11\n"
                "0 wrong, about -31, most -1, limits 3.38953e+38 -3.38953e+38 0.0078125 1.17549e-38 8",
    "thrust_csr": "289 edges, 0 wrong",
    "thrust_components": "50 components, the largest of 16, 0 wrong",
    "thrust_runs": "3a5b1c2d5e1f11a2b1c4d3e3i4o4u\n0 wrong",
    "thrust_numbers": "-0.99978 0.99549, 0 wrong",
    "thrust_structs": "v: 9 13 4 3 7 5 5\nwide: 0.5 5 6\nwider: 4 5 6\n051706\n5,5,7,3,4,13,9,\n"
                      "p: 8 1 2 3 -1 -1\n0 wrong",
    "thrust_policies": "copy: cudaErrorInvalidValue: invalid argument\n0 wrong",
    "output": "\n".join([f"hello from block {b} thread {t}: text {t / 2:.2f} 1099511627776"
                         for b in range(2) for t in range(2)] + ["cudaSuccess"]),
}
#: How many devices it wants, where they are several.
DEVICES = {"two_devices": "2"}
KERNEL = "__global__ void k(float* p) {{ {} }}\nint main() {{ return 0; }}\n"
GAPS = [
    ("#include <thrust/sort.h>\n#include <thrust/async/sort.h>", 2,
     "this part of Thrust is not covered: thrust/async/sort.h: No such file or directory"),
    (f"#include <thrust/sort.h>\n{KERNEL.format('')}int x = thrust::shuffle_copy(1, 2);", 4,
     "this part of Thrust is not covered: 'shuffle_copy' is not a member of 'thrust'"),
    (f"#include <thrust/sort.h>\n{KERNEL.format('')}int x = thrust::count(1, 2);", 4,
     "'count' is not a member of 'thrust'"),
    ("#include <cstdio>\n#include <cub/device/device_memcpy.cuh>", 2,
     "this part of CUB is not covered: cub/device/device_memcpy.cuh: No such file or directory"),
    ("#include <cuda_fp8.h>", 1, "floats of 8 bits and fewer are not covered: cuda_fp8.h: No such file or directory"),
    (KERNEL.format("__nv_fp8_e4m3 v;"), 1,
     "floats of 8 bits and fewer are not covered: '__nv_fp8_e4m3' was not declared in this scope"),
    ("#include <curand_kernel.h>", 1,
     "CUDA's other libraries are not covered: curand_kernel.h: No such file or directory"),
    ("#include <mma.h>", 1, "tensor cores are not covered: mma.h: No such file or directory"),
    ("#include <cooperative_groups/memcpy_async.h>", 1, "asynchronous copies to shared memory are not covered: "
     "cooperative_groups/memcpy_async.h: No such file or directory"),
    ("#include <cuda/std/linalg>", 1,
     "this part of libcu++ is not covered: cuda/std/linalg: No such file or directory"),
    ("\n__global__ void k(cudaTextureObject_t t) {}", 2,
     "textures, surfaces and arrays are not covered: variable or field 'k' declared void"),
    (KERNEL.format("p[0] = tex2D<float>(0, 1, 2);"), 1,
     "textures, surfaces and arrays are not covered: 'tex2D' was not declared in this scope"),
    ("__global__ void __cluster_dims__(2, 1, 1) k(float* p) {}", 1,
     "clusters are not covered: variable or field '__cluster_dims__' declared void"),
    (KERNEL.format("").replace("return 0", "return cudaLaunchCooperativeKernelMultiDevice(0, 1)"), 2,
     "grids of several devices are not covered: 'cudaLaunchCooperativeKernelMultiDevice' was not declared in this scope"),
    ("#include <cuda_pipeline.h>", 1,
     "asynchronous copies to shared memory are not covered: cuda_pipeline.h: No such file or directory"),
    (KERNEL.format("").replace("return 0", "cudaIpcMemHandle_t h"), 2,
     "sharing memory between processes is not covered: 'cudaIpcMemHandle_t' was not declared in this scope"),
    (KERNEL.format("p[0] = __shfl_down(p[0], 1);"), 1,
     "__shfl_down is gone since compute capability 7.0: write __shfl_down_sync(mask, ...): "
     "'__shfl_down' was not declared in this scope"),
    (KERNEL.format("p[0] = nothing;"), 1, "'nothing' was not declared in this scope"),
    (KERNEL.format("p[0] = clusters + textureSize;"), 1, "'clusters' was not declared in this scope"),
]


def test_every_program_is_told_of() -> None:
    assert sorted(path.stem for path in HERE.glob("*.cu") if path.stem != "thrust_faults") == sorted(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_a_program_runs_right(name: str) -> None:
    source = HERE / f"{name}.cu"
    report = run(build(source), source=source, mode="lockstep",
                 environment={"IRGL_EMU_DEVICES": DEVICES[name]} if name in DEVICES else None)
    assert (report.stdout, report.stderr, report.code) == (SAYS[name] + "\n", "", 0)


@pytest.mark.parametrize(("text", "line", "said"), GAPS, ids=[said.partition(":")[0] for _, _, said in GAPS])
def test_what_is_not_covered_is_told_by_its_name_and_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(IrglError) as e:
        build(source)
    assert (e.value.message.partition("; did you mean")[0], e.value.file) == (said, f"{source}:{line}")


@pytest.mark.parametrize("call", ["cudaMalloc(&d, 4);", "k<<<1, 1>>>(d);", "cudaDeviceSynchronize();"])
def test_calls_from_a_second_host_thread_are_refused_at_their_line(call: str, tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text(f"""#include <thread>
__global__ void k(int* p) {{ *p = 1; }}
int main() {{
  int* d;
  cudaMalloc(&d, 4);
  std::thread other([&] {{
    {call}
  }});
  other.join();
}}
""", encoding="utf-8")
    report = run(build(source), source=source)
    said = "error: CUDA calls from a second host thread are not covered: make them all from one"
    assert (report.code, report.stderr) == (2, f"{source}:7: {said}\n")


def test_a_byte_that_the_host_has_not_written_is_told() -> None:
    source = HERE / "bytes.cu"
    report = run(build(source), ["unwritten"], source=source)
    assert (report.code, [m.kind for m in report.errors]) == (86, ["uninitialised"])
