// Properties of a graph's nodes side by side, as a plan's pack says: of each node one Together, which has them as
// members. The twin of cpu_rt/packed.hpp; the host's copies (coherent.cuh) and the caller's arrays hold one property
// each.
//
//     struct Together { double a; alignas(irgl::unit_of<bool>) bool b; };
//     union { irgl::Packed<&Together::a> a; irgl::Packed<&Together::b> b; };
//                                               members of the graph: one pointer, so that nvcc may take both at once;
//                                               in kernels a[v] is node v's, as of an array
//     c.pack(g.a, n)                            their memory, until the run ends: so g.b has it, too
//     irgl::property(c, g.a, args->graphs[i], k, n)     it is the graph's k-th property
//     irgl::property(c, g.a, host, n)                   the same, of a graph that the program makes
//     irgl::weights(c, g.a, args->graphs[i], k, n)      the same, filled from the caller's
//     c.fill(g.a, n, 0)  c.copy(g.a, n, from)  c.wrote(g.a)  irgl::element(c, g.a, v)      as of an array
// What goes to the host is brought together in an array of the device first, so that as few copies go over as without.
#pragma once
#include "context.cuh"

namespace irgl {

// What a member has to be aligned by: atomics take it at once, and, if it is small, the whole word around it, in which
// nothing else may then lie (atomics.cuh).
template <class T>
constexpr size_t unit_of = !detail::is_unit<T> ? (alignof(T) < 4 ? 4 : alignof(T)) : sizeof(T) < 4 ? 4 : sizeof(T);

namespace detail {
// A node's values lie in as few sectors of 32 bytes as can be, and begin where loads of 8 and 16 bytes may.
constexpr size_t aligned(size_t bytes) { return bytes <= 4 ? 4 : bytes <= 8 ? 8 : bytes <= 16 ? 16 : 32; }
template <class Together>
struct alignas(aligned(sizeof(Together))) OfNode : Together {};

template <class M>
struct MemberOf;
template <class T, class Together>
struct MemberOf<T Together::*> {
  using Value = T;
  using Node = OfNode<Together>;
};
}  // namespace detail

// A member of every node's struct: the first one's place, and how far it is to the next. (Kernels are told so, for nvcc
// loses the type of a pointer to a member that is a kernel's argument.)
template <class T>
struct Strided {
  char* first;
  size_t stride;
  IRGL_DEVICE T& operator[](size_t i) const { return *reinterpret_cast<T*>(first + i * stride); }
};

template <auto member>
struct Packed {
  using Value = typename detail::MemberOf<decltype(member)>::Value;
  using Node = typename detail::MemberOf<decltype(member)>::Node;
  Node* nodes;
  template <class I>
  IRGL_DEVICE Value& operator[](I node) const { return nodes[node].*member; }
  // Its name among the properties: where the first node's lies.
  Value* first() const { return &(nodes->*member); }
  Strided<Value> all() const { return {reinterpret_cast<char*>(first()), sizeof(Node)}; }
};

template <class T>
__global__ void fill_strided_kernel(Strided<T> data, size_t count, T value) {
  for (size_t i = size_t(blockIdx.x) * block_size + threadIdx.x; i < count; i += size_t(gridDim.x) * block_size)
    data[i] = value;
}
template <class To, class From>
__global__ void copy_strided_kernel(To to, size_t count, From from) {
  for (size_t i = size_t(blockIdx.x) * block_size + threadIdx.x; i < count; i += size_t(gridDim.x) * block_size)
    to[i] = from[i];
}

template <auto member>
void Properties::pack(Packed<member>& data, size_t count) {
  using Node = typename Packed<member>::Node;
  data.nodes = static_cast<Node*>(hold((count + 1) * sizeof(Node)));  // one more, so that there is a first
}
template <auto member, class T>
void Properties::field(Packed<member> data, void* host, T* result, size_t count) {
  Property p{};
  p.bytes = count * sizeof(T);
  p.size = sizeof(T), p.stride = sizeof(*data.nodes);
  p.device = reinterpret_cast<char*>(data.first());
  p.host = static_cast<char*>(host);
  p.valid = host != nullptr;
  p.lent = true;
  p.gather = [](Properties& c, const Property& of, void* to) {
    const size_t many = of.bytes / sizeof(T);
    const Strided<T> from{of.device, of.stride};
    if (many != 0) c.launch(copy_strided_kernel<T*, Strided<T>>, many, static_cast<T*>(to), many, from);
  };
  p.result = result;
  properties_->add(p);
}
template <auto member, class T>
void Properties::fill(Packed<member> data, size_t count, T value) {
  using Value = typename Packed<member>::Value;
  if (count != 0) launch(fill_strided_kernel<Value>, count, data.all(), count, Value(value));
  wrote(data);
}
template <auto member, class T>
void Properties::copy(Packed<member> data, size_t count, const T* from) {
  if (count != 0) launch(copy_strided_kernel<Strided<T>, const T*>, count, data.all(), count, from);
  wrote(data);
}
template <auto member>
void Properties::wrote(Packed<member> data) { wrote(static_cast<const void*>(data.first())); }

template <auto member>
auto element(Properties& c, Packed<member> data, int64_t index) {
  return Element<typename Packed<member>::Value>(c, data.first(), index);
}

template <auto member>
void property(Properties& c, Packed<member> data, void* host, size_t count) {
  c.field(data, host, static_cast<typename Packed<member>::Value*>(nullptr), count);
}
template <auto member>
void property(Properties& c, Packed<member> data, const irgl_graph& of, int k, size_t count) {
  if ((of.flags & IRGL_GRAPH_ON_DEVICE) == 0) property(c, data, of.properties[k], count);
  else c.field(data, nullptr, static_cast<typename Packed<member>::Value*>(of.properties[k]), count);
}
template <auto member>
void weights(Properties& c, Packed<member> data, const irgl_graph& of, int k, size_t count) {
  using T = typename Packed<member>::Value;
  const T* const given = static_cast<const T*>(of.properties[k]);
  const bool is_there = (of.flags & IRGL_GRAPH_ON_DEVICE) != 0;
  T* const brought = is_there ? nullptr : c.allocate_array<T>(count);
  if (!is_there) c.copy_in(brought, given, count * sizeof(T));
  c.copy(data, count, is_there ? given : brought);
  c.release(brought);
  property(c, data, is_there ? nullptr : of.properties[k], count);
}

}  // namespace irgl
