// The next random number from the one before: x * a + c, modulo m.
#pragma once
#include <iostream>

#include "../detail/config.h"

namespace thrust {

namespace random {
template <class UInt, UInt A, UInt C, UInt M>
class linear_congruential_engine {
  using wide = unsigned long long;
  UInt x_;

 public:
  using result_type = UInt;
  static constexpr result_type multiplier = A, increment = C, modulus = M;
  static constexpr result_type min = C == 0 ? 1 : 0, max = M - 1, default_seed = 1;

  IRGL_EMU_MEMBER explicit linear_congruential_engine(result_type s = default_seed) { seed(s); }
  IRGL_EMU_MEMBER void seed(result_type s = default_seed) { x_ = C % M == 0 && s % M == 0 ? 1 : s % M; }
  IRGL_EMU_MEMBER result_type operator()() {
    x_ = static_cast<UInt>((static_cast<wide>(x_) * A + C) % M);
    return x_;
  }
  IRGL_EMU_MEMBER void discard(wide n) {
    wide a = A, c = C, x = x_;
    for (; n > 0; n /= 2) {  // twice as many steps at a time
      if (n % 2 != 0) x = (x * a + c) % M;
      c = (c * a + c) % M;
      a = a * a % M;
    }
    x_ = static_cast<UInt>(x);
  }
  IRGL_EMU_MEMBER friend bool operator==(const linear_congruential_engine& a, const linear_congruential_engine& b) {
    return a.x_ == b.x_;
  }
  IRGL_EMU_MEMBER friend bool operator!=(const linear_congruential_engine& a, const linear_congruential_engine& b) {
    return a.x_ != b.x_;
  }
};
using minstd_rand0 = linear_congruential_engine<unsigned, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<unsigned, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;
}  // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;

}  // namespace thrust
