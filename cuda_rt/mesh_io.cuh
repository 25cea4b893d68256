// A mesh from the caller's arrays, and back into arrays that the caller allocates (abi.hpp); neighbours from shared
// sides. Included by mesh.cuh.
#pragma once
#include "../cpu_rt/mesh_sides.hpp"
#include "mesh.cuh"

namespace irgl {

inline void Mesh::load_from(const irgl_mesh& from) {
  points_.resize(from.points);
  segments_.resize(from.segments);
  triangles_.resize(from.triangles);
  if (c_->failed()) return;
  detail::Point* const points = all(points_);
  detail::Segment* const segments = all(segments_);
  detail::Triangle* const triangles = all(triangles_);
  for (int64_t p = 0; p < from.points; ++p) points[p] = {from.xy[2 * p], from.xy[2 * p + 1], -1};
  for (int64_t s = 0; s < 2 * from.segments; ++s) segments[s / 2].end[s % 2] = from.ends[s];
  for (int64_t t = 0; t < from.triangles; ++t) {
    for (int k = 0; k < 3; ++k) {
      triangles[t].point[k] = from.corners[3 * t + k];
      triangles[t].across[k] = from.across[3 * t + k];
      triangles[t].segment[k] = from.sides[3 * t + k];
    }
    triangles[t].alive = 1;
  }
  points_.bring(), segments_.bring(), triangles_.bring();
}

namespace detail {
template <class T>
T* allocated(HostBase& c, const irgl_run_args& a, int64_t count) {
  T* memory = static_cast<T*>(a.allocate(count * int64_t(sizeof(T))));
  if (memory == nullptr) c.fault(memory_fault);
  return memory;
}
}  // namespace detail

inline void Mesh::keep_in(irgl_mesh& to, const irgl_run_args& a) {
  c_->settle();
  if (c_->failed()) return;
  if (num_points() > INT32_MAX || num_segments() > INT32_MAX) return c_->fault(memory_fault);
  const int64_t count = num_triangles();
  const detail::Triangle* const triangles = all(triangles_);
  int64_t alive = 0;
  for (int64_t t = 0; t < count; ++t) alive += triangles[t].alive;
  to.points = num_points();
  to.triangles = alive;
  to.segments = num_segments();
  to.xy = detail::allocated<double>(*c_, a, 2 * to.points);
  to.ends = detail::allocated<int32_t>(*c_, a, 2 * to.segments);
  to.corners = detail::allocated<int32_t>(*c_, a, 3 * alive);
  to.sides = detail::allocated<int32_t>(*c_, a, 3 * alive);
  if (c_->halted()) return;
  const detail::Point* const points = all(points_);
  const detail::Segment* const segments = all(segments_);
  for (int64_t p = 0; p < to.points; ++p) to.xy[2 * p] = points[p].x, to.xy[2 * p + 1] = points[p].y;
  for (int64_t s = 0; s < 2 * to.segments; ++s) to.ends[s] = int32_t(segments[s / 2].end[s % 2]);
  int64_t at = 0;
  for (int64_t t = 0; t < count; ++t) {
    if (triangles[t].alive == 0) continue;
    for (int k = 0; k < 3; ++k, ++at) {
      to.corners[at] = int32_t(triangles[t].point[k]);
      to.sides[at] = int32_t(triangles[t].segment[k]);
    }
  }
}

inline void Mesh::connect(int64_t) {
  const size_t count = size_t(num_triangles()), corners = size_t(num_points());
  int64_t* head = static_cast<int64_t*>(malloc((corners + 3 * count + 1) * sizeof(int64_t)));
  if (head == nullptr || count == 0) return free(head);
  detail::Triangle* triangles = all(triangles_);
  detail::connect<node_t>(triangles, count, head, corners, head + corners);
  free(head);
}

}  // namespace irgl
