// Bits: logic, shifts, fields, counts, permutations.
#include "decode.hpp"

namespace ptx {
namespace {
struct And { template <class T> static T of(T a, T b) { return T(a & b); } };
struct Or { template <class T> static T of(T a, T b) { return T(a | b); } };
struct Xor { template <class T> static T of(T a, T b) { return T(a ^ b); } };
template <class T, class Op>
bool binary(Thread& t, const Inst& i) { return out<T>(t, i.d, Op::of(in<T>(t, i.a), in<T>(t, i.b))), true; }
template <class Op>
bool logic(Thread& t, const Inst& i) { return t.r[i.d] = Op::of(t.get(i.a), t.get(i.b)) & 1, true; }
template <class T>
bool invert(Thread& t, const Inst& i) { return out<T>(t, i.d, T(~in<T>(t, i.a))), true; }
bool invert_predicate(Thread& t, const Inst& i) { return t.r[i.d] = ~t.get(i.a) & 1, true; }
template <class T>
bool is_zero(Thread& t, const Inst& i) { return out<T>(t, i.d, T(in<T>(t, i.a) == 0)), true; }
template <class T>
bool left(Thread& t, const Inst& i) {
  const unsigned by = in<uint32_t>(t, i.b);
  return out<T>(t, i.d, by >= 8 * sizeof(T) ? T(0) : T(uint64_t(in<T>(t, i.a)) << by)), true;
}
template <class T>
bool right(Thread& t, const Inst& i) {
  unsigned by = in<uint32_t>(t, i.b);
  const T a = in<T>(t, i.a);
  if (by >= 8 * sizeof(T)) by = 8 * sizeof(T) - 1, void(a);
  const bool all = in<uint32_t>(t, i.b) >= 8 * sizeof(T);
  return out<T>(t, i.d, all && !std::is_signed_v<T> ? T(0) : T(a >> by)), true;
}
// shf: flags 1 left, 2 clamp
bool funnel(Thread& t, const Inst& i) {
  const uint64_t both = uint64_t(in<uint32_t>(t, i.b)) << 32 | in<uint32_t>(t, i.a);
  unsigned by = in<uint32_t>(t, i.c);
  by = i.flags & 2 ? (by > 32 ? 32 : by) : by & 31;
  return out<uint32_t>(t, i.d, uint32_t(i.flags & 1 ? both << by >> 32 : both >> by)), true;
}
template <class T>
int leading(T a) { return a == 0 ? int(8 * sizeof(T)) : __builtin_clzll(uint64_t(a)) - int(64 - 8 * sizeof(T)); }
template <class T>
bool count_ones(Thread& t, const Inst& i) { return out<uint32_t>(t, i.d, uint32_t(__builtin_popcountll(in<T>(t,
    i.a)))), true; }
template <class T>
bool count_zeros(Thread& t, const Inst& i) { return out<uint32_t>(t, i.d, uint32_t(leading(in<T>(t, i.a)))), true; }
template <class T>
bool reverse(Thread& t, const Inst& i) {
  T a = in<T>(t, i.a), r = 0;
  for (size_t k = 0; k < 8 * sizeof(T); ++k) r = T(r << 1 | ((a >> k) & 1));
  return out<T>(t, i.d, r), true;
}
// bfind: flags 1 shiftamt
template <class T>
bool highest(Thread& t, const Inst& i) {
  using U = std::make_unsigned_t<T>;
  const T a = in<T>(t, i.a);
  const U x = std::is_signed_v<T> && a < 0 ? U(~a) : U(a);
  const int zeros = leading(x);
  const uint32_t top = 8 * sizeof(T) - 1;
  return out<uint32_t>(t, i.d, x == 0 ? ~0u : i.flags & 1 ? uint32_t(zeros) : top - uint32_t(zeros)), true;
}
template <class T>
bool extract(Thread& t, const Inst& i) {  // bfe
  using U = std::make_unsigned_t<T>;
  const T a = in<T>(t, i.a);
  const unsigned msb = 8 * sizeof(T) - 1, pos = t.get(i.b) & 255, len = t.get(i.c) & 255;
  const unsigned last = pos + len - 1 < msb ? pos + len - 1 : msb;
  const bool sign = std::is_signed_v<T> && len != 0 && ((U(a) >> last) & 1);
  U r = sign ? U(~U(0)) : U(0);
  for (unsigned k = 0; k <= msb; ++k) {
    const bool bit = k < len && pos + k <= msb ? (U(a) >> (pos + k)) & 1 : sign;
    r = U((r & ~(U(1) << k)) | U(U(bit) << k));
  }
  return out<T>(t, i.d, T(r)), true;
}
template <class T>
bool insert(Thread& t, const Inst& i) {  // bfi a into b at c, e bits
  const T a = in<T>(t, i.a);
  T r = in<T>(t, i.b);
  const unsigned pos = t.get(i.c) & 255, len = t.get(i.e) & 255;
  for (unsigned k = 0; k < len && pos + k < 8 * sizeof(T); ++k)
    r = T((r & ~(T(1) << (pos + k))) | T(T((a >> k) & 1) << (pos + k)));
  return out<T>(t, i.d, r), true;
}
bool permute(Thread& t, const Inst& i) {
  const uint64_t bytes = uint64_t(in<uint32_t>(t, i.b)) << 32 | in<uint32_t>(t, i.a);
  const uint32_t select = in<uint32_t>(t, i.c);
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned s = select >> (4 * k) & 15;
    uint32_t byte = uint32_t(bytes >> (8 * (s & 7))) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * k);
  }
  return out<uint32_t>(t, i.d, r), true;
}
bool table(Thread& t, const Inst& i) {  // lop3
  const uint32_t a = in<uint32_t>(t, i.a), b = in<uint32_t>(t, i.b), c = in<uint32_t>(t, i.c);
  uint32_t r = 0;
  for (unsigned k = 0; k < 32; ++k)
    r |= uint32_t(t.get(i.e) >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
  return out<uint32_t>(t, i.d, r), true;
}
template <class Op>
Run logical(Decoder& d) {
  d.operands(2);
  const std::string type = d.last();
  if (type == "pred") return logic<Op>;
  return of_int(type, [](auto x) -> Run { return binary<decltype(x), Op>; });
}
template <class F>
Run unsigned_only(const std::string& type, F f) {
  return of_int(type, [&](auto x) -> Run {
    if constexpr (std::is_signed_v<decltype(x)>) return nullptr;
    else return f(x);
  });
}
}  // namespace

