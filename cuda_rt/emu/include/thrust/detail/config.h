// What all headers of Thrust need: the emulator's kernels, and names for what the algorithms run on.
#pragma once
#include <stddef.h>

#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

#include "../../cuda_runtime.h"
#include "../../irgl_emu/parallel.h"
#include "../version.h"

#define THRUST_HOST_SYSTEM_CPP 1
#define THRUST_HOST_SYSTEM_OMP 2
#define THRUST_HOST_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM_OMP 2
#define THRUST_DEVICE_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CPP 4
#ifndef THRUST_HOST_SYSTEM
#define THRUST_HOST_SYSTEM THRUST_HOST_SYSTEM_CPP
#endif
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CUDA
#endif
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }

// A body of a kernel: on the host and in kernels it becomes part of the user's line.
#define IRGL_EMU_BODY mutable __attribute__((always_inline))

// The form of an algorithm without a policy: its arguments say on what it runs.
#define IRGL_EMU_ANYWHERE(name)                                                                        \
  template <class First, class... Rest, class = detail::if_no_policy<First>>                           \
  IRGL_EMU_MEMBER auto name(First first, Rest... rest) {                                               \
    return thrust::name(detail::policy_for<First, Rest...>{}, first, rest...);                         \
  }
