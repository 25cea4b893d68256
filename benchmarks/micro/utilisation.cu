// How much of the time the device works where a loop on the host launches a kernel of a fixed time and reads four bytes
// back (S. Pai and K. Pingali, OOPSLA 2016, figure 1): kernel time * iterations / time of the loop.
#include "micro.hpp"

__global__ void spin(long long cycles, int* at) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *at += 1;
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  DeviceArray<int> at(1);
  int seen = 0;
  // Cycles of a microsecond, from two long kernels, at the clock rate of a busy device.
  const long long shorter = quick ? 100 : 4000000, longer = quick ? 300 : 12000000;
  double us[2];
  for (int k = 0; k < 2; ++k) us[k] = device_us([&] { spin<<<1, 1>>>(k == 0 ? shorter : longer, at.data); });
  const double cycles = quick ? 1 : double(longer - shorter) / (us[1] - us[0]);
  tell("cycles of a microsecond", "1", cycles);
  for (int wanted : quick ? std::vector<int>{10} : std::vector<int>{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 3000}) {
    const long long spins = (long long)(wanted * cycles);
    // The paper's ten thousand, but no more than a fifth of a second: the median is of five.
    const int times = quick ? 3 : std::max(50, std::min(10000, 200000 / wanted));
    const double loop = host_us([&] {
      for (int i = 0; i < times; ++i) {
        spin<<<1, 1>>>(spins, at.data);
        check(cudaMemcpy(&seen, at.data, sizeof(int), cudaMemcpyDeviceToHost));
      }
    });
    tell("utilisation", "%", 100.0 * wanted * times / loop, "\"kernel_us\": %d, \"iterations\": %d", wanted, times);
  }
  return seen > 0 ? 0 : 1;
}
