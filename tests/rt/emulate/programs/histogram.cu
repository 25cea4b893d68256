#include <iostream>
#include <random>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
constexpr int BINS = 256;
__constant__ unsigned char lut[BINS];
__device__ unsigned long long total_seen = 0;

__global__ void histogram(const unsigned char* __restrict__ data, size_t n, unsigned int* __restrict__ bins) {
    __shared__ unsigned int local[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0u;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        atomicAdd(&local[lut[data[i]]], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (local[i] != 0) { atomicAdd(&bins[i], local[i]); atomicAdd(&total_seen, (unsigned long long)local[i]); }
}

int main() {
    const size_t n = 1 << 14;
    std::mt19937 rng(42);
    std::uniform_int_distribution<int> pick(0, 255);
    auto host = std::make_unique<unsigned char[]>(n);
    std::generate(host.get(), host.get() + n, [&] { return static_cast<unsigned char>(pick(rng)); });
    std::array<unsigned char, BINS> table;
    for (int i = 0; i < BINS; i++) table[i] = (unsigned char)(255 - i);
    cudaMemcpyToSymbol(lut, table.data(), sizeof(table));
    unsigned char* d; unsigned int* bins;
    cudaMalloc(&d, n); cudaMalloc(&bins, BINS * sizeof(unsigned));
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    cudaMemcpy(d, host.get(), n, cudaMemcpyDefault);
    int dev; cudaGetDevice(&dev);
    cudaDeviceProp prop; cudaGetDeviceProperties(&prop, dev);
    std::cout << prop.name << " " << prop.multiProcessorCount << " SMs, warp " << prop.warpSize << "\n";
    histogram<<<prop.multiProcessorCount * 2, 128>>>(d, n, bins);
    cudaDeviceSynchronize();
    std::array<unsigned, BINS> got;
    cudaMemcpy(got.data(), bins, sizeof(got), cudaMemcpyDeviceToHost);
    unsigned long long seen;
    cudaMemcpyFromSymbol(&seen, total_seen, sizeof(seen));
    std::array<unsigned, BINS> want{};
    for (size_t i = 0; i < n; i++) want[255 - host[i]]++;
    bool ok = got == want && seen == n;
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    cudaFree(d); cudaFree(bins);
    return ok ? 0 : 1;
}
