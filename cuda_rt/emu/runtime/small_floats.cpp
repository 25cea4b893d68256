// Floats of 16 bits: half, and bfloat16, which is the upper half of a float.
//
// Each operation is done in double, and its result is rounded again, to 16 bits. What comes out is as if it had been
// rounded once: a double has 53 bits, and for + - * / and sqrt of numbers of p bits, 2p + 2 are enough (p is 11 and 8
// here). That is so for results of which fewer bits are kept, too, and no double is subnormal where these numbers are.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "memory.hpp"

namespace emu {
namespace {

using u16 = std::uint16_t;

struct Format {
  int mantissa, lowest;  // the bits that are stored, and the exponent of the smallest normal number
  u16 infinity, one;
};
constexpr Format FORMATS[] = {{10, -14, 0x7c00, 0x3c00}, {7, -126, 0x7f80, 0x3f80}};
constexpr u16 NO_NUMBER = 0x7fff;

u16 narrow(const Format& f, int mode, double v) {
  if (v != v) return NO_NUMBER;
  u64 raw = 0;
  std::memcpy(&raw, &v, sizeof v);
  const bool negative = raw >> 63 != 0;
  const int exponent = static_cast<int>(raw >> 52 & 0x7ff) - 1023;
  const u64 bits = (raw & ((u64{1} << 52) - 1)) | (exponent > -1023 ? u64{1} << 52 : 0);
  const int below = std::max(0, f.lowest - exponent), cut = std::min(60, 52 - f.mantissa + below);
  u64 kept = bits >> cut;
  const u64 rest = bits & ((u64{1} << cut) - 1), middle = u64{1} << (cut - 1);
  const bool away = mode == 0 ? rest > middle || (rest == middle && (kept & 1) != 0)
                              : rest != 0 && (mode == 2 ? !negative : mode == 3 && negative);
  // The uppermost bit of `kept` is not stored: it makes the exponent one larger, and so does a carry.
  kept += away + (static_cast<u64>(std::max(0, exponent - f.lowest)) << f.mantissa);
  if (kept >= f.infinity && !std::isinf(v))
    kept = f.infinity - (mode == 1 || (mode == 2 && negative) || (mode == 3 && !negative) ? 1 : 0);
  else if (std::isinf(v))
    kept = f.infinity;
  return static_cast<u16>(kept | (negative ? 0x8000 : 0));
}

float wide(int format, u16 v) {
  const u32 sign = static_cast<u32>(v & 0x8000) << 16, rest = v & 0x7fff;
  u32 raw = format == 1 ? rest << 16 : rest << 13;
  float r;
  if (format == 0) {
    if (rest < 0x7c00) {
      std::memcpy(&r, &raw, sizeof r);
      r *= 0x1p112f;  // the exponents of floats begin so far below; a subnormal number becomes a normal one
      std::memcpy(&raw, &r, sizeof r);
    } else {
      raw = rest == 0x7c00 ? 0x7f800000 : 0x7fffffff;
    }
  }
  if (format == 1 || raw != 0x7fffffff) raw |= sign;
  std::memcpy(&r, &raw, sizeof r);
  return r;
}

// A sum that stands for the exact one when it is rounded to far fewer bits: where it is not exact, its last bit is 1,
// so that it is never taken for a number of fewer bits, nor for the middle of two.
double sum_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double of_b = sum - a, of_a = sum - of_b, left = (a - of_a) + (b - of_b);  // `sum` + `left` is the exact sum
  u64 raw = 0;
  std::memcpy(&raw, &sum, sizeof sum);
  return left == 0 || (raw & 1) != 0 ? sum : std::nextafter(sum, left > 0 ? INFINITY : -INFINITY);
}

// The 53 upper bits, the last of them 1 where anything stands below.
double odd(u64 v) {
  if (v >> 53 == 0) return static_cast<double>(v);
  return 0x1p11 * static_cast<double>(v >> 11 | static_cast<u64>((v & 2047) != 0));
}

double larger(double a, double b) {  // 0 is more than -0
  if (a != a) return b;
  return a < b || (a == b && std::signbit(a)) ? b : a;
}

double compute(int op, double a, double b, double c) {
  switch (op) {
    case IRGL_SMALL_ADD: return a + b;
    case IRGL_SMALL_SUB: return a - b;
    case IRGL_SMALL_MUL: return a * b;
    case IRGL_SMALL_DIV: return a / b;
    case IRGL_SMALL_FMA: return sum_to_odd(a * b, c);  // the product is exact: it has at most 22 bits
    case IRGL_SMALL_MAX: return b != b ? a : larger(a, b);
    case IRGL_SMALL_MIN: return b != b ? a : -larger(-a, -b);
    case IRGL_SMALL_MAX_NAN: return a != a || b != b ? NAN : larger(a, b);
    case IRGL_SMALL_MIN_NAN: return a != a || b != b ? NAN : -larger(-a, -b);
    case IRGL_SMALL_NEG: return -a;
    case IRGL_SMALL_ABS: return std::fabs(a);
    case IRGL_SMALL_SQRT: return std::sqrt(a);
    case IRGL_SMALL_RSQRT: return 1 / std::sqrt(a);
    case IRGL_SMALL_RCP: return 1 / a;
    case IRGL_SMALL_EXP: return std::exp(a);
    case IRGL_SMALL_EXP2: return std::exp2(a);
    case IRGL_SMALL_EXP10: return std::pow(10, a);
    case IRGL_SMALL_LOG: return std::log(a);
    case IRGL_SMALL_LOG2: return std::log2(a);
    case IRGL_SMALL_LOG10: return std::log10(a);
    case IRGL_SMALL_SIN: return std::sin(a);
    case IRGL_SMALL_COS: return std::cos(a);
    case IRGL_SMALL_TANH: return std::tanh(a);
    case IRGL_SMALL_FLOOR: return std::floor(a);
    case IRGL_SMALL_CEIL: return std::ceil(a);
    case IRGL_SMALL_TRUNC: return std::trunc(a);
    default: return std::nearbyint(a);
  }
}

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" {

unsigned short irgl_emu_small(int format, int op, unsigned short a, unsigned short b, unsigned short c) {
  return narrow(FORMATS[format], 0, compute(op, wide(format, a), wide(format, b), wide(format, c)));
}
unsigned short irgl_emu_small_of_double(int format, int mode, double v) { return narrow(FORMATS[format], mode, v); }
unsigned short irgl_emu_small_of_long(int format, int mode, long v) {
  const double size = odd(v < 0 ? -static_cast<u64>(v) : static_cast<u64>(v));
  return narrow(FORMATS[format], mode, v < 0 ? -size : size);
}
unsigned short irgl_emu_small_of_ulong(int format, int mode, unsigned long v) {
  return narrow(FORMATS[format], mode, odd(v));
}
float irgl_emu_float_of_small(int format, unsigned short v) { return wide(format, v); }

}  // extern "C"
