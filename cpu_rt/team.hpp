// Team: the threads of one run. The host runs the program; the others wait, and help with the loops that it shares.
//
//     team.together(threads, f, data);         f(data) on the calling thread, the host, beside `threads` - 1 helpers
//     team.share(work, data, wake, all);       work(data, id) on the host (id 0), and on each helper that comes in time
// (Not templates: they would be compiled once for every loop.)
//
// wake: sleeping helpers are worth waking for this loop. all: every helper is waited for, and nobody goes on behind meet()
// until all are there; `serial=off` asks for that, so that tests see threads meet on few processors.
//
// OpenMP gives the threads, once for a run. A parallel region for each loop would wait for every thread twice: for one
// that sleeps 20 us, for one whose processor another program has several ms. Here a helper that comes late finds the loop
// closed, and the host waits only for those who are inside. A helper looks for the next loop for a while before it sleeps.
// Where other programs want the processors, which a thread sees by the time that it was set aside, it sleeps at once.
#pragma once
#include <omp.h>
#include <pthread.h>

#include <new>

#include "atomics.hpp"
#include "processors.hpp"

namespace irgl {

class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() { pthread_mutex_destroy(&mutex_), pthread_cond_destroy(&news_), pthread_cond_destroy(&left_); }

  bool open() const { return members_ > 0; }
  bool sharing() const { return sharing_; }       // is a loop of all threads running?
  bool awake() const { return open() && load(sleeping_) < members_ - 1; }  // is a helper about to look?
  void keep_awake(bool wanted) { store(linger_, wanted ? usual_ : 0); }     // do helpers look for a while before they sleep?

