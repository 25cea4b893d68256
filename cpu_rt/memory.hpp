// Where memory comes from.
#pragma once
#include <sys/mman.h>

#include <new>

#include "types.hpp"

namespace irgl {

// Memory for arrays: whole cache lines, and for large ones 2 MB pages where the system lets us (one TLB entry then
// covers 512 times as much). Never a null pointer: where no memory is left it throws std::bad_alloc, which ends the run
// (executor.hpp carries it out of parallel regions, irgl_run and main turn it into an error).
inline void* allocate(size_t bytes, bool zero = false) {
  constexpr size_t huge = size_t(1) << 21;
  void* p = nullptr;
  if (posix_memalign(&p, bytes >= huge ? huge : 64, (bytes + 64) / 64 * 64) != 0) throw std::bad_alloc();
  if (bytes >= huge) madvise(p, bytes, MADV_HUGEPAGE);
  if (zero) memset(p, 0, bytes);
  return p;
}
template <class T>
T* allocate_array(size_t count, bool zero = false) {
  if (count > size_t(PTRDIFF_MAX) / sizeof(T)) throw std::bad_alloc();
  return static_cast<T*>(allocate(count * sizeof(T), zero));
}

}  // namespace irgl
