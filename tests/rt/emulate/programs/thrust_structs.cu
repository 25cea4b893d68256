// Vectors of structs and of the host, elements read and written one by one, pointers, and an allocation that fails.
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <list>
#include <new>
#include <vector>

struct Particle {
  int id;
  float mass;
  double place[2];
  __host__ __device__ Particle() : id(-1), mass(1.0f), place{0, 0} {}
  __host__ __device__ Particle(int i, float m) : id(i), mass(m), place{1.0 * i, -1.0 * i} {}
};
struct heavier {
  __host__ __device__ bool operator()(const Particle& a, const Particle& b) const { return a.mass > b.mass; }
};
struct cell {
  double width;
  __host__ __device__ int operator()(const Particle& p) const { return static_cast<int>(p.place[0] / width); }
};

template <typename Vector>
void print(const char* name, const Vector& v) {
  std::cout << name << ":";
  for (std::size_t i = 0; i < v.size(); i++) std::cout << " " << v[i];
  std::cout << std::endl;
}

int main() {
  int wrong = 0;
  std::vector<Particle> mine;
  for (int i = 0; i < 40; i++) mine.push_back(Particle(i, static_cast<float>(i * 17 % 9)));
  thrust::device_vector<Particle> particles(mine.begin(), mine.end());
  thrust::stable_sort(particles.begin(), particles.end(), heavier());
  std::stable_sort(mine.begin(), mine.end(), heavier());
  thrust::host_vector<Particle> back = particles;
  for (int i = 0; i < 40; i++) wrong += back[i].id != mine[i].id || back[i].place[1] != -mine[i].id;
  const Particle heaviest = particles[0];
  particles[1] = Particle(99, 3.0f);
  wrong += heaviest.mass != 8.0f || static_cast<Particle>(particles[1]).id != 99;
  particles.resize(42);
  wrong += static_cast<Particle>(particles.back()).id != -1;
  thrust::device_vector<int> cells(particles.size());
  thrust::transform(particles.begin(), particles.end(), cells.begin(), cell{10.0});
  wrong += cells[1] != 9;

  thrust::device_vector<int> v(4, 3);
  v.insert(v.begin() + 1, 9);
  v.push_back(7);
  v[2] += 10;
  ++v[3];
  v.insert(v.end(), 2, 5);
  v.erase(v.begin());
  print("v", v);
  const std::list<int> list = {4, 5, 6};
  thrust::device_vector<int> other(list.begin(), list.end());
  v.swap(other);
  thrust::host_vector<float> wide = v;
  thrust::device_vector<double> wider = wide;
  wide[0] = 0.5f;
  v = wide;
  print("wide", wide);
  print("wider", wider);
  std::cout << v[0] << v[1] << (v == thrust::host_vector<int>(v)) << other.size() << v.front() << v.back() << "\n";
  thrust::copy(other.rbegin(), other.rend(), std::ostream_iterator<int>(std::cout, ","));
  std::cout << std::endl;
  v.clear();
  v.shrink_to_fit();
  wrong += !v.empty() || v.capacity() != 0;

  int raw[6] = {5, 2, 4, 1, 3, 0};
  thrust::sort(raw, raw + 6);
  thrust::device_ptr<int> p = thrust::device_malloc<int>(6);
  thrust::copy(raw, raw + 6, p);
  thrust::fill(p + 4, p + 6, -1);
  p[0] = 8;
  int* plain = thrust::raw_pointer_cast(p);
  wrong += thrust::device_pointer_cast(plain) != p || *(p + 3) != 3;
  print("p", thrust::device_vector<int>(p, p + 6));
  thrust::device_free(p);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
