"""irglc emulate on programs of several files: CUDA and C++, each compiled by itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irgl.cli.main import exit_code

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

FILES = {
    "graph.h": """#pragma once
#include <vector>
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
struct Range {
  int low, high;
  BOTH int size() const { return high - low; }
};
std::vector<Range> ranges(int n);
void sizes(const std::vector<Range>& all, std::vector<int>& found);
int limit();
""",
    "reader.cpp": """#include "graph.h"
#ifdef __CUDACC__
#error this is a C++ file
#endif
std::vector<Range> ranges(int n) {
  std::vector<Range> all;
  for (int i = 0; i < n; i++) all.push_back({i, 2 * i});
  return all;
}
int limit() { return INT_MAXIMUM; }
""",
    "kernels.cu": """#include "kernels.cuh"
__device__ int shift = 1;
__device__ int shifted(int x) { return x + shift; }
__global__ void measure(const Range* all, int* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) found[i] = shifted(all[i].size());
}
""",
    "kernels.cuh": """#include "graph.h"
__device__ int shifted(int x);
__global__ void measure(const Range* all, int* found, int n);
""",
    "main.cu": """#include <cstdio>
#include "kernels.cuh"
extern __device__ int shift;
__global__ void twice(int* found, int n) {
  const int i = threadIdx.x;
  if (i < n) found[i] = shifted(found[i] * 2) - shift;
}
int main(int argc, char**) {
  const std::vector<Range> all = ranges(100);
  Range* in;
  int* out;
  cudaMalloc(&in, 100 * sizeof(Range));
  cudaMalloc(&out, 100 * sizeof(int));
  cudaMemcpy(in, all.data(), 100 * sizeof(Range), cudaMemcpyHostToDevice);
  measure<<<1, 128>>>(in, out, argc > 1 ? 101 : 100);
  twice<<<1, 128>>>(out, 100);
  int found[100], sum = 0;
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (const int x : found) sum += x;
  std::printf("%d %d\\n", sum, limit());
  cudaFree(in);
  cudaFree(out);
}
""",
}
WORDS = ["emulate", "main.cu", "--with", "kernels.cu", "--with", "reader.cpp"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text.replace("INT_MAXIMUM", "7"), encoding="utf-8")


def test_a_program_of_several_files_runs(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(WORDS) == 0
    assert capfd.readouterr().out == "10100 7\n"


def test_a_fault_is_told_in_its_file(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code([*WORDS, "--", "x"]) == 86
    assert "kernels.cu:6: error: [out-of-bounds] thread (100,0,0)" in capfd.readouterr().err


@pytest.mark.parametrize(("file", "old", "new", "said"), [
    ("reader.cpp", "return 7", "return INT_MAXIMUM", "reader.cpp:10: error: 'INT_MAXIMUM' was not declared"),
    ("kernels.cu", "__device__ int shift = 1;", "__device__ cudaTextureObject_t shift;",
     "kernels.cu:2: error: textures, surfaces and arrays are not covered"),
    ("main.cu", "twice<<<1, 128>>>", "twice", "main.cu:16: error: the kernel twice is called like a function"),
], ids=["C++", "CUDA", "a launch"])
def test_a_mistake_is_told_in_its_file(
        file: str, old: str, new: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = Path(file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    Path(file).write_text(text.replace(old, new), encoding="utf-8")
    assert exit_code(WORDS) == 2
    assert said in capfd.readouterr().err


def test_a_file_that_is_not_there_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code([*WORDS, "--with", "more.cu"]) == 2
    assert "more.cu: error: there is no such file" in capfd.readouterr().err


def test_a_file_that_is_left_out_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(WORDS[:4]) == 2
    assert "undefined reference to `ranges(int)'" in capfd.readouterr().err


def test_a_file_of_c_is_compiled_as_c(capfd: pytest.CaptureFixture[str]) -> None:
    Path("squares.c").write_text("""#include <stdlib.h>
#ifdef __cplusplus
#error this is a C file
#endif
int* squares(int n) {
  int* new = malloc(n * sizeof *new);
  for (int i = 0; i < n; i++) new[i] = i * i;
  return new;
}
""", encoding="utf-8")
    Path("root.cu").write_text("""#include <cstdio>
extern "C" int* squares(int n);
int main() {
  int* s = squares(4);
  std::printf("%d\\n", s[3]);
  free(s);
}
""", encoding="utf-8")
    assert exit_code(["emulate", "root.cu", "--with", "squares.c"]) == 0
    assert capfd.readouterr().out == "9\n"
