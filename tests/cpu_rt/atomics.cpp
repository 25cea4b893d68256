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
// The same again where one thread alone updates.
template <class T, class Watched, class Plain>
void same_alone(Watched watched, Plain plain, T start) {
  T x = start, y = start;
  for (int i = 0; i < 50; ++i) {
    const auto r = watched(x, value<T>(i));
    const auto s = plain(y, value<T>(i));
    CHECK(r.old == s.old && r.changed == s.changed && x == y);
  }
}
#define SAME(T, op, start) \
  same_result<T>([](T& x, T v) { return irgl::atomic_##op(x, v); }, [](T& x, T v) { return irgl::plain_##op(x, v); }, start), \
  same_alone<T>([](T& x, T v) { return irgl::watched_##op<false>(x, v); }, [](T& x, T v) { return irgl::plain_##op(x, v); }, start)

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
  CHECK(irgl::watched_cas<false>(y, T(0), T(1)).changed && y == T(1));
  CHECK(!irgl::watched_cas<false>(y, T(0), T(0)).changed && irgl::watched_cas<false>(y, T(0), T(0)).old == T(1));
  CHECK(irgl::watched_xchg<false>(y, T(0)).old == T(1) && !irgl::watched_xchg<false>(y, T(0)).changed);
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
namespace {
// A number whose operators let two threads meet: the second one (who 2) has read the start (who 0) and computed from it
// when the first (who 1) stores; so it has to look again.
struct Met {
  static inline Met* place = nullptr;
  static inline int second_is_there = 0;
  int32_t value, who;

  static void meet(Met a, Met b) {
    if (a.who != 0 && b.who != 0) return;
    if ((a.who | b.who) == 1) {
      while (irgl::load(second_is_there) == 0) irgl::pause();
    } else {
      irgl::store(second_is_there, 1);
      while (irgl::load(*place).who == 0) irgl::pause();
    }
  }
  friend bool operator<(Met a, Met b) { return meet(a, b), a.value < b.value; }
  friend Met operator|(Met a, Met b) { return meet(a, b), Met{a.value | b.value, 1}; }
  friend Met operator&(Met a, Met b) { return meet(a, b), Met{a.value & b.value, 1}; }
  friend Met operator^(Met a, Met b) { return meet(a, b), Met{a.value ^ b.value, 1}; }
  friend Met operator+(Met a, Met b) { return meet(a, b), Met{a.value + b.value, 1}; }
  friend Met operator-(Met a, Met b) { return meet(a, b), Met{a.value - b.value, 1}; }
};
template <class F>
int32_t both(int32_t start, int32_t first, int32_t second, F update) {
  Met x{start, 0};
  Met::place = &x;
  Met::second_is_there = 0;
#pragma omp parallel num_threads(2)
  update(x, omp_get_thread_num() == 0 ? Met{first, 1} : Met{second, 2});
  return x.value;
}
}  // namespace
CASE(an_update_beside_another_one_is_not_lost) {
  CHECK(both(10, 1, 2, [](Met& x, Met v) { irgl::atomic_min(x, v); }) == 1);
  CHECK(both(10, 30, 20, [](Met& x, Met v) { irgl::atomic_max(x, v); }) == 30);
  CHECK(both(4, 1, 2, [](Met& x, Met v) { irgl::atomic_or(x, v); }) == 7);
  CHECK(both(7, 6, 5, [](Met& x, Met v) { irgl::atomic_and(x, v); }) == 4);
  CHECK(both(4, 1, 2, [](Met& x, Met v) { irgl::atomic_xor(x, v); }) == 7);
  CHECK(both(4, 1, 2, [](Met& x, Met v) { irgl::atomic_add(x, v); }) == 7);
  CHECK(both(7, 1, 2, [](Met& x, Met v) { irgl::atomic_sub(x, v); }) == 4);
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
