// Scratch sets in one slab: empty when they are opened, whatever kernel and universe used their memory before.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Scalars : Shared {
  int64_t found = 0, kept = 0;
};
using Context = HostRuntime<Scalars>;
using Dev = Device<Scalars>;

// Each item asks for all ids of a fresh set, then keeps every step-th of them.
template <bool two>
__global__ void fill_kernel(Dev c, int32_t universe, int32_t step) {
  Thread t(c);
  for_each<One>(t, range<int32_t>(0, 3), sum<One>(c.globals->found), sum<One>(c.globals->kept),
                [&](Thread& t, bool, int32_t, int64_t& found, int64_t& kept) {
    ScratchSet outer = scratch_bytemap(t, size_t(universe));
    const auto use = [&](ScratchSet& set) {
      for (int32_t x = 0; x < universe; ++x) found += set.contains(x);
      for (int32_t x = 0; x < universe; x += step) set.insert(x);
      for (int32_t x = 0; x < universe; ++x) kept += set.contains(x);
    };
    use(outer);
    if constexpr (two) {
      ScratchSet inner = scratch_bytemap(t, size_t(universe));
      use(inner);
    }
  });
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  using namespace unit;
  driver::Call call;
  Context c(&call.args);
  int64_t kept = 0;
  for (int round = 0; round < 2; ++round)
    for (const int32_t universe : {40, 5000, 1, 30000, 200})
      for (const int32_t step : {1, 37, 2000}) {  // more than a log holds, some, few
        c.launch_scratch(fill_kernel<false>, 3, size_t(universe), 1, c.device(), universe, step);
        c.launch_scratch(fill_kernel<true>, 3, size_t(universe), 2, c.device(), universe, step);
        kept += 9 * ((universe + step - 1) / step);
      }
  c.wrote_scalars();
  CHECK(c.read().found == 0, "%ld", long(c.read().found));
  CHECK(c.read().kept == kept, "%ld, not %ld", long(c.read().kept), long(kept));
  CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
  return driver::end();
}
