// Fills the places of sell from rows (irgl/forms/sell.py): node and begin tell the order of rows and where chunks begin.
#pragma once
#include "../in_turns.hpp"

extern "C" void irgl_make_sell(int64_t n, int64_t chunk, const irgl::edge_t* row, const irgl::node_t* cols,
                               const irgl::node_t* node, const irgl::edge_t* begin, irgl::node_t* far, irgl::edge_t* edge) {
  using irgl::edge_t;
  constexpr int64_t many = 256;  // chunks at a time
  const int64_t chunks = (n + chunk - 1) / chunk;
  auto fill = [=](int64_t c) {
    int64_t live = (n - c * chunk < chunk ? n - c * chunk : chunk) - 1;
    edge_t place = begin[c];
    for (edge_t i = 0;; ++i) {
      while (live >= 0 && row[node[c * chunk + live] + 1] - row[node[c * chunk + live]] <= i) --live;
      if (live < 0) break;
      for (int64_t k = 0; k <= live; ++k, ++place) {
        edge[place] = row[node[c * chunk + k]] + i;
        far[place] = cols[edge[place]];
      }
    }
  };
  irgl::in_turns((chunks + many - 1) / many, [=](int64_t turn) {
    for (int64_t c = turn * many; c < chunks && c < (turn + 1) * many; ++c) fill(c);
  });
}
