// Copies within the device, within the host, and from one to the other.
#pragma once
#include "device_ptr.h"
#include "room.h"
#include "run.h"

namespace thrust::detail {

// Whether bytes may be copied from one iterator's memory to the other's, and where that is.
template <class I, class = void>
struct contiguous {
  static constexpr bool value = false;
};
template <class T>
struct contiguous<T*, void> {
  static constexpr bool value = true;
  IRGL_EMU_MEMBER static T* of(T* p) { return p; }
};
template <class T>
struct contiguous<normal_iterator<T*>, void> {
  static constexpr bool value = true;
  IRGL_EMU_MEMBER static T* of(const normal_iterator<T*>& i) { return i.base(); }
};
template <class T, class C>
struct contiguous<__gnu_cxx::__normal_iterator<T*, C>, void> {
  static constexpr bool value = true;
  IRGL_EMU_MEMBER static T* of(const __gnu_cxx::__normal_iterator<T*, C>& i) { return i.base(); }
};
template <class I>
using value_of = typename std::iterator_traits<I>::value_type;
template <class A, class B>
constexpr bool same_bytes() {
  if constexpr (contiguous<A>::value && contiguous<B>::value) {
    return std::is_same_v<value_of<A>, value_of<B>>;
  } else {
    return false;
  }
}

template <class I>
IRGL_EMU_MEMBER long count_of(I first, I last) {
  if constexpr (std::is_base_of_v<std::random_access_iterator_tag,
                                  typename std::iterator_traits<I>::iterator_category>) {
    return last - first;
  } else {
    long n = 0;
    for (; first != last; ++first) n++;
    return n;
  }
}

template <class I, class O>
IRGL_EMU_MEMBER O copy_in_host(I first, I last, O to) {
  for (; first != last; ++first, ++to) *to = *first;
  return to;
}

template <class P, class I, class O>
IRGL_EMU_MEMBER O copy_in_device(const P& p, I from, long n, O to) {
  auto o = raw(p, to);
  if constexpr (same_bytes<I, decltype(o)>()) {
    if (n > 0 && !irgl_emu_in_kernel()) {
      copied(cudaMemcpyAsync((void*)o, (const void*)from, n * sizeof(*from), cudaMemcpyDeviceToDevice,
                            stream_of<P>::of(p)), "thrust::copy");
      wait(p, "thrust::copy");
      return to + n;
    }
  }
  each(p, "thrust::copy", n, [=](long i) IRGL_EMU_BODY { o[i] = from[i]; });
  return to + n;
}

template <class I, class O>
IRGL_EMU_MEMBER O copy_to_host(I from, long n, O to) {
  using Value = value_of<I>;
  if (n <= 0) return to;
  if constexpr (same_bytes<I, O>()) {
    copied(cudaMemcpy((void*)contiguous<O>::of(to), (const void*)from, n * sizeof(Value), cudaMemcpyDeviceToHost),
          "thrust::copy");
    return to + n;
  } else {
    host_room<Value> here(n);
    if constexpr (contiguous<I>::value) {
      copied(cudaMemcpy(here.data, from, n * sizeof(Value), cudaMemcpyDeviceToHost), "thrust::copy");
    } else {
      temporary<device_system_tag, Value> there(device_system_tag{}, n);
      Value* const o = there.data;
      each(device_system_tag{}, "thrust::copy", n,
           [=](long i) IRGL_EMU_BODY { ::new ((void*)(o + i)) Value(from[i]); });
      copied(cudaMemcpy(here.data, o, n * sizeof(Value), cudaMemcpyDeviceToHost), "thrust::copy");
    }
    for (long i = 0; i < n; i++, ++to) *to = here.data[i];
    return to;
  }
}

template <class I, class O>
IRGL_EMU_MEMBER O copy_to_device(I first, I last, O to) {
  auto o = unwrap(to);
  const long n = count_of(first, last);
  if (n <= 0) return to;
  if constexpr (same_bytes<I, decltype(o)>()) {
    copied(cudaMemcpy((void*)o, contiguous<I>::of(first), n * sizeof(*o), cudaMemcpyHostToDevice), "thrust::copy");
  } else {
    using To = value_of<decltype(o)>;
    using Value = std::conditional_t<std::is_convertible_v<typename std::iterator_traits<I>::reference, To> &&
                                         contiguous<decltype(o)>::value,
                                     To, value_of<I>>;
    host_room<Value> here(n);
    long k = 0;
    for (; first != last; ++first) ::new ((void*)(here.data + k++)) Value(*first);
    if constexpr (contiguous<decltype(o)>::value && std::is_same_v<Value, To>) {
      copied(cudaMemcpy((void*)o, here.data, n * sizeof(To), cudaMemcpyHostToDevice), "thrust::copy");
    } else {
      temporary<device_system_tag, Value> there(device_system_tag{}, n);
      Value* const from = there.data;
      copied(cudaMemcpy(from, here.data, n * sizeof(Value), cudaMemcpyHostToDevice), "thrust::copy");
      each(device_system_tag{}, "thrust::copy", n, [=](long i) IRGL_EMU_BODY { o[i] = from[i]; });
    }
  }
  return to + n;
}

}  // namespace thrust::detail
