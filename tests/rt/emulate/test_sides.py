"""`__CUDA_ARCH__`: device code sees it and host code does not, however a program asks, and all else stays as it is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irgl.cli.main import exit_code
from irgl.rt.emulate import emulate
from irgl.rt.emulate.mentions import asks_for_side
from irgl.rt.emulate.sides import joined
from irgl.source import IrglError

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

#: Says what `f` is in a kernel and on the host.
BOTH = """
__global__ void k(int* p) { *p = f(); }
int main() {
  int *p, n = 0;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  printf("%d %d", n, ON_HOST);
}
"""
IN_A_BODY = """
__host__ __device__ int f() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return -1;
#endif
}
"""
AROUND_FUNCTIONS = """
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ int f() { return 1; }
#else
__device__ int f() { return 2; }
#endif
"""
IN_A_MACRO = """
#if defined(__CUDA_ARCH__)
#define F (3 + __CUDA_ARCH__)
#else
#define F 4
#endif
__host__ __device__ inline int f() { return F; }
"""
BY_TARGET = """
#include <nv/target>
__host__ __device__ int f() {
  NV_DISPATCH_TARGET(NV_IS_EXACTLY_SM_86, (return 86;), NV_PROVIDES_SM_80, (int r = 80; return r;),
                     NV_IS_DEVICE, (int r[2] = {1, 2}; return r[1];), NV_ANY_TARGET, (return g();))
}
"""
G = """
#include <nv/target>
__host__ __device__ int g() {
  int r = 0;
  NV_IF_TARGET(NV_IS_HOST, (r += 1;))
  NV_IF_TARGET(NV_IS_DEVICE, (r += 2;), (r += 4;))
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (r += 8;), (r += 16;))
  return r;
}
"""
SAYS = [
    (IN_A_BODY, "f()", "sm_90", "900 -1"),
    (IN_A_BODY, "f()", "sm_75", "750 -1"),
    (AROUND_FUNCTIONS, "0", "sm_80", "1 0"),
    (AROUND_FUNCTIONS, "0", "sm_75", "2 0"),
    (IN_A_MACRO, "f()", "sm_120", "1203 4"),
    (G + BY_TARGET, "f()", "sm_86", "86 21"),
    (G + BY_TARGET, "f()", "sm_90", "80 21"),
    (G + BY_TARGET, "f()", "sm_75", "2 21"),
    (G + "__host__ __device__ int f() { return g(); }", "f()", "sm_90", "10 21"),
    ("__host__ __device__ int f() { return __CUDA_ARCH_LIST__; }  // and not __CUDA_ARCH__", "f()", "sm_86", "860 860"),
]


def run(folder: Path, text: str, *, arch: str = emulate.ARCH, mode: str = "check") -> emulate.Report:
    source = folder / "program.cu"
    source.write_text(text)
    return emulate.run(emulate.build(source, arch=arch), source=source, mode=mode)


@pytest.mark.parametrize(("text", "on_host", "arch", "says"), SAYS)
def test_device_code_sees_the_architecture_and_host_code_does_not(tmp_path: Path, text: str, on_host: str, arch: str,
                                                                  says: str) -> None:
    report = run(tmp_path, text + BOTH.replace("ON_HOST", on_host), arch=arch)
    assert (report.code, report.stdout, report.stderr) == (0, says, "")


def test_what_both_sides_share_is_one(tmp_path: Path) -> None:
    report = run(tmp_path, IN_A_BODY + """
