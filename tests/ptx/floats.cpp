// Floats, rounded to nearest. What PTX calls approx is computed exactly and rounded.
#include <cmath>

#include "decode.hpp"

namespace ptx {
namespace {
#define PTX_FLOAT(Name, text)   \
  struct Name {                 \
    template <class T>          \
    static T of(T a, T b, T c) {\
      (void)b, (void)c;         \
      return T(text);           \
    }                           \
  };
PTX_FLOAT(Add, a + b)
PTX_FLOAT(Sub, a - b)
PTX_FLOAT(Mul, a * b)
PTX_FLOAT(Div, a / b)
PTX_FLOAT(Fma, std::fma(a, b, c))
PTX_FLOAT(Least, std::fmin(a, b))
PTX_FLOAT(Most, std::fmax(a, b))
PTX_FLOAT(Neg, -a)
PTX_FLOAT(Abs, std::fabs(a))
PTX_FLOAT(Sqrt, std::sqrt(a))
PTX_FLOAT(Rcp, T(1) / a)
PTX_FLOAT(Rsqrt, 1.0 / std::sqrt(double(a)))
PTX_FLOAT(Sin, std::sin(double(a)))
PTX_FLOAT(Cos, std::cos(double(a)))
PTX_FLOAT(Log2, std::log2(double(a)))
PTX_FLOAT(Exp2, std::exp2(double(a)))
PTX_FLOAT(Tanh, std::tanh(double(a)))
PTX_FLOAT(CopySign, std::copysign(b, a))
#undef PTX_FLOAT

template <class T, class Op, int n>
bool of(Thread& t, const Inst& i) {
  out<T>(t, i.d, Op::template of<T>(in<T>(t, i.a), n > 1 ? in<T>(t, i.b) : T(0), n > 2 ? in<T>(t, i.c) : T(0)));
  return true;
}
template <class Op, int n>
Run pick(Decoder& d) {
  d.operands(n);
  d.drop({"rn", "approx", "full"});
  if (d.name == "rcp" || d.name == "rsqrt" || d.name == "ex2" || d.name == "lg2") d.take("ftz");
  return of_float(d.last(), [](auto x) -> Run { return of<decltype(x), Op, n>; });
}
}  // namespace

Run floats(Decoder& d) {
  if (d.words.empty() || d.words.back()[0] != 'f') return nullptr;
  const std::string& n = d.name;
  if (n == "add") return pick<Add, 2>(d);
  if (n == "sub") return pick<Sub, 2>(d);
  if (n == "mul") return pick<Mul, 2>(d);
  if (n == "div") return pick<Div, 2>(d);
  if (n == "fma" || n == "mad") return pick<Fma, 3>(d);
  if (n == "min") return pick<Least, 2>(d);
  if (n == "max") return pick<Most, 2>(d);
  if (n == "neg") return pick<Neg, 1>(d);
  if (n == "abs") return pick<Abs, 1>(d);
  if (n == "sqrt") return pick<Sqrt, 1>(d);
  if (n == "rcp") return pick<Rcp, 1>(d);
  if (n == "rsqrt") return pick<Rsqrt, 1>(d);
  if (n == "sin") return pick<Sin, 1>(d);
  if (n == "cos") return pick<Cos, 1>(d);
  if (n == "lg2") return pick<Log2, 1>(d);
  if (n == "ex2") return pick<Exp2, 1>(d);
  if (n == "tanh") return pick<Tanh, 1>(d);
  if (n == "copysign") return pick<CopySign, 2>(d);
  return nullptr;
}

}  // namespace ptx
