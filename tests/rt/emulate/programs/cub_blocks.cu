// CUB's collectives of warps and blocks, each against a plain loop.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

constexpr int threads = 96, items = 3, tile = threads * items;

struct Matrix {  // of 2 x 2, whose product does not commute
  long a, b, c, d;
};
struct Product {
  __host__ __device__ Matrix operator()(const Matrix& x, const Matrix& y) const {
    return {(x.a * y.a + x.b * y.c) % 1009, (x.a * y.b + x.b * y.d) % 1009, (x.c * y.a + x.d * y.c) % 1009,
            (x.c * y.b + x.d * y.d) % 1009};
  }
};
__host__ __device__ Matrix matrix(int i) { return {i % 7 + 1, 1, i % 5, 2}; }
struct Differ {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Running {
  int total;
  __device__ int operator()(int sum) {
    const int before = total;
    total += sum;
    return before;
  }
};

__global__ void reductions(const int* in, int* out, Matrix* product) {
  typedef cub::BlockReduce<int, threads> Reduce;
  typedef cub::BlockReduce<Matrix, threads, cub::BLOCK_REDUCE_RAKING> Multiply;
  typedef cub::WarpReduce<int> Warp;
  typedef cub::WarpReduce<int, 8> Part;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Multiply::TempStorage multiply;
    typename Warp::TempStorage warps[threads / 32];
    typename Part::TempStorage parts[threads / 8];
  } s;
  int mine[items];
  cub::LoadDirectBlocked(threadIdx.x, in, mine);
  const int sum = Reduce(s.reduce).Sum(mine);
  __syncthreads();
  const int some = Reduce(s.reduce).Sum(mine[0], 50);
  __syncthreads();
  const int most = Reduce(s.reduce).Reduce(mine[0], [](int a, int b) { return a < b ? b : a; });
  __syncthreads();
  const Matrix m = Multiply(s.multiply).Reduce(matrix(threadIdx.x), Product());
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = some;
    out[2] = most;
    *product = m;
  }
  __syncthreads();
  const int warp = Warp(s.warps[threadIdx.x / 32]).Sum(mine[0]);
  if (threadIdx.x % 32 == 0) out[3 + threadIdx.x / 32] = warp;
  __syncthreads();
  const int part = Part(s.parts[threadIdx.x / 8]).Sum(mine[0], 5);
  if (threadIdx.x % 8 == 0) out[6 + threadIdx.x / 8] = part;
  const int head = Warp(s.warps[threadIdx.x / 32]).HeadSegmentedSum(1, threadIdx.x % 10 == 0);
  if (threadIdx.x % 10 == 0 && threadIdx.x < 32) out[18 + threadIdx.x / 10] = head;
}

__global__ void scans(const int* in, int* inclusive, int* exclusive, int* running, Matrix* products, int* sums) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Multiply = cub::BlockScan<Matrix, threads>;
  using Warp = cub::WarpScan<int>;
  __shared__ typename Load::TempStorage load;
  __shared__ typename Store::TempStorage store;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Multiply::TempStorage multiply;
  __shared__ typename Warp::TempStorage warps[threads / 32];
  int mine[items], made[items], total;
  Load(load).Load(in, mine);
  __syncthreads();
  Scan(scan).InclusiveSum(mine, made, total);
  if (threadIdx.x == 5) sums[0] = total;
  Store(store).Store(inclusive, made);
  __syncthreads();
  Scan(scan).ExclusiveScan(mine, made, 100, [](int a, int b) { return a < b ? b : a; });
  Store(store).Store(exclusive, made);
  Running before{1000};
  for (int k = 0; k < 2; k++) {
    __syncthreads();
    int one;
    Scan(scan).ExclusiveSum(in[k * threads + threadIdx.x], one, before);
    running[k * threads + threadIdx.x] = one;
  }
  Matrix product;
  Multiply(multiply).InclusiveScan(matrix(threadIdx.x), product, Product());
  products[threadIdx.x] = product;
  int lower, all;
  Warp(warps[threadIdx.x / 32]).ExclusiveSum(mine[0], lower, all);
  sums[1 + threadIdx.x] = lower;
  if (threadIdx.x == 40) sums[1 + threads] = all;
}

