#include <cstdio>
#include <cuda_runtime.h>
__global__ void inc(int* p, int n) { int i = threadIdx.x; if (i < n) p[i] += 1; }
int main() {
    int* d; int h[32] = {0};
    cudaMalloc(&d, sizeof h); cudaMemset(d, 0, sizeof h);
    cudaStream_t s; cudaStreamCreate(&s);
    cudaGraph_t g; cudaGraphExec_t e;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 5; i++) inc<<<1, 32, 0, s>>>(d, 32);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, NULL, NULL, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    size_t nodes = 0; cudaGraphGetNodes(g, NULL, &nodes);
    printf("%d %zu\n", h[7], nodes);
    cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaStreamDestroy(s); cudaFree(d);
    return h[7] != 15;
}
