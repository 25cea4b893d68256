// Memory, copies, streams, events, attributes, launches. Work is done when it is given to a stream.
#include "runtime.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ptx {
namespace {
cudaError_t last = cudaSuccess;
int64_t setting(const char* name, int64_t otherwise) {
  const char* const text = getenv(name);
  return text != nullptr ? atoll(text) : otherwise;
}
size_t memory() { return size_t(setting("PTX_MEMORY", 1024)) << 20; }
}  // namespace

cudaError_t told(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}
int multiprocessors() { return int(setting("PTX_SMS", 2)); }
int blocks_of_one(const Kernel& k, int threads, size_t dynamic_shared) {
  if (threads <= 0 || threads > 1024 || (k.function->max_threads != 0 && threads > k.function->max_threads)) return 0;
  if (k.function->shared_bytes + int64_t(dynamic_shared) > 49152) return 0;
  const int fit = 1024 / threads, most = int(setting("PTX_BLOCKS", 2));
  return fit < most ? fit : most;
}
cudaError_t launch(const void* host, dim3 grid, dim3 block, void** args, size_t shared, bool cooperative) {
  const Kernel* const k = kernel_of(host);
  if (k == nullptr) return told(cudaErrorInvalidDeviceFunction);
  const unsigned threads = block.x * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 ||
      threads > 1024) return told(cudaErrorInvalidConfiguration);
  if (k->function->max_threads != 0 && int(threads) > k->function->max_threads) return told(cudaErrorInvalidValue);
  if (cooperative && int(grid.x * grid.y * grid.z) > blocks_of_one(*k, int(threads), shared) * multiprocessors()) {
    return told(cudaErrorCooperativeLaunchTooLarge);
  }
  if (!cooperative && capture(*k, host, grid, block, args, shared)) return cudaSuccess;
  void* const workspace = cooperative ? allocate(64, Kind::host) : nullptr;
  if (cooperative) memset(workspace, 0, 64);
  run({k->module, k->function, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, cooperative, shared, args,
       reinterpret_cast<uint64_t>(workspace), multiprocessors()});
  if (cooperative) release(workspace);
  return cudaSuccess;
}
}  // namespace ptx

using namespace ptx;

namespace {
cudaError_t give(void** p, size_t bytes, Kind kind) {
  *p = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (kind == Kind::device && device_bytes() + bytes > memory()) return told(cudaErrorMemoryAllocation);
  *p = allocate(bytes, kind);
  return *p != nullptr ? cudaSuccess : told(cudaErrorMemoryAllocation);
}
cudaError_t take(void* p) { return p == nullptr || release(p) ? cudaSuccess : told(cudaErrorInvalidValue); }
// A copy's side that lies in memory of the device lies there as a whole.
bool whole(const void* p, size_t bytes, bool device) {
  const auto begin = reinterpret_cast<uint64_t>(p);
  const Allocation* const a = find(begin);
  if (a == nullptr ? !device : begin + bytes <= a->end) return true;
  fprintf(stderr, "ptx: error: a copy or fill of %zu bytes at %p leaves the device's memory\n", bytes, p);
  _exit(86);
}
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  whole(to, bytes, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
  whole(from, bytes, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
  return memmove(to, from, bytes), cudaSuccess;
}
cudaError_t fill(void* to, int value, size_t bytes) { return whole(to, bytes, true), memset(to, value, bytes),
    cudaSuccess; }
}  // namespace

PTX_API cudaError_t cudaMalloc(void** p, size_t n) { return give(p, n, Kind::device); }
PTX_API cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t) { return give(p, n, Kind::device); }
PTX_API cudaError_t cudaMallocManaged(void** p, size_t n, unsigned) { return give(p, n, Kind::managed); }
PTX_API cudaError_t cudaMallocHost(void** p, size_t n) { return give(p, n, Kind::host); }
PTX_API cudaError_t cudaHostAlloc(void** p, size_t n, unsigned) { return give(p, n, Kind::host); }
PTX_API cudaError_t cudaFree(void* p) { return take(p); }
PTX_API cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return take(p); }
PTX_API cudaError_t cudaFreeHost(void* p) { return take(p); }
PTX_API cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind k) { return copy(to, from, n, k); }
PTX_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t) {
  return copy(to, from, n, k);
}
PTX_API cudaError_t cudaMemset(void* p, int v, size_t n) { return fill(p, v, n); }
PTX_API cudaError_t cudaMemsetAsync(void* p, int v, size_t n, cudaStream_t) { return fill(p, v, n); }
PTX_API cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned,
    cudaStream_t) { return cudaSuccess; }
