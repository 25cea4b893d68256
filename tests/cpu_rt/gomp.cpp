// What generated code uses of libgomp, on threads whose beginning and end ThreadSanitizer understands.
//
// libgomp waits in code that is not instrumented, so that ThreadSanitizer takes each loop of all threads for unordered
// with what stands around it. Here a region starts a thread for each member but the calling one, and joins them. Link with
//     -Wl,--wrap=__tsan_atomic64_fetch_add
// and no member begins its first chunk before all of them have taken theirs: each has a part of a small loop, also on few
// processors. This file is compiled without -fsanitize=thread: that waiting orders nothing that the members do.
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <vector>

namespace {
constexpr int most = 4;

struct Member {
  void (*body)(void*);
  void* data;
  int number, members;
  int* arrived;  // of all members
  pthread_t thread;
};
thread_local const Member* running = nullptr;
thread_local bool is_there = false;

void arrive() {
  if (running == nullptr || is_there) return;
  is_there = true;
  __atomic_fetch_add(running->arrived, 1, __ATOMIC_RELAXED);
}
void* enter(void* m) {
  running = static_cast<const Member*>(m), is_there = false;
  running->body(running->data);
  arrive();
  running = nullptr;
  return nullptr;
}
}  // namespace

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned wanted, unsigned) {
  if (running != nullptr) __builtin_abort();  // generated code starts no region within a region
  const int count = wanted != 0 ? int(wanted) : most;
  int arrived = 0;
  std::vector<Member> all;
  for (int i = 0; i < count; ++i) all.push_back({body, data, i, count, &arrived, {}});
  for (int i = 1; i < count; ++i)
    if (pthread_create(&all[size_t(i)].thread, nullptr, enter, &all[size_t(i)]) != 0) __builtin_abort();
  enter(&all[0]);
  for (int i = 1; i < count; ++i) pthread_join(all[size_t(i)].thread, nullptr);
}
int omp_get_thread_num() { return running != nullptr ? running->number : 0; }
int omp_get_num_threads() { return running != nullptr ? running->members : 1; }
int omp_get_max_threads() { return most; }
int omp_in_parallel() { return running != nullptr; }
double omp_get_wtime() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

unsigned long __real___tsan_atomic64_fetch_add(volatile unsigned long*, unsigned long, int);
unsigned long __wrap___tsan_atomic64_fetch_add(volatile unsigned long* place, unsigned long value, int order) {
  const unsigned long before = __real___tsan_atomic64_fetch_add(place, value, order);
  if (running != nullptr && !is_there) {
    arrive();
    while (__atomic_load_n(running->arrived, __ATOMIC_RELAXED) < running->members) sched_yield();
  }
  return before;
}
}