#include <vector>
static std::vector<int> made(3, 7);  // once, by the host
static __device__ int own = 3;
__device__ int plain;
__constant__ int table[2];
__device__ const int fixed[3] = {1, 2, 3};
__managed__ int both = 5;
__device__ int times(int x) { return x * (f() > 0); }
__device__ int (*functions[1])(int) = {times};
template <int N> __device__ int reversed(int x) {
  __shared__ int t[N];
  t[threadIdx.x] = x;
  __syncthreads();
  return t[N - 1 - threadIdx.x];
}
namespace {
__global__ void k(int* p) {
  static __device__ int calls = 10;
  if (threadIdx.x == 0) both += atomicAdd(&calls, 1);
  p[threadIdx.x] = functions[0](own + plain + table[1] + fixed[2]) + reversed<32>(threadIdx.x);
}
}
template <class F> __global__ void each(F body) { body(threadIdx.x); }
int main() {
  int *p, h[32], n = 40, two[2] = {0, 500};
  cudaMalloc(&p, sizeof h);
  cudaMemcpyToSymbol(plain, &n, 4);
  cudaMemcpyToSymbol(table, two, sizeof two);
  k<<<1, 32>>>(p);
  each<<<1, 32>>>([=] __device__ (int i) { p[i] += 1000 * (f() > 0); });
  void* args[] = {&p};
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  cudaLaunchKernel((void*)k, 1, 32, args, 0, 0);
  cudaDeviceSynchronize();
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, each<int (*)(int)>);
  cudaFree(p);
  printf("%d %d %d %d", h[0], h[31], both, made[1]);
}
""", mode="lockstep")
    assert (report.code, report.stdout, report.stderr) == (0, "1577 1546 26 7", "")


def test_what_libraries_run_for_a_program_is_the_devices(tmp_path: Path) -> None:
    report = run(tmp_path, IN_A_BODY + """
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
int main() {
  int* p;
  cudaMallocManaged(&p, 40);
  auto from = thrust::make_counting_iterator(0);
  thrust::for_each(thrust::device, from, from + 10, [=] __device__ (int i) { p[i] = f(); });
  printf("%d %d", p[0], p[9]);
  cudaFree(p);
}
""")
    assert (report.code, report.stdout, report.stderr) == (0, "900 900", "")


def test_units_of_one_program_reach_each_others_device_code(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.cu").write_text("""
extern __device__ int count;
__device__ int where();
__global__ void other(int* p);
void launch(int* p);
static __device__ int mine = 1;
static __global__ void k(int* p) { *p = where() + count + mine; }
int main() {
  int *p, h[2], n = 0;
  cudaMalloc(&p, 8);
  k<<<1, 1>>>(p);
  launch(p);
  other<<<1, 1>>>(p + 1);
  cudaMemcpy(h, p, 8, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&n, count, 4);
  cudaFree(p);
  printf("%d %d %d", h[0], h[1], n);
}
""")
    (tmp_path / "part.cu").write_text(IN_A_BODY + """
__device__ int count = 10;
static __device__ int mine = 20;
__device__ int where() { return f(); }
static __global__ void k(int*) { atomicAdd(&count, mine); }
__global__ void other(int* p) { *p = where() + mine; }
void launch(int* p) { k<<<1, 1>>>(p); }
""")
    code = exit_code(["emulate", "--seed", "0", str(tmp_path / "main.cu"), "--with", str(tmp_path / "part.cu")])
    assert (code, *capfd.readouterr()) == (0, "911 920 30", "")


FAULTS = [
    ("shared[threadIdx.x + (f() > 0)] = 1;", "out-of-bounds"),
    ("if (f() < 0 || threadIdx.x < 9) __syncthreads();", "barrier-missed"),
    ("all[0] += f();", "race"),
]


@pytest.mark.parametrize(("body", "kind"), FAULTS)
def test_faults_of_the_devices_branch_are_found(tmp_path: Path, body: str, kind: str) -> None:
    report = run(tmp_path, f"""{IN_A_BODY}
