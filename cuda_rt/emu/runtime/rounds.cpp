// Where rounds begin and end, as the program says (rounds.hpp).
#include "rounds.hpp"

#include <algorithm>

namespace emu {

namespace {

void end_rounds(u32 depth) { open_rounds.resize(std::min<std::size_t>(open_rounds.size(), depth)); }

void begin_round(u32 place, u32 depth) {
  end_rounds(depth);
  if (rounds.size() <= options.rounds) {
    rounds.push_back({place, depth});
  } else {
    if (further_rounds++ == 0) rounds.push_back({});
    rounds.back().told = true;
  }
  open_rounds.push_back(static_cast<u32>(rounds.size() - 1));
}

// What all threads of the grid say is done when the first one says it.
template <class F>
void once(F f) {
  if (cur == nullptr) return f();
  if (cur->rounds == round_events.size()) f(), round_events.push_back(last_round());
  cur->warp->round = round_events[cur->rounds++];
}

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" {

void irgl_emu_begin_round(unsigned place, unsigned depth) noexcept { once([=] { begin_round(place, depth); }); }
void irgl_emu_end_rounds(unsigned depth) noexcept { once([=] { end_rounds(depth); }); }

// Threads that waited for the first block go on where it is.
void irgl_emu_rejoin_round() noexcept {
  if (cur == nullptr) return;
  cur->rounds = static_cast<u32>(round_events.size());
  cur->warp->round = last_round();
}

void irgl_emu_round_goes(unsigned way) noexcept { round_now().ways |= way; }

void irgl_emu_round_runs_over(void (*tell)(const void*, long*, long*), const void* of) noexcept {
  if (last_round() == 0 || round_now().told) return;
  long items = -1, edges = -1;
  if (tell != nullptr) {  // which looks at memory of either side, and neither counts nor takes a turn
    Thread* const caller = cur;
    const bool checked = checks;
    cur = nullptr, checks = false;
    tell(of, &items, &edges);
    cur = caller, checks = checked;
  }
  for (u32 r : open_rounds) {
    if (!rounds[r].told) rounds[r].told = true, rounds[r].items = items, rounds[r].edges = edges;
  }
}
}
