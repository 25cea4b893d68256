// Faults that the system sees, and a loop that nothing else sees: told with the user's line.
#pragma once
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "fiber.hpp"
#include "report.hpp"
#include "schedule.hpp"

extern "C" char __executable_start[], etext[];

namespace emu {

constexpr long WATCH_SECONDS = 4;  // of computing

struct Stopped {  // where the running thread was when a signal came
  u64 pc = 0, frame = 0;
};

inline Stopped stopped_at(const void* context) {
#if defined(__x86_64__)
  const auto& g = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {static_cast<u64>(g[REG_RIP]), static_cast<u64>(g[REG_RBP])};
#else
  (void)context;
  return {};
#endif
}

inline bool is_user_code(u64 pc) {
  if (pc < reinterpret_cast<u64>(__executable_start) || pc >= reinterpret_cast<u64>(etext)) return false;
  const std::string line = where(static_cast<u32>(pc));
  return line.find("/emu/runtime/") == std::string::npos && line.compare(0, 2, "??") != 0;
}

// The innermost place of the user's text; 0 where there is none.
inline u32 user_pc(Stopped at) {
  const u64 low = reinterpret_cast<u64>(cur->fiber->stack);
  for (u32 depth = 0; depth < 16; depth++) {
    if (is_user_code(at.pc)) return static_cast<u32>(at.pc);
    if (at.frame - low >= STACK - 16 || at.frame % 8 != 0) break;
    const u64* f = reinterpret_cast<const u64*>(at.frame);
    at = {f[1] - 1, f[0]};
  }
  return 0;
}

// Where the user's text called the runtime.
inline u32 calling_pc() {
  const u64* f = static_cast<const u64*>(__builtin_frame_address(0));
  for (u32 depth = 0; depth < 16; depth++) {
    if (is_user_code(f[1] - 1)) return static_cast<u32>(f[1] - 1);
    const u64* above = reinterpret_cast<const u64*>(f[0]);
    if (above <= f || above > f + (1 << 16)) break;
    f = above;
  }
  return 0;
}

inline void crashed(int, siginfo_t* info, void* context) {
  const u64 a = reinterpret_cast<u64>(info->si_addr);
  if (cur == nullptr || cur->fiber == nullptr) {
    signal(SIGSEGV, SIG_DFL);
    return;
  }
  const Stopped at = stopped_at(context);
  const u32 found = user_pc(at), pc = found != 0 ? found : cur->last_pc;
  const u64 below = reinterpret_cast<u64>(cur->fiber->stack) - a;
  if (below <= 1 << 16) {
    error("out-of-bounds", pc,
          text("%s needs more local memory than a thread may have (%lu KiB)", who(cur).c_str(), LOCAL >> 10));
  } else {
    error("out-of-bounds", pc, text("%s accesses the address %#lx, where nothing is", who(cur).c_str(), a));
  }
  finish();
}

// A loop of one instruction calls nothing, so that no count of basic blocks ends it.
inline void ticked(int, siginfo_t*, void* context) {
  static u64 before = 0;
  static double since = 0;  // a program may send the signal itself, at any rate
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  const double seconds = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  const u64 done = slices * 100000 - static_cast<u64>(budget) + counters.warp_steps;
  if (cur == nullptr || cur->fiber == nullptr || done != before) {
    before = done;
    since = seconds;
    return;
  }
  if (seconds - since < 0.9 * WATCH_SECONDS) return;
  const Stopped at = stopped_at(context);
  if (!is_user_code(at.pc)) return;
  error("no-progress", static_cast<u32>(at.pc),
        text("no progress: %s is in a loop without an end or an effect", who(cur).c_str()));
  finish();
}

inline void on(int number, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigaction(number, &action, nullptr);
}

inline void install_signals() {
  static u8 stack[64 << 10];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  on(SIGSEGV, crashed, 0);
  on(SIGBUS, crashed, 0);
  on(SIGVTALRM, ticked, SA_RESTART);
  const itimerval each{{WATCH_SECONDS, 0}, {WATCH_SECONDS, 0}};
  setitimer(ITIMER_VIRTUAL, &each, nullptr);
}

}  // namespace emu