__device__ int all[3];
__global__ void k(int* p) {{
  __shared__ int shared[32];
  if (p == nullptr) shared[0] = 0;
  {body}
}}
int main() {{ k<<<1, 32>>>(nullptr); }}
""")
    assert [m.kind for m in report.errors] == [kind]
    assert report.errors[0].place.endswith("program.cu:14")


def refused(folder: Path, text: str) -> str:
    with pytest.raises(IrglError) as e:
        run(folder, text)
    return str(e.value).replace(str(folder / "program.cu"), "program.cu")


def test_inline_ptx_of_the_devices_branch_is_refused_where_it_is_not_covered(tmp_path: Path) -> None:
    text = IN_A_BODY.replace("return __CUDA_ARCH__;", 'asm volatile("bar.arrive 1, 64;"); return 1;')
    assert refused(tmp_path, text + BOTH.replace("ON_HOST", "f()")).startswith(
        "program.cu:4: error: the emulator can't run this inline PTX (asm)\n")


def test_a_kernel_that_only_the_host_makes_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, """#ifndef __CUDA_ARCH__
template <class T> __global__ void k(T* p) { *p = 1; }
#endif
int main() {
#ifndef __CUDA_ARCH__
  k<<<1, 1>>>((int*)nullptr);
#endif
}
""") == ("program.cu:2: error: the kernel k is launched, and is there for the host only: where __CUDA_ARCH__ is "
         "defined, nothing makes it\n  hint: define and launch it whether or not __CUDA_ARCH__ is defined")


def test_what_a_side_refuses_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "int a = __CUDA_ARCH__;\nint main() {}\n").startswith(
        "program.cu:1: error: '__CUDA_ARCH__' was not declared in this scope")
    assert refused(tmp_path, "#ifndef __CUDA_ARCH__\nint a;\n#endif\nint main() { return a; }\n").startswith(
        "program.cu:4: error: 'a' was not declared in this scope, where __CUDA_ARCH__ is 900\n")


def test_only_texts_that_name_the_macro_are_read_for_the_device(tmp_path: Path) -> None:
    source, header = tmp_path / "program.cu", tmp_path / "cuda_rt" / "part.h"
    source.write_text("int a;\n")
    header.parent.mkdir()
    header.write_text("#if __CUDA_ARCH__\n#endif\n")
    read = f'# 0 "{source}"\n# 1 "{header}" 1\n# 2 "{source}" 2\nint a;\n'
    assert asks_for_side(read, source, tmp_path / "irgl")
    assert not asks_for_side(read, source, tmp_path)
    assert not asks_for_side(f'# 0 "{source}"\n# 1 "gone.h" 1\nint a;\n', source, tmp_path / "irgl")


def test_names_in_strings_are_no_symbols() -> None:
    text = '\t.text\n\t.globl\tname\nname:\n\tcall\tname\n\t.string\t"name"\n\t.size\tname, .-name\n'
    host, device = joined([text], {0: text})
    assert host == text
    assert device == text.replace("\tname", "\tname.irgl_device").replace("-name", "-name.irgl_device").replace(
        "name:", "name.irgl_device:")


NONSENSE = [
    (("--arch", "75"), "error: --arch 75: that is no kind of GPU\n  hint: one of sm_75, sm_80, "),
    (("--arch", "sm_1"), "error: --arch sm_1: that is no kind of GPU\n  hint: one of sm_75, sm_80, "),
    (("-D", "__CUDA_ARCH__=900"), "error: -D __CUDA_ARCH__ would define it for host code, too\n  hint: leave it out"),
]


@pytest.mark.parametrize(("words", "said"), NONSENSE)
def test_an_architecture_that_is_none_is_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    source = tmp_path / "program.cu"
    source.write_text("int main() {}\n")
    command = [sys.executable, "-m", "irgl", "emulate", *words, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[:len(said)]) == (2, said)


@pytest.mark.parametrize(("arch", "says"), [("sm_90", "9.0 90"), ("sm_103", "10.3 103")])
def test_the_device_is_of_the_architecture(tmp_path: Path, capfd: pytest.CaptureFixture[str], arch: str,
                                           says: str) -> None:
    (tmp_path / "program.cu").write_text("""
__global__ void k() {}
int main() {
  cudaDeviceProp p;
  cudaFuncAttributes a;
  cudaGetDeviceProperties(&p, 0);
  cudaFuncGetAttributes(&a, k);
  printf("%d.%d %d", p.major, p.minor, a.binaryVersion);
}
""")
    assert exit_code(["emulate", "--arch", arch, str(tmp_path / "program.cu")]) == 0
    assert capfd.readouterr().out == says
