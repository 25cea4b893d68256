// array<T>: the twin of irgl/lib/array.irgl (AppendOnlyList<T>: append_only_list.cuh), in memory that never moves
// (vast.cuh), so that kernels may append to them whatever else they do, and the host refers to elements directly.
//
//     irgl::array<T> a(c, zero);  a.resize(n, place);  a.at(i, place)  a[i]  a.append(x, v, place)  a.size()  a.items()
//     irgl::AppendOnlyList<T> l(c, zero);  int64_t position = l.append(x, v, place);  the rest is the same
// x: the thread, or on the host the context. Kernels take a view(). An index outside is a fault and yields an element
// that means nothing. On the device size() is the number of appends begun: exact behind a barrier. items() are those
// that were there when the view was made, or at refresh(t), which all threads of the grid call behind a barrier.
#pragma once
#include "context.cuh"
#include "schedulers.cuh"
#include "sort.cuh"

namespace irgl {

template <class T>
class OwnItems;  // own.cuh

template <class T>
struct Elements : Unweighted {  // positions 0 <= p < count
  using item = T;
  const T* data;
  size_t count;
  IRGL_BOTH Elements(const T* d, size_t n) : data(d), count(n) {}
  IRGL_BOTH size_t size() const { return count; }
  IRGL_BOTH T at(size_t p) const { return data[p]; }
  struct Iterator {
    const T* place;
    IRGL_BOTH T operator*() const { return *place; }
    IRGL_BOTH Iterator& operator++() { return ++place, *this; }
    IRGL_BOTH bool operator!=(const Iterator& other) const { return place != other.place; }
  };
  IRGL_BOTH Iterator begin() const { return {data}; }
  IRGL_BOTH Iterator end() const { return {data + count}; }
};

template <class T>
struct ArrayView {
  using item = T;
  T* data;
  counter_t capacity;
  counter_t* counter;
  counter_t seen;
  DeviceRuntime c;

  IRGL_DEVICE int64_t size() const {
    const counter_t n = load(*counter);
    return int64_t(n < capacity ? n : capacity);
  }
  IRGL_DEVICE T& at(int64_t i, int64_t place = 0) const {
    if (uint64_t(i) < uint64_t(size())) return data[i];
    c.fault(place | access_fault);
    return data[capacity];
  }
  IRGL_DEVICE T& operator[](int64_t i) const { return at(i); }
  IRGL_DEVICE T& there(int64_t i) const { return data[i]; }  // of one as it was given, which the text shows to be there
  IRGL_BOTH Elements<T> items() const { return {data, size_t(seen)}; }
  IRGL_DEVICE void refresh(Thread& t) {
    seen = counter_t(size());
    t.sync();
  }
  IRGL_DEVICE int64_t append_one(Thread&, int64_t k) const {
    return k != 0 ? check(atomicAdd(counter, counter_t(k)), k) : 0;
  }
  IRGL_DEVICE int64_t append_warp(Thread&, int64_t k) const {
    return check(take_warp(counter, warp_place(counter_t(k))), k);
  }
  IRGL_DEVICE int64_t append_block(Thread&, int64_t k) const {
    return check(take_block(counter, warp_place(counter_t(k))), k);
  }
  IRGL_DEVICE T& slot(int64_t at) const { return data[counter_t(at) < capacity ? counter_t(at) : capacity]; }
  IRGL_DEVICE void put(int64_t at, T x) const { slot(at) = x; }
  IRGL_DEVICE int64_t append(Thread& t, T x, int64_t = 0) const {
    const int64_t at = append_one(t, 1);
    put(at, x);
    return at;
  }

 private:
  IRGL_DEVICE int64_t check(counter_t at, int64_t k) const {
    if (k != 0 && at + counter_t(k) > capacity) c.fault(memory_fault);
    return int64_t(at);
  }
};

namespace detail {
template <class T>
class Growable {
 public:
  using item = T;
  using View = ArrayView<T>;
  using Own = OwnItems<T>;

  explicit Growable(Launcher& c, T zero = T{}) : c_(&c), zero_(zero), counter_(c.take_counter()) {
    memory_ = c.make_vast<T>(for_both);
  }
  Growable(const Growable&) = delete;
  Growable& operator=(const Growable&) = delete;
  ~Growable() {
    c_->drop_vast(memory_.data);
    c_->give_counter(counter_);
  }
  View view() { return {memory_.data, memory_.capacity, counter_, counter_t(size()), c_->device_runtime()}; }
  void adopt(HostBase&, const View&) {}
  int64_t size() { return int64_t(c_->read(counter_)); }
  Elements<T> items() {
    c_->settle();
    return {memory_.data, size_t(size())};
  }
  T& at(int64_t i, int64_t place = 0) {
    c_->settle();
    if (uint64_t(i) < uint64_t(size())) return memory_.data[i];
    c_->fault(place | access_fault);
    return outside_ = zero_;
  }
  T& operator[](int64_t i) { return at(i); }
  T& there(int64_t i) { return at(i); }
  int64_t append(HostBase&, T x, int64_t = 0) {
    const int64_t end = size();
    if (counter_t(end) >= memory_.capacity) return c_->fault(memory_fault), end;
    c_->settle();
    memory_.data[end] = x;
    c_->write(counter_, counter_t(end) + 1);
    return end;
  }
  void resize(int64_t wanted, int64_t place = 0) {
    if (wanted < 0) return c_->fault(place | access_fault);
    if (counter_t(wanted) > memory_.capacity) return c_->fault(memory_fault);
    c_->settle();
    for (int64_t i = size(); i < wanted; ++i) memory_.data[i] = zero_;
    c_->write(counter_, counter_t(wanted));
  }
  void take(const T* items, int64_t count) {  // of a new array
    if (counter_t(count) > memory_.capacity) return c_->fault(memory_fault);
    c_->settle();
    for (int64_t i = 0; i < count; ++i) memory_.data[i] = items[i];
    c_->write(counter_, counter_t(count));
    bring();
  }
  void sort(int64_t = 0) {
    c_->settle();
    irgl::sort(memory_.data, size());
  }
  void bring() {  // to the device, with room for as much again
    const counter_t count = counter_t(size()) * 2;
    c_->bring(memory_.data, size_t(count < memory_.capacity ? count : memory_.capacity) * sizeof(T));
  }

 private:
  Launcher* c_;
  T zero_, outside_{};
  counter_t* counter_;
  Vast<T> memory_;
};
}  // namespace detail

template <class T>
class array : public detail::Growable<T> {
 public:
  using detail::Growable<T>::Growable;
};

}  // namespace irgl
