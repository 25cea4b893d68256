// Rows with their edges sorted, of parallel ones the lightest, and with what goes back, for irgl/rt/graphs/native/rows.py.
// Functions give -1 where they can't be of help.
#pragma once
#include <algorithm>

#include "parts.hpp"
#include "weights.hpp"

namespace irgl {
namespace graphs {

// Of a weight of each of two edges the lighter goes to `to`.
inline void keep_lighter(const Weights& w, int64_t a, int64_t b, void* out, int64_t to, int64_t bytes) {
  copy_weight(w.data, w.less(b, a) ? b : a, out, to, bytes);
}
inline int64_t bytes_of(int64_t kind) { return kind == 0 ? 0 : kind % 2 == 1 ? 4 : 8; }

// What a thread sorts a row in: far ends, and places in the row.
struct Keys {
  int64_t longest = 0;
  int threads;
  Keys(int64_t n, const edge_t* row) : threads(threads_for(row[n])) {
    for (int64_t v = 0; v < n; ++v) longest = std::max(longest, int64_t(row[v + 1] - row[v]));
  }
  bool fit(int64_t n) const { return n < int64_t(1) << 31 && longest < int64_t(1) << 32; }
};

}  // namespace graphs
}  // namespace irgl

// Rows with their far ends ascending, parallel edges in the order that they had. 1; -1: no memory, or ids are too wide.
extern "C" int64_t irgl_sort_rows(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols, const void* weight,
                                  int64_t bytes, irgl::node_t* new_cols, void* new_weight) {
  using namespace irgl;
  const graphs::Keys of(n, row);
  const graphs::Memory<uint64_t> keys(size_t(of.longest) * size_t(of.threads));
  if (!of.fit(n) || keys.data == nullptr) return -1;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(of.threads)
  for (int64_t v = 0; v < n; ++v) {
    uint64_t* key = keys.data + int64_t(omp_get_thread_num()) * of.longest;
    const int64_t begin = row[v], count = row[v + 1] - begin;
    for (int64_t k = 0; k < count; ++k) key[k] = uint64_t(cols[begin + k]) << 32 | uint64_t(k);
    if (!std::is_sorted(key, key + count)) std::sort(key, key + count);
    for (int64_t k = 0; k < count; ++k) {
      new_cols[begin + k] = node_t(key[k] >> 32);
      graphs::copy_weight(weight, begin + uint32_t(key[k]), new_weight, begin + k, bytes);
    }
  }
  return 1;
}

// Rows without self-loops, sorted, of parallel edges the lightest; what they hold stands at the front of new_cols, which has
// room for all, as has new_weight. How many self-loops there were; -1: no memory, or ids are too wide.
extern "C" int64_t irgl_simplify(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols, const void* weight,
                                 int64_t kind, irgl::edge_t* new_row, irgl::node_t* new_cols, void* new_weight) {
  using namespace irgl;
  const graphs::Keys of(n, row);
  const graphs::Memory<uint64_t> keys(size_t(of.longest) * size_t(of.threads));
  if (!of.fit(n) || keys.data == nullptr) return -1;
  const graphs::Weights weights{weight, kind};
  const int64_t bytes = graphs::bytes_of(kind);
  int64_t loops = 0;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(of.threads) reduction(+ : loops)
  for (int64_t v = 0; v < n; ++v) {
    uint64_t* key = keys.data + int64_t(omp_get_thread_num()) * of.longest;
    const int64_t begin = row[v], degree = row[v + 1] - begin;
    int64_t count = 0, at = begin - 1, best = 0;
    for (int64_t k = 0; k < degree; ++k)
      if (cols[begin + k] != v) key[count++] = uint64_t(cols[begin + k]) << 32 | uint64_t(k);
    loops += degree - count;
    if (!std::is_sorted(key, key + count)) std::sort(key, key + count);
    for (int64_t k = 0; k < count; ++k) {
      const int64_t edge = begin + uint32_t(key[k]);
      const bool first = k == 0 || key[k] >> 32 != key[k - 1] >> 32;
      if (first) new_cols[++at] = node_t(key[k] >> 32);
      if (kind == 0 || (!first && !weights.less(edge, best))) continue;
      best = edge;
      graphs::copy_weight(weight, edge, new_weight, at, bytes);
    }
    new_row[v + 1] = edge_t(at + 1 - begin);
  }
  new_row[0] = 0;
  for (int64_t v = 0; v < n; ++v) {  // rows move to the front, past those that have moved
    const int64_t count = new_row[v + 1], to = new_row[v];
    new_row[v + 1] = edge_t(to + count);
    if (to == row[v]) continue;
    memmove(new_cols + to, new_cols + row[v], size_t(count) * sizeof(node_t));
    if (kind != 0) {
      char* w = static_cast<char*>(new_weight);
      memmove(w + to * bytes, w + row[v] * bytes, size_t(count * bytes));
    }
  }
  return loops;
}

// Rows that are sorted, without parallel edges, joined with what goes back, whose rows are sorted, too; of the two weights of a
// pair the lighter. new_cols: null: only new_row is wanted. in_edge: may be null where there are no weights. How many edges
// there are then.
extern "C" int64_t irgl_join_back(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols, const void* weight,
                                  int64_t kind, const irgl::edge_t* in_row, const irgl::node_t* in_src,
                                  const irgl::edge_t* in_edge, irgl::edge_t* new_row, irgl::node_t* new_cols,
                                  void* new_weight) {
  using namespace irgl;
  const graphs::Weights weights{weight, kind};
  const int64_t bytes = graphs::bytes_of(kind);
#pragma omp parallel for schedule(dynamic, 1024)
  for (int64_t v = 0; v < n; ++v) {
    int64_t at = new_cols == nullptr ? 0 : int64_t(new_row[v]);
    edge_t a = row[v], b = in_row[v];
    for (; a < row[v + 1] || b < in_row[v + 1]; ++at) {
      const bool out = b == in_row[v + 1] || (a < row[v + 1] && cols[a] <= in_src[b]);
      const bool in = a == row[v + 1] || (b < in_row[v + 1] && in_src[b] <= cols[a]);
      if (new_cols != nullptr) {
        new_cols[at] = out ? cols[a] : in_src[b];
        if (kind != 0) {
          const int64_t mine = out ? int64_t(a) : int64_t(in_edge[b]);
          graphs::keep_lighter(weights, mine, in ? int64_t(in_edge[b]) : mine, new_weight, at, bytes);
        }
      }
      a += edge_t(out);
      b += edge_t(in);
    }
    if (new_cols == nullptr) new_row[v + 1] = edge_t(at);
  }
  if (new_cols == nullptr) {
    new_row[0] = 0;
    int64_t all = 0;
    for (int64_t v = 0; v < n; ++v) {
      all += new_row[v + 1];
      if (all > int64_t(highest<edge_t>())) return -1;
      new_row[v + 1] = edge_t(all);
    }
  }
  return new_row[n];
}
