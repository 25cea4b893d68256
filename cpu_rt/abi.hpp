// The call from Python (irgl/rt/call/abi.py keeps the same layout) into a generated unit:
//     extern "C" int irgl_run(irgl_run_args* args);
// 0: it ran to its end. 1: it stopped; fault[] says why and where. All memory belongs to the caller.
#pragma once
#include <stdint.h>

extern "C" {

// The edges of a graph in a form of their own (irgl/forms/): the numbers and arrays that its builder made, in its order;
// then the weights, and of each place the edge that stands there, its position among the rows. bytes: of each array.
enum { IRGL_FORM_NUMBERS = 8, IRGL_FORM_ARRAYS = 8, IRGL_FORM_WEIGHTS = 6, IRGL_FORM_EDGES = 7 };
struct irgl_form {
  int64_t numbers[IRGL_FORM_NUMBERS];
  const void* arrays[IRGL_FORM_ARRAYS];
  int64_t bytes[IRGL_FORM_ARRAYS];
};

// A graph in CSR form. row and in_row: nodes + 1 offsets; cols and in_cols: one node per edge, null where the unit reads
// far ends out of forms alone (GraphParam in irgl/rt/manifests/manifest.py). The in_ arrays are the transpose, null where
// the program didn't ask for it; in_eid: the edge of each place in it, null where not asked for.
// Offsets and edges have IRGL_EDGE_BITS, nodes IRGL_NODE_BITS. properties: one array per property of the graph's type,
// in the order of their declaration; the unit gives them their initial values, except the edge property that has none:
// the weights, which come filled. With IRGL_GRAPH_ON_DEVICE all of them are arrays of the CUDA device's memory, which a
// unit for CUDA uses as they are: it copies none of them and frees none. Each has room for two elements at least, and a
// property ends with a whole word of 4 bytes. What wrote them must have ended. A unit for the CPU refuses such a graph.
struct irgl_graph {
  int64_t nodes;
  int64_t edges;
  const void* row;
  const void* cols;
  const void* in_row;
  const void* in_cols;
  const void* in_eid;
  void** properties;
  int64_t flags;  // IRGL_GRAPH_...
  int64_t num_forms;
  const irgl_form* forms;  // those that the unit was generated for, in its order
};
enum : int64_t {
  IRGL_GRAPH_DIRECTED = 1,
  IRGL_GRAPH_SIMPLE = 2,  // no self-loop, no parallel edges
  IRGL_GRAPH_SORTED = 4,  // each row is ascending
  IRGL_GRAPH_ON_DEVICE = 8,
};

// A mesh: x and y of each point; three points of each triangle, counterclockwise, the triangles across its sides
// (side k joins corners k and k+1) and the segments that its sides are part of, -1 for none; two points of each segment.
// In: the caller's. Out: what is alive, in memory that `allocate` gave; `across` is not told.
struct irgl_mesh {
  int64_t points, triangles, segments;
  double* xy;
  int32_t* corners;
  int32_t* across;
  int32_t* sides;
  int32_t* ends;
};

struct irgl_run_args {
  int64_t num_graphs;
  irgl_graph* graphs;          // one per graph parameter, in order
  void** params;               // where the value of each other parameter is, in order; a node is a dense id
  void** globals;              // where each program scalar goes, in order of declaration
  int64_t threads;             // at least 1
  int64_t worklist_capacity;   // first size of every list; 0: the unit decides
  int64_t serial;              // the plan: a round with less work stays on one thread
  int64_t grain;               // the plan: work that a thread takes at a time
  int64_t giant;               // the plan: an item with more edges is shared by all threads
  int64_t fuse;                // the plan: as many items that came back a thread works off by itself; 0: the unit decides
  int64_t seed;                // of random()
  int64_t* stats;              // IRGL_STATS counters, zeroed by the caller
  int64_t* fault;              // IRGL_FAULTS numbers: code, line, column, index of the source file, width
  volatile int32_t* stop;      // becomes 1 when the user interrupts; looked at once per round
  irgl_mesh* mesh;             // that of the program's mesh parameter; null where it has none
  void* (*allocate)(int64_t bytes);  // memory of the caller for results whose size the run tells; null: there is none
  int64_t devices;             // which CUDA devices, a bit each, the lowest for all but Sections; 0: the current one
};

enum { IRGL_STATS = 16, IRGL_FAULTS = 5 };
enum {
  IRGL_STAT_INVOCATIONS,
  IRGL_STAT_ROUNDS,
  IRGL_STAT_WORKLIST_GROWTHS,
  IRGL_STAT_PARALLEL_REGIONS,
  IRGL_STAT_SERIAL_ROUNDS,
  IRGL_STAT_GIANT_ITEMS,
  IRGL_STAT_PUSHES,
  IRGL_STAT_LAUNCHES,        // the rest: of a CUDA device
  IRGL_STAT_GRID_BARRIERS,
  IRGL_STAT_TRANSFERS,       // copies between host and device
  IRGL_STAT_TRANSFER_BYTES,
  IRGL_STAT_RUN_NS,          // from the first values of properties to the last kernel's end: without copies of graphs
  IRGL_STAT_VARIANT,         // of a unit with several: which one ran, from 1
};
enum {
  IRGL_FAULT_DIVISION = 1,   // by zero
  IRGL_FAULT_ACCESS = 2,     // through NONE, or outside an array
  IRGL_FAULT_STOPPED = 3,    // the user interrupted
  IRGL_FAULT_MEMORY = 4,
  IRGL_FAULT_STEPS = 5,      // the limit on steps was reached
  IRGL_FAULT_DEVICE = 6,     // CUDA failed; stderr says how
  IRGL_FAULT_STOP = 7,       // the program said stop; the text at the place tells why
};

int irgl_run(irgl_run_args* args);
}
