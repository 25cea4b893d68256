// What memory costs the host: from the stream's pool, which has to ask the system or has some; managed, page-locked;
// how much is free; and a small copy to the device, waited for or not.
#include "micro.hpp"

__global__ void touch(char* at, size_t bytes) {
  for (size_t p = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 4096; p < bytes;
       p += size_t(gridDim.x) * blockDim.x * 4096)
    at[p] = 1;
}

// Microseconds of one call.
template <class Run>
double once_us(Run run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int count = quick ? 3 : 200, blocks = attribute(cudaDevAttrMultiProcessorCount);
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaMemPool_t pool{};
  uint64_t all = UINT64_MAX;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));

  const auto take = [&](size_t bytes, bool free) {
    char* data = nullptr;
    const double us = once_us([&] {
      check(cudaMallocAsync(&data, bytes, stream));
      touch<<<blocks, 256, 0, stream>>>(data, bytes);
      check(cudaStreamSynchronize(stream));
    });
    if (free) check(cudaFreeAsync(data, stream));
    check(cudaStreamSynchronize(stream));
    return us;
  };
  take(4096, true);
  for (size_t mib = 1; mib <= (quick ? 1 : 256); mib *= 4) {
    const double first = take(mib << 20, true);
    tell("allocation, from the system", "us", first, "\"mib\": %d", int(mib));
    tell("allocation, from the pool", "us", take(mib << 20, true), "\"mib\": %d", int(mib));
    check(cudaMemPoolTrimTo(pool, 0));
  }

  size_t free = 0, total = 0;
  tell("free memory asked for", "us", host_us([&] {
         for (int i = 0; i < count; ++i) check(cudaMemGetInfo(&free, &total));
       }) / count);

  const size_t part = quick ? size_t(1) << 20 : free / 8;
  char *managed = nullptr, *locked = nullptr;
  tell("managed memory, given", "us", once_us([&] { check(cudaMallocManaged(&managed, part)); }), "\"gib\": %.3g",
       double(part) / double(1 << 30));
  tell("managed memory, a page touched", "us", once_us([&] {
         touch<<<1, 1, 0, stream>>>(managed, 1);
         check(cudaStreamSynchronize(stream));
       }));
  tell("managed memory, taken back", "us", once_us([&] { check(cudaFree(managed)); }));

  tell("page-locked memory, given and taken back", "us", host_us([&] {
         for (int i = 0; i < count; ++i) {
           check(cudaMallocHost(&locked, 16384));
           check(cudaFreeHost(locked));
         }
       }) / count, "\"bytes\": 16384");

  DeviceArray<char> at(256);
  char here[256] = {};
  check(cudaMallocHost(&locked, sizeof here));
  memset(locked, 0, sizeof here);
  tell("copy to the device", "us", host_us([&] {
         for (int i = 0; i < count; ++i) {
           check(cudaMemcpyAsync(at.data, here, sizeof here, cudaMemcpyHostToDevice, stream));
           check(cudaStreamSynchronize(stream));
         }
       }) / count, "\"bytes\": 256, \"memory\": \"pageable, waited for\"");
  tell("copy to the device", "us", host_us([&] {
         for (int i = 0; i < count; ++i)
           check(cudaMemcpyAsync(at.data, locked, sizeof here, cudaMemcpyHostToDevice, stream));
       }) / count, "\"bytes\": 256, \"memory\": \"page-locked\"");
  check(cudaFreeHost(locked));
  check(cudaStreamDestroy(stream));
  return 0;
}
