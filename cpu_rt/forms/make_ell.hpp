// Fills the places of ell from rows, and what stands behind them (irgl/forms/ell.py).
#pragma once
#include "../in_turns.hpp"

extern "C" void irgl_make_ell(int64_t n, int64_t slab, int64_t width, int64_t places, const irgl::edge_t* row,
                              const irgl::node_t* cols, const irgl::edge_t* beyond, irgl::node_t* far, irgl::edge_t* edge) {
  using irgl::edge_t;
  constexpr int64_t many = 64;  // slabs at a time
  irgl::in_turns((n + slab * many - 1) / (slab * many), [=](int64_t turn) {
    edge_t rest = edge_t(places) + beyond[turn * many];
    for (int64_t v = turn * many * slab; v < n && v < (turn + 1) * many * slab; ++v) {
      edge_t place = edge_t(v / slab * slab * width + v % slab);
      for (edge_t e = row[v]; e < row[v + 1]; ++e, place += edge_t(slab)) {
        const edge_t at = e - row[v] < width ? place : rest++;
        far[at] = cols[e], edge[at] = e;
      }
    }
  });
}
