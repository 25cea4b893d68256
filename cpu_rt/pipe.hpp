// Lists of a Pipe, with Respawn and Retry.
//
//     irgl::Pipe<irgl::list<node_t>> wl(c, g.n);
//     wl.push(t, x)      x is for the next invocation (out list); from the host before the loop: wl.in.push(c.host(), x)
//     wl.respawn(t, x)   run x again within this invocation, asynchronously: the thread that respawned it works it off
//                        after its own share, first in first out, as long as it has fewer than c.fuse_limit waiting;
//                        more are shared with all threads in a further round of this invocation
//     wl.respawn(t, x, irgl::rank_least(v))    the same, x having just got the value v: a thread takes the least first
//     wl.items(irgl::ranked<drops>(rank))      items whose rank the function tells: a thread alone takes them in that
//                        order from the start. drops: one that came back and has another rank meanwhile needn't be run,
//                        since it has come back with that, too
//     wl.retry(t, x)     run x again within this invocation, in a further round (the operator failed and returns)
//     irgl::Pipe<L, false>    the same for kernels that never respawn or retry (more() is false): cheaper small rounds
// One invocation of a kernel over the in list, and the step to the next:
//     do irgl::for_each(c, irgl::by_degree(g.out(), wl.items()), op); while (wl.more());
//     wl.advance();                                  in = what was pushed, out = empty
// A kernel that runs over something else (nodes(g)) and may respawn: irgl::Retries<node_t> again(c); then
//     irgl::for_each(c, irgl::by_degree(g.out(), again.with(irgl::nodes(g))), op);
//     while (again.more()) irgl::for_each(c, irgl::by_degree(g.out(), again.items()), op);
// Progress: a round of few retried items is run by one thread (c.serial_work), where no Exclusive fails.
#pragma once
#include "retries.hpp"

namespace irgl {
template <class L, bool respawns = true>
class Pipe {
 public:
  using item = typename L::item;
  explicit Pipe(Runtime& c, size_t universe = 0) : in(c, universe), out(c, universe), again_(c) {}
  IRGL_INLINE void push(Thread& t, item x) { out.push(t, x); }
  IRGL_INLINE void push_own(Thread& t, item x) { out.push_own(t, x); }  // dense kinds and sets: see there
  template <bool shared>
  IRGL_INLINE void push_of(Thread& t, item x) { out.template push_of<shared>(t, x); }
  template <class... Rank>
  IRGL_INLINE void respawn(Thread& t, item x, Rank... rank) { again_.respawn(t, x, rank...); }
  IRGL_INLINE void retry(Thread& t, item x) { again_.retry(t, x); }

  auto items() {
    if constexpr (respawns) return again_.with(in.items());
    else return in.items();
  }
  template <class Rank>
  auto items(const Rank& rank) { return again_.with(in.items(), rank); }
  bool more() {
    if (!respawns || !again_.more()) return false;
    if constexpr (std::is_same_v<L, list<item>>) in.swap(again_.front());
    else in.clear(), in.update(again_.front());
    return true;
  }
  void advance() {
    in.swap(out);
    out.clear();
  }
  bool empty() { return in.empty(); }
  size_t size() { return in.size(); }
  void clear() { in.clear(), out.clear(); }

  L in, out;

 private:
  Retries<item> again_;
};

}  // namespace irgl