  IRGL_NOINLINE void together(int threads, void (*f)(void*), void* data) {
    bool out_of_memory = false;  // an exception must not leave the parallel region
    gate_ = 0;
    const bool scarce = threads > omp_get_num_procs() || nanoseconds() < load(crowded_until());
    linger_ = usual_ = scarce ? 0 : lingering;
    calls_ = scarce ? 0 : 4;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
      members_ = omp_get_num_threads();
      store(host_cpu_, processor());
      try {
        f(data);
      } catch (const std::bad_alloc&) {
        out_of_memory = true;
      }
      members_ = 0;
      __atomic_fetch_or(&gate_, over, __ATOMIC_SEQ_CST);
      wake_helpers();
    } else {
      serve(omp_get_thread_num());
    }
    if (out_of_memory) throw std::bad_alloc();
  }

  IRGL_NOINLINE void share(void (*work)(void*, int), void* data, bool wake, bool all) {
    work_ = work, data_ = data;
    met_ = 0;
    sharing_ = true, came_ = false;
    store(host_cpu_, processor());
    __atomic_store_n(&gate_, (gate_ / job + 1) * job | is_open, __ATOMIC_SEQ_CST);  // nobody is inside
    if (wake || all) wake_helpers();
    if (all) until([this] { return (__atomic_load_n(&gate_, __ATOMIC_RELAXED) & inside) == uint64_t(members_ - 1); });
    work(data, 0);
    if ((__atomic_and_fetch(&gate_, ~is_open, __ATOMIC_ACQ_REL) & inside) != 0) wait_for_helpers();
    sharing_ = false;
    if (!load(came_) && calls_ > 0 && awake()) call();
  }

  void meet() {  // with `all`, once by each thread: goes on when all have come
    __atomic_fetch_add(&met_, 1, __ATOMIC_RELAXED);
    until([this] { return load(met_) >= members_; });
  }

 private:
  // gate_: how many helpers are inside of the running loop, whether it is open to more, whether the run is over, and
  // the loop's number.
  static constexpr uint64_t inside = 0xffff, is_open = 0x10000, over = 0x20000, job = 0x40000;
  // How long a helper looks for the next loop, and the host for helpers to leave; from when on one was set aside; the
  // least time that another program keeps a processor; how long that is remembered. All in ns.
  static constexpr int64_t lingering = 200000, patience = 20000, aside = 300000, slice = 1000000, memory = 100000000;

  void serve(int id) {
    leave(load(host_cpu_));
    for (uint64_t served = 0;;) {
      uint64_t gate = next_loop(served);
      if ((gate & over) != 0) return;
      if (!__atomic_compare_exchange_n(&gate_, &gate, gate + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
      served = gate / job;
      store(came_, true);
      work_(data_, id);
      if ((__atomic_sub_fetch(&gate_, 1, __ATOMIC_SEQ_CST) & (inside | is_open)) != 0) continue;
      if (!__atomic_load_n(&host_sleeps_, __ATOMIC_SEQ_CST)) continue;
      pthread_mutex_lock(&mutex_);
      pthread_cond_signal(&left_);
      pthread_mutex_unlock(&mutex_);
    }
  }
  bool is_new(uint64_t gate, uint64_t served) const {
    return (gate & over) != 0 || ((gate & is_open) != 0 && gate / job != served);
  }
  uint64_t next_loop(uint64_t served) {
    uint64_t gate = 0;
    auto fresh = [&] { return is_new(gate = __atomic_load_n(&gate_, __ATOMIC_ACQUIRE), served); };
    if (look(fresh, linger_)) return gate;
    pthread_mutex_lock(&mutex_);
    __atomic_fetch_add(&sleeping_, 1, __ATOMIC_SEQ_CST);
    while (!is_new(gate = __atomic_load_n(&gate_, __ATOMIC_SEQ_CST), served)) pthread_cond_wait(&news_, &mutex_);
    __atomic_fetch_sub(&sleeping_, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex_);
    return gate;
  }
  // Looks again and again, for so long; whether it was seen.
  template <class F>
  bool look(F&& seen, const int64_t& limit) {
    if (seen()) return true;
    for (int64_t start = nanoseconds(), last = start; last - start <= load(limit);) {
      for (int i = 0; i < 64; ++i) {
        if (seen()) return true;
        pause();
      }
      const int64_t time = nanoseconds();
      if (time - last > aside) store(linger_, 0);
      sched_yield();
      last = time;
    }
    return false;
  }
  void wake_helpers() {
    if (__atomic_load_n(&sleeping_, __ATOMIC_SEQ_CST) == 0) return;
    pthread_mutex_lock(&mutex_);
    pthread_cond_broadcast(&news_);
    pthread_mutex_unlock(&mutex_);
  }
  IRGL_NOINLINE void wait_for_helpers() {
    auto gone = [this] { return (__atomic_load_n(&gate_, __ATOMIC_ACQUIRE) & inside) == 0; };
    if (look(gone, patience)) return;
    pthread_mutex_lock(&mutex_);
    __atomic_store_n(&host_sleeps_, true, __ATOMIC_SEQ_CST);
    while ((__atomic_load_n(&gate_, __ATOMIC_SEQ_CST) & inside) != 0) pthread_cond_wait(&left_, &mutex_);
    __atomic_store_n(&host_sleeps_, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex_);
  }
  // Helpers that are awake don't come: perhaps one waits for this processor. If another program had it meanwhile,
  // nobody calls or lingers in this run and those that begin soon after.
  IRGL_NOINLINE void call() {
    const int64_t start = nanoseconds();
    --calls_;
    sched_yield();
    const int64_t time = nanoseconds();
    if (time - start < slice) return;
    store(crowded_until(), time + memory);
    store(linger_, 0);
    calls_ = 0;
  }
  static int64_t& crowded_until() {
    static int64_t time = 0;  // of all runs of the unit: it is about the machine
    return time;
  }
  template <class F>
  static void until(F&& seen) {
    for (int i = 0; !seen(); ++i) {
      if (i < 64) pause();
      else sched_yield();
    }
  }

  alignas(64) uint64_t gate_ = 0;
  alignas(64) int sleeping_ = 0;
  int64_t linger_ = 0, usual_ = 0;
  alignas(64) int met_ = 0;
  alignas(64) void (*work_)(void*, int) = nullptr;
  void* data_ = nullptr;
  int members_ = 0, host_cpu_ = -1, calls_ = 4;
  bool sharing_ = false, came_ = false, host_sleeps_ = false;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t news_ = PTHREAD_COND_INITIALIZER, left_ = PTHREAD_COND_INITIALIZER;
};

}  // namespace irgl
