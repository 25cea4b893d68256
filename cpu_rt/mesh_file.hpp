// MeshFile: a mesh from Triangle's files, for a stand-alone program, and what became of it into such files.
//
//     irgl::MeshFile file(path, poly);          X.ele with X.node beside it; poly: the segments' file, or null
//     irgl_mesh mesh = file.begin();            as it was read, before each run
//     args.mesh = &mesh, args.allocate = irgl::MeshFile::allocate;
//     file.save(mesh, out);                     Y.ele, Y.node and the parts of segments, Y.poly
// The sides of only one triangle are segments in any case. A bad file: one line on stderr, exit 2.
#pragma once
#include <utility>

#include "abi.hpp"
#include "number_file.hpp"

namespace irgl {

class MeshFile {
 public:
  MeshFile(const char* path, const char* poly) : points_(path, ".node"), triangles_(path, ".ele") {
    NumberFile node(points_.text), ele(triangles_.text);
    mesh_.points = node.whole(0, INT32_MAX);
    node.whole(2, 2);
    const int64_t attributes = node.whole(0, 1000), marks = node.whole(0, 1);
    xy_ = Array<double>(size_t(2 * mesh_.points));
    for (int64_t p = 0; p < mesh_.points; ++p) {
      first_ = node.number(p, first_);
      for (int k = 0; k < 2; ++k) xy_[size_t(2 * p + k)] = node.real();
      node.skip(attributes + marks);
    }
    node.end();
    mesh_.triangles = ele.whole(0, INT32_MAX / 3);
    const int64_t corners = ele.whole(3, 6), more = ele.whole(0, 1000);
    if (corners % 3 != 0) ele.fail("has triangles of neither 3 nor 6 corners");
    corners_ = Array<int32_t>(size_t(3 * mesh_.triangles));
    int64_t first = first_;
    for (int64_t t = 0; t < mesh_.triangles; ++t) {
      first = ele.number(t, first);
      int32_t* corner = &corners_[size_t(3 * t)];
      for (int k = 0; k < 3; ++k) corner[k] = int32_t(ele.whole(first, mesh_.points - 1 + first) - first);
      ele.skip(corners - 3 + more);
      turn(corner, ele);
    }
    ele.end();
    join(ele);
    divide(poly, ele);
    mesh_.xy = xy_.data(), mesh_.ends = ends_.data();
    mesh_.corners = corners_.data(), mesh_.across = across_.data(), mesh_.sides = sides_.data();
  }
  static const char* named(const char* out) {  // out, which must be Y.ele or null
    if (out != nullptr) Name(out, ".node");
    return out;
  }
  irgl_mesh begin() const { return mesh_; }
  static void* allocate(int64_t bytes) { return malloc(size_t(bytes) + 1); }

  void save(const irgl_mesh& m, const char* out) const {
    const Name points(out, ".node"), parts(out, ".poly");
    FILE* file = open(points.text);
    fprintf(file, "%lld 2 0 0\n", wide(m.points));
    for (int64_t p = 0; p < m.points; ++p)
      fprintf(file, "%lld %.17g %.17g\n", wide(p + first_), m.xy[2 * p], m.xy[2 * p + 1]);
    close(file, points.text);
    file = open(out);
    fprintf(file, "%lld 3 0\n", wide(m.triangles));
    for (int64_t t = 0; t < m.triangles; ++t) {
      fprintf(file, "%lld", wide(t + first_));
      for (int k = 0; k < 3; ++k) fprintf(file, " %lld", wide(m.corners[3 * t + k] + first_));
      fprintf(file, "\n");
    }
    close(file, out);
    const Array<Side> sides = sorted(m.corners, m.triangles);
    const auto is_part = [&](size_t k) {  // once, though two triangles have it
      return m.sides[sides[k].at] >= 0 && (k == 0 || order(&sides[k - 1], &sides[k]) != 0);
    };
    int64_t count = 0, part = first_;
    for (size_t k = 0; k < sides.size(); ++k) count += is_part(k);
    file = open(parts.text);
    fprintf(file, "0 2 0 0\n%lld 0\n", wide(count));
    for (size_t k = 0; k < sides.size(); ++k)
      if (is_part(k))
        fprintf(file, "%lld %lld %lld\n", wide(part++), wide(sides[k].low + first_), wide(sides[k].high + first_));
    fprintf(file, "0\n");
    close(file, parts.text);
  }

