// Every operator on every type: many threads against neighbouring locations, then what they must hold, and what each saw.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

constexpr int places = 7;  // odd, so that small types share words with each other and with the end of the array
constexpr unsigned threads = 700;

template <class T>
IRGL_BOTH T value_of(unsigned i) { return T(hash32(int64_t(i)) % 100 + 1); }
template <>
IRGL_BOTH bool value_of<bool>(unsigned i) { return hash32(int64_t(i)) % 3 == 0; }

enum Kind { MinOp, MaxOp, AddOp, SubOp, OrOp, AndOp, XorOp, XchgOp };
template <Kind K, class T>
IRGL_DEVICE Reduced<T> apply(T& x, T v) {
  if constexpr (K == MinOp) return atomic_min(x, v);
  else if constexpr (K == MaxOp) return atomic_max(x, v);
  else if constexpr (K == AddOp) return atomic_add(x, v);
  else if constexpr (K == SubOp) return atomic_sub(x, v);
  else if constexpr (K == OrOp) return atomic_or(x, v);
  else if constexpr (K == AndOp) return atomic_and(x, v);
  else if constexpr (K == XorOp) return atomic_xor(x, v);
  else return atomic_xchg(x, v);
}
template <Kind K, class T>
Reduced<T> alone(T& x, T v) {
  if constexpr (K == MinOp) return plain_min(x, v);
  else if constexpr (K == MaxOp) return plain_max(x, v);
  else if constexpr (K == AddOp) return plain_add(x, v);
  else if constexpr (K == SubOp) return plain_sub(x, v);
  else if constexpr (K == OrOp) return plain_or(x, v);
  else if constexpr (K == AndOp) return plain_and(x, v);
  else if constexpr (K == XorOp) return plain_xor(x, v);
  else return plain_xchg(x, v);
}

// tells[i]: the old value as the operator's new value would follow from it, and whether it says it changed
template <Kind K, class T>
__global__ void apply_kernel(T* x, T* old, int* changed) {
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  if (i >= threads) return;
  const Reduced<T> r = apply<K>(x[i % places], value_of<T>(i));
  old[i] = r.old;
  changed[i] = r.changed;
}

struct Scalars {
  int32_t none = 0;
};

template <Kind K, class T>
void run_kind(const char* type) {
  driver::Call call;
  HostRuntime<Scalars> c(&call.args);
  std::vector<unsigned char> memory(places * sizeof(T)), olds(threads * sizeof(T));
  std::vector<int> changed(threads);
  T* x = c.property<T>(memory.data(), places);
  T* old = c.property<T>(olds.data(), threads);
  int* flags = c.property<int>(changed.data(), threads);
  c.fill(x, places, T(50));
  c.launch(apply_kernel<K, T>, threads, x, old, flags);
  c.wrote(old);
  c.wrote(flags);
  CHECK(c.finish(&call.args) == 0, "%s", type);
  const T* result = reinterpret_cast<const T*>(memory.data());
  const T* seen = reinterpret_cast<const T*>(olds.data());
  for (int p = 0; p < places; ++p) {
    T want = T(50);
    int steps = 0, told = 0;
    bool found = false;
    for (unsigned i = unsigned(p); i < threads; i += places) {
      T at_that_time = seen[i];
      const Reduced<T> r = alone<K>(at_that_time, value_of<T>(i));
      CHECK(r.changed == (changed[i] != 0), "%s op %d thread %u", type, K, i);
      told += changed[i], steps += alone<K>(want, value_of<T>(i)).changed;
      found = found || result[p] == value_of<T>(i);
    }
    if (K == XchgOp) CHECK(found, "%s", type);
    else CHECK(result[p] == want, "%s op %d place %d: %g %g", type, K, p, double(result[p]), double(want));
    if (K == MinOp || K == MaxOp) CHECK((told > 0) == (steps > 0), "%s op %d: %d", type, K, told);
  }
}
template <class T>
void run_number(const char* type) {
  run_kind<MinOp, T>(type), run_kind<MaxOp, T>(type), run_kind<XchgOp, T>(type);
  if constexpr (!std::is_same_v<T, bool>) run_kind<AddOp, T>(type), run_kind<SubOp, T>(type);
  if constexpr (std::is_integral_v<T>) run_kind<OrOp, T>(type), run_kind<AndOp, T>(type), run_kind<XorOp, T>(type);
}

// Two fields in one word, of which the lexicographically least stays; and counting by compare-and-swap.
struct Pair {
  int32_t a, b;
  friend IRGL_BOTH bool operator<(const Pair& x, const Pair& y) { return x.a < y.a || (x.a == y.a && x.b < y.b); }
};
template <class T>
__global__ void cas_kernel(Pair* least, Pair* last, T* count, double* shares) {
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  if (i >= threads) return;
  atomic_min(*least, Pair{int32_t(hash32(int64_t(i)) % 5), int32_t(i)});
  atomic_max(*last, Pair{1, int32_t(i)});
  for (T seen = load(count[i % places]);;) {
    const Reduced<T> r = atomic_cas(count[i % places], seen, T(seen + 1));
    if (r.changed) break;
    seen = r.old;
  }
  reduce_add<true>(shares[i % 2], 0.25);
}
template <class T>
void run_cas(const char* type) {
  driver::Call call;
  HostRuntime<Scalars> c(&call.args);
  Pair pairs[2];
  T counts[places];
  double sums[2];
  Pair* least = c.property<Pair>(&pairs[0], 1);
  Pair* last = c.property<Pair>(&pairs[1], 1);
  T* count = c.property<T>(counts, places);
  double* shares = c.property<double>(sums, 2);
  c.fill(least, 1, Pair{7, 7}), c.fill(last, 1, Pair{0, 9999}), c.fill(count, places, T(0)), c.fill(shares, 2, 0);
  c.launch(cas_kernel<T>, threads, least, last, count, shares);
  CHECK(c.finish(&call.args) == 0, "%s", type);
  Pair want{7, 7};
  for (unsigned i = 0; i < threads; ++i) plain_min(want, Pair{int32_t(hash32(int64_t(i)) % 5), int32_t(i)});
  CHECK(pairs[0].a == want.a && pairs[0].b == want.b, "%s: %d %d", type, pairs[0].a, pairs[0].b);
  CHECK(pairs[1].a == 1 && pairs[1].b == int32_t(threads) - 1, "%s: %d %d", type, pairs[1].a, pairs[1].b);
  for (int p = 0; p < places; ++p) CHECK(counts[p] == T(threads / places), "%s: %d", type, int(counts[p]));
  CHECK(sums[0] + sums[1] == 0.25 * threads, "%g", sums[0]);
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  unit::run_number<int8_t>("int8"), unit::run_number<uint8_t>("uint8"), unit::run_number<int16_t>("int16");
  unit::run_number<uint16_t>("uint16"), unit::run_number<int32_t>("int32"), unit::run_number<uint32_t>("uint32");
  unit::run_number<int64_t>("int64"), unit::run_number<uint64_t>("uint64"), unit::run_number<float>("float");
  unit::run_number<double>("double"), unit::run_number<bool>("bool");
  unit::run_cas<uint8_t>("uint8"), unit::run_cas<int16_t>("int16"), unit::run_cas<int32_t>("int32");
  unit::run_cas<uint64_t>("uint64");
  return driver::end();
}
