// Launches: what `k<<<grid, block, shared, stream>>>(args)` is rewritten to, and the launching calls of the API.
#pragma once
#include "runtime_api.h"

#define IRGL_EMU_PLAIN __attribute__((no_sanitize("thread")))

namespace irgl_emu {

template <class T>
struct identity {
  using type = T;
};
template <class T>
struct bare {
  using type = T;
};
template <class T>
struct bare<const T> {
  using type = T;
};

template <class T>
IRGL_EMU_INLINE void see_argument(const T&) {}
template <class T>
IRGL_EMU_INLINE void see_argument(T* const& p) {
  irgl_emu_pointer_argument((const volatile void*)p);
}

struct Config {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  Config(dim3 g, dim3 b, size_t s = 0, cudaStream_t t = 0) : grid(g), block(b), shared(s), stream(t) {}
};

template <class Body>
IRGL_EMU_PLAIN void enter(const void* body) {
  (*static_cast<const Body*>(body))();
}

template <class Body>
void* clone(const void* body) {
  return new Body(*static_cast<const Body*>(body));
}
template <class Body>
void destroy(void* body) {
  delete static_cast<Body*>(body);
}

template <class Body>
__attribute__((always_inline)) inline cudaError_t run(const Config& c, int cooperative, const char* name,
                                                      const void* function, const Body& body) {
  irgl_emu_launch l = {{c.grid.x, c.grid.y, c.grid.z},
                       {c.block.x, c.block.y, c.block.z},
                       c.shared,
                       c.stream,
                       cooperative,
                       name,
                       function,
                       &enter<Body>,
                       &body,
                       &clone<Body>,
                       &destroy<Body>};
  return static_cast<cudaError_t>(irgl_emu_run(&l));
}

// A value on its way to the threads: each gets its bytes, so that no constructor of its own reads the host's memory.
template <class T>
struct Sent {
  alignas(T) char bytes[sizeof(T)];
  IRGL_EMU_PLAIN IRGL_EMU_MEMBER explicit Sent(const T& v) { __builtin_memcpy(bytes, (const void*)&v, sizeof(T)); }
  IRGL_EMU_PLAIN IRGL_EMU_MEMBER T& value() { return *reinterpret_cast<T*>(bytes); }
};
template <class Call, class... Args>
IRGL_EMU_PLAIN IRGL_EMU_MEMBER void call_with(const Call& call, Sent<Args>... sent) {
  call(sent.value()...);
}

// A kernel that is one function: arguments are converted to its parameters' types.
template <class... Params>
__attribute__((always_inline)) inline cudaError_t launch(const Config& c, int cooperative, const char* name,
                                                         void (*k)(Params...),
                                                         typename identity<Params>::type... args) {
  (see_argument(args), ...);
  const auto body = [=]() IRGL_EMU_PLAIN {
    if constexpr ((__is_trivially_copyable(Params) && ...)) {
      k(args...);
    } else {
      call_with(k, Sent<typename bare<Params>::type>(args)...);
    }
  };
  return run(c, cooperative, name, reinterpret_cast<const void*>(k), body);
}

// A template or overloaded kernel: `call` finds the function by the arguments' types.
template <class Call, class... Args>
__attribute__((always_inline)) inline cudaError_t launch_call(const Config& c, const char* name, Call call,
                                                                     Args... args) {
  (see_argument(args), ...);
  const auto body = [=]() IRGL_EMU_PLAIN {
    if constexpr ((__is_trivially_copyable(Args) && ...)) {
      call(args...);
    } else {
      call_with(call, Sent<Args>(args)...);
    }
  };
  return run(c, 0, name, nullptr, body);
}

// From an array of pointers to arguments to a call.
template <unsigned... Indices>
struct indices {};
template <unsigned Count, unsigned... Indices>
struct make_indices : make_indices<Count - 1, Count - 1, Indices...> {};
template <unsigned... Indices>
struct make_indices<0, Indices...> {
  using type = indices<Indices...>;
};

template <class Function, Function Kernel>
struct Entry;

template <class... Params, void (*Kernel)(Params...)>
struct Entry<void (*)(Params...), Kernel> {
  template <unsigned... Indices>
  IRGL_EMU_PLAIN static void unpack(void* const* args, indices<Indices...>) {
    call_with(Kernel, Sent<typename bare<Params>::type>(*static_cast<typename bare<Params>::type*>(args[Indices]))...);
  }
  IRGL_EMU_PLAIN static void call(const void* args) {
    unpack(static_cast<void* const*>(args), typename make_indices<sizeof...(Params)>::type{});
  }
  static const void* address(const char* name) {
    static const unsigned sizes[] = {static_cast<unsigned>(sizeof(Params))..., 0};
    irgl_emu_register_kernel(reinterpret_cast<const void*>(Kernel), name, &call, sizeof...(Params), sizes);
    return reinterpret_cast<const void*>(Kernel);
  }
};

// What `(void*)k` is rewritten to: the address, by which the runtime then finds how to call it.
template <class Function, Function Kernel>
inline void* kernel_address(const char* name) {
  return const_cast<void*>(Entry<Function, Kernel>::address(name));
}

template <class... Params, unsigned... Indices>
__attribute__((always_inline)) inline cudaError_t launch_array(const Config& c, int cooperative, const char* name,
                                                               void (*k)(Params...), void** args, indices<Indices...>) {
  return launch(c, cooperative, name, k, *static_cast<typename bare<Params>::type*>(args[Indices])...);
}

}  // namespace irgl_emu

