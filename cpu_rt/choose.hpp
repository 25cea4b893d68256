// Which of several variants of a program runs: the figures of its first graph that rules speak of. A unit with variants
// reads, for instance:
//     const irgl::Figures f = irgl::figures<irgl::edge_t>(*args);
//     if (f.dispersion > 2 && f.max_degree > 8 * f.mean_degree) { ... }
// The same figures as in irgl/tune/inputs/features.py, summed in the order of the nodes, so that the choice never varies.
#pragma once
#include <stdlib.h>

#include "abi.hpp"

namespace irgl {

struct Figures {
  double nodes = 0, edges = 0, mean_degree = 0, max_degree = 0;
  double dispersion = 0;  // the variance of the out-degrees, divided by their mean
};

// One look at the offsets: about as long as giving one property its first values.
template <class Offset>
Figures figures(const irgl_run_args& args) {
  Figures f;
  if (args.num_graphs == 0 || args.graphs[0].nodes == 0) return f;
  const irgl_graph& g = args.graphs[0];
  const Offset* row = static_cast<const Offset*>(g.row);
  Offset* over = nullptr;
  if ((g.flags & IRGL_GRAPH_ON_DEVICE) != 0) {
    over = static_cast<Offset*>(calloc(size_t(g.nodes) + 1, sizeof(Offset)));
#ifdef IRGL_DEVICE  // a unit for CUDA
    const size_t bytes = (size_t(g.nodes) + 1) * sizeof(Offset);
    if (over != nullptr && cudaMemcpy(over, row, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) cudaGetLastError();
#endif
    if (over == nullptr) return f;
    row = over;
  }
  double squares = 0;
  for (int64_t v = 0; v < g.nodes; ++v) {
    const double degree = double(row[v + 1] - row[v]);
    if (degree > f.max_degree) f.max_degree = degree;
    squares += degree * degree;
  }
  free(over);
  f.nodes = double(g.nodes), f.edges = double(g.edges);
  f.mean_degree = f.edges / f.nodes;
  const double variance = squares / f.nodes - f.mean_degree * f.mean_degree;
  if (f.edges > 0 && variance > 0) f.dispersion = variance / f.mean_degree;
  return f;
}

}  // namespace irgl
