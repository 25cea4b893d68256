// What libraries ask of a type of numbers: how large they are, and their bits in the order of a radix sort.
#define IRGL_EMU_MANTISSA (IRGL_EMU_FORMAT == 0 ? 10 : 7)  // bits that are stored
#define IRGL_EMU_TOP (0x7fff >> IRGL_EMU_MANTISSA << IRGL_EMU_MANTISSA)
#define IRGL_EMU_LIMIT(name, bits) \
  static constexpr IRGL_EMU_H name() noexcept { return IRGL_EMU_RAW{(unsigned short)(bits)}; }
namespace cuda {
namespace std {
template <>
struct numeric_limits<IRGL_EMU_H> : ::std::numeric_limits<float> {
  static constexpr int digits = IRGL_EMU_MANTISSA + 1, digits10 = IRGL_EMU_FORMAT == 0 ? 3 : 2;
  static constexpr int max_digits10 = IRGL_EMU_FORMAT == 0 ? 5 : 4;
  static constexpr int min_exponent = IRGL_EMU_FORMAT == 0 ? -13 : -125, max_exponent = IRGL_EMU_FORMAT == 0 ? 16 : 128;
  static constexpr int min_exponent10 = IRGL_EMU_FORMAT == 0 ? -4 : -37, max_exponent10 = IRGL_EMU_FORMAT == 0 ? 4 : 38;
  IRGL_EMU_LIMIT(min, 1 << IRGL_EMU_MANTISSA)
  IRGL_EMU_LIMIT(max, IRGL_EMU_TOP - 1)
  IRGL_EMU_LIMIT(lowest, 0x8000 | (IRGL_EMU_TOP - 1))
  IRGL_EMU_LIMIT(epsilon, IRGL_EMU_ONE - (IRGL_EMU_MANTISSA << IRGL_EMU_MANTISSA))
  IRGL_EMU_LIMIT(round_error, IRGL_EMU_ONE - (1 << IRGL_EMU_MANTISSA))
  IRGL_EMU_LIMIT(infinity, IRGL_EMU_TOP)
  IRGL_EMU_LIMIT(quiet_NaN, IRGL_EMU_TOP | 1 << (IRGL_EMU_MANTISSA - 1))
  IRGL_EMU_LIMIT(signaling_NaN, IRGL_EMU_TOP | 1 << (IRGL_EMU_MANTISSA - 2))
  IRGL_EMU_LIMIT(denorm_min, 1)
};
}  // namespace std
}  // namespace cuda
#undef IRGL_EMU_LIMIT
#undef IRGL_EMU_TOP
#undef IRGL_EMU_MANTISSA

namespace irgl_emu {
template <>
struct Radix<IRGL_EMU_H> {
  static constexpr int bits = 16;
  static unsigned long of(const IRGL_EMU_H& key) {
    const unsigned long b = bits_of(key) == 0x8000 ? 0 : bits_of(key);  // -0 is 0
    return (b & 0x8000) != 0 ? ~b & 0xffff : b | 0x8000;
  }
};
}  // namespace irgl_emu
