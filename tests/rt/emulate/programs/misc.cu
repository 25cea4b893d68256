#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
struct Params { int n; float scale; };
__constant__ Params P;
__managed__ int counter = 3;
__device__ float4 arr[4];
static void CUDART_CB cb(cudaStream_t, cudaError_t e, void* d) { *(int*)d = 5 + e; }
__global__ void k(float* out) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < P.n) out[i] = i * P.scale + __dp4a(0x01020304, 0x01010101, 0);
    if (i < 4) arr[i] = make_float4(i, i, i, i);
    if (i == 0) { atomicAdd(&counter, 1); long long t = clock64(); if (t < 0) out[0] = -1; __nanosleep(10); }
    unsigned m = __match_any_sync(0xffffffffu, threadIdx.x & 3);
    if (__popc(m) == 0) out[0] = -1;
}
int main() {
    Params p = {40, 2.0f};
    cudaMemcpyToSymbol(P, &p, sizeof(p));
    float* d; cudaMalloc((void**)&d, 64 * sizeof(float));
    cudaMemset(d, 0, 256);
    int grid, block;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0);
    cudaProfilerStart();
    k<<<2, 32>>>(d);
    cudaProfilerStop();
    int seen = 0;
    cudaStreamAddCallback(0, cb, &seen, 0);
    cudaDeviceSynchronize();
    float h[64]; cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    float4 got[4]; void* sym; cudaGetSymbolAddress(&sym, arr); cudaMemcpy(got, sym, sizeof got, cudaMemcpyDeviceToHost);
    printf("%g %g %d %d %g %s\n", h[39], h[40], counter, seen, got[3].w, cudaGetErrorString(cudaGetLastError()));
    cudaFree(d);
    return !(h[39] == 88 && h[40] == 0 && counter == 4 && seen == 5 && got[3].w == 3);
}
