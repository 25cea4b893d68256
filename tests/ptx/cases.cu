// The same functions on both sides: what g++ makes of them for the host, and nvcc and tests/ptx for a kernel.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Input {
  uint64_t a, b, c;
  double x, y;
};
#define BOTH __host__ __device__

template <class T>
BOTH void whole(uint64_t*& out, const Input& i) {
  using U = std::make_unsigned_t<T>;
  const T a = T(i.a), b = T(i.b), c = T(i.c);
  const U s = U(c) % (8 * sizeof(T));
  *out++ = uint64_t(T(U(a) + U(b))), *out++ = uint64_t(T(U(a) - U(b))), *out++ = uint64_t(T(U(uint64_t(U(a)) * U(b))));
  *out++ = b == 0 || b == T(-1) ? 0 : uint64_t(T(a / b)), *out++ = b == 0 || b == T(-1) ? 0 : uint64_t(T(a % b));
  *out++ = uint64_t(T(a & b)), *out++ = uint64_t(T(a | b)), *out++ = uint64_t(T(a ^ b)), *out++ = uint64_t(T(~a));
  *out++ = uint64_t(T(U(a) << s)), *out++ = uint64_t(T(a >> s)),
      *out++ = uint64_t(T(U(a) << s | U(a) >> ((8 * sizeof(T) - s) % (8 * sizeof(T)))));
  *out++ = a < b, *out++ = a <= b, *out++ = a == b, *out++ = uint64_t(a < b ? a : b), *out++ = uint64_t(a < b ? b : a);
  *out++ = uint64_t(T(U(0) - U(a))), *out++ = uint64_t(a / 7), *out++ = uint64_t(a % 10),
      *out++ = uint64_t(int8_t(a)), *out++ = uint64_t(uint8_t(a));
  *out++ = uint64_t(int16_t(a)), *out++ = uint64_t(uint16_t(a)), *out++ = uint64_t(int32_t(a)),
      *out++ = uint64_t(uint32_t(a));
}
BOTH uint64_t bits(double x) { uint64_t r; memcpy(&r, &x, 8); return x != x ? 1 : r; }
BOTH uint64_t bits(float x) { uint32_t r; memcpy(&r, &x, 4); return x != x ? 1 : r; }
template <class T>
BOTH void real(uint64_t*& out, const Input& i) {
  const T x = T(i.x), y = T(i.y);
  *out++ = bits(x + y), *out++ = bits(x - y), *out++ = bits(x * y), *out++ = bits(x / y), *out++ = bits(T(sqrt(x)));
  *out++ = x < y, *out++ = x <= y, *out++ = x == y, *out++ = x != y, *out++ = !(x < y), *out++ = bits(T(fabs(x))),
      *out++ = bits(-x);
  *out++ = bits(T(floor(x))), *out++ = bits(T(ceil(x))), *out++ = bits(T(trunc(x))), *out++ = bits(T(rint(x)));
  *out++ = bits(T(fmin(x, y))), *out++ = bits(T(fmax(x, y))), *out++ = bits(T(fma(x, y, T(1)))),
      *out++ = bits(T(copysign(x, y)));
  *out++ = x != x, *out++ = isinf(x) != 0, *out++ = bits(T(int64_t(i.a))), *out++ = bits(T(uint64_t(i.b))),
      *out++ = bits(T(int32_t(i.a)));
  if (fabs(x) < 1e9) *out++ = uint64_t(int32_t(x)), *out++ = uint64_t(int64_t(x));
  if (x >= 0 && x < 1e9) *out++ = uint64_t(uint32_t(x)), *out++ = uint64_t(uint64_t(x));
  *out++ = bits(float(i.x)), *out++ = bits(double(float(i.x)));
}
constexpr int most = 400;
BOTH int all(uint64_t* out, const Input& i) {
  uint64_t* const begin = out;
  whole<int8_t>(out, i), whole<uint8_t>(out, i), whole<int16_t>(out, i), whole<uint16_t>(out, i);
  whole<int32_t>(out, i), whole<uint32_t>(out, i), whole<int64_t>(out, i), whole<uint64_t>(out, i);
  real<float>(out, i), real<double>(out, i);
#ifdef __CUDA_ARCH__
  *out++ = __popcll(i.a), *out++ = __popc(unsigned(i.b)), *out++ = __clz(int(i.a)), *out++ = __clzll(i.b),
      *out++ = __ffsll(i.c);
  *out++ = __brevll(i.a), *out++ = __umul64hi(i.a, i.b), *out++ = uint64_t(__mul64hi(i.a, i.b)),
      *out++ = __umulhi(unsigned(i.a), unsigned(i.b));
  *out++ = __byte_perm(unsigned(i.a), unsigned(i.b), 0x6107), *out++ = __funnelshift_l(unsigned(i.a), unsigned(i.b),
      unsigned(i.c));
#else
  uint64_t reversed = 0;
  for (int k = 0; k < 64; ++k) reversed |= (i.a >> k & 1) << (63 - k);
  const unsigned a = unsigned(i.a), b = unsigned(i.b), s = unsigned(i.c) & 31;
  *out++ = __builtin_popcountll(i.a), *out++ = __builtin_popcount(b), *out++ = a == 0 ? 32 : __builtin_clz(a);
  *out++ = i.b == 0 ? 64 : __builtin_clzll(i.b), *out++ = __builtin_ffsll(i.c), *out++ = reversed;
  *out++ = uint64_t((unsigned __int128)i.a * i.b >> 64), *out++ = uint64_t(__int128(int64_t(i.a)) * int64_t(i.b) >> 64);
  *out++ = uint64_t(a) * b >> 32;
  const uint64_t both = uint64_t(b) << 32 | a;
  unsigned permuted = 0;
  for (int k = 0; k < 4; ++k) permuted |= unsigned(both >> 8 * (0x6107 >> 4 * k & 7) & 255) << 8 * k;
  *out++ = permuted, *out++ = s == 0 ? b : b << s | a >> (32 - s);
#endif
  return int(out - begin);
}
__global__ void run(const Input* in, uint64_t* out, int* counts, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n) counts[k] = all(out + k * most, in[k]);
}

