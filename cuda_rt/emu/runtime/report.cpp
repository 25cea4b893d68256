#include "cas_reads.hpp"
#include "devices.hpp"
#include "report.hpp"
#include "rounds.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace emu {

Counters counters;

// What is used at the end of the program is never destroyed.
std::map<std::string, long>& own_counters() {
  static auto* all = new std::map<std::string, long>;
  return *all;
}

namespace {

struct Message {
  Level level;
  std::string kind, place, sentence;
};
std::vector<Message>& messages = *new std::vector<Message>;
struct Frames {
  std::string line, all;  // the user's line; that of each inlined call around it too
};
std::unordered_map<u32, Frames>& places = *new std::unordered_map<u32, Frames>;
constexpr std::size_t MOST = 50;

// Is it a line that the user wrote: not the shim's, not the C++ library's?
bool is_users(const std::string& line) {
  return line.find("/emu/include/") == std::string::npos && line.find("/include/c++/") == std::string::npos &&
         line.compare(0, 2, "??") != 0;
}

// The innermost one of an inlined call.
std::string own_line(const std::vector<std::string>& frames) {
  const auto own = std::find_if(frames.begin(), frames.end(), is_users);
  if (own != frames.end()) return *own;
  return frames.empty() ? "??:0" : frames.front();
}

std::string shown(std::string line) {
  if (const char* name = std::getenv("IRGL_EMU_SOURCE")) {  // "full path=as the user wrote it"
    const char* eq = std::strrchr(name, '=');
    const std::string full(name, eq != nullptr ? static_cast<std::size_t>(eq - name) : 0);
    if (!full.empty() && line.compare(0, full.size() + 1, full + ":") == 0) return (eq + 1) + line.substr(full.size());
  }
  char here[4096];
  if (getcwd(here, sizeof here) != nullptr) {
    const std::string prefix = std::string(here) + "/";
    if (line.compare(0, prefix.size(), prefix) == 0) return line.substr(prefix.size());
  }
  return line;
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 32)
      out += ' ';
    else
      out += c;
  }
  return out + "\"";
}

AtomicSite sites[4096];

}  // namespace

