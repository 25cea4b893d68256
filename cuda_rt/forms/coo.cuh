// coo: both ends of every edge (irgl/forms/coo.py).
#pragma once
#include "../swept.cuh"

namespace irgl {
namespace forms {

struct coo : FormData {
  static constexpr bool shared = true;
  size_t segments = 1;            // of each part: edges by stretches of their far ends
  const edge_t* first = nullptr;  // of each part: its first node
  const edge_t* begin = nullptr;  // of each of its segments: its first place
  const node_t *near = nullptr, *ends = nullptr;
  coo() = default;
  explicit coo(const irgl_form& f)
      : FormData(f), segments(size_t(f.numbers[1])), first(static_cast<const edge_t*>(f.arrays[0])),
        begin(static_cast<const edge_t*>(f.arrays[1])), near(static_cast<const node_t*>(f.arrays[2])),
        ends(static_cast<const node_t*>(f.arrays[3])) {}

  IRGL_DEVICE node_t node(size_t row) const { return node_t(row); }
  IRGL_DEVICE Interval<edge_t> numbers(size_t part) const {
    return {begin[part * segments], begin[(part + 1) * segments]};
  }
  IRGL_DEVICE Interval<edge_t> numbers(size_t part, size_t segment) const {
    return {begin[part * segments + segment], begin[part * segments + segment + 1]};
  }

  struct Part {
    const coo& form;
    node_t first;
    IRGL_DEVICE Part(const coo& f, size_t part) : form(f), first(node_t(f.first[part])) {}
    IRGL_DEVICE Met at(size_t place) const {
      return {unsigned(form.near[place] - first), form.ends[place], edge_t(place)};
    }
  };
};

}  // namespace forms
}  // namespace irgl
