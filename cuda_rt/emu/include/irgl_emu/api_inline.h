// Calls of the API that are templates, have default arguments, or are another call under a second name.
#pragma once

#define IRGL_EMU_API __attribute__((always_inline, unused)) static inline cudaError_t

template <class T>
IRGL_EMU_API cudaMalloc(T** p, size_t n) {
  return irgl_emu_malloc_device((void**)p, n, 0);
}
template <class T>
IRGL_EMU_API cudaMallocManaged(T** p, size_t n, unsigned = cudaMemAttachGlobal) {
  return irgl_emu_malloc_device((void**)p, n, 1);
}
template <class T>
IRGL_EMU_API cudaMallocHost(T** p, size_t n, unsigned = 0) {
  return irgl_emu_malloc_device((void**)p, n, 2);
}
template <class T>
IRGL_EMU_API cudaHostAlloc(T** p, size_t n, unsigned) {
  return irgl_emu_malloc_device((void**)p, n, 2);
}
template <class T>
IRGL_EMU_API cudaMallocAsync(T** p, size_t n, cudaStream_t s) {
  return irgl_emu_malloc_async((void**)p, n, 0, s);
}
template <class T>
IRGL_EMU_API cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return irgl_emu_malloc_device((void**)p, *pitch * height, 0);
}
IRGL_EMU_API cudaFreeAsync(void* p, cudaStream_t) { return irgl_emu_free_async(p); }
template <class T>
IRGL_EMU_API cudaHostGetDevicePointer(T** device, void* host, unsigned) {
  *device = (T*)host;
  return cudaSuccess;
}
IRGL_EMU_API cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind kind) {
  return irgl_emu_copy(to, from, n, kind, IRGL_EMU_KNOWN(to, from));
}
IRGL_EMU_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t n,
                                 cudaStream_t s = 0) {
  return irgl_emu_copy_peer(to, to_device, from, from_device, n, s, 1);
}
IRGL_EMU_API cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind kind, cudaStream_t s = 0) {
  return irgl_emu_memcpy_async(to, from, n, kind, s, IRGL_EMU_KNOWN(to, from));
}
IRGL_EMU_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                          cudaMemcpyKind kind) {
  return irgl_emu_copy_2d(to, to_pitch, from, from_pitch, width, height, kind, IRGL_EMU_KNOWN(to, from), 0);
}
IRGL_EMU_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                               size_t height, cudaMemcpyKind kind, cudaStream_t s = 0) {
  return irgl_emu_copy_2d(to, to_pitch, from, from_pitch, width, height, kind, IRGL_EMU_KNOWN(to, from), s);
}
IRGL_EMU_API cudaMemsetAsync(void* p, int value, size_t n, cudaStream_t s = 0) {
  return irgl_emu_memset_async(p, value, n, s);
}
IRGL_EMU_API cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
IRGL_EMU_API cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }

template <class T>
IRGL_EMU_API cudaMemcpyToSymbol(const T& s, const void* from, size_t n, size_t offset = 0,
                                cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return irgl_emu_symbol_copy((const void*)&s, sizeof(T), (void*)from, n, offset, 1,
                              __builtin_object_size(from, 0));
}
template <class T>
IRGL_EMU_API cudaMemcpyFromSymbol(void* to, const T& s, size_t n, size_t offset = 0,
                                  cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return irgl_emu_symbol_copy((const void*)&s, sizeof(T), to, n, offset, 0, __builtin_object_size(to, 0));
}
template <class T>
IRGL_EMU_API cudaMemcpyToSymbolAsync(const T& s, const void* from, size_t n, size_t offset, cudaMemcpyKind,
                                     cudaStream_t = 0) {
  return irgl_emu_symbol_copy((const void*)&s, sizeof(T), (void*)from, n, offset, 1,
                              __builtin_object_size(from, 0));
}
template <class T>
IRGL_EMU_API cudaMemcpyFromSymbolAsync(void* to, const T& s, size_t n, size_t offset, cudaMemcpyKind,
                                       cudaStream_t = 0) {
  return irgl_emu_symbol_copy((const void*)&s, sizeof(T), to, n, offset, 0, __builtin_object_size(to, 0));
}
template <class T>
IRGL_EMU_API cudaGetSymbolAddress(void** p, const T& s) {
  irgl_emu_symbol_address(&s);
  *p = (void*)&s;
  return cudaSuccess;
}
template <class T>
IRGL_EMU_API cudaGetSymbolSize(size_t* n, const T&) {
  *n = sizeof(T);
  return cudaSuccess;
}

IRGL_EMU_API cudaStreamCreate(cudaStream_t* s) { return irgl_emu_stream_create(s, 0); }
IRGL_EMU_API cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) { return irgl_emu_stream_create(s, flags); }
IRGL_EMU_API cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int priority) {
  const cudaError_t e = irgl_emu_stream_create(s, flags);
  return e != cudaSuccess ? e : irgl_emu_stream_priority(*s, priority);
}
IRGL_EMU_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
IRGL_EMU_API cudaEventCreate(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
IRGL_EMU_API cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
IRGL_EMU_API cudaEventRecord(cudaEvent_t e, cudaStream_t s = 0) { return irgl_emu_event_record(e, s); }
IRGL_EMU_API cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

template <class T>
IRGL_EMU_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T k, int threads, size_t shared) {
  return irgl_emu_occupancy(blocks, (const void*)k, threads, shared);
}
template <class T>
IRGL_EMU_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T k, int threads, size_t shared,
                                                                    unsigned) {
  return irgl_emu_occupancy(blocks, (const void*)k, threads, shared);
}
template <class T>
IRGL_EMU_API cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T k, size_t shared = 0, int limit = 0) {
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const cudaError_t e = irgl_emu_occupancy(grid, (const void*)k, *block, shared);
  *grid *= processors;
  return e;
}
template <class T>
IRGL_EMU_API cudaFuncGetAttributes(cudaFuncAttributes* a, T k) {
  return irgl_emu_function_attributes(a, (const void*)k);
}
template <class T>
IRGL_EMU_API cudaFuncSetAttribute(T k, cudaFuncAttribute attribute, int value) {
  return irgl_emu_function_attribute((const void*)k, attribute, value);
}
template <class T>
IRGL_EMU_API cudaFuncSetCacheConfig(T, cudaFuncCache) {
  return cudaSuccess;
}
