// A mesh from the caller's arrays, and back into arrays that the caller allocates (abi.hpp).
#pragma once
#include "abi.hpp"
#include "mesh.hpp"

namespace irgl {

inline void load_mesh(Mesh& m, Runtime& c, const irgl_run_args* a) {
  Thread& t = c.host();
  const irgl_mesh& from = *a->mesh;
  for (int64_t p = 0; p < from.points; ++p) m.add_point(t, from.xy[2 * p], from.xy[2 * p + 1]);
  for (int64_t s = 0; s < from.segments; ++s) m.add_segment(t, from.ends[2 * s], from.ends[2 * s + 1]);
  for (int64_t i = 0; i < from.triangles; ++i) {
    const int32_t* corner = from.corners + 3 * i;
    m.add_triangle(t, corner[0], corner[1], corner[2]);
  }
  for (int64_t side = 0; side < 3 * from.triangles; ++side) {
    m.link(t, side / 3, side % 3, from.across[side]);
    m.lay(t, side / 3, side % 3, from.sides[side]);
  }
}

namespace detail {
template <class T>
T* allocated(const irgl_run_args* a, int64_t count) {
  T* memory = static_cast<T*>(a->allocate(count * int64_t(sizeof(T))));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace detail

// Triangles that are alive, in the order of their numbers; every point and segment.
inline void keep_mesh(const Mesh& m, const irgl_run_args* a) {
  irgl_mesh& to = *a->mesh;
  int64_t alive = 0;
  for (int64_t i = 0; i < m.num_triangles(); ++i) alive += m.alive(i);
  if (m.num_points() > INT32_MAX || m.num_segments() > INT32_MAX) throw std::bad_alloc();
  to.points = m.num_points();
  to.triangles = alive;
  to.segments = m.num_segments();
  to.xy = detail::allocated<double>(a, 2 * to.points);
  to.ends = detail::allocated<int32_t>(a, 2 * to.segments);
  to.corners = detail::allocated<int32_t>(a, 3 * alive);
  to.sides = detail::allocated<int32_t>(a, 3 * alive);
  for (int64_t p = 0; p < to.points; ++p) to.xy[2 * p] = m.x(p), to.xy[2 * p + 1] = m.y(p);
  for (int64_t s = 0; s < 2 * to.segments; ++s) to.ends[s] = int32_t(m.segment_end(s / 2, s % 2));
  int64_t at = 0;
  for (int64_t i = 0; i < m.num_triangles(); ++i) {
    if (!m.alive(i)) continue;
    for (int k = 0; k < 3; ++k, ++at) to.corners[at] = int32_t(m.point(i, k)), to.sides[at] = int32_t(m.segment(i, k));
  }
}

}  // namespace irgl
