// Who is in a set, as the number of the last round in which each was put there: emptying is the next round, which
// touches no item. When the last number has come, which no item ever gets, what is pushed next waits for the host,
// which makes all numbers zero. (Called monotonic counters in UGF, table 3.1.) The words are those of dense.cuh.
//
//     spent()       the last number has come, and the set is empty
//     flip()        the next round
#pragma once
#include "dense.cuh"

namespace irgl {

template <class T, unsigned last>
struct StampView {
  using item = T;
  static constexpr bool counts_rounds = true;
  unsigned* rounds = nullptr;
  unsigned now = 1;
  size_t universe = 0;

  IRGL_BOTH bool spent() const { return now == last; }
  IRGL_DEVICE bool contains(T x) const { return load(rounds[size_t(x)]) == now; }
  IRGL_DEVICE bool claim(const Thread&, T x) const {
    return !contains(x) && atomic_xchg(rounds[size_t(x)], now).old != now;
  }
  IRGL_DEVICE void prepare(Thread&) const {}
  IRGL_BOTH void flip() { now += now != last; }
  IRGL_DEVICE void swap(Thread&, StampView& other) {
    const StampView was = *this;
    *this = other;
    other = was;
  }
};

template <class T, unsigned last>
class stamps {
 public:
  using View = StampView<T, last>;

  stamps(Launcher& c, size_t universe) : c_(&c) {
    view_.universe = universe;
    view_.rounds = c.allocate_array<unsigned>(universe);
    renew(c);
  }
  stamps(const stamps&) = delete;
  stamps& operator=(const stamps&) = delete;
  ~stamps() { c_->release(view_.rounds); }
  View view() const { return view_; }
  bool contains(HostBase& c, T x) const {
    unsigned round = 0;
    c.copy_out(&round, view_.rounds + size_t(x), sizeof round);
    return round == view_.now;
  }
  void clear(HostBase& c) {
    view_.flip();
    if (view_.spent()) renew(c);
  }
  void swap(HostBase&, stamps& other) { std::swap(view_, other.view_); }
  void adopt(HostBase& c, const View& view) {
    view_ = view;
    if (view_.spent()) renew(c);
  }

 private:
  void renew(HostBase& c) {  // where the set is empty
    c.zero(view_.rounds, view_.universe * sizeof(unsigned));
    view_.now = 1;
  }
  Launcher* c_;
  View view_;
};

}  // namespace irgl