PTX_API cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
PTX_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  const Allocation* const room = find(reinterpret_cast<uint64_t>(p));
  *a = {};
  if (room == nullptr) return cudaSuccess;
  a->type = room->kind == Kind::managed ? cudaMemoryTypeManaged
            : room->kind == Kind::host ? cudaMemoryTypeHost
                                       : cudaMemoryTypeDevice;
  return cudaSuccess;
}
PTX_API cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return *total = memory(), *free = memory() - device_bytes(), cudaSuccess;
}
PTX_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* p, int) { return *p = nullptr, cudaSuccess; }
PTX_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* p, int) { return *p = nullptr, cudaSuccess; }
PTX_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
PTX_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  return *static_cast<uint64_t*>(value) = 0, cudaSuccess;
}
PTX_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

PTX_API cudaError_t cudaStreamCreate(cudaStream_t* s) { return *s = reinterpret_cast<cudaStream_t>(malloc(1)),
    cudaSuccess; }
PTX_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return cudaStreamCreate(s); }
PTX_API cudaError_t cudaStreamDestroy(cudaStream_t s) { return free(s), cudaSuccess; }
PTX_API cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
PTX_API cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
PTX_API cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
PTX_API cudaError_t cudaEventCreate(cudaEvent_t* e) { return *e = reinterpret_cast<cudaEvent_t>(malloc(1)),
    cudaSuccess; }
PTX_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
PTX_API cudaError_t cudaEventDestroy(cudaEvent_t e) { return free(e), cudaSuccess; }
PTX_API cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
PTX_API cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
PTX_API cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
PTX_API cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; }

PTX_API cudaError_t cudaGetLastError() {
  const cudaError_t e = last;
  return last = cudaSuccess, e;
}
PTX_API cudaError_t cudaPeekAtLastError() { return last; }
PTX_API const char* cudaGetErrorName(cudaError_t e) {
  return e == cudaSuccess ? "cudaSuccess" : e == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaError";
}
PTX_API const char* cudaGetErrorString(cudaError_t e) {
  static char text[64];
  if (e == cudaErrorMemoryAllocation) return "out of memory";
  if (e == cudaSuccess) return "no error";
  return snprintf(text, sizeof text, "error %d of CUDA", int(e)), text;
}
PTX_API cudaError_t cudaGetDevice(int* d) { return *d = 0, cudaSuccess; }
PTX_API cudaError_t cudaSetDevice(int d) { return d == 0 ? cudaSuccess : told(cudaErrorInvalidDevice); }
PTX_API cudaError_t cudaGetDeviceCount(int* n) { return *n = 1, cudaSuccess; }
PTX_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int) {
  switch (a) {
    case cudaDevAttrMultiProcessorCount: return *value = multiprocessors(), cudaSuccess;
    case cudaDevAttrManagedMemory: case cudaDevAttrConcurrentManagedAccess: case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: case cudaDevAttrPageableMemoryAccess:
      return *value = int(setting("PTX_MANAGED", 1)), cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor: return *value = int(setting("PTX_ARCH", 75) / 10), cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: return *value = int(setting("PTX_ARCH", 75) % 10), cudaSuccess;
    case cudaDevAttrMaxThreadsPerBlock: case cudaDevAttrMaxThreadsPerMultiProcessor: return *value = 1024, cudaSuccess;
    case cudaDevAttrWarpSize: return *value = 32, cudaSuccess;
    default: fprintf(stderr, "ptx: error: not covered: device attribute %d\n", int(a)), _exit(2);
  }
}
PTX_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void* f, int threads,
    size_t shared, unsigned) {
  const Kernel* const k = kernel_of(f);
  if (k == nullptr) return told(cudaErrorInvalidDeviceFunction);
  return *n = blocks_of_one(*k, threads, shared), cudaSuccess;
}
PTX_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void* f, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, f, threads, shared, 0);
}
PTX_API cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
PTX_API cudaError_t cudaLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t) {
  return launch(f, grid, block, args, shared, false);
}
PTX_API cudaError_t __cudaLaunchKernel(cudaKernel_t f, dim3 grid, dim3 block, void** args, size_t shared,
    cudaStream_t) {
  return launch(reinterpret_cast<const void*>(f), grid, block, args, shared, false);
}
PTX_API cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 grid, dim3 block, void** args, size_t shared,
    cudaStream_t) {
  return launch(f, grid, block, args, shared, true);
}
PTX_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** args) {
  bool cooperative = false;
  for (unsigned k = 0; k < c->numAttrs; ++k) {
    if (c->attrs[k].id != cudaLaunchAttributeCooperative) fprintf(stderr,
        "ptx: error: not covered: launch attribute\n"), _exit(2);
    cooperative = c->attrs[k].val.cooperative != 0;
  }
  return launch(f, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, cooperative);
}
