// Mesh: the twin of irgl/lib/mesh.irgl and cpu_rt/mesh.hpp: triangles over points in the plane, which may grow in the
// middle of a kernel. The host's Mesh and the kernels' MeshView share the methods; the host's take the context for the
// thread. A number that does not exist is a fault, and reads as 0, or -1 for a neighbour.
#pragma once
#include "array.cuh"
#include "exclusive.cuh"

namespace irgl {
namespace detail {

struct Point {
  double x, y;
};
struct Triangle {
  node_t point[3], across[3];
  int alive;
};
struct Triangles : Unweighted {  // positions 0 <= p < count; those of removed triangles are holes
  using item = int64_t;
  static constexpr bool holed = true;
  const Triangle* data;
  size_t count;
  IRGL_BOTH Triangles(const Triangle* d, size_t n) : data(d), count(n) {}
  IRGL_BOTH size_t size() const { return count; }
  IRGL_BOTH bool has(size_t p) const { return data[p].alive != 0; }
  IRGL_BOTH int64_t at(size_t p) const { return int64_t(p); }
  struct Iterator {
    const Triangles* of;
    size_t place;
    IRGL_BOTH int64_t operator*() const { return int64_t(place); }
    IRGL_BOTH Iterator& operator++() { return ++place, skip(); }
    IRGL_BOTH bool operator!=(const Iterator& other) const { return place != other.place; }
    IRGL_BOTH Iterator& skip() {
      while (place < of->count && !of->has(place)) ++place;
      return *this;
    }
  };
  IRGL_BOTH Iterator begin() const { return Iterator{this, 0}.skip(); }
  IRGL_BOTH Iterator end() const { return {this, count}; }
};

// The methods, over anything that has points() and triangles_of(), arrays of the host or views of the device.
// IRGL_HERE is where they run, Who what stands in the thread's place.
#define IRGL_MESH_METHODS(IRGL_HERE, Who)                                                                              \
  IRGL_HERE int64_t num_points() { return points_.size(); }                                                            \
  IRGL_HERE int64_t num_triangles() { return triangles_.size(); }                                                      \
  IRGL_HERE int64_t operator[](int64_t t) { return at(t); }                                                            \
  IRGL_HERE int64_t at(int64_t t, int64_t place = 0) { return known(t, 0, place) ? t : 0; }                            \
  IRGL_HERE double x(int64_t p, int64_t place = 0) { return known_point(p, place) ? points_[p].x : 0; }                \
  IRGL_HERE double y(int64_t p, int64_t place = 0) { return known_point(p, place) ? points_[p].y : 0; }                \
  IRGL_HERE bool alive(int64_t t, int64_t place = 0) { return known(t, 0, place) && triangles_[t].alive != 0; }        \
  IRGL_HERE int64_t point(int64_t t, int64_t corner, int64_t place = 0) {                                              \
    return known(t, corner, place) ? triangles_[t].point[corner] : 0;                                                  \
  }                                                                                                                    \
  IRGL_HERE int64_t neighbour(int64_t t, int64_t side, int64_t place = 0) {                                            \
    return known(t, side, place) ? triangles_[t].across[side] : -1;                                                    \
  }                                                                                                                    \
  IRGL_HERE int64_t side_to(int64_t t, int64_t other, int64_t place = 0) {                                             \
    for (int k = 0; known(t, 0, place) && k < 3; ++k)                                                                  \
      if (triangles_[t].across[k] == other) return k;                                                                  \
    return -1;                                                                                                         \
  }                                                                                                                    \
  IRGL_HERE int64_t side_at(int64_t t, int64_t a, int64_t b, int64_t place = 0) {                                      \
    for (int k = 0; known(t, 0, place) && k < 3; ++k) {                                                                \
      const node_t from = triangles_[t].point[k], to = triangles_[t].point[(k + 1) % 3];                               \
      if ((from == a && to == b) || (from == b && to == a)) return k;                                                  \
    }                                                                                                                  \
    return -1;                                                                                                         \
  }                                                                                                                    \
  IRGL_HERE int64_t add_point(Who& t, double x, double y, int64_t = 0) { return points_.append(t, {x, y}); }           \
  IRGL_HERE int64_t add_triangle(Who& t, int64_t a, int64_t b, int64_t c, int64_t place = 0) {                         \
    if (!known_point(a, place) || !known_point(b, place) || !known_point(c, place)) return 0;                          \
    return triangles_.append(t, {{node_t(a), node_t(b), node_t(c)}, {-1, -1, -1}, 1});                                 \
  }                                                                                                                    \
  IRGL_HERE void link(Who&, int64_t t, int64_t side, int64_t other, int64_t place = 0) {                               \
    if (known(t, side, place) && (other == -1 || known(other, 0, place))) triangles_[t].across[side] = node_t(other);  \
  }                                                                                                                    \
  IRGL_HERE void remove(Who&, int64_t t, int64_t place = 0) {                                                          \
    if (known(t, 0, place)) triangles_[t].alive = 0;                                                                   \
  }                                                                                                                    \
                                                                                                                       \
 private:                                                                                                              \
  IRGL_HERE bool checked(bool fits, int64_t place) {                                                                   \
    if (!fits) fault(place | access_fault);                                                                            \
    return fits;                                                                                                       \
  }                                                                                                                    \
  IRGL_HERE bool known_point(int64_t p, int64_t place) {                                                               \
    return checked(uint64_t(p) < uint64_t(num_points()), place);                                                       \
  }                                                                                                                    \
  IRGL_HERE bool known(int64_t t, int64_t corner, int64_t place) {                                                     \
    return checked(uint64_t(t) < uint64_t(num_triangles()) && uint64_t(corner) < 3, place);                            \
  }
}  // namespace detail

class MeshView {
 public:
  using item = int64_t;
  IRGL_BOTH MeshView(const ArrayView<detail::Point>& p, const ArrayView<detail::Triangle>& t, const Marks& m)
      : points_(p), triangles_(t), marks_(m) {}
  IRGL_DEVICE const Marks& marks() const { return marks_; }
  IRGL_BOTH detail::Triangles triangles() const { return {triangles_.data, size_t(triangles_.seen)}; }
  IRGL_DEVICE void refresh(Thread& t) { triangles_.refresh(t); }
  IRGL_MESH_METHODS(IRGL_DEVICE, Thread)
  IRGL_DEVICE void fault(int64_t place) const { points_.c.fault(place); }

