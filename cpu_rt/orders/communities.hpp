// Clusters of nodes that hold many edges among themselves (irgl/rt/graphs/orders/communities.py).
#pragma once
#include <vector>

#include "../types.hpp"

// Each node, in the order of `turn`, goes to that cluster among its neighbours' from which modularity gains most, at first
// its own; of none, to that of most edges (by_degree: 0). A cluster holds no more than `most` of the nodes that `size`
// counts. weight: of each edge, null: 1. label: the cluster of each node, numbered as they first appear. How many there are.
extern "C" int64_t irgl_cluster(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols, const irgl::edge_t* weight,
                                const irgl::edge_t* size, const irgl::edge_t* degree, const irgl::node_t* turn,
                                int64_t most, int64_t by_degree, int64_t rounds, irgl::node_t* label) {
  using namespace irgl;
  std::vector<int64_t> held(size, size + n), total(degree, degree + n), near(size_t(n), 0);
  std::vector<node_t> seen;
  int64_t all = 0;
  for (int64_t v = 0; v < n; ++v) label[v] = node_t(v), all += degree[v];
  const double share = all != 0 && by_degree != 0 ? 1.0 / double(all) : 0.0;
  for (int64_t round = 0, moved = n; round < rounds && moved > n / 64; ++round) {
    moved = 0;
    for (int64_t t = 0; t < n; ++t) {
      const node_t v = turn[t], mine = label[v];
      seen.clear();
      for (edge_t e = row[v]; e < row[v + 1]; ++e) {
        const node_t c = label[cols[e]];
        if (cols[e] == v) continue;
        if (near[size_t(c)] == 0) seen.push_back(c);
        near[size_t(c)] += weight != nullptr ? weight[e] : 1;
      }
      total[size_t(mine)] -= degree[v];
      auto gain = [&](node_t c) { return double(near[size_t(c)]) - double(degree[v]) * double(total[size_t(c)]) * share; };
      node_t best = mine;
      double most_gained = gain(mine);
      for (const node_t c : seen) {
        if (c == mine || held[size_t(c)] + size[v] > most) continue;
        const double found = gain(c);
        if (found > most_gained) best = c, most_gained = found;
      }
      for (const node_t c : seen) near[size_t(c)] = 0;
      total[size_t(best)] += degree[v];
      if (best == mine) continue;
      held[size_t(mine)] -= size[v], held[size_t(best)] += size[v];
      label[v] = best;
      ++moved;
    }
  }
  std::vector<node_t> number(size_t(n), -1);
  node_t count = 0;
  for (int64_t v = 0; v < n; ++v) {
    node_t& k = number[size_t(label[v])];
    if (k < 0) k = count++;
    label[v] = k;
  }
  return count;
}

// The edges between clusters, those between the same two as one of their weights' sum. member: the nodes by cluster, from
// first[c] on. How many edges there are.
extern "C" int64_t irgl_contract(int64_t count, const irgl::edge_t* row, const irgl::node_t* cols,
                                 const irgl::edge_t* weight, const irgl::node_t* label, const irgl::edge_t* first,
                                 const irgl::node_t* member, irgl::edge_t* new_row, irgl::node_t* new_cols,
                                 irgl::edge_t* new_weight) {
  using namespace irgl;
  std::vector<edge_t> at(size_t(count), -1);  // where the cluster's edge to another one stands
  edge_t end = 0;
  for (int64_t c = 0; c < count; ++c) {
    new_row[c] = end;
    for (edge_t k = first[c]; k < first[c + 1]; ++k)
      for (edge_t e = row[member[k]]; e < row[member[k] + 1]; ++e) {
        const node_t to = label[cols[e]];
        if (to == c) continue;
        edge_t& place = at[size_t(to)];
        if (place < new_row[c]) place = end++, new_cols[place] = to, new_weight[place] = 0;
        new_weight[place] += weight != nullptr ? weight[e] : 1;
      }
  }
  new_row[count] = end;
  return end;
}
