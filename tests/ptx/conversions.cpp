// cvt: between whole numbers and floats, with a rounding; out of range goes to the nearest end, NaN to 0.
#include <cfenv>
#include <cmath>
#include <limits>

#include "decode.hpp"

namespace ptx {
namespace {
enum Rounding : uint8_t { nearest, zero, down, up, whole_nearest, whole_zero, whole_down, whole_up, saturate = 16 };

template <class T>
T to_whole(T a, int how) {
  switch (how) {
    case whole_nearest: return std::nearbyint(a);
    case whole_zero: return std::trunc(a);
    case whole_down: return std::floor(a);
    case whole_up: return std::ceil(a);
    default: return a;
  }
}
template <class To, class From>
To whole_from_float(From a) {
  if (std::isnan(a)) return 0;
  const From low = From(std::numeric_limits<To>::min()), high = std::ldexp(From(1), std::numeric_limits<To>::digits);
  if (a < low) return std::numeric_limits<To>::min();
  return a >= high ? std::numeric_limits<To>::max() : To(a);
}
template <class To, class From>
To rounded(From a, int how) {
  if (how == nearest) return To(a);
  const int before = fegetround();
  fesetround(how == zero ? FE_TOWARDZERO : how == down ? FE_DOWNWARD : FE_UPWARD);
  volatile From from = a;
  volatile To to = To(from);
  fesetround(before);
  return to;
}
template <class To, class From>
bool convert(Thread& t, const Inst& i) {
  const From a = in<From>(t, i.a);
  const int how = i.flags & 15;
  const bool sat = i.flags & saturate;
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    if (!sat) return out<To>(t, i.d, To(a)), true;
    const __int128 x = a, low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return out<To>(t, i.d, To(x < low ? low : x > high ? high : x)), true;
  } else if constexpr (std::is_integral_v<To>) {
    return out<To>(t, i.d, whole_from_float<To>(to_whole(a, how))), true;
  } else {
    To r;
    if constexpr (std::is_integral_v<From>) r = rounded<To>(a, how);
    else r = how >= whole_nearest ? To(to_whole(a, how)) : rounded<To>(a, how);
    if (sat) r = std::isnan(r) || r < 0 ? To(0) : r > 1 ? To(1) : r;
    return out<To>(t, i.d, r), true;
  }
}
template <class From>
Run target(const std::string& to) {
  if (const Run found = of_byte(to, [](auto x) -> Run { return convert<decltype(x), From>; })) return found;
  return of_float(to, [](auto x) -> Run { return convert<decltype(x), From>; });
}
}  // namespace

Run conversions(Decoder& d) {
  if (d.name != "cvt") return nullptr;
  d.operands(1);
  const std::string from = d.last(), to = d.last();
  const char* const names[] = {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"};
  for (uint8_t k = 0; k < 8; ++k)
    if (d.take(names[k])) d.inst.flags = k;
  if (d.take("sat")) d.inst.flags |= saturate;
  if (const Run found = of_byte(from, [&](auto x) -> Run { return target<decltype(x)>(to); })) return found;
  return of_float(from, [&](auto x) -> Run { return target<decltype(x)>(to); });
}

}  // namespace ptx
