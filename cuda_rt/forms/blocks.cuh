// blocks: parts of nodes times tiles of far ends, a word an edge (irgl/forms/blocks.py); no runs, which are found one
// after the other.
#pragma once
#include "../swept.cuh"

namespace irgl {
namespace forms {

struct blocks : FormData {
  static constexpr bool shared = true;
  int tile = 16;
  const edge_t* block = nullptr;  // the first of each part
  const node_t* tile_of = nullptr;
  const edge_t* begin = nullptr;
  const uint32_t* words = nullptr;
  blocks() = default;
  explicit blocks(const irgl_form& f)
      : FormData(f), tile(int(f.numbers[1])), block(static_cast<const edge_t*>(f.arrays[1])),
        tile_of(static_cast<const node_t*>(f.arrays[2])), begin(static_cast<const edge_t*>(f.arrays[3])),
        words(static_cast<const uint32_t*>(f.arrays[4])) {}

  IRGL_DEVICE node_t node(size_t row) const { return node_t(row); }
  IRGL_DEVICE Interval<edge_t> numbers(size_t part) const { return {begin[block[part]], begin[block[part + 1]]}; }

  struct Part {  // remembers the block that it is in
    const blocks& form;
    edge_t next;
    size_t end = 0;
    node_t base = 0;
    IRGL_DEVICE Part(const blocks& f, size_t part) : form(f), next(f.block[part]) {}
    IRGL_DEVICE Met at(size_t place) {
      if (place >= end) {
        do end = size_t(form.begin[++next]);
        while (place >= end);
        base = node_t(form.tile_of[next - 1] << form.tile);
      }
      const uint32_t word = form.words[place];
      const node_t far = base + node_t(word & ((uint32_t(1) << form.tile) - 1));
      return {unsigned(word >> form.tile), far, edge_t(place)};
    }
  };
};

}  // namespace forms
}  // namespace irgl
