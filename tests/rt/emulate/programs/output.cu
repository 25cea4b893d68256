#include <cstdio>
#include <cassert>
__global__ void hello(int n) {
    if (threadIdx.x < n) printf("hello from block %d thread %d: %s %.2f %llu\n", blockIdx.x, threadIdx.x, "text", threadIdx.x * 0.5, 1ULL << 40);
    assert(n > 0);
}
__global__ void bad(int n) { assert(threadIdx.x < n && "too many threads"); }
int main(int argc, char**) {
    hello<<<2, 4>>>(2);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(e));
    if (argc > 1) {
        bad<<<1, 8>>>(4);
        e = cudaDeviceSynchronize();
        printf("%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
    }
    return 0;
}
