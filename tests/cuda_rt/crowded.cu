// Where fewer blocks fit at once than the occupancy API says, a cooperative launch has as many as fit.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Scalars : Shared {
  int64_t sum = 0;
};
struct Context : HostRuntime<Scalars> {
  explicit Context(irgl_run_args* args) : HostRuntime<Scalars>(args) { processors_ *= 5; }
};
struct State {
  int64_t threads = 0;
  int at = 0;
};
__global__ void __launch_bounds__(block_size) meet_kernel(Device<Scalars> c, State* saved) {
  Thread t(c);
  State s = *saved;
  for (int round = 0; round < 3; ++round) {
    for_each<One>(t, range<int32_t>(0, 1000), irgl::sum<Block>(c.globals->sum),
                  [&](Thread&, bool, int32_t i, int64_t& sum) { sum += i; });
    t.sync();
  }
  s.threads = int64_t(t.count());
  leave(t, saved, s, 0);
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  using namespace unit;
  driver::Call call;
  Context c(&call.args);
  State s;
  c.run_outlined(meet_kernel, irgl::all_blocks, s);
  c.wrote_scalars();
  CHECK(s.threads >= int64_t(block_size), "%ld", long(s.threads));
  CHECK(c.read().sum == 3 * 499500, "%ld", long(c.read().sum));
  CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
  return driver::end();
}
