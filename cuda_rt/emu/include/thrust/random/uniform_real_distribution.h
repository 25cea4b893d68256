// Random numbers of which none is more likely than another: from a up to, but not including, b.
#pragma once
#include <iostream>

#include "../pair.h"

namespace thrust {

namespace random {
template <class Real = double>
class uniform_real_distribution {
 public:
  using result_type = Real;
  using param_type = pair<Real, Real>;
  IRGL_EMU_MEMBER explicit uniform_real_distribution(Real a = 0, Real b = 1) : range_(a, b) {}
  IRGL_EMU_MEMBER explicit uniform_real_distribution(const param_type& p) : range_(p) {}
  IRGL_EMU_MEMBER void reset() {}
  template <class Engine>
  IRGL_EMU_MEMBER Real operator()(Engine& engine) {
    return (*this)(engine, range_);
  }
  template <class Engine>
  IRGL_EMU_MEMBER Real operator()(Engine& engine, const param_type& range) {
    const Real all = Real(1) + static_cast<Real>(Engine::max - Engine::min);
    const Real part = static_cast<Real>(engine() - Engine::min) / all;
    return part * (range.second - range.first) + range.first;
  }
  IRGL_EMU_MEMBER Real a() const { return range_.first; }
  IRGL_EMU_MEMBER Real b() const { return range_.second; }
  IRGL_EMU_MEMBER Real min() const { return a(); }
  IRGL_EMU_MEMBER Real max() const { return b(); }
  IRGL_EMU_MEMBER param_type param() const { return range_; }
  IRGL_EMU_MEMBER void param(const param_type& p) { range_ = p; }

 private:
  param_type range_;
};
}  // namespace random

using random::uniform_real_distribution;

}  // namespace thrust
