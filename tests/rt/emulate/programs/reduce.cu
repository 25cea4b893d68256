// Sum reduction with shared memory, warp shuffle at the end.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <numeric>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                      \
    do {                                                                                      \
        cudaError_t err_ = (call);                                                            \
        if (err_ != cudaSuccess) {                                                            \
            fprintf(stderr, "CUDA error %s at %s:%d\n", cudaGetErrorString(err_), __FILE__, __LINE__); \
            exit(EXIT_FAILURE);                                                               \
        }                                                                                     \
    } while (0)

// The last 32 partial sums: shared memory read as volatile by one warp, then shuffles.
__device__ void finish(volatile int *parts) {
    int v = parts[threadIdx.x] + parts[threadIdx.x + 32];
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x == 0) parts[0] = v;
}

template <unsigned THREADS>
__global__ void sum_blocks(const int *values, int *sums, unsigned n) {
    extern __shared__ int parts[];
    int mine = 0;
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += THREADS * gridDim.x) mine += values[i];
    parts[threadIdx.x] = mine;
    __syncthreads();
    if (THREADS >= 512) {
        if (threadIdx.x < 256) parts[threadIdx.x] += parts[threadIdx.x + 256];
        __syncthreads();
    }
    if (THREADS >= 256) {
        if (threadIdx.x < 128) parts[threadIdx.x] += parts[threadIdx.x + 128];
        __syncthreads();
    }
    if (THREADS >= 128) {
        if (threadIdx.x < 64) parts[threadIdx.x] += parts[threadIdx.x + 64];
        __syncthreads();
    }
    if (threadIdx.x < 32) finish(parts);
    if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

int main(int argc, char **argv) {
    const unsigned n = argc > 1 ? atoi(argv[1]) : 10000;
    std::vector<int> h(n);
    for (unsigned i = 0; i < n; ++i) h[i] = rand() % 10;
    int *d_in, *d_out;
    const int blocks = 8;
    CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CUDA_CHECK(cudaMalloc((void **)&d_out, blocks * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    sum_blocks<256><<<blocks, 256, 256 * sizeof(int)>>>(d_in, d_out, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    std::vector<int> out(blocks);
    CUDA_CHECK(cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int gpu = std::accumulate(out.begin(), out.end(), 0), cpu = std::accumulate(h.begin(), h.end(), 0);
    printf("%d %d %s\n", gpu, cpu, gpu == cpu ? "OK" : "WRONG");
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    return gpu != cpu;
}