 private:
  struct Name {  // X.ele with another suffix
    char* text;
    Name(const char* path, const char* suffix) : text(static_cast<char*>(malloc(strlen(path) + 8))) {
      const size_t stem = strlen(path) < 4 ? 0 : strlen(path) - 4;
      if (strcmp(path + stem, ".ele") != 0) fail(path, "is no .ele file");
      memcpy(text, path, stem);
      strcpy(text + stem, suffix);
    }
    Name(const Name&) = delete;
    Name& operator=(const Name&) = delete;
    ~Name() { free(text); }
  };
  struct Side {
    int32_t low, high, at;
  };
  static int order(const void* a, const void* b) {
    const Side &x = *static_cast<const Side*>(a), &y = *static_cast<const Side*>(b);
    return x.low != y.low ? (x.low < y.low ? -1 : 1) : (x.high > y.high) - (x.high < y.high);
  }
  static Array<Side> sorted(const int32_t* corners, int64_t triangles) {
    Array<Side> sides(size_t(3 * triangles));
    for (size_t s = 0; s < sides.size(); ++s) {
      const int32_t a = corners[s], b = corners[s / 3 * 3 + (s + 1) % 3];
      sides[s] = {a < b ? a : b, a < b ? b : a, int32_t(s)};
    }
    qsort(sides.data(), sides.size(), sizeof(Side), order);
    return sides;
  }
  static long long wide(int64_t x) { return x; }
  static FILE* open(const char* path) {
    FILE* file = fopen(path, "w");
    if (file == nullptr) fail(path, "cannot be written");
    return file;
  }
  static void close(FILE* file, const char* path) {
    if (ferror(file) | fclose(file)) fail(path, "cannot be written");
  }
  [[noreturn]] static void fail(const char* path, const char* what) {
    fprintf(stderr, "error: %s %s\n", path, what);
    exit(2);
  }

  void turn(int32_t* corner, const NumberFile& ele) const {  // counterclockwise
    const double *a = &xy_[2 * size_t(corner[0])], *b = &xy_[2 * size_t(corner[1])], *c = &xy_[2 * size_t(corner[2])];
    double size = 0;
    for (int k = 0; k < 2; ++k)
      for (double d : {b[k] - a[k], c[k] - a[k]})
        if (!(__builtin_fabs(d) <= size)) size = __builtin_fabs(d);
    if (size != 0 && !(size >= 1e-60 && size <= 1e75))
      ele.fail("has a triangle too large or too small for exact arithmetic");
    const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
    if (!(__builtin_fabs(left - right) > 1e-15 * (__builtin_fabs(left) + __builtin_fabs(right))))
      ele.fail("has a triangle whose corners are on one line");
    if (left < right) std::swap(corner[1], corner[2]);
  }
  void join(const NumberFile& ele) {  // triangles that share a side
    across_ = Array<int32_t>(corners_.size()), sides_ = Array<int32_t>(corners_.size());
    for (size_t s = 0; s < corners_.size(); ++s) across_[s] = sides_[s] = -1;
    all_ = sorted(corners_.data(), mesh_.triangles);
    for (size_t k = 1; k < all_.size(); ++k) {
      const int32_t s = all_[k - 1].at, u = all_[k].at;
      if (order(&all_[k - 1], &all_[k]) != 0) continue;
      if (across_[size_t(s)] >= 0 || corners_[size_t(s)] == corners_[size_t(u)]) ele.fail("has triangles that overlap");
      across_[size_t(s)] = u / 3, across_[size_t(u)] = s / 3;
    }
  }
  void divide(const char* poly, const NumberFile& ele) {  // segments: those given, then the boundary's others
    Array<int32_t> ends(2 * all_.size() + 2);
    if (poly != nullptr) {
      NumberFile file(poly);
      const int64_t points = file.whole(0, INT32_MAX), dimension = file.whole(0, 2), attributes = file.whole(0, 1000);
      file.skip(points * (1 + dimension + attributes + file.whole(0, 1)));
      const int64_t count = file.whole(0, INT32_MAX), marks = file.whole(0, 1);
      for (int64_t line = 0, first = first_; line < count; ++line) {
        first = file.number(line, first);
        int32_t end[2];
        for (int k = 0; k < 2; ++k) end[k] = int32_t(file.whole(first_, mesh_.points - 1 + first_) - first_);
        file.skip(marks);
        if (!lay(end, ends)) file.fail("has a segment that is no side of the mesh");
      }
    }
    for (size_t s = 0; s < corners_.size(); ++s) {
      const int32_t end[2] = {corners_[s], corners_[s / 3 * 3 + (s + 1) % 3]};
      if (across_[s] < 0 && sides_[s] < 0 && !lay(end, ends)) ele.fail("can't be joined");
    }
    ends_ = std::move(ends);
  }
  bool lay(const int32_t* end, Array<int32_t>& ends) {  // a new segment along a side, unless there is one
    const Side wanted{end[0] < end[1] ? end[0] : end[1], end[0] < end[1] ? end[1] : end[0], 0};
    size_t low = 0, high = all_.size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (order(&all_[middle], &wanted) < 0) low = middle + 1;
      else high = middle;
    }
    if (low == all_.size() || order(&all_[low], &wanted) != 0) return false;
    if (sides_[size_t(all_[low].at)] >= 0) return true;
    for (size_t k = low; k < all_.size() && order(&all_[k], &wanted) == 0; ++k)
      sides_[size_t(all_[k].at)] = int32_t(mesh_.segments);
    for (int k = 0; k < 2; ++k) ends[size_t(2 * mesh_.segments + k)] = end[k];
    ++mesh_.segments;
    return true;
  }

  Name points_, triangles_;
  irgl_mesh mesh_{};
  int64_t first_ = 1;
  Array<double> xy_;
  Array<int32_t> corners_, across_, sides_, ends_;
  Array<Side> all_;
};

}  // namespace irgl