template <class... Params>
__attribute__((always_inline)) inline cudaError_t cudaLaunchKernel(void (*k)(Params...), dim3 grid, dim3 block,
                                                                   void** args, size_t shared = 0,
                                                                   cudaStream_t stream = 0) {
  return irgl_emu::launch_array(irgl_emu::Config(grid, block, shared, stream), 0, "kernel", k, args,
                                typename irgl_emu::make_indices<sizeof...(Params)>::type{});
}
template <class... Params>
__attribute__((always_inline)) inline cudaError_t cudaLaunchCooperativeKernel(void (*k)(Params...), dim3 grid,
                                                                              dim3 block, void** args,
                                                                              size_t shared = 0,
                                                                              cudaStream_t stream = 0) {
  return irgl_emu::launch_array(irgl_emu::Config(grid, block, shared, stream), 1, "kernel", k, args,
                                typename irgl_emu::make_indices<sizeof...(Params)>::type{});
}
IRGL_EMU_INLINE cudaError_t cudaLaunchKernel(const void* k, dim3 grid, dim3 block, void** args, size_t shared = 0,
                                             cudaStream_t stream = 0) {
  return irgl_emu_run_array(k, &grid.x, &block.x, args, shared, stream, 0);
}
IRGL_EMU_INLINE cudaError_t cudaLaunchCooperativeKernel(const void* k, dim3 grid, dim3 block, void** args,
                                                        size_t shared = 0, cudaStream_t stream = 0) {
  return irgl_emu_run_array(k, &grid.x, &block.x, args, shared, stream, 1);
}

namespace irgl_emu {
IRGL_EMU_INLINE int is_cooperative(const cudaLaunchConfig_t* c) {
  for (unsigned i = 0; i < c->numAttrs; i++) {
    if (c->attrs[i].id == cudaLaunchAttributeCooperative && c->attrs[i].val.cooperative != 0) return 1;
    if (c->attrs[i].id == cudaLaunchAttributeClusterDimension) {
      irgl_emu_refuse("thread block clusters", "launch without the cluster attribute");
    }
  }
  return 0;
}
}  // namespace irgl_emu

template <class... Params, class... Args>
__attribute__((always_inline)) inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*k)(Params...),
                                                                     Args&&... args) {
  return irgl_emu::launch(irgl_emu::Config(c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream),
                          irgl_emu::is_cooperative(c), "kernel", k, static_cast<Args&&>(args)...);
}
IRGL_EMU_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* k, void** args) {
  return irgl_emu_run_array(k, &c->gridDim.x, &c->blockDim.x, args, c->dynamicSmemBytes, c->stream,
                            irgl_emu::is_cooperative(c));
}
