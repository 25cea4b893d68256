// Start-up, launches and the end of the program.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "api.hpp"
#include "devices.hpp"
#include "explore.hpp"
#include "fiber.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "rounds.hpp"
#include "schedule.hpp"
#include "signals.hpp"

alignas(1024) char irgl_emu_dynamic_shared[IRGL_EMU_DYNAMIC];

namespace emu {

Api& api = *new Api;

namespace {

u64 number(const char* name, u64 otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == 0 ? otherwise : std::strtoull(text, nullptr, 10);
}

void at_end(int status, void*) {
  if (api.unchecked != 0 && status == 0) {
    error(api.unchecked_error == cudaErrorCooperativeLaunchTooLarge ? "grid-sync" : "launch", api.unchecked,
          text("this launch fails (%s), and nobody asks whether it did%s", irgl_emu_error_text(api.unchecked_error),
               api.why.c_str()));
  }
  report_leaks();
  if (counters.errors > 0) finish();
  fflush(stdout);
  if (const char* path = std::getenv("IRGL_EMU_REPORT")) write_report(path);
}

// Where IRGL_EMU_OUTPUT says that what the program prints shall go.
void redirect(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0) dup2(file, 1), dup2(file, 2);
}

void begin() {
  map_regions();
  read_symbols();
  if (const char* jobs = std::getenv("IRGL_EMU_JOBS")) run_jobs(jobs);
  if (const char* output = std::getenv("IRGL_EMU_OUTPUT")) redirect(output);
  if (const u64 seconds = number("IRGL_EMU_SECONDS", 0)) alarm(static_cast<u32>(seconds));
  const char* mode = std::getenv("IRGL_EMU_MODE");
  options.mode = mode == nullptr                      ? Mode::check
                 : std::strcmp(mode, "fast") == 0     ? Mode::fast
                 : std::strcmp(mode, "lockstep") == 0 ? Mode::lockstep
                                                      : Mode::check;
  checks = options.mode != Mode::fast;
  lockstep = options.mode == Mode::lockstep;
  options.seed = number("IRGL_EMU_SEED", 0);
  choose_family();
  options.strict = number("IRGL_EMU_STRICT", 0) != 0;
  options.weaver = number("IRGL_EMU_WEAVER", 0) != 0;
  options.processors = static_cast<u32>(std::clamp<u64>(number("IRGL_EMU_SMS", options.processors), 1, 4096));
  options.l1 = std::min<u64>(number("IRGL_EMU_L1", options.l1 >> 10), 16 << 10) << 10;
  options.l2 = std::min<u64>(number("IRGL_EMU_L2", options.l2 >> 10), 4 << 20) << 10;
  options.arch = static_cast<u32>(number("IRGL_EMU_ARCH", options.arch));
  options.registers = std::clamp(static_cast<u32>(number("IRGL_EMU_REGISTERS", options.registers)), 1u, 255u);
  options.memory = number("IRGL_EMU_MEMORY", options.memory >> 20) << 20;
  const char* managed = std::getenv("IRGL_EMU_MANAGED");
  options.managed = managed == nullptr                   ? Managed::whole
                    : std::strcmp(managed, "pages") == 0 ? Managed::pages
                    : std::strcmp(managed, "none") == 0  ? Managed::none
                                                         : Managed::whole;
  choose_devices();
  options.rounds = number("IRGL_EMU_ROUNDS", options.rounds);
  options.patience = number("IRGL_EMU_PATIENCE", options.patience);
  options.long_patience = number("IRGL_EMU_LONG_PATIENCE", options.long_patience);
  on_exit(at_end, nullptr);
  install_signals();
}

}  // namespace

Starter::Starter() { begin(); }

void from_one_thread() {
  static thread_local const char me = 0;
  static std::atomic<const char*> caller{nullptr};
  const char* other = nullptr;
  if (caller.compare_exchange_strong(other, &me) || other == &me) return;
  refuse(calling_pc(), "CUDA calls from a second host thread are not covered: make them all from one");
}

std::unordered_map<const void*, Kernel>& kernels() {
  static auto* all = new std::unordered_map<const void*, Kernel>;
  return *all;
}

u32 shared_limit(const void* function) {
  if (function == nullptr) {  // of a template: any kernel's
    u32 most = 49152;
    for (const auto& [address, k] : kernels()) most = std::max(most, k.dynamic_limit);
    return most;
  }
  const auto k = kernels().find(function);
  return k == kernels().end() || k->second.dynamic_limit == 0 ? 49152 : k->second.dynamic_limit;
}

u32 blocks_per_processor(const void* function, u32 threads, u64 dynamic) {
  if (threads == 0 || threads > 1024) return 0;
  const u32 whole = (threads + 31) / 32 * 32;
  const u64 shared = static_shared(function) + dynamic + 1024;
  const u32 by_shared = static_cast<u32>((IRGL_EMU_DYNAMIC + 1024) / shared);
  const u32 of_warp = (options.registers * 32 + 255) / 256 * 256;
  return std::min({32u, 2048 / whole, by_shared, 65536 / (of_warp * whole / 32)});
}

