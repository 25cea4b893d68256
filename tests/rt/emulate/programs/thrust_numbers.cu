// Linear algebra and statistics in one pass: zipped, transformed and permuted ranges, and functions of all forms.
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdio>

struct saxpy {
  float a;
  explicit saxpy(float by) : a(by) {}
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct draw {
  unsigned seed;
  __host__ __device__ float operator()(unsigned i) const {
    thrust::default_random_engine engine(seed);
    engine.discard(i);
    thrust::uniform_real_distribution<float> between(-1.0f, 1.0f);
    return between(engine);
  }
};
using Range = thrust::tuple<float, float, double>;  // least, most, sum
struct of_one {
  __host__ __device__ Range operator()(float v) const { return Range(v, v, v); }
};
struct of_both {
  __host__ __device__ Range operator()(const Range& a, const Range& b) const {
    return thrust::make_tuple(thrust::min(thrust::get<0>(a), thrust::get<0>(b)),
                              thrust::max(thrust::get<1>(a), thrust::get<1>(b)),
                              thrust::get<2>(a) + thrust::get<2>(b));
  }
};
struct rotate_pair {
  template <typename Tuple>
  __host__ __device__ void operator()(Tuple t) const {
    const float x = thrust::get<0>(t);
    thrust::get<0>(t) = -thrust::get<1>(t);
    thrust::get<1>(t) = x;
    thrust::get<2>(t) += 1;
  }
};

int main() {
  using namespace thrust::placeholders;
  const int n = 300;
  thrust::device_vector<float> x(n), y(n, 0.5f), z(n);
  thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(n), x.begin(), draw{5});
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), saxpy(2.0f));
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 3.0f * _1 - _2);
  const thrust::host_vector<float> hx = x, hy = y, hz = z;
  int wrong = 0;
  double sum = 0, dot = 0;
  float least = hx[0], most = hx[0];
  for (int i = 0; i < n; i++) {
    wrong += hx[i] < -1 || hx[i] >= 1 || hz[i] != 2.0f * hx[i] + 0.5f || hy[i] != 3.0f * hx[i] - 0.5f;
    sum += hx[i];
    dot += static_cast<double>(hx[i]) * hy[i];
    least = hx[i] < least ? hx[i] : least;
    most = hx[i] > most ? hx[i] : most;
  }
  const Range none(1e9f, -1e9f, 0.0);
  const Range all = thrust::transform_reduce(x.begin(), x.end(), of_one(), none, of_both());
  wrong += thrust::get<0>(all) != least || thrust::get<1>(all) != most || std::fabs(thrust::get<2>(all) - sum) > 1e-9;
  wrong += std::fabs(thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0) - dot) > 1e-4;
  const auto ends = thrust::minmax_element(x.begin(), x.end());
  wrong += *ends.first != least || *ends.second != most;

  thrust::device_vector<int> times(n);
  auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), times.begin()));
  thrust::for_each(first, first + n, rotate_pair());
  thrust::for_each_n(first, n / 2, rotate_pair());
  for (int i = 0; i < n; i++) {
    wrong += x[i] != (i < n / 2 ? -hx[i] : -hy[i]) || times[i] != (i < n / 2 ? 2 : 1);
  }

  // Every third value, backwards, squared.
  thrust::device_vector<int> map(n / 3);
  thrust::tabulate(map.begin(), map.end(), (n / 3 - 1 - _1) * 3);
  const auto some = thrust::make_permutation_iterator(z.begin(), map.begin());
  const auto squares = thrust::make_transform_iterator(some, thrust::square<float>());
  thrust::device_vector<float> got(squares, squares + map.size());
  for (int i = 0; i < n / 3; i++) wrong += got[i] != hz[(n / 3 - 1 - i) * 3] * hz[(n / 3 - 1 - i) * 3];

  // The largest first, each with where it was.
  thrust::device_vector<float> ordered = x;
  thrust::device_vector<int> place(n);
  thrust::sequence(place.begin(), place.end());
  thrust::stable_sort_by_key(ordered.begin(), ordered.end(), place.begin(), thrust::greater<float>());
  for (int i = 0; i < n; i++) {
    wrong += ordered[i] != x[place[i]];
    if (i > 0) wrong += ordered[i - 1] < ordered[i] || (ordered[i - 1] == ordered[i] && place[i - 1] > place[i]);
  }
  std::printf("%.5f %.5f, %d wrong\n", least, most, wrong);
  return wrong != 0;
}
