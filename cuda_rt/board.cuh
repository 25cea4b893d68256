// What the threads of a block show each other in a nested loop (nested.cuh): ranges, closures, sums, parts.
//
//     irgl::closure(a, b...)     values of the thread that brings a range, for whoever runs its items
//     irgl::Boards<irgl::Board<DEPTH, NP, irgl::closure_t<A...>, PARTS...>...>
//         all nested loops of a kernel, where they differ: those that are not open at the same time take turns with the
//         same shared memory. A nested loop that is not told of others has its own.
// A block has 48 KB. Where the boards of a kernel want more, a loop's ranges are brought in several rounds, each by as
// many threads as there are slots.
#pragma once
#include "schedulers.cuh"

namespace irgl {
namespace detail {

template <class Seq, class... A>
struct Closure;
template <size_t... I, class... A>
struct Closure<std::index_sequence<I...>, A...> {
  row_t<A...> values;
  // f(t, valid, item, closure's values..., accumulators...)
  template <class P, class Op, class... Item>
  IRGL_DEVICE void call(Op& op, typename P::Local& part, Thread& t, bool valid, Item... item) const {
    P::call(op, part, t, valid, item..., get<I>(values)...);
  }
};

// What threads show each other of a range, and what reads items of it: of rows in another form something else.
template <class R>
struct Items {
  using Row = R;
  struct Reader {
    IRGL_DEVICE typename R::item at(const R&, const R& row, size_t p) const { return row.at(p); }
  };
  static IRGL_DEVICE const R& row(const R& range) { return range; }
  static IRGL_DEVICE constexpr size_t unit(const R&) { return 1; }
};

template <class R, class C>
struct Load : C {  // what a thread brings; the closure is a base, for it may be empty
  R range;
  IRGL_DEVICE Load(const R& r, const C& closure) : C(closure), range(r) {}
};

struct Wanted {  // what a thread brings whose edges a form keeps beside those of others (swept.cuh)
  bool wanted;
};

// The board of one loop; Parts: a row of what each range's items are combined into.
template <int np, class R, class C, class Parts, bool combines>
struct Layout {
  static constexpr bool coarse = (np & (TB | WP)) != 0, cuts = (np & CUT) != 0, weaves = np == WV;
  static constexpr bool fine = (np & FG) != 0 || weaves;
  using start_t = std::conditional_t<coarse, unsigned, counter_t>;  // coarse: FG has less than a block from each thread

  template <unsigned slots>
  struct Memory {
    Load<R, C> load[slots];
    start_t start[fine ? slots : 1];  // FG, WV: where the items of each thread begin; a sweep: which part it is
    Parts part[combines ? slots : 1];  // of the thread that brought the range
    unsigned mark[weaves ? block_size : 1];  // WV: where lanes with another owner begin
    // Which lanes have a range for the block; cut.cuh; WV: whose each start is.
    unsigned big[weaves ? slots + 1 : cuts ? 2 * warps + 1 : (np & TB) != 0 ? warps : 1];
  };
  // Rounds of equally many threads: the fewest whose board is no larger than that.
  template <size_t limit, unsigned rounds = 1>
  static constexpr unsigned rounds_within() {
    if constexpr (rounds == block_size || sizeof(Memory<block_size / rounds>) <= limit) return rounds;
    else return rounds_within<limit, rounds == warp_size ? block_size : 2 * rounds>();
  }
  template <size_t limit>
  static constexpr size_t bytes() {
    return (sizeof(Memory<block_size / rounds_within<limit>()>) + 15) / 16 * 16;
  }
};

constexpr size_t board_room = 47 * 1024;  // of 48 KB; the rest is for collectives (collective.cuh)

struct Alone {  // a loop that is told of no other
  static constexpr size_t limit = board_room;
  template <int>
  static constexpr size_t bytes = 0;
};

template <size_t bytes, int depth>
IRGL_DEVICE void* slab() {
  alignas(16) __shared__ unsigned char memory[bytes];
  return memory;
}
IRGL_BOTH constexpr unsigned power_upto(unsigned n) { return n < 2 ? n : 2 * power_upto(n / 2); }

template <size_t... I, class... A>
IRGL_DEVICE Closure<std::index_sequence<I...>, A...> make_closure(std::index_sequence<I...>, const A&... a) {
  return {{Slot<I, A>{a}...}};
}
}  // namespace detail

template <class... A>
using closure_t = detail::Closure<std::index_sequence_for<A...>, A...>;
template <class... A>
IRGL_DEVICE closure_t<A...> closure(const A&... a) {
  return detail::make_closure(std::index_sequence_for<A...>(), a...);
}

template <int d, int np, class Brought, class C, class... Parts>
struct BoardOf {
  static constexpr int depth = d;
  using Row = detail::row_t<detail::wide_t<Parts>...>;
  using Layout = detail::Layout<np, Brought, C, Row, sizeof...(Parts) != 0>;
  template <size_t limit>
  static constexpr size_t bytes(int of) { return of == depth ? Layout::template bytes<limit>() : 0; }
};
template <int depth, int np, class C, class... Parts>
using Board = BoardOf<depth, np, std::conditional_t<np == Sweep, detail::Wanted, Interval<edge_t>>, C, Parts...>;

template <class... B>
class Boards {
  static constexpr int most_depth = 64;

  template <size_t limit>
  static constexpr size_t largest(int depth) {
    size_t most = 0;
    for (const size_t bytes : {B::template bytes<limit>(depth)...}) most = bytes > most ? bytes : most;
    return most;
  }
  static constexpr size_t fair() {  // all of them as they are, or equal shares for all depths that there are
    size_t sum = 0, depths = 0;
    for (int d = 0; d < most_depth; ++d) sum += largest<~size_t(0)>(d), depths += largest<~size_t(0)>(d) != 0;
    return sum <= detail::board_room ? sum : detail::board_room / depths / 16 * 16;
  }
  static_assert(((B::depth < most_depth) && ...));

 public:
  static constexpr size_t limit = fair();
  template <int depth>
  static constexpr size_t bytes = largest<limit>(depth);
};

}  // namespace irgl
