// For the end of a generated unit, before its main (cuda_rt/process.cuh): every call of irgl_run gets its graphs and
// properties in memory of the device that is the caller's. LENT_GRAPHS has for each graph a list of its properties:
// {bytes of an element, of an edge?, filled by the caller?}; bytes 0: the unit's own.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_rt/unit.cuh"

namespace lent {

struct Property {
  size_t bytes;
  bool of_edge, filled;
};
struct Properties {
  Property list[16];
};
constexpr Properties graphs[] = {LENT_GRAPHS};

inline void fail(const char* what) {
  fprintf(stderr, "lent memory: %s\n", what);
  abort();
}
inline void* room(size_t bytes) {
  void* there = nullptr;
  const size_t whole = bytes < 16 ? 16 : (bytes + 3) / 4 * 4;
  if (cudaMalloc(&there, whole) != cudaSuccess || cudaMemset(there, 0, whole) != cudaSuccess) fail("no room");
  return there;
}
inline const void* over(const void* host, size_t bytes) {
  if (host == nullptr) return nullptr;
  void* there = room(bytes);
  if (cudaMemcpy(there, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess) fail("no copy");
  return there;
}
inline void release(const void* there) {
  if (there != nullptr && cudaFree(const_cast<void*>(there)) != cudaSuccess) fail("it is not there any more");
}

inline int run(irgl_run_args* args) {
  irgl_run_args mine = *args;
  mine.graphs = static_cast<irgl_graph*>(calloc(size_t(args->num_graphs) + 1, sizeof(irgl_graph)));
  for (int64_t k = 0; k < args->num_graphs; ++k) {
    const irgl_graph& from = args->graphs[k];
    irgl_graph& g = mine.graphs[k] = from;
    const size_t offsets = size_t(g.nodes + 1) * sizeof(irgl::edge_t), nodes = size_t(g.edges) * sizeof(irgl::node_t);
    g.row = over(from.row, offsets), g.cols = over(from.cols, nodes);
    g.in_row = from.in_row == from.row ? g.row : over(from.in_row, offsets);
    g.in_cols = from.in_cols == from.cols ? g.cols : over(from.in_cols, nodes);
    g.in_eid = over(from.in_eid, size_t(g.edges) * sizeof(irgl::edge_t));
    g.properties = static_cast<void**>(calloc(16, sizeof(void*)));
    for (size_t i = 0; i < 16 && graphs[k].list[i].bytes != size_t(-1); ++i) {
      const Property p = graphs[k].list[i];
      const size_t bytes = p.bytes * size_t(p.of_edge ? g.edges : g.nodes);
      if (p.bytes != 0) g.properties[i] = p.filled ? const_cast<void*>(over(from.properties[i], bytes)) : room(bytes);
    }
    irgl_form* const forms = static_cast<irgl_form*>(calloc(size_t(g.num_forms) + 1, sizeof(irgl_form)));
    for (int64_t f = 0; f < g.num_forms; ++f) {
      forms[f] = from.forms[f];
      for (int i = 0; i < IRGL_FORM_ARRAYS; ++i) forms[f].arrays[i] = over(forms[f].arrays[i], size_t(forms[f].bytes[i]));
    }
    g.forms = forms;
    g.flags |= IRGL_GRAPH_ON_DEVICE;
  }
  const int code = irgl_run(&mine);
  for (int64_t k = 0; k < args->num_graphs; ++k) {
    const irgl_graph& g = mine.graphs[k];
    for (size_t i = 0; i < 16 && graphs[k].list[i].bytes != size_t(-1); ++i) {
      const Property p = graphs[k].list[i];
      const size_t bytes = p.bytes * size_t(p.of_edge ? g.edges : g.nodes);
      if (p.bytes != 0 && !p.filled && bytes != 0 &&
          cudaMemcpy(args->graphs[k].properties[i], g.properties[i], bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
        fail("no copy back");
      release(g.properties[i]);
    }
    if (g.in_row != g.row) release(g.in_row);
    if (g.in_cols != g.cols) release(g.in_cols);
    release(g.row), release(g.cols), release(g.in_eid);
    for (int64_t f = 0; f < g.num_forms; ++f)
      for (const void* array : g.forms[f].arrays) release(array);
    free(const_cast<irgl_form*>(g.forms));
    free(g.properties);
  }
  free(mine.graphs);
  return code;
}

}  // namespace lent

#define irgl_run lent::run