int main() {
  constexpr int n = 500;
  static Input in[n];
  static uint64_t out[n * most];
  static int counts[n];
  uint64_t state = 7;
  const auto draw = [&] { return state = state * 6364136223846793005u + 1442695040888963407u,
      (state >> 33 ^ state) * 0x9e3779b97f4a7c15u; };
  const uint64_t odd[] = {0, 1, ~0ull, 1ull << 31, 1ull << 63, 0x7fffffff, 0x7fffffffffffffff, 0xff80, 0x8000, 12345};
  const double strange[] = {0.0, -0.0, 1.0, -1.5, 2.5, 0.5, 1e300, -1e-310, 1.0 / 0.0, 0.0 / 0.0, 1e-40, 16777217.0,
      3.4e38};
  for (int k = 0; k < n; ++k) {
    in[k] = {draw() >> draw() % 64, draw() >> draw() % 64, draw(), 0, 0};
    if (k % 3 == 0) in[k].a = odd[draw() % 10];
    if (k % 5 == 0) in[k].b = odd[draw() % 10];
    in[k].x = k % 4 == 0 ? strange[draw() % 13] : double(int64_t(draw())) / double(1ull << draw() % 64);
    in[k].y = k % 7 == 0 ? strange[draw() % 13] : double(int64_t(draw())) / double(1ull << draw() % 64);
  }
  Input* there;
  uint64_t* results;
  int* sizes;
  cudaMalloc(&there, sizeof in), cudaMalloc(&results, sizeof out), cudaMalloc(&sizes, sizeof counts);
  cudaMemcpy(there, in, sizeof in, cudaMemcpyHostToDevice);
  run<<<(n + 63) / 64, 64>>>(there, results, sizes, n);
  cudaMemcpy(out, results, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, sizes, sizeof counts, cudaMemcpyDeviceToHost);
  int wrong = 0, looked = 0;
  for (int k = 0; k < n; ++k) {
    static uint64_t expected[most];
    const int count = all(expected, in[k]);
    if (count != counts[k]) ++wrong, printf("%d results of input %d instead of %d\n", counts[k], k, count);
    for (int j = 0; j < count; ++j, ++looked)
      if (out[k * most + j] != expected[j] && ++wrong < 20)
        printf("input %d (%llx %llx %llx %a %a), result %d: %llx instead of %llx\n", k, (unsigned long long)in[k].a,
               (unsigned long long)in[k].b, (unsigned long long)in[k].c, in[k].x, in[k].y, j,
               (unsigned long long)out[k * most + j], (unsigned long long)expected[j]);
  }
  printf("%d results, %d wrong\n", looked, wrong);
  return wrong != 0;
}
