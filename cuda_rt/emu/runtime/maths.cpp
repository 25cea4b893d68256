// Functions of CUDA's mathematics that the C library has not, arithmetic with the rounding that a name asks for, and
// the kind of memory that an address is in.
#include <cfenv>
#include <cmath>
#include <limits>

#include "fiber.hpp"
#include "memory.hpp"

namespace emu {
namespace {

using Long = long double;
constexpr Long PI = 3.141592653589793238462643383279502884L;
constexpr Long INFINITE = std::numeric_limits<Long>::infinity();

// sin and cos of pi x: the quarter turns are taken off exactly.
double turned(double x, long quarters) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const double r = std::fmod(x, 2), n = std::rint(2 * r), t = r - n / 2;
  const Long angle = PI * t;
  switch ((static_cast<long>(n) + quarters) & 3) {
    case 0: return t == 0 ? std::copysign(0.0, x) : static_cast<double>(std::sin(angle));
    case 1: return static_cast<double>(std::cos(angle));
    case 2: return t == 0 ? std::copysign(0.0, x) : static_cast<double>(-std::sin(angle));
    default: return static_cast<double>(-std::cos(angle));
  }
}

Long slope(Long x) { return 2 / std::sqrt(PI) * std::exp(-x * x); }  // of erf

Long inverse_erf(Long y) {  // |y| <= 1/2
  Long x = y * std::sqrt(PI) / 2;
  for (int i = 0; i < 8; i++) x -= (std::erf(x) - y) / slope(x);
  return x;
}
Long inverse_erfc(Long z) {
  if (!(z >= 0 && z <= 2)) return std::numeric_limits<Long>::quiet_NaN();
  if (z == 0 || z == 2) return z == 0 ? INFINITE : -INFINITE;
  if (z >= 0.5L && z <= 1.5L) return inverse_erf(1 - z);
  if (z > 1) return -inverse_erfc(2 - z);
  const Long guess = -std::log(z * std::sqrt(PI));
  Long x = guess < 1 ? 0.6L : std::sqrt(guess - std::log(guess) / 2);
  for (int i = 0; i < 12; i++) x += (std::log(std::erfc(x)) - std::log(z)) * std::erfc(x) / slope(x);
  return x;
}
Long scaled_erfc(Long x) {
  if (x < 100) return std::exp(x * x) * std::erfc(x);
  const Long s = 1 / (2 * x * x);
  return (1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s)))) / (x * std::sqrt(PI));
}

constexpr int MODES[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

template <class F>
auto rounded(int mode, F compute) {
  std::fesetround(MODES[mode]);
  const auto r = compute();
  std::fesetround(FE_TONEAREST);
  return r;
}

// What is volatile is neither computed before the rounding is set nor kept until it is set back.
template <class T>
T arithmetic(int op, int mode, T x, T y, T z) {
  return rounded(mode, [&] {
    volatile T a = x, b = y, c = z, r = 0;
    switch (op) {
      case 0: r = a + b; break;
      case 1: r = a - b; break;
      case 2: r = a * b; break;
      case 3: r = a / b; break;
      case 4: r = std::fma(T(a), T(b), T(c)); break;
      default: r = std::sqrt(T(a)); break;
    }
    return T(r);
  });
}
template <class To, class From>
To converted(int mode, From v) {
  return rounded(mode, [&] {
    volatile From a = v;
    volatile To r = static_cast<To>(a);
    return To(r);
  });
}

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" {

double sinpi(double x) noexcept { return turned(x, 0); }
double cospi(double x) noexcept { return turned(x, 1); }
double rcbrt(double x) noexcept { return 1 / std::cbrt(x); }
double rhypot(double x, double y) noexcept { return 1 / std::hypot(x, y); }
double norm3d(double x, double y, double z) noexcept { return static_cast<double>(std::hypot(Long(x), y, z)); }
double norm4d(double x, double y, double z, double w) noexcept {
  return static_cast<double>(std::hypot(std::hypot(Long(x), y, z), w));
}
double erfinv(double y) noexcept {
  if (y >= -0.5 && y <= 0.5) return static_cast<double>(inverse_erf(y));
  return static_cast<double>(inverse_erfc(1 - Long(y)));
}
double erfcinv(double z) noexcept { return static_cast<double>(inverse_erfc(z)); }
double erfcx(double x) noexcept { return static_cast<double>(scaled_erfc(x)); }
double normcdf(double x) noexcept { return static_cast<double>(std::erfc(-Long(x) / std::sqrt(Long(2))) / 2); }
double normcdfinv(double p) noexcept {
  return static_cast<double>(-std::sqrt(Long(2)) * inverse_erfc(2 * Long(p)));
}
double cyl_bessel_i0(double x) noexcept { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double cyl_bessel_i1(double x) noexcept { return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }

float irgl_emu_float(int op, int mode, float a, float b, float c) { return arithmetic(op, mode, a, b, c); }
double irgl_emu_double(int op, int mode, double a, double b, double c) { return arithmetic(op, mode, a, b, c); }
float irgl_emu_float_of_double(int mode, double v) { return converted<float>(mode, v); }
float irgl_emu_float_of_long(int mode, long v) { return converted<float>(mode, v); }
float irgl_emu_float_of_ulong(int mode, unsigned long v) { return converted<float>(mode, v); }
double irgl_emu_double_of_long(int mode, long v) { return converted<double>(mode, v); }
double irgl_emu_double_of_ulong(int mode, unsigned long v) { return converted<double>(mode, v); }

// 0: none of these; 1: global, 2: shared, 3: local.
int irgl_emu_space(const void* p) {
  const u64 a = reinterpret_cast<u64>(p);
  if (a - tls_low < tls_size || a - reinterpret_cast<u64>(irgl_emu_dynamic_shared) < IRGL_EMU_DYNAMIC) return 2;
  if (is_device(a) || is_managed(a)) return 1;
  return cur != nullptr && a - reinterpret_cast<u64>(cur->fiber->stack) < STACK ? 3 : 0;
}

}  // extern "C"
