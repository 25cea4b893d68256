// How much a kernel over a range pushes at most, as the host finds it out: as grid_need (worklist.cuh).
//
//     host_need(c, bound{per_item, per_edge}, RANGE, room)   the cheap bound where that is within the room, or else the
//                                                            exact sum of degrees; of one_of(...) the larger
#pragma once
#include "context.cuh"
#include "worklist.cuh"

namespace irgl {
namespace detail {
template <class R>
__global__ void weigh_kernel(R range, counter_t* sum) {
  counter_t mine = 0;
  for (size_t p = size_t(blockIdx.x) * block_size + threadIdx.x; p < range.size(); p += size_t(gridDim.x) * block_size)
    if (has_item(range, p)) mine += range.weight(range.at(p));
  mine = block_reduce<Add>(mine, counter_t(0));
  if (threadIdx.x == 0 && mine != 0) atomicAdd(sum, mine);
}
template <class R>
counter_t host_need(Launcher& c, bound b, const R& range, counter_t room) {
  const counter_t cheap = cheap_need(b, range);
  if constexpr (R::weighted) {
    if (cheap > room && b.per_edge != 0) {
      counter_t* sum = c.take_spare();
      c.launch(weigh_kernel<R>, range.size(), range, sum);
      const counter_t edges = c.read(sum);
      c.give_counter(sum);
      return counter_t(b.per_item) * range.size() + counter_t(b.per_edge) * edges;
    }
  }
  return cheap;
}
template <class R, class S>
counter_t host_need(Launcher& c, bound, const OneOf<R, S>& r, counter_t room) {
  const counter_t first = host_need(c, r.first, r.one, room);
  return larger(first, host_need(c, r.second, r.other, larger(first, room)));
}
}  // namespace detail
}  // namespace irgl
