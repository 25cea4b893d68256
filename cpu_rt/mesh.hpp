// Mesh: the twin of irgl/lib/mesh.irgl: triangles over points in the plane, which may grow in the middle of a loop.
//
// Side k of a triangle joins corners k and k+1 (mod 3); neighbour(t, k) is the triangle across it, or -1. Numbers are
// never used twice: remove leaves a hole, which triangles() does not yield. What a kernel does to triangles that others
// may reach wants Exclusive (mesh, [...]); its locks are shared by triangles of equal number modulo 2^16, so that their
// space does not grow. A neighbour is read and linked as acquire and release: who finds a triangle by a link, sees all
// of it, though he holds nothing. A number that does not exist is a fault, and reads as 0, or -1 for a neighbour
// or segment; each method's last argument is the place that it is told for.
#pragma once
#include "chunks.hpp"
#include "locks.hpp"
#include "mesh_sides.hpp"
#include "predicates.hpp"

namespace irgl {

class Mesh {
 public:
  explicit Mesh(Runtime& c)
      : c_(&c), points_(c), segments_(c), triangles_(c), locks_(c, size_t(1) << 16, Locks::striped) {}
  Locks& locks() { return locks_; }

  int64_t num_points() const { return int64_t(points_.size()); }
  int64_t num_triangles() const { return int64_t(triangles_.size()); }
  int64_t num_segments() const { return int64_t(segments_.size()); }
  Span<Mesh, int64_t> triangles() const { return {*this, triangles_.size()}; }
  bool has(size_t t) const { return load(triangles_[t].alive); }
  int64_t item_at(size_t t) const { return int64_t(t); }
  int64_t operator[](int64_t t) const { return at(t); }
  int64_t at(int64_t t, int64_t place = 0) const { return known(t, 0, place) ? t : 0; }

  double x(int64_t p, int64_t place = 0) const { return point_known(p, place) ? points_[size_t(p)].x : 0; }
  double y(int64_t p, int64_t place = 0) const { return point_known(p, place) ? points_[size_t(p)].y : 0; }
  int64_t segment_of(int64_t p, int64_t place = 0) const {
    return point_known(p, place) ? points_[size_t(p)].segment : -1;
  }
  bool alive(int64_t t, int64_t place = 0) const { return known(t, 0, place) && load(triangles_[size_t(t)].alive); }
  int64_t point(int64_t t, int64_t corner, int64_t place = 0) const {
    return known(t, corner, place) ? triangles_[size_t(t)].point[corner] : 0;
  }
  int64_t neighbour(int64_t t, int64_t side, int64_t place = 0) const {
    return known(t, side, place) ? __atomic_load_n(&triangles_[size_t(t)].across[side], __ATOMIC_ACQUIRE) : -1;
  }
  int64_t segment(int64_t t, int64_t side, int64_t place = 0) const {
    return known(t, side, place) ? triangles_[size_t(t)].segment[side] : -1;
  }
  int64_t segment_end(int64_t s, int64_t end, int64_t place = 0) const {
    return checked(uint64_t(s) < segments_.size() && uint64_t(end) < 2, place) ? segments_[size_t(s)].end[end] : 0;
  }
  int64_t side_to(int64_t t, int64_t other, int64_t place = 0) const {
    if (!known(t, 0, place)) return -1;
    for (int k = 0; k < 3; ++k)
      if (neighbour(t, k) == other) return k;
    return -1;
  }
  int64_t side_at(int64_t t, int64_t a, int64_t b, int64_t place = 0) const {
    if (!known(t, 0, place)) return -1;
    const node_t* p = triangles_[size_t(t)].point;
    for (int k = 0; k < 3; ++k) {
      const node_t from = p[k], to = p[(k + 1) % 3];
      if ((from == a && to == b) || (from == b && to == a)) return k;
    }
    return -1;
  }

  int32_t orient2d(int64_t a, int64_t b, double x, double y, int64_t place = 0) const {
    if (!point_known(a, place) || !point_known(b, place)) return 0;
    const Point &p = points_[size_t(a)], &q = points_[size_t(b)];
    return irgl::orient2d(p.x, p.y, q.x, q.y, x, y);
  }
  int32_t incircle(int64_t t, double x, double y, int64_t place = 0) const {
    if (!known(t, 0, place)) return 0;
    const node_t* corner = triangles_[size_t(t)].point;
    const Point &a = points_[size_t(corner[0])], &b = points_[size_t(corner[1])], &c = points_[size_t(corner[2])];
    return irgl::incircle(a.x, a.y, b.x, b.y, c.x, c.y, x, y);
  }

  int64_t add_point(Thread&, double x, double y, int64_t = 0) { return int64_t(points_.append({x, y, -1})); }
  int64_t add_point_on(Thread&, int64_t s, double x, double y, int64_t place = 0) {
    return segment_known(s, place) ? int64_t(points_.append({x, y, node_t(s)})) : 0;
  }
  int64_t add_segment(Thread&, int64_t a, int64_t b, int64_t place = 0) {
    if (!point_known(a, place) || !point_known(b, place)) return 0;
    return int64_t(segments_.append({{node_t(a), node_t(b)}}));
  }
  int64_t add_triangle(Thread&, int64_t a, int64_t b, int64_t c, int64_t place = 0) {
    if (!point_known(a, place) || !point_known(b, place) || !point_known(c, place)) return 0;
    return int64_t(triangles_.append({{node_t(a), node_t(b), node_t(c)}, {-1, -1, -1}, {-1, -1, -1}, true}));
  }
  void link(Thread&, int64_t t, int64_t side, int64_t other, int64_t place = 0) {
    if (known(t, side, place) && (other == -1 || known(other, 0, place)))
      __atomic_store_n(&triangles_[size_t(t)].across[side], node_t(other), __ATOMIC_RELEASE);
  }
  void lay(Thread&, int64_t t, int64_t side, int64_t s, int64_t place = 0) {
    if (known(t, side, place) && (s == -1 || segment_known(s, place))) triangles_[size_t(t)].segment[side] = node_t(s);
  }
  void remove(Thread&, int64_t t, int64_t place = 0) {
    if (known(t, 0, place)) store(triangles_[size_t(t)].alive, false);
  }

  // All neighbours from shared sides.
  void connect(int64_t = 0) {
    Array<int64_t> head(points_.size()), next(3 * triangles_.size());
    detail::connect<node_t>(triangles_, triangles_.size(), head.data(), points_.size(), next.data());
  }

 private:
  struct Point { double x, y; node_t segment; };
  struct Segment { node_t end[2]; };
  struct Triangle { node_t point[3], across[3], segment[3]; bool alive; };
  bool checked(bool fits, int64_t place) const {
    if (__builtin_expect(!fits, 0)) c_->fault(place | access_fault);
    return fits;
  }
  bool point_known(int64_t p, int64_t place) const { return checked(uint64_t(p) < points_.size(), place); }
  bool segment_known(int64_t s, int64_t place) const { return checked(uint64_t(s) < segments_.size(), place); }
  bool known(int64_t t, int64_t corner, int64_t place) const {
    return checked(uint64_t(t) < triangles_.size() && uint64_t(corner) < 3, place);
  }

  Runtime* c_;
  Chunks<Point> points_;
  Chunks<Segment> segments_;
  Chunks<Triangle> triangles_;
  Locks locks_;
};

}  // namespace irgl
