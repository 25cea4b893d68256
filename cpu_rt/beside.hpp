// Parts of a Program that have nothing to do with each other, side by side.
//
//     irgl::beside(c, irgl::part([&](Context& c) {...}, [](Context& c, const Context& own) { c.count = own.count; }),
//                     irgl::part(...), ...);
// The second says what the first has left of the program's scalars: each part but the first has a context of its own,
// with threads of its own and the scalars as they were. The threads are dealt out among the parts that run, and anew
// whenever one has ended, so that the last one has all of them. A round on roads has too little work for two threads;
// two rounds have enough.
//
// One thread, and a graph that is too small to call a thread for, have the parts one after the other. The first fault
// in the order of the text is the one that is told, and ends what stands behind it.
#pragma once
#include <exception>
#include <mutex>
#include <thread>

#include "unit.hpp"

namespace irgl {

template <class Run, class Keep>
struct ProgramPart {
  Run run;
  Keep keep;
};
template <class Run, class Keep>
ProgramPart<Run, Keep> part(Run run, Keep keep) { return {run, keep}; }

namespace detail {

// How many threads each of the parts that run may have.
class Shares {
 public:
  static constexpr int most = 16;
  Shares(int threads, int parts) : threads_(size_t(threads)), left_(size_t(parts)) {}
  void join(Runtime& part) {
    const std::lock_guard<std::mutex> held(mutex_);
    running_[count_++] = &part;
    deal();
  }
  void leave(Runtime& part) {
    const std::lock_guard<std::mutex> held(mutex_);
    for (int i = 0; i < count_; ++i)
      if (running_[i] == &part) running_[i] = running_[--count_];
    --left_;
    deal();
  }

 private:
  void deal() {
    const size_t each = left_ == 0 ? threads_ : threads_ / left_;
    for (int i = 0; i < count_; ++i) {
      store(running_[i]->share, each == 0 ? size_t(1) : each);
      running_[i]->team.keep_awake(each > 1);  // others have the processors
    }
  }
  std::mutex mutex_;
  Runtime* running_[most] = {};
  int count_ = 0;
  size_t threads_, left_;
};

// A part's own context, and the thread that runs it.
template <class C>
struct Aside {
  C own;
  bool out_of_memory = false, begun = false;
  std::thread thread;
  explicit Aside(C& c) : own(c.threads()) {
    static_cast<Limits&>(own) = c;
    own._begin_as(c);
    own.worklist_capacity = c.worklist_capacity, own.fuse_limit = c.fuse_limit;
    own.stop = c.stop, own.began = c.began;
  }
  template <class F>
  void begin(const F& run, Shares& shares) {
    try {
      thread = std::thread([this, &run, &shares, host = processor()] {
        irgl::leave(host);
        work(run, &shares);
        shares.leave(own);
      });
      begun = true;
    } catch (const std::exception&) {  // there is no thread, or no memory for one: it runs behind the first
      shares.leave(own);
    }
  }
  template <class Run, class Keep>
  void end(C& c, const ProgramPart<Run, Keep>& part) {
    if (begun) thread.join();
    else work(part.run, nullptr);
    part.keep(c, static_cast<const C&>(own));
    c.rounds += own.rounds;
    c.stats.worklist_growths += own.stats.worklist_growths, c.stats.giants += own.stats.giants;
    c.stats.parallel_loops += own.stats.parallel_loops, c.stats.serial_loops += own.stats.serial_loops;
    if (own.faulted() != 0) c.fault(own.faulted());  // kept where there is none yet
  }

 private:
  template <class F>
  void work(const F& run, Shares* shares) {
    struct Run { const F& run; C& own; Shares* shares; } of{run, own, shares};
    try {
      own.team.together(own.threads(), [](void* data) {
        const Run& of = *static_cast<Run*>(data);
        if (of.shares != nullptr) of.shares->join(of.own);  // the team has begun, with helpers that stay awake
        of.run(of.own);
      }, &of);
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
    }
  }
};

template <class C, class Run, class Keep>
void alone(C& c, const ProgramPart<Run, Keep>& part) {
  if (!c.halted()) part.run(c);
}
}  // namespace detail

template <class C, class Run, class Keep, class... More>
void beside(C& c, const ProgramPart<Run, Keep>& first, const More&... more) {
  static_assert(sizeof...(more) < size_t(detail::Shares::most), "too many parts at once");
  if (c.threads() == 1 || !c.team.open()) {
    detail::alone(c, first);
    (detail::alone(c, more), ...);
    return;
  }
  detail::Shares shares(c.threads(), int(sizeof...(more)) + 1);
  bool out_of_memory = false;
  const auto run = [&](auto&... asides) {
    shares.join(c);
    UnitRuntime* last = &c;
    ((asides.own.before = last, last = &asides.own), ...);
    (asides.begin(more.run, shares), ...);
    try {
      first.run(c);
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
    }
    shares.leave(c);
    (asides.end(c, more), ...);
    ((out_of_memory |= asides.out_of_memory), ...);
  };
  [&run](auto&&... asides) { run(asides...); }(detail::Aside<C>((static_cast<void>(more), c))...);
  store(c.share, SIZE_MAX);
  if (out_of_memory) throw std::bad_alloc();
}

}  // namespace irgl