__global__ void moves(const int* in, int* sorted, int* by, float* down, int* striped, int* heads, int* counts) {
  using Sort = cub::BlockRadixSort<int, threads, items, short>;
  using Down = cub::BlockRadixSort<float, threads, items>;
  using Exchange = cub::BlockExchange<int, threads, items>;
  using Flags = cub::BlockDiscontinuity<int, threads>;
  using Histogram = cub::BlockHistogram<unsigned char, threads, items, 16>;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Down::TempStorage down;
    typename Exchange::TempStorage exchange;
    typename Flags::TempStorage flags;
    typename Histogram::TempStorage histogram;
  } s;
  __shared__ unsigned bins[16];
  int keys[items], flags[items], moved[items];
  short places[items];
  float numbers[items];
  unsigned char small[items];
  for (int i = 0; i < items; i++) {
    keys[i] = in[threadIdx.x * items + i];
    places[i] = threadIdx.x * items + i;
    numbers[i] = keys[i] * 0.5f;
    small[i] = keys[i] & 15;
  }
  Exchange(s.exchange).BlockedToStriped(keys, moved);
  for (int i = 0; i < items; i++) striped[i * threads + threadIdx.x] = moved[i];
  __syncthreads();
  Sort(s.sort).Sort(keys, places);
  __syncthreads();
  Down(s.down).SortDescending(numbers);
  __syncthreads();
  Flags(s.flags).FlagHeads(flags, keys, Differ());
  __syncthreads();
  Histogram(s.histogram).Histogram(small, bins);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x];
  for (int i = 0; i < items; i++) {
    const int at = threadIdx.x * items + i;
    sorted[at] = keys[i];
    by[at] = places[i];
    down[at] = numbers[i];
    heads[at] = flags[i];
  }
}

int wrong = 0;
template <class T, class U>
void same(const char* what, T found, U wanted) {
  if (found != wanted && wrong++ < 10) printf("%s: %g, not %g\n", what, double(found), double(wanted));
}
template <class T>
T* managed(int n) {
  T* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(T));
  return p;
}

int main() {
  int* in = managed<int>(tile);
  for (int i = 0; i < tile; i++) in[i] = i * 7919 % 211 - 100;
  int* out = managed<int>(tile);
  Matrix *product = managed<Matrix>(1), *products = managed<Matrix>(threads);
  reductions<<<1, threads>>>(in, out, product);
  cudaDeviceSynchronize();
  int sum = 0, some = 0, most = -1000, warps[3] = {}, parts[12] = {};
  Matrix m = matrix(0);
  for (int i = 0; i < tile; i++) sum += in[i];
  for (int t = 0; t < threads; t++) {
    const int first = in[t * items];
    if (t < 50) some += first;
    if (first > most) most = first;
    warps[t / 32] += first;
    if (t % 8 < 5) parts[t / 8] += first;
    if (t > 0) m = Product()(m, matrix(t));
  }
  same("sum", out[0], sum);
  same("sum of 50", out[1], some);
  same("most", out[2], most);
  for (int w = 0; w < 3; w++) same("sum of a warp", out[3 + w], warps[w]);
  for (int p = 0; p < 12; p++) same("sum of a part", out[6 + p], parts[p]);
  for (int h = 0; h < 4; h++) same("segment", out[18 + h], h < 3 ? 10 : 2);
  same("product", product->a * 1009 + product->d, m.a * 1009 + m.d);

  int *inclusive = managed<int>(tile), *exclusive = managed<int>(tile), *running = managed<int>(2 * threads);
  int* sums = managed<int>(threads + 2);
  scans<<<1, threads>>>(in, inclusive, exclusive, running, products, sums);
  cudaDeviceSynchronize();
  int before = 1000, largest = 100, all = 0, lower = 0;
  m = matrix(0);
  for (int i = 0; i < tile; i++) {
    same("exclusive", exclusive[i], largest);
    all += in[i];
    largest = largest < in[i] ? in[i] : largest;
    same("inclusive", inclusive[i], all);
  }
  for (int i = 0; i < 2 * threads; i++) {
    same("running", running[i], before);
    before += in[i];
  }
  for (int t = 0; t < threads; t++) {
    if (t > 0) m = Product()(m, matrix(t));
    same("products", products[t].b * 1009 + products[t].c, m.b * 1009 + m.c);
    if (t % 32 == 0) lower = 0;
    same("warp's exclusive", sums[1 + t], lower);
    lower += in[t * items];
  }
  same("total", sums[0], sum);
  same("warp's total", sums[1 + threads], warps[1]);

  int *by = managed<int>(tile), *striped = managed<int>(tile), *heads = managed<int>(tile), *counts = managed<int>(16);
  float* down = managed<float>(tile);
  moves<<<1, threads>>>(in, out, by, down, striped, heads, counts);
  cudaDeviceSynchronize();
  std::vector<int> bins(16);
  for (int i = 0; i < tile; i++) {
    bins[in[i] & 15]++;
    same("striped", striped[i], in[i]);
    same("sorted by", in[by[i]], out[i]);
    if (i > 0) {
      same("in order", out[i - 1] < out[i] || (out[i - 1] == out[i] && by[i - 1] < by[i]), true);
      same("downwards", down[i - 1] >= down[i], true);
      same("head", heads[i], int(out[i - 1] != out[i]));
    }
  }
  for (int b = 0; b < 16; b++) same("bin", counts[b], bins[b]);
  for (void* p : {(void*)in, (void*)out, (void*)product, (void*)products, (void*)inclusive, (void*)exclusive,
                  (void*)running, (void*)sums, (void*)by, (void*)striped, (void*)heads, (void*)counts, (void*)down}) {
    cudaFree(p);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
