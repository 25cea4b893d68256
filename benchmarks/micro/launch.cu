// What the host pays for a kernel: launched behind others, launched and waited for, and launched and its result read.
#include "micro.hpp"

__global__ void touch(int* at) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *at += 1;
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int count = quick ? 10 : 2000, blocks = attribute(cudaDevAttrMultiProcessorCount);
  DeviceArray<int> at(1);
  int seen = 0, *pinned = nullptr;
  check(cudaMallocHost(&pinned, sizeof(int)));

  const double behind = host_us([&] {
    for (int i = 0; i < count; ++i) touch<<<blocks, 256>>>(at.data);
    check(cudaGetLastError());
  });
  tell("launch", "us", behind / count, "\"blocks\": %d", blocks);

  const double waited = host_us([&] {
    for (int i = 0; i < count; ++i) {
      touch<<<blocks, 256>>>(at.data);
      check(cudaDeviceSynchronize());
    }
  });
  tell("launch and wait", "us", waited / count, "\"blocks\": %d", blocks);

  const double read = host_us([&] {
    for (int i = 0; i < count; ++i) {
      touch<<<blocks, 256>>>(at.data);
      check(cudaMemcpy(&seen, at.data, sizeof(int), cudaMemcpyDeviceToHost));
    }
  });
  tell("launch and read-back", "us", read / count, "\"blocks\": %d, \"memory\": \"pageable\"", blocks);

  const double read_pinned = host_us([&] {
    for (int i = 0; i < count; ++i) {
      touch<<<blocks, 256>>>(at.data);
      check(cudaMemcpyAsync(pinned, at.data, sizeof(int), cudaMemcpyDeviceToHost));
      check(cudaStreamSynchronize(nullptr));
    }
  });
  tell("launch and read-back", "us", read_pinned / count, "\"blocks\": %d, \"memory\": \"pinned\"", blocks);
  check(cudaFreeHost(pinned));
  return seen > 0 ? 0 : 1;
}
