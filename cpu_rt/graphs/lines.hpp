// Lines of text with the ends of an edge each, and perhaps its weight (irgl/rt/graphs/readers/table.py). What is unusual or
// wrong is for the reader in Python, which says what it is; here it is only seen.
#pragma once
#include <charconv>
#include <system_error>

#include "../types.hpp"

namespace irgl {
namespace graphs {

// Why lines were not read: something unusual in them; ids or whole numbers of more than 32 bits; a weight that is no whole
// number; more lines than there is room for.
constexpr int64_t unusual = -1, wide_ids = -2, wide_values = -3, real_values = -4, no_room = -5;
// What weights a line has.
constexpr int64_t no_values = 0, whole = 1, real = 2, either = 3;

// What a line holds: a letter (0: none) in front, two ids of low..high, and a weight. comments: bytes that make a comment of a
// line that begins with them. commas: these are blanks, too.
struct Shape {
  int64_t mark, comments[2], commas, values, low, high;
};

// Where the columns go: ids of 4 or 8 bytes; weights: whole numbers of 4 or 8 bytes, or doubles.
struct Columns {
  int64_t id_bytes, value_bytes;
  void *src, *dst, *value;

  void move(int64_t to, int64_t from, int64_t count) const {
    auto one = [&](void* column, int64_t bytes) {
      char* c = static_cast<char*>(column);
      if (c != nullptr) memmove(c + to * bytes, c + from * bytes, size_t(count * bytes));
    };
    one(src, id_bytes), one(dst, id_bytes), one(value, value_bytes);
  }
};

inline void store(void* column, int64_t bytes, int64_t at, int64_t x) {
  if (bytes == 4) static_cast<int32_t*>(column)[at] = int32_t(x);
  else static_cast<int64_t*>(column)[at] = x;
}

class Line {
 public:
  explicit Line(const Shape& s) : s_(s) {
    for (const char c : {' ', '\t', '\r', '\v', '\f'}) blank_[uint8_t(c)] = true;
    blank_[','] = s.commas != 0;
  }

  // Reads the lines that begin before `stop`, the last of which ends with a line end; the first goes to place `at` of the
  // columns. How many they are, or why not.
  int64_t read(const uint8_t* p, const uint8_t* stop, const uint8_t* end, const Columns& c, int64_t at) const {
    const int64_t first = at;
    const uint64_t most = c.id_bytes == 4 ? uint64_t(INT32_MAX) : uint64_t(INT64_MAX);
    while (p < stop) {
      const uint8_t* begin = p;
      p = past_blanks(p);
      if (*p == '\n') {
        ++p;
        continue;
      }
      if (*p == s_.comments[0] || *p == s_.comments[1]) {
        if (*p == 0 || (s_.commas != 0 && memchr(begin, ',', size_t(p - begin)) != nullptr)) return unusual;
        const uint8_t* last = static_cast<const uint8_t*>(memchr(p, '\n', size_t(end - p)));
        if (memchr(p, 0, size_t(last - p)) != nullptr) return unusual;
        p = last + 1;
        continue;
      }
      if (s_.mark != 0) {
        if (*p != s_.mark || !blank_[p[1]]) return unusual;
        p = past_blanks(p + 1);
      }
      uint64_t a, b;
      if (!number(p, a) || !blank_[*p]) return unusual;
      p = past_blanks(p);
      if (!number(p, b)) return unusual;
      if (a < uint64_t(s_.low) || b < uint64_t(s_.low) || a > uint64_t(s_.high) || b > uint64_t(s_.high)) return unusual;
      if (a > most || b > most) return wide_ids;
      store(c.src, c.id_bytes, at, int64_t(a));
      store(c.dst, c.id_bytes, at, int64_t(b));
      if (s_.values != no_values) {
        if (!blank_[*p]) return unusual;
        p = past_blanks(p);
        const int64_t fault = s_.values == real ? real_value(p, c, at) : whole_value(p, c, at);
        if (fault != 0) return fault;
      }
      p = past_blanks(p);
      if (*p++ != '\n') return unusual;
      ++at;
    }
    return at - first;
  }

  // With weights of type double, of a column that may be of whole numbers: a -0 may be a 0, and a number of many digits
  // one that doesn't fit.
  bool may_be_whole = false;

 private:
  const Shape s_;
  bool blank_[256] = {};

  const uint8_t* past_blanks(const uint8_t* p) const {
    while (blank_[*p]) ++p;
    return p;
  }
  bool ends(uint8_t c) const { return c == '\n' || blank_[c]; }

  // Digits, 18 at most.
  static bool number(const uint8_t*& p, uint64_t& x) {
    const uint8_t* begin = p;
    x = 0;
    for (unsigned d; (d = unsigned(*p) - '0') <= 9; ++p) x = 10 * x + d;
    return p != begin && p - begin <= 18;
  }

  int64_t whole_value(const uint8_t*& p, const Columns& c, int64_t at) const {
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    uint64_t x;
    const bool good = number(p, x);
    if (!good || !ends(*p)) return s_.values == either && !ends(*p) ? real_values : unusual;
    const int64_t signed_x = negative ? -int64_t(x) : int64_t(x);
    if (c.value_bytes == 4 && signed_x != int32_t(signed_x)) return wide_values;
    store(c.value, c.value_bytes, at, signed_x);
    return 0;
  }

  int64_t real_value(const uint8_t*& p, const Columns& c, int64_t at) const {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                        1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    double& out = static_cast<double*>(c.value)[at];
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    const uint8_t *body = p, *dot = nullptr;
    uint64_t mantissa = 0;
    for (;; ++p) {
      const unsigned d = unsigned(*p) - '0';
      if (d <= 9) mantissa = 10 * mantissa + d;
      else if (*p == '.' && dot == nullptr) dot = p;
      else break;
    }
    const int64_t digits = p - body - (dot != nullptr), places = dot == nullptr ? 0 : p - dot - 1;
    if (ends(*p) && digits >= 1 && digits <= 18 && mantissa < uint64_t(1) << 53) {
      // Both are exact, so that their quotient is rounded once.
      out = double(mantissa) / powers[places];
      if (negative) out = -out;
      return negative && mantissa == 0 && dot == nullptr && may_be_whole ? unusual : 0;
    }
    if (may_be_whole && dot == nullptr && ends(*p)) return unusual;
    return parsed(body, p, negative, out);
  }

  int64_t parsed(const uint8_t* body, const uint8_t*& p, bool negative, double& out) const {
#ifdef __cpp_lib_to_chars
    if (*body != '.' && (*body < '0' || *body > '9')) return unusual;
    for (p = body; !ends(*p);) ++p;
    const char *from = reinterpret_cast<const char*>(body), *to = reinterpret_cast<const char*>(p);
    const auto found = std::from_chars(from, to, out);
    if (found.ec != std::errc() || found.ptr != to) return unusual;
    if (negative) out = -out;
    return 0;
#else
    return unusual;
#endif
  }
};

}  // namespace graphs
}  // namespace irgl
