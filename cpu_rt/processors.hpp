// The clock, and where a thread runs.
//
//     nanoseconds()     since some moment
//     processor()       that the calling thread is on; -1: unknown
//     leave(p)          the calling thread goes to another processor, if it is on this one and may run elsewhere. One that
//                       is woken may be put behind the thread that woke it while another processor has nothing to do.
#pragma once
#include <sched.h>
#include <stdint.h>
#include <time.h>

namespace irgl {

inline int64_t nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

#ifdef __linux__
inline int processor() { return sched_getcpu(); }
inline void leave(int p) {
  cpu_set_t all, others;
  if (p < 0 || p >= CPU_SETSIZE || processor() != p || sched_getaffinity(0, sizeof all, &all) != 0) return;
  others = all;
  CPU_CLR(size_t(p), &others);
  if (CPU_COUNT(&others) != 0 && sched_setaffinity(0, sizeof others, &others) == 0) sched_setaffinity(0, sizeof all, &all);
}
#else
inline int processor() { return -1; }
inline void leave(int) {}
#endif

}  // namespace irgl
