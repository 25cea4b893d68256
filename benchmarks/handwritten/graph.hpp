// The reader of binary graph files (IRGLCSR1, its layout in cpu_rt/file.hpp) for the handwritten CUDA programs.
//
//     Graph g = read_graph("roads.irglg");
//     g.row[v] .. g.row[v + 1]   the out-edges of v in g.cols and g.weights; in_row and in_cols likewise
// Ids are 32 bits wide here, whatever the file's width: a graph that needs more is refused.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

struct Graph {
  int n = 0, m = 0;
  bool directed = true;
  std::vector<int> row, cols, weights, in_row, in_cols;  // an undirected graph's in-edges are its out-edges: left empty

  const std::vector<int>& incoming_row() const { return directed ? in_row : row; }
  const std::vector<int>& incoming_cols() const { return directed ? in_cols : cols; }
};

struct FileSection {
  uint64_t offset, bytes;
};
struct FileHeader {
  char magic[8];
  uint32_t version, flags;
  uint64_t nodes, edges;
  uint32_t node_bits, edge_bits, weight_type, reserved;
  int64_t id_base;
  FileSection row, dst, weight, node_ids, in_row, in_src, in_edge, notes;
};
static_assert(sizeof(FileHeader) == 184, "the header has no padding");

[[noreturn]] inline void bad_graph(const char* path, const char* what) {
  fprintf(stderr, "%s: error: the file %s\n", path, what);
  exit(2);
}

template <class T>
std::vector<int> read_as(FILE* f, const char* path, FileSection s, size_t count) {
  std::vector<T> raw(count);
  if (s.bytes != count * sizeof(T) || fseek(f, long(s.offset), SEEK_SET) != 0 ||
      fread(raw.data(), sizeof(T), count, f) != count) {
    bad_graph(path, "has a section of the wrong size");
  }
  std::vector<int> out(count);
  for (size_t i = 0; i < count; ++i) {
    if (raw[i] < T(0) || raw[i] > T(2147483520)) bad_graph(path, "has a negative number, or one of more than 31 bits");
    out[i] = int(raw[i]);
  }
  return out;
}

inline std::vector<int> read_ids(FILE* f, const char* path, FileSection s, size_t count, uint32_t bits) {
  return bits == 32 ? read_as<int32_t>(f, path, s, count) : read_as<int64_t>(f, path, s, count);
}

inline std::vector<int> read_weights(FILE* f, const char* path, const FileHeader& h) {
  switch (h.weight_type) {
    case 1: return read_as<int32_t>(f, path, h.weight, h.edges);
    case 2: return read_as<int64_t>(f, path, h.weight, h.edges);
    case 3: return read_as<float>(f, path, h.weight, h.edges);
    case 4: return read_as<double>(f, path, h.weight, h.edges);
    default: return std::vector<int>(h.edges, 1);
  }
}

inline void check_rows(const char* path, const std::vector<int>& row, const std::vector<int>& cols) {
  const int n = int(row.size()) - 1;
  bool good = row[0] == 0 && row[n] == int(cols.size());
  for (int v = 0; v < n; ++v) good &= row[v] <= row[v + 1];
  for (int u : cols) good &= u < n;
  if (!good) bad_graph(path, "has edges that do not fit its nodes");
}

// The same edges, grouped by where they end.
inline void transpose(Graph& g) {
  g.in_row.assign(g.n + 1, 0);
  g.in_cols.resize(g.m);
  for (int u : g.cols) ++g.in_row[u + 1];
  for (int v = 0; v < g.n; ++v) g.in_row[v + 1] += g.in_row[v];
  std::vector<int> next(g.in_row.begin(), g.in_row.end() - 1);
  for (int v = 0; v < g.n; ++v)
    for (int e = g.row[v]; e < g.row[v + 1]; ++e) g.in_cols[next[g.cols[e]]++] = v;
}

inline Graph read_graph(const char* path) {
  const uint32_t undirected = 1, has_transpose = 16;
  FILE* f = fopen(path, "rb");
  if (f == nullptr) bad_graph(path, "cannot be opened");
  FileHeader h{};
  if (fread(&h, sizeof h, 1, f) != 1 || memcmp(h.magic, "IRGLCSR1", 8) != 0 || h.version != 1)
    bad_graph(path, "is not a graph file (IRGLCSR1, version 1)");
  if (h.nodes >= 2147483520u || h.edges >= 2147483520u) bad_graph(path, "has too many nodes or edges for 32-bit ids");
  Graph g;
  g.n = int(h.nodes);
  g.m = int(h.edges);
  g.directed = (h.flags & undirected) == 0;
  g.row = read_ids(f, path, h.row, h.nodes + 1, h.edge_bits);
  g.cols = read_ids(f, path, h.dst, h.edges, h.node_bits);
  g.weights = read_weights(f, path, h);
  check_rows(path, g.row, g.cols);
  if (g.directed && (h.flags & has_transpose) != 0) {
    g.in_row = read_ids(f, path, h.in_row, h.nodes + 1, h.edge_bits);
    g.in_cols = read_ids(f, path, h.in_src, h.edges, h.node_bits);
    check_rows(path, g.in_row, g.in_cols);
  } else if (g.directed) {
    transpose(g);
  }
  fclose(f);
  return g;
}

// Both directions of every edge, each once, sorted, without self-loops: as counting triangles needs it.
inline void make_simple(Graph& g) {
  const std::vector<int>&in_row = g.incoming_row(), &in_cols = g.incoming_cols();
  std::vector<int> row(1, 0), cols, from, to, both;
  const auto ascending = [](std::vector<int>& some, const std::vector<int>& all, int begin, int end) {
    some.assign(all.begin() + begin, all.begin() + end);
    if (!std::is_sorted(some.begin(), some.end())) std::sort(some.begin(), some.end());
  };
  cols.reserve(g.m);
  for (int v = 0; v < g.n; ++v) {
    ascending(from, g.cols, g.row[v], g.row[v + 1]);
    if (g.directed) ascending(to, in_cols, in_row[v], in_row[v + 1]);
    both.resize(from.size() + to.size());
    std::merge(from.begin(), from.end(), to.begin(), to.end(), both.begin());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    for (int u : both)
      if (u != v) cols.push_back(u);
    row.push_back(int(cols.size()));
  }
  g.directed = false;
  g.row.swap(row);
  g.cols.swap(cols);
  g.weights.clear();
  g.m = int(g.cols.size());
}
