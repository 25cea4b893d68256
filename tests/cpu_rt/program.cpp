// A stand-alone program over main.hpp: one node property, one scalar, weights, a fault when asked for.
#include "irgl.hpp"
#include "main.hpp"

int main(int argc, char** argv) try {
  irgl::Main m(argc, argv);
  irgl::UnitRuntime c(m.threads());
  irgl::GraphFile file(c, m.graph_path());
  file.need_transpose(c);
  const irgl::node_t src = m.node(file, "src", 0);
  const int64_t divisor = m.number<int64_t>("divisor", 1);
  m.check_options();
  irgl::Array<int32_t> weight = file.weights<int32_t>(c);
  irgl::Array<int32_t> heaviest(size_t(file.csr.n));
  int32_t* const out = heaviest.data();
  const irgl::Csr g = file.csr;
  int64_t quotient = 0, stats[IRGL_STATS] = {}, fault[IRGL_FAULTS] = {};
  irgl_run_args args{};
  args.stats = stats;
  args.fault = fault;
  const char* sources[] = {"program"};
  if (!m.repeat([&] {
    irgl::for_each(c, irgl::nodes(g), [=, &weight](irgl::Thread&, auto&, irgl::node_t v) {
      out[v] = irgl::highest<int32_t>();
      for (irgl::edge_t p : irgl::edges(g.in(), v)) {
        const int32_t w = weight[size_t(irgl::id(g.in(), p))];
        if (out[v] == irgl::highest<int32_t>() || w > out[v]) out[v] = w;
      }
    });
    quotient = irgl::idiv<int64_t>(c, 100, divisor, irgl::at(42, 7, 3));
    return irgl::finish(c, &args);
  }))
    return m.failed(fault, sources);
  m.scalar("source", file.to_file_id(src));
  m.scalar("quotient", quotient);
  m.property("heaviest", heaviest.size(), irgl::Main::below_inf, [&](size_t i) { return heaviest[i]; });
  m.counters(stats);
  return 0;
} catch (const std::bad_alloc&) {
  return irgl::Main::out_of_memory();
}
