// Memory with three dimensions: pitched rows, planes of rows.
#pragma once
#include "runtime_api.h"

typedef struct cudaArray* cudaArray_t;  // arrays are not covered: it is null
typedef const struct cudaArray* cudaArray_const_t;
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};
IRGL_EMU_INLINE cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
IRGL_EMU_INLINE cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
IRGL_EMU_INLINE cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t x, size_t y) {
  return {p, pitch, x, y};
}

namespace irgl_emu {
// The first byte of a plane.
IRGL_EMU_INLINE char* at(cudaArray_t array, const cudaPitchedPtr& p, const cudaPos& where, size_t plane) {
  if (array != nullptr) irgl_emu_refuse("arrays", "copy between pointers");
  return (char*)p.ptr + ((where.z + plane) * p.ysize + where.y) * p.pitch + where.x;
}
}  // namespace irgl_emu

IRGL_EMU_API cudaMalloc3D(cudaPitchedPtr* p, cudaExtent x) {
  *p = {nullptr, 0, x.width, x.height};
  return cudaMallocPitch(&p->ptr, &p->pitch, x.width, x.height * x.depth);
}
IRGL_EMU_API cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent x) {
  cudaError_t e = cudaSuccess;
  for (size_t i = 0; i < x.depth && e == cudaSuccess; i++) {
    e = cudaMemset2D((char*)p.ptr + i * p.ysize * p.pitch, p.pitch, value, x.width, x.height);
  }
  return e;
}
IRGL_EMU_API cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t s = 0) {
  cudaError_t e = cudaSuccess;
  for (size_t i = 0; i < p->extent.depth && e == cudaSuccess; i++) {
    e = cudaMemcpy2DAsync(irgl_emu::at(p->dstArray, p->dstPtr, p->dstPos, i), p->dstPtr.pitch,
                          irgl_emu::at(p->srcArray, p->srcPtr, p->srcPos, i), p->srcPtr.pitch, p->extent.width,
                          p->extent.height, p->kind, s);
  }
  return e;
}
IRGL_EMU_API cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent x, cudaStream_t = 0) {
  return cudaMemset3D(p, value, x);
}
IRGL_EMU_API cudaMemcpy3D(const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p); }
IRGL_EMU_API cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t s = 0) {
  const cudaMemcpy3DParms plain = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                   p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  const cudaError_t e = irgl_emu_peer_sides(p->dstPtr.ptr, p->dstDevice, p->srcPtr.ptr, p->srcDevice);
  return e != cudaSuccess ? e : cudaMemcpy3DAsync(&plain, s);
}
IRGL_EMU_API cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) { return cudaMemcpy3DPeerAsync(p); }
IRGL_EMU_API cudaMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height, cudaStream_t = 0) {
  return cudaMemset2D(p, pitch, value, width, height);
}
