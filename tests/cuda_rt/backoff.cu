// Retry backoff: each item once, whatever the round; neighbours go to one thread, the last few to the first.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;
using Context = HostRuntime<Shared>;
using Lists = Pipe<irgl::list<node_t>, true>;

template <Scope S>
__global__ void take_kernel(Device<Shared> c, View<Lists> wl, int32_t* times, int32_t* threads) {
  Thread t(c);
  for_each<S>(t, backed_off(t, wl, wl.items()), [&](Thread& t, bool valid, node_t x) {
    if (!valid) return;
    atomic_add(times[x], 1);
    threads[x] = int32_t(t.rank());
  });
}

// The items of a thread in the round, where there are more than a warp of them.
size_t share(unsigned tries, size_t count, size_t threads) {
  const size_t even = (count + threads - 1) / threads, wanted = size_t(4) << (tries > 5 ? 4 : tries - 1);
  return wanted < even ? even : wanted;
}

template <Scope S>
void run_one(size_t count, unsigned tries) {
  driver::Call call;
  Context c(&call.args);
  std::vector<int32_t> times(count), threads(count);
  size_t launched = 0;
  {
    Lists wl(c, count);
    wl.in_update(c, range<node_t>(0, node_t(count)));
    View<Lists> view = wl.view();
    view.tries = tries;
    int32_t* of = c.property<int32_t>(times.data(), count);
    int32_t* by = c.property<int32_t>(threads.data(), count);
    c.fill(of, count, 0), c.fill(by, count, -1);
    const size_t some = count < 600 ? count : 600;  // fewer threads than items
    launched = (some + block_size - 1) / block_size * block_size;
    c.launch(take_kernel<S>, some, c.device(), view, of, by);
    c.wrote(of), c.wrote(by);
  }
  CHECK(c.finish(&call.args) == 0, "%zu %u", count, tries);
  if (launched == 0) return;
  for (size_t x = 0; x < count; ++x) {
    const size_t by = tries == 0 ? x % launched : count <= warp_size ? 0 : x / share(tries, count, launched);
    CHECK(times[x] == 1, "scope %d: item %zu of %zu in round %u: %d times", S, x, count, tries, times[x]);
    CHECK(size_t(threads[x]) == by, "scope %d: item %zu of %zu in round %u: %d", S, x, count, tries, threads[x]);
  }
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  for (const size_t count : {0, 1, 31, 32, 33, 100, 257, 5000})
    for (const unsigned tries : {0u, 1u, 2u, 5u, 6u, 100u}) {
      unit::run_one<irgl::One>(count, tries);
      unit::run_one<irgl::Block>(count, tries);
      unit::run_one<irgl::Grid>(count, tries);
    }
  return driver::end();
}
