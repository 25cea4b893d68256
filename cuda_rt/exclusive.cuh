// Exclusive: all elements of a set or none, decided by the whole grid together (cooperative launches only).
//
//     irgl::Marks marks = c.marks(count)       a word per element; c.marks(count, true): count is a power of two,
//                                              and elements without end share the words
//     const bool mine = irgl::exclusive(t, marks, valid, [&](auto&& add) { add(i); add(j)...; });
//     if (mine) BODY else if (valid) ELSE
//     t.sync();                                before anybody looks at what the bodies changed
// Every thread of the grid calls it the same number of times (for_each<irgl::Grid>). Each marks its elements with its
// rank, of which the lowest stays; behind a barrier it has won if its own rank stands on all of them. So the lowest
// rank of those in conflict always wins, and nobody waits for a lock. The elements are named three times: to mark, to
// check, to clear, and have to be the same each time. Threads that share nothing run their bodies together; what they
// read before may be stale for those that lost.
#pragma once
#include "context.cuh"
#include "schedulers.cuh"

namespace irgl {

struct Marks {
  static constexpr unsigned free = ~0u;
  unsigned* words = nullptr;
  size_t mask = ~size_t(0);
  IRGL_DEVICE unsigned& at(int64_t i) const { return words[size_t(i) & mask]; }
};

inline Marks Properties::marks(size_t count, bool is_striped) {
  Marks m;
  m.words = property<unsigned>(nullptr, count);
  if (is_striped) m.mask = count - 1;
  fill(m.words, count, Marks::free);
  return m;
}

template <class F>
IRGL_DEVICE bool exclusive(Thread& t, const Marks& marks, bool valid, F&& elements) {
  const unsigned rank = unsigned(t.rank());
  if (valid) elements([&](int64_t i) { atomic_min(marks.at(i), rank); });
  t.sync();
  bool mine = valid;
  if (valid) elements([&](int64_t i) { mine = mine && load(marks.at(i)) == rank; });
  t.sync();
  if (valid) elements([&](int64_t i) { store(marks.at(i), Marks::free); });
  t.sync();
  return mine;
}

}  // namespace irgl
