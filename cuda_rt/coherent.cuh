// Properties: an array of the device beside the caller's array of the host, and which of the two is up to date.
//
//     T* x = c.property<T>(host, count)      without content yet; host == nullptr: the host's copy is ours
//     T* w = c.weights<T>(host, count)       the same, filled from the host's
//     c.lend(x, count)                       x is the caller's own array of the device, which stays there
//     c.fill(x, count, value)                by a kernel
//     c.wrote(x)                             a kernel has written x: the host's copy is stale
//     c.field(x, host, result, count)        x is a member of structs, one for each node (packed.cuh), and filled
//                                            likewise; result: the caller's array of the device that gets it
// A stale copy is read element by element at first, for most programs ask for few; after 64 the whole array comes over.
#pragma once
#include "elsewhere.cuh"
#include "launch.cuh"

namespace irgl {

struct Locks;
struct Marks;
template <auto member>
struct Packed;

template <class Word>
__global__ void fill_kernel(Word* data, size_t count, Word value) {
  for (size_t i = size_t(blockIdx.x) * block_size + threadIdx.x; i < count; i += size_t(gridDim.x) * block_size)
    data[i] = value;
}

template <class T>
__global__ void copy_kernel(T* data, size_t count, const T* from) {
  for (size_t i = size_t(blockIdx.x) * block_size + threadIdx.x; i < count; i += size_t(gridDim.x) * block_size)
    data[i] = from[i];
}

class Properties : public Launcher {
 public:
  using Launcher::Launcher;

  template <class T>
  T* property(void* host, size_t count) {
    Property p{};
    p.bytes = count * sizeof(T);
    p.size = p.stride = sizeof(T);
    p.device = reinterpret_cast<char*>(allocate_array<T>(count));
    p.host = static_cast<char*>(host);
    p.valid = host != nullptr;
    if (sizeof(T) < 4 && !failed()) zero(p.device + p.bytes, 4);  // the rest of the last word (atomics.cuh)
    properties_->add(p);
    return reinterpret_cast<T*>(p.device);
  }
  template <class T>
  T* weights(void* host, size_t count) {
    T* device = property<T>(host, count);
    copy_in(device, host, count * sizeof(T));
    return device;
  }
  template <class T>
  T* lend(T* device, size_t count) {
    Property p{};
    p.bytes = count * sizeof(T);
    p.size = p.stride = sizeof(T);
    p.device = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(device));
    p.lent = true;
    if (device != nullptr && find(device) == nullptr) properties_->add(p);
    return device;
  }
  template <auto member>  // these five: packed.cuh
  void pack(Packed<member>& data, size_t count);
  template <auto member, class T>
  void field(Packed<member> data, void* host, T* result, size_t count);
  template <auto member, class T>
  void fill(Packed<member> data, size_t count, T value);
  template <auto member, class T>
  void copy(Packed<member> data, size_t count, const T* from);
  template <auto member>
  void wrote(Packed<member> data);
  Locks* locks(size_t count);                        // locks.cuh
  Marks marks(size_t count, bool is_striped = false);  // exclusive.cuh
  template <class T>
  void fill(T* data, size_t count, same_t<T> value) {
    // One kernel for all types of a size; a struct of another size has its own.
    constexpr bool is_word = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0;
    using Word = typename std::conditional_t<is_word, detail::BitsOf<sizeof(T)>, std::enable_if<true, T>>::type;
    const Word word = detail::bit_cast<Word>(value);
    if (count != 0) launch(fill_kernel<Word>, count, reinterpret_cast<Word*>(data), count, word);
    wrote(data);
  }
  template <class T>
  void copy(T* data, size_t count, const T* from) {
    if (count != 0) launch(copy_kernel<T>, count, data, count, from);
    wrote(data);
  }
  void* hold(size_t bytes) {  // memory of the device until the run ends, with zeros
    void* const memory = allocate(bytes);
    zero(memory, bytes);
    return held_.add(memory);
  }
  void wrote(const void* device) {
    if (Property* p = find(device)) p->valid = false, p->reads = 0;
    elsewhere_->changed(device);
  }

  void read_element(const void* device, int64_t index, void* value) {
    Property* p = find(device);
    if (p == nullptr || uint64_t(index) >= p->bytes / p->size) return fault(access_fault);
    if (!p->valid && ++p->reads > 64) fetch(*p);
    if (p->valid) memcpy(value, p->host + size_t(index) * p->size, p->size);
    else copy_out(value, p->device + size_t(index) * p->stride, p->size);
  }
  // All of an array as the host's memory has it. Null, or zeros, only after a failure.
  const void* whole(const void* device) {
    Property* p = find(device);
    if (p == nullptr) return nullptr;
    if (!p->valid) fetch(*p);
    return p->host;
  }
  void write_element(void* device, int64_t index, const void* value) {
    Property* p = find(device);
    if (p == nullptr || uint64_t(index) >= p->bytes / p->size) return;
    copy_in(p->device + size_t(index) * p->stride, value, p->size);
    elsewhere_->changed(device);
    if (p->valid) memcpy(p->host + size_t(index) * p->size, value, p->size);
  }

 protected:
  struct Property {
    char* device;
    char* host;
    size_t bytes, size, stride;  // of all, of an element, from one to the next
    unsigned reads;              // of a stale copy
    bool valid;                  // the host's copy is up to date
    bool ours;                   // and belongs to us
    bool lent;                   // the device's memory is not this property's own
    void* result;                // of a member of structs: the caller's array that gets it at the end
    void (*gather)(Properties& c, const Property& p, void* to);  // and what makes an array of it, on the device
  };
  Property* find(const void* device) {
    for (Property& p : *properties_)
      if (p.device == device) return &p;
    return nullptr;
  }
  void fetch(Property& p) {
    if (p.host == nullptr) p.host = static_cast<char*>(calloc(p.bytes + 1, 1)), p.ours = true;
    if (p.host == nullptr) {
      check(cudaErrorMemoryAllocation);
      return;
    }
    void* const together = p.gather != nullptr ? allocate(p.bytes) : nullptr;
    if (p.gather != nullptr) p.gather(*this, p, together);
    copy_out(p.host, p.gather != nullptr ? together : p.device, p.bytes);
    release(together);
    p.valid = true;
  }
  void end_elsewhere() {
    for (Elsewhere::Copy& copy : elsewhere_->all()) {
      check(cudaSetDevice(copy.device)), check(cudaFree(copy.data));
      if (copy.made != nullptr) check(cudaEventDestroy(copy.made));
    }
    enter();
  }
  void share_properties(const Properties& whole) {  // which ends them
    properties_ = whole.properties_;
    elsewhere_ = whole.elsewhere_;
  }
  void end_properties() {
    for (Property& p : *properties_) {
      if (!p.valid && !p.ours && p.host != nullptr) fetch(p);
      if (p.result != nullptr) p.gather(*this, p, p.result);
      if (p.ours) free(p.host);
      if (!p.lent) release(p.device);
    }
  }
  ~Properties() = default;

  Places<Property> table_;
  Places<Property>* properties_ = &table_;
  Table<void*> held_;
  Elsewhere copies_;  // on other devices; of the whole run's context alone
  Elsewhere* elsewhere_ = &copies_;
};

}  // namespace irgl
