// A launch: blocks that are resident, threads that can run, which of them runs next and for how long; and what is said
// when something is wrong.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "decode.hpp"
#include "memory.hpp"
#include "weak.hpp"

#include <mutex>

namespace ptx {
namespace {
const Launch* launched = nullptr;
std::vector<Thread*> ready;
uint64_t state = 0, quiet = 0, instructions = 0;

int64_t setting(const char* name, int64_t otherwise) {
  const char* const text = getenv(name);
  return text != nullptr ? atoll(text) : otherwise;
}

// Which blocks live at a time.
struct Resident {
  std::vector<std::unique_ptr<Block>> blocks;
  uint64_t next = 0, total = 0;
};

void add_block(Resident& r) {
  const Launch& l = *launched;
  auto block = std::make_unique<Block>();
  uint64_t n = r.next++;
  block->x = unsigned(n % l.grid.x), n /= l.grid.x;
  block->y = unsigned(n % l.grid.y), block->z = unsigned(n / l.grid.y);
  block->size = l.block.x * l.block.y * l.block.z;
  block->shared.assign(size_t(l.module->dynamic_shared) + l.dynamic_shared, 0xcb);
  block->threads.resize(block->size);
  const Function& f = *l.kernel;
  std::vector<uint8_t> args(size_t(f.in_bytes));
  for (size_t k = 0; k < f.in.size(); ++k) memcpy(args.data() + f.in[k].offset, l.args[k], size_t(f.in[k].size));
  for (unsigned k = 0; k < block->size; ++k) {
    Thread& t = block->threads[k];
    t.block = block.get();
    t.index = k, t.lane = k % 32;
    t.x = k % l.block.x, t.y = k / l.block.x % l.block.y, t.z = k / l.block.x / l.block.y;
    enter(t, f, args, nullptr);
    t.state = State::ended;
    wake(t);
  }
  r.blocks.push_back(std::move(block));
}

void told(const Thread& t, const Inst& i) {
  fprintf(stderr, "ptx:   thread (%u,%u,%u) of block (%u,%u,%u) at %s\n", t.x, t.y, t.z, t.block->x, t.block->y,
          t.block->z, where(t, i).c_str());
  for (size_t k = t.frames.size(); k-- > 1;) {
    fprintf(stderr, "ptx:     called at %s\n", where(t, *t.frames[k]->call).c_str());
  }
}
[[noreturn]] void stuck(const Resident& r, const char* why) {
  fflush(stdout);
  fprintf(stderr, "ptx: error: %s in %s (%u blocks of %u threads), instruction %llu\n", why,
      launched->kernel->name.c_str(),
          launched->grid.x * launched->grid.y * launched->grid.z, launched->block.x,
          static_cast<unsigned long long>(instructions));
  std::map<std::pair<const Inst*, State>, int> seen;
  int said = 0;
  for (const auto& block : r.blocks)
    for (const Thread& t : block->threads) {
      if (t.state == State::ended) continue;
      const Inst* const at = t.state == State::ready ? &t.code[t.pc] : t.waits;
      if (seen[{at, t.state}]++ == 0 && said++ < 12) told(t, *at);
    }
  for (const auto& [key, count] : seen)
    fprintf(stderr, "ptx:   %d threads %s PTX line %u\n", count, key.second == State::ready ? "run at" : "wait at",
        key.first->line);
  _exit(86);
}

// One thread for a while. Mostly long, sometimes single steps, so that rare orders come up too.
void spin(Thread& t) {
  const uint64_t dice = draw(16);
  int n = int(dice == 0 ? 1 : dice < 4 ? 1 + draw(8) : 16 + draw(200));
  if (weak) weak_some(t);
  quiet += unsigned(n), instructions += unsigned(n);
  while (n-- != 0) {
    const Inst& i = t.code[t.pc];
    ++t.pc;
    if (i.guard >= 0 && bool(t.r[i.guard] & 1) == i.guard_not) continue;
    if (i.run(t, i)) continue;
    t.listed = false;
    if (weak) weak_pass(t);
    ready.back()->ready_at = t.ready_at;
    std::swap(ready[t.ready_at], ready.back());
    ready.pop_back();
    return;
  }
}
}  // namespace

uint64_t draw(uint64_t below) {
  state += 0x9e3779b97f4a7c15;
  uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return uint64_t((unsigned __int128)(x ^ (x >> 31)) * below >> 64);
}
const Launch& current() { return *launched; }
void progress() { quiet = 0; }

void wake(Thread& t) {
  t.state = State::ready;
  if (t.listed) return;
  t.listed = true;
  t.ready_at = ready.size();
  ready.push_back(&t);
}

void enter(Thread& t, const Function& f, const std::vector<uint8_t>& args, const Inst* call) {
  auto frame = std::make_unique<Frame>();
  frame->function = &f;
  frame->call = call;
  frame->registers.assign(size_t(f.registers), 0xcbcbcbcbcbcbcbcb);
  frame->params.assign(size_t(f.param_bytes) + 16, 0xcb);
  memcpy(frame->params.data(), args.data(), args.size());
  frame->local_base = int64_t((t.local.size() + 15) / 16 * 16);
  t.local.resize(size_t(frame->local_base + f.local_bytes), 0xcb);
  frame->registers[0] = uint64_t(frame->local_base);
  frame->registers[1] = reinterpret_cast<uint64_t>(frame->params.data());
  frame->registers[2] = uint64_t(launched->module->dynamic_shared);
  t.r = frame->registers.data(), t.k = f.constants.data(), t.code = f.code.data(), t.pc = 0;
  t.frames.push_back(std::move(frame));
}

std::string where(const Thread& t, const Inst& i) {
  const auto place = [](const unsigned* p) {
    const auto& files = launched->module->files;
    return p[1] == 0 || p[0] >= files.size() ? "?" : files[p[0]].substr(files[p[0]].rfind('/') + 1) + ":" + std::to_string(p[1]);
  };
  const Function& f = *t.frames.back()->function;
  return place(i.place) + (i.place[3] != 0 ? " (inlined at " + place(i.place + 2) + ")" : "") + ", PTX line " +
         std::to_string(i.line) + " of " + f.name + ": " + (i.text ? *i.text : "");
}
void refuse(const std::string& what) { throw what; }
void fault(const Thread& t, const Inst& i, const std::string& what) {
  fflush(stdout);
  fprintf(stderr, "ptx: error: %s\n", what.c_str());
  told(t, i);
  _exit(86);
}

void run(const Launch& launch) {
  static std::mutex one_at_a_time;  // threads of the host may launch at once
  const std::lock_guard lock(one_at_a_time);
  static bool seeded = false;
  if (!seeded) state = uint64_t(setting("PTX_SEED", 1)) * 1000003, seeded = true;
  static const uint64_t patience = uint64_t(setting("PTX_PATIENCE", 30000000));
  static const size_t room = size_t(setting("PTX_SMS", 2) * setting("PTX_BLOCKS", 2));
  static const bool verbose = setting("PTX_VERBOSE", 0) != 0;
  static const bool is_weak = setting("PTX_WEAK", 0) != 0;
  weak = is_weak;
  weak_begin();
  launched = &launch;
  for (const auto& [name, f] : launch.module->functions)
    for (const Inst& i : f->code) i.hint = nullptr;
  if (verbose) {
    fprintf(stderr, "ptx: %s<<<%u, %u>>>%s\n", launch.kernel->name.c_str(),
        launch.grid.x * launch.grid.y * launch.grid.z,
            launch.block.x * launch.block.y * launch.block.z, launch.cooperative ? " cooperative" : "");
  }
  Resident r;
  r.total = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  ready.clear();
  quiet = 0;
  const size_t most = launch.cooperative ? size_t(r.total) : room;
  for (uint64_t turns = 0;; ++turns) {
    while (r.blocks.size() < most && r.next < r.total) add_block(r);
    if (ready.empty() || turns % 64 == 0) {
      for (size_t k = r.blocks.size(); k-- != 0;)
        if (r.blocks[k]->ended == r.blocks[k]->size) {
          weak_all(*r.blocks[k]);
          std::swap(r.blocks[k], r.blocks.back()), r.blocks.pop_back();
        }
      if (r.blocks.empty() && r.next == r.total) break;
      if (ready.empty() && !r.blocks.empty() && (r.blocks.size() == most || r.next == r.total)) stuck(r, "deadlock");
      if (ready.empty()) continue;
    }
    if (quiet > patience) stuck(r, "no progress");
    if (weak && turns % 256 == 0) weak_some(*r.blocks[draw(r.blocks.size())]);
    spin(*ready[draw(ready.size())]);
  }
  if (verbose) fprintf(stderr, "ptx:   %llu instructions so far\n", static_cast<unsigned long long>(instructions));
  launched = nullptr;
}

}  // namespace ptx
