// Connected components: each edge gives its smaller label to the other end by atomicMin, then labels of labels are taken.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <cstdio>
#include <numeric>
#include <vector>

struct hook {
  const int* label;
  int* next;
  int* changed;
  template <typename Edge>
  __host__ __device__ void operator()(const Edge& edge) const {
#if defined(__CUDA_ARCH__) || defined(__IRGL_EMU__)
    const int a = label[thrust::get<0>(edge)], b = label[thrust::get<1>(edge)];
    if (a != b) {
      atomicMin(&next[a < b ? thrust::get<1>(edge) : thrust::get<0>(edge)], a < b ? a : b);
      atomicExch(changed, 1);
    }
#endif
  }
};

__global__ void jump(const int* from, int* to, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) to[v] = from[from[v]];
}

int find_root(std::vector<int>& parent, int v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

int main() {
  const int n = 200, m = 150;
  std::vector<int> a(m), b(m);
  for (int e = 0; e < m; e++) {
    a[e] = e * 7919 % n;
    b[e] = (e * 104729 + 13) % n;
  }
  thrust::device_vector<int> source(a.begin(), a.end()), target = b;
  thrust::device_vector<int> label(n), next(n), changed(1, 1);
  thrust::sequence(thrust::device, label.begin(), label.end());
  auto edges = thrust::make_zip_iterator(thrust::make_tuple(source.begin(), target.begin()));
  int rounds = 0;
  while (changed[0] != 0) {
    changed[0] = 0;
    thrust::copy(label.begin(), label.end(), next.begin());
    thrust::for_each(edges, edges + m,
                     hook{thrust::raw_pointer_cast(label.data()), thrust::raw_pointer_cast(next.data()),
                          thrust::raw_pointer_cast(changed.data())});
    jump<<<(n + 63) / 64, 64>>>(thrust::raw_pointer_cast(next.data()), thrust::raw_pointer_cast(label.data()), n);
    rounds++;
  }

  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  for (int e = 0; e < m; e++) {
    const int x = find_root(parent, a[e]), y = find_root(parent, b[e]);
    parent[x < y ? y : x] = x < y ? x : y;
  }
  int wrong = 0, components = 0;
  std::vector<int> got(n);
  thrust::copy(label.begin(), label.end(), got.begin());
  for (int v = 0; v < n; v++) {
    wrong += got[v] != find_root(parent, v);
    components += find_root(parent, v) == v;
  }

  // The size of each component, the largest first.
  thrust::sort(label.begin(), label.end());
  thrust::device_vector<int> names(n), sizes(n);
  const auto ends = thrust::reduce_by_key(label.begin(), label.end(), thrust::make_constant_iterator(1), names.begin(),
                                          sizes.begin());
  const int found = static_cast<int>(ends.first - names.begin());
  thrust::sort_by_key(sizes.begin(), sizes.begin() + found, names.begin(), thrust::greater<int>());
  int largest = 0;
  for (int v = 0; v < n; v++) {
    int size = 0;
    for (int w = 0; w < n; w++) size += got[w] == got[v];
    largest = size > largest ? size : largest;
  }
  wrong += found != components || sizes[0] != largest;
  std::printf("%d components, the largest of %d, %d wrong\n", found, largest, wrong);
  return wrong != 0 || rounds < 2;
}
