// GraphFile: the binary form of a graph, mapped into memory and checked; the arrays are used in place.
//
//     irgl::GraphFile file(c, path);          a bad file: one line on stderr, exit 2
//     file.csr                                the view; an undirected file is its own transpose
//     file.need_transpose(c)                  makes in_row, in_cols and in_eid when the file has none
//     file.need_in_edge(c, weighted)          makes in_eid of an undirected graph (mirror.hpp)
//     int32_t* w = file.weights<int32_t>(c)   the file's weights in the program's type, which must hold them (a float
//                                             may round a double); 1 where it has none
//     file.to_file_id(v)  file.to_node(id)    ids as the graph's source names them (-1: no such node)
// Layout, little-endian: "IRGLCSR1", u32 version 1, u32 flags, u64 nodes, u64 edges, u32 node_bits, u32 edge_bits,
// u32 weight_type (0 none, 1 i32, 2 i64, 3 f32, 4 f64), u32 reserved, i64 id_base, then 8 pairs (u64 offset, u64 bytes)
// for row, dst, weight, node_ids (i64), in_row, in_src, in_edge, notes; an absent section has 0 bytes.
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arith.hpp"
#include "mirror.hpp"

namespace irgl {

class GraphFile {
 public:
  enum Flag : uint32_t { undirected = 1, sorted = 2, weighted = 4, has_ids = 8, has_transpose = 16, simple = 32 };
  struct Section { uint64_t offset, bytes; };
  struct Header {
    char magic[8];
    uint32_t version, flags;
    uint64_t nodes, edges;
    uint32_t node_bits, edge_bits, weight_type, reserved;
    int64_t id_base;
    Section row, dst, weight, node_ids, in_row, in_src, in_edge, notes;
  };
  static_assert(sizeof(Header) == 184);

  Csr csr;

  GraphFile(Runtime& c, const char* path) : path_(path) {
    const int fd = open(path, O_RDONLY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) fail("cannot be opened");
    bytes_ = size_t(info.st_size);
    if (bytes_ < sizeof(Header)) fail("is too short for irgl's binary form: irglc graph convert makes it");
    base_ = static_cast<char*>(mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0));
    close(fd);
    if (base_ == MAP_FAILED) fail("cannot be mapped");
    memcpy(&header_, base_, sizeof(Header));
    if (memcmp(header_.magic, "IRGLCSR1", 8) != 0) fail("is not in irgl's binary form: irglc graph convert makes it");
    if (header_.version != 1) fail("has an unknown version");
    if (header_.node_bits != IRGL_NODE_BITS || header_.edge_bits != IRGL_EDGE_BITS)
      fail("has ids of another width than this program was compiled for");
    if (header_.nodes > uint64_t(highest<node_t>()) - 1 || header_.edges > uint64_t(highest<edge_t>()) - 1)
      fail("has too many nodes or edges");
    const size_t n = header_.nodes, m = header_.edges;
    csr.n = node_t(n), csr.m = edge_t(m);
    csr.row = array<edge_t>(header_.row, n + 1);
    csr.cols = array<node_t>(header_.dst, m);
    check(c, csr.row, csr.cols);
    csr.directed = (header_.flags & undirected) == 0;
    if (header_.flags & undirected) {
      csr.in_row = csr.row;
      csr.in_cols = csr.cols;
    } else if ((header_.flags & has_transpose) != 0 && header_.in_edge.bytes != 0) {
      csr.in_row = array<edge_t>(header_.in_row, n + 1);
      csr.in_cols = array<node_t>(header_.in_src, m);
      csr.in_eid = array<edge_t>(header_.in_edge, m);
      check(c, csr.in_row, csr.in_cols);
      check_ids(c, csr.in_eid, m, m);
    }
    if (header_.node_ids.bytes != 0) ids_ = array<int64_t>(header_.node_ids, n);
  }
  GraphFile(const GraphFile&) = delete;
  GraphFile& operator=(const GraphFile&) = delete;
  ~GraphFile() { munmap(base_, bytes_); }

