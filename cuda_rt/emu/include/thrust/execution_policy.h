// Where an algorithm runs, as its first argument says.
#pragma once
#include "detail/usual.h"
#include "merge.h"
#include "reverse.h"
#include "system/cpp/execution_policy.h"
#include "system/cuda/execution_policy.h"

namespace thrust {

namespace detail {
struct host_t : host_execution_policy<host_t> {};
struct seq_t : execution_policy<seq_t> {};
struct device_t : on_stream<true> {};
}  // namespace detail

inline const detail::host_t host{};
inline const detail::seq_t seq{};
inline const detail::device_t device{};

}  // namespace thrust
