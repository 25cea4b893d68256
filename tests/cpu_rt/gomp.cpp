// What generated code uses of libgomp, on threads whose beginning and end ThreadSanitizer understands.
//
// libgomp waits in code that is not instrumented, so that ThreadSanitizer takes what stands in a region for unordered with
// what stands around it. Here a region starts a thread for each member but the calling one, and joins them.
#include <omp.h>
#include <pthread.h>
#include <time.h>

#include <vector>

namespace {
constexpr int most = 4;

struct Member {
  void (*body)(void*);
  void* data;
  int number, members;
  pthread_t thread;
};
thread_local const Member* running = nullptr;

void* enter(void* m) {
  running = static_cast<const Member*>(m);
  running->body(running->data);
  running = nullptr;
  return nullptr;
}
}  // namespace

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned wanted, unsigned) {
  if (running != nullptr) __builtin_abort();  // generated code starts no region within a region
  const int count = wanted != 0 ? int(wanted) : most;
  std::vector<Member> all;
  for (int i = 0; i < count; ++i) all.push_back({body, data, i, count, {}});
  for (int i = 1; i < count; ++i)
    if (pthread_create(&all[size_t(i)].thread, nullptr, enter, &all[size_t(i)]) != 0) __builtin_abort();
  enter(&all[0]);
  for (int i = 1; i < count; ++i) pthread_join(all[size_t(i)].thread, nullptr);
}
int omp_get_thread_num() { return running != nullptr ? running->number : 0; }
int omp_get_num_threads() { return running != nullptr ? running->members : 1; }
int omp_get_max_threads() { return most; }
int omp_get_num_procs() { return most; }
double omp_get_wtime() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}
}
