#include "cases.hpp"

namespace {
constexpr int count = 4000;

template <class T>
T value(int i) {
  const uint64_t h = irgl::hash(uint64_t(i));
  if constexpr (std::is_same_v<T, bool>) return h & 1;
  else if constexpr (std::is_floating_point_v<T>) return T(int64_t(h % 2001) - 1000) / T(4);
  else return T(h);
}

// Every reduction by four threads on one location, against the same sequence of plain twins by one.
template <class T, class Shared, class Plain>
void same_result(Shared shared, Plain plain, T start) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  alignas(8) T a = start;
  T b = start;
  irgl::for_each(c, irgl::range<int>(0, count), [&](irgl::Thread&, auto&, int i) { shared(a, value<T>(i)); });
  for (int i = 0; i < count; ++i) plain(b, value<T>(i));
  CHECK(a == b);
  T x = start, y = start;
  for (int i = 0; i < 50; ++i) {
    const auto r = shared(x, value<T>(i));
    const auto s = plain(y, value<T>(i));
    CHECK(r.old == s.old && r.changed == s.changed && x == y);
  }
}
#define SAME(T, op, start) \
  same_result<T>([](T& x, T v) { return irgl::atomic_##op(x, v); }, [](T& x, T v) { return irgl::plain_##op(x, v); }, start)

template <class T>
void number() {
  SAME(T, min, irgl::highest<T>());
  SAME(T, max, irgl::lowest<T>());
  SAME(T, add, T(1));
  SAME(T, sub, T(1));
}
template <class T>
void bits() {
  SAME(T, or, T(0));
  SAME(T, and, T(~T(0)));
  SAME(T, xor, T(5));
}
template <class T>
void exchange() {
  T x = value<T>(1);
  const T before = x;
  CHECK(irgl::atomic_xchg(x, value<T>(3)).old == before && x == value<T>(3));
  CHECK(!irgl::atomic_xchg(x, value<T>(3)).changed);
  T y = T(0);
  CHECK(irgl::atomic_cas(y, T(0), T(1)).changed && y == T(1));
  CHECK(!irgl::atomic_cas(y, T(0), T(0)).changed && irgl::atomic_cas(y, T(0), T(0)).old == T(1));
  irgl::store(y, T(0));
  CHECK(irgl::load(y) == T(0));
}
template <class T>
void integer() { number<T>(), bits<T>(), exchange<T>(); }
}  // namespace

CASE(atomics_of_8_bit_integers) { integer<int8_t>(), integer<uint8_t>(); }
CASE(atomics_of_16_bit_integers) { integer<int16_t>(), integer<uint16_t>(); }
CASE(atomics_of_32_bit_integers) { integer<int32_t>(), integer<uint32_t>(); }
CASE(atomics_of_64_bit_integers) { integer<int64_t>(), integer<uint64_t>(); }
CASE(atomics_of_floats) { number<float>(), number<double>(), exchange<float>(), exchange<double>(); }
CASE(atomics_of_bools) {
  SAME(bool, or, false);
  SAME(bool, and, true);
  SAME(bool, max, false);
  exchange<bool>();
}

struct alignas(8) Lightest {
  int32_t weight, edge;
  friend bool operator<(Lightest a, Lightest b) {
    return a.weight < b.weight || (a.weight == b.weight && a.edge < b.edge);
  }
};
CASE(minimum_of_a_packed_pair_is_lexicographic) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  Lightest best{irgl::highest<int32_t>(), irgl::highest<int32_t>()};
  irgl::for_each(c, irgl::range<int>(0, 10000), [&](irgl::Thread&, auto&, int i) {
    irgl::atomic_min(best, Lightest{-3 + i % 7, 10000 - i});
  });
  CHECK(best.weight == -3 && best.edge == 10000 - 9996);
}
// Thread 1 has read 10 and found that 2 is less, when thread 0 makes it 1: then it has to look again.
struct Late {
  static inline Late* place = nullptr;
  static inline int entered = 0;
  int32_t key;
  bool operator<(const Late& old) const {
    if (key == 2 && old.key == 10) {
      irgl::store(entered, 1);
      while (irgl::load(*place).key == 10) irgl::pause();
    }
    while (key == 1 && irgl::load(entered) == 0) irgl::pause();
    return key < old.key;
  }
};
CASE(a_minimum_that_another_thread_undercuts_meanwhile_is_kept) {
  Late x{10};
  Late::place = &x;
#pragma omp parallel num_threads(2)
  irgl::atomic_min(x, Late{omp_get_thread_num() + 1});
  CHECK(x.key == 1);
}
CASE(no_update_of_a_bit_by_several_threads_is_lost) {
  uint64_t flips = 0, ors = 0, ands = ~uint64_t(0);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 20000; ++i) {
    const uint64_t mine = uint64_t(1) << (omp_get_thread_num() * 16 + i % 16);
    irgl::atomic_xor(flips, mine);
    irgl::atomic_or(ors, mine);
    irgl::atomic_and(ands, ~mine);
  }
  CHECK(flips == 0 && ors == ~uint64_t(0) && ands == 0);
}
CASE(nan_never_wins_a_minimum) {
  double x = 3;
  CHECK(!irgl::atomic_min(x, __builtin_nan("")).changed && x == 3);
  CHECK(!irgl::plain_max(x, __builtin_nan("")).changed && x == 3);
}
CASE(division_by_zero_is_a_fault_with_value_zero) {
  irgl::Runtime c(2);
  CHECK(irgl::idiv(c, 7, 2, 3) == 3 && irgl::imod(c, -7, 2, 3) == -1 && c.faulted() == 0);
  CHECK(irgl::idiv(c, 7, 0, 11) == 0 && irgl::imod(c, 7, 0, 12) == 0);
  CHECK(c.faulted() == (11 | irgl::any_fault));
}
CASE(division_of_the_lowest_by_minus_one_wraps) {
  irgl::Runtime c(1);
  const int32_t low = irgl::lowest<int32_t>();
  CHECK(irgl::idiv(c, low, -1, 1) == low && irgl::imod(c, low, -1, 1) == 0 && c.faulted() == 0);
}
CASE(shift_counts_are_modulo_the_width) {
  CHECK(irgl::shl<int32_t>(1, 33) == 2 && irgl::shl<int32_t>(1, -1) == irgl::lowest<int32_t>());
  CHECK(irgl::shr<int32_t>(-8, 33) == -4 && irgl::shr<uint64_t>(8, 65) == 4);
}
CASE(float_to_integer_saturates) {
  CHECK(irgl::to_int<int32_t>(1e10) == irgl::highest<int32_t>() && irgl::to_int<int32_t>(-1e10) == irgl::lowest<int32_t>());
  CHECK(irgl::to_int<int32_t>(__builtin_nan("")) == 0 && irgl::to_int<int32_t>(-2.9f) == -2);
  CHECK(irgl::to_int<uint8_t>(-1.0) == 0 && irgl::to_int<uint8_t>(255.5) == 255 && irgl::to_int<uint8_t>(300.0f) == 255);
  CHECK(irgl::to_int<int64_t>(9.3e18f) == irgl::highest<int64_t>() && irgl::to_int<uint64_t>(1e19) == 10000000000000000000u);
}
template <class I, class F>
static void ends_of() {  // the first number beyond the largest, which a float may be when no larger I is one
  volatile F beyond = F(irgl::highest<I>() / 2 + 1) * 2, least = F(irgl::lowest<I>()), half = F(irgl::highest<I>() / 2 + 1);
  CHECK(irgl::to_int<I>(F(beyond)) == irgl::highest<I>());
  CHECK(irgl::to_int<I>(F(least)) == irgl::lowest<I>());
  CHECK(irgl::to_int<I>(F(half)) == irgl::highest<I>() / 2 + 1);
}
CASE(float_to_integer_is_right_at_the_ends) {
  ends_of<int32_t, float>(), ends_of<uint32_t, float>(), ends_of<int64_t, float>(), ends_of<uint64_t, float>();
  ends_of<int32_t, double>(), ends_of<uint32_t, double>(), ends_of<int64_t, double>(), ends_of<uint64_t, double>();
  ends_of<int8_t, float>(), ends_of<uint8_t, float>(), ends_of<int16_t, float>(), ends_of<uint16_t, float>();
}
CASE(hash_is_splitmix64) { CHECK(irgl::hash(0) == 0xe220a8397b1dcdafu); }