  ArrayView<detail::Point> points_;
  ArrayView<detail::Triangle> triangles_;
  Marks marks_;
};

class Mesh {
 public:
  using item = int64_t;
  using View = MeshView;
  explicit Mesh(Properties& c) : c_(&c), points_(c), triangles_(c), marks_(c.marks(size_t(1) << 16, true)) {}
  View view() { return {points_.view(), triangles_.view(), marks_}; }
  void adopt(HostBase&, const View&) {}
  detail::Triangles triangles() {
    c_->settle();
    return {triangles_.items().data, size_t(num_triangles())};
  }
  inline void connect(int64_t = 0);  // all neighbours from shared sides
  IRGL_MESH_METHODS(inline, HostBase)
  void fault(int64_t place) { c_->fault(place); }

  Properties* c_;
  array<detail::Point> points_;
  array<detail::Triangle> triangles_;
  Marks marks_;
};
#undef IRGL_MESH_METHODS

// Sides are chained by their lower point, the latest first.
inline void Mesh::connect(int64_t) {
  const size_t count = size_t(num_triangles()), corners = size_t(num_points());
  int64_t* head = static_cast<int64_t*>(malloc((corners + 3 * count + 1) * sizeof(int64_t)));
  if (head == nullptr || count == 0) return free(head);
  int64_t* next = head + corners;
  for (size_t p = 0; p < corners; ++p) head[p] = -1;
  detail::Triangle* all = &triangles_[0];
  for (size_t s = 0; s < 3 * count; ++s) {
    detail::Triangle& t = all[s / 3];
    if (t.alive == 0) continue;
    t.across[s % 3] = -1;
    const node_t a = t.point[s % 3], b = t.point[(s + 1) % 3];
    int64_t& chain = head[size_t(a < b ? a : b)];
    for (int64_t seen = chain; seen >= 0; seen = next[size_t(seen)]) {
      detail::Triangle& u = all[size_t(seen) / 3];
      const node_t from = u.point[seen % 3], to = u.point[(seen + 1) % 3];
      if ((from == a && to == b) || (from == b && to == a)) {
        u.across[seen % 3] = node_t(s / 3);
        t.across[s % 3] = node_t(size_t(seen) / 3);
        break;
      }
    }
    next[s] = chain;
    chain = int64_t(s);
  }
  free(head);
}

}  // namespace irgl
