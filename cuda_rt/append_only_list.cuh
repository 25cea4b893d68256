// AppendOnlyList<T>: the twin of irgl/lib/append_only_list.irgl. Items never move and never go. See array.cuh.
#pragma once
#include "array.cuh"

namespace irgl {

template <class T>
class AppendOnlyList : public detail::Growable<T> {
 public:
  using detail::Growable<T>::Growable;
};

}  // namespace irgl
