// The lists of a Pipe: in, what the round works on; out, what it pushes for the next; again, what it respawns or
// retries within the invocation. The same words on the host (Pipe, with the context) and in kernels (PipeView, with the
// thread).
//
//     irgl::Pipe<irgl::list<node_t>, respawns> wl(c, universe);   respawns == false: neither Respawn nor Retry
//     wl.in_push(c, x)  wl.in_update(c, RANGE)         before the loop: Initial
//     do kernel over wl.items(); while (wl.more(x));   one invocation of a kernel that respawns
//     wl.advance(x)                                    in = what was pushed, out = empty; one barrier on the device
//     wl.reserve_for(c, bound, RANGE)  wl.fits(t, bound, RANGE)   for out and again alike
#pragma once
#include "list.cuh"

namespace irgl {
namespace detail {
struct Nothing {};
}  // namespace detail

template <class L, bool respawns = false>
struct PipeView {
  using item = typename L::item;
  using List = typename L::View;
  List in, out;
  std::conditional_t<respawns, ListView<item>, detail::Nothing> again;
  std::conditional_t<respawns, unsigned, detail::Nothing> tries{};  // rounds of this invocation before this one

  IRGL_DEVICE auto items() const { return in.items(); }
  IRGL_DEVICE void push(Thread& t, item x) const { out.push(t, x); }
  IRGL_DEVICE void push_own(Thread& t, item x) const { out.push_own(t, x); }
  template <bool shared> IRGL_DEVICE void push_of(Thread& t, item x) const { out.template push_of<shared>(t, x); }
  IRGL_DEVICE void push_warp(Thread& t, bool flag, item x) const { out.push_warp(t, flag, x); }
  IRGL_DEVICE void push_block(Thread& t, bool flag, item x) const { out.push_block(t, flag, x); }
  IRGL_DEVICE void respawn(Thread& t, item x) const { again.push(t, x); }
  IRGL_DEVICE void respawn_warp(Thread& t, bool flag, item x) const { again.push_warp(t, flag, x); }
  IRGL_DEVICE void respawn_block(Thread& t, bool flag, item x) const { again.push_block(t, flag, x); }
  IRGL_DEVICE void retry(Thread& t, item x) const { again.push(t, x); }
  IRGL_DEVICE void retry_warp(Thread& t, bool flag, item x) const { again.push_warp(t, flag, x); }
  IRGL_DEVICE void retry_block(Thread& t, bool flag, item x) const { again.push_block(t, flag, x); }
  IRGL_DEVICE counter_t reserve_one(Thread& t, counter_t k) const { return out.reserve_one(t, k); }
  IRGL_DEVICE counter_t reserve_warp(Thread& t, counter_t k) const { return out.reserve_warp(t, k); }
  IRGL_DEVICE counter_t reserve_block(Thread& t, counter_t k) const { return out.reserve_block(t, k); }
  IRGL_DEVICE void put(counter_t at, item x) const { out.put(at, x); }
  IRGL_DEVICE counter_t again_one(Thread& t, counter_t k) const { return again.reserve_one(t, k); }
  IRGL_DEVICE counter_t again_warp(Thread& t, counter_t k) const { return again.reserve_warp(t, k); }
  IRGL_DEVICE counter_t again_block(Thread& t, counter_t k) const { return again.reserve_block(t, k); }
  IRGL_DEVICE void put_again(counter_t at, item x) const { again.put(at, x); }

  IRGL_DEVICE counter_t size() const { return in.size(); }
  IRGL_DEVICE counter_t size(Thread& t) const { return in.size(t); }
  IRGL_DEVICE bool empty(Thread& t) const { return in.empty(t); }
  IRGL_DEVICE bool spilled(const Thread& t) const { return in.spilled(t); }
  template <class Bound, class R>
  IRGL_DEVICE bool fits(Thread& t, Bound b, const R& range) {
    bool enough = out.fits(t, b, range);
    if constexpr (respawns) enough = again.fits(t, b, range) && enough;
    return enough;
  }
  IRGL_DEVICE void advance(Thread& t) {
    in.prepare(t);
    t.sync();
    in.swap(t, out);
    out.flip();
  }
  IRGL_DEVICE bool more(Thread& t) {
    if constexpr (respawns) {
      in.prepare(t);
      t.sync();
      tries = t.halted || again.empty(t) ? 0 : tries + 1;
      if (tries == 0) return false;
      if constexpr (std::is_same_v<List, ListView<item>>) {
        in.swap(t, again);
        again.flip();
      } else {
        in.flip();
        in.update_from(t, again.items());
        again.clear(t);
      }
      return true;
    } else {
      return false;
    }
  }
};

template <class L, bool respawns>
class Pipe {
 public:
  using item = typename L::item;
  using View = PipeView<L, respawns>;
  L in, out;

  Pipe(Launcher& c, size_t universe) : in(c, universe), out(c, universe), again_(c, universe) {}

  View view() {
    View v;
    v.in = in.view();
    v.out = out.view();
    if constexpr (respawns) v.again = again_.list.view(), v.tries = tries_;
    return v;
  }
  auto items(Launcher& c) { return in.items(c); }
  counter_t size(Launcher& c) { return in.size(c); }
  bool empty(Launcher& c) { return in.empty(c); }
  void push(Launcher& c, item x) { out.push(c, x); }
  void in_push(Launcher& c, item x) { in.push(c, x); }
  template <class R>
  void in_update(Launcher& c, const R& range) { in.update_from(c, range); }
  void clear(Launcher& c) {
    in.clear(c);
    out.clear(c);
  }
  void advance(Launcher& c) {
    in.swap(c, out);
    out.clear(c);
  }
  bool more(Launcher& c) {
    if constexpr (respawns) {
      tries_ = c.halted() || again_.list.empty(c) ? 0 : tries_ + 1;
      if (tries_ == 0) return false;
      if constexpr (std::is_same_v<L, list<item>>) {
        in.swap(c, again_.list);
      } else {
        in.clear(c);
        in.update_from(c, again_.list.items(c));
      }
      again_.list.clear(c);
      return true;
    } else {
      return false;
    }
  }
  template <class Bound, class R>
  void reserve_for(Launcher& c, Bound b, const R& range) {
    out.reserve_for(c, b, range);
    if constexpr (respawns) again_.list.reserve_for(c, b, range);
  }
  void spill() {
    in.spill();
    out.spill();
    if constexpr (respawns) again_.list.spill();
  }
  void adopt(Launcher& c, const View& v) {
    in.adopt(c, v.in);
    out.adopt(c, v.out);
    if constexpr (respawns) again_.list.adopt(c, v.again), tries_ = v.tries;
  }

 private:
  struct Again {
    irgl::list<item> list;
    Again(Launcher& c, size_t universe) : list(c, universe) {}
  };
  struct NoAgain {
    NoAgain(Launcher&, size_t) {}
  };
  std::conditional_t<respawns, Again, NoAgain> again_;
  unsigned tries_ = 0;
};

}  // namespace irgl
