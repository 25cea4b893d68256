// Makes blocks of rows (irgl/forms/blocks.py): two counting sorts, by tile over a part and by far end inside a block.
#pragma once
#include <vector>

#include "../in_turns.hpp"

namespace irgl {
namespace blocks_ {

// A block's words by their low `bits`, stable, by eights of bits; `edge` goes along, where it is not null.
inline void by_column(uint32_t* words, edge_t* edge, size_t count, int bits, std::vector<uint32_t>& w, std::vector<edge_t>& e) {
  if (count < 2) return;
  w.resize(count), e.resize(edge == nullptr ? 0 : count);
  uint32_t *from = words, *to = w.data();
  edge_t *from_e = edge, *to_e = e.data();
  for (int shift = 0; shift < bits; shift += 8) {
    size_t start[257] = {};
    for (size_t i = 0; i < count; ++i) ++start[(from[i] >> shift & 255) + 1];
    for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
    for (size_t i = 0; i < count; ++i) {
      const size_t at = start[from[i] >> shift & 255]++;
      to[at] = from[i];
      if (edge != nullptr) to_e[at] = from_e[i];
    }
    std::swap(from, to), std::swap(from_e, to_e);
  }
  if (from == words) return;
  memcpy(words, from, count * sizeof *words);
  if (edge != nullptr) memcpy(edge, from_e, count * sizeof *edge);
}

// Calls f(row, first, count) for each stretch of one row among words by row.
template <class F>
void runs(const uint32_t* words, size_t count, int tile, F&& f) {
  for (size_t i = 0; i < count;) {
    const uint32_t row = words[i] >> tile;
    size_t end = i + 1;
    while (end < count && end - i < 65535 && words[end] >> tile == row) ++end;
    f(row, i, end - i);
    i = end;
  }
}

}  // namespace blocks_
}  // namespace irgl

// How many edges each part has in each tile.
extern "C" void irgl_count_blocks(int64_t parts, int64_t tiles, int64_t tile, const irgl::edge_t* row, const irgl::node_t* cols,
                                  const irgl::edge_t* first, irgl::edge_t* held) {
  irgl::in_turns(parts, [=](int64_t p) {
    for (irgl::edge_t e = row[first[p]]; e < row[first[p + 1]]; ++e) ++held[p * tiles + (cols[e] >> tile)];
  });
}

extern "C" void irgl_make_blocks(int64_t parts, int64_t tiles, int64_t tile, int64_t columns, const irgl::edge_t* row,
                                 const irgl::node_t* cols, const irgl::edge_t* first, const irgl::edge_t* blocks,
                                 const irgl::node_t* tile_of, const irgl::edge_t* begin, uint32_t* words,
                                 irgl::edge_t* edge) {
  using namespace irgl;
  in_turns(parts, [=](int64_t p) {
    std::vector<edge_t> next(static_cast<size_t>(tiles)), e;
    std::vector<uint32_t> w;
    for (edge_t b = blocks[p]; b < blocks[p + 1]; ++b) next[size_t(tile_of[b])] = begin[b];
    for (edge_t v = first[p]; v < first[p + 1]; ++v)
      for (edge_t i = row[v]; i < row[v + 1]; ++i) {
        const edge_t at = next[size_t(cols[i] >> tile)]++;
        words[at] = uint32_t(v - first[p]) << tile | uint32_t(cols[i] & ((node_t(1) << tile) - 1));
        if (edge != nullptr) edge[at] = i;
      }
    for (edge_t b = blocks[p]; columns != 0 && b < blocks[p + 1]; ++b)
      blocks_::by_column(words + begin[b], edge == nullptr ? edge : edge + begin[b], size_t(begin[b + 1] - begin[b]), int(tile), w, e);
  });
}

// Where each block of runs begins: `places` gets the halves of block b at b + 1.
extern "C" void irgl_count_runs(int64_t count, int64_t tile, const irgl::edge_t* begin, const uint32_t* words,
                                irgl::edge_t* places) {
  irgl::in_turns(count, [=](int64_t b) {
    irgl::blocks_::runs(words + begin[b], size_t(begin[b + 1] - begin[b]), int(tile),
                        [&](uint32_t, size_t, size_t many) { places[b + 1] += irgl::edge_t(many + 2); });
  });
}

extern "C" void irgl_make_runs(int64_t count, int64_t tile, const irgl::edge_t* begin, const uint32_t* words,
                               const irgl::edge_t* places, uint16_t* halves) {
  irgl::in_turns(count, [=](int64_t b) {
    uint16_t* out = halves + places[b];
    const uint32_t* in = words + begin[b];
    irgl::blocks_::runs(in, size_t(begin[b + 1] - begin[b]), int(tile), [&](uint32_t row, size_t at, size_t many) {
      *out++ = uint16_t(row), *out++ = uint16_t(many);
      for (size_t i = at; i < at + many; ++i) *out++ = uint16_t(in[i] & ((1u << tile) - 1));
    });
  });
}
