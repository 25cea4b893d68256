// What CUDA provides to kernels: printf, assert, malloc and free.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "memory.hpp"

namespace ptx {
namespace {
template <class T>
T argument(const std::vector<uint8_t>& params, size_t offset) {
  T value;
  memcpy(&value, params.data() + offset, sizeof value);
  return value;
}
bool print(Thread& t, std::vector<uint8_t>& params, const Inst& i) {
  const auto* format = reinterpret_cast<const char*>(argument<uint64_t>(params, 0));
  uint64_t at = argument<uint64_t>(params, 8);
  for (; *format != 0; ++format) {
    if (*format != '%') {
      putchar(*format);
      continue;
    }
    std::string one = "%";
    do one += *++format;
    while (strchr("diuoxXcsfFeEgGaAp%", *format) == nullptr);
    if (*format == '%') {
      putchar('%');
      continue;
    }
    const bool wide = one.find('l') != std::string::npos || strchr("fFeEgGaAsp", *format) != nullptr;
    if (wide) at = (at + 7) / 8 * 8;
    const uint8_t* const from = locate(t, i, Space::generic, at, wide ? 8 : 4);
    at += wide ? 8 : 4;
    uint64_t bits = 0;
    memcpy(&bits, from, wide ? 8 : 4);
    if (strchr("fFeEgGaA", *format) != nullptr) {
      double d;
      memcpy(&d, &bits, 8);
      printf(one.c_str(), d);
    } else if (*format == 's') printf(one.c_str(), reinterpret_cast<const char*>(bits));
    else printf(one.c_str(), bits);
  }
  return true;
}
bool failed(Thread& t, std::vector<uint8_t>& params, const Inst& i) {
  fault(t, i, std::string("assert: ") + reinterpret_cast<const char*>(argument<uint64_t>(params, 0)));
}
bool set_condition(Thread&, std::vector<uint8_t>& params, const Inst&) {
  *reinterpret_cast<unsigned*>(argument<uint64_t>(params, 0)) = argument<unsigned>(params, 8);
  return true;
}
}  // namespace

Builtin builtin(const std::string& name) {
  if (name == "vprintf") return print;
  if (name == "__assertfail") return failed;
  if (name == "cudaGraphSetConditional") return set_condition;
  return nullptr;
}

}  // namespace ptx
