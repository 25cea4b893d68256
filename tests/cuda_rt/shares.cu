// Memory without a known end on devices and systems that have little of it, or none that both sides may use.
#include <cuda_runtime.h>

namespace stub {
size_t most = ~size_t(0);  // so many bytes of managed memory at once
bool supported = true;
int asked = 0;
template <class T>
cudaError_t managed(T** p, size_t bytes) {
  ++asked;
  if (!supported) return cudaErrorNotSupported;
  return bytes > most ? cudaErrorMemoryAllocation : cudaMallocManaged(p, bytes);
}
}  // namespace stub
#define cudaMallocManaged(p, bytes) stub::managed(p, bytes)

#include "cuda_rt/array.cuh"
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Scalars : Shared {};
using Context = HostRuntime<Scalars>;
constexpr size_t megabyte = size_t(1) << 20;

__global__ void add_kernel(ArrayView<int64_t> all) {
  if (threadIdx.x < 4) atomicAdd(reinterpret_cast<counter_t*>(&all.at(threadIdx.x)), counter_t(1));
}
// Both sides use an array, and a list takes more than it has room for.
int use(size_t& bytes) {
  driver::Call call(driver::nothing(), 1);
  Context c(&call.args);
  {
    irgl::array<int64_t> all(c);
    all.resize(4);
    if (!c.failed()) {
      all[2] = 5;
      c.launch(add_kernel, 1, all.view());
      CHECK(all[2] == 6 && all[3] == 1, "%ld", long(all[2]));
    }
    irgl::list<int32_t> l(c, 1);
    l.spill();
    bytes = size_t(l.view().spill_capacity + 1) * sizeof(int32_t);
  }
  return c.finish(&call.args) == 0 ? 0 : int(call.fault[0]);
}

// No two are out together that the device has no room for, however many there are, and what is dropped is there again.
void many() {
  driver::Call call(driver::nothing(), 1);
  Context c(&call.args);
  size_t free = 0, total = 0, sum = 0, first = 0;
  CHECK(cudaMemGetInfo(&free, &total) == cudaSuccess, "no memory");
  void* last = nullptr;
  for (int k = 0; k < 20; ++k) {
    const Vast<char> v = c.make_vast<char>(for_both);
    sum += size_t(v.capacity) + 1;
    if (k == 0) first = size_t(v.capacity) + 1;
    else if (k == 1) last = v.data;
    CHECK(v.capacity + 1 >= megabyte, "%d: %ld", k, long(v.capacity));
  }
  CHECK(sum <= free, "%ld of %ld", long(sum), long(free));
  CHECK(first >= free / 33, "%ld of %ld", long(first), long(free));
  c.drop_vast(last);
  const Vast<char> again = c.make_vast<char>(for_both);
  CHECK(again.data != nullptr && !c.failed(), "%ld", long(again.capacity));
  CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  size_t bytes = 0;
  unit::many();
  stub::most = 3 * unit::megabyte;
  CHECK(unit::use(bytes) == 0 && bytes <= stub::most && bytes > stub::most / 2, "%ld", long(bytes));
  stub::most = unit::megabyte;
  CHECK(unit::use(bytes) == 0 && bytes == stub::most, "%ld", long(bytes));
  stub::supported = false, stub::asked = 0;
  CHECK(unit::use(bytes) == 0 && bytes >= unit::megabyte && stub::asked == 1, "%ld %d", long(bytes), stub::asked);
  if (driver::failures != 0) return driver::end();
  fprintf(stderr, "out of memory, wanted here: ");
  stub::supported = true, stub::most = unit::megabyte - 1;
  CHECK(unit::use(bytes) == IRGL_FAULT_MEMORY, "%ld", long(bytes));
  return driver::end();
}
