#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <thread>
#include <chrono>
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
static void CUDART_CB done(void* data) { ++*static_cast<int*>(data); }
int main() {
    const int N = 4, n = 3000;
    float *hx, *hy, *dx[N], *dy[N];
    cudaStream_t st[N]; cudaEvent_t ev[N];
    cudaHostAlloc((void**)&hx, N * n * sizeof(float), cudaHostAllocDefault);
    cudaMallocHost((void**)&hy, N * n * sizeof(float));
    for (int i = 0; i < N * n; i++) hx[i] = i, hy[i] = 1;
    int finished = 0;
    for (int k = 0; k < N; k++) {
        cudaStreamCreateWithFlags(&st[k], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&ev[k], cudaEventDisableTiming);
        cudaMalloc(&dx[k], n * sizeof(float)); cudaMalloc(&dy[k], n * sizeof(float));
    }
    for (int k = 0; k < N; k++) {
        cudaMemcpyAsync(dx[k], hx + k * n, n * sizeof(float), cudaMemcpyHostToDevice, st[k]);
        cudaMemcpyAsync(dy[k], hy + k * n, n * sizeof(float), cudaMemcpyHostToDevice, st[k]);
        if (k > 0) cudaStreamWaitEvent(st[k], ev[k - 1], 0);
        saxpy<<<(n + 255) / 256, 256, 0, st[k]>>>(n, 2.0f, dx[k], dy[k]);
        cudaEventRecord(ev[k], st[k]);
        cudaMemcpyAsync(hy + k * n, dy[k], n * sizeof(float), cudaMemcpyDeviceToHost, st[k]);
        cudaLaunchHostFunc(st[k], done, &finished);
    }
    for (int k = 0; k < N; k++) {
        while (cudaStreamQuery(st[k]) == cudaErrorNotReady) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        cudaStreamSynchronize(st[k]);
    }
    int bad = 0;
    for (int i = 0; i < N * n; i++) bad += hy[i] != 2.0f * i + 1;
    printf("%d wrong, %d done\n", bad, finished);
    for (int k = 0; k < N; k++) { cudaFree(dx[k]); cudaFree(dy[k]); cudaStreamDestroy(st[k]); cudaEventDestroy(ev[k]); }
    cudaFreeHost(hx); cudaFreeHost(hy);
    return bad || finished != N;
}
