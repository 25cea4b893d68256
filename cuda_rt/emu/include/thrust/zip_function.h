// A function of several arguments as one of a tuple.
#pragma once
#include "tuple.h"

namespace thrust {

template <class F>
class zip_function {
  mutable F f_;
  template <class Tuple, size_t... K>
  IRGL_EMU_MEMBER decltype(auto) call(Tuple&& all, std::index_sequence<K...>) const {
    return f_(thrust::get<K>(static_cast<Tuple&&>(all))...);
  }

 public:
  IRGL_EMU_MEMBER zip_function(F f) : f_(f) {}
  template <class Tuple>
  IRGL_EMU_MEMBER decltype(auto) operator()(Tuple&& all) const {
    return call(static_cast<Tuple&&>(all),
                std::make_index_sequence<std::tuple_size_v<std::remove_cv_t<std::remove_reference_t<Tuple>>>>{});
  }
};
template <class F>
IRGL_EMU_MEMBER zip_function<std::decay_t<F>> make_zip_function(F&& f) {
  return zip_function<std::decay_t<F>>(static_cast<F&&>(f));
}

}  // namespace thrust
