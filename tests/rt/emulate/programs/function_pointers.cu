// Function pointers, virtual functions, lambdas, structs with methods, recursion.
#include <cstdio>
#include <cuda_runtime.h>
typedef int (*op_t)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ op_t table[2] = {add, mul};
__device__ op_t the_op = add;
__host__ __device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape { float s; __device__ Square(float x) : s(x) {} __device__ float area() const override { return s * s; } };
struct Circle : Shape { float r; __device__ Circle(float x) : r(x) {} __device__ float area() const override { return 3.0f * r * r; } };
__global__ void areas(float* out) {
    Shape* shape = threadIdx.x % 2 ? (Shape*)new Square(threadIdx.x) : (Shape*)new Circle(threadIdx.x);
    out[threadIdx.x] = shape->area();
    delete shape;
}
__global__ void apply(op_t f, int* out) { out[threadIdx.x] = f(threadIdx.x, 3) + table[threadIdx.x % 2](threadIdx.x, 2) + fib(5); }
template <class F> __global__ void for_each(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}
int main() {
    op_t host_op;
    cudaMemcpyFromSymbol(&host_op, the_op, sizeof(op_t));
    int* out; float* a;
    cudaMallocManaged(&out, 32 * sizeof(int)); cudaMallocManaged(&a, 32 * sizeof(float));
    apply<<<1, 32>>>(host_op, out);
    areas<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < 32; i++) {
        bad += out[i] != (i + 3) + (i % 2 ? i * 2 : i + 2) + 5;
        bad += a[i] != (i % 2 ? (float)i * i : 3.0f * i * i);
    }
    int k = 7;
    for_each<<<2, 64>>>(32, [=] __device__(int i) { out[i] = i * k; });
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) bad += out[i] != 7 * i;
    printf("%d wrong\n", bad);
    cudaFree(out); cudaFree(a);
    return bad;
}
