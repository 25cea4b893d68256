// What grows without a bound, or has one beyond all memory: lists that spill (on the host and in an outlined loop);
// arrays and append-only lists. And what is asked of memory in between: how much of it, and again after a reset.
#include "cuda_rt/append_only_list.cuh"
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Scalars : Shared {
  int64_t sum = 0, count = 0;
};
using Context = HostRuntime<Scalars>;
using Dev = Device<Scalars>;

// Each number k up to the n-th brings forth 2 k and 2 k + 1 while they are below the limit: nobody knows how many.
template <class View>
__device__ void breed(Thread& t, const Dev&, int32_t limit, View& wl) {
  for_each<Block>(t, wl.items(), [&](Thread& t, bool valid, int32_t k) {
    for (int32_t i = 0; valid && 2 * k + i < limit && i < 2; ++i) wl.push(t, 2 * k + i);
  });
}
using PView = PipeView<irgl::list<int32_t>, false>;
__global__ void breed_kernel(Dev c, int32_t limit, PView wl) {
  Thread t(c);
  breed(t, c, limit, wl);
}
__global__ void sum_kernel(Dev c, ListItems<int32_t> items) {
  Thread t(c);
  for_each<One>(t, items, sum<Block>(c.globals->sum), sum<Block>(c.globals->count),
                [&](Thread&, bool, int32_t k, int64_t& sum, int64_t& count) { sum += k, count += 1; });
}
struct State {
  int64_t sum;
  PView wl;
  int at = 0;
};
__global__ void __launch_bounds__(block_size) breed_loop(Dev c, int32_t limit, bound b, State* saved) {
  Thread t(c);
  State s = *saved;
  while (!s.wl.empty(t)) {
    if (t.halted) break;
    if (!s.wl.fits(t, b, s.wl.items())) return leave(t, saved, s, 1);
    for_each<One>(t, s.wl.items(), irgl::sum<One>(c.globals->sum), irgl::sum<One>(c.globals->count),
                  [&](Thread&, bool, int32_t k, int64_t& sum, int64_t& count) { sum += k, count += 1; });
    breed(t, c, limit, s.wl);
    s.wl.advance(t);
  }
  leave(t, saved, s, 0);
}
void lists(int32_t limit, int64_t capacity, bound b) {
  for (const bool outlined : {false, true}) {
    driver::Call call(driver::nothing(), capacity);
    Context c(&call.args);
    {
      Pipe<irgl::list<int32_t>, false> wl(c, 1);
      wl.in_push(c, 1);
      if (outlined) {
        State s{0, wl.view()};
        do {
          s.wl = wl.view();
          c.run_outlined(breed_loop, irgl::all_blocks, s, limit, b);
          wl.adopt(c, s.wl);
        } while (s.at != 0 && !c.halted());
        c.wrote_scalars();
      } else {
        while (!wl.empty(c) && !c.halted()) {
          c.launch(sum_kernel, size_t(wl.size(c)), c.device(), wl.items(c));
          c.wrote_scalars();
          wl.reserve_for(c, b, wl.items(c));
          c.launch(breed_kernel, size_t(wl.size(c)), c.device(), limit, wl.view());
          wl.advance(c);
        }
      }
    }
    const Scalars s = c.read();
    CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
    CHECK(s.count == limit - 1 && s.sum == int64_t(limit) * (limit - 1) / 2, "%d: %ld %ld", outlined, long(s.count), long(s.sum));
  }
}

__global__ void append_kernel(Dev c, int32_t n, ArrayView<int64_t> all, ArrayView<node_t> some) {
  Thread t(c);
  for_each<Block>(t, range<int32_t>(0, n), sum<Block>(c.globals->sum),
                  [&](Thread& t, bool valid, int32_t i, int64_t& sum) {
    for (int32_t k = 0; valid && k < 3; ++k) all.append(t, i);
    const int64_t count = valid && i % 2 == 0 ? 2 : 0;
    const int64_t at = some.append_block(t, count);
    for (int64_t k = 0; k < count; ++k) some.put(at + k, i);
    if (valid && i % 5 == 0) {
      const int64_t mine = some.append(t, i);
      sum += some[mine] == i;
    }
  });
}
__global__ void total_kernel(Dev c, ArrayView<int64_t> all) {
  Thread t(c);
  for_each<One>(t, all.items(), sum<Warp>(c.globals->count), [&](Thread&, bool, int64_t x, int64_t& count) { count += x; });
}
__global__ void add_kernel(Dev c, ArrayView<int64_t> all, int64_t beyond) {
  Thread t(c);
  for_each<One>(t, range<int64_t>(0, beyond), [&](Thread&, bool, int64_t i) { atomic_add(all.at(i % 4, at(7, 8, 9)), 1); });
}
void libraries() {
  driver::Call call;
  Context c(&call.args);
  {
    irgl::array<int64_t> all(c);
    AppendOnlyList<node_t> some(c, -1);
    all.resize(3);
    all.at(2) = 7;
    c.launch(append_kernel, 1000, c.device(), 1000, all.view(), some.view());
    CHECK(all.size() == 3003 && all[2] == 7 && all[0] == 0, "%ld", long(all.size()));
    CHECK(some.size() == 1200 && some.append(c, 5) == 1200 && some[1200] == 5, "%ld", long(some.size()));
    c.launch(total_kernel, 3003, c.device(), all.view());
    c.launch(add_kernel, 100, c.device(), all.view(), 100);
    c.wrote_scalars();
    CHECK(c.read().sum == 200 && c.read().count == 3 * 499500 + 7, "%ld", long(c.read().sum));
    CHECK(all[0] == 25 && all[2] == 32, "%ld", long(all[0]));
    all.resize(2);
    all.resize(5);
    CHECK(all[4] == 0 && all.size() == 5, "%ld", long(all[4]));
    int64_t found = 0;
    for (const node_t x : some.items()) found += x % 2 == 0 || x == 5 || x % 5 == 0;
    CHECK(found == 1201, "%ld", long(found));
    all.resize(2);
    CHECK(!c.halted(), "%ld", long(call.fault[0]));
    c.launch(add_kernel, 3, c.device(), all.view(), 3);
    CHECK(all.size() == 2, "%ld", long(all.size()));
  }
  CHECK(c.finish(&call.args) == 1 && call.fault[0] == IRGL_FAULT_ACCESS && call.fault[1] == 7 && call.fault[2] == 8, "%ld",
        long(call.fault[0]));
}
void memory_that_is_free_again() {
  driver::Call call;
  Context c(&call.args);
  const size_t most = c.free_memory() / 4;
  for (int k = 0; k < 8; ++k) CHECK(c.takes(most / 4 * 3, 1), "%d", k);  // as a list that ends before the next begins
  CHECK(!c.takes(2 * most, 1), "%ld", long(most));
  CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
}
void device_that_was_reset() {
  for (int k = 0; k < 2; ++k, cudaDeviceReset()) {
    driver::Call call;
    Context c(&call.args);
    int32_t* const x = c.property<int32_t>(nullptr, 1);
    int32_t found = -1;
    c.write_element(x, 0, &k);
    c.read_element(x, 0, &found);
    CHECK(found == k, "%d", found);
    CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
  }
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  for (const int32_t limit : {2, 40, 3000})
    for (const int64_t capacity : {0, 1})
      for (const int64_t per_item : {int64_t(-1), int64_t(1) << 40})
        unit::lists(limit, capacity, irgl::bound{per_item, per_item < 0 ? -1 : 0});
  unit::libraries();
  unit::memory_that_is_free_again();
  unit::device_that_was_reset();
  return driver::end();
}
