// Shortest paths in bands: respawned items within an invocation, pushes for the next, a list per round; on the host and as
// one outlined loop, which must agree with a plain search.
#include "cuda_rt/unit.cuh"

namespace unit {

using irgl::edge_t;
using irgl::node_t;

struct Graph : irgl::Csr {
  int32_t* far = nullptr;
  int32_t* seen_in = nullptr;
  int32_t* cost = nullptr;
};
struct Scalars {
  int64_t reached = 0;
  int32_t nearest = irgl::highest<int32_t>();
};
using Context = irgl::HostRuntime<Scalars>;
using Device = irgl::Device<Scalars>;
using PipeView = irgl::PipeView<irgl::list<node_t>, true>;

__device__ void relax(irgl::Thread& t, const Device&, Graph g, int64_t limit, PipeView& wl) {
  irgl::for_each<irgl::Block>(t, irgl::by_degree(g.out(), wl.items()), [&](irgl::Thread& t, bool valid, node_t n) {
    const int32_t here = valid ? irgl::load(g.far[n]) : 0;
    const bool late = valid && here > limit;
    wl.push_block(t, late, n);
    irgl::nested<irgl::WP | irgl::FG, irgl::Warp>(t, valid && !late, irgl::edges(g.out(), n), irgl::closure(here),
                                                  [&](irgl::Thread& t, bool valid, edge_t e, int32_t here) {
      bool again = false, push = false;
      node_t item = 0;
      if (valid) {
        const int32_t there = here + g.cost[e];
        item = irgl::other(g.out(), e);
        if (there < irgl::load(g.far[item]) && irgl::atomic_min(g.far[item], there).changed) {
          if (there <= limit) again = true;
          else push = true;
        }
      }
      wl.respawn_warp(t, again, item);
      wl.push_warp(t, push, item);
    });
  });
}
__device__ void sift(irgl::Thread& t, const Device& c, Graph g, int64_t limit, int32_t round, PipeView& wl) {
  irgl::for_each<irgl::Warp>(t, wl.items(), irgl::min_of<irgl::Warp>(c.globals->nearest),
                             [&](irgl::Thread& t, bool valid, node_t n, int32_t& nearest) {
    bool push = false;
    if (valid) {
      const int32_t here = g.far[n];
      if (here > limit && irgl::load(g.seen_in[n]) < round && irgl::atomic_max(g.seen_in[n], round).changed) {
        irgl::plain_min(nearest, here);
        push = true;
      }
    }
    wl.push_warp(t, push, n);
  });
}
__global__ void relax_kernel(Device c, Graph g, int64_t limit, PipeView wl) {
  irgl::Thread t(c);
  relax(t, c, g, limit, wl);
}
__global__ void sift_kernel(Device c, Graph g, int64_t limit, int32_t round, PipeView wl) {
  irgl::Thread t(c);
  sift(t, c, g, limit, round, wl);
}
__global__ void survey_kernel(Device c, Graph g) {
  irgl::Thread t(c);
  irgl::for_each<irgl::One>(t, irgl::nodes(g), irgl::sum<irgl::Block>(c.globals->reached),
                            [&](irgl::Thread&, bool, node_t n, int64_t& reached) {
    reached += g.far[n] != irgl::highest<int32_t>();
  });
}

struct loop_state {
  int64_t limit;
  int32_t round;
  PipeView wl;
  int at = 0;
};
__global__ void __launch_bounds__(irgl::block_size) loop_kernel(Device c, Graph g, loop_state* saved) {
  irgl::Thread t(c);
  loop_state s = *saved;
  switch (s.at) {
    case 0:
      while (!s.wl.empty(t)) {
        if (t.halted) break;
        do {
    case 1:
          if (!s.wl.fits(t, irgl::bound{1, 1}, irgl::by_degree(g.out(), s.wl.items()))) return irgl::leave(t, saved, s, 1);
          relax(t, c, g, s.limit, s.wl);
        } while (s.wl.more(t));
        s.wl.advance(t);
        s.round += 1;
        if (t.first()) c.globals->nearest = irgl::highest<int32_t>();
        t.sync();
    case 2:
        if (!s.wl.fits(t, irgl::bound{1, 0}, s.wl.items())) return irgl::leave(t, saved, s, 2);
        sift(t, c, g, s.limit, s.round, s.wl);
        s.wl.advance(t);
        s.limit = irgl::max<int64_t>(s.limit, c.globals->nearest) + 4;
        ++t.rounds;
      }
  }
  irgl::leave(t, saved, s, 0);
}

static void on_host(Context& c, Graph g, irgl::Pipe<irgl::list<node_t>, true>& wl) {
  int64_t limit = 4;
  int32_t round = 0;
  while (!wl.empty(c)) {
    if (c.halted()) return;
    do {
      wl.reserve_for(c, irgl::bound{1, 1}, irgl::by_degree(g.out(), wl.items(c)));
      c.launch(relax_kernel, size_t(wl.size(c)), c.device(), g, limit, wl.view());
      c.wrote(g.far);
    } while (wl.more(c));
    ++c.rounds;
    wl.advance(c);
    round += 1;
    c.write().nearest = irgl::highest<int32_t>();
    wl.reserve_for(c, irgl::bound{1, 0}, wl.items(c));
    c.launch(sift_kernel, size_t(wl.size(c)), c.device(), g, limit, round, wl.view());
    c.wrote(g.seen_in);
    c.wrote_scalars();
    wl.advance(c);
    limit = irgl::max<int64_t>(limit, c.read().nearest) + 4;
  }
}
static void outlined(Context& c, Graph g, irgl::Pipe<irgl::list<node_t>, true>& wl) {
  loop_state s{4, 0, wl.view()};
  do {
    s.wl = wl.view();
    c.run_outlined(loop_kernel, irgl::all_blocks, s, g);
    wl.adopt(c, s.wl);
  } while (s.at != 0 && !c.halted());
  c.wrote(g.far);
  c.wrote(g.seen_in);
  c.wrote_scalars();
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args* args) {
  using namespace unit;
  Context c(args);
  Graph g;
  c.view(g, args->graphs[0]);
  g.far = c.property<int32_t>(args->graphs[0].properties[0], size_t(g.n));
  g.seen_in = c.property<int32_t>(args->graphs[0].properties[1], size_t(g.n));
  g.cost = c.weights<int32_t>(args->graphs[0].properties[2], size_t(g.m));
  c.fill(g.far, size_t(g.n), irgl::highest<int32_t>());
  c.fill(g.seen_in, size_t(g.n), 0);
  const node_t src = irgl::param<node_t>(args, 0);
  if (src >= 0) {
    irgl::element(c, g.far, src) = 0;
    irgl::Pipe<irgl::list<node_t>, true> wl(c, 1);
    wl.in_push(c, src);
    if (irgl::param<bool>(args, 1)) outlined(c, g, wl);
    else on_host(c, g, wl);
    c.launch(survey_kernel, irgl::nodes(g).size(), c.device(), g);
    c.wrote_scalars();
  }
  *static_cast<int64_t*>(args->globals[0]) = c.read().reached;
  return c.finish(args);
}

#include "driver.hpp"

int main() {
  for (const driver::TestGraph& graph : driver::graphs())
    for (const bool as_one : {false, true})
      for (const int64_t capacity : {0, 1}) {
        const size_t n = size_t(graph.n());
        const int32_t inf = 2147483647;
        std::vector<int32_t> far(n), seen(n), want(n, inf), cost(graph.weight);
        if (n != 0) want[0] = 0;
        for (bool changed = true; changed;) {
          changed = false;
          for (size_t v = 0; v < n; ++v)
            for (size_t e = size_t(graph.row[v]); want[v] != inf && e < size_t(graph.row[v + 1]); ++e)
              if (want[v] + cost[e] < want[size_t(graph.cols[e])])
                want[size_t(graph.cols[e])] = want[v] + cost[e], changed = true;
        }
        int64_t reached = -1, count = 0;
        int32_t src = n != 0 ? 0 : -1;
        bool outlined = as_one;
        driver::Call call(graph, capacity);
        call.properties = {far.data(), seen.data(), cost.data()}, call.params = {&src, &outlined}, call.globals = {&reached};
        CHECK(call.run() == 0, "%s", graph.name);
        for (size_t v = 0; v < n; ++v) {
          CHECK(far[v] == want[v], "%s %d %zu: %d %d", graph.name, as_one, v, far[v], want[v]);
          count += want[v] != inf;
        }
        CHECK(reached == count, "%s %ld", graph.name, long(reached));
        CHECK(capacity != 1 || graph.m() < 100 || call.stats[IRGL_STAT_WORKLIST_GROWTHS] > 0, "%s", graph.name);
        CHECK(!as_one || graph.m() < 100 || call.stats[IRGL_STAT_GRID_BARRIERS] > 2, "%s", graph.name);
      }
  return driver::end();
}