Run bits(Decoder& d) {
  const std::string& n = d.name;
  if (n == "and") return logical<And>(d);
  if (n == "or") return logical<Or>(d);
  if (n == "xor") return logical<Xor>(d);
  if (n == "not") {
    d.operands(1);
    const std::string type = d.last();
    if (type == "pred") return invert_predicate;
    return of_int(type, [](auto x) -> Run { return invert<decltype(x)>; });
  }
  if (n == "cnot") return d.operands(1), unsigned_only(d.last(), [](auto x) -> Run { return is_zero<decltype(x)>; });
  if (n == "shl") return d.operands(2), unsigned_only(d.last(), [](auto x) -> Run { return left<decltype(x)>; });
  if (n == "shr") return d.operands(2), of_int(d.last(), [](auto x) -> Run { return right<decltype(x)>; });
  if (n == "shf") {
    d.operands(3);
    const bool to_left = d.take("l");
    if (!to_left && !d.take("r")) return nullptr;
    const bool clamp = d.take("clamp");
    if (!clamp && !d.take("wrap")) return nullptr;
    d.inst.flags = uint8_t((to_left ? 1 : 0) | (clamp ? 2 : 0));
    return d.take("b32") ? funnel : nullptr;
  }
  if (n == "popc") return d.operands(1), unsigned_only(d.last(), [](auto x) -> Run { return count_ones<decltype(x)>; });
  if (n == "clz") return d.operands(1), unsigned_only(d.last(), [](auto x) -> Run { return count_zeros<decltype(x)>; });
  if (n == "brev") return d.operands(1), unsigned_only(d.last(), [](auto x) -> Run { return reverse<decltype(x)>; });
  if (n == "bfind") {
    d.operands(1);
    d.inst.flags = d.take("shiftamt");
    return of_int(d.last(), [](auto x) -> Run { return highest<decltype(x)>; });
  }
  if (n == "bfe") return d.operands(3), of_int(d.last(), [](auto x) -> Run { return extract<decltype(x)>; });
  if (n == "bfi") return d.operands(4), unsigned_only(d.last(), [](auto x) -> Run { return insert<decltype(x)>; });
  if (n == "prmt") return d.operands(3), d.take("b32") ? permute : nullptr;
  if (n == "lop3") return d.operands(4), d.take("b32") ? table : nullptr;
  return nullptr;
}

}  // namespace ptx
