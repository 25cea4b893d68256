// What a unit with a profile (profile.hpp) writes around its loops and in their iterations.
//
//     const irgl::RoundsOfRun _rounds;                 at the run's begin
//     irgl::begin_round(site, depth);                  of a loop of the Program that has `depth` others around it
//     irgl::end_rounds(depth);                         behind the loop
//     const irgl::KernelRun _kernel(site);             in a kernel that is more than one loop
//     irgl::LoopRun<K> _run(c, site);                  around a loop of for_each with K - 1 counted loops in it
//     irgl::counts(_run)                               its reducer, whose accumulator is an irgl::Counts<K>
//     irgl::counts<IRGL_SHARED(inner)>(_k1)            that of a loop in it, over the accumulator of the one around
//     irgl::Iteration _i1(_k1, slot);                  first in an iteration of the loop with that slot
//     irgl::ran(_k1.ran[slot], RANGE), irgl::Edge      instead, of a loop over a row
//     _i1.did = true;                                  where it does something
//     irgl::working(_i1.did, UPDATE)                   where it does if the update changed its location
//     irgl::adding(_i1.did, UPDATE)                    where it does whatever the update was
// Counters are accumulators of the threads' own: nothing is shared for an iteration.
#pragma once
#include "profile.hpp"
#include "reducers.hpp"

namespace irgl {

template <int loops>
struct Counts {
  int64_t ran[loops] = {}, did[loops] = {};
  int64_t since = 0;  // when the thread began, of one whose time is noted
};

inline void begin_round(int64_t site, size_t depth) { profile.begin_round(site, depth); }
inline void end_rounds(size_t depth) { profile.end_rounds(depth); }

struct RoundsOfRun {
  RoundsOfRun() { profile.start(); }
  ~RoundsOfRun() { end_rounds(0); }
};

class KernelRun {
 public:
  explicit KernelRun(int64_t site) : site_(site), begin_(Profile::now()) {}
  ~KernelRun() { profile.end_kernel(site_, begin_); }

 private:
  int64_t site_, begin_;
};

template <int loops>
class LoopRun {
 public:
  LoopRun(const Runtime& c, int64_t site) : begin_(Profile::now()) { profile.begin_loop(c, site); }
  ~LoopRun() { profile.end_loop(begin_, counts.ran, counts.did, loops); }
  Counts<loops> counts;

 private:
  int64_t begin_;
};

namespace detail {

struct Join {
  template <int loops>
  Counts<loops> operator()(Counts<loops> a, const Counts<loops>& b) const {
    for (int k = 0; k < loops; ++k) a.ran[k] += b.ran[k], a.did[k] += b.did[k];
    return a;
  }
};

// What a thread begins with; timed: a helper's time, too.
template <int loops, bool timed>
struct None {
  IRGL_INLINE operator Counts<loops>() const {
    Counts<loops> counts;
    if constexpr (timed) counts.since = Profile::begin_part();
    return counts;
  }
};

// In a loop that runs on one thread inside of an iteration, the accumulator begins as the one around, and replaces it.
template <int loops, bool nested, bool timed>
struct Counter {
  using type = Counts<loops>;
  using operation = Join;
  Counts<loops>& target;
  None<loops, timed> neutral;
  void combine(const Counts<loops>& value) const {
    target = Join{}(target, value);
    if constexpr (timed) profile.end_part(value.since, nested);
  }
};

}  // namespace detail

template <int loops>
IRGL_INLINE detail::Counter<loops, false, true> counts(LoopRun<loops>& run) { return {run.counts, {}}; }
template <bool together, int loops>
IRGL_INLINE detail::Counter<loops, true, together> counts(Counts<loops>& around) { return {around, {}}; }

// An iteration of a loop over a row, all of whose iterations are counted at once.
class Edge {
 public:
  template <int loops>
  IRGL_INLINE Edge(Counts<loops>& counts, int slot) : did_(counts.did[slot]) {}
  Edge(const Edge&) = delete;
  IRGL_INLINE ~Edge() { did_ += did; }
  bool did = false;

 private:
  int64_t& did_;
};
// One that counts itself.
struct Iteration : Edge {
  template <int loops>
  IRGL_INLINE Iteration(Counts<loops>& counts, int slot) : Edge(counts, slot) { ++counts.ran[slot]; }
};
template <class R>
IRGL_INLINE R ran(int64_t& count, const R& range) { return count += int64_t(range.size()), range; }

template <class T>
IRGL_INLINE Reduced<T> working(bool& did, Reduced<T> update) { return did |= update.changed, update; }
template <class T>
IRGL_INLINE Reduced<T> adding(bool& did, Reduced<T> update) { return did = true, update; }
IRGL_INLINE bool working(bool& did, bool changed) { return did |= changed, changed; }

}  // namespace irgl
