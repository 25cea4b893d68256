// What is thrown when a launch, a copy or an allocation fails.
#pragma once
#include "detail/config.h"
#include "functional.h"
#include <string>
#include <stdexcept>
#include <system_error>

namespace thrust {

namespace system {
using error_code = std::error_code;
using error_category = std::error_category;
using error_condition = std::error_condition;
namespace errc = ::std;

class system_error : public std::runtime_error {
 public:
  system_error(error_code code, const std::string& what) : runtime_error(what + ": " + code.message()), code_(code) {}
  explicit system_error(error_code code) : runtime_error(code.message()), code_(code) {}
  system_error(int value, const error_category& category, const std::string& what)
      : system_error(error_code(value, category), what) {}
  system_error(int value, const error_category& category) : system_error(error_code(value, category)) {}
  const error_code& code() const noexcept { return code_; }

 private:
  error_code code_;
};

namespace detail {
class bad_alloc : public std::bad_alloc {
 public:
  explicit bad_alloc(const std::string& what) : what_("std::bad_alloc: " + what) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

struct cuda_errors : error_category {
  const char* name() const noexcept override { return "cuda"; }
  std::string message(int value) const override {
    const auto e = static_cast<cudaError_t>(value);
    return std::string(cudaGetErrorName(e)) + ": " + cudaGetErrorString(e);
  }
};
}  // namespace detail

inline const error_category& cuda_category() {
  static const detail::cuda_errors category;
  return category;
}
}  // namespace system

using system::cuda_category;
using system::error_category;
using system::error_code;
using system::error_condition;
using system::system_error;
namespace cuda {
using thrust::system::cuda_category;
}

namespace detail {
[[noreturn]] __attribute__((noinline)) inline void failed(cudaError_t e, const char* what) {
  cudaGetLastError();
  throw system_error(e, cuda_category(), what);
}
IRGL_EMU_MEMBER void check(cudaError_t e, const char* what) {
  if (e != cudaSuccess) failed(e, what);
}
[[noreturn]] __attribute__((noinline)) inline void no_memory(cudaError_t e) {
  cudaGetLastError();
  throw system::detail::bad_alloc(cuda_category().message(e));
}
}  // namespace detail

}  // namespace thrust
