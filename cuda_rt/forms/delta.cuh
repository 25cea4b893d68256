// delta: rows in ascending order, as gaps in byte codes (irgl/forms/delta.py). A reader goes on from where it was, or
// begins anew at the stretch of 64 edges that its edge is in.
#pragma once
#include "coded.cuh"

namespace irgl {
namespace forms {

struct delta : coded {
  static constexpr size_t stretch = 64;
  bool kind = false;  // a value has 1, 2, 3 or 4 bytes, or else 0, 1, 2 or 4
  uint32_t least = 0;
  delta() = default;
  delta(const irgl_form& f, const Rows& r)
      : coded(f, r), kind(f.numbers[0] != 0), least(uint32_t(f.numbers[1])) {}

  // The bytes from some place on, which are read by words: whoever asks for one has 16 behind the last.
  struct Bytes {
    const uint32_t* ahead = nullptr;
    uint64_t window = 0;
    unsigned held = 0;  // bytes in the window
    Bytes() = default;
    IRGL_DEVICE explicit Bytes(const uint8_t* from) {
      const unsigned skipped = unsigned(reinterpret_cast<uintptr_t>(from) % 4);
      ahead = reinterpret_cast<const uint32_t*>(from - skipped);
      window = *ahead++ >> (8 * skipped);
      held = 4 - skipped;
    }
    IRGL_DEVICE uint32_t take(unsigned count) {  // a number of so many bytes
      if (held < count) window |= uint64_t(*ahead++) << (8 * held), held += 4;
      const uint32_t value = uint32_t(window & ((uint64_t(1) << (8 * count)) - 1));
      window >>= 8 * count;
      held -= count;
      return value;
    }
  };

  struct Reader {
    size_t next = ~size_t(0);  // the edge whose code comes next
    Bytes codes;
    uint32_t control = 0, last = 0;

    IRGL_DEVICE Placed at(const delta& f, const Row& row, size_t k) {
      if (k < next || k / stretch != next / stretch) restart(f, row, k / stretch);
      do step(f, uint32_t(row.near));
      while (next <= k);
      return {row.at(k), node_t(last)};
    }

   private:
    // Before the first stretch stand the distances to the others.
    IRGL_DEVICE void restart(const delta& f, const Row& row, size_t which) {
      const uint8_t* const own = f.bytes + f.codes_of(row);
      size_t from = 4 * ((row.size() - 1) / stretch);
      if (which != 0) from += Bytes(own + 4 * (which - 1)).take(4);
      codes = Bytes(own + from);
      next = which * stretch;
    }
    IRGL_DEVICE void step(const delta& f, uint32_t near) {
      if (next % 4 == 0) control = codes.take(1);
      const unsigned pair = control & 3;
      control >>= 2;
      const uint32_t value = codes.take(f.kind ? pair + unsigned(pair == 3) : pair + 1);
      const bool first = next++ % stretch == 0;
      last = first ? near + (value >> 1 ^ (0u - (value & 1))) : last + value + f.least;
    }
  };
};

}  // namespace forms
}  // namespace irgl
