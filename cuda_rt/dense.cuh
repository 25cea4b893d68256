// Dense worklists over 0 <= item < universe, in order of ids, each item at most once: bitmap (a bit each), bytemap (a
// byte each). The words are worklist.cuh's and list.cuh's, without reserve:
//
//     contains(x)          beside pushes it sees any of them or none; claim(t, x) is push that tells whether x was new
//     push_own(t, x)       as on the CPU: x is the item of the outermost loop
// On the device size(t) and empty(t) count together, with one barrier of the grid, size() by itself, word by word; fits
// and reserve_for have nothing to do. A cleared spare stands by: a Pipe's advance costs one barrier as with lists.
#pragma once
#include "list.cuh"

namespace irgl {
namespace detail {

struct Bits {
  static constexpr unsigned per_word = 32;
  static IRGL_DEVICE unsigned mask(size_t x) { return 1u << (x % 32); }
  static IRGL_DEVICE bool contains(const unsigned* words, size_t x) { return (load(words[x / 32]) & mask(x)) != 0; }
  static IRGL_DEVICE bool claim(unsigned* words, size_t x) {
    return (atomic_or(words[x / 32], mask(x)).old & mask(x)) == 0;
  }
  static IRGL_DEVICE void set(unsigned* words, size_t x) { claim(words, x); }
  static IRGL_DEVICE void set_own(unsigned* words, size_t x) { claim(words, x); }  // 32 threads share a word
  static IRGL_DEVICE void forget(unsigned* words, size_t x) { store(words[x / 32], 0u); }
};
struct Bytes {
  static constexpr unsigned per_word = 4;
  static IRGL_DEVICE uint8_t& at(unsigned* words, size_t x) { return reinterpret_cast<uint8_t*>(words)[x]; }
  static IRGL_DEVICE bool contains(const unsigned* words, size_t x) {
    return load(reinterpret_cast<const uint8_t*>(words)[x]) != 0;
  }
  static IRGL_DEVICE bool claim(unsigned* words, size_t x) {
    return !contains(words, x) && atomic_xchg(at(words, x), 1).old == 0;
  }
  static IRGL_DEVICE void set(unsigned* words, size_t x) { store(at(words, x), 1); }
  static IRGL_DEVICE void set_own(unsigned* words, size_t x) { store(at(words, x), 1); }
  static IRGL_DEVICE void forget(unsigned* words, size_t x) { store(at(words, x), 0); }
};

template <class T, class Cell>
struct DenseItems : Unweighted {
  using item = T;
  static constexpr bool holed = true;
  const unsigned* words;
  size_t universe;
  IRGL_BOTH DenseItems(const unsigned* w, size_t count) : words(w), universe(count) {}
  IRGL_BOTH size_t size() const { return universe; }
  IRGL_DEVICE bool has(size_t p) const { return Cell::contains(words, p); }
  IRGL_BOTH T at(size_t p) const { return T(p); }
  struct Iterator {
    const DenseItems* of;
    size_t place;
    IRGL_DEVICE T operator*() const { return T(place); }
    IRGL_DEVICE Iterator& operator++() { return ++place, skip(); }
    IRGL_DEVICE bool operator!=(const Iterator& other) const { return place != other.place; }
    IRGL_DEVICE Iterator& skip() {
      while (place < of->universe && !of->has(place)) ++place;
      return *this;
    }
  };
  IRGL_DEVICE Iterator begin() const { return Iterator{this, 0}.skip(); }
  IRGL_DEVICE Iterator end() const { return {this, universe}; }
};

// Ones of every step-th word: both cells keep exactly one of them for an item.
IRGL_DEVICE counter_t ones(const unsigned* words, size_t i, size_t count, size_t step, counter_t sum = 0) {
  for (; i < count; i += step) sum += counter_t(__popc(words[i]));
  return sum;
}
template <class Word>
__global__ void count_ones_kernel(const Word* words, size_t count, counter_t* sum) {
  const size_t first = size_t(blockIdx.x) * block_size + threadIdx.x, all = size_t(gridDim.x) * block_size;
  const counter_t mine = block_reduce<Add>(ones(words, first, count, all), counter_t(0));
  if (threadIdx.x == 0 && mine != 0) atomicAdd(sum, mine);
}
}  // namespace detail

template <class T, class Cell>
struct DenseView {
  using item = T;
  static constexpr bool counts_rounds = false;
  unsigned* words = nullptr;
  unsigned* spare = nullptr;
  size_t universe = 0;

