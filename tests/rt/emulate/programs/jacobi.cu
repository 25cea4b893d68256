#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;

__global__ void jacobi(float* a, float* b, int n, int iterations, double* residual) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    for (int it = 0; it < iterations; ++it) {
        double err = 0;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            float next = (i == 0 || i == n - 1) ? a[i] : 0.5f * (a[i - 1] + a[i + 1]);
            err += fabs(next - a[i]);
            b[i] = next;
        }
        err = cg::reduce(warp, err, cg::plus<double>());
        if (warp.thread_rank() == 0 && it == iterations - 1) atomicAdd(residual, err);
        grid.sync();
        float* t = a; a = b; b = t;
    }
}

int main() {
    int n = 1000, iterations = 20;
    float *a, *b; double* residual;
    cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); cudaMallocManaged(&residual, sizeof(double));
    *residual = 0;
    cudaMemset(a, 0, n * sizeof(float));
    float one = 1.f;
    cudaMemcpy(a, &one, sizeof one, cudaMemcpyHostToDevice);
    int supports = 0; cudaDeviceGetAttribute(&supports, cudaDevAttrCooperativeLaunch, 0);
    int perSm = 0; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, jacobi, 128, 0);
    cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
    void* args[] = {&a, &b, &n, &iterations, &residual};
    if (!supports || cudaLaunchCooperativeKernel((void*)jacobi, dim3(p.multiProcessorCount), dim3(128), args, 0, nullptr) != cudaSuccess) {
        std::printf("cannot launch: %d %d\n", supports, perSm); return 1;
    }
    cudaDeviceSynchronize();
    float first[4];
    cudaMemcpy(first, a, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("%.4f %.4f %.4f %.4f residual %.5f\n", first[0], first[1], first[2], first[3], *residual);
    cudaFree(a); cudaFree(b); cudaFree(residual);
    return 0;
}
