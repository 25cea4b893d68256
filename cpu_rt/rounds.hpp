// Rounds of the Program's loops, in units that note how long each takes and what it runs over:
//
//     irgl::begin_round(place, depth);         of the loop with that number, which has `depth` others around it
//     irgl::runs_over([&] { return RANGE; });  before an invocation; only the round's first one says anything
//     irgl::goes(irgl::pulling);               in a kernel
//     irgl::end_rounds(depth);                 behind the loop
//     const irgl::RoundsOfRun _rounds;         at the run's begin
//     irgl_rounds(to, most)                    to the caller, behind the run: what is noted, in numbers
// The time of a round is that of the innermost one; what noting takes is no round's.
#pragma once
#include <time.h>

#include <type_traits>
#include <vector>

#include "ranges.hpp"

namespace irgl {

enum Way : int64_t { pushing = 1, pulling = 2 };

struct Round {
  int64_t place, depth, items, edges, ways, ns;
};

class Rounds {
 public:
  static constexpr size_t most = 100000;  // beyond these all are one

  void start() {
    kept_.clear(), told_.clear(), open_.clear();
    keep(0, 0, true);  // what is in no round
    further_ = noting_ = 0;
    last_ = now();
  }
  void begin(int64_t place, size_t depth) {
    lap();
    close(depth);
    if (kept_.size() <= most) keep(place, int64_t(depth), false);
    else if (further_++ == 0) keep(0, 0, true);
    open_.push_back(kept_.size() - 1);
    resume();
  }
  void end(size_t depth) { lap(), close(depth), resume(); }
  void goes(Way way) { kept_[current()].ways |= way; }
  template <class F>
  void runs_over(F measure) {
    if (told_[current()]) return;
    lap();
    int64_t items = -1, edges = -1;
    measure(items, edges);
    for (const size_t r : open_)
      if (!told_[r]) told_[r] = true, kept_[r].items = items, kept_[r].edges = edges;
    resume();
  }
  const std::vector<Round>& kept() const { return kept_; }
  int64_t further() const { return further_; }
  int64_t noting() const { return noting_; }

 private:
  static int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
  }
  size_t current() const { return open_.empty() ? 0 : open_.back(); }
  void keep(int64_t place, int64_t depth, bool told) {
    kept_.push_back({place, depth, -1, -1, 0, 0});
    told_.push_back(told);
  }
  void close(size_t depth) {
    if (open_.size() > depth) open_.resize(depth);
  }
  void lap() {
    const int64_t time = now();
    kept_[current()].ns += time - last_;
    last_ = time;
  }
  void resume() {
    const int64_t time = now();
    noting_ += time - last_;
    last_ = time;
  }

  std::vector<Round> kept_;
  std::vector<size_t> open_;  // by depth, of which the last one runs
  std::vector<bool> told_;    // do they need no more words on what they run over?
  int64_t further_ = 0, noting_ = 0, last_ = 0;
};
inline Rounds noted_rounds;

inline void begin_round(int64_t place, size_t depth) { noted_rounds.begin(place, depth); }
inline void end_rounds(size_t depth) { noted_rounds.end(depth); }
inline void goes(Way way) { noted_rounds.goes(way); }
inline void runs_over() { noted_rounds.runs_over([](int64_t&, int64_t&) {}); }
template <class F>
void runs_over(const F& range) {
  noted_rounds.runs_over([&](int64_t& items, int64_t& edges) {
    const auto r = range();
    using R = std::remove_cv_t<decltype(r)>;
    items = int64_t(present(r));
    if constexpr (R::weighted) {
      edges = 0;
      if constexpr (std::is_base_of_v<Interval<node_t>, R>) edges = int64_t(r.row[r.hi] - r.row[r.lo]);
      else r.visit(0, r.size(), [&](typename R::item v) { edges += v < 0 ? 0 : int64_t(r.weight(v)); });
    }
  });
}

struct RoundsOfRun {
  RoundsOfRun() { noted_rounds.start(); }
  ~RoundsOfRun() { end_rounds(0); }
};

}  // namespace irgl

// How many numbers there are: how many further rounds are one, what noting took, then six of each round; the first
// `most` of them are copied.
extern "C" __attribute__((used, visibility("default"))) inline int64_t irgl_rounds(int64_t* to, int64_t most) {
  const std::vector<irgl::Round>& kept = irgl::noted_rounds.kept();
  const int64_t count = 2 + 6 * int64_t(kept.size());
  for (int64_t i = 0; i < most && i < count; ++i) {
    const irgl::Round* const r = kept.data() + (i - 2) / 6;
    to[i] = i == 0 ? irgl::noted_rounds.further() : i == 1 ? irgl::noted_rounds.noting() : (&r->place)[(i - 2) % 6];
  }
  return count;
}
