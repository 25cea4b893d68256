// Plain reads that race with atomic operations only. The loop that swaps what it has read until nothing came between
// begins with one in much code, and does no harm: if the thread swaps that address later, it is a warning.
#pragma once
#include <set>

#include "report.hpp"

namespace emu {

struct CasRead {  // a plain read that waits to be judged
  u32 read_pc, pc, other;
  std::string sentence;
  std::set<std::pair<u32, u64>> readers;  // threads, and the addresses that they read
};
inline auto& cas_reads = *new std::vector<CasRead>;
inline auto& known_cas_reads = *new std::set<u32>;
inline u32 by_atomic = 0;  // the access that is being looked at is an atomic operation's: ATOMIC, and its scope

inline void defer_cas_read(u32 read_pc, u32 reader, u64 address, u32 pc, u32 other, const std::string& race) {
  for (CasRead& r : cas_reads) {
    if (r.read_pc != read_pc) continue;
    r.readers.emplace(reader, address);
    return;
  }
  if (known_cas_reads.count(read_pc) != 0) return;
  const std::string more = text(
      "; if it is meant to race, read it through volatile or by an atomic operation; in kernel %s", grid->launch->name);
  cas_reads.push_back({read_pc, pc, other, race + more, {{reader, address}}});
}

inline void note_cas(u32 thread, u64 address) {
  for (std::size_t i = 0; i < cas_reads.size();) {
    if (cas_reads[i].readers.count({thread, address}) == 0) {
      i++;
      continue;
    }
    const u32 read_pc = cas_reads[i].read_pc, pc = cas_reads[i].pc;
    const u32 atomic = pc == read_pc ? cas_reads[i].other : pc;
    cas_reads.erase(cas_reads.begin() + static_cast<long>(i));
    known_cas_reads.insert(read_pc);
    report(Level::warning, "cas-read", read_pc, atomic,
           text("%s reads here, before it swaps the same address, what atomic operations change meanwhile, as at %s: "
                "read it through volatile or by an atomic operation",
                who(thread).c_str(), where(atomic).c_str()));
  }
}

inline void settle_cas_reads() {  // nobody will swap any more
  const std::vector<CasRead> left = std::move(cas_reads);
  cas_reads.clear();
  Thread* saved = cur;
  cur = nullptr;  // the sentences name the kernel
  for (const CasRead& r : left) error("race", r.pc, r.sentence, r.other);
  cur = saved;
}

}  // namespace emu
