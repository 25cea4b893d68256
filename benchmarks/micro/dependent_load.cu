// The latency of a load whose address the load before gave, by footprint: one thread follows one random cycle.
#include "micro.hpp"

__global__ void follow(const unsigned* next, int steps, unsigned* end) {
  unsigned at = *end;
  for (int i = 0; i < steps; ++i) at = __ldcg(&next[at]);  // past the first-level cache, as data that others write
  *end = at;
}

// One cycle through `lines` places, 128 bytes apart, in random order.
static std::vector<unsigned> cycle(size_t lines) {
  std::vector<unsigned> order(lines), next(lines * 32, 0);
  for (size_t i = 0; i < lines; ++i) order[i] = unsigned(i);
  unsigned long long state = 88172645463325252ull;
  for (size_t i = lines - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    std::swap(order[i], order[state % (i + 1)]);
  }
  for (size_t i = 0; i < lines; ++i) next[order[i] * size_t(32)] = order[(i + 1) % lines] * 32;
  return next;
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int few = quick ? 4 : 2000, many = quick ? 12 : 22000;
  for (size_t kib : quick ? std::vector<size_t>{4} : std::vector<size_t>{64, 1024, 8192, 32768, 131072, 1048576}) {
    const DeviceArray<unsigned> next(cycle(kib * 1024 / 128));
    const DeviceArray<unsigned> end(1);
    double us[2];
    for (int k = 0; k < 2; ++k) us[k] = device_us([&] { follow<<<1, 1>>>(next.data, k == 0 ? few : many, end.data); });
    check(cudaGetLastError());
    tell("dependent load", "ns", (us[1] - us[0]) * 1e3 / (many - few), "\"kib\": %zu", kib);
  }
  return 0;
}
