// What nvcc's host code registers before main: the PTX inside of the program, its kernels and its variables.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime.hpp"

namespace ptx {
namespace {
struct Fat {
  const char* text = nullptr;
  std::unique_ptr<Module> module;
};
struct Named {
  Fat* fat;
  std::string name;
  Kernel kernel{};
};
std::map<const void*, Named>& kernels() {
  static std::map<const void*, Named> found;
  return found;
}
std::map<const void*, Named>& variables() {
  static std::map<const void*, Named> found;
  return found;
}
Module& loaded(Fat& fat) {
  if (fat.module == nullptr) {
    try {
      fat.module = parse(fat.text);
    } catch (std::string& what) {
      fprintf(stderr, "ptx: error: not covered: %s\n", what.c_str());
      _exit(2);
    }
  }
  return *fat.module;
}
}  // namespace

const Kernel* kernel_of(const void* host) {
  const auto at = kernels().find(host);
  if (at == kernels().end()) return nullptr;
  Named& named = at->second;
  if (named.kernel.function == nullptr) {
    Module& m = loaded(*named.fat);
    const auto found = m.functions.find(named.name);
    if (found == m.functions.end()) return nullptr;
    named.kernel = {&m, found->second.get()};
  }
  return &named.kernel;
}
const Variable* variable_of(const void* host) {
  const auto at = variables().find(host);
  if (at == variables().end()) return nullptr;
  Module& m = loaded(*at->second.fat);
  const auto found = m.variables.find(at->second.name);
  return found == m.variables.end() ? nullptr : &found->second;
}
}  // namespace ptx

using namespace ptx;

PTX_API void** __cudaRegisterFatBinary(void* wrapper) {
  struct Wrapper {
    int magic, version;
    const char* data;
    void* more;
  };
  struct Header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
  };
  const auto* const w = static_cast<const Wrapper*>(wrapper);
  Header h;
  memcpy(&h, w->data, sizeof h);
  const char* const begin = w->data + h.header_bytes;
  const void* const at = memmem(begin, h.bytes, ".version ", 9);
  if (at == nullptr) fprintf(stderr, "ptx: error: no PTX in the program: build it with --no-compress and tests/ptx/nvcc\n"), _exit(2);
  auto* const fat = new Fat;
  fat->text = static_cast<const char*>(at);
  return reinterpret_cast<void**>(fat);
}
PTX_API void __cudaRegisterFatBinaryEnd(void**) {}
PTX_API void __cudaUnregisterFatBinary(void**) {}
PTX_API char __cudaInitModule(void**) { return 0; }
PTX_API void __cudaRegisterFunction(void** fat, const char* host, char*, const char* name, int, uint3*, uint3*,
    dim3*, dim3*, int*) {
  kernels()[host] = {reinterpret_cast<Fat*>(fat), name, {}};
}
PTX_API void __cudaRegisterVar(void** fat, char* host, char*, const char* name, int, size_t, int, int) {
  variables()[host] = {reinterpret_cast<Fat*>(fat), name, {}};
}
PTX_API cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}

namespace {
thread_local struct Pushed {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} pushed;
}  // namespace
PTX_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
PTX_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared;
  *static_cast<cudaStream_t*>(stream) = pushed.stream;
  return cudaSuccess;
}
PTX_API cudaError_t cudaGetSymbolAddress(void** p, const void* symbol) {
  const Variable* const v = ptx::variable_of(symbol);
  if (v == nullptr) return told(cudaErrorInvalidSymbol);
  *p = reinterpret_cast<void*>(v->offset);
  return cudaSuccess;
}
PTX_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
    cudaMemcpyKind) {
  void* p = nullptr;
  if (cudaGetSymbolAddress(&p, symbol) != cudaSuccess) return cudaErrorInvalidSymbol;
  memcpy(static_cast<char*>(p) + offset, from, bytes);
  return cudaSuccess;
}
PTX_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind) {
  void* p = nullptr;
  if (cudaGetSymbolAddress(&p, symbol) != cudaSuccess) return cudaErrorInvalidSymbol;
  memcpy(to, static_cast<char*>(p) + offset, bytes);
  return cudaSuccess;
}
