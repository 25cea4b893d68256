// CUB's functions for whole arrays, each against the C++ library or a plain loop.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int wrong = 0;
void check(const char* what, bool right) {
  if (!right && wrong++ < 20) printf("%s is wrong\n", what);
}

template <class T>
struct Array {  // on the device
  T* data = nullptr;
  size_t size;
  explicit Array(size_t n) : size(n) { cudaMalloc(&data, n * sizeof(T)); }
  Array(const std::vector<T>& v) : Array(v.size()) {
    cudaMemcpy(data, v.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data); }
  operator T*() const { return data; }
  std::vector<T> read(size_t n) const {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
  std::vector<T> read() const { return read(size); }
  T first() const { return read(1)[0]; }
};

cub::CachingDeviceAllocator allocator(true);

// A function of CUB's by its two calls.
template <class Function>
void both(Function f) {
  void* temp = nullptr;
  size_t bytes = 0;
  CubDebugExit(f(temp, bytes));
  CubDebugExit(allocator.DeviceAllocate(&temp, bytes));
  CubDebugExit(f(temp, bytes));
  CubDebugExit(allocator.DeviceFree(temp));
}
#define BOTH(call) both([&](void* temp, size_t& bytes) { return call; })

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Largest {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
struct Square {
  int* data;
  __device__ void operator()(int i) { data[i] *= data[i]; }
};

int main() {
  const int n = 1000;
  std::vector<int> numbers(n), flags(n);
  std::vector<float> weights(n);
  for (int i = 0; i < n; i++) {
    numbers[i] = (i * 7919 + i / 3) % 101;
    flags[i] = i % 7 == 2;
    weights[i] = float(i * 31 % 97) - 48.5f;
  }
  const Array<int> in(numbers), chosen(flags), out(n), out2(n), count(2);
  const Array<float> w(weights), w2(n);

  BOTH(cub::DeviceReduce::Sum(temp, bytes, in.data, count.data, n));
  check("Sum", count.first() == std::accumulate(numbers.begin(), numbers.end(), 0));
  BOTH(cub::DeviceReduce::Max(temp, bytes, w.data, w2.data, n));
  check("Max", w2.first() == *std::max_element(weights.begin(), weights.end()));
  BOTH(cub::DeviceReduce::Min(temp, bytes, in.data, count.data, n));
  check("Min", count.first() == 0);
  BOTH(cub::DeviceReduce::Reduce(temp, bytes, in.data, count.data, n, Largest(), 1000));
  check("Reduce", count.first() == 1000);
  BOTH(cub::DeviceReduce::ArgMax(temp, bytes, in.data, out.data, count.data, n));
  check("ArgMax", numbers[count.first()] == 100 && out.first() == 100);

  std::vector<int> wanted(n);
  BOTH(cub::DeviceScan::ExclusiveSum(temp, bytes, in.data, out.data, n));
  std::exclusive_scan(numbers.begin(), numbers.end(), wanted.begin(), 0);
  check("ExclusiveSum", out.read() == wanted);
  BOTH(cub::DeviceScan::InclusiveScan(temp, bytes, in.data, out.data, Largest(), n));
  std::inclusive_scan(numbers.begin(), numbers.end(), wanted.begin(), Largest());
  check("InclusiveScan", out.read() == wanted);
  cudaMemcpy(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  BOTH(cub::DeviceScan::InclusiveSum(temp, bytes, out.data, n));
  std::partial_sum(numbers.begin(), numbers.end(), wanted.begin());
  check("InclusiveSum in place", out.read() == wanted);

  std::vector<int> some;
  for (int i = 0; i < n; i++) {
    if (flags[i]) some.push_back(numbers[i]);
  }
  BOTH(cub::DeviceSelect::Flagged(temp, bytes, in.data, chosen.data, out.data, count.data, n));
  check("Flagged", count.first() == int(some.size()) && out.read(some.size()) == some);
  some.clear();
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(some), Even());
  BOTH(cub::DeviceSelect::If(temp, bytes, in.data, out.data, count.data, n, Even()));
  check("If", count.first() == int(some.size()) && out.read(some.size()) == some);
  std::vector<int> others;
  std::copy_if(numbers.rbegin(), numbers.rend(), std::back_inserter(others), [](int x) { return x % 2 != 0; });
  BOTH(cub::DevicePartition::If(temp, bytes, in.data, out.data, count.data, n, Even()));
  std::vector<int> all = some;
  all.insert(all.end(), others.begin(), others.end());
  check("Partition", count.first() == int(some.size()) && out.read() == all);

  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const Array<int> index(order);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return numbers[a] < numbers[b]; });
  BOTH(cub::DeviceRadixSort::SortPairs(temp, bytes, in.data, out.data, index.data, out2.data, n));
  std::vector<int> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  check("SortPairs", out.read() == sorted && out2.read() == order);
  BOTH(cub::DeviceRadixSort::SortKeysDescending(temp, bytes, w.data, w2.data, n));
  std::vector<float> down = weights;
  std::sort(down.rbegin(), down.rend());
  check("SortKeysDescending", w2.read() == down);
  {
    const Array<unsigned> a(std::vector<unsigned>(numbers.begin(), numbers.end())), b(n);
    cub::DoubleBuffer<unsigned> keys(a.data, b.data);
    BOTH(cub::DeviceRadixSort::SortKeys(temp, bytes, keys, n, 4, 7));
    std::vector<unsigned> by(numbers.begin(), numbers.end());
    std::stable_sort(by.begin(), by.end(), [](unsigned x, unsigned y) { return (x >> 4 & 7) < (y >> 4 & 7); });
    std::vector<unsigned> found(n);
    cudaMemcpy(found.data(), keys.Current(), n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    check("SortKeys of some bits", found == by);
  }
  cudaMemcpy(out2, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  BOTH(cub::DeviceMergeSort::StableSortKeys(temp, bytes, out2.data, n, ByLastDigit()));
  std::vector<int> last = numbers;
  std::stable_sort(last.begin(), last.end(), ByLastDigit());
  check("StableSortKeys", out2.read() == last);

  const Array<int> unique(n), lengths(n);
  BOTH(cub::DeviceRunLengthEncode::Encode(temp, bytes, out.data, unique.data, lengths.data, count.data, n));
  std::vector<int> histogram(101);
  for (int x : numbers) histogram[x]++;
  check("Encode", count.first() == 101 && lengths.read(101) == histogram);
  const cub::CacheModifiedInputIterator<cub::LOAD_LDG, int> loaded(chosen.data);
  BOTH(cub::DeviceReduce::ReduceByKey(temp, bytes, out.data, unique.data, loaded, lengths.data, count.data, Largest(),
                                      n));
  check("ReduceByKey", count.first() == 101 && unique.read(101)[100] == 100);
  BOTH(cub::DeviceSelect::Unique(temp, bytes, out.data, unique.data, count.data, n));
  check("Unique", count.first() == 101 && unique.read(101)[57] == 57);
  BOTH(cub::DeviceHistogram::HistogramEven(temp, bytes, in.data, lengths.data, 11, 0, 50, n));
  std::vector<int> wide(10);
  for (int x : numbers) {
    if (x < 50) wide[x / 5]++;
  }
  check("HistogramEven", lengths.read(10) == wide);
  const Array<int> levels(std::vector<int>{3, 10, 90});
  BOTH(cub::DeviceHistogram::HistogramRange(temp, bytes, in.data, lengths.data, 3, levels.data, n));
  const auto within = [&](int a, int b) {
    return int(std::count_if(numbers.begin(), numbers.end(), [=](int x) { return x >= a && x < b; }));
  };
  check("HistogramRange", lengths.read(2) == std::vector<int>{within(3, 10), within(10, 90)});

  const std::vector<int> ends = {0, 10, 10, 400, 1000};
  const Array<int> offsets(ends), sums(4);
  BOTH(cub::DeviceSegmentedReduce::Sum(temp, bytes, in.data, sums.data, 4, offsets.data, offsets.data + 1));
  BOTH(cub::DeviceSegmentedRadixSort::SortKeys(temp, bytes, in.data, out.data, n, 4, offsets.data, offsets.data + 1));
  std::vector<int> totals(4), segments = numbers;
  for (int s = 0; s < 4; s++) {
    totals[s] = std::accumulate(numbers.begin() + ends[s], numbers.begin() + ends[s + 1], 0);
    std::sort(segments.begin() + ends[s], segments.begin() + ends[s + 1]);
  }
  check("segments' sums", sums.read() == totals);
  check("segments sorted", out.read() == segments);
  BOTH(cub::DeviceSegmentedSort::SortKeys(temp, bytes, in.data, out2.data, n, 4, offsets.data, offsets.data + 1));
  check("segments sorted again", out2.read() == segments);
  cudaMemcpy(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  CubDebugExit(cub::DeviceFor::Bulk(n, Square{out.data}));
  cudaDeviceSynchronize();
  check("Bulk", out.read()[3] == numbers[3] * numbers[3]);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
