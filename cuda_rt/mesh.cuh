// Mesh: the twin of irgl/lib/mesh.irgl and cpu_rt/mesh.hpp: triangles over points in the plane, which may grow in the
// middle of a kernel: they lie in memory that never moves (array.cuh). The host's Mesh and the kernels' MeshView share
// their methods (mesh_methods.cuh); the host's take the context for the thread. A number that does not exist is a
// fault, and reads as 0, or -1 for a neighbour or segment.
//
// A kernel reads plainly what was there when it began; what has come since, links and life are read and stored by load
// and store. A link to a new triangle is stored behind a fence and followed by one: who finds it, sees all of it.
// Exclusive has a mark for each triangle, modulo a power of two that is no less than their number at the launch.
#pragma once
#include "array.cuh"
#include "exclusive.cuh"

#include "../cpu_rt/predicates.hpp"

namespace irgl {
namespace detail {

struct Point {
  double x, y;
  node_t segment;
};
struct Segment {
  node_t end[2];
};
struct Triangle {
  node_t point[3], across[3], segment[3];
  int alive;
};
struct Triangles : Unweighted {  // positions 0 <= p < count; those of removed triangles are holes
  using item = int64_t;
  static constexpr bool holed = true;
  const Triangle* data;
  size_t count;
  IRGL_BOTH Triangles(const Triangle* d, size_t n) : data(d), count(n) {}
  IRGL_BOTH size_t size() const { return count; }
  IRGL_BOTH bool has(size_t p) const { return *static_cast<const volatile int*>(&data[p].alive) != 0; }
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
}  // namespace detail

class MeshView {
 public:
  using item = int64_t;
  IRGL_BOTH MeshView(const ArrayView<detail::Point>& p, const ArrayView<detail::Segment>& s,
                     const ArrayView<detail::Triangle>& t, const Marks& m)
      : points_(p), segments_(s), triangles_(t), marks_(m) {}
  IRGL_DEVICE const Marks& marks() const { return marks_; }
  IRGL_BOTH detail::Triangles triangles() const { return {triangles_.data, size_t(triangles_.seen)}; }
  IRGL_DEVICE void refresh(Thread& t) { triangles_.refresh(t); }

#define IRGL_HERE IRGL_DEVICE
#define IRGL_WHO Thread
#include "mesh_methods.cuh"
#undef IRGL_HERE
#undef IRGL_WHO

  IRGL_DEVICE void fault(int64_t place) const { points_.c.fault(place); }
  IRGL_DEVICE detail::Point& point_at(int64_t p) { return points_.data[p]; }
  IRGL_DEVICE detail::Segment& segment_at(int64_t s) { return segments_.data[s]; }
  IRGL_DEVICE detail::Triangle& triangle_at(int64_t t) { return triangles_.data[t]; }
  template <class A>
  IRGL_DEVICE static bool within(const A& a, int64_t i) {
    return uint64_t(i) < a.seen || uint64_t(i) < uint64_t(a.size());
  }
  template <class A, class T>
  IRGL_DEVICE static T what(const A& a, int64_t i, const T& location) {
    return uint64_t(i) < a.seen ? location : load(location);
  }
  template <class T>
  IRGL_DEVICE static T look(const T& location) { return load(location); }
  template <class T>
  IRGL_DEVICE static void put(T& location, same_t<T> value) { store(location, value); }
  IRGL_DEVICE bool is_new(node_t t) const { return t >= 0 && counter_t(t) >= triangles_.seen; }
  IRGL_DEVICE node_t follow(const node_t& link) const {
    const node_t t = load(link);
    if (is_new(t)) __threadfence();
    return t;
  }
  IRGL_DEVICE void show(node_t& link, node_t t) const {
    if (is_new(t)) __threadfence();
    store(link, t);
  }
  IRGL_DEVICE int64_t push(Thread& t, const detail::Point& x) {
    const int64_t at = points_.append_one(t, 1);
    detail::Point& to = points_.slot(at);
    store(to.x, x.x), store(to.y, x.y), store(to.segment, x.segment);
    return at;
  }
  IRGL_DEVICE int64_t push(Thread& t, const detail::Segment& x) {
    const int64_t at = segments_.append_one(t, 1);
    for (int k = 0; k < 2; ++k) store(segments_.slot(at).end[k], x.end[k]);
    return at;
  }
  IRGL_DEVICE int64_t push(Thread& t, const detail::Triangle& x) {
    const int64_t at = triangles_.append_one(t, 1);
    detail::Triangle& to = triangles_.slot(at);
    for (int k = 0; k < 3; ++k)
      store(to.point[k], x.point[k]), store(to.across[k], x.across[k]), store(to.segment[k], x.segment[k]);
    store(to.alive, x.alive);
    return at;
  }

  ArrayView<detail::Point> points_;
  ArrayView<detail::Segment> segments_;
  ArrayView<detail::Triangle> triangles_;
  Marks marks_;
};

class Mesh {
 public:
  using item = int64_t;
  using View = MeshView;
  explicit Mesh(Properties& c)
      : c_(&c), points_(c), segments_(c), triangles_(c), marked_(size_t(1) << 16), marks_(c.marks(marked_, true)) {}
  View view() {
    const size_t count = size_t(num_triangles());
    if (count > marked_) {
      while (marked_ < count) marked_ *= 2;
      marks_ = c_->marks(marked_, true);
    }
    return {points_.view(), segments_.view(), triangles_.view(), marks_};
  }
  void adopt(HostBase&, const View&) {}
  detail::Triangles triangles() { return {all(triangles_), size_t(num_triangles())}; }
  inline void connect(int64_t = 0);              // all neighbours from shared sides (mesh_io.cuh)
  inline void load_from(const irgl_mesh& from);  // in the place of what is there
  inline void keep_in(irgl_mesh& to, const irgl_run_args& a);  // triangles that are alive, in the order of numbers

#define IRGL_HERE inline
#define IRGL_WHO HostBase
#include "mesh_methods.cuh"
#undef IRGL_HERE
#undef IRGL_WHO

  void fault(int64_t place) { c_->fault(place); }
  template <class T>
  T* all(array<T>& a) {
    c_->settle();
    return const_cast<T*>(a.items().data);
  }
  detail::Point& point_at(int64_t p) { return points_[p]; }
  detail::Segment& segment_at(int64_t s) { return segments_[s]; }
  detail::Triangle& triangle_at(int64_t t) { return triangles_[t]; }
  template <class A>
  static bool within(A& a, int64_t i) { return uint64_t(i) < uint64_t(a.size()); }
  template <class A, class T>
  static T what(const A&, int64_t, const T& location) { return location; }
  template <class T>
  static T look(const T& location) { return location; }
  template <class T>
  static void put(T& location, same_t<T> value) { location = value; }
  static node_t follow(node_t link) { return link; }
  static void show(node_t& link, node_t t) { link = t; }
  int64_t push(HostBase& c, const detail::Point& x) { return points_.append(c, x); }
  int64_t push(HostBase& c, const detail::Segment& x) { return segments_.append(c, x); }
  int64_t push(HostBase& c, const detail::Triangle& x) { return triangles_.append(c, x); }

  Properties* c_;
  array<detail::Point> points_;
  array<detail::Segment> segments_;
  array<detail::Triangle> triangles_;
  size_t marked_;
  Marks marks_;
};

}  // namespace irgl

#include "mesh_io.cuh"
