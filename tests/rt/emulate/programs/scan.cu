#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
template <typename T>
__device__ __forceinline__ T warp_inclusive_scan(T x) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        T y = __shfl_up_sync(0xFFFFFFFFu, x, d);
        if (lane >= d) x += y;
    }
    return x;
}
template <typename T, int THREADS>
__global__ void __launch_bounds__(THREADS) scan_block(const T* in, T* out, T* sums, int n) {
    __shared__ T warp_sums[THREADS / 32];
    int i = blockIdx.x * THREADS + threadIdx.x;
    T x = i < n ? in[i] : T(0);
    T s = warp_inclusive_scan(x);
    if ((threadIdx.x & 31) == 31) warp_sums[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        T w = threadIdx.x < THREADS / 32 ? warp_sums[threadIdx.x] : T(0);
        w = warp_inclusive_scan(w);
        if (threadIdx.x < THREADS / 32) warp_sums[threadIdx.x] = w;
    }
    __syncthreads();
    if (threadIdx.x >= 32) s += warp_sums[(threadIdx.x >> 5) - 1];
    if (i < n) out[i] = s;
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = s;
}
template <typename T>
__global__ void add_offsets(T* out, const T* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0) {
        T base = 0;
        for (unsigned b = 0; b < blockIdx.x; b++) base += __ldg(&sums[b]);
        out[i] += base;
    }
}
int main() {
    const int n = 5000, T = 256, blocks = (n + T - 1) / T;
    std::vector<long long> h(n), r(n);
    for (int i = 0; i < n; i++) h[i] = i % 7 - 2;
    long long *in, *out, *sums;
    cudaStream_t s1;
    cudaStreamCreate(&s1);
    cudaMallocAsync(&in, n * 8, s1); cudaMallocAsync(&out, n * 8, s1); cudaMallocAsync(&sums, blocks * 8, s1);
    cudaMemcpyAsync(in, h.data(), n * 8, cudaMemcpyHostToDevice, s1);
    scan_block<long long, T><<<blocks, T, 0, s1>>>(in, out, sums, n);
    add_offsets<<<blocks, T, 0, s1>>>(out, sums, n);
    cudaMemcpyAsync(r.data(), out, n * 8, cudaMemcpyDeviceToHost, s1);
    cudaFreeAsync(in, s1); cudaFreeAsync(out, s1); cudaFreeAsync(sums, s1);
    cudaStreamSynchronize(s1);
    cudaStreamDestroy(s1);
    long long acc = 0; int bad = 0;
    for (int i = 0; i < n; i++) { acc += h[i]; bad += r[i] != acc; }
    printf("%d wrong\n", bad);
    return bad != 0;
}
