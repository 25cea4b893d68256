// Policies of the host.
#pragma once
#include "../../detail/policy.h"

namespace thrust {

namespace system::cpp {
using tag = thrust::host_system_tag;
template <class Derived>
using execution_policy = thrust::host_execution_policy<Derived>;
struct par_t : thrust::host_execution_policy<par_t> {};
inline const par_t par{};
}  // namespace system::cpp

namespace cpp {
using namespace thrust::system::cpp;
}

}  // namespace thrust
