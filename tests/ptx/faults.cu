// One mistake at a time, by its number.
#include <cstdio>
#include <cstdlib>

__global__ void wrong(int which, int* p, int n) {
  __shared__ int row[32];
  extern __shared__ int last[];
  const int t = threadIdx.x;
  row[t % 32] = t;
  last[0] = t;
  switch (which) {
    case 1: p[n + t] = 1; break;
    case 2: *reinterpret_cast<long long*>(p + 1 + 2 * t % 8) = 1; break;
    case 3: if (t % 2 == 0) __syncthreads(), p[0] = 1; else __syncthreads(), p[1] = row[t % 3]; break;
    case 4: if (t % 32 < 16) __syncthreads(); else p[0] = __shfl_sync(~0u, t, 3); break;
    case 5: while (atomicAdd(p, 0) != 77) {} break;
    case 6: row[n + t] = 1, p[1] = row[n]; break;
    case 7: p[0] = *reinterpret_cast<int* volatile*>(p + 2)[0]; break;
    case 8: p[t % 4] = __dp4a(p[1], p[2], p[3]); break;
    case 9: if (t % 32 == 3) return; p[t % 4] = __shfl_sync(~0u, t, 3); break;
    case 10: p[t % 4] = __shfl_sync(2u, t, 1); break;
    case 11: last[n] = 3; break;
    case 12:
      if (t < 40) __syncthreads();
      else if (atomicAdd(p, 1) < 1000) while (*const_cast<volatile int*>(p) != 5000) {}
  }
}
int main(int argc, char** argv) {
  const int which = argc > 1 ? atoi(argv[1]) : 0;
  int *p, *freed;
  cudaMalloc(&p, 100 * sizeof(int)), cudaMemset(p, 0, 100 * sizeof(int));
  cudaMalloc(&freed, 4), cudaFree(freed);
  cudaMemcpy(p + 2, &freed, sizeof freed, cudaMemcpyHostToDevice);
  if (which == 13) cudaMemset(p, 0, 101 * sizeof(int));
  wrong<<<2, 64, 16>>>(which, p, 100);
  puts(cudaGetErrorString(cudaGetLastError()));
}
