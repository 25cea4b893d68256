// Profiles: how long the loops of a run took, how many iterations they had, and how many of these did something, in
// units that note it (irgl/codegen/openmp/sites.py numbers the places).
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
//     irgl_profile(to, most)                           to the caller, behind the run: what is noted, in numbers
// Counters are accumulators of the threads' own: nothing is shared for an iteration. A clock may take as long as twenty
// edges, so that it is looked at where a loop begins and ends and, of one that is shared, where helpers begin and
// threads end. A round begins where the last loop of the one before ended.
#pragma once
#include <time.h>

#include <vector>

#include "reducers.hpp"

namespace irgl {

template <int loops>
struct Counts {
  int64_t ran[loops] = {}, did[loops] = {};
  int64_t since = 0;  // when the thread began, of one whose time is noted
};

class Profile {
 public:
  static constexpr size_t most = 200000;  // so many events and parts are kept, all are in the totals

  static int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
  }
  void start() {
    events_.clear(), parts_.clear(), totals_.clear(), open_.clear();
    kept_ = kept_parts_ = 0;
    begin_ = last_ = now();
  }
  void begin_round(int64_t site, size_t depth) {
    const int64_t time = open_.size() > depth && last_ > open_[depth].begin ? last_ : now();
    close(depth, time);
    open_.push_back({site, time});
  }
  void end_rounds(size_t depth) { close(depth, last_ = now()); }
  void begin_loop(const Runtime& c, int64_t site) {
    site_ = site, busy_ = ended_ = 0;
    sharing_ = &c.stats.parallel_loops, shared_ = *sharing_;
  }
  // When a helper begins its part of the running loop; the host begins with that.
  static int64_t begin_part() { return omp_get_thread_num() == 0 ? 0 : now(); }
  // A thread's part of the running loop; nested: of one in it that all threads run together.
  void end_part(int64_t since, bool nested) {
    if (since != 0) note_part(omp_get_thread_num(), since, now());
    else if (!nested && *sharing_ != shared_) ended_ = now();
  }
  void end_loop(int64_t begin, const int64_t* ran, const int64_t* did, size_t loops) {
    const int64_t time = now();
    if (ended_ != 0) note_part(0, begin, ended_);
    else busy_ += time - begin;
    end(site_, begin, time, busy_, *sharing_ != shared_, ran, did, loops);
    last_ = time;
  }
  void end_kernel(int64_t site, int64_t begin) {
    last_ = now();
    end(site, begin, last_, 0, false, nullptr, nullptr, 0);
  }
  // How many events and parts were kept and how many sites have totals; for each of these runs, ns, busy ns, shared
  // runs, their ns, and the counts of its loops behind their number; the events; the parts.
  std::vector<int64_t> told() const {
    std::vector<int64_t> words;
    note(words, {int64_t(kept_ < most ? kept_ : most), int64_t(kept_parts_ < most ? kept_parts_ : most),
                 int64_t(totals_.size())});
    for (const Total& t : totals_) {
      note(words, {t.runs, t.ns, t.busy, t.shared, t.shared_ns, int64_t(t.counts.size() / 2)});
      words.insert(words.end(), t.counts.begin(), t.counts.end());
    }
    words.insert(words.end(), events_.begin(), events_.end());
    words.insert(words.end(), parts_.begin(), parts_.end());
    return words;
  }

 private:
  struct Total {
    int64_t runs = 0, ns = 0, busy = 0, shared = 0, shared_ns = 0;
    std::vector<int64_t> counts;
  };
  struct Open { int64_t site, begin; };

  static void note(std::vector<int64_t>& to, std::initializer_list<int64_t> words) {
    to.insert(to.end(), words.begin(), words.end());
  }
  void note_part(int64_t thread, int64_t since, int64_t time) {
    busy_ += time - since;
    if (kept_parts_++ < most) note(parts_, {site_, thread, since - begin_, time - begin_});
  }
  void close(size_t depth, int64_t time) {
    for (; open_.size() > depth; open_.pop_back())
      end(open_.back().site, open_.back().begin, time, 0, false, nullptr, nullptr, 0);
  }
  void end(int64_t site, int64_t begin, int64_t time, int64_t busy, bool shared, const int64_t* ran, const int64_t* did,
           size_t loops) {
    if (totals_.size() <= size_t(site)) totals_.resize(size_t(site) + 1);
    Total& t = totals_[size_t(site)];
    ++t.runs, t.ns += time - begin, t.busy += busy;
    if (shared) ++t.shared, t.shared_ns += time - begin;
    t.counts.resize(2 * loops);
    for (size_t k = 0; k < loops; ++k) t.counts[2 * k] += ran[k], t.counts[2 * k + 1] += did[k];
    if (kept_++ >= most) return;
    note(events_, {site, begin - begin_, time - begin_, busy, shared, int64_t(loops)});
    for (size_t k = 0; k < loops; ++k) note(events_, {ran[k], did[k]});
  }

  std::vector<int64_t> events_, parts_;
  std::vector<Total> totals_;  // by site
  std::vector<Open> open_;     // the rounds that run, by depth
  size_t kept_ = 0, kept_parts_ = 0;
  int64_t begin_ = 0, last_ = 0;                         // of the run; when a loop last ended
  int64_t site_ = 0, busy_ = 0, ended_ = 0, shared_ = 0;  // of the running loop; ended_: the host's part, if it is shared
  const int64_t* sharing_ = nullptr;
};
inline Profile profile;

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

class Iteration {
 public:
  template <int loops>
  IRGL_INLINE Iteration(Counts<loops>& counts, int slot) : did_(counts.did[slot]) { ++counts.ran[slot]; }
  Iteration(const Iteration&) = delete;
  IRGL_INLINE ~Iteration() { did_ += did; }
  bool did = false;

 private:
  int64_t& did_;
};

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
template <class R>
IRGL_INLINE R ran(int64_t& count, const R& range) { return count += int64_t(range.size()), range; }

template <class T>
IRGL_INLINE Reduced<T> working(bool& did, Reduced<T> update) { return did |= update.changed, update; }
template <class T>
IRGL_INLINE Reduced<T> adding(bool& did, Reduced<T> update) { return did = true, update; }
IRGL_INLINE bool working(bool& did, bool changed) { return did |= changed, changed; }

}  // namespace irgl

// How many numbers there are, of which the first `most` are copied: see Profile::told.
extern "C" __attribute__((used, visibility("default"))) inline int64_t irgl_profile(int64_t* to, int64_t most) {
  const std::vector<int64_t> words = irgl::profile.told();
  for (size_t k = 0; k < words.size() && k < size_t(most); ++k) to[k] = words[k];
  return int64_t(words.size());
}
