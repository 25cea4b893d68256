// Calls of the API that programs make seldom: what they ask for is there, or does nothing here.
#pragma once
#include "runtime_api.h"

IRGL_EMU_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t n) {
  return irgl_emu_copy_peer(to, to_device, from, from_device, n, 0, 0);
}
IRGL_EMU_API cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
IRGL_EMU_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
IRGL_EMU_API cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
IRGL_EMU_API cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
template <class T>
IRGL_EMU_API cudaFuncSetSharedMemConfig(T, cudaSharedMemConfig) {
  return cudaSuccess;
}

// What the cache is to keep: advice.
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority cudaLaunchAttributePriority
IRGL_EMU_API cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id, const cudaStreamAttrValue* value) {
  return id == cudaLaunchAttributePriority ? irgl_emu_stream_priority(s, value->priority) : cudaSuccess;
}
IRGL_EMU_API cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

template <class T>
IRGL_EMU_API cudaStreamAttachMemAsync(cudaStream_t, T*, size_t = 0, unsigned = cudaMemAttachSingle) {
  return cudaSuccess;
}
IRGL_EMU_API cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s = 0, unsigned = 0) {
  return irgl_emu_event_record(e, s);
}

// The block with the most threads on a multiprocessor, of the largest.
template <class T, class Bytes>
IRGL_EMU_API cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T k, Bytes shared, int limit = 0) {
  int most = 0, processors = 0;
  for (int n = limit > 0 && limit < 1024 ? limit : 1024; n > 0; n = (n - 1) / 32 * 32) {
    int blocks = 0;
    const cudaError_t e = irgl_emu_occupancy(&blocks, (const void*)k, n, shared(n));
    if (e != cudaSuccess) return e;
    if (blocks * n > most) {
      most = blocks * n;
      *block = n;
      *grid = blocks;
    }
  }
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  *grid *= processors;
  return most > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

template <class T>
IRGL_EMU_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, T k, int blocks, int) {
  cudaFuncAttributes a;
  const cudaError_t e = irgl_emu_function_attributes(&a, (const void*)k);
  if (e != cudaSuccess || blocks <= 0) return e != cudaSuccess ? e : cudaErrorInvalidValue;
  const size_t each = (IRGL_EMU_DYNAMIC + 1024) / (size_t)blocks, taken = a.sharedSizeBytes + 1024;
  *shared = each > taken ? each - taken : 0;
  return cudaSuccess;
}

// Where managed memory should be: advice, which changes nothing here and is not kept.
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
IRGL_EMU_API cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t = 0) {
  return cudaSuccess;
}
IRGL_EMU_API cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
IRGL_EMU_API cudaMemPrefetchAsync_v2(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t = 0) {
  return cudaSuccess;
}
IRGL_EMU_API cudaMemAdvise_v2(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
enum cudaMemRangeAttribute {
  cudaMemRangeAttributeReadMostly = 1,
  cudaMemRangeAttributePreferredLocation,
  cudaMemRangeAttributeAccessedBy,
  cudaMemRangeAttributeLastPrefetchLocation
};
IRGL_EMU_API cudaMemRangeGetAttribute(void* value, size_t size, cudaMemRangeAttribute attribute, const void*, size_t) {
  if (size % sizeof(int) != 0) return cudaErrorInvalidValue;
  for (size_t i = 0; i < size / sizeof(int); i++) {
    ((int*)value)[i] = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
  }
  return cudaSuccess;
}

// Pools that a program makes are their device's own.
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone, cudaMemHandleTypePosixFileDescriptor };
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone,
  cudaMemAccessFlagsProtRead,
  cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
IRGL_EMU_API cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* p) {
  return cudaDeviceGetDefaultMemPool(pool, p->location.type == cudaMemLocationTypeDevice ? p->location.id : 0);
}
IRGL_EMU_API cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
IRGL_EMU_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return pool == device + 1 ? cudaSuccess : cudaErrorInvalidValue;
}
extern "C" {
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaSetValidDevices(int* devices, int n);
cudaError_t cudaDeviceGetPCIBusId(char* id, int size, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* given, size_t n);
}
template <class T>
IRGL_EMU_API cudaMallocFromPoolAsync(T** p, size_t n, cudaMemPool_t pool, cudaStream_t s) {
  return irgl_emu_malloc_async((void**)p, n, pool, s);
}
template <class T>
IRGL_EMU_API cudaMallocAsync(T** p, size_t n, cudaMemPool_t pool, cudaStream_t s) {
  return irgl_emu_malloc_async((void**)p, n, pool, s);
}
