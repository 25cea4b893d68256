// NumberFile: a text file of numbers between blanks, read one after the other; # begins a comment.
//
//     irgl::NumberFile file(path);  file.real()  file.whole(low, high)  file.skip(count)  file.end()
//     first = file.number(line, first)          the number that a line begins with: in order, from 0 or 1
// What is wrong with it is one line on stderr, and exit 2.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#include "runtime.hpp"

namespace irgl {

class NumberFile {
 public:
  explicit NumberFile(const char* path) : path_(path) {
    FILE* file = fopen(path, "rb");
    if (file == nullptr || fseek(file, 0, SEEK_END) != 0) fail("cannot be opened");
    const long size = ftell(file);
    rewind(file);
    text_ = Array<char>(size_t(size) + 1);
    if (size < 0 || fread(text_.data(), 1, size_t(size), file) != size_t(size)) fail("cannot be read");
    fclose(file);
    text_[size_t(size)] = 0;
    at_ = text_.data() + (strncmp(text_.data(), "\xef\xbb\xbf", 3) == 0 ? 3 : 0);  // UTF-8's mark
    for (char* c = at_; *c != 0; ++c)
      if (*c == '#')
        while (*c != 0 && *c != '\n') *c++ = ' ';
  }
  double real() {
    char* end = nullptr;
    const double x = strtod(at_, &end);
    if (end == at_) fail("has fewer numbers than it promises");
    if (!(x - x == 0)) fail("has a number that is not finite");
    at_ = end;
    return x;
  }
  int64_t whole(int64_t low, int64_t high) {
    const double x = real();
    if (!(x >= double(low) && x <= double(high)) || x != double(int64_t(x))) fail("has a number out of its range");
    return int64_t(x);
  }
  void end() const {
    if (at_[strspn(at_, " \t\r\n\v\f")] != 0) fail("has more than it promises");
  }
  void skip(int64_t count) {
    for (int64_t k = 0; k < count; ++k) real();
  }
  int64_t number(int64_t line, int64_t first) {
    const int64_t id = whole(0, INT32_MAX);
    if (line == 0 ? id > 1 : id != first + line) fail("is not numbered in order from 0 or 1");
    return line == 0 ? id : first;
  }
  [[noreturn]] void fail(const char* what) const {
    fprintf(stderr, "error: %s %s\n", path_, what);
    exit(2);
  }

 private:
  const char* path_;
  Array<char> text_;
  char* at_ = nullptr;
};

}  // namespace irgl
