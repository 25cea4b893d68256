// What ends a run early: a fault inside an outlined loop that would never end, told with its place; the user's interrupt;
// a list that cannot take what is pushed; and that elements of properties are seen and kept by the host.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Scalars : Shared {
  int64_t steps = 0;
};
using Context = HostRuntime<Scalars>;
using Dev = Device<Scalars>;

struct State {
  int32_t round;
  int at = 0;
};
__global__ void __launch_bounds__(block_size) endless_kernel(Dev c, Csr g, State* saved) {
  Thread t(c);
  State s = *saved;
  while (true) {
    if (t.halted) break;
    for_each<One>(t, range<int32_t>(0, 900), sum<Block>(c.globals->steps), [&](Thread&, bool, int32_t i, int64_t& steps) {
      steps += idiv<int64_t>(c, 1, s.round == 3 && i == 700 ? 0 : 1, at(12, 34, 5, 1));
    });
    s.round += 1;
    t.sync();
  }
  leave(t, saved, s, 0);
}
void fault_in_a_loop() {
  driver::TestGraph graph = driver::grid(3, 3);
  driver::Call call(graph, 0);
  Context c(&call.args);
  Csr g;
  c.view(g, call.graph);
  State s{0};
  do c.run_outlined(endless_kernel, irgl::all_blocks, s, g);
  while (s.at != 0 && !c.halted());
  c.wrote_scalars();
  CHECK(c.halted() && s.round <= 5, "%d", s.round);
  CHECK(c.read().steps >= 4 * 900 - 1, "%ld", long(c.read().steps));
  CHECK(c.finish(&call.args) == 1 && call.fault[0] == IRGL_FAULT_DIVISION, "%ld", long(call.fault[0]));
  CHECK(call.fault[1] == 12 && call.fault[2] == 34 && call.fault[3] == 1 && call.fault[4] == 5, "%ld", long(call.fault[1]));
}
void interrupt() {
  driver::TestGraph graph = driver::grid(3, 3);
  driver::Call call(graph, 0);
  Context c(&call.args);
  CHECK(!c.halted(), "%d", 0);
  call.stop = 1;
  CHECK(c.halted(), "%d", 1);
  CHECK(c.finish(&call.args) == 1 && call.fault[0] == IRGL_FAULT_STOPPED, "%ld", long(call.fault[0]));
}
__global__ void flood_kernel(Dev c, ListView<int32_t> l) {
  Thread t(c);
  for_each<One>(t, range<int32_t>(0, 300), [&](Thread& t, bool, int32_t i) { l.push(t, i); });
}
void flood() {  // a kernel for which nobody provided space: never out of bounds, and told
  driver::TestGraph graph = driver::grid(3, 3);
  driver::Call call(graph, 10);
  Context c(&call.args);
  {
    irgl::list<int32_t> l(c, 1);
    c.launch(flood_kernel, 300, c.device(), l.view());
    CHECK(l.size(c) == 300 && c.halted(), "%ld", long(l.size(c)));
  }
  CHECK(c.finish(&call.args) == 1 && call.fault[0] == IRGL_FAULT_MEMORY, "%ld", long(call.fault[0]));
}
void elements() {
  driver::TestGraph graph = driver::grid(10, 10);
  driver::Call call(graph, 0);
  std::vector<int32_t> level(100), ours(100);
  Context c(&call.args);
  Csr g;
  c.view(g, call.graph);
  int32_t* x = c.property<int32_t>(level.data(), 100);
  bool* flags = c.property<bool>(nullptr, 100);
  c.fill(x, 100, 5), c.fill(flags, 100, true);
  int64_t sum = 0;
  for (int k = 0; k < 100; ++k) {  // one by one at first, then from a copy; a write goes to both
    element(c, x, k) += k;
    sum += *element(c, x, k) + *element(c, flags, k);
  }
  element(c, flags, 7) = false;
  CHECK(sum == 100 * 5 + 4950 + 100 && !*element(c, flags, 7), "%ld", long(sum));
  CHECK(irgl::degree(c.host(g).out(), 0) == 2 && source(c.host(g), 0) == 0, "%d", irgl::degree(c.host(g).out(), 0));
  CHECK(g.max_degree == 4, "%d", g.max_degree);
  const int64_t outside = *element(c, x, 99);
  CHECK(outside == 104 && !c.halted(), "%ld", long(outside));
  CHECK(c.finish(&call.args) == 0 && call.stats[IRGL_STAT_TRANSFERS] < 400, "%ld", long(call.stats[IRGL_STAT_TRANSFERS]));
  for (int k = 0; k < 100; ++k) CHECK(level[size_t(k)] == 5 + k, "%d", level[size_t(k)]);
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  unit::fault_in_a_loop();
  unit::interrupt();
  unit::flood();
  unit::elements();
  return driver::end();
}
