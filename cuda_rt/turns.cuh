// Turns: parts of the host's program that take turns on its thread. Whoever waits for the device lets the others go on.
//
//     irgl::Turns turns;
//     turns.take(run, data);     run(data) is another part; nothing of it has run yet
//     turns.end();               the caller takes turns with them until all have ended
//     turns.pass();              in any of them: the others' turn, until it comes round again
//
// A part is a fiber with a stack of its own, so that each may call CUDA as if it was alone, and none is interrupted but
// where it waits. Whose turn is next depends on nothing but how often each has waited.
#pragma once
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

namespace irgl {

class Turns {
 public:
  static constexpr size_t most = 16, stack_size = size_t(1) << 20, guard_size = size_t(1) << 12;

  Turns() = default;
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns() {
    for (size_t i = 1; i < count_; ++i) munmap(parts_[i].stack, stack_size + guard_size);
  }

  bool take(void (*run)(void*), void* data) {  // false: there are too many, or there is no memory for its stack
    if (count_ == most) return false;
    void* const stack = mmap(nullptr, stack_size + guard_size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return false;
    mprotect(stack, guard_size, PROT_NONE);
    Part& p = parts_[count_++];
    p.stack = stack, p.run = run, p.data = data;
    getcontext(&p.at);
    p.at.uc_stack.ss_sp = static_cast<char*>(stack) + guard_size;
    p.at.uc_stack.ss_size = stack_size;
    const size_t address = reinterpret_cast<size_t>(this);
    makecontext(&p.at, reinterpret_cast<void (*)()>(&begin), 2, unsigned(address >> 32), unsigned(address));
    ++running_;
    return true;
  }
  size_t running() const { return running_; }
  void pass() {
    const timespec pause{0, 50000};
    if (++passed_ > 1000 * running_) nanosleep(&pause, nullptr);  // the device is busy with what all wait for
    next();
  }
  void goes_on() { passed_ = 0; }  // whoever passed: what it waited for is there
  void end() {
    while (running_ > 1) pass();
  }

 private:
  struct Part {
    ucontext_t at;
    void* stack;
    void (*run)(void*);
    void* data;
    bool over;
  };
  static void begin(unsigned high, unsigned low) {
    Turns& turns = *reinterpret_cast<Turns*>(size_t(high) << 32 | low);
    Part& p = turns.parts_[turns.current_];
    turns.goes_on();
    p.run(p.data);
    p.over = true;
    --turns.running_;
    turns.goes_on();
    turns.next();
  }
  void next() {
    const size_t from = current_;
    do current_ = (current_ + 1) % count_; while (parts_[current_].over);
    if (current_ != from) swapcontext(&parts_[from].at, &parts_[current_].at);
  }

  Part parts_[most]{};  // the first: the caller
  size_t count_ = 1, current_ = 0, running_ = 1;
  size_t passed_ = 0;
};

}  // namespace irgl
