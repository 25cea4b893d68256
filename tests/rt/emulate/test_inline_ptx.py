"""Inline PTX in irglc emulate: what programs often have is run, the rest is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate
from irgl.rt.emulate.ptx import translated

PROGRAM = r"""
#define OUT(code, type, ...) ({ type r; asm volatile(code : "=r"(r) : __VA_ARGS__); r; })
__device__ __forceinline__ unsigned lane() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned acquired(const unsigned* p) {
  unsigned r;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(r)
               : "l"(p)
               : "memory");
  return r;
}
__global__ void some(int* out, unsigned* flag, const int4* in, int top) {
  const int t = threadIdx.x;
  if (t == 1) {
    out[0] = lane();
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(out[1]));
    out[2] = OUT("bfe.s32 %0, %1, 4, 4;", int, "r"(0xf0));
    out[3] = OUT("bfi.b32 %0, %1, %2, %3, 4;", int, "r"(15), "r"(0), "r"(8));
    out[4] = OUT("mad.lo.s32 %0, %1, %2, %3;", int, "r"(top), "r"(2), "r"(3));
    int a, b, c, d;
    asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in));
    out[5] = a + 10 * b + 100 * c + 1000 * d;
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(out + 6), "r"(5) : "memory");
    asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(out[7]) : "l"(out + 6), "r"(5), "r"(6));
    float f;
    asm("{\n\t" "fma.rn.f32 %0, %1, %2, %3;\n\t" "}" : "=f"(f) : "f"(2.f), "f"(3.f), "f"(1.f));
    out[8] = f;
    out[9] = OUT("popc.b32 %0, %1;", int, "r"(255)) + OUT("clz.b32 %0, %1;", int, "r"(1));
    unsigned long long high;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(high) : "l"(~0ull), "l"(~0ull));
    out[11] = (high == ~0ull - 1) + 2 * OUT("mul.hi.s32 %0, %1, %2;", int, "r"(-1), "r"(1));
    asm volatile("membar.gl;");
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(flag), "r"(1) : "memory");
  }
  if (t == 40) {
    while (acquired(flag) == 0) {}
    out[10] = out[8];
    asm volatile("st.global.cg.u32 [%0 + 4], %1;" : : "l"(flag), "r"(7));  // here
  }
}
int main(int count, char**) {
  int *out, h[12], want[12] = {1, 1, -1, 0xf00, 1, 4321, 6, 5, 7, 39, 7, -1}, wrong = 0;
  unsigned* flag;
  int4 values = {1, 2, 3, 4}, *in;
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&flag, count == 1 ? 8 : 4);
  cudaMalloc(&in, sizeof values);
  cudaMemset(out, 0, sizeof h);
  cudaMemset(flag, 0, 4);
  cudaMemcpy(in, &values, sizeof values, cudaMemcpyHostToDevice);
  some<<<1, 64>>>(out, flag, in, 0x7fffffff);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12; i++)
    if (h[i] != want[i]) printf("%d: %d\n", i, h[i]), wrong++;
  cudaFree(out), cudaFree(flag), cudaFree(in);
  return wrong;
}
"""
REFUSED = [
    '"bar.arrive 1, 64;"',
    '"{ .reg .pred p; setp.eq.u32 p, %1, 0; selp.u32 %0, 1, 2, p; }" : "=r"(a) : "r"(b)',
    '"ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(b)',
    '"mov.u32 %0, %%lanes;" : "=r"(a)',
    '"add.u32 %0, %1;" : "=r"(a) : "r"(b)',
    '"add.u32 %0, %1, %2;" : "=r"(a) : "r"(b)',
    '"add.rz.f32 %0, %1, %2;" : "=f"(a) : "f"(b), "f"(c)',
    '"rdtsc" : "=a"(a), "=d"(b)',
    '"mov.u32 %[x], 1;" : [x] "=r"(a)',
]


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_common_instructions_do_what_they_do_on_a_gpu(tmp_path: Path) -> None:
    source = tmp_path / "ptx.cu"
    source.write_text(PROGRAM)
    program = emulate.build(source)
    report = emulate.run(program, source=source, mode="lockstep")
    assert (report.code, report.stdout, report.stderr) == (0, "", "")
    (wrong,) = emulate.run(program, ["short"], source=source).errors
    line = next(i for i, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith("// here"))
    assert (wrong.kind, wrong.place) == ("out-of-bounds", f"{source}:{line}")


@pytest.mark.parametrize("inside", REFUSED)
def test_other_instructions_are_not_taken(inside: str) -> None:
    assert translated(inside) is None


def test_an_empty_one_is_for_the_compiler_alone_whatever_its_constraints() -> None:
    assert translated('"" : "+x"(a)') == "((void)0)"


SCOPES = [("cta", "atomicAdd_block("), ("gpu", "atomicAdd("), ("sys", "atomicAdd_system(")]


@pytest.mark.parametrize(("scope", "name"), SCOPES)
def test_an_atomic_operation_is_of_its_scope(scope: str, name: str) -> None:
    made = translated(f'"red.relaxed.{scope}.global.add.u32 [%0], %1;" : : "l"(p), "r"(1)')
    assert made is not None and name in made
