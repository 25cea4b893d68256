// The emulator's runtime as one unit: built once, linked to each emulated program.
#define IRGL_EMU_RUNTIME
#include "api.cpp"
#include "atomics.cpp"
#include "barriers.cpp"
#include "callbacks.cpp"
#include "cpp_atomics.cpp"
#include "device.cpp"
#include "fences.cpp"
#include "graph.cpp"
#include "graph_more.cpp"
#include "host.cpp"
#include "jobs.cpp"
#include "launch.cpp"
#include "lockstep.cpp"
#include "maths.cpp"
#include "memory.cpp"
#include "order.cpp"
#include "properties.cpp"
#include "report.cpp"
#include "schedule.cpp"
#include "shadow.cpp"
#include "streams.cpp"
#include "symbols.cpp"
#include "transfer.cpp"
#include "warps.cpp"

// The last of the globals, so that it finds the others made; and this unit is linked first.
static const emu::Starter starter;
