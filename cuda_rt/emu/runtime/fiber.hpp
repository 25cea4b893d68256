// Fibers: one stack per waiting CUDA thread, and the switch between them.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "state.hpp"
#if !defined(__x86_64__) || defined(IRGL_EMU_UCONTEXT)
#include <ucontext.h>
#endif

namespace emu {

constexpr u64 LOCAL = 512 << 10;  // of a thread, as in CUDA
constexpr u64 STACK = LOCAL + (64 << 10);
constexpr u64 GUARD = 4096;

inline Fiber host_fiber;
inline Fiber* free_fibers = nullptr;
void fiber_main(Fiber* self);

#if defined(__x86_64__) && !defined(IRGL_EMU_UCONTEXT)
// Saves the registers that a call must keep. Ends in pop and jmp: a ret to another stack is always mispredicted.
asm(R"(
.text
.p2align 4
.type irgl_emu_switch, @function
irgl_emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size irgl_emu_switch, .-irgl_emu_switch
.type irgl_emu_start, @function
irgl_emu_start:
  movq %rbx, %rdi
  call irgl_emu_fiber_main
  ud2
.size irgl_emu_start, .-irgl_emu_start
)");
extern "C" void irgl_emu_switch(void** save, void* load);
extern "C" void irgl_emu_start();
extern "C" void irgl_emu_fiber_main(Fiber* self) { fiber_main(self); }

inline void switch_to(Fiber* from, Fiber* to) { irgl_emu_switch(&from->sp, to->sp); }

inline void prepare(Fiber* f) {
  u64* top = reinterpret_cast<u64*>(f->stack + STACK);
  *--top = reinterpret_cast<u64>(&irgl_emu_start);
  *--top = 0;                         // rbp: the end of the chain of frames
  *--top = reinterpret_cast<u64>(f);  // rbx
  for (int i = 0; i < 4; i++) *--top = 0;
  f->sp = top;
}
#else
struct Context {
  ucontext_t uc;
};
inline void start_context(u32 low, u32 high) {
  fiber_main(reinterpret_cast<Fiber*>(static_cast<u64>(high) << 32 | low));
  std::abort();
}
inline void switch_to(Fiber* from, Fiber* to) {
  if (from->sp == nullptr) from->sp = new Context;
  swapcontext(&static_cast<Context*>(from->sp)->uc, &static_cast<Context*>(to->sp)->uc);
}
inline void prepare(Fiber* f) {
  auto* c = new Context;
  getcontext(&c->uc);
  c->uc.uc_stack.ss_sp = f->stack;
  c->uc.uc_stack.ss_size = STACK;
  const u64 p = reinterpret_cast<u64>(f);
  makecontext(&c->uc, reinterpret_cast<void (*)()>(start_context), 2, static_cast<u32>(p), static_cast<u32>(p >> 32));
  f->sp = c;
}
#endif

inline Fiber* take_fiber() {
  if (free_fibers != nullptr) {
    Fiber* f = free_fibers;
    free_fibers = f->next;
    return f;
  }
  void* p = mmap(nullptr, STACK + GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    fprintf(stderr, "irgl emulator: no memory for the stack of a thread\n");
    _exit(2);
  }
  mprotect(p, GUARD, PROT_NONE);
  auto* f = new Fiber;
  f->stack = static_cast<u8*>(p) + GUARD;
  prepare(f);
  return f;
}

inline void give_fiber(Fiber* f) {
  f->next = free_fibers;
  free_fibers = f;
}

}  // namespace emu
