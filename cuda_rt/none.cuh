// What a set is about to take from a list: NONE among it is a fault.
//
//     irgl::refuse_none(c, RANGE, place)     on the host
//     irgl::refuse_none(t, RANGE, place)     by all threads of the grid
#pragma once
#include "schedulers.cuh"

namespace irgl {

template <class R>
IRGL_DEVICE void refuse_none(Thread& t, const R& range, int64_t place) {
  for_each<One>(t, range, [&](Thread& t, bool, typename R::item x) {
    if (x < 0) t.fault(place | access_fault);
  });
}
namespace detail {
template <class R>
__global__ void refuse_none_kernel(DeviceRuntime c, R range, int64_t place) {
  Thread t(c);
  refuse_none(t, range, place);
}
}  // namespace detail
template <class R>
void refuse_none(Launcher& c, const R& range, int64_t place) {
  if (range.size() != 0) c.launch(detail::refuse_none_kernel<R>, range.size(), c.device_runtime(), range, place);
}

}  // namespace irgl
