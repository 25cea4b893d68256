// A float of 16 bits and a pair of them, as classes: what they are made from and become by themselves. CUDA's own
// classes have just these constructors and operators, so that what is ambiguous there is ambiguous here.
struct __attribute__((aligned(2))) IRGL_EMU_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) IRGL_EMU_RAW2 {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) IRGL_EMU_H {
 protected:
  unsigned short __x;

 public:
  IRGL_EMU_H() = default;
  IRGL_EMU_ALWAYS constexpr IRGL_EMU_H(const IRGL_EMU_RAW& r) : __x(r.x) {}
  IRGL_EMU_ALWAYS IRGL_EMU_H& operator=(const IRGL_EMU_RAW& r) { return __x = r.x, *this; }
  IRGL_EMU_ALWAYS volatile IRGL_EMU_H& operator=(const IRGL_EMU_RAW& r) volatile { return __x = r.x, *this; }
  IRGL_EMU_ALWAYS volatile IRGL_EMU_H& operator=(const volatile IRGL_EMU_RAW& r) volatile { return __x = r.x, *this; }
  IRGL_EMU_ALWAYS operator IRGL_EMU_RAW() const { return {__x}; }
  IRGL_EMU_ALWAYS operator IRGL_EMU_RAW() const volatile { return {__x}; }

#ifdef IRGL_EMU_CONVERSIONS
  IRGL_EMU_ALWAYS explicit IRGL_EMU_H(const IRGL_EMU_OTHER v);
#define IRGL_EMU_MADE_FROM(T, by) \
  IRGL_EMU_ALWAYS IRGL_EMU_H(const T v) : __x(irgl_emu_small_of_##by(IRGL_EMU_FORMAT, 0, v)) {}
#define IRGL_EMU_FROM(T, by)                                           \
  IRGL_EMU_MADE_FROM(T, by)                                            \
  IRGL_EMU_ALWAYS IRGL_EMU_H& operator=(const T v) {                   \
    return __x = irgl_emu_small_of_##by(IRGL_EMU_FORMAT, 0, v), *this; \
  }
  IRGL_EMU_FROM(float, double)
  IRGL_EMU_FROM(double, double)
  IRGL_EMU_FROM(short, long)
  IRGL_EMU_FROM(unsigned short, long)
  IRGL_EMU_FROM(int, long)
  IRGL_EMU_FROM(unsigned, long)
  IRGL_EMU_FROM(long long, long)
  IRGL_EMU_FROM(unsigned long long, ulong)
  IRGL_EMU_MADE_FROM(long, long)
  IRGL_EMU_MADE_FROM(unsigned long, ulong)
#undef IRGL_EMU_FROM
#undef IRGL_EMU_MADE_FROM

  IRGL_EMU_ALWAYS operator float() const { return irgl_emu_float_of_small(IRGL_EMU_FORMAT, __x); }
#define IRGL_EMU_TO(T) \
  IRGL_EMU_ALWAYS operator T() const { return irgl_emu::fit<T>(irgl_emu_float_of_small(IRGL_EMU_FORMAT, __x)); }
  IRGL_EMU_TO(char)
  IRGL_EMU_TO(signed char)
  IRGL_EMU_TO(unsigned char)
  IRGL_EMU_TO(short)
  IRGL_EMU_TO(unsigned short)
  IRGL_EMU_TO(int)
  IRGL_EMU_TO(unsigned)
  IRGL_EMU_TO(long)
  IRGL_EMU_TO(unsigned long)
  IRGL_EMU_TO(long long)
  IRGL_EMU_TO(unsigned long long)
#undef IRGL_EMU_TO
  IRGL_EMU_ALWAYS constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#endif
};

struct __attribute__((aligned(4))) IRGL_EMU_H2 {
  IRGL_EMU_H x, y;

  IRGL_EMU_H2() = default;
  IRGL_EMU_ALWAYS constexpr IRGL_EMU_H2(const IRGL_EMU_H& a, const IRGL_EMU_H& b) : x(a), y(b) {}
  IRGL_EMU_ALWAYS IRGL_EMU_H2(const IRGL_EMU_RAW2& r) : x(IRGL_EMU_RAW{r.x}), y(IRGL_EMU_RAW{r.y}) {}
  IRGL_EMU_ALWAYS IRGL_EMU_H2& operator=(const IRGL_EMU_RAW2& r) { return *this = IRGL_EMU_H2(r); }
  IRGL_EMU_ALWAYS operator IRGL_EMU_RAW2() const { return {IRGL_EMU_RAW(x).x, IRGL_EMU_RAW(y).x}; }
};

// What all the others are written in, since the conversions above may be switched off.
namespace irgl_emu {
IRGL_EMU_INLINE unsigned short bits_of(IRGL_EMU_H v) { return IRGL_EMU_RAW(v).x; }
IRGL_EMU_INLINE float wide(IRGL_EMU_H v) { return irgl_emu_float_of_small(IRGL_EMU_FORMAT, bits_of(v)); }
template <>
IRGL_EMU_ALWAYS IRGL_EMU_H made<IRGL_EMU_H>(int mode, double v) {
  return IRGL_EMU_RAW{irgl_emu_small_of_double(IRGL_EMU_FORMAT, mode, v)};
}
IRGL_EMU_INLINE IRGL_EMU_H small(int op, IRGL_EMU_H a, IRGL_EMU_H b, IRGL_EMU_H c) {
  return IRGL_EMU_RAW{irgl_emu_small(IRGL_EMU_FORMAT, op, bits_of(a), bits_of(b), bits_of(c))};
}
}  // namespace irgl_emu