std::string text(const char* format, ...) {
  char buffer[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  return buffer;
}

void resolve(const std::vector<u32>& pcs) {
  std::string command = "addr2line -i -a -e /proc/" + std::to_string(getpid()) + "/exe";
  bool any = false;
  for (const u32 pc : pcs) {
    if (places.count(pc) != 0) continue;
    places[pc] = {"??:0", ""};
    command += text(" 0x%x", pc);
    any = true;
  }
  if (!any) return;
  fflush(stdout);
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return;
  char line[4096];
  std::vector<std::string> frames;
  u32 at = 0;
  const auto flush = [&] {
    if (at != 0) {
      Frames& f = places[at];
      f.line = shown(own_line(frames));
      for (const std::string& one : frames) f.all += one + "\n";
    }
    frames.clear();
  };
  while (fgets(line, sizeof line, pipe) != nullptr) {
    line[std::strcspn(line, "\n")] = 0;
    if (char* extra = std::strstr(line, " (discriminator")) *extra = 0;
    if (std::strncmp(line, "0x", 2) == 0) {
      flush();
      at = static_cast<u32>(std::strtoull(line, nullptr, 16));
    } else {
      frames.emplace_back(line);
    }
  }
  flush();
  pclose(pipe);
}

std::string where(u32 pc) {
  resolve({pc});
  return places[pc].line;
}

std::string where_in_kernel(u32 pc) {
  const std::string place = where(pc);
  return grid != nullptr && cur != nullptr && !is_users(place) ? where(grid->pc) : place;
}

bool same_lines(const Site& a, const Site& b) {
  if (a.depth != b.depth) return false;
  std::vector<u32> pcs(a.pc, a.pc + a.depth);
  pcs.insert(pcs.end(), b.pc, b.pc + b.depth);
  resolve(pcs);
  for (u32 i = 0; i < a.depth; i++) {
    if (places[a.pc[i]].all != places[b.pc[i]].all) return false;
  }
  return true;
}

std::string who(const Thread* t) {
  if (t == nullptr) return "the host";
  return text("thread (%u,%u,%u) of block (%u,%u,%u)", t->idx.x, t->idx.y, t->idx.z, t->block->idx.x, t->block->idx.y,
              t->block->idx.z);
}

std::string who(u32 id) {
  if (grid == nullptr) return "another thread";
  const irgl_emu_dim3 b = grid->block, g = grid->grid;
  const u32 t = id & 1023, k = id >> 10;
  return text("thread (%u,%u,%u) of block (%u,%u,%u)", t % b.x, t / b.x % b.y, t / b.x / b.y, k % g.x, k / g.x % g.y,
              k / g.x / g.y);
}

void report(Level level, const char* kind, u32 pc, u32 other, const std::string& sentence) {
  if (options.strict) level = Level::error;
  static auto& told = *new std::set<std::pair<std::string, u64>>;
  static auto& told_lines = *new std::set<std::string>;
  if (!told.emplace(kind, static_cast<u64>(pc) << 32 | other).second || messages.size() >= MOST) return;
  const std::string place = where_in_kernel(pc);
  if (!told_lines.insert(std::string(kind) + place).second) return;
  const char* word = level == Level::error ? "error" : "warning";
  (level == Level::error ? counters.errors : counters.warnings)++;
  std::string full = sentence;
  if (grid != nullptr && cur != nullptr) full += text("; in kernel %s", grid->launch->name);
  messages.push_back({level, kind, place, full});
  fflush(stdout);
  fprintf(stderr, "%s: %s: [%s] %s\n", place.c_str(), word, kind, full.c_str());
}

void refuse(u32 pc, const std::string& sentence) {
  fflush(stdout);
  fprintf(stderr, "%s: error: %s\n", where(pc).c_str(), sentence.c_str());
  fflush(stderr);
  _exit(2);
}

void count_atomic(u32 pc, int op, bool shared) {
  u32 at = (pc * 2654435761u) >> 20;
  for (;; at = (at + 1) & 4095) {
    AtomicSite& s = sites[at];
    if (s.n == 0) s = {pc, op, shared, 0};
    if (s.pc == pc && s.op == op && s.shared == shared) {
      s.n++;
      return;
    }
  }
}

// The first of them is what is in no round, the last one all further ones where there are too many to keep.
static void write_rounds(FILE* f) {
  fprintf(f, "  \"further_rounds\": %lu,\n  \"rounds\": [", further_rounds);
  const char* comma = "";
  for (const Tally& r : rounds) {
    fprintf(f, "%s\n    [%u, %u, %ld, %ld, %lu, %lu, %lu, %lu, %lu, %lu]", comma, r.place, r.depth, r.items, r.edges,
            r.ways, r.launches, r.grid_barriers, r.atomics, r.warp_steps, r.transactions);
    comma = ",";
  }
  fprintf(f, "],\n");
}

static void write_devices(FILE* f) {
  const char* comma = "";
  fprintf(f, "  \"devices\": [");
  for (u32 i = 0; i < options.devices; i++) {
    const DeviceCounters& d = counters_of(static_cast<int>(i));
    fprintf(f, "%s\n    {\"launches\": %lu, \"peer_bytes\": %lu", comma, d.launches, d.peer_bytes);
    if (options.mode == Mode::lockstep) fprintf(f, ", \"warp_steps\": %lu", d.warp_steps);
    fprintf(f, "}");
    comma = ",";
  }
  fprintf(f, "],\n");
}

static const char* const ATOMIC_NAMES[] = {"add",  "sub", "min", "max", "and",  "or",   "xor",
                                           "exch", "cas", "inc", "dec", "load", "store"};

void write_report(const char* path) {
  FILE* f = fopen(path, "w");
  if (f == nullptr) return;
  const char* told = std::getenv("IRGL_EMU_LINES");  // "0" leaves out the lines of atomics, which take time to find
  const bool lined = told == nullptr || std::strcmp(told, "0") != 0;
  std::vector<u32> pcs;
  for (const AtomicSite& s : sites) {
    if (s.n != 0 && lined) pcs.push_back(s.pc);
  }
  resolve(pcs);
  std::map<std::string, u64> kinds[2], lines[2];
  for (const AtomicSite& s : sites) {
    if (s.n == 0) continue;
    kinds[s.shared][ATOMIC_NAMES[s.op]] += s.n;
    if (lined) lines[s.shared][places[s.pc].line + " " + ATOMIC_NAMES[s.op]] += s.n;
  }
  const auto table = [f](const char* name, const std::map<std::string, u64>& m) {
    fprintf(f, "  %s: {", quoted(name).c_str());
    const char* comma = "";
    for (const auto& [k, v] : m) {
      fprintf(f, "%s%s: %lu", comma, quoted(k).c_str(), static_cast<unsigned long>(v));
      comma = ", ";
    }
    fprintf(f, "},\n");
  };
  const Counters& c = counters;
  fprintf(f, "{\n");
  const std::pair<const char*, u64> plain[] = {{"launches", c.launches},
                                               {"launches_beside", c.launches_beside},
                                               {"cooperative_launches", c.cooperative_launches},
                                               {"graph_launches", c.graph_launches},
                                               {"graph_kernels", c.graph_kernels},
                                               {"grid_barriers", c.grid_barriers},
                                               {"block_barriers", c.block_barriers},
                                               {"warp_barriers", c.warp_barriers},
                                               {"transfers", c.transfers},
                                               {"bytes_to_device", c.bytes_to_device},
                                               {"bytes_to_host", c.bytes_to_host},
                                               {"transfer_bytes", c.bytes_to_device + c.bytes_to_host},
                                               {"device_bytes", c.device_bytes},
                                               {"managed_bytes", c.managed_bytes},
                                               {"pool_trims", c.pool_trims},
                                               {"errors", c.errors},
                                               {"warnings", c.warnings}};
  for (const auto& [name, n] : plain) fprintf(f, "  \"%s\": %lu,\n", name, static_cast<unsigned long>(n));
  if (options.devices > 1) write_devices(f);
  if (options.mode == Mode::lockstep) {
    const double used = c.warp_memory == 0 ? 1.0 : static_cast<double>(c.memory_lanes) / (32.0 * c.warp_memory);
    fprintf(f, "  \"warp_steps\": %lu,\n  \"warp_memory\": %lu,\n  \"utilisation\": %.4f,\n", c.warp_steps,
            c.warp_memory, used);
    fprintf(f, "  \"transactions\": %lu,\n  \"l1_sectors\": %lu,\n  \"l2_sectors\": %lu,\n  \"dram_sectors\": %lu,\n",
            c.transactions, c.l1_sectors, c.l2_sectors, c.dram_sectors);
    fprintf(f, "  \"warp_shared\": %lu,\n  \"bank_conflicts\": %lu,\n", c.warp_shared, c.bank_conflicts);
    fprintf(f, "  \"longest_warp_steps\": %lu,\n  \"longest_warp_loads\": %lu,\n  \"hottest_atomics\": %lu,\n",
            c.longest_warp_steps, c.longest_warp_loads, c.hottest_atomics);
  }
  table("global_atomics", kinds[0]);
  table("shared_atomics", kinds[1]);
  table("global_atomics_by_line", lines[0]);
  table("shared_atomics_by_line", lines[1]);
  std::map<std::string, u64> own(own_counters().begin(), own_counters().end());
  table("own", own);
  if (rounds.size() > 1) write_rounds(f);
  fprintf(f, "  \"messages\": [");
  const char* comma = "";
  for (const Message& m : messages) {
    fprintf(f, "%s\n    {\"level\": \"%s\", \"kind\": %s, \"place\": %s, \"text\": %s}", comma,
            m.level == Level::error ? "error" : "warning", quoted(m.kind).c_str(), quoted(m.place).c_str(),
            quoted(m.sentence).c_str());
    comma = ",";
  }
  fprintf(f, "]\n}\n");
  fclose(f);
}

void finish() {
  settle_cas_reads();
  fflush(stdout);
  if (const char* path = std::getenv("IRGL_EMU_REPORT")) write_report(path);
  fflush(stderr);
  _exit(FOUND);
}

}  // namespace emu

extern "C" void irgl_emu_count(const char* name, long n) { emu::own_counters()[name] += n; }
