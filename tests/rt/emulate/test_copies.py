"""What irglc emulate makes of copies: sizes that the host's side does not have, bytes that nobody wrote, page-locked
memory that copies still bring. Each run of the program makes what its argument names."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

PROGRAM = r"""
#include <cstdlib>
#include <cstring>
#include <vector>
struct Padded { char c; int i; double d; short s; };
static int table[10];
__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void add(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;  // here: upload
}
__global__ void set(Padded* p) { p->c = 1, p->i = 2, p->d = 3, p->s = 4; }
__global__ void move(const Padded* from, Padded* to) {
  const Padded all = *from;  // here: half
  *to = all;
}
__global__ void own(int n, int* out) {
  int* p = (int*)malloc(n * sizeof(int));
  p[n] = 2;  // here: own
  free(p);
}
template <class T> __global__ void large(T* p) {
  extern __shared__ char bytes[];
  bytes[50000] = 1;
  *p = bytes[50000];
}
int* grown(int* p, int n) { return (int*)realloc(p, n); }
int main(int, char** args) {
  const char* name = args[1];
  const auto is = [&](const char* other) { return strcmp(name, other) == 0; };
  const int n = 100, bytes = n * sizeof(int);
  int *d, total = 0;
  cudaMalloc(&d, bytes);
  fill<<<(n + 31) / 32, 32>>>(d, n);
  if (is("heap")) {
    int* h = grown((int*)calloc(2, sizeof(int)), 10);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);  // here: heap
    free(h);
  } else if (is("vector")) {
    std::vector<int> h(n - 1);
    cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost);  // here: vector
  } else if (is("inner")) {
    std::vector<int> h(n);
    cudaMemcpy(d, &h[1], bytes, cudaMemcpyHostToDevice);  // here: inner
  } else if (is("local")) {
    int h[10];
    cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost);  // here: local
  } else if (is("global")) {
    cudaMemcpy(table, d, bytes, cudaMemcpyDefault);  // here: global
  } else if (is("pointer")) {
    int* h = new int[n];
    cudaMemcpy(&h, d, bytes, cudaMemcpyDeviceToHost);  // here: pointer
    delete[] h;
  } else if (is("rows")) {
    int h[9][8];
    cudaMemcpy2D(h, sizeof h[0], d, 40, sizeof h[0], 10, cudaMemcpyDeviceToHost);  // here: rows
  } else if (is("null")) {
    std::vector<int> h;
    cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost);  // here: null
  } else if (is("short grid")) {
    std::vector<int> h(n);
    int* e;
    cudaMalloc(&e, bytes);
    fill<<<n / 32, 32>>>(e, n);
    cudaMemcpy(h.data(), e, bytes, cudaMemcpyDeviceToHost);
    for (int x : h) total += x;  // here: short grid
    cudaFree(e);
  } else if (is("upload")) {
    int* h = (int*)malloc(bytes);
    for (int i = 0; i < n - 1; i++) h[i] = i;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    add<<<1, 128>>>(d, n);
    free(h);
  } else if (is("own")) {
    own<<<1, 1>>>(5, d);
  } else if (is("large")) {
    large<<<1, 1, 50001>>>(d);  // here: large
  } else if (is("allowed")) {
    cudaFuncSetAttribute(large<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 50001);
    large<<<1, 1, 50001>>>(d);
  } else if (is("half")) {
    Padded* p;
    cudaMalloc(&p, 2 * sizeof *p);
    cudaMemset(p, 0, 8);
    move<<<1, 1>>>(p, p + 1);
    cudaFree(p);
  } else if (is("padding")) {
    Padded *p, *h = (Padded*)malloc(sizeof *h);
    h->c = 1, h->i = 2, h->d = 3, h->s = 4;
    cudaMalloc(&p, 3 * sizeof *p);
    set<<<1, 1>>>(p);
    move<<<1, 1>>>(p, p + 1);
    cudaMemcpy(p + 2, h, sizeof *h, cudaMemcpyHostToDevice);
    move<<<1, 1>>>(p + 2, p);
    cudaMemcpy(h, p, sizeof *h, cudaMemcpyDeviceToHost);
    total = h->c + h->i + h->s == 7 ? 0 : 1;
    free(h), cudaFree(p);
  } else if (is("exact")) {
    int local[100], *heap = grown((int*)malloc(8), bytes);
    std::vector<int> h(n);
    cudaMemcpy(local, d, sizeof local, cudaMemcpyDeviceToHost);
    cudaMemcpy(heap + 50, d, bytes / 2, cudaMemcpyDeviceToHost);
    cudaMemcpy(&h[99], d + 99, 4, cudaMemcpyDeviceToHost);
    total = local[99] + heap[99] + h[99] == 99 + 49 + 99 ? 0 : 1;
    free(heap);
  } else if (is("locked")) {
    std::vector<int> h(n);
    int* mapped;
    total += cudaHostRegister(h.data(), bytes, cudaHostRegisterMapped) != cudaSuccess;
    total += cudaHostRegister(&h[1], 4, cudaHostRegisterDefault) != cudaErrorHostMemoryAlreadyRegistered;
    cudaHostGetDevicePointer(&mapped, h.data(), 0);
    add<<<4, 32>>>(mapped, n);
    cudaDeviceSynchronize();
    total += cudaHostUnregister(h.data()) != cudaSuccess;
    total += cudaHostUnregister(h.data()) != cudaErrorHostMemoryNotRegistered || h[n - 1] != 1;
  } else if (is("locked too far")) {
    std::vector<int> h(n);
    cudaHostRegister(&h[1], bytes, cudaHostRegisterDefault);  // here: locked too far
    cudaHostUnregister(&h[1]);
  } else if (is("staged")) {
    int* h;
    cudaStream_t s;
    cudaStreamAttrValue kept = {};
    kept.accessPolicyWindow = {d, (size_t)bytes, 1.f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
    cudaStreamCreate(&s);
    cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &kept);
    cudaMallocHost(&h, bytes);
    cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, s);
    add<<<4, 32, 0, s>>>(h, n);
    const auto doubled = [](void* p) { for (int i = 0; i < 100; i++) ((int*)p)[i] *= 2; };
    cudaLaunchHostFunc(s, doubled, h);
    cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s);
    add<<<4, 32, 0, s>>>(d, n);
    cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    for (int i = 0; i < n; i++) total += h[i] != 2 * (i + 1) + 1;
    cudaFreeHost(h);
    cudaStreamDestroy(s);
  }
  if (!is("pointer") && !is("local")) cudaFree(d);
  return total == 0 ? 0 : 1;
}
"""
CASES = {
    "heap": "out-of-bounds",
    "vector": "out-of-bounds",
    "inner": "out-of-bounds",
    "local": "out-of-bounds",
    "global": "out-of-bounds",
    "pointer": "out-of-bounds",
    "rows": "out-of-bounds",
    "null": "host-access",
    "short grid": "uninitialised",
    "upload": "uninitialised",
    "own": "out-of-bounds",
    "large": "launch",
    "half": "uninitialised",
    "allowed": "",
    "padding": "",
    "exact": "",
    "staged": "",
    "locked": "",
    "locked too far": "out-of-bounds",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("copies") / "copies.cu"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("name", CASES)
def test_a_copy_is_told_of_where_it_is_wrong(source: Path, name: str) -> None:
    report = emulate.run(emulate.build(source), [name], source=source, mode="lockstep")
    wrong = [m for m in report.errors if m.kind != "leak"]
    if CASES[name] == "":
        assert (report.code, report.stderr) == (0, "")
        return
    assert report.code == 86 and [m.kind for m in wrong] == [CASES[name]], report.stderr
    line = int(wrong[0].place.rpartition(":")[2])
    assert re.search(rf"// here: {name}$", PROGRAM.splitlines()[line - 1]), report.stderr
