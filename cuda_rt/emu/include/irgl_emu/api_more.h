// Calls of the API that programs make seldom: what they ask for is there, or does nothing here.
#pragma once
#include "runtime_api.h"

// One device: there is none to share memory with.
IRGL_EMU_API cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  return device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
IRGL_EMU_API cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorInvalidDevice; }
IRGL_EMU_API cudaDeviceDisablePeerAccess(int) { return cudaErrorInvalidDevice; }
IRGL_EMU_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t n) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return cudaMemcpy(to, from, n, cudaMemcpyDeviceToDevice);
}
IRGL_EMU_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t n,
                                 cudaStream_t s = 0) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, s);
}
IRGL_EMU_API cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
IRGL_EMU_API cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
IRGL_EMU_API cudaSetValidDevices(int*, int) { return cudaSuccess; }
IRGL_EMU_API cudaDeviceGetPCIBusId(char* id, int size, int device) {
  const char text[] = "0000:01:00.0";
  if (device != 0) return cudaErrorInvalidDevice;
  if (size < (int)sizeof text) return cudaErrorInvalidValue;
  __builtin_memcpy(id, text, sizeof text);
  return cudaSuccess;
}
IRGL_EMU_API cudaDeviceGetByPCIBusId(int* device, const char*) { return cudaGetDevice(device); }

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

// Pools that a program makes are the device's own.
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
IRGL_EMU_API cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}
IRGL_EMU_API cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
IRGL_EMU_API cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) { return cudaSuccess; }
IRGL_EMU_API cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
template <class T>
IRGL_EMU_API cudaMallocFromPoolAsync(T** p, size_t n, cudaMemPool_t, cudaStream_t) {
  return irgl_emu_malloc_async((void**)p, n);
}
template <class T>
IRGL_EMU_API cudaMallocAsync(T** p, size_t n, cudaMemPool_t, cudaStream_t) {
  return irgl_emu_malloc_async((void**)p, n);
}
