// list<T>: the host's side of a list. Its words are those of kernels, with the Context in the Thread's place.
//
//     irgl::list<T> l(c, universe);  l.view()          what kernels take
//     l.push(c, x)  l.size(c)  l.empty(c)  l.clear(c)  l.swap(c, other)  l.update(c, other)  l.update_from(c, RANGE)
//     l.items(c)                                       the range, whose size the host knows
//     l.reserve_for(c, bound{per_item, per_edge}, RANGE)   before a kernel over RANGE that pushes: space for all of it
//     l.stack(c, other)  l.unstack(c, other)           other's items join as a layer; other gets the newest one back
//     l.view()  l.layered_view()                       for outlined loops, the second one with its layers (layers.cuh)
//     l.adopt(c, view)                                 after an outlined loop: its view, and the space it asked for
// Growing keeps the items and is counted. The first capacity is the context's, or 1 MiB.
#pragma once
#include "host_need.cuh"
#include "layers.cuh"

namespace irgl {
namespace detail {

template <class T, class R>
__global__ void gather_kernel(ListView<T> to, R range) {
  const size_t count = range.size();
  for (size_t p = size_t(blockIdx.x) * block_size + threadIdx.x; p < count; p += size_t(gridDim.x) * block_size)
    to.put(p, T(range.at(p)));
}
template <class View, class R>
__global__ void join_kernel(DeviceRuntime c, View to, R range) {
  Thread t(c);
  for_each<Block>(t, range, [&](Thread& t, bool valid, typename R::item x) {
    to.push_block(t, valid && x >= 0, typename View::item(x));  // sets take no NONE
  });
}
}  // namespace detail

// What a list has at least. Bounds by the most edges of any node often are within it on small graphs, and nobody has
// to add up degrees before a round.
constexpr size_t small_bytes = 1 << 20;

template <class T>
class list {
 public:
  using item = T;
  using View = ListView<T>;

  list(Launcher& c, size_t universe) : c_(&c) {
    view_.counter = c.take_counter();
    view_.spare = c.take_spare();
    view_.capacity = c.first_capacity(size_t(detail::larger(universe, small_bytes / sizeof(T))));
    view_.data = c.allocate_array<T>(size_t(view_.capacity));
  }
  list(const list&) = delete;
  list& operator=(const list&) = delete;
  ~list() {
    c_->release(view_.data);
    c_->drop_vast(view_.spill);
    layers_.release(*c_);
    c_->give_counter(view_.counter);
    c_->give_counter(view_.spare);
  }

  View view() {
    view_.most = size(*c_);
    return view_;
  }
  LayeredView<T> layered_view() {
    LayeredView<T> layered;
    static_cast<View&>(layered) = view();
    layers_.lend(*c_, layered);
    return layered;
  }
  counter_t size(HostBase& c) {
    const counter_t count = c.read(view_.counter);
    if (count > view_.capacity) absorb(count);
    return count;
  }
  bool empty(HostBase& c) { return size(c) == 0; }
  ListItems<T> items(HostBase& c) {
    const size_t count = size_t(size(c));  // which may bring home what lies in the spill
    return {view_.data, view_.spill, size_t(view_.capacity), count};
  }
  void clear(HostBase& c) {
    c.write(view_.counter, 0);
    layers_.begins.clear();
  }
  void swap(HostBase&, list& other) {
    std::swap(view_, other.view_);
    layers_.begins.swap(other.layers_.begins);
  }
  void push(HostBase& c, T x) {
    const counter_t at = size(c);
    grow(at + 1);
    c.copy_in(view_.data + at, &x, sizeof(T));
    c.write(view_.counter, at + 1);
  }
  template <class R>
  void update_from(Launcher& c, const R& range) {
    const counter_t at = size(c), more = range.size();
    if (more == 0) return;
    grow(at + more);
    const DeviceRuntime d = c.device_runtime();
    if constexpr (R::holed) return c.launch(detail::join_kernel<View, R>, size_t(more), d, view_, range);
    View behind = view_;
    behind.data += at;
    behind.capacity -= at;
    c.launch(detail::gather_kernel<T, R>, size_t(more), behind, range);
    c.write(view_.counter, at + more);
  }
  template <class L>
  void update(Launcher& c, L& other) { update_from(c, other.items(c)); }

  void stack(Launcher& c, list& other) {
    layers_.begins.add(size(c));
    update(c, other);
  }
  void unstack(HostBase& c, list& other) {
    const counter_t layer = layers_.newest(), count = size(c) - layer;
    other.grow(count);
    c.copy_over(other.view_.data, view_.data + layer, size_t(count) * sizeof(T));
    other.layers_.begins.clear();
    c.write(other.view_.counter, count);
    c.write(view_.counter, layer);
  }

  template <class R>
  void reserve_for(Launcher& c, bound b, const R& range) {
    if (b.unknown()) return spill();
    provide(c, detail::host_need(c, b, range, room(c)));
  }
  template <class R>
  void reserve_for(Launcher& c, bound_within b, const R& range) {
    if (b.in_all > view_.capacity) reserve_for(c, b.b, range);
  }
  void adopt(HostBase&, const View& view) {
    view_ = view;
    if (view_.wanted == no_bound) spill();
    else if (view_.wanted > view_.capacity) make_room(view_.wanted);
    view_.wanted = 0;
  }
  void adopt(HostBase& c, const LayeredView<T>& view) {
    adopt(c, static_cast<const View&>(view));
    layers_.take_back(*c_, view);
  }
  counter_t capacity() const { return view_.capacity; }
  counter_t room(HostBase& c) {
    const counter_t now = size(c);
    return view_.capacity > now ? view_.capacity - now : 0;
  }
  void provide(HostBase& c, counter_t need) {  // space for so many more
    if (need > room(c)) make_room(size(c) + need);
  }
  bool spills() const { return view_.spill != nullptr; }
  void spill() {  // take pushes without a bound, and those of loops that can't end to let the list grow
    if (spills()) return;
    const Vast<T> vast = c_->template make_vast<T>(for_device);
    view_.spill = vast.data;
    view_.spill_capacity = vast.capacity;
  }
  // For a bound, of which much may never come: where that would take a quarter of the memory, a spill takes what does.
  void make_room(counter_t wanted) {
    if (c_->takes(wanted, sizeof(T))) grow(wanted);
    else spill();
  }
  void grow(counter_t wanted) {  // at least, and to what it holds
    if (wanted <= view_.capacity) return;
    const counter_t count = c_->read(view_.counter), all = view_.capacity + view_.spill_capacity;
    const counter_t now = count < all ? count : all;
    wanted = detail::larger(wanted, now);
    if (wanted < 2 * view_.capacity) wanted = 2 * view_.capacity;
    const counter_t kept = now < view_.capacity ? now : view_.capacity;
    T* larger = c_->allocate_array<T>(size_t(wanted));
    if (larger == nullptr) return;
    c_->copy_over(larger, view_.data, size_t(kept) * sizeof(T));
    c_->copy_over(larger + kept, view_.spill, size_t(now - kept) * sizeof(T));
    c_->release(view_.data);
    view_.data = larger;
    view_.capacity = wanted;
    ++c_->worklist_growths;
  }

 private:
  void absorb(counter_t count) {  // what lies in the spill comes home
    if (count - view_.capacity > view_.spill_capacity) {
      c_->fault(memory_fault);
      c_->write(view_.counter, view_.capacity + view_.spill_capacity);
    }
    grow(c_->read(view_.counter));
  }

  Launcher* c_;
  View view_;
  detail::Layers layers_;
};

}  // namespace irgl
