// The latency of a load whose address the load before gave, by footprint: one thread follows one random cycle. Loads of
// data that others write: past the first-level cache, and volatile, as irgl's code does it.
#include "micro.hpp"

template <bool is_volatile>
__global__ void follow(const unsigned* next, int steps, unsigned* end) {
  const volatile unsigned* const anew = next;
  unsigned at = *end;
  for (int i = 0; i < steps; ++i) at = is_volatile ? anew[at] : __ldcg(&next[at]);
  *end = at;
}

template <bool is_volatile>
static double load_ns(const unsigned* next, unsigned* end, bool quick) {
  const int few = quick ? 4 : 2000, many = quick ? 12 : 22000;
  const double shorter = device_us([&] { follow<is_volatile><<<1, 1>>>(next, few, end); });
  const double longer = device_us([&] { follow<is_volatile><<<1, 1>>>(next, many, end); });
  check(cudaGetLastError());
  return (longer - shorter) * 1e3 / (many - few);
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
  for (size_t kib : quick ? std::vector<size_t>{4} : std::vector<size_t>{64, 1024, 8192, 32768, 131072, 1048576}) {
    const DeviceArray<unsigned> next(cycle(kib * 1024 / 128));
    const DeviceArray<unsigned> end(1);
    tell("dependent load", "ns", load_ns<false>(next.data, end.data, quick), "\"kib\": %zu", kib);
    tell("dependent load, volatile", "ns", load_ns<true>(next.data, end.data, quick), "\"kib\": %zu", kib);
  }
  return 0;
}
