// ordered<T, By>: the buckets of a priority queue (buckets.hpp), of which nobody sees those that hold nobody any more.
//
//     irgl::ordered<node_t, By> wl(c, universe, by);
//     wl.push(t, x)                  files x in the bucket of its property, by.bucket(x)
//     while (!wl.empty()) ...        does anybody wait? The next bucket is chosen, as by
//     wl.choose();                   in front of what runs items: unless one is chosen that has not run
//     by.waits(x, running)           is x in the queue, in that bucket or before it? What waits in buckets may be stale
// What is filed at or before the bucket that was chosen last is of it: of the one that ran, until the next is chosen.
#pragma once
#include "buckets.hpp"

namespace irgl {

template <class T, class By>
class ordered : public buckets<T> {
 public:
  ordered(Runtime& c, size_t universe, const By& by) : buckets<T>(c, universe), by_(by) {}
  using buckets<T>::push;
  void push(Thread& t, T x) { push(t, x, by_.bucket(x)); }
  bool empty() { return !choose(); }
  bool more() { return chosen_ = buckets<T>::more(); }
  int64_t priority() const { return begun_ ? buckets<T>::priority() : 0; }
  bool choose() {
    const int64_t last = buckets<T>::priority();
    while (!chosen_ && this->advance()) {
      const auto found = this->items();
      for (int i = 0; i < found.count && !chosen_; ++i)
        for (size_t k = 0; k < found.start[i + 1] - found.start[i] && !chosen_; ++k)
          chosen_ = by_.waits(found.parts[i].data[k], buckets<T>::priority());
    }
    begun_ |= chosen_;
    if (!chosen_) this->back_to(last);
    return chosen_;
  }

 private:
  By by_;
  bool chosen_ = false;  // a bucket, which has not run
  bool begun_ = false;   // was any chosen?
};

}  // namespace irgl
