// stamps<T>: who is in a set, over 0 <= item < universe, as the number of the last round in which each was put there.
// Emptying is the next round, which touches no item; when all numbers have been used, all are zero again.
// (Called monotonic counters in UGF, table 3.1.)
//
//     contains(x)  claim(t, x)  claim_own(t, x)  items()  clear()  swap(other)       as a bytemap's
#pragma once
#include "dense.hpp"

namespace irgl {

template <class T, class Round>
struct StampItems : Unweighted {
  using item = T;
  const Round* base;
  size_t universe;
  Round now;
  StampItems(const Round* b, size_t count, Round round) : base(b), universe(count), now(round) {}
  size_t size() const { return (universe + 63) / 64; }
  size_t cost() const { return 64; }
  size_t cut(size_t chunks, size_t k) const { return size() * k / chunks; }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    for (size_t i = from * 64; i < to * 64 && i < universe; ++i)
      if (base[i] == now) f(T(i));
  }
};

template <class T, class Round = uint32_t>
class stamps {
 public:
  using Items = StampItems<T, Round>;
  stamps(Runtime& c, size_t universe) : c_(&c), universe_(universe), rounds_(universe, true) {}
  Items items() const { return {rounds_.data(), universe_, now_}; }
  IRGL_INLINE bool contains(T x) const { return load(rounds_[size_t(x)]) == now_; }
  IRGL_INLINE bool claim(Thread&, T x) {  // whether x is new
    Round& round = rounds_[size_t(x)];
    return load(round) != now_ && atomic_xchg(round, now_).old != now_;
  }
  IRGL_INLINE bool claim_own(Thread&, T x) {
    Round& round = rounds_[size_t(x)];
    if (load(round) == now_) return false;
    store(round, now_);
    return true;
  }
  void clear() {
    if (++now_ != 0) return;
    Round* p = rounds_.data();
    constexpr size_t piece = 16384;
    const size_t all = universe_;
    for_each(*c_, costly(range<size_t>(0, (all + piece - 1) / piece), 512), [=](Thread&, auto&, size_t k) {
      memset(p + k * piece, 0, (all - k * piece < piece ? all - k * piece : piece) * sizeof(Round));
    });
    now_ = 1;
  }
  void swap(stamps& other) {
    rounds_.swap(other.rounds_);
    size_t u = universe_; universe_ = other.universe_; other.universe_ = u;
    Round r = now_; now_ = other.now_; other.now_ = r;
  }

 private:
  Runtime* c_;
  size_t universe_;
  Array<Round> rounds_;
  Round now_ = 1;
};

}  // namespace irgl