  IRGL_BOTH size_t word_count() const { return (universe + Cell::per_word - 1) / Cell::per_word; }
  IRGL_DEVICE bool contains(T x) const { return Cell::contains(words, size_t(x)); }
  IRGL_DEVICE bool claim(const Thread&, T x) const { return Cell::claim(words, size_t(x)); }
  IRGL_DEVICE void forget(T x) const { Cell::forget(words, size_t(x)); }  // where all items go, those beside x, too
  IRGL_DEVICE void push(const Thread&, T x) const { Cell::set(words, size_t(x)); }
  IRGL_DEVICE void push_own(const Thread&, T x) const { Cell::set_own(words, size_t(x)); }
  template <bool> IRGL_DEVICE void push_of(const Thread& t, T x) const { push(t, x); }
  IRGL_DEVICE void push_warp(const Thread& t, bool flag, T x) const { if (flag) push(t, x); }
  IRGL_DEVICE void push_block(const Thread& t, bool flag, T x) const { if (flag) push(t, x); }
  IRGL_BOTH detail::DenseItems<T, Cell> items() const { return {words, universe}; }

  template <class R>
  IRGL_DEVICE bool fits(Thread&, bound, const R&) { return true; }
  IRGL_DEVICE counter_t size() const { return detail::ones(words, 0, word_count(), 1); }
  IRGL_DEVICE counter_t size(Thread& t) const {
    return grid_sum(t, detail::ones(words, t.rank(), word_count(), t.count()));
  }
  IRGL_DEVICE bool empty(Thread& t) const { return size(t) == 0; }
  IRGL_DEVICE void zero(Thread& t, unsigned* of) const {
    for (size_t i = t.rank(); i < word_count(); i += t.count()) of[i] = 0;
  }
  IRGL_DEVICE void prepare(Thread& t) const { zero(t, spare); }
  IRGL_DEVICE void wipe(Thread& t) const { zero(t, words), t.sync(); }  // clear, where each thread has a view
  IRGL_DEVICE void flip() {
    unsigned* was = words;
    words = spare;
    spare = was;
  }
  IRGL_DEVICE void clear(Thread& t) { prepare(t), t.sync(), flip(); }
  IRGL_DEVICE void swap(Thread&, DenseView& other) {
    const DenseView was = *this;
    *this = other;
    other = was;
  }
  IRGL_DEVICE void push_first(Thread& t, T x) const {
    if (t.first()) push(t, x);
    t.sync();
  }
  template <class L>
  IRGL_DEVICE void update(Thread& t, const L& other) const { update_from(t, other.items()); }
  template <class R>
  IRGL_DEVICE void update_from(Thread& t, const R& range) const {
    for_each<One>(t, range, [&](Thread& t, bool, typename R::item x) {
      if (x >= 0) push(t, T(x));  // refuse_none told of NONE
    });
    t.sync();
  }
};

namespace detail {
template <class T, class Cell>
class Dense {
 public:
  using item = T;
  using View = DenseView<T, Cell>;

  Dense(Launcher& c, size_t universe) : c_(&c) {
    view_.universe = universe;
    view_.words = zeroed();
    view_.spare = zeroed();
  }
  Dense(const Dense&) = delete;
  Dense& operator=(const Dense&) = delete;
  ~Dense() {
    c_->release(view_.words);
    c_->release(view_.spare);
  }
  View view() const { return view_; }
  auto items(HostBase&) const { return view_.items(); }
  counter_t size(Launcher& c) {
    counter_t* sum = c.take_counter();
    c.launch(count_ones_kernel<unsigned>, view_.word_count(), view_.words, view_.word_count(), sum);
    const counter_t ones = c.read(sum);
    c.give_counter(sum);
    return ones;
  }
  bool empty(Launcher& c) { return size(c) == 0; }
  bool contains(HostBase& c, T x) const {
    unsigned word = 0;
    c.copy_out(&word, view_.words + size_t(x) / Cell::per_word, sizeof word);
    return (word >> (size_t(x) % Cell::per_word * (32 / Cell::per_word)) & 1) != 0;
  }
  void clear(HostBase& c) { c.zero(view_.words, view_.word_count() * sizeof(unsigned)); }
  void swap(HostBase&, Dense& other) { std::swap(view_, other.view_); }
  void push(Launcher& c, T x) { update_from(c, single(x)); }
  template <class R>
  void update_from(Launcher& c, const R& range) {
    if (range.size() != 0) c.launch(join_kernel<View, R>, range.size(), c.device_runtime(), view_, range);
  }
  template <class L>
  void update(Launcher& c, L& other) { update_from(c, other.items(c)); }
  template <class R>
  void reserve_for(HostBase&, bound, const R&) {}
  void spill() {}
  void adopt(HostBase&, const View& view) { view_ = view; }

 private:
  unsigned* zeroed() {
    unsigned* words = c_->allocate_array<unsigned>(view_.word_count());
    return c_->zero(words, view_.word_count() * sizeof(unsigned)), words;
  }
  Launcher* c_;
  View view_;
};
}  // namespace detail

template <class T>
struct bitmap : detail::Dense<T, detail::Bits> {
  using detail::Dense<T, detail::Bits>::Dense;
};
template <class T>
struct bytemap : detail::Dense<T, detail::Bytes> {
  using detail::Dense<T, detail::Bytes>::Dense;
};

}  // namespace irgl
