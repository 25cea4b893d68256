// What barriers and warp operations share.
#pragma once
#include <string>

#include "state.hpp"

namespace emu {

extern const char* const WARP_NAMES[];         // by irgl_emu_warp_op
bool same_site(const Site& a, const Site& b);  // the same call in the text, though the compiler may have copied it
std::string standing(const Thread* t);         // what a thread does instead: "has ended"
bool try_block(Block& b);                      // completes the block's barrier if all live threads are there
bool try_grid();
void report_missed(Block& b);
void complete_block(Block& b);

}  // namespace emu
