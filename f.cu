// Program p, from /tmp/f.irgl, made by irgl 0.1.0.
// Plan: np=tb+wp+fg direction=written frontier=list cc=auto outline=all unroll=1 blocks=auto retry=plain block=256 bounds=off regs=off format=csr order=given
#define IRGL_BLOCK 256
#include "cuda_rt/unit.cuh"

namespace unit {

using irgl::edge_t;
using irgl::node_t;

struct Graph : irgl::Csr {
  float* x = nullptr;
};

struct Scalars : irgl::Shared {
  float s = -1.25;
  double d = 0.0;
};

using Context = irgl::HostRuntime<Scalars>;
using Device = irgl::Device<Scalars>;

// Every property gets its declared first value.
static void initialise(Context& c, const Graph& _g) {
  c.fill(_g.x, size_t(_g.n), float(-0.1));
}

// Kernel k of line 3: what each thread of the grid does.
__device__ void k(irgl::Thread& t, const Device& c, Graph g) {
#line 3 "/tmp/f.irgl"
  irgl::for_each<irgl::One>(t, irgl::nodes(g), irgl::min_of<irgl::Block>(c.globals->s),
                            irgl::sum<irgl::Block>(c.globals->d),
                            [&](irgl::Thread& t, bool, node_t n, float& s, double& d) {
    const float t_ = -0.1;
    g.x[n] = -0.1;
    irgl::plain_min(s, float(-2.7));
    d += double(t_);
  });
}

__global__ void __launch_bounds__(irgl::block_size) k_kernel(Device c, Graph g) {
  irgl::Thread t(c);
  k(t, c, g);
}

static void k(Context& c, Graph g) {
  c.launch(k_kernel, irgl::nodes(g).size(), c.device(), g);
  c.wrote(g.x);
  c.wrote_scalars();
}

static void program(Context& c, Graph g) {
#line 4 "/tmp/f.irgl"
  const float u = -0.1;
  k(c, g);
  c.write().d += u;
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args* args) {
  using namespace unit;
  Context c(args);
  Graph g;
  c.view(g, args->graphs[0]);
  g.x = c.property<float>(args->graphs[0], 0, size_t(g.n));
  c.start_clock();
  initialise(c, g);
  program(c, g);
  c.stop_clock(args);
  *static_cast<float*>(args->globals[0]) = c.read().s;
  *static_cast<double*>(args->globals[1]) = c.read().d;
  return c.finish(args);
}

// The stand-alone program: ./PROGRAM GRAPH.irglg [--NAME VALUE]... [--threads N] [--repeat K]
#include "cuda_rt/own_process.cuh"
#define irgl irgl_host
#include "cpu_rt/main.hpp"
#undef irgl

int main(int _argc, char** _argv) try {
  using namespace unit;
  irgl::own_process();
  irgl_host::Main _m(_argc, _argv);
  irgl_host::UnitRuntime c(_m.threads());

  irgl_host::GraphFile _g_file(c, _m.graph_path());
  irgl_host::Csr g = _g_file.csr;
  irgl_host::Array<float> _x_of_0(size_t(g.n));
  void* _g_properties[] = { _x_of_0.data(), nullptr};

  ::irgl_graph _graphs[] = {
      irgl_host::argument(g, _g_properties),
  };
  _m.check_options();
  void* _params[] = { nullptr};
  float _s_result{};
  double _d_result{};
  void* _globals[] = { &_s_result, &_d_result, nullptr};
  int64_t _stats[IRGL_STATS] = {}, _fault[IRGL_FAULTS] = {};
  ::irgl_run_args _args{ 1, _graphs, _params, _globals, c.threads(), int64_t(_m.capacity()), 0, 0, 0, 0, 0, _stats, _fault, nullptr, nullptr, nullptr};
  const char* _sources[] = { "/tmp/f.irgl", nullptr};
  if (c.faulted() != 0) irgl_host::finish(c, &_args);  // in the default of a parameter
  if (_fault[0] != 0 || !_m.repeat([&] { return irgl_run(&_args); })) return _m.failed(_fault, _sources);
  _m.scalar("s", _s_result);
  _m.scalar("d", _d_result);
  _m.property("x", _x_of_0.size(), irgl_host::Main::all, [&](size_t _i) { return _x_of_0[_i]; });
  _m.counters(_stats);
  return 0;
} catch (const std::bad_alloc&) {
  return irgl_host::Main::out_of_memory();
}
