// Whole random numbers of which none is more likely than another: from a to b.
#pragma once
#include <iostream>

#include <limits>

#include "uniform_real_distribution.h"

namespace thrust {

namespace random {
template <class Int = int>
class uniform_int_distribution {
 public:
  using result_type = Int;
  using param_type = pair<Int, Int>;
  IRGL_EMU_MEMBER explicit uniform_int_distribution(Int a = 0, Int b = std::numeric_limits<Int>::max())
      : range_(a, b) {}
  IRGL_EMU_MEMBER explicit uniform_int_distribution(const param_type& p) : range_(p) {}
  IRGL_EMU_MEMBER void reset() {}
  template <class Engine>
  IRGL_EMU_MEMBER Int operator()(Engine& engine) {
    return (*this)(engine, range_);
  }
  template <class Engine>
  IRGL_EMU_MEMBER Int operator()(Engine& engine, const param_type& range) {
    uniform_real_distribution<double> real(static_cast<double>(range.first), static_cast<double>(range.second) + 1);
    return static_cast<Int>(real(engine));
  }
  IRGL_EMU_MEMBER Int a() const { return range_.first; }
  IRGL_EMU_MEMBER Int b() const { return range_.second; }
  IRGL_EMU_MEMBER Int min() const { return a(); }
  IRGL_EMU_MEMBER Int max() const { return b(); }
  IRGL_EMU_MEMBER param_type param() const { return range_; }
  IRGL_EMU_MEMBER void param(const param_type& p) { range_ = p; }

 private:
  param_type range_;
};
}  // namespace random

using random::uniform_int_distribution;

}  // namespace thrust
