// Ids, the graph view and small values that every other header uses: the twin of cpu_rt/types.hpp.
//
// Widths are chosen per unit:  -DIRGL_NODE_BITS=32|64  -DIRGL_EDGE_BITS=32|64. A generated unit extends the view with
// its properties and passes it by value. In a Csr that kernels take, all pointers are device memory; the host's own
// view of the same graph is c.host(g). The invariants are those of the CPU's Csr. Functions marked IRGL_BOTH run on
// host and device, IRGL_DEVICE on the device alone.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#ifndef IRGL_NODE_BITS
#define IRGL_NODE_BITS 32
#endif
#ifndef IRGL_EDGE_BITS
#define IRGL_EDGE_BITS 32
#endif
#ifndef IRGL_BLOCK
#define IRGL_BLOCK 256
#endif
#define IRGL_BOTH __host__ __device__ __forceinline__
#define IRGL_DEVICE __device__ __forceinline__

namespace irgl {

using node_t = std::conditional_t<IRGL_NODE_BITS == 64, int64_t, int32_t>;
using edge_t = std::conditional_t<IRGL_EDGE_BITS == 64, int64_t, int32_t>;
using counter_t = unsigned long long;  // the 64-bit type that CUDA's atomics know

constexpr unsigned block_size = IRGL_BLOCK;  // of every launch
constexpr unsigned warp_size = 32;
constexpr unsigned all_lanes = 0xffffffffu;
static_assert(block_size % warp_size == 0 && block_size >= warp_size && block_size <= 1024);

// Who meets in an operator's collectives, and who runs nested loops (any combination: TB | WP | FG; or one other).
enum Scope { One, Warp, Block, Grid };
enum NP { Serial = 0, TB = 1, WP = 2, FG = 4, Sweep = 8, CUT = 16, WF = 32, WV = 64 };
IRGL_BOTH constexpr int cut(int stage) { return CUT | stage << 8; }  // with so many threads for what is left of a range

// The edges of one direction, row by row: the form that `format=csr` has (rows.cuh says what every form offers).
struct Rows {
  node_t n = 0;
  const edge_t* row = nullptr;
  const node_t* cols = nullptr;
  const edge_t* eid = nullptr;
  edge_t max_degree = 0;
};

struct Csr {
  node_t n = 0;
  edge_t m = 0;
  const edge_t* row = nullptr;
  const node_t* cols = nullptr;
  const edge_t* in_row = nullptr;
  const node_t* in_cols = nullptr;
  const edge_t* in_eid = nullptr;
  bool directed = true;
  edge_t max_degree = 0, max_in_degree = 0;  // bounds of space (worklist.cuh)

  IRGL_BOTH Rows out() const { return {n, row, cols, nullptr, max_degree}; }
  IRGL_BOTH Rows in() const { return {n, in_row, in_cols, in_eid, max_in_degree}; }
};

// What a reduction yields: the value before it, and whether the location now holds another one.
template <class T>
struct Reduced {
  T old;
  bool changed;
};

// What a kernel returns: ReduceAndReturn's values combined both ways, and whether there was any item at all.
struct Value {
  bool any = false, all = true, items = false;
};

template <class T>
using same_t = std::common_type_t<T>;  // a parameter that takes its type from another one alone

namespace detail {
template <class T>
IRGL_BOTH T extreme_pair(bool high);  // of a struct of two fields
}  // namespace detail
template <class T>
IRGL_BOTH constexpr T highest() {
  if constexpr (std::is_class_v<T>) return detail::extreme_pair<T>(true);
  else if constexpr (std::is_same_v<T, float>) return __builtin_inff();
  else if constexpr (std::is_same_v<T, double>) return __builtin_inf();
  else if constexpr (std::is_same_v<T, bool>) return true;
  else if constexpr (std::is_signed_v<T>) return T(~(std::make_unsigned_t<T>(1) << (sizeof(T) * 8 - 1)));
  else return T(~T(0));
}
template <class T>
IRGL_BOTH constexpr T lowest() {
  if constexpr (std::is_class_v<T>) return detail::extreme_pair<T>(false);
  else if constexpr (std::is_floating_point_v<T>) return -highest<T>();
  else if constexpr (std::is_same_v<T, bool>) return false;
  else return T(~highest<T>());
}

// The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
IRGL_BOTH constexpr uint64_t hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

namespace detail {
template <size_t> struct BitsOf;
template <> struct BitsOf<1> { using type = uint8_t; };
template <> struct BitsOf<2> { using type = uint16_t; };
template <> struct BitsOf<4> { using type = unsigned; };
template <> struct BitsOf<8> { using type = unsigned long long; };
template <class T> using bits_t = typename BitsOf<sizeof(T)>::type;
template <class T> using word_t __attribute__((may_alias)) = bits_t<T>;

template <class To, class From>
IRGL_BOTH To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else {
#ifdef __IRGL_EMU__  // of registers: nothing that a copy in memory would have it count
    return __builtin_bit_cast(To, from);
#else
    To to;
    memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(To));
    return to;
#endif
  }
}
template <class T>
IRGL_BOTH bool same(T a, T b) { return bit_cast<bits_t<T>>(a) == bit_cast<bits_t<T>>(b); }

template <class T>
IRGL_BOTH T extreme_pair(bool high) {
  T pair{};
  auto& [a, b] = pair;
  using A = std::remove_reference_t<decltype(a)>;
  using B = std::remove_reference_t<decltype(b)>;
  a = high ? highest<A>() : lowest<A>();
  b = high ? highest<B>() : lowest<B>();
  return pair;
}
template <class T>
constexpr bool is_int = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T, bool = is_int<T>>
struct Modular { using type = T; };
template <class T>
struct Modular<T, true> { using type = std::conditional_t<(sizeof(T) < 4), unsigned, std::make_unsigned_t<T>>; };
template <class T> using modular_t = typename Modular<T>::type;
}  // namespace detail

// Sums, differences and products. Whole numbers wrap around: of signed ones that overflow nvcc assumes, as C++ lets it,
// that there are none.
template <class T>
IRGL_BOTH T plus(same_t<T> a, same_t<T> b) { return T(detail::modular_t<T>(a) + detail::modular_t<T>(b)); }
template <class T>
IRGL_BOTH T minus(same_t<T> a, same_t<T> b) { return T(detail::modular_t<T>(a) - detail::modular_t<T>(b)); }
template <class T>
IRGL_BOTH T times(same_t<T> a, same_t<T> b) { return T(detail::modular_t<T>(a) * detail::modular_t<T>(b)); }
template <class T>
IRGL_BOTH T negative(same_t<T> a) {
  if constexpr (detail::is_int<T>) return minus<T>(T(0), a);
  else return T(-a);
}
}  // namespace irgl
