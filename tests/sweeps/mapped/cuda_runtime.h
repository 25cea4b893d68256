// What cuda_rt/process.cuh asks of CUDA, where there is no device.
#pragma once
using cudaError_t = int;
using cudaMemPool_t = void*;
enum { cudaSuccess = 0, cudaMemPoolAttrReleaseThreshold = 0 };
inline int cudaFree(void*) { return 0; }
inline int cudaGetLastError() { return 0; }
inline int cudaGetDevice(int*) { return 1; }
inline int cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int) { return 1; }
inline int cudaMemPoolSetAttribute(cudaMemPool_t, int, void*) { return 1; }
inline const char* cudaGetErrorString(int) { return ""; }
