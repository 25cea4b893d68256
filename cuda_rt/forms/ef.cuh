// ef: Elias-Fano rows (irgl/forms/ef.py). A reader goes on behind the one of its last edge, or at the first one of the
// stretch of 64 edges that its edge is in.
#pragma once
#include "coded.cuh"

namespace irgl {
namespace forms {

struct ef : coded {
  static constexpr edge_t stretch = 64;
  static constexpr unsigned low_bits = 5;
  unsigned id_bits = 0;
  size_t ahead = 0;
  ef() = default;
  ef(const irgl_form& f, const Rows& r)
      : coded(f, r), id_bits(unsigned(f.numbers[0])), ahead(size_t(f.numbers[1])) {}

  static IRGL_DEVICE uint32_t below(unsigned bits) { return bits < 32 ? (uint32_t(1) << bits) - 1 : ~uint32_t(0); }

  struct Reader {
    edge_t next = 0;     // the edge whose one is met next; 0: no row was begun
    uint32_t bits = 0;   // where that is looked for, behind the low bits
    uint32_t first = 0;  // far end
    unsigned low = 0;    // bits of each edge behind the first
    edge_t codes = 0;    // where these begin, in bytes

    IRGL_DEVICE Placed at(const ef& f, const Row& row, size_t k) {
      const edge_t wanted = edge_t(k);
      if (next == 0) begin(f, row);
      if (k == 0) return {row.at(0), node_t(first)};
      if (wanted < next || wanted / stretch != next / stretch) restart(f, row, wanted / stretch);
      uint32_t one = found(f, row);
      while (next++ < wanted) one = found(f, row);
      const uint32_t rest = f.bits_at(uint64_t(codes) * 8 + uint64_t(low) * (k - 1)) & below(low);
      return {row.at(k), node_t(first + ((one - uint32_t(k - 1)) << low | rest))};
    }

   private:
    IRGL_DEVICE static edge_t samples(const Row& row) { return edge_t((row.size() - 1) / stretch * 4); }  // bytes
    IRGL_DEVICE void begin(const ef& f, const Row& row) {
      const edge_t own = f.codes_of(row);
      const uint64_t bit = uint64_t(own) * 8;
      first = f.bits_at(bit) & below(f.id_bits);
      low = f.bits_at(bit + f.id_bits) & below(low_bits);
      codes = own + edge_t(f.ahead) + samples(row);
      next = 1;
    }
    IRGL_DEVICE void restart(const ef& f, const Row& row, edge_t which) {
      bits = which == 0 ? 0 : f.bits_at(uint64_t(codes - samples(row) + 4 * (which - 1)) * 8);
      next = which == 0 ? 1 : which * stretch;
    }
    IRGL_DEVICE uint32_t found(const ef& f, const Row& row) {
      const uint64_t begin = uint64_t(codes) * 8 + uint64_t(low) * (row.size() - 1);
      uint32_t word = f.bits_at(begin + bits);
      while (word == 0) word = f.bits_at(begin + (bits += 32));
      bits += unsigned(__ffs(int(word)));
      return bits - 1;
    }
  };
};

}  // namespace forms
}  // namespace irgl
