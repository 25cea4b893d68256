// The lists of a priority worklist's next buckets (buckets.cuh): one for each, of one capacity, side by side in memory.
//
//     near_lists<T> l(c, lists, universe);  l.view()  l.size(k)  l.items(k)  l.push(k, x)  l.clear(k)
//     l.clear()  l.largest()  l.provide(need)  l.spill()  l.adopt(view)             as list<T> does (list.cuh), for all
//     v.counter(k)  v.put(k, at, x)  v.size(k)  v.items(k)  v.largest(from, behind)              in kernels
#pragma once
#include "list.cuh"

namespace irgl {

template <class T>
struct NearView {
  T* data = nullptr;
  T* spill = nullptr;
  counter_t capacity = 0, spill_capacity = 0;  // of each list
  counter_t* sizes = nullptr;
  unsigned lists = 0;
  counter_t most = 0;    // of any list, by now: a bound that all threads of the grid agree on
  counter_t wanted = 0;  // the space that was asked for in vain

  IRGL_BOTH counter_t all() const { return capacity + spill_capacity; }
  IRGL_BOTH counter_t room() const { return capacity > most ? capacity - most : 0; }
  IRGL_DEVICE counter_t* counter(unsigned k) const { return sizes + k; }
  IRGL_DEVICE counter_t size(unsigned k) const { return sizes[k]; }
  IRGL_DEVICE counter_t largest(unsigned from, unsigned behind) const {
    counter_t found = 0;
    for (unsigned k = from; k < behind; ++k) found = detail::larger(found, size(k));
    return found;
  }
  IRGL_DEVICE void put(unsigned k, counter_t at, T x) const {
    if (at < capacity) data[k * capacity + at] = x;
    else if (at - capacity < spill_capacity) spill[k * spill_capacity + at - capacity] = x;
  }
  IRGL_BOTH ListItems<T> items(unsigned k, counter_t count) const {
    return {data + k * capacity, spill + k * spill_capacity, size_t(capacity), size_t(count < all() ? count : all())};
  }
  IRGL_DEVICE ListItems<T> items(unsigned k) const { return items(k, size(k)); }
};

template <class T>
class near_lists {
 public:
  near_lists(Launcher& c, unsigned lists, size_t universe) : c_(&c) {
    if ((view_.lists = lists) == 0) return;
    view_.sizes = c.take_counters(lists);
    view_.capacity = c.first_capacity(universe / lists);
    view_.data = c.allocate_array<T>(size_t(lists * view_.capacity));
  }
  near_lists(const near_lists&) = delete;
  near_lists& operator=(const near_lists&) = delete;
  ~near_lists() {
    c_->release(view_.data);
    c_->drop_vast(view_.spill);
    for (unsigned k = 0; k < view_.lists; ++k) c_->give_counter(view_.sizes + k);
  }

  NearView<T> view() {
    view_.most = largest();
    return view_;
  }
  unsigned lists() const { return view_.lists; }
  counter_t all() const { return view_.all(); }
  counter_t capacity() const { return view_.capacity; }
  counter_t size(unsigned k) {
    if (counted(k) > view_.capacity) absorb();
    return counted(k);
  }
  counter_t counted(unsigned k) { return c_->read(view_.sizes + k); }  // which need not be there
  counter_t largest() {
    counter_t found = 0;
    for (unsigned k = 0; k < view_.lists; ++k) found = detail::larger(found, size(k));
    return found;
  }
  counter_t room() { return view_.lists == 0 ? no_bound : view_.capacity - largest(); }
  ListItems<T> items(unsigned k) {
    const counter_t count = size(k);
    return view_.items(k, count);
  }
  void clear(unsigned k) {
    if (counted(k) != 0) c_->write(view_.sizes + k, 0);
  }
  void clear() {
    for (unsigned k = 0; k < view_.lists; ++k) clear(k);
  }
  void push(unsigned k, T x) {
    const counter_t at = size(k);
    grow(at + 1);
    c_->copy_in(view_.data + k * view_.capacity + at, &x, sizeof(T));
    c_->write(view_.sizes + k, at + 1);
  }
  void provide(counter_t need) {
    if (need > room()) make_room(largest() + need);
  }
  bool spills() const { return view_.spill != nullptr; }
  void spill() {
    if (spills() || view_.lists == 0) return;
    const Vast<T> vast = c_->template make_vast<T>(for_device);
    view_.spill = vast.data;
    view_.spill_capacity = vast.capacity / view_.lists;
  }
  void adopt(const NearView<T>& view) {
    const counter_t wanted = view_.lists == 0 ? 0 : view.wanted;
    if (wanted == no_bound) spill();
    else if (wanted > view_.capacity) make_room(wanted);
  }

 private:
  void make_room(counter_t wanted) {  // as list::make_room
    if (c_->takes(wanted, sizeof(T) * view_.lists)) grow(wanted);
    else spill();
  }
  void grow(counter_t wanted) {  // at least, and to what any list holds
    if (wanted <= view_.capacity || view_.lists == 0) return;
    if (wanted < 2 * view_.capacity) wanted = 2 * view_.capacity;
    for (unsigned k = 0; k < view_.lists; ++k) wanted = detail::larger(wanted, held(k));
    T* larger = c_->allocate_array<T>(size_t(view_.lists * wanted));
    if (larger == nullptr) return;
    for (unsigned k = 0; k < view_.lists; ++k) {
      const counter_t now = held(k), kept = now < view_.capacity ? now : view_.capacity;
      T* const to = larger + k * wanted;
      c_->copy_over(to, view_.data + k * view_.capacity, size_t(kept) * sizeof(T));
      c_->copy_over(to + kept, view_.spill + k * view_.spill_capacity, size_t(now - kept) * sizeof(T));
    }
    c_->release(view_.data);
    view_.data = larger;
    view_.capacity = wanted;
    ++c_->worklist_growths;
  }
  void absorb() {  // what lies in the spills comes home
    counter_t most = 0;
    for (unsigned k = 0; k < view_.lists; ++k) {
      if (counted(k) > view_.all()) c_->fault(memory_fault), c_->write(view_.sizes + k, view_.all());
      most = detail::larger(most, counted(k));
    }
    grow(most);
  }
  counter_t held(unsigned k) { return counted(k) < view_.all() ? counted(k) : view_.all(); }

  Launcher* c_;
  NearView<T> view_;
};

}  // namespace irgl
