#include "cuda_rt/unit.cuh"

namespace unit {

using irgl::edge_t;
using irgl::node_t;

struct Graph : irgl::Csr {
  int32_t* hops = nullptr;
};

struct Scalars {
  int64_t reached = 0;
  int32_t deepest = 0;
};

using Context = irgl::HostRuntime<Scalars>;
using Device = irgl::Device<Scalars>;

// Every property gets its declared first value.
static void initialise(Context& c, const Graph& g) {
  c.fill(g.hops, size_t(g.n), irgl::highest<int32_t>());
}

__device__ void advance_frontier(irgl::Thread& t, const Device& c, Graph g, int32_t step, irgl::PipeView<irgl::list<node_t>>& wl) {
  irgl::for_each<irgl::Block>(t, irgl::by_degree(g.out(), wl.items()), [&](irgl::Thread& t, bool valid, node_t n) {
    irgl::nested<irgl::TB | irgl::WP | irgl::FG, irgl::Block>(t, valid, irgl::edges(g.out(), n), irgl::closure(), [&](irgl::Thread& t, bool valid, edge_t e) {
      bool push_1 = false;
      node_t item_1 = 0;
      if (valid) {
        if (irgl::load(g.hops[irgl::other(g.out(), e)]) == irgl::highest<int32_t>()) {
          irgl::store(g.hops[irgl::other(g.out(), e)], step);
          push_1 = true;
          item_1 = irgl::other(g.out(), e);
        }
      }
      wl.push_block(t, push_1, item_1);
    });
  });
}

__device__ void survey_hops(irgl::Thread& t, const Device& c, Graph g) {
  irgl::for_each<irgl::One>(t, irgl::nodes(g), irgl::sum<irgl::Block>(c.globals->reached), irgl::max_of<irgl::Block>(c.globals->deepest), [&](irgl::Thread&, bool, node_t n, int64_t& reached, int32_t& deepest) {
    reached += g.hops[n] != irgl::highest<int32_t>();
    irgl::plain_max(deepest, g.hops[n] != irgl::highest<int32_t>() ? g.hops[n] : 0);
  });
}

__global__ void survey_hops_kernel(Device c, Graph g) {
  irgl::Thread t(c);
  survey_hops(t, c, g);
}

// The Iterate of line 41 runs as one kernel. What lives longer than a round:
struct iterate1_state {
  int32_t step;
  irgl::PipeView<irgl::list<node_t>> wl;
  int at = 0;
};

__global__ void __launch_bounds__(irgl::block_size) iterate1_kernel(Device c, Graph g, iterate1_state* saved) {
  irgl::Thread t(c);
  iterate1_state s = *saved;
  switch (s.at) {
    case 0:
      while (!s.wl.empty(t)) {
        if (t.halted) break;
    case 1:
        if (!s.wl.fits(t, irgl::bound{0, 1}, irgl::by_degree(g.out(), s.wl.items()))) return irgl::leave(t, saved, s, 1);
        advance_frontier(t, c, g, s.step, s.wl);
        s.wl.advance(t);
        s.step += 1;
      }
  }
  irgl::leave(t, saved, s, 0);
}

static void program(Context& c, Graph g, node_t src) {
  irgl::element(c, g.hops, src) = 0;
  int32_t step = 1;
  {
    irgl::Pipe<irgl::list<node_t>, false> wl(c, size_t(g.n));
    wl.in_push(c, src);
    iterate1_state s{step, wl.view()};
    do {
      s.wl = wl.view();
      c.run_outlined(iterate1_kernel, irgl::all_blocks, s, g);
      wl.adopt(c, s.wl);
    } while (s.at != 0 && !c.halted());
    step = s.step;
    c.wrote(g.hops);
  }
  c.launch(survey_hops_kernel, irgl::nodes(g).size(), c.device(), g);
  c.wrote_scalars();
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args* args) {
  using namespace unit;
  Context c(args);
  Graph g;
  c.view(g, args->graphs[0]);
  g.hops = c.property<int32_t>(args->graphs[0].properties[0], size_t(g.n));
  initialise(c, g);
  const node_t src = irgl::param<node_t>(args, 0);
  if (src >= 0 && true) program(c, g, src);
  *static_cast<int64_t*>(args->globals[0]) = c.read().reached;
  *static_cast<int32_t*>(args->globals[1]) = c.read().deepest;
  return c.finish(args);
}

#include "driver.hpp"

int main() {
  for (const driver::TestGraph& graph : driver::graphs())
    for (const int64_t capacity : {0, 1, 7}) {
      const size_t n = size_t(graph.n());
      const int32_t inf = 2147483647;
      std::vector<int32_t> hops(n), want(n, inf), queue;
      if (n != 0) want[0] = 0, queue.push_back(0);
      for (size_t k = 0; k < queue.size(); ++k)
        for (int32_t e = graph.row[size_t(queue[k])]; e < graph.row[size_t(queue[k]) + 1]; ++e)
          if (want[size_t(graph.cols[size_t(e)])] == inf)
            want[size_t(graph.cols[size_t(e)])] = want[size_t(queue[k])] + 1, queue.push_back(graph.cols[size_t(e)]);
      int32_t src = n != 0 ? 0 : -1, deepest = -1;
      int64_t reached = -1;
      driver::Call call(graph, capacity);
      call.properties = {hops.data()}, call.params = {&src}, call.globals = {&reached, &deepest};
      CHECK(call.run() == 0, "%s", graph.name);
      for (size_t v = 0; v < n; ++v) CHECK(hops[v] == want[v], "%s %zu: %d %d", graph.name, v, hops[v], want[v]);
      CHECK(reached == int64_t(queue.size()), "%s %ld", graph.name, long(reached));
      CHECK(deepest == (n != 0 ? want[size_t(queue.back())] : 0), "%s %d", graph.name, deepest);
      CHECK(capacity != 1 || graph.m() < 100 || call.stats[IRGL_STAT_WORKLIST_GROWTHS] > 0, "%s", graph.name);
    }
  return driver::end();
}
