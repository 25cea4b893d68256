// The bandwidth of a copy from device memory to device memory, bytes read plus bytes written, by size; by a kernel with
// 16-byte accesses and by the driver.
#include "micro.hpp"

__global__ void copy(const uint4* from, uint4* to, size_t count) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int blocks = attribute(cudaDevAttrMultiProcessorCount) * (quick ? 1 : 8);
  for (size_t mib : quick ? std::vector<size_t>{0} : std::vector<size_t>{16, 64, 256, 1024, 4096}) {
    const size_t bytes = mib == 0 ? 4096 : mib << 20, count = bytes / sizeof(uint4);
    const DeviceArray<uint4> from(count), to(count);
    const double us = device_us([&] { copy<<<blocks, 256>>>(from.data, to.data, count); });
    check(cudaGetLastError());
    tell("copy by a kernel", "GB/s", 2.0 * double(bytes) / us * 1e-3, "\"mib\": %zu", mib);
    const double driver = device_us([&] { check(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDeviceToDevice)); });
    tell("copy by the driver", "GB/s", 2.0 * double(bytes) / driver * 1e-3, "\"mib\": %zu", mib);
  }
  return 0;
}
