// Edges in any order, some twice, to a graph in CSR: sorted and unique pairs, offsets by a search, degrees, the transpose.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

int main() {
  const int nodes = 60, drawn = 400;
  thrust::minstd_rand engine(7);
  thrust::uniform_int_distribution<int> node(0, nodes - 2);
  thrust::host_vector<int> from(drawn), to(drawn);
  std::set<std::pair<int, int>> edges;
  for (int e = 0; e < drawn; e++) {
    from[e] = node(engine) / 2 * 2;
    to[e] = node(engine) / 3;
    edges.emplace(from[e], to[e]);
  }

  thrust::device_vector<int> source = from, target = to;
  auto first = thrust::make_zip_iterator(thrust::make_tuple(source.begin(), target.begin()));
  thrust::sort(first, first + drawn);
  const auto last = thrust::unique(first, first + drawn);
  const int kept = static_cast<int>(last - first);
  source.resize(kept);
  target.resize(kept);

  thrust::device_vector<int> offsets(nodes + 1);
  thrust::counting_iterator<int> all(0);
  thrust::lower_bound(source.begin(), source.end(), all, all + nodes + 1, offsets.begin());
  thrust::device_vector<int> degrees(nodes + 1);
  thrust::adjacent_difference(offsets.begin(), offsets.end(), degrees.begin());
  const auto most = thrust::max_element(degrees.begin(), degrees.end());

  int wrong = kept != static_cast<int>(edges.size());
  std::vector<int> expected_offsets(nodes + 1), expected_degrees(nodes + 1);
  for (const auto& e : edges) expected_offsets[e.first + 1]++;
  expected_degrees = expected_offsets;
  for (int v = 0; v < nodes; v++) expected_offsets[v + 1] += expected_offsets[v];
  const thrust::host_vector<int> got_offsets = offsets, got_degrees = degrees, got_targets = target;
  for (int v = 0; v <= nodes; v++) {
    wrong += got_offsets[v] != expected_offsets[v];
    wrong += got_degrees[v] != expected_degrees[v];
  }
  int at = 0;
  for (const auto& e : edges) wrong += got_targets[at++] != e.second;
  wrong += *most != *std::max_element(expected_degrees.begin(), expected_degrees.end());

  // The transpose: stably by the target, with each edge's number.
  thrust::device_vector<int> edge(kept), key = target;
  thrust::sequence(edge.begin(), edge.end());
  thrust::stable_sort_by_key(key.begin(), key.end(), edge.begin());
  const std::vector<int> order(edge.begin(), edge.end());
  const thrust::host_vector<int> keys = key;
  for (int i = 1; i < kept; i++) wrong += keys[i] < keys[i - 1] || (keys[i] == keys[i - 1] && order[i] < order[i - 1]);
  for (int i = 0; i < kept; i++) wrong += got_targets[order[i]] != keys[i];
  std::printf("%d edges, %d wrong\n", kept, wrong);
  return wrong != 0;
}
