// Lists in layers as outlined loops see them: a ListView that knows where each layer begins. The host has it from
// list::layered_view, and takes it back by adopt (list.cuh).
//
//     l.stack(t, other)     other's items join as a layer    l.fits_layer(t, other)     whether there is room for that
//     l.unstack(t, other)   other gets the newest one back   l.fits_unstacked(t, other)
// By all threads of the grid, behind a barrier since the last kernel; stack and unstack have one, and end with one.
#pragma once
#include "launch.cuh"
#include "worklist.cuh"

namespace irgl {

template <class T>
struct LayeredView : ListView<T> {
  counter_t* begins = nullptr;  // of layers; the first is the oldest
  counter_t depth = 0, places = 0;
  bool deeper = false;          // there was no place for one more

  IRGL_DEVICE bool fits_layer(Thread& t, const LayeredView& other) {
    deeper = depth == places;
    return !deeper && this->fits(t, bound{1, 0}, other.items());
  }
  IRGL_DEVICE void stack(Thread& t, const LayeredView& other) {
    const counter_t at = this->size();
    this->update(t, other, [&] { begins[depth] = at; });
    ++depth;
  }
  IRGL_DEVICE bool fits_unstacked(const Thread&, LayeredView& other) const {
    const counter_t count = this->size() - newest();
    if (count > other.capacity && other.spill == nullptr) other.wanted = count;
    return other.wanted == 0;
  }
  IRGL_DEVICE void unstack(Thread& t, LayeredView& other) {
    const counter_t from = newest();
    const ListItems<T> all = this->items();
    const counter_t count = all.size() - from;
    t.sync();
    for (size_t p = t.rank(); p < count; p += t.count()) other.put(p, all.at(from + p));
    if (t.first()) *other.counter = count, *this->counter = from;
    other.most = count;
    other.depth = 0;
    this->most = from;
    if (depth != 0) --depth;
    t.sync();
  }
  IRGL_DEVICE void clear(Thread& t) {
    ListView<T>::clear(t);
    depth = 0;
  }
  IRGL_DEVICE void swap(Thread&, LayeredView& other) {
    const LayeredView was = *this;
    *this = other;
    other = was;
  }

 private:
  IRGL_DEVICE counter_t newest() const { return depth != 0 ? begins[depth - 1] : 0; }
};

namespace detail {
// The host's side: where the layers of a list begin, and memory for the same on the device once a loop asks for it.
struct Layers {
  Table<counter_t> begins;
  counter_t* lent = nullptr;
  size_t places = 0;

  counter_t newest() {  // which is taken away
    const size_t depth = begins.size();
    const counter_t begin = depth != 0 ? begins[depth - 1] : 0;
    if (depth != 0) begins.remove(depth - 1);
    return begin;
  }
  template <class T>
  void lend(Launcher& c, LayeredView<T>& view) {
    make_places(c, begins.size());
    c.copy_in(lent, begins.begin(), begins.size() * sizeof(counter_t));
    view.begins = lent, view.depth = begins.size(), view.places = places;
  }
  template <class T>
  void take_back(Launcher& c, const LayeredView<T>& view) {
    lent = view.begins, places = size_t(view.places);  // those of a list with which it was exchanged
    begins.clear();
    for (counter_t i = 0; i < view.depth; ++i) begins.add(0);
    c.copy_out(begins.begin(), lent, begins.size() * sizeof(counter_t));
    if (view.deeper) make_places(c, places + 1);
  }
  void make_places(Launcher& c, size_t wanted) {  // what is there need not be kept
    if (wanted <= places) return;
    release(c);
    places = 2 * wanted < c.first_capacity(0) ? c.first_capacity(0) : 2 * wanted;
    lent = c.allocate_array<counter_t>(places);
  }
  void release(Launcher& c) { c.release(lent); }
};
}  // namespace detail

}  // namespace irgl
