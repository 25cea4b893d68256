// Any number or bool of the language from a user's text.
//
//     int32_t x = irgl::number_of<int32_t>(text, fail);      fail(what) is told what is wrong, and doesn't come back
#pragma once
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arith.hpp"

namespace irgl {

template <class T, class Fail>
T number_of(const char* text, Fail fail) {
  if constexpr (std::is_same_v<T, bool>) {
    for (const char* yes : {"true", "1", "yes", "on"})
      if (strcmp(text, yes) == 0) return true;
    for (const char* no : {"false", "0", "no", "off"})
      if (strcmp(text, no) == 0) return false;
    fail("neither true nor false");
    return false;
  } else {
    if (strcmp(text, "INF") == 0) return highest<T>();
    char* end = nullptr;
    errno = 0;
    if constexpr (std::is_floating_point_v<T>) {
      const double x = strtod(text, &end);
      if (end == text || *end != 0) fail("not a number");
      return T(x);
    } else {
      using Widest = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
      Widest x;
      if constexpr (std::is_signed_v<T>) x = strtoll(text, &end, 10);
      else x = strtoull(text, &end, 10);
      if (end == text || *end != 0) fail("not a whole number");
      const bool negative = std::is_unsigned_v<T> && strchr(text, '-') != nullptr;
      if (errno == ERANGE || negative || x < Widest(lowest<T>()) || x > Widest(highest<T>()))
        fail("out of the range of its type");
      return T(x);
    }
  }
}

}  // namespace irgl
