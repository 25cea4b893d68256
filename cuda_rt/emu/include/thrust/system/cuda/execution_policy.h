// Policies of the device: thrust::cuda::par, its streams, and par_nosync, for which the host does not wait.
#pragma once
#include "../../detail/policy.h"
#include "../../system_error.h"

namespace thrust {

namespace system::cuda {
using tag = thrust::device_system_tag;
template <class Derived>
using execution_policy = thrust::device_execution_policy<Derived>;
struct par_t : thrust::detail::on_stream<true> {};
struct par_nosync_t : thrust::detail::on_stream<false> {};
inline const par_t par{};
inline const par_nosync_t par_nosync{};
}  // namespace system::cuda

namespace cuda {
using namespace thrust::system::cuda;
}
namespace cuda_cub {
using namespace thrust::system::cuda;
}

}  // namespace thrust
