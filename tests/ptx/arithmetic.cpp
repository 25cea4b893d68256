// Whole numbers: sums, products, quotients, minima. All wrap around.
#include <type_traits>

#include "decode.hpp"

namespace ptx {
namespace {
template <class T> using Wide = std::conditional_t<sizeof(T) == 8, unsigned __int128, uint64_t>;
template <class T> using SignedWide = std::conditional_t<sizeof(T) == 8, __int128, int64_t>;
template <class T> using Both = std::conditional_t<std::is_signed_v<T>, SignedWide<T>, Wide<T>>;
template <class T>
Both<T> product(T a, T b) { return Both<T>(a) * Both<T>(b); }

#define PTX_BINARY(Name, text) \
  struct Name {                \
    template <class T>         \
    static T of(T a, T b) {    \
      using W = Wide<T>;       \
      (void)sizeof(W);         \
      return T(text);          \
    }                          \
  };
PTX_BINARY(Add, W(a) + W(b))
PTX_BINARY(Sub, W(a) - W(b))
PTX_BINARY(Low, W(a) * W(b))
PTX_BINARY(High, product(a, b) >> (8 * sizeof(T)))
PTX_BINARY(Div, b == 0 ? T(-1) : std::is_signed_v<T> && b == T(-1) ? T(W(0) - W(a)) : T(a / b))
PTX_BINARY(Rem, b == 0 ? a : std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b))
PTX_BINARY(Least, b < a ? b : a)
PTX_BINARY(Most, a < b ? b : a)
#undef PTX_BINARY

template <class T, class Op>
bool binary(Thread& t, const Inst& i) {
  out<T>(t, i.d, Op::template of<T>(in<T>(t, i.a), in<T>(t, i.b)));
  return true;
}
template <class Op>
Run pick(const std::string& type) {
  return of_int(type, [](auto x) -> Run { return binary<decltype(x), Op>; });
}
template <class T>
bool wide(Thread& t, const Inst& i) {
  const Both<T> p = product(in<T>(t, i.a), in<T>(t, i.b));
  if constexpr (std::is_signed_v<T>) out<int64_t>(t, i.d, int64_t(p));
  else out<uint64_t>(t, i.d, uint64_t(p));
  return true;
}
template <class T, class Op>
bool fused(Thread& t, const Inst& i) {
  out<T>(t, i.d, Add::of<T>(Op::template of<T>(in<T>(t, i.a), in<T>(t, i.b)), in<T>(t, i.c)));
  return true;
}
template <class T>
bool fused_wide(Thread& t, const Inst& i) {
  t.r[i.d] = uint64_t(product(in<T>(t, i.a), in<T>(t, i.b))) + t.get(i.c);
  return true;
}
template <class T>
bool negate(Thread& t, const Inst& i) { return out<T>(t, i.d, T(Wide<T>(0) - Wide<T>(in<T>(t, i.a)))), true; }
template <class T>
bool absolute(Thread& t, const Inst& i) {
  const T a = in<T>(t, i.a);
  return out<T>(t, i.d, a < 0 ? T(Wide<T>(0) - Wide<T>(a)) : a), true;
}
template <class T>
bool difference(Thread& t, const Inst& i) {  // sad
  const T a = in<T>(t, i.a), b = in<T>(t, i.b);
  return out<T>(t, i.d, T(Wide<T>(in<T>(t, i.c)) + (a < b ? Wide<T>(b) - Wide<T>(a) : Wide<T>(a) - Wide<T>(b)))), true;
}
// With the carry of the instruction before: flags 1 takes it, 2 gives it. A difference gives one where it borrows
// nothing, as the code that nvcc has for divisions of 128 bits relies on.
template <class T, bool minus>
bool carried(Thread& t, const Inst& i) {
  using U = std::make_unsigned_t<T>;
  using W = Wide<U>;
  const W a = in<U>(t, i.a), b = in<U>(t, i.b), c = i.flags & 1 ? t.carry ^ unsigned(minus) : 0;
  const unsigned __int128 sum = minus ? (unsigned __int128)a - b - c : (unsigned __int128)a + b + c;
  if (i.flags & 2) t.carry = (unsigned(sum >> (8 * sizeof(T))) & 1) ^ unsigned(minus);
  return out<T>(t, i.d, T(sum)), true;
}
template <bool minus>
Run carry(Decoder& d) {
  d.operands(2);
  d.inst.flags = uint8_t((d.name.back() == 'c' ? 1 : 0) | (d.take("cc") ? 2 : 0));
  return of_int(d.last(), [](auto x) -> Run {
    if constexpr (sizeof(x) >= 4) return carried<decltype(x), minus>;
    else return nullptr;
  });
}

// A product's half and a sum, with carries as `carried`.
template <class T, class Op>
bool fused_carried(Thread& t, const Inst& i) {
  using U = std::make_unsigned_t<T>;
  const U half = U(Op::template of<T>(in<T>(t, i.a), in<T>(t, i.b)));
  const unsigned __int128 sum = (unsigned __int128)half + in<U>(t, i.c) + (i.flags & 1 ? t.carry : 0);
  if (i.flags & 2) t.carry = unsigned(sum >> (8 * sizeof(T))) & 1;
  return out<T>(t, i.d, T(sum)), true;
}

Run multiply(Decoder& d) {
  const bool low = d.take("lo"), high = d.take("hi"), is_wide = d.take("wide");
  if (!low && !high && !is_wide) return nullptr;
  d.operands(d.name == "mul" ? 2 : 3);
  d.inst.flags = uint8_t((d.name == "madc" ? 1 : 0) | (d.take("cc") ? 2 : 0));
  const bool carries = d.inst.flags != 0;
  const std::string type = d.last();
  const bool add = d.name != "mul";
  if (is_wide) {
    return of_int(type, [&](auto x) -> Run {
      using T = decltype(x);
      if constexpr (sizeof(T) == 8) return nullptr;
      else return add ? fused_wide<T> : wide<T>;
    });
  }
  return of_int(type, [&](auto x) -> Run {
    using T = decltype(x);
    if constexpr (sizeof(T) >= 4) {
      if (carries) return low ? fused_carried<T, Low> : fused_carried<T, High>;
    } else if (carries) {
      return nullptr;
    }
    if (add) return low ? fused<T, Low> : fused<T, High>;
    return low ? binary<T, Low> : binary<T, High>;
  });
}
}  // namespace

Run arithmetic(Decoder& d) {
  if (d.words.empty() || d.words.back()[0] == 'f') return nullptr;
  if (d.name == "mul" || d.name == "mad" || d.name == "madc") return multiply(d);
  if (d.name == "addc" || (d.name == "add" && d.words[0] == "cc")) return carry<false>(d);
  if (d.name == "subc" || (d.name == "sub" && d.words[0] == "cc")) return carry<true>(d);
  const std::string& n = d.name;
  const auto two = [&](auto op) -> Run { return d.operands(2), pick<decltype(op)>(d.last()); };
  if (n == "add") return two(Add{});
  if (n == "sub") return two(Sub{});
  if (n == "div") return two(Div{});
  if (n == "rem") return two(Rem{});
  if (n == "min") return two(Least{});
  if (n == "max") return two(Most{});
  if (n == "neg") return d.operands(1), of_int(d.last(), [](auto x) -> Run { return negate<decltype(x)>; });
  if (n == "abs") return d.operands(1), of_int(d.last(), [](auto x) -> Run { return absolute<decltype(x)>; });
  if (n == "sad") return d.operands(3), of_int(d.last(), [](auto x) -> Run { return difference<decltype(x)>; });
  return nullptr;
}

}  // namespace ptx
