// A stand-alone program over main.hpp: one node property, one scalar, weights, a fault when asked for.
#include "irgl.hpp"
#include "main.hpp"

int main(int argc, char** argv) {
  irgl::Main m(argc, argv);
  irgl::Runtime c(m.threads());
  m.limits(c);
  irgl::GraphFile file(c, m.graph_path());
  file.need_transpose(c);
  const irgl::node_t src = m.node(file, "src");
  const int64_t divisor = m.integer("divisor", 1);
  m.check_options();
  irgl::Array<int32_t> weight = file.weights<int32_t>(c);
  irgl::Array<int32_t> heaviest(size_t(file.csr.n));
  int32_t* const out = heaviest.data();
  const irgl::Csr g = file.csr;
  m.repeat([&] {
    irgl::for_each(c, irgl::nodes(g), [=, &weight](irgl::Thread&, auto&, irgl::node_t v) {
      out[v] = irgl::highest<int32_t>();
      for (irgl::edge_t p : irgl::in_edges(g, v)) {
        const int32_t w = weight[size_t(g.in_edge(p))];
        if (out[v] == irgl::highest<int32_t>() || w > out[v]) out[v] = w;
      }
    });
  });
  m.scalar("source", file.to_file_id(src));
  m.scalar("quotient", irgl::idiv<int64_t>(c, 100, divisor, 42));
  m.property("heaviest", heaviest.data(), heaviest.size());
  return m.finish(c);
}
