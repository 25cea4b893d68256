// What each function of half (or bfloat16, with BF16) makes of the numbers in a file. Runs on the host: nvcc builds it
// too, and then it says what CUDA's own headers make of them, where those have a function for the host.
#include <cuda_bf16.h>

#include <cstdio>
#include <cstring>
#include <vector>

#ifdef BF16
using T = __nv_bfloat16;
using T2 = __nv_bfloat162;
#define NAME(before, after) before##bfloat16##after
#else
using T = __half;
using T2 = __half2;
#define NAME(before, after) before##half##after
#endif
using Word = unsigned long long;

// What the host may compute in CUDA, too, and what only a kernel may.
static std::vector<Word> found[2];
static int now = 0;

static void put(Word v) { found[now].push_back(v); }
static void put(T v) { put((Word)NAME(__, _as_ushort)(v)); }
static void put(T2 v) {
  put(v.x);
  put(v.y);
}
static void put(float v) {
  unsigned bits;
  memcpy(&bits, &v, sizeof bits);
  put((Word)bits);
}
template <class I>
static void put(I v) {
  put((Word)v);
}
static T number(Word v) { return NAME(__ushort_as_, )((unsigned short)v); }
static double real(Word v) {
  double d;
  memcpy(&d, &v, sizeof d);
  return d;
}

// Each number of 16 bits.
static void one(T v) {
  put(NAME(__, 2float)(v));
  put((signed char)v), put((unsigned char)v), put((short)v), put((unsigned short)v);
  put((int)v), put((unsigned)v), put((long long)v), put((unsigned long long)v);
  put((bool)v), put(__hisnan(v)), put(__hisinf(v)), put(-v), put(__habs(v));
#ifdef __IRGL_EMU__
  now = 1;
#define WHOLE(mode)                                                                             \
  put(NAME(__, 2short##mode)(v)), put(NAME(__, 2ushort##mode)(v)), put(NAME(__, 2int##mode)(v)), \
      put(NAME(__, 2uint##mode)(v)), put(NAME(__, 2ll##mode)(v)), put(NAME(__, 2ull##mode)(v));
  WHOLE(_rn) WHOLE(_rz) WHOLE(_ru) WHOLE(_rd)
  put(hfloor(v)), put(hceil(v)), put(htrunc(v)), put(hrint(v));
  put(hsqrt(v)), put(hrsqrt(v)), put(hrcp(v)), put(hexp(v)), put(hexp2(v)), put(hexp10(v));
  put(hlog(v)), put(hlog2(v)), put(hlog10(v)), put(hsin(v)), put(hcos(v)), put(htanh(v));
  now = 0;
#endif
}

// A double, and the float that is nearest to it.
static void of_real(double v) {
  const float f = (float)v;
  put(NAME(__double2, )(v)), put(T(v)), put(T(f)), put(NAME(__float2, )(f));
  put(NAME(__float2, _rn)(f)), put(NAME(__float2, _rz)(f)), put(NAME(__float2, _ru)(f)), put(NAME(__float2, _rd)(f));
}

static void of_whole(Word v) {
  put(T((int)v)), put(T((unsigned)v)), put(T((short)v)), put(T((unsigned short)v)), put(T((long long)v)), put(T(v));
#ifdef __IRGL_EMU__
  now = 1;
#define FROM(mode)                                                                                                  \
  put(NAME(__int2, mode)((int)v)), put(NAME(__uint2, mode)((unsigned)v)), put(NAME(__short2, mode)((short)v)),      \
      put(NAME(__ushort2, mode)((unsigned short)v)), put(NAME(__ll2, mode)((long long)v)), put(NAME(__ull2, mode)(v));
  FROM(_rn) FROM(_rz) FROM(_ru) FROM(_rd)
  now = 0;
#endif
}

static void two(T a, T b) {
  put(a + b), put(a - b), put(a * b), put(a / b), put(__hmax(a, b)), put(__hmin(a, b));
  put(__hmax_nan(a, b)), put(__hmin_nan(a, b)), put(__hadd_sat(a, b)), put(__hsub_sat(a, b)), put(__hmul_sat(a, b));
  put(__heq(a, b)), put(__hne(a, b)), put(__hlt(a, b)), put(__hle(a, b)), put(__hgt(a, b)), put(__hge(a, b));
  put(__hequ(a, b)), put(__hneu(a, b)), put(__hltu(a, b)), put(__hleu(a, b)), put(__hgtu(a, b)), put(__hgeu(a, b));
  put(a == b), put(a != b), put(a < b), put(a <= b), put(a > b), put(a >= b);
  const T2 p(a, b), q(b, b);
  put(p + q), put(p - q), put(p * q), put(p / q), put(__hmax2(p, q)), put(__hmin2(p, q)), put(-p), put(__habs2(p));
  put(__heq2(p, q)), put(__hne2(p, q)), put(__hltu2(p, q)), put(__hisnan2(p)), put(__hle2_mask(p, q));
  put(__hbeq2(p, q)), put(__hbne2(p, q)), put(p == q), put(p != q), put(p < q), put(__hadd2_sat(p, q));
}

static void three([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c) {
#ifdef __IRGL_EMU__
  now = 1;
  put(__hfma(a, b, c)), put(__hfma_sat(a, b, c)), put(__hfma_relu(a, b, c));
  now = 0;
#endif
}

static std::vector<Word> read(FILE* in) {
  Word n = 0;
  if (fread(&n, sizeof n, 1, in) != 1) n = 0;
  std::vector<Word> v(n);
  if (fread(v.data(), sizeof(Word), n, in) != n) v.clear();
  return v;
}

// One block for each kind of results: how many there are, and they.
static void write(FILE* to) {
  for (std::vector<Word>& v : found) {
    const Word n = v.size();
    fwrite(&n, sizeof n, 1, to);
    fwrite(v.data(), sizeof(Word), n, to);
    v.clear();
  }
}

// The file has, each after their number: doubles, whole numbers, pairs and triples of numbers of 16 bits.
int main(int, char** names) {
  FILE *in = fopen(names[1], "rb"), *to = fopen(names[2], "wb");
  const std::vector<Word> reals = read(in), wholes = read(in), pairs = read(in), triples = read(in);
  for (int i = 0; i < 65536; i++) one(number(i));
  write(to);
  for (const Word v : reals) of_real(real(v));
  write(to);
  for (const Word v : wholes) of_whole(v);
  write(to);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) two(number(pairs[i]), number(pairs[i + 1]));
  write(to);
  for (size_t i = 0; i + 2 < triples.size(); i += 3) {
    three(number(triples[i]), number(triples[i + 1]), number(triples[i + 2]));
  }
  write(to);
  fclose(in);
  return fclose(to);
}
