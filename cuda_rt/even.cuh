// even: all blocks of the grid run equal shares of a ForAll's items and their edges, wherever that cuts a row.
//
//     irgl::for_each_even<S>(t, RANGE, [&](item x) { return EDGES; }, REDUCERS..., [&](irgl::Thread& t, bool valid,
//                            irgl::Share<item> share, ACCS&...) {
//       ... irgl::nested<irgl::FG, ...>(t, valid, irgl::within(share, EDGES), ...) ...
//     });
// The operator is called for an item by every block that has some of its edges: what it does besides has to be quiet.
// Called by all threads of a cooperative grid. First each block adds up the work of a stretch of items: their edges and
// a little for each item, for there may be many without any. Behind a barrier of the grid it finds where its share
// begins among the stretches, and runs from there on. A share is no smaller than a block. Sources: STRICT in C. Zhang
// and others, Taming the Zoo: the Unified GraphIt Compiler Framework for Novel Architectures, ISCA 2021; D. Merrill and
// M. Garland, Merge-Based Parallel Sparse Matrix-Vector Multiplication, SC 2016.
#pragma once
#include "row_form.cuh"

namespace irgl {

template <class I>
struct Share {  // an item, and which of its edges a block runs
  I item = I(-1);
  size_t from = 0, to = 0;
};

// Those edges of a range that a share holds; none where the range has none.
template <class Of>
struct Within : Unweighted {
  using item = typename Of::item;
  Of of;
  size_t from, to;
  IRGL_DEVICE Within(const Of& all, size_t first, size_t end) : of(all), from(first), to(end) {}
};
template <class I>
IRGL_DEVICE Interval<edge_t> within(const Share<I>& share, const Interval<edge_t>& all) {
  return all.size() != 0 ? Interval<edge_t>(all.lo + edge_t(share.from), all.lo + edge_t(share.to)) : all;
}
template <class I, class F>
IRGL_DEVICE Within<RowEdges<F>> within(const Share<I>& share, const RowEdges<F>& all) {
  return {all, all.row.size() != 0 ? share.from : 0, all.row.size() != 0 ? share.to : 0};
}

namespace detail {

template <class Of>
struct Items<Within<Of>> {
  struct Row {
    typename Items<Of>::Row row;
    size_t from = 0, to = 0;
    IRGL_DEVICE size_t size() const { return to - from; }
  };
  struct Reader : Items<Of>::Reader {
    IRGL_DEVICE typename Of::item at(const Within<Of>& of, const Row& row, size_t p) {
      return Items<Of>::Reader::at(of.of, row.row, row.from + p);
    }
  };
  static IRGL_DEVICE Row row(const Within<Of>& of) { return {Items<Of>::row(of.of), of.from, of.to}; }
  static IRGL_DEVICE size_t unit(const Within<Of>& of) { return Items<Of>::unit(of.of); }
};

constexpr counter_t edge_work = 16;  // of an item itself: 1

struct Stretch {  // of the items: where it begins among the grid's work
  unsigned block;
  counter_t before;
};

// The sum of all stretches, in every thread of the block.
IRGL_DEVICE counter_t sum_of(const counter_t* sums, unsigned count) {
  if (count == 1) return load(sums[0]);
  counter_t sum = 0;
  for (unsigned b = threadIdx.x; b < count; b += block_size) sum += load(sums[b]);
  const counter_t total = join_warps(Place{0, warp_reduce<Add>(sum)}).total;
  __syncthreads();  // the next one may be joined
  return total;
}

// The stretch in which the work's `at`-th unit lies.
IRGL_DEVICE Stretch find_stretch(const counter_t* sums, unsigned count, counter_t at) {
  __shared__ unsigned block;
  __shared__ counter_t begin;
  if (count == 1) return {0, 0};
  counter_t before = 0;
  for (unsigned base = 0; base < count; base += block_size) {
    const unsigned b = base + threadIdx.x;
    const counter_t own = b < count ? load(sums[b]) : 0;
    const Place place = join_warps(warp_place(own));
    const counter_t first = before + place.before;
    if (own != 0 && first <= at && at < first + own) block = b, begin = first;
    before += place.total;
    __syncthreads();
  }
  return {block, begin};
}

// total * part / parts, without a product of more than 64 bits, for which nvcc has a division of 128: parts are blocks.
IRGL_DEVICE counter_t part_begin(counter_t total, unsigned part, counter_t parts) {
  return total / parts * part + total % parts * part / parts;
}

template <Scope S, class R, class Edges, class P, class Op>
IRGL_DEVICE void run_even(Thread& t, const R& range, Edges& edges, const P& pack, Op& op) {
  using Item = typename R::item;
  const size_t count = range.size();
  const size_t full = (count + block_size - 1) / block_size;
  const unsigned blocks = t.blocks(), stretches = full < blocks ? unsigned(full) : blocks;
  const auto work = [&](size_t p, Item& item) {
    if (p >= count || !has_item(range, p)) return counter_t(0);
    item = range.at(p);
    const auto all = edges(item);
    return 1 + edge_work * counter_t(Items<std::decay_t<decltype(all)>>::row(all).size());
  };
  const auto begin_of = [&](unsigned b) { return size_t(part_begin(count, b, stretches)); };
  counter_t* const sums = t.control->shares;
  if (blockIdx.x < stretches) {
    counter_t sum = 0;
    Item item{};
    const size_t last = begin_of(blockIdx.x + 1);
    for (size_t p = begin_of(blockIdx.x) + threadIdx.x; p < last; p += block_size) sum += work(p, item);
    sum = block_reduce<Add>(sum, counter_t(0));
    if (threadIdx.x == 0) store(sums[blockIdx.x], sum);
  }
  t.sync();

  const counter_t total = sum_of(sums, stretches), least = edge_work * block_size, whole = (total + least - 1) / least;
  const counter_t parts = whole < blocks ? whole : counter_t(blocks);
  typename P::Local acc = pack.neutral();
  if (blockIdx.x < parts) {
    const counter_t begin = part_begin(total, blockIdx.x, parts);
    const counter_t end = part_begin(total, blockIdx.x + 1, parts);
    // An edge is of the block in whose share its work begins: how many of an item's edges begin before that.
    const auto edges_before = [](counter_t at, counter_t first) {
      return at > first ? (at - first + edge_work - 1) / edge_work : counter_t(0);
    };
    const Stretch from = find_stretch(sums, stretches, begin);
    counter_t before = from.before;
    for (size_t base = begin_of(from.block); before < end; base += block_size) {
      Share<Item> share;
      const counter_t own = work(base + threadIdx.x, share.item);
      const Place place = join_warps(warp_place(own));
      const counter_t first = before + place.before + 1;  // of its edges, behind itself
      before += place.total;
      __syncthreads();
      if (before <= begin) continue;
      if (own != 0) {
        const counter_t all = (own - 1) / edge_work, until = edges_before(end, first);
        share.from = size_t(edges_before(begin, first)), share.to = size_t(until < all ? until : all);
      }
      const bool valid = share.from < share.to;
      if (S != One || valid) P::call(op, acc, t, valid, valid ? share : Share<Item>());
    }
  }
  pack.to_global(acc);
}

}  // namespace detail

template <Scope S, class R, class Edges, class... A>
IRGL_DEVICE void for_each_even(Thread& t, const R& range, Edges&& edges, A&&... a) {
  detail::split_last([&](const auto& pack, auto& op) { detail::run_even<S>(t, range, edges, pack, op); },
                     std::make_index_sequence<sizeof...(A) - 1>(), a...);
}

// A form whose rows are cut, for its boards.
template <class F>
struct CutRows {
  using Row = typename detail::Items<Within<RowEdges<F>>>::Row;
};

}  // namespace irgl
