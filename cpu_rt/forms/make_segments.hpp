// Cuts the edges of parts by segments of their far ends (irgl/forms/segments.py): a counting sort in each part, stable.
#pragma once
#include <vector>

#include "../in_turns.hpp"

namespace irgl {
namespace segments_ {

// v / nodes. Of ids below 2^31 by one multiplication: T. Granlund and P. L. Montgomery, Division by invariant integers
// using multiplication, PLDI 1994.
struct By {
  uint64_t nodes, factor = 0;
  int shift = 31;
  explicit By(int64_t n) : nodes(uint64_t(n)) {
    if constexpr (sizeof(node_t) != 4) return;
    if (nodes >> 31 != 0) nodes = uint64_t(1) << 31;  // more than there are
    while (uint64_t(1) << (shift - 31) < nodes) ++shift;
    factor = ((uint64_t(1) << shift) + nodes - 1) / nodes;
  }
  size_t operator()(node_t v) const {
    return size_t(sizeof(node_t) == 4 ? uint64_t(v) * factor >> shift : uint64_t(v) / nodes);
  }
};

}  // namespace segments_
}  // namespace irgl

// How many edges each part has in each segment: `begin` gets those of segment s of part p at p * segments + s + 1.
extern "C" void irgl_count_segments(int64_t parts, int64_t segments, int64_t nodes, const irgl::edge_t* row,
                                    const irgl::node_t* cols, const irgl::edge_t* first, irgl::edge_t* begin) {
  using namespace irgl;
  const segments_::By by(nodes);
  in_turns(parts, [=](int64_t p) {
    constexpr int tables = 4;  // so that an edge needn't wait for the one before it to be counted in the same segment
    std::vector<edge_t> held(size_t(segments) * tables);
    for (edge_t e = row[first[p]], end = row[first[p + 1]]; e < end; ++e) ++held[by(cols[e]) * tables + size_t(e) % tables];
    for (int64_t s = 0; s < segments; ++s)
      for (int k = 0; k < tables; ++k) begin[p * segments + s + 1] += held[size_t(s * tables + k)];
  });
}

extern "C" void irgl_make_segments(int64_t parts, int64_t segments, int64_t nodes, const irgl::edge_t* row,
                                   const irgl::node_t* cols, const irgl::edge_t* first, const irgl::edge_t* begin,
                                   irgl::node_t* near, irgl::node_t* far, irgl::edge_t* edge) {  // edge: may be null
  using namespace irgl;
  const segments_::By by(nodes);
  in_turns(parts, [=](int64_t p) {
    std::vector<int64_t> next(begin + p * segments, begin + (p + 1) * segments);  // as wide as addresses: no widening
    for (edge_t v = first[p]; v < first[p + 1]; ++v)
      for (edge_t e = row[v]; e < row[v + 1]; ++e) {
        const node_t c = cols[e];
        const int64_t at = next[by(c)]++;
        near[at] = node_t(v), far[at] = c;
        if (edge != nullptr) edge[at] = e;
      }
  });
}
