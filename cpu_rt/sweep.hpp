// Sweeps: loops over all nodes and all of their edges, in the order in which a form keeps the edges together.
//
//     irgl::for_each(c, irgl::parts(F), REDUCERS..., [=, &c](irgl::Thread& t, auto& inner, irgl::Part part, ACCS&...) {
//       irgl::Kept<double> sum_of(t, F, part);                              // a number for each of the part's nodes
//       irgl::each_row(F, part, [&](node_t n, size_t k) {...});              // before its edges
//       irgl::each_edge(F, part, [&](node_t n, size_t k, node_t far, edge_t place) {...});
//       irgl::each_row(F, part, [&](node_t n, size_t k) {...});              // behind them
//     });
// or, where nodes share nothing but sums, several nodes at once:
//       irgl::rows_in_lanes(F, part, [&](node_t n, size_t k, SUMS&...) {...}, SUMS...);
// A part is some nodes with all of their edges, in one direction; whoever runs it owns them. k counts its nodes from 0.
//
// What every form of this kind offers:
//     part_count(F)  rows_in(F, part)  work_of(F)    how many parts; nodes of a part; edges and nodes of all
//     each_row(F, part, f)  each_edge(F, part, f)    as above
// each_edge<true> may take several edges at once: they touch nothing but what is kept for their own nodes, and read.
// form.hpp says what lies beside it.
#pragma once
#include "form.hpp"
#include "ranges.hpp"

namespace irgl {

struct Part { size_t index; };

// A form whose parts are stretches of nodes: its first number is how many, its first array tells where each begins.
struct Stretches : FormData {
  size_t parts = 0;
  const edge_t* first = nullptr;
  Stretches() = default;
  explicit Stretches(const irgl_form& f)
      : FormData(f), parts(size_t(f.numbers[0])), first(static_cast<const edge_t*>(f.arrays[0])) {}
};
IRGL_INLINE size_t part_count(const Stretches& f) { return f.parts; }
IRGL_INLINE size_t rows_in(const Stretches& f, Part p) { return size_t(f.first[p.index + 1] - f.first[p.index]); }
template <class Op>
IRGL_INLINE void each_row(const Stretches& f, Part p, Op&& op) {
  const edge_t first = f.first[p.index];
  for (size_t k = 0; k < rows_in(f, p); ++k) op(node_t(first) + node_t(k), k);
}

namespace detail {
// op(at(i), k, SUM&...) for i in [first, end), k from 0, in vector instructions where they serve.
template <class At, class Op>
IRGL_INLINE void in_lanes(int64_t first, int64_t end, At&& at, Op&& op) {
#pragma omp simd
  for (int64_t i = first; i < end; ++i) op(at(i), size_t(i - first));
}
template <class At, class Op, class A>
IRGL_INLINE void in_lanes(int64_t first, int64_t end, At&& at, Op&& op, A& a) {
  A sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = first; i < end; ++i) op(at(i), size_t(i - first), sum);
  a += sum;
}
template <class At, class Op, class A, class B>
IRGL_INLINE void in_lanes(int64_t first, int64_t end, At&& at, Op&& op, A& a, B& b) {
  A sum = 0;
  B other = 0;
#pragma omp simd reduction(+ : sum, other)
  for (int64_t i = first; i < end; ++i) op(at(i), size_t(i - first), sum, other);
  a += sum;
  b += other;
}
template <class At, class Op, class... More>
IRGL_INLINE void in_lanes(int64_t first, int64_t end, At&& at, Op&& op, More&... sums) {
  for (int64_t i = first; i < end; ++i) op(at(i), size_t(i - first), sums...);
}
}  // namespace detail
template <class F, class Op, class... Sums>
IRGL_INLINE void rows_in_lanes(const F& f, Part p, Op&& op, Sums&... sums) {
  if constexpr (std::is_base_of_v<Stretches, F>) {
    const auto node = [](int64_t i) { return node_t(i); };
    detail::in_lanes(f.first[p.index], f.first[p.index + 1], node, op, sums...);
  } else {  // forms that have no way of their own
    each_row(f, p, [&](node_t n, size_t k) __attribute__((always_inline)) { op(n, k, sums...); });
  }
}

// f(at) for places in four stretches side by side: what one of them adds to a row need not wait for what was just added.
template <class F>
IRGL_INLINE void side_by_side(edge_t at, edge_t end, F&& f) {
  const edge_t each = (end - at) / 4;
  for (const edge_t stop = at + each; at < stop; ++at) f(at), f(at + each), f(at + 2 * each), f(at + 3 * each);
  for (at += 3 * each; at < end; ++at) f(at);
}

template <class I>
struct Shares : Unweighted {
  using item = I;
  size_t count, all;
  Shares(size_t shares, size_t work) : count(shares), all(work) {}
  size_t size() const { return count; }
  size_t cost() const { return 64; }  // a part may be a chunk by itself
  size_t work(size_t) const { return all; }
  size_t cut(size_t chunks, size_t k) const { return size_t((unsigned __int128)(count) * k / chunks); }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    for (size_t p = from; p < to; ++p) f(I{p});
  }
};
template <class F>
IRGL_INLINE Shares<Part> parts(const F& f) { return {part_count(f), work_of(f)}; }

// A value for each node of a part, in memory that the thread keeps from part to part; not initialised.
template <class T>
class Kept {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  template <class F>
  IRGL_INLINE Kept(Thread& t, const F& form, Part part) : kept_(t.kept), bytes_((rows_in(form, part) * sizeof(T) + 63) / 64 * 64) {
    data_ = static_cast<T*>(kept_.take(bytes_));
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  IRGL_INLINE ~Kept() { kept_.give(bytes_, data_); }
  IRGL_INLINE T& operator[](size_t k) const { return data_[k]; }

 private:
  KeptMemory& kept_;
  size_t bytes_;
  T* data_;
};

}  // namespace irgl
