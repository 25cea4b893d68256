// What a process pays before its first kernel: for the device, for a stream and some memory, and for the kernel itself.
#include "micro.hpp"

__global__ void touch(int* at) {
  if (threadIdx.x == 0) *at = 1;
}

static double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int argc, char** argv) {
  is_quick(argc, argv);
  const double begin = now_ms();
  check(cudaFree(nullptr));
  const double context = now_ms();
  cudaStream_t stream;
  int* at = nullptr;
  int seen = 0;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMallocAsync(&at, sizeof(int), stream));
  check(cudaStreamSynchronize(stream));
  const double memory = now_ms();
  touch<<<1, 32, 0, stream>>>(at);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(&seen, at, sizeof(int), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  const double kernel = now_ms();
  tell("a context", "ms", context - begin);
  tell("first stream and memory", "ms", memory - context);
  tell("first kernel", "ms", kernel - memory);
  check(cudaFreeAsync(at, stream));
  check(cudaStreamDestroy(stream));
  return seen == 1 ? 0 : 1;
}
