// A kernel waits for an event of another stream, which has been given more since.
#include <cstdio>

__global__ void set(int* x, int value) { *x = value; }
__global__ void copy(const int* from, int* to) { *to = *from; }

int main() {
  int *x, *y, *z, found = 0;
  cudaMalloc(&x, sizeof *x);
  cudaMalloc(&y, sizeof *y);
  cudaMalloc(&z, sizeof *z);
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEvent_t set_x;
  cudaEventCreateWithFlags(&set_x, cudaEventDisableTiming);
  set<<<1, 1, 0, one>>>(x, 5);
  cudaEventRecord(set_x, one);
  set<<<1, 1, 0, one>>>(y, 6);
  cudaStreamWaitEvent(two, set_x, 0);
  copy<<<1, 1, 0, two>>>(x, z);
  cudaMemcpyAsync(&found, z, sizeof found, cudaMemcpyDeviceToHost, two);
  cudaStreamSynchronize(two);
  cudaStreamSynchronize(one);
  printf("%d\n", found);
  cudaEventDestroy(set_x);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
