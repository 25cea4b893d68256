// AnyJob: what all loops of for_each have in common, whatever their range and operator: who runs them, and the chunks of
// each thread. Not templates, so that it is compiled once. executor.hpp says what it does; Job there runs the items.
#pragma once
#include "runtime.hpp"

namespace irgl {
namespace detail {

class AnyJob {
 protected:
  using Part = void (*)(AnyJob&, Thread&);
  // alone, part: one thread's part of the loop, where it runs all of it, and where others are at work beside it.
  AnyJob(Runtime& c, Part alone, Part part) : c_(c), alone_(alone), part_(part) {}

  // site: of the loop in the text; apart: where its two instances differ; parts: where each thread's part of a list
  // begins, if that is what it runs over.
  IRGL_NOINLINE void decide(size_t work, size_t size, size_t cost, const void* site, bool apart, const size_t* parts) {
    if (work <= c_.least_shared() || !c_.helped(work)) return run_alone();
    if (!apart || !c_.team.open() || c_.by_all()) return run_shared(work, size, cost, parts);
    Habit& habit = c_.habits.of(site);
    const size_t scale = work * Habit::parts / c_.serial_work;
    const bool alone = habit.alone(scale);
    const int64_t start = nanoseconds();
    if (alone) run_alone();
    else run_shared(work, size, cost, parts);
    habit.note(alone, scale, nanoseconds() - start);
  }

  IRGL_NOINLINE void run_alone() {
    ++c_.stats.serial_loops;
    threads_ = chunks_ = 1;
    c_.host().share.set(0, 1);
    alone_(*this, c_.host());
  }

  // The next chunk for a thread: of its own, then of others'. With serial=off nobody goes on before all have their first.
  struct Turn { size_t owner, tried = 0; bool meets; };
  // A thread more than may run the loop takes none.
  Turn begin(const Thread& t) const {
    return {size_t(t.id), size_t(t.id) < threads_ ? 0 : threads_, threads_ > 1 && c_.by_all()};
  }
  IRGL_NOINLINE bool take(Turn& turn, size_t& chunk) {
    bool found = false;
    while (!found && turn.tried < threads_) {
      Thread& from = c_.thread(int(turn.owner));
      found = turn.tried == 0 ? from.share.first(chunk) : from.share.last(chunk);
      if (!found) ++turn.tried, turn.owner = turn.owner + 1 < threads_ ? turn.owner + 1 : 0;
    }
    if (__builtin_expect(turn.meets, 0)) turn.meets = false, c_.team.meet();
    return found;
  }

  Runtime& c_;
  size_t threads_ = 1, chunks_ = 1;

 private:
  void run_shared(size_t work, size_t size, size_t cost, const size_t* parts) {
    ++c_.stats.parallel_loops;
    const size_t most = c_.most();
    threads_ = size_t(c_.threads()) < most ? size_t(c_.threads()) : most;
    chunks_ = chunks(work, size, cost);
    work_ = work;
    deal(size, parts);
    if (c_.team.open()) share(this);
    else c_.team.together(int(threads_), share, this);
    if (out_of_memory_) throw std::bad_alloc();
  }
  static void share(void* job) {
    AnyJob& of = *static_cast<AnyJob*>(job);
    Runtime& c = of.c_;
    c.team.share(part, job, c.worth_waking(of.work_) || !c.team.awake(), c.by_all());
  }
  static void part(void* job, int id) {
    AnyJob& of = *static_cast<AnyJob*>(job);
    try {
      of.part_(of, of.c_.thread(id));
    } catch (const std::bad_alloc&) {
      store(of.out_of_memory_, true);
      for (size_t i = 0; i < of.threads_; ++i) of.c_.thread(int(i)).share.set(0, 0);
    }
  }
  size_t chunks(size_t work, size_t size, size_t cost) const {
    const size_t least = threads_ * 16;              // enough to even out what the weights do not tell
    const size_t most = size / (cost >= 64 ? 1 : 64) + 1;
    if (c_.evenly) return threads_ < most ? threads_ : most;
    size_t wanted = work / c_.chunk_work + 1;
    if (wanted > least * 8) wanted = least * 8;      // a chunk costs a search in the rows and a counter: no need of more
    if (wanted > most || most < least) return most;
    return wanted < least ? least : wanted;
  }
  // Equal shares, or of a list what each thread has pushed, unless one has pushed far more than the others.
  void deal(size_t size, const size_t* parts) {
    bool own = parts != nullptr && !c_.evenly && threads_ == size_t(c_.threads());
    for (size_t i = 0; own && i < threads_; ++i) own = (parts[i + 1] - parts[i]) * threads_ <= 2 * size;
    const auto begin = [&](size_t i) { return own ? (chunks_ * parts[i] + size / 2) / size : chunks_ * i / threads_; };
    for (size_t i = 0; i < threads_; ++i) c_.thread(int(i)).share.set(begin(i), begin(i + 1));
  }

  Part alone_, part_;
  size_t work_ = 0;
  bool out_of_memory_ = false;
};

}  // namespace detail
}  // namespace irgl