  const Header& header() const { return header_; }
  void need_transpose(Runtime& c) {
    if (csr.in_row == nullptr) transposed_ = add_transpose(c, csr);
  }
  void need_in_edge(Runtime& c, bool weighted) {
    if (csr.directed || csr.in_eid != nullptr) return;
    switch (weighted ? header_.weight_type : 0) {
      case 1: return mirror(c, array<int32_t>(header_.weight, size_t(csr.m)));
      case 2: return mirror(c, array<int64_t>(header_.weight, size_t(csr.m)));
      case 3: return mirror(c, array<float>(header_.weight, size_t(csr.m)));
      case 4: return mirror(c, array<double>(header_.weight, size_t(csr.m)));
      default: return mirror<int32_t>(c, nullptr);
    }
  }
  template <class T>
  Array<T> weights(Runtime& c) const {
    bool same = true;
    Array<T> out = weights<T>(c, same);
    if (!same) fail("has a weight that the program's type can't hold: irglc graph convert --weights gives others");
    return out;
  }
  double average_weight(Runtime& c) const {
    if (csr.m == 0) return 0;
    bool any;
    const Array<double> w = weights<double>(c, any);
    double sum = 0;
    for_each(c, range<edge_t>(0, csr.m), irgl::sum(sum), [&w](Thread&, auto&, edge_t e, double& s) { s += w[size_t(e)]; });
    return sum / double(csr.m);
  }
  int64_t max_weight(Runtime& c) const {
    bool any;
    const Array<int64_t> w = weights<int64_t>(c, any);
    int64_t most = 0;
    for_each(c, range<edge_t>(0, csr.m), max_of(most), [&w](Thread&, auto&, edge_t e, int64_t& s) { plain_max(s, w[size_t(e)]); });
    return most;
  }
  int64_t to_file_id(int64_t v) const { return v < 0 ? -1 : ids_ != nullptr ? ids_[v] : v + header_.id_base; }
  int64_t to_node(int64_t id) const {
    if (ids_ == nullptr) return id >= header_.id_base && id - header_.id_base < csr.n ? id - header_.id_base : -1;
    int64_t at = 0;  // how many are less: ids ascend
    for (int64_t step = csr.n; step > 0; step /= 2)
      while (at + step <= csr.n && ids_[at + step - 1] < id) at += step;
    return at < csr.n && ids_[at] == id ? at : -1;
  }
  [[noreturn]] void fail(const char* what) const {
    fprintf(stderr, "%s: error: the file %s\n", path_, what);
    exit(2);
  }

 private:
  template <class T>
  const T* array(Section s, size_t count) const {
    const bool inside = s.offset <= bytes_ && s.bytes <= bytes_ - s.offset && count <= bytes_ / sizeof(T);
    if (!inside || s.bytes != count * sizeof(T) || s.offset % alignof(T) != 0) fail("has a section of the wrong size");
    return reinterpret_cast<const T*>(base_ + s.offset);
  }
  template <class I>
  void check_ids(Runtime& c, const I* ids, size_t count, size_t bound) const {
    bool ok = true;
    for_each(c, range<size_t>(0, count), all(ok), [=](Thread&, auto&, size_t i, bool& good) {
      good &= ids[i] >= 0 && size_t(ids[i]) < bound;
    });
    if (!ok) fail("names a node or an edge that does not exist");
  }
  void check(Runtime& c, const edge_t* row, const node_t* cols) const {
    bool ok = row[0] == 0 && row[csr.n] == csr.m;
    for_each(c, nodes(csr), all(ok), [=](Thread&, auto&, node_t v, bool& good) { good &= row[v] <= row[v + 1]; });
    if (!ok) fail("has row offsets that do not ascend from 0 to the number of edges");
    check_ids(c, cols, size_t(csr.m), size_t(csr.n));
  }
  template <class T>
  void mirror(Runtime& c, const T* weight) {
    transposed_ = transpose(c, csr);
    mirrored_ = Array<edge_t>(size_t(csr.m));
    if (!irgl::mirror(c, csr, transposed_, weight, mirrored_.data())) fail("is not as undirected as it says");
    csr.in_eid = mirrored_.data();
  }
  template <class T>
  Array<T> weights(Runtime& c, bool& same) const {
    const size_t m = header_.edges;
    Array<T> out(m);
    switch (header_.weight_type) {
      case 1: same = convert(c, out, array<int32_t>(header_.weight, m)); break;
      case 2: same = convert(c, out, array<int64_t>(header_.weight, m)); break;
      case 3: same = convert(c, out, array<float>(header_.weight, m)); break;
      case 4: same = convert(c, out, array<double>(header_.weight, m)); break;
      default: fill(c, out.data(), m, T(1));
    }
    return out;
  }
  template <class I, class F>
  static bool fits(F x) { return x >= F(lowest<I>()) && x < -F(lowest<I>()); }  // a float into an integer of a sign
  template <class T, class From>
  static bool convert(Runtime& c, const Array<T>& out, const From* in) {  // whether no value changed
    T* to = out.data();
    bool same = true;
    for_each(c, range<size_t>(0, out.size()), all(same), [=](Thread&, auto&, size_t i, bool& kept) {
      const From x = in[i];
      if constexpr (std::is_integral_v<T> && std::is_floating_point_v<From>) {
        to[i] = to_int<T>(x);
        kept &= fits<T>(x) && From(to[i]) == x;
      } else {
        to[i] = T(x);
        if constexpr (std::is_integral_v<T>) kept &= From(to[i]) == x;
        else if constexpr (std::is_integral_v<From>) kept &= fits<From>(to[i]) && From(to[i]) == x;
        else kept &= to[i] - to[i] == 0;
      }
    });
    return same;
  }

  const char* path_;
  char* base_ = nullptr;
  size_t bytes_ = 0;
  Header header_;
  const int64_t* ids_ = nullptr;
  OwnedGraph transposed_;
  Array<edge_t> mirrored_;
};

}  // namespace irgl
