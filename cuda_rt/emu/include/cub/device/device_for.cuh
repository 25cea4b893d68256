// cub::DeviceFor and DeviceTransform: kernels of many threads, which nothing orders.
#pragma once
#include <tuple>

#include "../util_device.cuh"

namespace cub {

struct DeviceFor {
  template <class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t Bulk(Count num_items, Op op, cudaStream_t stream = 0) {
    return irgl_emu::each("cub::DeviceFor::Bulk", num_items, [=](long i) mutable { op(Count(i)); }, stream);
  }
  template <class In, class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t ForEachN(In first, Count num_items, Op op, cudaStream_t stream = 0) {
    return irgl_emu::each("cub::DeviceFor::ForEach", num_items, [=](long i) mutable { op(first[i]); }, stream);
  }
  template <class In, class Op>
  IRGL_EMU_MEMBER static cudaError_t ForEach(In first, In last, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, op, stream);
  }
  template <class In, class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t ForEachCopyN(In first, Count num_items, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, num_items, op, stream);
  }
  template <class In, class Op>
  IRGL_EMU_MEMBER static cudaError_t ForEachCopy(In first, In last, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, op, stream);
  }

#define IRGL_EMU_TWO_CALLS(name)                                                                      \
  template <class First, class Second, class Op>                                                             \
  IRGL_EMU_MEMBER static cudaError_t name(void* temp, size_t& bytes, First a, Second b, Op op,               \
                                          cudaStream_t stream = 0) {                                         \
    bytes = 1;                                                                                               \
    return temp == nullptr ? cudaSuccess : name(a, b, op, stream);                                           \
  }
  IRGL_EMU_TWO_CALLS(ForEachN)
  IRGL_EMU_TWO_CALLS(ForEach)
  IRGL_EMU_TWO_CALLS(ForEachCopyN)
  IRGL_EMU_TWO_CALLS(ForEachCopy)
#undef IRGL_EMU_TWO_CALLS
  template <class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t Bulk(void* temp, size_t& bytes, Count num_items, Op op, cudaStream_t stream = 0) {
    bytes = 1;
    return temp == nullptr ? cudaSuccess : Bulk(num_items, op, stream);
  }
};

struct DeviceTransform {
  template <class... In, class Out, class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t Transform(std::tuple<In...> in, Out out, Count num_items, Op op,
                                               cudaStream_t stream = 0) {
    return irgl_emu::each(
        "cub::DeviceTransform", num_items,
        [=](long i) mutable { out[i] = std::apply([&](auto... one) { return op(one[i]...); }, in); }, stream);
  }
  template <class In, class Out, class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t Transform(In in, Out out, Count num_items, Op op, cudaStream_t stream = 0) {
    return irgl_emu::each(
        "cub::DeviceTransform", num_items, [=](long i) mutable { out[i] = op(in[i]); }, stream);
  }
};

}  // namespace cub
