// Files, or texts in memory, with one edge in a line, stretch by stretch, for irgl/rt/graphs/native/table.py.
#pragma once
#include <unistd.h>

#include "ids.hpp"
#include "lines.hpp"
#include "parts.hpp"

namespace irgl {
namespace graphs {

// A text: a file, or where there is none, bytes in memory. first: where its lines begin.
struct Source {
  int64_t file;
  const uint8_t* data;
  int64_t first, size;

  // Whether all of these bytes could be had.
  bool read(uint8_t* to, int64_t from, int64_t count) const {
    if (file < 0) {
      memcpy(to, data + from, size_t(count));
      return true;
    }
    while (count > 0) {
      const int64_t got = pread(int(file), to, size_t(count), from);
      if (got <= 0) return false;
      to += got, from += got, count -= got;
    }
    return true;
  }
};

// The lines of a text that begin in a block of it. slack: that much of the last one may lie behind the block.
struct Block {
  static constexpr int64_t slack = 1 << 16;
  const uint8_t *begin = nullptr, *stop = nullptr, *end = nullptr;
  int64_t lines = 0, found = 0;

  // Gets them into a buffer of `to - from + slack + 2` bytes. False: they are not to be had, or one is too long.
  bool get(const Source& s, int64_t from, int64_t to, uint8_t* buffer) {
    const int64_t before = from > s.first ? 1 : 0, last = to + slack < s.size ? to + slack : s.size;
    const int64_t count = before + last - from;
    if (!s.read(buffer, from - before, count)) return false;
    end = buffer + count;
    if (last == s.size && buffer[count - 1] != '\n') buffer[count] = '\n', ++end;
    begin = buffer, stop = buffer + before + (to - from);
    if (before != 0) {  // the line that the block begins in is another's
      const void* found_end = memchr(buffer, '\n', size_t(end - buffer));
      if (found_end == nullptr) return false;
      begin = static_cast<const uint8_t*>(found_end) + 1;
    }
    if (begin >= stop) return lines = 0, begin = stop, true;
    const void* last_end = memchr(stop - 1, '\n', size_t(end - stop + 1));
    if (last_end == nullptr) return false;
    end = static_cast<const uint8_t*>(last_end) + 1;
    int64_t sum = 0;
    for (const uint8_t* p = begin; p < end; ++p) sum += *p == '\n';
    lines = sum;
    return true;
  }
};

}  // namespace graphs
}  // namespace irgl

// How many threads read; each wants a few buffers, of irgl_buffer_bytes(block) bytes each.
extern "C" int64_t irgl_readers() { return irgl::graphs::threads_for(int64_t(1) << 40); }
extern "C" int64_t irgl_buffer_bytes(int64_t block) { return block + irgl::graphs::Block::slack + 64; }

// Reads the lines that begin at offset `from` of a text, or behind, as far as `blocks` blocks go, into the columns from place
// `at` on, which have `room` places; buffers: one for each block. told: what lines hold (Shape), then the bytes of an id and
// of a weight, and whether weights may be whole numbers; what is read then is put behind these: where the next lines begin,
// and how many places there would have to be. How many lines have an edge; or why not (lines.hpp).
extern "C" int64_t irgl_read_lines(int64_t file, const uint8_t* data, int64_t first, int64_t size, int64_t from,
                                   int64_t block, int64_t blocks, uint8_t* buffers, int64_t* told, void* src, void* dst,
                                   void* value, int64_t at, int64_t room) {
  using namespace irgl::graphs;
  const Source source{file, data, first, size};
  const Shape shape{told[0], {told[1], told[2]}, told[3], told[4], told[5], told[6]};
  const Columns columns{told[7], told[8], src, dst, value};
  Line line(shape);
  line.may_be_whole = told[9] != 0;
  Block of[256];
  int wrong = 0;
  auto begin_at = [&](int64_t k) { return from + k * block < size ? from + k * block : size; };
  const int threads = threads_for(int64_t(1) << 40);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(| : wrong)
  for (int64_t k = 0; k < blocks; ++k)
    if (begin_at(k) < begin_at(k + 1))
      wrong |= !of[k].get(source, begin_at(k), begin_at(k + 1), buffers + k * irgl_buffer_bytes(block));
  if (wrong != 0) return unusual;
  int64_t place[257] = {at};
  for (int64_t k = 0; k < blocks; ++k) place[k + 1] = place[k] + of[k].lines;
  told[10] = begin_at(blocks);
  told[11] = place[blocks];
  if (place[blocks] > room) return no_room;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int64_t k = 0; k < blocks; ++k) of[k].found = line.read(of[k].begin, of[k].stop, of[k].end, columns, place[k]);
  int64_t end = at;
  for (int64_t k = 0; k < blocks; ++k) {
    if (of[k].found < 0) return of[k].found;
    if (end != place[k]) columns.move(end, place[k], of[k].found);  // there were lines without an edge
    end += of[k].found;
  }
  return end - at;
}
