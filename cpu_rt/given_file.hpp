// What a stand-alone program is given besides graphs and numbers, from text: lists, arrays, and values of nodes and edges.
//
//     irgl::GivenText text(m, "sources", true);       of `--sources FILE`; true: or of `--sources 1,5,9` itself
//     text.is_there()                                 false: nobody gave it
//     irgl::Array<T> a = text.all<T>(nullptr, n);     its numbers, all in a row, n of them; of nodes with their GraphFile
//     irgl::Array<T> a = text.of_nodes<T>(file, t, has_rest, rest);    lines of one value for each node, or id,value
//     irgl::Array<T> a = text.of_edges<T>(file, t, has_rest, rest);    lines of one value for each edge, in their order
// t: the GraphFile where the values are nodes, else nullptr. rest: the value of those that have none, where there is one.
// A first line without a number names columns, # begins a comment. What is wrong is one line on stderr, and exit 2.
#pragma once
#include <ctype.h>

#include "main.hpp"

namespace irgl {

class GivenText {
 public:
  GivenText(Main& m, const char* name, bool words = false) : name_(name), text_(m.given(name)) {
    if (text_ == nullptr) return;
    source_ = text_;
    const bool numbers = words && text_[strspn(text_, "0123456789+-., eE")] == 0;
    if (!numbers) read();
    else held_ = Array<char>(strlen(text_) + 1), memcpy(held_.data(), text_, held_.size());
    split();
    if (numbers) file_ = false;
  }
  bool is_there() const { return text_ != nullptr; }
  void require() const {
    if (!is_there()) Main::fail("the program needs a value: --", name_);
  }

  template <class T>
  Array<T> all(const GraphFile* nodes, bool unique = false) const {
    require();
    Array<T> found(words_.size());
    for (size_t i = 0; i < words_.size(); ++i) found[i] = value<T>(i, nodes, false);
    if (unique) refuse_twice(found, *nodes);
    return found;
  }
  template <class T>
  Array<T> of_nodes(const GraphFile& file, const GraphFile* nodes, bool has_rest, T rest) const {
    const size_t count = size_t(file.csr.n);
    if (!is_there() || width_ != 2) return in_order<T>(count, nodes, has_rest, rest, "nodes");
    Array<T> found(count);
    Array<bool> known(count, true);
    for (size_t i = 0; i < count; ++i) found[i] = rest;
    for (size_t i = 0; i < words_.size(); i += 2) {
      const size_t n = size_t(node(i, file, false));
      if (known[n]) fail(i, "a second value of one node");
      known[n] = true, found[n] = value<T>(i + 1, nodes, true);
    }
    for (size_t i = 0; i < count && !has_rest; ++i)
      if (!known[i]) Main::fail("a node has no value: --", name_);
    return found;
  }
  template <class T>
  Array<T> of_edges(const GraphFile& file, const GraphFile* nodes, bool has_rest, T rest) const {
    return in_order<T>(size_t(file.csr.m), nodes, has_rest, rest, "edges");
  }

 private:
  struct Word { const char* text; size_t line; };

  template <class T>
  Array<T> in_order(size_t count, const GraphFile* nodes, bool has_rest, T rest, const char* what) const {
    if (!is_there() && !has_rest) require();
    if (is_there() && (words_.size() != count || (count != 0 && width_ != 1))) {
      fprintf(stderr, "%s: error: --%s has %zu numbers: it takes one a line for each of %zu %s\n", source_, name_,
              words_.size(), count, what);
      exit(2);
    }
    Array<T> found(count);
    for (size_t i = 0; i < count; ++i) found[i] = is_there() ? value<T>(i, nodes, true) : rest;
    return found;
  }
  template <class T>
  T value(size_t i, const GraphFile* nodes, bool may_be_none) const {
    if (nodes != nullptr) return T(node(i, *nodes, may_be_none));
    return number_of<T>(words_[i].text, [&](const char* what) { fail(i, what); });
  }
  int64_t node(size_t i, const GraphFile& file, bool may_be_none) const {
    const int64_t id = number_of<int64_t>(words_[i].text, [&](const char* what) { fail(i, what); });
    if (may_be_none && id == -1) return -1;
    const int64_t found = file.to_node(id);
    if (found < 0) fail(i, "no node of the graph");
    return found;
  }
  template <class T>
  void refuse_twice(const Array<T>& found, const GraphFile& file) const {
    Array<bool> known(size_t(file.csr.n), true);
    for (size_t i = 0; i < found.size(); ++i) {
      if (known[size_t(found[i])]) fail(i, "a node that came before, in a list that is declared unique");
      known[size_t(found[i])] = true;
    }
  }
  void read() {
    FILE* file = fopen(source_, "rb");
    if (file == nullptr || fseek(file, 0, SEEK_END) != 0) fail_whole("can't be opened");
    const long size = ftell(file);
    rewind(file);
    held_ = Array<char>(size_t(size) + 1);
    if (size < 0 || fread(held_.data(), 1, size_t(size), file) != size_t(size)) fail_whole("can't be read");
    fclose(file);
    held_[size_t(size)] = 0;
    file_ = true;
  }
  void split() {  // words, and how many are on each line: width_, 0 where lines differ
    char* c = held_.data() + (strncmp(held_.data(), "\xef\xbb\xbf", 3) == 0 ? 3 : 0);  // UTF-8's mark
    Array<Word> found(held_.size() / 2 + 1);
    size_t count = 0, before = 0, line = 1;
    bool same = true, first = true;
    while (*c != 0) {
      char* const end = c + strcspn(c, "\n");
      const bool last = *end == 0;
      const size_t begin = count;
      for (char* word = c; word < end;) {
        word += strspn(word, " \t\r,;");
        if (word >= end || *word == '#') break;
        char* const behind = word + strcspn(word, " \t\r\n,;#");
        const bool comment = *behind == '#';
        found[count++] = {word, line};
        word = behind + (behind < end && !comment);
        *behind = 0;
        if (comment) break;
      }
      if (first && count > begin && names(found[count - 1].text)) count = begin;  // what names the columns
      else if (count > begin) same = same && (before == 0 || count - begin == before), before = count - begin;
      first = first && count == begin && before == 0 && line == 1;
      c = end + !last;
      ++line;
    }
    words_ = Array<Word>(count);
    for (size_t i = 0; i < count; ++i) words_[i] = found[i];
    width_ = same ? before : 0;
  }
  static bool names(const char* word) {
    char* end = nullptr;
    strtod(word, &end);
    return *end != 0 && strcmp(word, "true") != 0 && strcmp(word, "false") != 0;
  }
  [[noreturn]] void fail(size_t i, const char* what) const {
    if (file_) fprintf(stderr, "%s:%zu: error: `%s` is %s: --%s\n", source_, words_[i].line, words_[i].text, what, name_);
    else fprintf(stderr, "error: `%s` is %s: --%s\n", words_[i].text, what, name_);
    exit(2);
  }
  [[noreturn]] void fail_whole(const char* what) const {
    fprintf(stderr, "%s: error: `%s` %s\n", source_, name_, what);
    exit(2);
  }

  const char* name_;
  const char* text_;
  const char* source_ = "";
  bool file_ = false;
  size_t width_ = 1;
  Array<char> held_;
  Array<Word> words_;
};

}  // namespace irgl
