// How fast all threads read an array of so many bytes from end to end, in GB a second: the best of several times.
//     g++ -O3 -march=native -fopenmp bandwidth.cpp -o bandwidth && OMP_NUM_THREADS=2 ./bandwidth 125000000
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? size_t(std::atoll(argv[1])) / sizeof(uint64_t) : 0;
  std::vector<uint64_t> array(count);
  double best = 0;
  uint64_t all = 0;
  for (int turn = 0; turn < 12; ++turn) {
    uint64_t sum = 0;
    const double begin = omp_get_wtime();
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (size_t i = 0; i < count; ++i) sum += array[i];
    const double rate = double(count * sizeof(uint64_t)) / (omp_get_wtime() - begin) / 1e9;
    if (turn > 1 && rate > best) best = rate;
    all += sum;
  }
  std::printf("%.2f\n", all == 0 ? best : 0.0);
}