int launch(const irgl_emu_launch& l, u32 pc, int device) {
  const auto fail = [&](int code, const std::string& why = "") {
    if (api.unchecked == 0) {
      api.unchecked = pc;
      api.unchecked_error = code;
      api.why = why;
    }
    return api.last = code;
  };
  if (cur != nullptr)
    refuse(pc, "a kernel launch in a kernel (dynamic parallelism) is not covered: launch it from the host");
  from_one_thread();
  if (device == OF_THE_STREAM) {
    device = current_device();
    if (const int other = device_of(static_cast<cudaStream_t>(l.stream)); other != device) {
      return fail(cudaErrorInvalidResourceHandle,
                  text(": its stream is of device %d, and device %d is current; call cudaSetDevice(%d) first", other,
                       device, other));
    }
  }
  const u64 threads = static_cast<u64>(l.block.x) * l.block.y * l.block.z;
  const u64 blocks = static_cast<u64>(l.grid.x) * l.grid.y * l.grid.z;
  if (threads == 0 || threads > 1024 || l.block.x > 1024 || l.block.y > 1024 || l.block.z > 64 || blocks == 0 ||
      l.grid.x > 0x7fffffffu || l.grid.y > 65535 || l.grid.z > 65535) {
    return fail(9);
  }
  const u64 fixed = l.function != nullptr ? static_shared(l.function) : 0;
  if (l.shared + fixed > IRGL_EMU_DYNAMIC || l.shared > shared_limit(l.function)) return fail(1);
  const u64 most =
      static_cast<u64>(blocks_per_processor(l.function, static_cast<u32>(threads), l.shared)) * options.processors;
  if (l.cooperative != 0) {
    if (blocks > most) {
      return fail(cudaErrorCooperativeLaunchTooLarge,
                  text(": of its %lu blocks of %lu threads only %lu fit on the device at once; size the grid by "
                       "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                       blocks, threads, most));
    }
  }
  if (l.cooperative != 0 && api.unchecked_error == cudaErrorCooperativeLaunchTooLarge)
    api.unchecked = 0;  // it tried again
  DeviceCounters& own = counters_of(device);
  if (!launching_graph()) counters.launches++, own.launches++, rounds[last_round()].launches++;
  if (l.cooperative != 0) counters.cooperative_launches++;
  static u32 launches = 0;
  Grid g;
  g.launch = &l;
  g.pc = pc;
  g.grid = l.grid;
  g.block = l.block;
  g.number = ++launches;
  g.threads = static_cast<u32>(threads);
  g.blocks = blocks;
  g.device = device;
  g.cooperative = l.cooperative != 0;
  g.at_once = std::max<u64>(1, most);
  const auto stream = static_cast<cudaStream_t>(launching_graph() ? graph_stream() : l.stream);
  g.beside = begin_work(stream);
  counters.launches_beside += !g.beside.empty();
  const u32 begin = ++now;
  const Opened opened;
  const u64 steps = counters.warp_steps;
  load_variables(device);
  grid = &g;
  run_grid();
  grid = nullptr;
  cur = nullptr;
  load_variables(current_device());
  own.warp_steps += counters.warp_steps - steps;
  end_work(stream, begin);
  if (g.aborted) {
    api.sticky = api.last = api.abort_code;
  }
  return 0;
}

}  // namespace emu

using namespace emu;

extern "C" int irgl_emu_run(const irgl_emu_launch* l) {
  const u32 pc = EMU_PC;
  const bool is_here = device_of(static_cast<cudaStream_t>(l->stream)) == current_device();
  return is_here && captured(*l) ? 0 : launch(*l, pc);
}

extern "C" void irgl_emu_register_kernel(const void* function, const char* name, void (*entry)(const void*),
                                         unsigned parameters, const unsigned* sizes) {
  Kernel& k = kernels()[function];
  k.name = name;
  k.entry = entry;
  k.sizes.assign(sizes, sizes + parameters);
}

extern "C" int irgl_emu_in_kernel() { return cur != nullptr; }

extern "C" void irgl_emu_step() { progress++; }

extern "C" unsigned irgl_emu_processor(int all) {
  return all != 0 || cur == nullptr ? options.processors : cur->block->number % options.processors;
}

extern "C" void irgl_emu_trap() {
  if (cur == nullptr) std::abort();
  api.abort_code = 719;
  abort_grid();
}

extern "C" void irgl_emu_assert_fail(const char* what, const char* file, unsigned line, const char* function) {
  fflush(stdout);
  if (cur == nullptr) {
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
    std::abort();
  }
  fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function,
          cur->block->idx.x, cur->block->idx.y, cur->block->idx.z, cur->idx.x, cur->idx.y, cur->idx.z, what);
  api.abort_code = 710;
  abort_grid();
}

extern "C" void irgl_emu_fault(const char* kind, const char* sentence) {
  if (checks) error(kind, EMU_PC, text("%s: %s", who(cur).c_str(), sentence));
}

extern "C" void irgl_emu_deprecated(const char* name, const char* instead) {
  report(Level::warning, "deprecated", EMU_PC, 0,
         text("CUDA 13 has no %s any more, and CUDA 12 deprecates it: write %s", name, instead));
}

extern "C" void irgl_emu_refuse(const char* what, const char* instead) {
  refuse(EMU_PC, text("the emulator does not cover %s: %s", what, instead));
}
