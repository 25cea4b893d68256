// A growable array of the host, for tables of a few entries.
#pragma once
#include <stddef.h>
#include <stdlib.h>

#include <utility>

namespace irgl {

template <class T>
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() { free(static_cast<void*>(data_)); }
  T& add(const T& x) {
    if (size_ == space_) {
      space_ = space_ != 0 ? space_ * 2 : 16;
      data_ = static_cast<T*>(realloc(static_cast<void*>(data_), space_ * sizeof(T)));
      if (data_ == nullptr) abort();
    }
    return data_[size_++] = x;
  }
  void remove(size_t i) { data_[i] = data_[--size_]; }
  void clear() { size_ = 0; }
  void swap(Table& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(space_, other.space_);
  }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0, space_ = 0;
};

}  // namespace irgl
