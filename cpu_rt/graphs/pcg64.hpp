// The random words of NumPy's PCG64: a linear congruential generator of 128 bits, its output permuted (M. O'Neill, PCG: a
// family of simple fast space-efficient statistically good algorithms for random number generation, 2014; XSL-RR 128/64).
#pragma once
#include <stdint.h>

namespace irgl {
namespace graphs {

class Pcg64 {
 public:
  using word = unsigned __int128;
  Pcg64() = default;
  // state: of NumPy's generator: the state and the increment, the lower half of each first.
  explicit Pcg64(const uint64_t* state) : state_(word(state[1]) << 64 | state[0]), step_(word(state[3]) << 64 | state[2]) {}

  uint64_t next() {
    state_ = state_ * factor + step_;
    const uint64_t high = uint64_t(state_ >> 64), x = high ^ uint64_t(state_);
    const unsigned turn = unsigned(high >> 58);
    return x >> turn | x << (-turn & 63);
  }
  // 53 bits, of which NumPy makes a double in [0, 1).
  uint64_t next53() { return next() >> 11; }
  double next_unit() { return double(next53()) * 0x1p-53; }

  // Leaves out so many words: the steps are one, squared and multiplied (F. Brown, Random number generation with arbitrary
  // strides, 1994).
  void skip(uint64_t count) {
    word factors = 1, sum = 0;
    for (word f = factor, s = step_; count != 0; count >>= 1) {
      if ((count & 1) != 0) factors *= f, sum = sum * f + s;
      s *= f + 1;
      f *= f;
    }
    state_ = factors * state_ + sum;
  }

 private:
  static constexpr word factor = word(0x2360ed051fc65da4) << 64 | 0x4385df649fccf645;
  word state_ = 0, step_ = 0;
};

}  // namespace graphs
}  // namespace irgl
