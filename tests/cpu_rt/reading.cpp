#include <string>

#include "cases.hpp"
#include "graphs/pcg64.hpp"
#include "graphs/read_table.hpp"

namespace {

using irgl::graphs::unusual;

// Lines of a text in memory of its own size, so that a look beyond its end is seen; with 40 places at most.
struct Read {
  int64_t src[40], dst[40];
  double value[40];
  int64_t count = 0;

  explicit Read(const std::string& text, int64_t block = 7, int64_t values = 0, int64_t commas = 0) {
    uint8_t* data = static_cast<uint8_t*>(malloc(text.size() + 1));
    memcpy(data, text.data(), text.size());
    int64_t told[12] = {0, '#', '%', commas, values, 0, INT64_MAX, 8, 8, 0, 0, 0};
    uint8_t* buffers = static_cast<uint8_t*>(malloc(size_t(3 * irgl_buffer_bytes(block))));
    for (int64_t at = 0, found; at < int64_t(text.size()) && count >= 0; at = told[10]) {
      found = irgl_read_lines(-1, data, 0, int64_t(text.size()), at, block, 3, buffers, told, src, dst,
                              values == 0 ? nullptr : value, count, 40);
      count = found < 0 ? found : count + found;
    }
    free(buffers), free(data);
  }
  bool holds(int64_t k, int64_t a, int64_t b) const { return src[k] == a && dst[k] == b; }
};

}  // namespace

CASE(lines_are_read_wherever_blocks_end) {
  for (int64_t block = 1; block < 60; ++block) {
    const Read r("# x\n1 2\n\n  30\t40 \r\n%\n123456789012345678 0\n5 6", block);
    CHECK(r.count == 4 && r.holds(0, 1, 2) && r.holds(1, 30, 40) && r.holds(2, 123456789012345678, 0) && r.holds(3, 5, 6));
  }
}
CASE(a_line_that_ends_nowhere_is_read) {
  CHECK(Read("1 2").count == 1 && Read("#").count == 0 && Read(" ").count == 0 && Read("1 2\n ").count == 1);
}
CASE(what_is_no_edge_is_unusual) {
  for (const char* text : {"1", "1 ", "1 2 3", "1 2x", "x", "1\n2", "-1 2", "1 -2", "1234567890123456789 1", "1 2 #", "1,2", "\"1\" 2"})
    for (const char* end : {"", "\n"})
      for (int64_t block : {1, 2, 50}) CHECK(Read(std::string("7 8\n") + text + end, block).count == unusual);
  CHECK(Read(std::string("# \0\n1 2", 8)).count == unusual && Read(std::string("1 2\0\n", 5)).count == unusual);
}
CASE(a_line_longer_than_a_buffer_is_unusual) {
  const std::string blanks(100000, ' ');
  CHECK(Read("1" + blanks + "2\n3 4\n", 50).count == unusual && Read(std::string(100000, '1') + " 2", 50).count == unusual);
}
CASE(weights_are_rounded_once) {
  const Read r("1 2 .5\n1,2,-1.25e-3\n1 2 9007199254740993\n1 2 0.1\n1 2 123456789012345678901234567890\n", 9, 2, 1);
  CHECK(r.count == 5 && r.value[0] == .5 && r.value[1] == -1.25e-3 && r.value[2] == 9007199254740993.0 && r.value[3] == 0.1 &&
        r.value[4] == 123456789012345678901234567890.0);
  for (const char* text : {"1 2 x", "1 2 .", "1 2 -", "1 2 1e", "1 2 nan", "1 2 inf", "1 2 1e999", "1 2 1 2", "1 2 +-1", "1 2 0x1"})
    CHECK(Read(text, 9, 2, 1).count == unusual);
}
CASE(words_left_out_are_those_that_would_come) {
  const uint64_t state[] = {1, 2, 3, 4};
  irgl::graphs::Pcg64 one(state), other(state);
  for (int i = 0; i < 1000; ++i) one.next();
  other.skip(1000);
  for (int i = 0; i < 3; ++i) CHECK(one.next() == other.next());
}
