// Growable tables of the host, of a few entries: Table is an array; of Places what was added stays where it is.
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

template <class T>
class Places {
  struct Place {
    T value;
    Place* next;
  };

 public:
  class Iterator {
   public:
    explicit Iterator(Place* at) : at_(at) {}
    T& operator*() const { return at_->value; }
    Iterator& operator++() { return at_ = at_->next, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    Place* at_;
  };
  Places() = default;
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() {
    while (first_ != nullptr) {
      Place* const gone = first_;
      first_ = gone->next;
      delete gone;
    }
  }
  T& add(const T& x) {
    Place* const place = new Place{x, nullptr};
    *last_ = place;
    last_ = &place->next;
    return place->value;
  }
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(nullptr); }

 private:
  Place* first_ = nullptr;
  Place** last_ = &first_;
};

}  // namespace irgl
