#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define TILE 16

__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
    extern __shared__ float tile[];
    float *As = tile, *Bs = tile + TILE * TILE;
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
        int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
        As[threadIdx.y * TILE + threadIdx.x] = row < M && ak < K ? A[row * K + ak] : 0.f;
        Bs[threadIdx.y * TILE + threadIdx.x] = bk < K && col < N ? B[bk * N + col] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) acc = fmaf(As[threadIdx.y * TILE + k], Bs[k * TILE + threadIdx.x], acc);
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = acc;
}

int main(void) {
    int M = 50, N = 37, K = 45;
    float *A, *B, *C;
    assert(cudaMallocManaged(&A, M * K * sizeof(float)) == cudaSuccess);
    assert(cudaMallocManaged(&B, K * N * sizeof(float)) == cudaSuccess);
    assert(cudaMallocManaged(&C, M * N * sizeof(float), cudaMemAttachGlobal) == cudaSuccess);
    for (int i = 0; i < M * K; i++) A[i] = (float)rand() / RAND_MAX;
    for (int i = 0; i < K * N; i++) B[i] = (float)rand() / RAND_MAX;
    dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, 1);
    size_t shared = 2 * TILE * TILE * sizeof(float);
    matmul<<<grid, block, shared, 0>>>(A, B, C, M, N, K);
    if (cudaPeekAtLastError() != cudaSuccess) { printf("launch failed\n"); return 2; }
    cudaDeviceSynchronize();
    double worst = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < K; k++) s += (double)A[i * K + k] * B[k * N + j];
            worst = fmax(worst, fabs(s - C[i * N + j]));
        }
    printf("max error %g\n", worst);
    cudaFree(A); cudaFree(B); cudaFree(C);
    cudaDeviceReset();
    return worst > 1e-3;
}
