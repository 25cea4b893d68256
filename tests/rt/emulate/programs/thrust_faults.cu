// What goes wrong in a program with Thrust, by the name that is its argument.
#include <thrust/copy.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>

#include <cstdio>
#include <string>
#include <vector>

struct count_degrees {
  const int* source;
  int* degree;
  __host__ __device__ void operator()(int e) const {
    degree[source[e]] += 1;
  }
};
struct neighbour {
  const int* values;
  __host__ __device__ int operator()(int i) const { return values[i + 1]; }
};
__global__ void first(const int* p, int* to) {
  *to = *p;
}

void race() {
  thrust::device_vector<int> source(200, 3), degree(10);
  thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(200),
                   count_degrees{thrust::raw_pointer_cast(source.data()), thrust::raw_pointer_cast(degree.data())});
}
void functor() {
  thrust::device_vector<int> values(50, 1), to(50);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(50), to.begin(),
                    neighbour{thrust::raw_pointer_cast(values.data())});
}
void map() {
  thrust::device_vector<int> map = {0, 2, 4, 5};
  thrust::device_vector<int> values(5, 1), to(4);
  thrust::gather(map.begin(), map.end(), values.begin(), to.begin());
}
void twice() {
  thrust::device_vector<int> map = {0, 2, 4, 2};
  thrust::device_vector<int> values = {1, 2, 3, 4}, to(5);
  thrust::scatter(values.begin(), values.end(), map.begin(), to.begin());
}
const int* gone() {
  thrust::device_vector<int> v(10, 4);
  return thrust::raw_pointer_cast(v.data());
}
void died() {
  thrust::device_vector<int> to(1);
  first<<<1, 1>>>(gone(), thrust::raw_pointer_cast(to.data()));
  cudaDeviceSynchronize();
}
void moved() {
  thrust::device_vector<int> v(10, 4);
  const auto old = thrust::raw_pointer_cast(&v[0]);
  v.push_back(5);
  std::printf("%d\n", thrust::reduce(thrust::device, old, old + 10) & 0);
}
void unwritten() {
  int* p;
  cudaMalloc(&p, 10 * sizeof(int));
  cudaMemset(p, 0, 9 * sizeof(int));
  std::printf("%d\n", thrust::reduce(thrust::device, p, p + 10) & 0);
  cudaFree(p);
}
void host() {
  thrust::device_vector<int> v(10, 4);
  int* p = thrust::raw_pointer_cast(v.data());
  p[3] = 5;
}
void no_policy() {
  thrust::device_vector<int> v(10, 4);
  int* p = thrust::raw_pointer_cast(v.data());
  thrust::sort(p, p + 10);
}
void device() {
  std::vector<int> v = {3, 1, 2};
  thrust::sort(thrust::device, v.begin(), v.end());
}
void element() {
  thrust::device_vector<int> v(10, 4);
  const int past = v[10];
  std::printf("%d\n", past & 0);
}
void output() {
  thrust::device_vector<int> v(10, 4), to;
  thrust::copy_if(v.begin(), v.end(), to.begin(), thrust::placeholders::_1 > 3);
}
void leak() {
  thrust::device_ptr<int> p = thrust::device_malloc<int>(100);
  thrust::fill(p, p + 100, 1);
}

int main(int, char** given) {
  const std::string name = given[1];
#define FAULT(f) \
  if (name == #f) f();
  FAULT(race) FAULT(functor) FAULT(map) FAULT(twice) FAULT(died) FAULT(moved) FAULT(unwritten) FAULT(host)
  FAULT(no_policy) FAULT(device) FAULT(element) FAULT(output) FAULT(leak)
}
