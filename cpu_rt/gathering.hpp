// What stands first in a unit whose loops take rows in lanes: GCC then reads what lanes read by gather instructions, for
// which there is a switch of its own in the description of each processor. Haswell's says yes.
#pragma once
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("tune=haswell")
#endif
