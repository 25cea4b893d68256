// What a barrier of a cooperative grid costs, by blocks on a multiprocessor and threads of a block.
#include <cooperative_groups.h>

#include "micro.hpp"

namespace cg = cooperative_groups;

__global__ void meet(int times) {
  const cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < times; ++i) grid.sync();
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int processors = attribute(cudaDevAttrMultiProcessorCount), few = quick ? 1 : 100, many = quick ? 3 : 1100;
  for (int threads : quick ? std::vector<int>{64} : std::vector<int>{128, 256, 512, 1024}) {
    int most = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, meet, threads, 0));
    for (int per = 1; per <= (quick ? 1 : most); per *= 2) {
      double us[2];
      for (int k = 0; k < 2; ++k) {
        int times = k == 0 ? few : many;
        void* args[] = {&times};
        us[k] = device_us([&] { check(cudaLaunchCooperativeKernel(meet, processors * per, threads, args)); });
      }
      tell("grid sync", "us", (us[1] - us[0]) / (many - few), "\"blocks_per_processor\": %d, \"threads\": %d", per, threads);
    }
  }
  return 0;
}
