// Two kinds made of others: count, which knows only how many were pushed, and set, a list without duplicates, in which
// the first push claims a byte per item, a bit (set<T, by_bit>) or the round's number (set<T, by_round>: stamps.cuh).
// claim(t, x) is push that tells whether x was new.
#pragma once
#include "stamps.cuh"

namespace irgl {

// A list that keeps no items: nothing is ever put, so it needs no space.
template <class T>
struct CountView : ListView<T> {
  IRGL_DEVICE void push(Thread&, T) const { atomicAdd(this->counter, counter_t(1)); }
  IRGL_DEVICE void push_warp(Thread&, bool flag, T) const { take_warp(this->counter, warp_place_flag(flag)); }
  IRGL_DEVICE void push_block(Thread&, bool flag, T) const { take_block(this->counter, warp_place_flag(flag)); }
  IRGL_DEVICE void put(counter_t, T) const {}
  template <class R>
  IRGL_DEVICE bool fits(Thread&, bound, const R&) { return true; }
  IRGL_DEVICE void push_first(Thread& t, T x) const {
    if (t.first()) push(t, x);
    t.sync();
  }
  IRGL_DEVICE void swap(Thread& t, CountView& other) { ListView<T>::swap(t, other); }
};
template <class T>
class count {
 public:
  using item = T;
  using View = CountView<T>;

  count(Launcher& c, size_t) : c_(&c) {
    view_.counter = c.take_counter();
    view_.spare = c.take_spare();
  }
  count(const count&) = delete;
  count& operator=(const count&) = delete;
  ~count() {
    c_->give_counter(view_.counter);
    c_->give_counter(view_.spare);
  }
  View view() const { return view_; }
  counter_t size(HostBase& c) { return c.read(view_.counter); }
  bool empty(HostBase& c) { return size(c) == 0; }
  void clear(HostBase& c) { c.write(view_.counter, 0); }
  void push(HostBase& c, T) { c.write(view_.counter, size(c) + 1); }
  void swap(HostBase&, count& other) {
    const View was = view_;
    view_ = other.view_;
    other.view_ = was;
  }
  void update(HostBase& c, count& other) { c.write(view_.counter, size(c) + other.size(c)); }
  template <class R>
  void reserve_for(HostBase&, bound, const R&) {}
  void spill() {}
  void adopt(HostBase&, const View& view) { view_ = view; }

 private:
  Launcher* c_;
  View view_;
};

struct by_byte {
  template <class T>
  using Claims = detail::Dense<T, detail::Bytes>;
};
struct by_bit {
  template <class T>
  using Claims = detail::Dense<T, detail::Bits>;
};
template <unsigned last>
struct by_round_until {
  template <class T>
  using Claims = stamps<T, last>;
};
using by_round = by_round_until<~0u>;

template <class T, class How = by_byte>
struct SetView {
  using item = T;
  using Claims = typename How::template Claims<T>::View;
  ListView<T> list;
  Claims claims;

  IRGL_DEVICE bool contains(T x) const { return claims.contains(x); }
  IRGL_DEVICE bool claim(Thread& t, T x) const {
    if (!claims.claim(t, x)) return false;
    list.push(t, x);
    return true;
  }
  IRGL_DEVICE void push(Thread& t, T x) const { claim(t, x); }
  IRGL_DEVICE void push_own(Thread& t, T x) const { claim(t, x); }
  template <bool>
  IRGL_DEVICE void push_of(Thread& t, T x) const { claim(t, x); }
  IRGL_DEVICE void push_warp(Thread& t, bool flag, T x) const { list.push_warp(t, flag && claims.claim(t, x), x); }
  IRGL_DEVICE void push_block(Thread& t, bool flag, T x) const { list.push_block(t, flag && claims.claim(t, x), x); }
  IRGL_DEVICE ListItems<T> items() const { return list.items(); }
  // No more than the universe, whatever a kernel pushes: so the first capacity is enough, unless it was chosen smaller.
  template <class R>
  IRGL_DEVICE bool fits(Thread& t, bound b, const R& range) {
    if constexpr (Claims::counts_rounds) {
      if (claims.spent()) return false;
    }
    if (list.capacity >= claims.universe) return true;
    if (b.unknown()) list.wanted = claims.universe;
    return !b.unknown() && list.fits(t, b, range);
  }
  IRGL_DEVICE counter_t size() const { return list.size(); }
  IRGL_DEVICE counter_t size(const Thread& t) const { return list.size(t); }
  IRGL_DEVICE bool empty(const Thread& t) const { return list.empty(t); }
  IRGL_DEVICE void prepare(Thread& t) const {
    list.prepare(t);
    claims.prepare(t);
  }
  IRGL_DEVICE void flip() {
    list.flip();
    claims.flip();
  }
  // Of the claims those that were made, which are few where rounds are. Who asks contains has done so before a barrier.
  IRGL_DEVICE void clear(Thread& t) {
    if constexpr (Claims::counts_rounds) {
      claims.flip();
    } else {
      const ListItems<T> all = list.items();
      for (size_t p = t.rank(); p < all.size(); p += t.count()) claims.forget(all.at(p));
    }
    list.clear(t);
  }
  IRGL_DEVICE void swap(Thread& t, SetView& other) {
    list.swap(t, other.list);
    claims.swap(t, other.claims);
  }
  IRGL_DEVICE void push_first(Thread& t, T x) {
    if (t.first()) push(t, x);
    ++list.most;
    t.sync();
  }
  template <class L>
  IRGL_DEVICE void update(Thread& t, const L& other) { update_from(t, other.items()); }
  template <class R>
  IRGL_DEVICE void update_from(Thread& t, const R& range) {
    for_each<Block>(t, range, [&](Thread& t, bool valid, T x) { push_block(t, valid && x >= 0, x); });
    list.most += range.size();
    t.sync();
  }
};
template <class T, class How = by_byte>
class set {
 public:
  using item = T;
  using View = SetView<T, How>;

  set(Launcher& c, size_t universe) : universe_(universe), list_(c, universe), claims_(c, universe) {}
  View view() { return {list_.view(), claims_.view()}; }
  ListItems<T> items(HostBase& c) { return list_.items(c); }
  counter_t size(HostBase& c) { return list_.size(c); }
  bool empty(HostBase& c) { return list_.empty(c); }
  bool contains(HostBase& c, T x) const { return claims_.contains(c, x); }
  void clear(HostBase& c) {
    list_.clear(c);
    claims_.clear(c);
  }
  void push(Launcher& c, T x) { update_from(c, Interval<T>(x, T(x + 1))); }
  void swap(HostBase& c, set& other) {
    list_.swap(c, other.list_);
    claims_.swap(c, other.claims_);
  }
  template <class R>
  void update_from(Launcher& c, const R& range) {
    if (range.size() == 0) return;
    reserve_for(c, bound{1, 0}, range);
    c.launch(detail::join_kernel<View, R>, range.size(), c.device_runtime(), view(), range);
  }
  template <class L>
  void update(Launcher& c, L& other) { update_from(c, other.items(c)); }
  template <class R>
  void reserve_for(Launcher& c, bound b, const R& range) {
    if (b.unknown()) list_.grow(universe_);
    else if (list_.capacity() < universe_) list_.reserve_for(c, b, range);
  }
  void spill() { list_.spill(); }
  void adopt(HostBase& c, const View& view) {
    list_.adopt(c, view.list);
    claims_.adopt(c, view.claims);
  }

 private:
  size_t universe_;
  list<T> list_;
  typename How::template Claims<T> claims_;
};

}  // namespace irgl
