// Makes cr2 of rows (irgl/forms/cr2.py): the lengths of pieces from the longest to the shortest, edges in their order.
#pragma once
#include "../types.hpp"

extern "C" void irgl_make_cr2(int64_t n, int64_t bits, int64_t clusters, const irgl::edge_t* row, const irgl::node_t* cols,
                              const int64_t* first, const int64_t* begins, const int64_t* starts, const int64_t* pointed,
                              void* near_here, void* far_here, irgl::node_t* near_across, irgl::node_t* far_across,
                              uint32_t* pointers, irgl::edge_t* edge) {
  using namespace irgl;
  constexpr int64_t lengths = 6;
  auto put = [&](int64_t kind, void* here, node_t* across, int64_t at, int64_t node) {
    if (kind != 0) across[at] = node_t(node);
    else if (bits == 8) static_cast<uint8_t*>(here)[at] = uint8_t(node);
    else static_cast<uint16_t*>(here)[at] = uint16_t(node);
  };
#pragma omp parallel for schedule(dynamic, 1024)
  for (int64_t v = 0; v < n; ++v) {
    uint32_t* pointer = pointed == nullptr ? nullptr : pointers + pointed[v];
    for (int64_t kind = 0; kind < 2; ++kind) {
      const int64_t *piece = begins + kind * 2 * (lengths + 1), *place = piece + lengths + 1;
      edge_t e = row[v];
      for (int64_t d = lengths - 1; d >= 0; --d) {
        const int64_t* of = first + (kind * lengths + d) * (n + 1) + v;
        for (int64_t p = of[0]; p < of[1]; ++p) {
          put(kind, near_here, near_across, piece[d] + p, v);
          for (int64_t at = place[d] + (p << d), end = at + (int64_t(1) << d); at < end; ++at, ++e) {
            while ((cols[e] >> bits == v >> bits) != (kind == 0)) ++e;
            put(kind, far_here, far_across, at, cols[e]);
            edge[at + (kind == 0 ? 0 : begins[2 * lengths + 1])] = e;
          }
          if (pointer == nullptr) continue;
          const int64_t number = kind == 0 ? p - starts[d * (clusters + 1) + (v >> bits)] : p;
          *pointer++ = uint32_t(kind << 31 | d << 28 | number);
        }
      }
    }
  }
}
