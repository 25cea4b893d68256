// What a serial loop of benchmarks/serial is given, and where it leaves its answer.
//
// Each file defines `run`, which benchmarks/serial.py times alone. Comments at its top say what it wants:
//   // needs: reverse weights undirected     any of these words: in-edges, weights, both arcs of every edge
//   // answer: node mate                     what `answer` is: a number for each node, edge, or one (scalar), and the
//                                            result of the program of the file's name that it stands for
//   // args: src=0 k=4                       the program's parameters that `args` holds, in this order; nodes
//                                            from 0, `hub` for the one of the most edges
//   // graphs: Enron NY                      on which graphs it is measured (benchmarks/serial.py lists them)
// The program of the same name gets the same arrays and arguments. A number that stands for nothing (NONE) is -1.
#pragma once
#include <stdint.h>

struct Graph {
  uint32_t n;
  uint64_t m;
  const uint64_t* row;     // n + 1
  const uint32_t* col;     // m
  const double* weight;    // m, null: 1
  const uint64_t* in_row;  // n + 1, the reverse; null if not asked for
  const uint32_t* in_col;
  const double* in_weight;
};

extern "C" void run(const Graph& g, const double* args, int num_args, double* answer);
