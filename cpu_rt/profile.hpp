// Profiles: how long the loops of a run took, how many iterations they had, and how many of these did something, as a
// unit notes it (profiled.hpp), numbered by its places (irgl/codegen/openmp/sites.py).
//
//     irgl_profile(to, most)                           to the caller, behind the run: what is noted, in numbers
// A clock may take as long as twenty edges, so that it is looked at where a loop begins and ends and, of one that is
// shared, where helpers begin and threads end. A round begins where the last loop of the one before ended.
#pragma once
#include <time.h>

#include <vector>

#include "runtime.hpp"

namespace irgl {

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

}  // namespace irgl

// How many numbers there are, of which the first `most` are copied: see Profile::told.
extern "C" __attribute__((used, visibility("default"))) inline int64_t irgl_profile(int64_t* to, int64_t most) {
  const std::vector<int64_t> words = irgl::profile.told();
  for (size_t k = 0; k < words.size() && k < size_t(most); ++k) to[k] = words[k];
  return int64_t(words.size());
}
