// What two rows that ascend have in common, in the ways that a plan names (intersect=). A row is given by its ends.
//
//     Merge::count(a, b, below)   Gallop::count   Binary::count   how many distinct ids below `below` are in a and b
//     Merge::from(p, end, x)      Gallop::from    Binary::from    the first place from p on that holds x or more
//     marked_of(marks, b, below)                                  how many distinct ids of b are marked, and less
//
// Merge goes on in the row that has the smaller id, in both where they are equal, without a branch that depends on it:
// O(a + b). The others take each id of the shorter row a to the longer b, behind the one before it: Gallop in steps
// that double (J. Bentley and A. Yao, An almost optimal algorithm for unbounded searching, 1976; E. Demaine,
// A. Lopez-Ortiz and J. Munro, Adaptive set intersections, 2000), Binary by halves: O(a log b).
#pragma once
#include "types.hpp"

namespace irgl {

struct Ends {
  const node_t *begin, *end;
  IRGL_INLINE ptrdiff_t size() const { return end - begin; }
};
IRGL_INLINE Ends neighbors(const Csr& g, node_t n) { return {g.cols + g.row[n], g.cols + g.row[n + 1]}; }

// Searches of the shorter row's ids in the longer one, by From.
template <class From>
struct Searching {
  static IRGL_INLINE int32_t count(const Ends& a, const Ends& b, node_t below) {
    int32_t found = 0;
    const node_t* p = b.begin;
    node_t last = -1;  // parallel edges lead to one node
    for (const node_t* x = a.begin; x != a.end && *x < below; ++x) {
      p = From::from(p, b.end, *x);
      if (p == b.end) break;
      found += (*p == *x) & (*x != last);
      last = *x;
    }
    return found;
  }
};

struct Gallop : Searching<Gallop> {
  static IRGL_INLINE const node_t* from(const node_t* p, const node_t* end, node_t x) {
    if (p == end || *p >= x) return p;
    ptrdiff_t step = 1;
    while (step < end - p && p[step] < x) {
      p += step;
      step *= 2;
    }
    const node_t* high = step < end - p ? p + step : end;  // *p < x, and behind `high` nothing is less
    while (high - p > 1) {
      const node_t* middle = p + (high - p) / 2;
      if (*middle < x) p = middle;
      else high = middle;
    }
    return high;
  }
};

struct Binary : Searching<Binary> {
  static IRGL_INLINE const node_t* from(const node_t* p, const node_t* end, node_t x) {
    if (p == end) return p;
    ptrdiff_t count = end - p;  // the place is one of these, or behind them
    while (count > 1) {
      const ptrdiff_t half = count / 2;
      p = p[half - 1] < x ? p + half : p;
      count -= half;
    }
    return p + (*p < x);
  }
};

struct Merge {
  static IRGL_INLINE const node_t* from(const node_t* p, const node_t* end, node_t x) {
    while (p != end && *p < x) ++p;
    return p;
  }
  static IRGL_INLINE int32_t count(const Ends& a, const Ends& b, node_t below) {
    int32_t found = 0;
    const node_t *p = a.begin, *q = b.begin;
    node_t last = -1;
    while (p != a.end && q != b.end) {
      const node_t x = *p, y = *q;
      if (x >= below) break;
      found += (x == y) & (x != last);
      last = x == y ? x : last;
      p += x <= y;
      q += y <= x;
    }
    return found;
  }
};

// For short rows: as Merge, with branches. Those are guessed right more often than not, and then no id waits for the
// comparison before it, which is what Merge does in every step.
using Few = Searching<Merge>;

// As fits the rows: one that is many times as long as the other is searched, and one that is not gone through.
struct Auto {
  static constexpr ptrdiff_t longer = 8, worth_marking = 16;  // docs/cpu.md has the figures
  static IRGL_INLINE bool is_far_longer(const Ends& b, const Ends& a) { return b.size() / longer >= a.size(); }
  static IRGL_INLINE const node_t* from(const node_t* p, const node_t* end, node_t x) {
    return Gallop::from(p, end, x);
  }
  static IRGL_INLINE int32_t count(const Ends& a, const Ends& b, node_t below) {
    return is_far_longer(b, a) ? Gallop::count(a, b, below) : Merge::count(a, b, below);
  }
};

IRGL_INLINE int32_t marked_of(const uint8_t* marks, const Ends& b, node_t below) {
  int32_t found = 0;
  node_t last = -1;
  for (const node_t* x = b.begin; x != b.end && *x < below; ++x) {
    found += marks[*x] & (*x != last);
    last = *x;
  }
  return found;
}

}  // namespace irgl
